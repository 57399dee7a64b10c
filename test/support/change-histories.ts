/** A world of several containers with lights, and changes of each kind at random. */

import {
  BoxGeometry,
  BufferAttribute,
  DataTexture,
  DirectionalLight,
  Group,
  InstancedMesh,
  LOD,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  PointLight,
  Scene,
  SphereGeometry,
  SpotLight,
  type Object3D,
} from 'three';
import { InstanceChanges, OctreeGroup, OctreeInstances, type ChangeContainer } from '../../src/three.ts';
import type { Random } from './random.ts';
import type { Lamp } from './shadow-towns.ts';

export class ChangeWorld {
  readonly scene = new Scene();
  readonly parent = new Group();
  readonly group = new OctreeGroup();
  /** Below a child of another parent. Its trees are static or watched. */
  readonly trees = new OctreeGroup();
  readonly roots: Group[] = [];
  readonly instances: OctreeInstances<BoxGeometry, MeshLambertMaterial>;
  readonly outside = new Mesh(new BoxGeometry(2, 2, 2), new MeshLambertMaterial());
  readonly instanced = new InstancedMesh(new BoxGeometry(), new MeshLambertMaterial(), 3);
  readonly lights: Lamp[] = [new DirectionalLight(), new SpotLight(), new PointLight(), new SpotLight()];
  readonly rig = new Group();
  readonly cameras = [new PerspectiveCamera(50, 1, 1, 60), new PerspectiveCamera(40, 1, 1, 40)];
  readonly materials = Array.from({ length: 5 }, () => new MeshLambertMaterial());
  readonly textures = [1, 2].map((size) => new DataTexture(new Uint8Array(4 * size), size, 1));
  /** Of the frame that is played. */
  random: Random;

  constructor(random: Random) {
    this.random = random;
    const { scene, parent, group, trees, lights, rig, outside, instanced, cameras } = this;
    this.instances = new OctreeInstances(new BoxGeometry(1, 2, 1), new MeshLambertMaterial(), 30);
    this.instances.castShadow = true;
    for (let k = 0; k < 30; k++) this.instances.setMatrixAt(k, this.place());
    this.instances.addLevel(new BoxGeometry(1, 2, 1), 50);
    // Otherwise the camera decides on all maps.
    this.instances.shadowLevel = 0;
    for (let k = 0; k < 40; k++) group.add(this.thing());
    for (let k = 0; k < 6; k++) {
      const root = new Group();
      const inner = new Group();
      root.add(this.thing(), inner.add(this.thing(), this.thing()));
      this.roots.push(root);
      trees.addTree(root, { isStatic: k % 2 === 0 });
    }
    for (let k = 0; k < 3; k++) instanced.setMatrixAt(k, this.place());
    outside.castShadow = instanced.castShadow = true;
    outside.position.set(30, 1, 30);
    scene.add(parent.add(group, new Group().add(trees)), this.instances, outside, rig, ...cameras);
    instanced.computeBoundingSphere();
    group.add(instanced);
    lights.forEach((light, k) => {
      light.castShadow = true;
      light.position.set(k % 2 ? 12 : -12, 14, k < 2 ? -12 : 12);
      light.shadow.camera.far = 30;
      light.shadow.mapSize.set(64, 64);
      if (light instanceof PointLight) light.distance = 18;
      else {
        light.target.position.set(light.position.x, 0, light.position.z);
        scene.add(light.target);
      }
      if (light instanceof SpotLight) light.angle = 0.5;
      if (light instanceof DirectionalLight)
        Object.assign(light.shadow.camera, { left: -7, right: 7, top: 7, bottom: -7 });
      light.shadow.camera.updateProjectionMatrix();
      // One light is moved by its parent.
      if (k === 3) rig.add(light);
      else scene.add(light);
    });
    cameras[0].position.set(-12, 20, -30);
    cameras[0].lookAt(-12, 0, -8);
    cameras[1].position.set(12, 25, 20);
    cameras[1].lookAt(12, 0, 10);
  }

  get containers(): ChangeContainer[] {
    return [this.group, this.trees, new InstanceChanges(this.instances)];
  }

  place(): Matrix4 {
    const { random } = this;
    return new Matrix4().makeTranslation(random.between(-22, 22), random.between(0, 3), random.between(-22, 22));
  }

  thing(): Object3D {
    const { random } = this;
    const material = random.pick(this.materials);
    const box = (): Mesh => new Mesh(new BoxGeometry(1.5, random.between(1, 3), 1.5), material);
    let thing: Object3D = box();
    const kind = random.below(8);
    if (kind === 0) thing = new Group().add(box(), box().translateY(2));
    if (kind === 1) thing = new LOD().addLevel(new Mesh(new SphereGeometry(1, 6, 4), material), 0).addLevel(box(), 35);
    if (kind === 2) thing.add(box().translateX(1));
    thing.traverse((object) => (object.castShadow = object.receiveShadow = true));
    thing.applyMatrix4(this.place());
    return thing;
  }

