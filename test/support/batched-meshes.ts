/** Groups with StaticBatches, for tests without a renderer. */

import {
  BoxGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  OrthographicCamera,
  type Camera,
  type Material,
  type Object3D,
} from 'three';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { expect } from 'vitest';
import { missingTriangles, trianglesOf } from './drawn-triangles.ts';
import { projectPass } from './pass-lists.ts';
import { createRandom } from './random.ts';
import { place } from './three-scenes.ts';

const REACH = 50;

/** More updates than a moved mesh rests before it is written into its batch again. */
export const RESTING_UPDATES = 31;

/** Sees everything. */
export const everything = new OrthographicCamera(-999, 999, 999, -999, -999, 999);

export const lambert = new MeshLambertMaterial({ name: 'lambert' });

/** Boxes of different sizes, turned, stretched and mirrored. */
export function randomBoxes(seed: number, count: number, material: Material = lambert): Mesh[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k) => {
    const mesh = new Mesh(new BoxGeometry(1, 1 + random.next(), 1), material);
    place(mesh, random, REACH);
    mesh.name = `box ${k}`;
    return mesh;
  });
}

/** Static meshes in a group with batches. They are not built yet. */
export function batch(meshes: readonly Mesh[]): { group: OctreeGroup; batches: StaticBatches } {
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (const mesh of meshes) group.add(mesh);
  return { group, batches: new StaticBatches(group) };
}

/** A plain group with copies of the children. */
export function plainCopy(group: OctreeGroup): Group {
  const copy = new Group();
  copy.position.copy(group.position);
  copy.quaternion.copy(group.quaternion);
  copy.scale.copy(group.scale);
  return copy.add(...group.children.map(cloneOf));
}

/** Same as `clone`, which makes of each mesh a geometry and a material that are not used. */
function cloneOf(object: Object3D): Object3D {
  if (Object.getPrototypeOf(object) !== Mesh.prototype) return object.clone();
  const { geometry, material } = object as Mesh;
  const clone = new Mesh(geometry, material).copy(object, false);
  for (const child of object.children) clone.add(cloneOf(child));
  return clone;
}

/** Lets the group update, each time in a task of its own. */
export async function runUpdates(group: OctreeGroup, count: number): Promise<void> {
  for (let k = 0; k < count; k++) {
    await Promise.resolve();
    group.updateMatrixWorld();
  }
  await Promise.resolve();
}

/** The objects that a pass draws. */
export function drawn(group: OctreeGroup, camera: Camera = everything): Object3D[] {
  group.updateMatrixWorld();
  return projectPass(group, camera).map(({ object }) => object);
}

/** Number of meshes that a pass draws on their own. */
export const drawnAlone = (group: OctreeGroup): number => drawn(group).filter(({ parent }) => parent !== null).length;

/** Expects the triangles of a plain group. @param log What was done: for the message. */
export function expectSame(group: OctreeGroup, camera: Camera = everything, log: readonly string[] = []): void {
  const [found, expected] = [group, plainCopy(group)].map((each) => trianglesOf(each, camera));
  expect(expected.length).toBeGreaterThan(0);
  expect(missingTriangles(found, expected), log.join('; ')).toEqual([]);
  expect(found.length).toBe(expected.length);
}
