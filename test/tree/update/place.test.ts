import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/index.ts';
import { clustered, coincident, flat, gridAligned, huge, translated, uniform } from '../../support/scenes.ts';
import { neighbour } from '../../support/nasty-numbers.ts';
import { expectPlacement } from '../../support/placement-rules.ts';
import { octreeOf, ownerOf, region, sketch } from '../../support/octrees.ts';
import type { Shape } from '../../support/shapes.ts';
import { boxOf, cube, shapeOf } from '../../support/shapes.ts';
import type { TrackedBody } from '../../support/twin.ts';
import { validate } from '../../../src/debug/index.ts';

function residentsOf(bodies: readonly Body<number>[], shapes: readonly Shape[]): TrackedBody[] {
  return bodies.map((body, i) => ({
    body,
    index: body.index,
    serial: i,
    options: {},
    shape: shapes[i],
    halfSize: [],
    isAlive: true,
    hasMoved: false,
  }));
}

describe('owner node', () => {
  const scenes = [
    uniform(500, 1),
    clustered(500, 2),
    coincident(100),
    flat(300, 3),
    gridAligned(6),
    huge(300, 4),
    translated(uniform(300, 5), 1e7 + 0.3),
  ];

  it.each([1, 1.25, 1.5, 2, 8])(
    'follows the acceptance rule for every body of every scene, looseness %d',
    (looseness) => {
      for (const shapes of scenes) {
        const { octree, bodies } = octreeOf(shapes, { looseness, leafCapacity: 4 });
        expectPlacement(octree, residentsOf(bodies, shapes), { looseness, leafCapacity: 4, minCellSize: 1 });
        expect(validate(octree)).toEqual([]);
      }
    },
  );

  it.each([1, 1.25, 1.5, 2, 8])(
    'follows it after a later batch, and for the rest after the removal of a batch, looseness %d',
    (looseness) => {
      for (const shapes of scenes) {
        const { octree, bodies } = octreeOf(shapes.slice(0, 1), { looseness, leafCapacity: 4 });
        octree.update();
        for (const [i, shape] of shapes.entries()) if (i > 0) bodies.push(octree.insert(shapeOf(shape), i));
        expectPlacement(octree, residentsOf(bodies, shapes), { looseness, leafCapacity: 4, minCellSize: 1 });
        expect(validate(octree)).toEqual([]);
        const staying = residentsOf(bodies, shapes).filter(({ serial }) => serial % 3 === 0);
        for (const body of bodies) if (body.data % 3 !== 0) body.remove();
        expectPlacement(octree, staying, { looseness, leafCapacity: 4, minCellSize: 1 });
        expect(validate(octree)).toEqual([]);
      }
    },
  );

  it.each([16, 2 ** 31, 2 ** 32, 2 ** 48])(
    'is a cell around its centre for a body that is inserted later, on the upper faces of the region too: edge %d',
    (edge) => {
      const point = (part: number): Shape => cube(part * edge, part * edge, part * edge, 0);
      const aside = cube(0.1 * edge, 0.9 * edge, 0.9 * edge, 0);
      const { octree, bodies } = octreeOf([...[0, 0.1, 0.5, 0.9, 0.95].map(point), aside], {
        leafCapacity: 1,
        looseness: 8,
        region: region(0, edge),
      });
      octree.update();
      for (const part of [1, 0.97, 0.6, 0.3, 0.03]) bodies.push(octree.insert(boxOf(point(part)), bodies.length));
      for (const body of bodies) {
        const { x } = body.getBox().min;
        const { min, edge: cellEdge } = ownerOf(octree, body);
        expect(min[0]).toBeLessThanOrEqual(x);
        expect(min[0] + cellEdge).toBeGreaterThanOrEqual(x);
      }
      expect(validate(octree)).toEqual([]);
    },
  );

  it('with looseness 1 is the root for a body across the middle planes, whatever its size', () => {
    const shapes = [cube(8, 8, 8, 0.001), cube(2, 2, 2, 0.5), cube(13, 13, 13, 0.5)];
    const { octree, bodies } = octreeOf(shapes, { looseness: 1, leafCapacity: 1, region: region(0, 16) });
    expect(ownerOf(octree, bodies[0]).depth).toBe(0);
    expect(ownerOf(octree, bodies[1]).depth).toBeGreaterThan(0);
  });

  it('with looseness 2 is a cell about the size of the body, wherever the body is', () => {
    const shapes = [cube(8, 8, 8, 1), cube(2, 2, 2, 0.5), cube(13, 13, 13, 0.5), cube(8, 8, 8, 1)];
    const { octree, bodies } = octreeOf(shapes, { looseness: 2, leafCapacity: 1, region: region(0, 16) });
    expect(ownerOf(octree, bodies[0]).edge).toBe(2);
  });

  it('with looseness 2 accepts a body up to the edge of the doubled cell, and not one ulp beyond', () => {
    // The octant [0, 8) of this root accepts up to 12.
    for (const [high, edge] of [
      [12, 8],
      [neighbour(12, 1), 16],
    ]) {
      const shapes = [[0, 3, 3, high, 5, 5], cube(14, 14, 14, 0.1), cube(14, 2, 2, 0.1)];
      const { octree, bodies } = octreeOf(shapes, { looseness: 2, leafCapacity: 1, region: region(0, 16) });
      expect(ownerOf(octree, bodies[0]).edge).toBe(edge);
    }
  });

  it('is the upper octant for a centre exactly on a splitting plane, at -0 as well as at 0', () => {
    for (const zero of [0, -0]) {
      const shapes = [[zero, zero, zero, zero, zero, zero], cube(-5, -5, -5, 0.1), cube(5, -5, 5, 0.1)];
      const { octree, bodies } = octreeOf(shapes, { looseness: 1, leafCapacity: 1, region: region(-8, 16) });
      expect(ownerOf(octree, bodies[0]).min).toEqual([0, 0, 0]);
    }
  });
});

