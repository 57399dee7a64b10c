/** Meshes of a few materials in a plain group and in a group with StaticBatches. Needs a browser to be drawn. */

import {
  AmbientLight,
  BoxGeometry,
  ConeGeometry,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  type BufferGeometry,
  type Material,
  type Object3D,
} from 'three';
import { poseSoon, setBatchLimits } from './batch-limits.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';
import { addShadowLights, type ShadowLight } from './shadow-lights.ts';
import { createTwins, place, type Twin, type Twins } from './three-scenes.ts';

const REACH = 40;

/** How meshes are drawn: each has a geometry of its own, or many share one. */
export const TOWN_KINDS = ['merged', 'instanced'] as const;
export type TownKind = (typeof TOWN_KINDS)[number];
/** Smallest number of meshes that are drawn instanced, in tests. */
const MIN_INSTANCES = 8;

export interface BatchedTown {
  readonly twins: Twins;
  readonly batches: StaticBatches;
  /** Applies a change to the meshes of both groups, and reports them. */
  change(change: (meshes: readonly Mesh[]) => void, isReported?: boolean): void;
}

export const townMaterials: readonly Material[] = [
  new MeshLambertMaterial({ color: 0xcc8844 }),
  new MeshStandardMaterial({ color: 0x4488cc, flatShading: true }),
  new MeshLambertMaterial({ color: 0x66aa66 }),
];

const sharedGeometries = [
  new BoxGeometry(2, 1, 3),
  new SphereGeometry(1, 8, 6),
  new ConeGeometry(1, 2, 5),
  new BoxGeometry(1, 3, 2).toNonIndexed(),
];

/** Number of chunks of a town that is built. */
export const chunksOf = (kind: TownKind): number =>
  // Two of the materials differ in colour only.
  (townMaterials.length - 1) * (kind === 'merged' ? 1 : sharedGeometries.length);

export function townGeometry(random: Random, townKind: TownKind = 'merged'): BufferGeometry {
  if (townKind === 'instanced') return random.pick(sharedGeometries);
  const kind = random.below(4);
  if (kind === 0) return new BoxGeometry(random.between(1, 3), random.between(1, 3), 2);
  if (kind === 1) return new SphereGeometry(random.between(0.5, 2), 8, 6);
  if (kind === 2) return new ConeGeometry(1, random.between(1, 3), 5);
  return new BoxGeometry(2, 1, 3).toNonIndexed();
}

export function townMesh(random: Random, kind: TownKind): Mesh {
  const mesh = new Mesh(townGeometry(random, kind), random.pick(townMaterials));
  place(mesh, random, REACH);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

export const meshesOf = ({ group }: Twin): Mesh[] => group.children.filter((child) => child instanceof Mesh);

/** @param lights They cast shadows. Without any, one light does not. */
export function batchedTown(
  seed: number,
  count: number,
  lights: readonly (() => ShadowLight)[] = [],
  kind: TownKind = 'merged',
  posesMovers = false,
): BatchedTown {
  const twins = createTwins(seed, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    for (let k = 0; k < count; k++) group.add(townMesh(random, kind));
  });
  twins.each(({ scene }) => {
    scene.add(new AmbientLight(0xffffff, 1));
    if (lights.length > 0)
      addShadowLights(
        scene,
        lights.map((create) => create()),
      );
    else scene.add(new DirectionalLight(0xffffff, 2));
  });
  const { group } = twins.octree;
  const batches = new StaticBatches(group as OctreeGroup, { posesMovers });
  instanceFrom(batches, MIN_INSTANCES);
  if (posesMovers) poseSoon(batches);
  return {
    twins,
    batches,
    change: (change, isReported = true) => {
      twins.each((twin) => change(meshesOf(twin)));
      if (isReported) for (const mesh of meshesOf(twins.octree)) (group as OctreeGroup).reportMove(mesh);
    },
  };
}

/** Has batches draw fewer meshes instanced than it pays. */
export function instanceFrom(batches: StaticBatches, minInstances: number): void {
  setBatchLimits(batches, { minInstances });
}

/** Makes every second mesh of a group watched. */
export function watchHalf(group: OctreeGroup): void {
  const meshes: Object3D[] = [];
  group.traverse((object) => void ('isMesh' in object && meshes.push(object)));
  for (let k = 0; k < meshes.length; k += 2) group.setStatic(meshes[k], false);
}

/** Kinds of changes that `changeTown` makes. */
export const CHANGE_KINDS = 16;

/**
 * Changes a random mesh, the same in both twins. A group with batches gets a report only where one is required.
 *
 * @param kind Of the change, below `CHANGE_KINDS`.
 * @param pick Chooses the mesh.
 */
export function changeTown({ group }: Twin, kind: number, pick: number, seed: number, townKind: TownKind): void {
  const random = createRandom(seed);
  const meshes: Mesh[] = [];
  group.traverse((object) => void ('isMesh' in object && meshes.push(object as Mesh)));
  const mesh = meshes[pick % meshes.length];
  const report = (): void => {
    if (group instanceof OctreeGroup && group.isStatic(mesh)) group.reportMove(mesh);
  };
  if (kind < 3) {
    place(mesh, random, REACH);
    report();
  } else if (kind === 3) mesh.visible = false;
  else if (kind === 4) for (const each of meshes) each.visible = true;
  else if (kind === 5) mesh.material = random.pick(townMaterials);
  else if (kind === 6) {
    mesh.geometry = townGeometry(random, townKind);
    report();
  } else if (kind === 7) mesh.layers.set(random.below(2));
  else if (kind === 8) mesh.castShadow = !mesh.castShadow;
  else if (kind === 9) mesh.removeFromParent();
  else if (kind === 10 || kind === 11) for (let k = 0; k < 5; k++) mesh.parent!.add(townMesh(random, townKind));
  else if (kind === 12) {
    group.position.set(random.between(-1, 1), random.between(-1, 1), 0);
    group.rotation.y = random.between(-1, 1);
  } else if (kind === 13) meshes[0].parent!.attach(mesh);
  else if (kind === 14) mesh.receiveShadow = !mesh.receiveShadow;
  else if (mesh.parent !== group) mesh.parent!.visible = !mesh.parent!.visible;
}
