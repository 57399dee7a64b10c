/**
 * A scene of containers that lives: objects come and go, geometries and textures change, all features of scenes follow.
 * The number of objects is constant, so that what a renderer and the page hold is, too. Needs a browser.
 */

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DataTexture,
  DirectionalLight,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Scene,
  SphereGeometry,
  type BufferGeometry,
  type PerspectiveCamera,
  type WebGLRenderer,
} from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import {
  InstanceChanges,
  OcclusionCulling,
  OctreeGroup,
  OctreeHelper,
  OctreeInstances,
  ShadowUpdates,
  StaticBatches,
  ViewChanges,
} from '../../src/three.ts';
import { createRandom, type Random } from '../support/random.ts';
import { createCamera } from '../support/three-pictures.ts';

export type SoakedRenderer = WebGLRenderer | WebGPURenderer;

const REACH = 30;
const TEXELS = 4;
/** Of these, a third comes and goes; a batch is built from the others, too. */
const MESHES = 60;
const INSTANCES = 80;
/** More than a moved mesh rests before it is written into its batch again. */
const UPDATES = 40;

function meshOf(random: Random): Mesh<BufferGeometry, MeshLambertMaterial> {
  const geometry = new BoxGeometry(random.between(1, 3), 2, 2);
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ map: textureOf(random) }));
  mesh.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function textureOf(random: Random): DataTexture {
  const texels = Uint8Array.from({ length: 4 * TEXELS * TEXELS }, () => random.below(256));
  const texture = new DataTexture(texels, TEXELS, TEXELS);
  texture.needsUpdate = true;
  return texture;
}

/** All containers and features in a scene. */
export class ContainerWorld {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera = createCamera([0, 0, 60], [0, 0, 0], 200);
  /** Sees all: nothing is culled for it. */
  private readonly overview = createCamera([0, 0, 150], [0, 0, 0], 400);
  /** What has left the scene. */
  readonly gone: WeakRef<object>[] = [];
  private readonly random = createRandom(3);
  private readonly group = new OctreeGroup();
  private readonly fixed = new OctreeGroup({ hasStaticChildren: true });
  private readonly instances;
  /** Of the meshes that a batch draws. */
  private readonly shared = new MeshLambertMaterial();
  private readonly features: readonly { dispose(): void }[];
  private readonly views: ViewChanges;
  private readonly level = new SphereGeometry(1, 4, 3);
  private step = 0;

  constructor(renderer: SoakedRenderer) {
    const { scene, group, fixed, camera } = this;
    this.fill();
    this.instances = new OctreeInstances(new BoxGeometry(1, 1, 1), new MeshLambertMaterial(), INSTANCES);
    const { instances } = this;
    for (let id = 0; id < INSTANCES; id++) instances.setMatrixAt(id, this.place()).setColorAt(id, new Color(id * 999));
    instances.addLevel(this.level, 70, 0.1);
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(20, 30, 40);
    light.castShadow = true;
    // Sees all. If the first caster of a pass has no texture, three uploads that of an earlier one, also a disposed
    // one.
    Object.assign(light.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
    scene.add(new AmbientLight(0xffffff, 0.4), light, group, fixed, instances);
    scene.updateMatrixWorld();
    const containers = [group, fixed, new InstanceChanges(instances)];
    this.views = new ViewChanges(scene, renderer as WebGLRenderer, containers);
    const helper = new OctreeHelper(group);
    scene.add(helper);
    this.features = [
      new StaticBatches(fixed).finish(),
      new OcclusionCulling(group, camera),
      new ShadowUpdates(scene, renderer, containers),
      this.views,
      instances,
      helper,
    ];
  }

  /** Adds the meshes of the groups. */
  fill(): void {
    const { fixed, group, random } = this;
    for (let k = 0; k < MESHES; k++) group.add(meshOf(random));
    for (let k = 0; k < MESHES; k++) fixed.add(this.sharing(meshOf(random)));
  }

  /** Removes and frees all meshes of the groups, and waits until nothing is left to do. */
  async empty(renderer: SoakedRenderer): Promise<void> {
    this.clear();
    for (let k = 0; k < UPDATES; k++) {
      await Promise.resolve();
      this.scene.updateMatrixWorld();
    }
    for (const camera of [this.camera, this.overview]) renderer.render(this.scene, camera);
  }

  /** Changes about a tenth of the objects, and leaves their number as it is. */
  change(): void {
    const { group, fixed, instances, random, step } = this;
    for (let k = 0; k < 3; k++) {
      this.remove(group, group.children[0] as ReturnType<typeof meshOf>);
      group.add(meshOf(random));
    }
    const changed = random.pick(group.children) as ReturnType<typeof meshOf>;
    this.free(changed.geometry, changed.material.map!);
    changed.geometry = new BoxGeometry(1, random.between(1, 4), 1);
    changed.material.map = textureOf(random);
    for (const child of group.children.slice(10, 20)) child.position.x += random.between(-1, 1);
    if (step % 4 === 0) {
      this.remove(fixed, fixed.children[0] as ReturnType<typeof meshOf>);
      fixed.add(this.sharing(meshOf(random)));
    }
    const id = random.below(INSTANCES);
    if (instances.has(id)) {
      instances.deleteInstance(id);
      instances.setColorAt(instances.addInstance(this.place()), new Color(step));
    }
    instances.geometry.attributes.position.needsUpdate = true;
    if (step % 8 === 0) this.views.changedIn(this.camera);
    this.step++;
  }

  /** Ends all, and frees what the scene holds. */
  dispose(): void {
    const { features, fixed, gone, group, instances, scene } = this;
    this.clear();
    for (const feature of features) {
      feature.dispose();
      gone.push(new WeakRef(feature));
    }
    this.level.dispose();
    instances.geometry.dispose();
    instances.material.dispose();
    this.shared.dispose();
    scene.traverse((object) => {
      if (object instanceof DirectionalLight) object.dispose();
    });
    gone.push(...[group, fixed, scene].map((each) => new WeakRef(each)));
  }

  private clear(): void {
    for (const container of [this.group, this.fixed])
      for (const mesh of [...container.children] as ReturnType<typeof meshOf>[]) this.remove(container, mesh);
  }

  private sharing(mesh: ReturnType<typeof meshOf>): Mesh {
    mesh.material.map!.dispose();
    return Object.assign(mesh, { material: this.shared });
  }

  private remove(container: OctreeGroup, mesh: ReturnType<typeof meshOf>): void {
    container.remove(mesh);
    this.free(mesh, mesh.geometry);
    if (mesh.material !== this.shared) this.free(mesh.material, mesh.material.map!);
  }

  private free(...parts: readonly object[]): void {
    for (const part of parts) {
      (part as { dispose?: () => void }).dispose?.();
      this.gone.push(new WeakRef(part));
    }
  }

  private place(): Matrix4 {
    const { random } = this;
    return new Matrix4().makeTranslation(
      random.between(-REACH, REACH),
      random.between(-REACH, REACH),
      random.between(-REACH, REACH),
    );
  }
}
