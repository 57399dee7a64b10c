/** Towns with shadow lights: one whose maps are drawn when they change, and one whose maps are always drawn. */

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  LOD,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  PointLight,
  Scene,
  SphereGeometry,
  SpotLight,
  type Camera,
  type Material,
  type Object3D,
  type WebGLRenderer,
} from 'three';
import { expect } from 'vitest';
import {
  InstanceChanges,
  OcclusionCulling,
  OctreeGroup,
  OctreeInstances,
  ShadowUpdates,
  StaticBatches,
  type ChangeContainer,
} from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';
import { createCamera, readPicture } from './three-pictures.ts';

export const camera = createCamera([0, 45, 45], [0, 0, 0], 200);
export const boxes = [new BoxGeometry(2, 4, 2), new BoxGeometry(3, 1, 2)];
export const balls = [new SphereGeometry(1.5, 8, 6), new SphereGeometry(1, 4, 3)];

export type Lamp = DirectionalLight | SpotLight | PointLight;

export interface Town {
  readonly scene: Scene;
  readonly parent: Group;
  readonly group: OctreeGroup;
  readonly lights: Lamp[];
  readonly materials: MeshLambertMaterial[];
}

/** A town of 80 meshes, LODs and groups on a floor, and four lights over its corners. */
export function createTown(seed: number, count = 80, options = {}): Town {
  const random = createRandom(seed);
  const scene = new Scene();
  scene.background = new Color(0x334455);
  const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  const parent = new Group();
  const group = new OctreeGroup(options);
  scene.add(floor, new AmbientLight(0xffffff, 0.5), parent.add(group));
  const materials = Array.from({ length: 6 }, (_, k) => new MeshLambertMaterial({ color: 0x884400 + 40 * k }));
  for (let k = 0; k < count; k++) group.add(createThing(random, materials, k));
  const lights = [
    new DirectionalLight(0xffffff, 1),
    new SpotLight(0xffddaa, 900),
    new PointLight(0xaaddff, 500),
    new SpotLight(0xffffff, 700),
  ];
  lights.forEach((light, k) => {
    light.position.set(k % 2 === 0 ? -12 : 12, 14, k < 2 ? -12 : 12);
    light.castShadow = true;
    light.shadow.mapSize.set(256, 256);
    light.shadow.camera.far = 40;
    if (light instanceof SpotLight || light instanceof DirectionalLight) {
      light.target.position.set(light.position.x, 0, light.position.z);
      scene.add(light.target);
    }
    if (light instanceof SpotLight) light.angle = 0.6;
    if (light instanceof PointLight) light.distance = 22;
    if (light instanceof DirectionalLight)
      Object.assign(light.shadow.camera, { left: -9, right: 9, top: 9, bottom: -9 });
    light.shadow.camera.updateProjectionMatrix();
    scene.add(light);
  });
  return { scene, parent, group, lights, materials };
}

export function createThing(random: Random, materials: readonly Material[], k: number): Object3D {
  const material = random.pick(materials);
  const kind = random.below(10);
  let thing: Object3D = new Mesh(random.pick(boxes), material);
  if (kind === 0)
    thing = new LOD().addLevel(new Mesh(balls[0], material), 0).addLevel(new Mesh(balls[1], material), 60);
  if (kind === 1) thing = new Group().add(new Mesh(balls[0], material), new Mesh(boxes[1], material).translateY(2));
  thing.traverse((object) => (object.castShadow = object.receiveShadow = true));
  thing.position.set(random.between(-22, 22), random.between(0, 4), random.between(-22, 22));
  thing.rotation.y = random.between(-3, 3);
  thing.name = `thing ${k}`;
  return thing;
}

/** Draws a town. Returns the draw calls. */
export function draw(renderer: WebGLRenderer, { scene }: Town, view: Camera = camera): number {
  renderer.info.reset();
  renderer.render(scene, view);
  return renderer.info.render.calls;
}

