// Random scenes: objects of every kind, and changes of every kind while they are drawn. The same seed gives the same
// scene in every variant.

import {
  BatchedMesh,
  Color,
  DirectionalLight,
  Group,
  LineBasicMaterial,
  LineSegments,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  PlaneGeometry,
  Points,
  OrthographicCamera,
  PointsMaterial,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  TorusGeometry,
  Vector3,
  BufferGeometry,
} from 'three';
import { OctreeInstances } from '../../../src/three.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { drawOver } from './cameras.ts';
import { ball, box, createMorphSphere, createWorm } from './meshes.ts';
import { commit, type ExampleScene, type Stage } from './stage.ts';

const geometries: BufferGeometry[] = [
  box,
  ball,
  new TorusGeometry(0.8, 0.3, 5, 10),
  new PlaneGeometry(2, 1.5),
  new SphereGeometry(0.5, 6, 4),
];
const REACH = 6;

/** Objects at the start, and changes in each frame in which things move. */
const OBJECTS = 16;
const CHANGES = 6;

/**
 * @param isKept Whether a step is taken: step k < 16 adds an object, the others are changes. Each step has random
 *   numbers of its own, so a scene in which something differs can be reduced step by step.
 */
export function randomScene(seed: number, isKept: (step: number) => boolean = () => true): ExampleScene {
  return {
    name: `random scene ${seed}`,
    isHit: false,
    build(stage) {
      const world = new RandomWorld(stage, seed % 3 === 0);
      let step = 0;
      const next = (run: () => void): void => {
        world.random = createRandom(1000 * seed + step);
        if (isKept(step++)) run();
      };
      for (let k = 0; k < OBJECTS; k++) next(() => world.addObject());
      return {
        ...(seed % 4 === 1 ? { render: () => drawOver(stage.renderer, stage.scene, [world.top, stage.camera]) } : {}),
        move: () => {
          for (let k = 0; k < CHANGES; k++) next(() => world.change());
        },
        update: () => stage.scene.matrixWorldAutoUpdate || stage.scene.updateMatrixWorld(),
        end: () => (stage.renderer.sortObjects = true),
      };
    },
  };
}

class RandomWorld {
  random: Random;
  private readonly stage: Stage;
  /** All objects that were ever added, present or not. */
  private readonly objects: Object3D[] = [];
  private readonly outside = new Group();

  readonly top = new OrthographicCamera(-8, 8, 8, -8, 0.1, 40);

  constructor(stage: Stage, hasShadows: boolean) {
    this.stage = stage;
    this.random = stage.random;
    const light = new DirectionalLight(0xffffff, 2).translateZ(5).translateY(3);
    light.castShadow = hasShadows;
    light.shadow.mapSize.set(64, 64);
    stage.scene.add(this.outside, light);
    this.top.position.y = 15;
    this.top.lookAt(0, 0, 0);
  }

  addObject(): void {
    const object = this.createObject(0);
    this.objects.push(object);
    this.place(object);
    this.put(object);
  }