  /** A random object of the groups that is drawn by itself. */
  mesh(): Mesh<BoxGeometry, MeshLambertMaterial> {
    const meshes: Mesh[] = [];
    for (const each of [this.group, this.trees])
      each.traverse((object) => {
        if (object instanceof Mesh && !(object instanceof InstancedMesh)) meshes.push(object);
      });
    return this.random.pick(meshes) as Mesh<BoxGeometry, MeshLambertMaterial>;
  }

  /** Changes an object, and reports it if it is static. */
  change(object: Object3D, change: () => void): void {
    change();
    for (const [k, root] of this.roots.entries())
      if (k % 2 === 0 && root.parent === this.trees && hasAncestor(object, root)) this.trees.reportMove(object);
  }
}

function hasAncestor(object: Object3D | null, root: Object3D): boolean {
  return object !== null && (object === root || hasAncestor(object.parent, root));
}

export type Action = (world: ChangeWorld, random: Random) => void;

const onMesh =
  (change: (mesh: Mesh<BoxGeometry, MeshLambertMaterial>, random: Random, world: ChangeWorld) => void): Action =>
  (world, random) => {
    const mesh = world.mesh();
    world.change(mesh, () => change(mesh, random, world));
  };
const onMaterial =
  (change: (material: MeshLambertMaterial, random: Random, world: ChangeWorld) => void): Action =>
  (world, random) =>
    change(random.pick([...world.materials, world.instances.material]), random, world);
const onLight =
  (change: (light: Lamp, random: Random) => void): Action =>
  ({ lights }, random) =>
    change(random.pick(lights), random);