describe('splitting', () => {
  it('keeps leafCapacity bodies in one leaf and splits it at one more', () => {
    const shapes = [0, 1, 2, 3, 4].map((i) => cube(1 + 3 * i, 1 + 3 * i, 1 + 3 * i, 0.25));
    const full = octreeOf(shapes.slice(0, 4), { leafCapacity: 4, region: region(0, 16) }).octree;
    expect(sketch(full)).toHaveLength(1);
    const over = octreeOf(shapes, { leafCapacity: 4, region: region(0, 16) }).octree;
    expect(sketch(over).length).toBeGreaterThan(1);
  });

  it('gives a valid tree one body at a time as well as in one batch', () => {
    const shapes = uniform(200, 9);
    const batch = octreeOf(shapes, { region: region(-128, 256), leafCapacity: 3 }).octree;
    const single = octreeOf([], { region: region(-128, 256), leafCapacity: 3 }).octree;
    for (const [i, shape] of shapes.entries()) {
      single.insert(boxOf(shape.length === 6 ? shape : cube(shape[0], shape[1], shape[2], shape[3])), i);
      single.update();
    }
    expect(validate(single)).toEqual([]);
    expect(validate(batch)).toEqual([]);
    expect(single.statistics.bodies).toBe(batch.statistics.bodies);
  });

  it('stops at the smallest cell: any number of bodies at one point stay in one leaf', () => {
    const { octree } = octreeOf(coincident(1000), { leafCapacity: 1, region: region(0, 16) });
    const holders = sketch(octree).filter(({ bodies }) => bodies.length > 0);
    expect(holders).toHaveLength(1);
    expect(holders[0].edge).toBe(1);
  });

  it('stops at minCellSize', () => {
    const { octree } = octreeOf(uniform(200, 4, 60, 0.5), { leafCapacity: 1, minCellSize: 8 });
    expect(Math.min(...sketch(octree).map(({ edge }) => edge))).toBe(8);
  });
});

describe('moving', () => {
  const shapes = [cube(1, 1, 1, 0.25), cube(14, 14, 14, 0.25), cube(14, 1, 1, 0.25), cube(1, 14, 14, 0.25)];

  it('climbs to a cell that accepts the enlarged body, and sinks again when it shrinks', () => {
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 1, looseness: 1, region: region(0, 16) });
    const before = ownerOf(octree, bodies[0]).depth;
    bodies[0].setBox(boxOf([1, 1, 1, 15, 15, 15]));
    expect(ownerOf(octree, bodies[0]).depth).toBe(0);
    bodies[0].setBox(boxOf(shapes[0]));
    expect(ownerOf(octree, bodies[0]).depth).toBe(before);
    expect(validate(octree)).toEqual([]);
  });

  it('sinks into another subtree when it moves there', () => {
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 1, looseness: 1, region: region(0, 16) });
    octree.update();
    bodies[0].setBox(boxOf(cube(13, 13, 3, 0.25)));
    const { min, edge } = ownerOf(octree, bodies[0]);
    expect([13, 13, 3].every((value, axis) => min[axis] <= value && value <= min[axis] + edge)).toBe(true);
    expect(octree.update().bodiesRelocated).toBe(1);
    expect(validate(octree)).toEqual([]);
  });

  it('within the cell changes the bounds that queries test, though the node stays', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    octree.update();
    for (let i = 0; i < 50; i++) {
      const x = i * 0.001;
      bodies[0].setBox(boxOf(cube(x, 0, 0, 0.001)));
      const hits = octree.intersectBox(boxOf([x + 0.001, 0, 0, x + 0.001, 0, 0])).map(({ body }) => body.data);
      expect(hits).toContain(0);
      const missed = octree.intersectBox(boxOf([x + 0.0011, 0, 0, x + 0.0011, 0, 0])).map(({ body }) => body.data);
      expect(missed).not.toContain(0);
    }
  });
});