  change(): void {
    const { random, objects, stage } = this;
    if (objects.length === 0) return;
    const object = objects[random.below(1000) % objects.length];
    const kinds: Record<string, () => void> = {
      place: () => this.place(object),
      nudge: () =>
        object.position.add(new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1))),
      turn: () => object.rotation.set(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)),
      scale: () => object.scale.set(random.pick([1, -1, 0, 2]), random.pick([1, 1, 0.5]), random.pick([1, 1, -2])),
      visible: () => (object.visible = random.below(3) > 0),
      renderOrder: () => (object.renderOrder = random.below(3)),
      // Known limit: an LOD keeps the level that an earlier pass has chosen, if its layers change.
      layers: () => object instanceof LOD || object.layers.set(random.below(4) === 0 ? 1 : 0),
      frustumCulled: () => (object.frustumCulled = random.below(2) === 0),
      put: () => this.put(object),
      remove: () => object.removeFromParent(),
      attach: () => this.attach(object),
      add: () => this.addObject(),
      swapMaterials: () => this.swapMaterials(object),
      matrix: () => {
        object.matrixAutoUpdate = random.below(2) === 0;
        object.matrix.makeTranslation(random.between(-4, 4), random.between(-4, 4), random.between(-4, 4));
      },
      matrixWorld: () => {
        object.matrixWorldAutoUpdate = random.below(2) === 0;
        if (!object.matrixWorldAutoUpdate)
          object.matrixWorld.makeTranslation(random.between(-4, 4), random.between(-4, 4), random.between(-4, 4));
      },
      updateMatrixWorld: () => object.updateMatrixWorld(true),
      updateMatrix: () => object.translateX(1).updateMatrix(),
      groupPosition: () =>
        stage.group.position.set(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)),
      groupRotation: () =>
        stage.group.rotation.set(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)),
      groupScale: () => stage.group.scale.set(random.pick([1, 1, -1]), random.pick([1, 2]), 1),
      groupRenderOrder: () => (stage.group.renderOrder = random.below(2)),
      groupVisible: () => (stage.group.visible = random.below(8) > 0),
      cameraPosition: () =>
        stage.camera.position.set(random.between(-3, 3), random.between(-3, 3), random.between(5, 12)),
      cameraRotation: () => stage.camera.rotation.set(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0),
      cameraLayers: () => (stage.camera.layers.mask = random.pick([1, 1, 1, 2, 3])),
      splice: () => this.splice(),
      geometry: () => this.changeGeometry(object),
      material: () => this.changeMaterial(object),
      updateScene: () => stage.scene.updateMatrixWorld(random.below(2) === 0),
      traverse: () => stage.group.traverse((each) => void (each.position.y += 0.05)),
      trialMove: () => this.trialMove(object),
      clear: () => object.clear(),
      clone: () => {
        const copy = object.clone();
        this.objects.push(copy);
        this.place(copy);
        this.put(copy);
      },
      instances: () => {
        if (stage.allInstances.length === 0) return;
        const instances = random.pick(stage.allInstances);
        if (!(instances instanceof OctreeInstances ? instances.instanceCount === 5 : instances.count === 5)) return;
        instances.setMatrixAt(
          random.below(5),
          new Matrix4().makeTranslation(random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)),
        );
        instances.setColorAt(random.below(5), new Color(random.below(2 ** 24)));
        commit(instances);
      },
      pose: () => {
        object.traverse((part) => {
          if ('isBone' in part) part.rotation.z = random.between(-1, 1);
          if (part instanceof Mesh && part.morphTargetInfluences !== undefined && !('isInstancedMesh' in part))
            part.morphTargetInfluences[0] = random.between(0, 2);
          if (part instanceof Sprite) part.center.set(random.next(), random.next());
        });
      },
      vertices: () => {
        if (!isPlainMesh(object)) return;
        object.geometry = object.geometry.clone();
        const { position } = object.geometry.attributes;
        for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) + 2);
        position.needsUpdate = true;
        object.geometry.computeBoundingSphere();
        object.geometry.computeBoundingBox();
      },
      boundingSphere: () => {
        if ('boundingSphere' in object && object.boundingSphere !== undefined && object.type !== 'OctreeInstances')
          object.boundingSphere = null;
      },
      levels: () => {
        if (object instanceof LOD)
          object.addLevel(
            new Mesh(random.pick(geometries), new MeshBasicMaterial({ color: random.below(2 ** 24) })),
            random.between(0, 12),
          );
      },
      castShadow: () => (object.castShadow = object.receiveShadow = !object.castShadow),
      dispose: () => {
        if ('geometry' in object) (object as Mesh).geometry.dispose();
      },
      background: () => (stage.scene.background = new Color(random.below(2 ** 24))),
      sceneMoves: () => stage.scene.position.set(random.between(-1, 1), 0, 0),
      groupLayers: () => (stage.group.layers.mask = random.pick([1, 2, 3])),
      sceneAuto: () => (stage.scene.matrixWorldAutoUpdate = random.below(2) === 0),
      cameraZoom: () => {
        stage.camera.zoom = random.pick([0.5, 1, 2]);
        stage.camera.far = random.pick([12, 100]);
        stage.camera.updateProjectionMatrix();
      },
      groupAuto: () => (stage.group.matrixAutoUpdate = random.below(2) === 0),
      sort: () => (stage.renderer.sortObjects = random.below(3) > 0),
      pivot: () => (object.pivot = random.below(2) === 0 ? new Vector3(1, 0, 0) : null),
    };
    const kind = random.pick(Object.keys(kinds));
    stage.log(`${kind} of object ${objects.indexOf(object)}`);
    kinds[kind]();
  }

  private createObject(depth: number): Object3D {
    const { random, stage } = this;
    const transparent = random.below(4) === 0;
    const color = random.below(2 ** 24);
    const material =
      random.below(2) === 0
        ? new MeshBasicMaterial({ color, transparent, opacity: transparent ? 0.5 : 1 })
        : new MeshLambertMaterial({ color });
    const geometry = random.pick(geometries);
    const kind = random.below(14);
    if (kind === 0)
      return new Mesh(box, [
        material,
        new MeshBasicMaterial({ color: 0xffffff }),
        material,
        material,
        new MeshBasicMaterial({ color: 0xff00ff, transparent }),
        material,
      ]);
    if (kind === 1 && depth > 0 && depth < 2)
      return new (stage.group.constructor as new () => Group)().add(this.placed(depth + 1), this.placed(depth + 1));
    if (kind < 4 || depth > 2) return new Mesh(geometry, material);
    if (kind === 4) return new LineSegments(geometry, new LineBasicMaterial({ color }));
    if (kind === 5) return new Points(geometry, new PointsMaterial({ color, size: 0.2 }));
    if (kind === 6) return new Sprite(new SpriteMaterial({ color, transparent }));
    if (kind === 7) return new Mesh(geometry, material).add(this.placed(depth + 1));
    if (kind === 7 && random.below(3) === 0) return new Mesh(new BufferGeometry(), material);
    if (kind === 8) return new Group().add(this.placed(depth + 1), this.placed(depth + 1));
    if (kind === 9) return new Object3D().add(this.placed(depth + 1));
    if (kind === 10) {
      const lod = new LOD();
      for (const distance of [0, 9, 14])
        lod.addLevel(
          random.below(3) === 0 ? this.createObject(depth + 1) : new Mesh(random.pick(geometries), material),
          distance,
          random.below(4) === 0 ? 0.1 : 0,
        );
      return lod;
    }
    if (kind === 11 && random.below(2) === 0) {
      // As in a glTF file: the skin and the bones side by side.
      const worm = createWorm(color);
      return new Group().add(worm, new Object3D().add(worm.skeleton.bones[0]));
    }
    if (kind === 11) return createWorm(color);
    if (kind === 12) {
      const instances = stage.instances(geometry, material, 5);
      for (let id = 0; id < 5; id++)
        instances.setMatrixAt(id, new Matrix4().makeTranslation(random.between(-3, 3), random.between(-3, 3), 0));
      if (random.below(2) === 0)
        for (let id = 0; id < 5; id++) instances.setColorAt(id, new Color(random.below(2 ** 24)));
      commit(instances);
      Object.assign(instances, { sortObjects: false });
      return instances;
    }
    if (random.below(2) === 0) {
      const mesh = new Mesh(createMorphSphere(), material);
      mesh.morphTargetInfluences = [random.next(), random.next()];
      return mesh;
    }
    const batch = new BatchedMesh(4, 300, 900, material);
    const id = batch.addGeometry(box);
    for (let k = 0; k < 4; k++)
      batch.setMatrixAt(
        batch.addInstance(id),
        new Matrix4().makeTranslation(random.between(-3, 3), random.between(-3, 3), 0),
      );
    return batch;
  }

  private placed(depth: number): Object3D {
    const object = this.createObject(depth);
    object.position.set(this.random.between(-2, 2), this.random.between(-2, 2), this.random.between(-2, 2));
    this.objects.push(object);
    return object;
  }

  private place(object: Object3D): void {
    const { random } = this;
    object.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, 4));
  }

  /** Puts an object under the group or another parent. */
  private put(object: Object3D): void {
    const { random, stage } = this;
    const choice = random.below(6);
    if (choice < 4) stage.add(object);
    else {
      const parent = choice === 4 ? this.outside : random.pick(this.objects);
      if (this.mayHold(parent, object)) parent.add(object);
    }
  }

  private attach(object: Object3D): void {
    const parent =
      this.random.below(2) === 0 ? this.random.pick([this.stage.group, this.outside]) : this.random.pick(this.objects);
    if (this.mayHold(parent, object)) parent.attach(object);
  }

  private mayHold(parent: Object3D, object: Object3D): boolean {
    for (let node: Object3D | null = parent; node !== null; node = node.parent) if (node === object) return false;
    return true;
  }

  /** Writes into the array of children, without an event. */
  private splice(): void {
    const { group } = this.stage;
    if (group.children.length < 6) return;
    const [object] = group.children.splice(4 + this.random.below(group.children.length - 4), 1);
    object.parent = null;
  }

  private swapMaterials(object: Object3D): void {
    const other = this.random.pick(this.objects);
    if (isPlainMesh(object) && isPlainMesh(other))
      [object.material, other.material] = [other.material, object.material];
  }

  private changeGeometry(object: Object3D): void {
    if (isPlainMesh(object)) object.geometry = this.random.pick(geometries);
  }

  private changeMaterial(object: Object3D): void {
    if (!('material' in object)) return;
    const material = (Array.isArray(object.material) ? object.material[0] : object.material) as MeshBasicMaterial;
    material.color.set(this.random.below(2 ** 24));
    material.visible = this.random.below(4) > 0;
  }

  private trialMove(object: Object3D): void {
    const before = object.position.clone();
    object.position.x += 5;
    object.updateMatrixWorld(true);
    object.position.copy(before);
    if (this.random.below(2) === 0) object.updateMatrixWorld(true);
  }
}

function isPlainMesh(object: Object3D): object is Mesh {
  return object.constructor === Mesh;
}
