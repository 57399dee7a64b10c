import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { octreeOf, region, sketch } from '../support/octrees.ts';
import { expectRejection } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube } from '../support/shapes.ts';

describe('nasty F: time', () => {
  it('F1 an update with a delta of one hour expires no node at once', () => {
    const { octree, bodies } = octreeOf([cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)], {
      leafCapacity: 1,
      looseness: 1,
      region: region(0, 16),
    });
    octree.update(1 / 60);
    bodies[0].remove();
    const tick = octree.update(3600);
    expect(tick.nodesExpired).toBe(0);
    expect(sketch(octree)).toHaveLength(4);
  });

  it('F2 a delta that is negative, NaN, infinite or not a number is rejected before any callback runs', () => {
    const { octree } = octreeOf(uniform(10, 1));
    let calls = 0;
    octree.insert(boxOf(cube(0, 0, 0)), 10, { update: () => void calls++ });
    for (const delta of [-1, -Number.MIN_VALUE, NaN, Infinity])
      expectRejection(octree, () => octree.update(delta), RangeError, /update.*deltaSeconds/);
    for (const delta of ['1', null, {}])
      expectRejection(octree, () => octree.update(delta as never), TypeError, /update.*deltaSeconds/);
    expect(calls).toBe(0);
    octree.update(1e9);
    octree.update(0);
    octree.update(-0);
    expect(calls).toBe(3);
  });

  it('F3 300,000 updates change nothing: no counter overflows', () => {
    const { octree } = octreeOf(uniform(20, 1), { leafCapacity: 2 });
    octree.update();
    const before = octree.statistics;
    for (let i = 0; i < 300_000; i++) octree.update(1 / 60);
    expect(octree.statistics).toEqual(before);
    expect(new Octree().update(0).nodesExpired).toBe(0);
  });
});
