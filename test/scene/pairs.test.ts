import { describe, expect, it } from 'vitest';
import { Octree, IndexList } from '../../src/index.ts';
import { collected, octreeOf } from '../support/octrees.ts';
import { gridAligned } from '../support/scenes.ts';
import type { Shape } from '../support/shapes.ts';
import { boxOf, cube, shapeOf } from '../support/shapes.ts';

function names(octree: Octree<number>, options = {}): string[] {
  return octree.intersectPairs(options).map(({ body, other }) => `${body.index}+${other!.index}`).sort();
}

describe('octree.intersectPairs', () => {
  it('reports each overlapping pair once, the smaller index first', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1), cube(1, 0, 0, 1), cube(5, 0, 0, 1), cube(0.5, 0, 0, 10)]);
    expect(names(octree)).toEqual(['0+1', '0+3', '1+3', '2+3']);
  });

  it('counts touching at faces, edges and corners: a 4 x 4 x 4 grid of cubes has 468 touching pairs', () => {
    const { octree } = octreeOf(gridAligned(4), { leafCapacity: 1, looseness: 1 });
    // Neighbours within one step on every axis: (10^3 - 4^3) / 2, where 10 = 4 + 2 * 3 ordered pairs along one axis.
    expect(octree.intersectPairs()).toHaveLength((10 ** 3 - 4 ** 3) / 2);
  });

  it('tests spheres as spheres', () => {
    expect(names(octreeOf([[0, 0, 0, 1], [1.9, 1.9, 0, 1]]).octree)).toEqual([]);
    expect(names(octreeOf([[0, 0, 0, 2], [3, 4, 0, 3]]).octree)).toEqual(['0+1']);
    expect(names(octreeOf([[0, 0, 0, 5], [3, 4, 0, 9, 9, 9]]).octree)).toEqual(['0+1']);
    expect(names(octreeOf([[0, 0, 0, 5], [4, 4, 0, 9, 9, 9]]).octree)).toEqual([]);
  });

  it('leaves out pairs of static bodies, reports pairs of a static and a moving one', () => {
    const octree = new Octree<number>();
    for (const [i, isStatic] of [true, true, false].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { isStatic });
    expect(names(octree)).toEqual(['0+2', '1+2']);
  });

  it('reports a pair only if both bodies pass mask and filter', () => {
    const octree = new Octree<number>();
    for (const [i, mask] of [1, 3, 2, 1].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { mask });
    expect(names(octree, { mask: 1 })).toEqual(['0+1', '0+3', '1+3']);
    expect(names(octree, { filter: ({ index }: { index: number }) => index !== 1 })).toEqual(['0+2', '0+3', '2+3']);
  });

  it.each<[string, Shape, Shape, number[], number[], number]>([
    ['two boxes', [0, 0, 0, 2, 2, 2], [1.5, 0, 0, 4, 2, 2], [2, 1, 1], [1, 0, 0], -0.5],
    ['box and sphere', [0, 0, 0, 2, 2, 2], [4, 1, 1, 3], [2, 1, 1], [1, 0, 0], -1],
    ['sphere and box', [4, 1, 1, 3], [0, 0, 0, 2, 2, 2], [1, 1, 1], [-1, 0, 0], -1],
    ['two spheres', [0, 0, 0, 2], [3, 0, 0, 2], [2, 0, 0], [1, 0, 0], -1],
    ['concentric spheres', [0, 0, 0, 2], [0, 0, 0, 1], [2, 0, 0], [1, 0, 0], -3],
  ])('describes the contact of %s from the first body to the second', (_name, first, second, position, normal, distance) => {
    const [record] = octreeOf([first, second]).octree.intersectPairs();
    expect(record.position.toArray()).toEqual(position);
    expect(record.normal.toArray().map((value) => value + 0)).toEqual(normal);
    expect(record).toMatchObject({ distance, inside: false, ray: null });
  });

  it('follows moves and removals', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0), cube(20, 0, 0)]);
    expect(names(octree)).toEqual([]);
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    expect(names(octree)).toEqual(['0+1']);
    bodies[0].remove();
    expect(names(octree)).toEqual([]);
  });
});

describe('octree.collectPairs', () => {
  it('writes two indices per pair and returns the number of pairs', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(2, 0, 0)]);
    const list = new IndexList();
    expect(octree.collectPairs(list)).toBe(2);
    expect(list.length).toBe(4);
    const records = octree.intersectPairs().flatMap(({ body, other }) => [body.index, other!.index]);
    expect(collected((target) => octree.collectPairs(target))).toEqual(records);
  });

  it('finds pairs of bodies in different subtrees, across cell faces and between ancestor and descendant', () => {
    const shapes = [cube(7.5, 7.5, 7.5, 0.5), cube(8.5, 8.5, 8.5, 0.5), cube(8, 8, 8, 8), cube(0.5, 0.5, 0.5, 0.25), cube(15, 15, 15, 1)];
    for (const looseness of [1, 2]) {
      const octree = new Octree<number>({ looseness, leafCapacity: 1, region: { min: { x: 0, y: 0, z: 0 }, edge: 16 } });
      for (const [i, shape] of shapes.entries()) octree.insert(shapeOf(shape), i);
      expect(names(octree)).toEqual(['0+1', '0+2', '1+2', '2+3', '2+4']);
    }
  });
});