/** The draw calls of the town without shadow maps. */
export function mainCallsOf(renderer: WebGLRenderer, town: Town): number {
  const before = town.lights.map(({ shadow }) => [shadow.autoUpdate, shadow.needsUpdate] as const);
  town.lights.forEach(({ shadow }) => (shadow.autoUpdate = shadow.needsUpdate = false));
  const calls = draw(renderer, town);
  town.lights.forEach(({ shadow }, k) => ([shadow.autoUpdate, shadow.needsUpdate] = before[k]));
  return calls;
}

export function differences(a: Uint32Array, b: Uint32Array): number {
  return a.reduce((sum, pixel, k) => sum + Number(pixel !== b[k]), 0);
}

/** A town with updates, and the same town whose maps are always drawn. */
export interface Pair<T extends Town = Town> {
  readonly towns: readonly [T, T];
  readonly shadows: ShadowUpdates;
  /** Applies a change to both, and draws both. Returns the number of pixels that differ. */
  readonly step: (change: (town: T) => void, view?: Camera) => number;
}

export function createPair(renderer: WebGLRenderer, seed = 1, count = 80, options = {}): Pair {
  const towns = [createTown(seed, count, options), createTown(seed, count, options)] as const;
  return pairOf(renderer, towns, [towns[0].group]);
}

/** Towns with trees and a block of houses that is drawn from batches, beside the group. */
export interface FullTown extends Town {
  readonly trees: OctreeInstances<BoxGeometry, MeshLambertMaterial>;
  readonly houses: OctreeGroup;
}

export function createFullTown(seed: number): FullTown {
  const town = createTown(seed, 60);
  const random = createRandom(seed + 1);
  const trees = new OctreeInstances(boxes[0], new MeshLambertMaterial({ color: 0x226633 }), 60);
  trees.addLevel(boxes[1], 60);
  trees.shadowLevel = 0;
  trees.castShadow = trees.receiveShadow = true;
  const place = new Matrix4();
  for (let k = 0; k < 60; k++)
    trees.setMatrixAt(k, place.makeTranslation(random.between(-22, 22), 1, random.between(-22, 22)));
  const houses = new OctreeGroup({ hasStaticChildren: true });
  for (let k = 0; k < 60; k++) {
    const house = new Mesh(boxes[k % 2], town.materials[k % 3]);
    house.castShadow = house.receiveShadow = true;
    house.position.set(random.between(-22, 22), 1, random.between(-22, 22));
    houses.add(house);
  }
  town.parent.add(trees, houses);
  town.scene.updateMatrixWorld();
  new StaticBatches(houses).finish();
  // What the camera does not see may still cast shadows.
  for (const each of [town.group, houses])
    each.userData.occlusion = new OcclusionCulling(each, camera, {
      auto: () => true,
      minRemoved: 0,
      minOccluderArea: 0,
    });
  return { ...town, trees, houses };
}

export function createFullPair(renderer: WebGLRenderer, seed: number): Pair<FullTown> {
  const towns = [createFullTown(seed), createFullTown(seed)] as const;
  const [{ group, trees, houses }] = towns;
  return pairOf(renderer, towns, [group, houses, new InstanceChanges(trees)]);
}

function pairOf<T extends Town>(
  renderer: WebGLRenderer,
  towns: readonly [T, T],
  containers: readonly ChangeContainer[],
): Pair<T> {
  const shadows = new ShadowUpdates(towns[0].scene, renderer, containers);
  const step = (change: (town: T) => void, view: Camera = camera): number => {
    towns.forEach(change);
    const [a, b] = towns.map((town) => readPicture(renderer, () => void draw(renderer, town, view)));
    return differences(a, b);
  };
  for (let k = 0; k < 3; k++) expect(step(() => {})).toBe(0);
  return { towns, shadows, step };
}

export const still = (): void => {};
export const leafOf = (town: Town, k: number): Mesh<BoxGeometry, MeshLambertMaterial> =>
  town.group.children.filter((child) => child instanceof Mesh)[k] as Mesh<BoxGeometry, MeshLambertMaterial>;
