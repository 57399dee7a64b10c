import { describe, expect, it } from 'vitest';
import { collected, octreeOf } from '../../support/octrees.ts';
import { uniform } from '../../support/scenes.ts';
import { cube } from '../../support/shapes.ts';
import { collectNearest, nearest } from '../../../src/index.ts';

const origin = { x: 0, y: 0, z: 0 };
const row = [cube(3, 0, 0), [0, 5, 0, 1], cube(10, 0, 0), cube(-3, 0, 0)];

describe('nearest', () => {
  it('orders by distance, then by index', () => {
    const { octree } = octreeOf(row);
    const records = nearest(octree, origin, 4);
    expect(records.map(({ body, distance }) => [body.data, distance])).toEqual([
      [0, 2.5],
      [3, 2.5],
      [1, 4],
      [2, 9.5],
    ]);
  });

  it('reports at most count bodies, and all if there are fewer', () => {
    const { octree } = octreeOf(row);
    expect(nearest(octree, origin, 1).map(({ body }) => body.data)).toEqual([0]);
    expect(nearest(octree, origin, 3).map(({ body }) => body.data)).toEqual([0, 3, 1]);
    expect(nearest(octree, origin, 100)).toHaveLength(4);
  });

  it('counts bodies at exactly maxDistance', () => {
    const { octree } = octreeOf(row);
    expect(nearest(octree, origin, 9, { maxDistance: 4 })).toHaveLength(3);
    expect(nearest(octree, origin, 9, { maxDistance: 3.999 })).toHaveLength(2);
    expect(nearest(octree, origin, 9, { maxDistance: 0 })).toHaveLength(0);
    expect(nearest(octree, { x: 3.5, y: 0, z: 0 }, 9, { maxDistance: 0 })).toHaveLength(1);
  });

  it('reports the nearest point of the body and the normal from the body to the given point', () => {
    const { octree } = octreeOf(row);
    const [box, , sphere] = nearest(octree, origin, 3);
    expect([box.position.toArray(), box.normal.toArray().map((value) => value + 0)]).toEqual([
      [2.5, 0, 0],
      [-1, 0, 0],
    ]);
    expect([sphere.position.toArray(), sphere.normal.toArray().map((value) => value + 0)]).toEqual([
      [0, 4, 0],
      [0, -1, 0],
    ]);
  });

  it('reports inside for a body that contains the point: distance 0, position the point, normal zero', () => {
    const { octree } = octreeOf([cube(0, 0, 0), [0.25, 0, 0, 1]]);
    for (const { inside, distance, position, normal } of nearest(octree, { x: 0.5, y: 0, z: 0 }, 2)) {
      expect({ inside, distance, position: position.toArray(), normal: normal.toArray() }).toEqual({
        inside: true,
        distance: 0,
        position: [0.5, 0, 0],
        normal: [0, 0, 0],
      });
    }
  });

  it('counts only bodies that pass filter and mask', () => {
    const { octree } = octreeOf(uniform(500, 3));
    const all = nearest(octree, origin, 500).map(({ body }) => body.data);
    expect(nearest(octree, origin, 7, { filter: ({ data }) => data % 5 === 0 }).map(({ body }) => body.data)).toEqual(
      all.filter((data) => data % 5 === 0).slice(0, 7),
    );
  });
});

describe('collectNearest', () => {
  it('writes the indices in the order of the records', () => {
    const { octree } = octreeOf(uniform(500, 3));
    const expected = nearest(octree, origin, 20).map(({ body }) => body.index);
    expect(collected((list) => collectNearest(octree, origin, 20, list))).toEqual(expected);
  });
});
