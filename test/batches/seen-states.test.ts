// How watched meshes are drawn is compared in the passes that see them: updates leave it to passes that see few.

import { BoxGeometry, Group, Mesh, OrthographicCamera, type Camera, type Object3D } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { UPDATES_PER_WHOLE } from '../../src/batches/batch-pass.ts';
import { KIND } from '../../src/three/detector/change-bits.ts';
import { Detector } from '../../src/three/detector/detector.ts';
import { expectSame, lambert, RESTING_UPDATES, runUpdates } from '../support/batched-meshes.ts';
import { membersOf } from '../support/batch-places.ts';
import { projectPass } from '../support/pass-lists.ts';

const geometry = new BoxGeometry();
/** Sees the first twenty meshes of a row. */
const few = new OrthographicCamera(-1, 58, 9, -9, -9, 9);
const all = new OrthographicCamera(-1, 20_000, 9, -9, -9, 9);
few.layers.enable(2);
all.layers.enable(2);

interface Row {
  readonly group: OctreeGroup;
  readonly meshes: readonly Mesh[];
  readonly batches: StaticBatches;
  /** Number of objects that the last update has compared. */
  readonly compared: () => number;
}

/** Watched meshes in a row, in a tree, that are drawn from batches. */
async function watchedRow(count: number): Promise<Row> {
  const meshes = Array.from({ length: count }, (_, k) => new Mesh(geometry, lambert).translateX(3 * k));
  const group = new OctreeGroup().addTree(new Group().add(...meshes));
  const batches = new StaticBatches(group);
  await runUpdates(group, RESTING_UPDATES);
  batches.finish();
  expect(batches.report().batched).toBe(count);
  const { detector } = membersOf(batches);
  const { wordOf } = detector;
  let compared = 0;
  Object.assign(detector, { wordOf: (object: Object3D) => (compared++, wordOf(object)) });
  return {
    group,
    meshes,
    batches,
    compared: () => {
      const found = compared;
      compared = 0;
      return found;
    },
  };
}

/** Numbers of objects that the updates of some frames have compared. */
async function comparedIn(row: Row, frames: number, cameras: readonly Camera[]): Promise<number[]> {
  const counts: number[] = [];
  row.compared();
  for (let frame = 0; frame < frames; frame++) {
    await runUpdates(row.group, 1);
    counts.push(row.compared());
    for (const camera of cameras) projectPass(row.group, camera);
  }
  return counts;
}

it('updates compare them in one of eight, if passes see few', async () => {
  const row = await watchedRow(400);
  const counts = await comparedIn(row, 2 * UPDATES_PER_WHOLE + 1, [few, few]);
  // The first one follows no pass.
  expect(counts[0]).toBe(401);
  expect(counts.slice(1).filter((count) => count === 401).length).toBe(2);
  expect(counts.slice(1).filter((count) => count === 0).length).toBe(2 * UPDATES_PER_WHOLE - 2);
});

it('updates compare them if no pass has drawn since the last one, or one has seen many', async () => {
  const row = await watchedRow(400);
  await comparedIn(row, 4, [few]);
  expect((await comparedIn(row, 4, [])).slice(1)).toEqual([401, 401, 401]);
  const small = await watchedRow(100);
  expect(await comparedIn(small, 10, [few])).toEqual(Array(10).fill(101));
  const many = await watchedRow(4200);
  expect(await comparedIn(many, 10, [few, all, few])).toEqual(Array(10).fill(4201));
});

it('updates compare them if anything else follows the changes', async () => {
  const row = await watchedRow(400);
  Detector.subscribe(row.group.groupChildren.bodies, { wants: KIND });
  expect(await comparedIn(row, 10, [few])).toEqual(Array(10).fill(401));
});

/** Each leaves it drawn. */
const CHANGES: readonly ((mesh: Mesh) => void)[] = [
  (mesh) => (mesh.castShadow = true),
  (mesh) => (mesh.receiveShadow = true),
  (mesh) => mesh.layers.set(2),
  (mesh) => (mesh.renderOrder = 1),
  (mesh) => (mesh.onBeforeRender = () => undefined),
  (mesh) => (mesh.onAfterShadow = () => undefined),
  (mesh) => (mesh.customDepthMaterial = lambert),
  (mesh) => (mesh.static = true),
];

it('a mesh that has changed is left to the renderer in the next pass, also if that sees many at once', async () => {
  const row = await watchedRow(4200);
  const { group, meshes } = row;
  const alone = (camera: Camera): Object3D[] =>
    projectPass(group, camera)
      .map(({ object }) => object)
      .filter(({ parent }) => parent !== null);
  await comparedIn(row, UPDATES_PER_WHOLE + 2, [few]);
  for (const [k, change] of CHANGES.entries()) {
    await comparedIn(row, 1, [few]);
    change(meshes[k]);
    await runUpdates(group, 1);
    expect(new Set(alone(few)).has(meshes[k]), `change ${k}, seen`).toBe(true);
    // So that the next update leaves it to passes again.
    await comparedIn(row, 2, [few]);
    change(meshes[4199 - k]);
    await runUpdates(group, 1);
    expect(new Set(alone(all)).has(meshes[4199 - k]), `change ${k}, far`).toBe(true);
    await comparedIn(row, 2, [few]);
  }
  meshes[20].visible = meshes[4000].visible = false;
  await runUpdates(group, 1);
  expectSame(group, few);
});

it('a mesh that no pass sees is told of after eight updates, and one below a hidden group', async () => {
  const row = await watchedRow(400);
  const { group, meshes, batches } = row;
  await comparedIn(row, 3, [few]);
  const { detector } = membersOf(batches);
  const wordOf = (mesh: Mesh): number => detector.wordAt(group.groupChildren.memberOf(mesh)!.body!.index);
  const before = wordOf(meshes[150]);
  meshes[150].castShadow = true;
  await comparedIn(row, UPDATES_PER_WHOLE, [few]);
  expect(wordOf(meshes[150])).not.toBe(before);
  await comparedIn(row, 3, [few]);
  meshes[0].parent!.visible = false;
  expect(projectPass(group, few)).toEqual([]);
  await comparedIn(row, UPDATES_PER_WHOLE, [few]);
  meshes[0].parent!.visible = true;
  expectSame(group, few);
});
