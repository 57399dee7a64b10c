// Broken geometries, groups and options: all is drawn as in a plain group, and counted.

import { BoxGeometry, BufferAttribute, BufferGeometry, Float32BufferAttribute, Group } from 'three';
import { describe, expect, it, vi, afterEach } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import {
  batch,
  drawnAlone,
  everything,
  expectSame,
  randomBoxes,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { frustumOf, projectPass } from '../support/pass-lists.ts';

afterEach(() => void vi.restoreAllMocks());

/** All meshes that a report counts. */
function accountedFor(batches: StaticBatches): number {
  const { batched, waiting, out, unmerged } = batches.report();
  return batched + waiting + out + [...unmerged.values()].reduce((a, b) => a + b, 0);
}

const triangle = (numbers: readonly number[]): BufferGeometry =>
  new BufferGeometry().setAttribute('position', new Float32BufferAttribute(numbers, 3));

describe('bad input', () => {
  it.each<[string, () => BufferGeometry]>([
    ['no positions', () => new BufferGeometry()],
    ['no vertices', () => triangle([])],
    ['NaN', () => triangle([0, 0, 0, NaN, 0, 0, 0, 1, 0])],
    ['two vertices', () => triangle([0, 0, 0, 1, 0, 0])],
    ['indices beyond its vertices', () => new BoxGeometry().setIndex([0, 1, 99])],
    ['an index of no numbers', () => new BoxGeometry().setIndex([])],
    ['a draw range', () => new BoxGeometry().setDrawRange(3, 6) as never],
    ['other positions later', () => new BoxGeometry()],
  ])('a geometry with %s is drawn as in a plain group, and does not disturb the others', async (kind, create) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const meshes = randomBoxes(51, 40);
    for (let k = 0; k < 40; k += 2) {
      const geometry = create() ?? new BoxGeometry();
      if (kind === 'a draw range') geometry.setDrawRange(3, 6);
      meshes[k].geometry = geometry;
    }
    const { group, batches } = batch(meshes);
    expectSame(batches.finish() && group);
    expect(batches.report().batched).toBeGreaterThanOrEqual(20);
    expect(accountedFor(batches)).toBe(40);
    if (kind !== 'other positions later') return;
    for (let k = 0; k < 40; k += 2) {
      const { geometry } = meshes[k];
      if (k % 4 === 0) geometry.setAttribute('position', new BoxGeometry(3, 1, 1).attributes.position);
      else (geometry.attributes.position as BufferAttribute).setX(0, 5).needsUpdate = true;
      if (k % 8 === 0) geometry.setIndex(new BufferAttribute(Uint16Array.of(0, 1, 2, 0, 3, 1), 1));
      if (k % 8 === 2) geometry.dispose();
      group.reportMove(meshes[k]);
    }
    await Promise.resolve();
    expectSame(group);
    await runUpdates(group, RESTING_UPDATES);
    expectSame(batches.finish() && group);
  });

  it('a mesh whose arrays were emptied is given back to the renderer once it is reported', async () => {
    const meshes = randomBoxes(52, 40);
    const { group, batches } = batch(meshes);
    batches.finish();
    for (const { geometry } of meshes.slice(0, 10)) {
      const normal = geometry.attributes.normal as BufferAttribute;
      normal.array = new Float32Array(0);
      normal.needsUpdate = true;
    }
    for (const mesh of meshes.slice(0, 10)) group.reportMove(mesh);
    await runUpdates(group, RESTING_UPDATES);
    expect(batches.finish().report()).toMatchObject({ batched: 30, out: 0 });
    expect(drawnAlone(group)).toBe(10);
  });

  it('reports a mesh with an index beyond its vertices, at a build and when it comes back, until it is changed', async () => {
    const meshes = randomBoxes(56, 40);
    const broken = [0, 1, 99];
    for (const { geometry } of meshes.slice(0, 3)) geometry.setIndex(broken);
    const { group, batches } = batch(meshes);
    const reasons = (): unknown[] => [batches.report().batched, ...batches.report().unmerged];
    batches.finish();
    expect(reasons()).toEqual([37, ['an index beyond its vertices', 3]]);
    const { index } = meshes[3].geometry;
    index!.setX(0, 99).needsUpdate = true;
    group.reportMove(meshes[3]);
    await runUpdates(group, RESTING_UPDATES);
    expect(reasons()).toEqual([36, ['an index beyond its vertices', 4]]);
    index!.setX(0, 0).needsUpdate = true;
    group.reportMove(meshes[3]);
    group.add(...randomBoxes(57, 20));
    batches.finish();
    expect(reasons()).toEqual([57, ['an index beyond its vertices', 3]]);
    expect(accountedFor(batches)).toBe(60);
    expectSame(group);
  });

  it('refuses what is no OctreeGroup, wrong options, and a group that has batches already', () => {
    expect(() => new StaticBatches(new Group() as never)).toThrow(
      'StaticBatches: group must be an OctreeGroup, but is ',
    );
    const { group, batches } = batch([]);
    for (const options of [null, 5, [], { mergeColors: true }, { mergesMaterials: 1 }, { posesMovers: 1 }])
      expect(() => new StaticBatches(new OctreeGroup(), options as never)).toThrow(TypeError);
    expect(() => new StaticBatches(group)).toThrow(
      'StaticBatches: group has a StaticBatches already; dispose it first.',
    );
    batches.dispose();
    expect(() => new StaticBatches(group)).not.toThrow();
  });

  it('a group without an inverse draws nothing, and everything once it has one again', async () => {
    const { group, batches } = batch(randomBoxes(53, 40));
    group.scale.set(0, 1, 1);
    batches.finish();
    await runUpdates(group, 2);
    group.scale.set(1, 1, 1);
    expectSame(batches.finish() && group);
    group.scale.set(1, 0, 1);
    await runUpdates(group, 2);
    group.children[3].removeFromParent();
    group.children[5].position.x = 3;
    group.reportMove(group.children[5]);
    await runUpdates(group, 2);
    group.scale.set(1, 1, 1);
    await runUpdates(group, 2);
    expectSame(group);
  });

  it('callbacks of a report or of a pass may hide, remove and add meshes', async () => {
    const { group, batches } = batch(randomBoxes(54, 60));
    batches.finish();
    projectPass(group, everything, frustumOf(everything));
    group.children[0].visible = false;
    group.children[1].removeFromParent();
    group.add(...randomBoxes(55, 3));
    expectSame(group);
    await runUpdates(group, 2);
    expectSame(group);
  });
});