/** Each kind of change alone, without any sign but the change itself. */
export const actions: Record<string, Action> = {
  'child moved': onMesh((mesh, random) => mesh.position.set(random.between(-20, 20), 1, random.between(-20, 20))),
  'child turned': onMesh((mesh, random) => void (mesh.rotation.y = random.between(-3, 3))),
  'child moved by its ancestor': (world, random) => {
    const { parent } = world.mesh();
    if (parent === null || parent === world.group || parent === world.trees) return;
    world.change(parent, () => void (parent.position.x = random.between(-15, 15)));
  },
  'moved and moved back': onMesh((mesh, _, { scene }) => {
    mesh.position.x += 4;
    scene.updateMatrixWorld();
    mesh.position.x -= 4;
  }),
  visible: onMesh((mesh) => void (mesh.visible = !mesh.visible)),
  'ancestor hidden': (world, random) => {
    const root = random.pick(world.roots);
    world.change(root, () => void (root.visible = !root.visible));
  },
  castShadow: onMesh((mesh) => void (mesh.castShadow = !mesh.castShadow)),
  receiveShadow: onMesh((mesh) => void (mesh.receiveShadow = !mesh.receiveShadow)),
  layers: onMesh((mesh, random) => mesh.layers.toggle(random.below(2))),
  renderOrder: onMesh((mesh, random) => void (mesh.renderOrder = random.below(3))),
  // Rarely: what is not culled counts as changed from then on.
  frustumCulled: onMesh((mesh, random) => void (mesh.frustumCulled = random.below(4) > 0 || !mesh.frustumCulled)),
  'material swapped': onMesh((mesh, random, { materials }) => void (mesh.material = random.pick(materials))),
  'two materials': onMesh((mesh, random, { materials }) => {
    mesh.material = [random.pick(materials), random.pick(materials)] as never;
  }),
  colour: onMaterial((material, random) => material.color.setHex(random.below(2 ** 24))),
  opacity: onMaterial((material, random) => void (material.opacity = random.between(0.2, 1))),
  transparent: onMaterial((material) => void (material.transparent = !material.transparent)),
  side: onMaterial((material, random) => void (material.side = random.pick([0, 1, 2] as const))),
  shadowSide: onMaterial((material, random) => void (material.shadowSide = random.pick([null, 0, 2] as const))),
  'material visible': onMaterial((material) => void (material.visible = !material.visible)),
  wireframe: onMaterial((material) => void (material.wireframe = !material.wireframe)),
  alphaTest: onMaterial((material, random) => void (material.alphaTest = random.pick([0, 0.5]))),
  map: onMaterial((material, random, { textures }) => void (material.map = random.pick([null, ...textures]))),
  'offset of a map': (world, random) => void (random.pick(world.textures).offset.x = random.between(0, 1)),
  'picture of a map': (world, random) => void (random.pick(world.textures).needsUpdate = true),
  'geometry swapped': onMesh((mesh, random) => void (mesh.geometry = new BoxGeometry(1, random.between(1, 5), 1))),
  vertices: onMesh(({ geometry }, random) => {
    (geometry.attributes.position as BufferAttribute).setY(0, random.between(1, 5)).needsUpdate = true;
    geometry.computeBoundingSphere();
  }),
  'attribute replaced': onMesh(({ geometry }) => {
    geometry.setAttribute('uv', new BufferAttribute(new Float32Array(48), 2));
  }),
  'draw range': onMesh(({ geometry }, random) => geometry.setDrawRange(0, random.pick([6, 12, Infinity]))),
  'groups of a geometry': onMesh(({ geometry }, random) => geometry.addGroup(0, 6, random.below(2))),
  added: (world) => void world.group.add(world.thing()),
  removed: (world) => void (world.group.children.length > 30 && world.group.remove(world.group.children[5])),
  'moved to another group': (world) => void world.trees.add(world.group.children[3]),
  'child of a child': (world) => {
    const mesh = world.mesh();
    world.change(mesh, () => void mesh.add(world.thing()));
  },
  'removed from a tree': (world, random) => {
    const root = random.pick(world.roots);
    if (root.children.length > 2) world.change(root, () => void root.remove(root.children[2]));
  },
  'added to a tree': (world, random) => {
    const root = random.pick(world.roots);
    world.change(root, () => void root.add(world.thing()));
  },
  'tree closed and opened': (world, random) => {
    const root = random.pick(world.roots);
    world.trees.remove(root);
    world.trees.addTree(root, { isStatic: world.roots.indexOf(root) % 2 === 0 });
  },
  'parent moved': ({ parent }, random) => void (parent.position.z = random.between(-2, 2)),
  'parent turned': ({ parent }, random) => void (parent.rotation.y = random.between(-0.2, 0.2)),
  'group hidden': ({ trees }) => void (trees.visible = !trees.visible),
  'group without shadow culling': ({ group }, random) => void (group.minScreenSize = random.pick([0, 0.05])),
  'instance moved': (world, random) => {
    const id = random.below(30);
    if (world.instances.has(id)) world.instances.setMatrixAt(id, world.place());
  },
  'instance hidden': ({ instances }, random) => {
    const id = random.below(30);
    if (instances.has(id)) instances.setVisibleAt(id, !instances.getVisibleAt(id));
  },
  'instance recoloured': ({ instances }, random) => {
    const id = random.below(30);
    if (instances.has(id)) instances.setColorAt(id, random.below(2 ** 24));
  },
  'instance added or deleted': (world, random) => {
    const id = random.below(30);
    if (world.instances.has(id)) world.instances.deleteInstance(id);
    else world.instances.addInstance(world.place());
  },
  'instances cast': ({ instances }) => void (instances.castShadow = !instances.castShadow),
  'instances moved': ({ instances }, random) => void (instances.position.x = random.between(-1, 1)),
  'level of shadows': ({ instances }, random) => void (instances.shadowLevel = random.pick([null, 0, 1, 1])),
  'instance of an InstancedMesh': ({ instanced, ...world }, random) => {
    instanced.setMatrixAt(random.below(3), new Matrix4().makeTranslation(random.between(-9, 9), 1, -9));
    instanced.instanceMatrix.needsUpdate = true;
    instanced.computeBoundingSphere();
    void world;
  },
  'count of an InstancedMesh': ({ instanced }, random) => void (instanced.count = random.below(4)),
  'outside moved': ({ outside }, random) => outside.position.set(random.between(-20, 20), 1, random.between(-20, 20)),
  'outside hidden': ({ outside }) => void (outside.visible = !outside.visible),
  'light moved': onLight((light, random) => void (light.position.x += random.between(-1, 1))),
  'light hidden': onLight((light) => void (light.visible = !light.visible)),
  'light casts': onLight((light) => void (light.castShadow = !light.castShadow)),
  'light brighter': onLight((light, random) => void (light.intensity = random.between(1, 9))),
  'parent of a light moved': ({ rig }, random) => void (rig.position.z = random.between(-1, 1)),
  'target moved': onLight((light, random) => {
    if ('target' in light) light.target.position.x += random.between(-1, 1);
  }),
  'reach of a light': onLight((light, random) => {
    if (light instanceof PointLight) light.distance = random.pick([12, 18, 0]);
    else if (light instanceof SpotLight) light.angle = random.between(0.3, 0.7);
    else {
      light.shadow.camera.left = random.between(-9, -4);
      light.shadow.camera.updateProjectionMatrix();
    }
  }),
  'shadow camera': onLight(({ shadow: { camera } }, random) => {
    camera.near = random.between(0.5, 3);
    camera.updateProjectionMatrix();
  }),
  'layers of a light': onLight(({ shadow }) => shadow.camera.layers.toggle(1)),
  'size of a map': onLight(({ shadow }, random) => shadow.mapSize.setScalar(random.pick([32, 64]))),
  'blur of a map': onLight(({ shadow }, random) => void (shadow.radius = random.between(1, 4))),
  'camera moved': ({ cameras }, random) => void (random.pick(cameras).position.y = random.between(15, 60)),
  'layers of the camera': ({ cameras }, random) => random.pick(cameras).layers.toggle(1),
};
