import { describe, expect, it } from 'vitest';
import { IndexList, IntersectionRecord, intersectPairs, nearest, Octree } from '../../src/index.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices, queryRecords } from '../support/queries.ts';
import { octreeOf, sketch } from '../support/octrees.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, point, rayOf, sphereOf } from '../support/shapes.ts';

const scene = [...uniform(399, 1, 128, 30), cube(0, 0, 0)];
const wide = boxOf(cube(0, 0, 0, 30));
const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 30) },
  { kind: 'sphere', sphere: [0, 0, 0, 40] },
  { kind: 'point', point: [0, 0, 0] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0, 0] },
  { kind: 'nearest', point: [5, 5, 5], count: 12 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 30)) },
  { kind: 'pairs' },
];

describe('a target array', () => {
  const { octree } = octreeOf(scene);

  it('is emptied, filled and returned, and its record objects are reused', () => {
    const target = octree.intersectBox(wide);
    const [kept, length] = [new Set(target), target.length];
    const again = octree.intersectSphere(sphereOf([0, 0, 0, 30]), {}, target);
    expect(again).toBe(target);
    expect(again.length).toBeLessThan(length);
    expect(again.every((record) => kept.has(record))).toBe(true);
  });

  it('is shortened to the number of results, even to 0', () => {
    const target = octree.intersectBox(wide);
    expect(octree.intersectBox(boxOf(cube(9000, 0, 0)), {}, target)).toHaveLength(0);
    expect(target).toHaveLength(0);
  });

  it('ends up equal to fresh records after another query filled it', () => {
    const target: IntersectionRecord<number>[] = [];
    octree.intersectRay(rayOf([-100, 0, 0], [1, 0.01, 0]), {}, target);
    intersectPairs(octree, {}, target);
    expect(octree.intersectBox(wide, {}, target)).toEqual(octree.intersectBox(wide));
    intersectPairs(octree, {}, target);
    expect(nearest(octree, { x: 0, y: 0, z: 0 }, 9, {}, target)).toEqual(nearest(octree, { x: 0, y: 0, z: 0 }, 9));
    intersectPairs(octree, {}, target);
    expect(octree.intersectPoint(point([0, 0, 0]), {}, target)).toEqual(octree.intersectPoint(point([0, 0, 0])));
    octree.intersectRay(rayOf([-100, 0, 0], [1, 0.01, 0]), {}, target);
    const frustum = planesOf(planesOfBox(cube(0, 0, 0, 30)));
    expect(octree.intersectFrustum(frustum, {}, target)).toEqual(octree.intersectFrustum(frustum));
  });
});

describe('records without a target', () => {
  it('are new objects each time and do not change afterwards', () => {
    const { octree, bodies } = octreeOf(scene);
    const first = octree.intersectBox(wide);
    const before = first.map(({ body, distance, position }) => ({ body, distance, position: position.clone() }));
    const second = octree.intersectBox(wide);
    expect(second.some((record) => first.includes(record))).toBe(false);
    for (const body of bodies) body.setBox(boxOf(cube(1, 1, 1)));
    octree.update();
    octree.intersectBox(wide);
    expect(first.map(({ body, distance, position }) => ({ body, distance, position }))).toEqual(before);
  });

  it.each(queries)('are IntersectionRecords with every field set: $kind', (query) => {
    const { octree } = octreeOf(scene);
    const nodes = sketch(octree);
    for (const record of queryRecords(octree, query)) {
      expect(record).toBeInstanceOf(IntersectionRecord);
      expect(octree.has(record.body)).toBe(true);
      expect(record.other !== null).toBe(query.kind === 'pairs');
      expect(record.ray !== null).toBe(query.kind === 'ray');
      const numbers = [...record.position.toArray(), ...record.normal.toArray(), record.distance];
      expect(numbers.every(Number.isFinite)).toBe(true);
      const { cell, bodyCount } = record.node;
      const owner = nodes.find(
        ({ min, edge, bodies }) =>
          edge === cell.edge && min[0] === cell.min.x && min[1] === cell.min.y && bodies.includes(record.body.data),
      );
      expect(owner?.bodies).toHaveLength(bodyCount);
    }
  });
});

describe('collect forms', () => {
  it.each(queries)('empty their list and write the indices of the records in the same order: $kind', (query) => {
    const { octree } = octreeOf(scene);
    const list = new IndexList();
    octree.collectBox(wide, list);
    const records = queryRecords(octree, query);
    const count = queryIndices(octree, query, list);
    expect(count).toBe(records.length);
    expect(count).toBeGreaterThan(0);
    const expected = records.flatMap(({ body, other }) => (other === null ? [body.index] : [body.index, other.index]));
    expect(Array.from(list.array.subarray(0, list.length))).toEqual(expected);
  });

  it.each([-1, 0.5, NaN, 2 ** 30 + 1])('take no list of capacity %d', (capacity) => {
    expect(() => new IndexList(capacity)).toThrow(
      `IndexList: capacity must be an integer from 0 to 2^30, but is ${capacity}; leave it out if unsure.`,
    );
  });

  it('grow the list as needed, from any capacity', () => {
    const { octree } = octreeOf(scene);
    const all = boxOf(cube(0, 0, 0, 1000));
    for (const list of [new IndexList(), new IndexList(0), new IndexList(1), new IndexList(1000)]) {
      expect(octree.collectBox(all, list)).toBe(400);
      expect(list.length).toBe(400);
      expect(list.array.length).toBeGreaterThanOrEqual(400);
      expect(new Set(list.array.subarray(0, 400)).size).toBe(400);
    }
    const list = new IndexList();
    octree.collectBox(all, list);
    const { array } = list;
    for (let i = 0; i < 20; i++) octree.collectBox(all, list);
    expect(list.array).toBe(array);
  });

  it('fill a list that can be iterated: its indices, not the rest of its array', () => {
    const { octree } = octreeOf(scene);
    const list = new IndexList();
    expect([...list]).toEqual([]);
    octree.collectBox(boxOf(cube(0, 0, 0, 1000)), list);
    octree.collectBox(wide, list);
    expect(list.length).toBeLessThan(400);
    const indices: number[] = [];
    for (const index of list) indices.push(index);
    expect(indices).toEqual(Array.from(list.array.subarray(0, list.length)));
    expect(indices.length).toBeGreaterThan(0);
    list.push(7);
    expect([...list].at(-1)).toBe(7);
  });

  it('handle more results than a call can take as arguments', () => {
    const octree = new Octree<null>();
    octree.insertMany(new Float64Array(6 * 130_000), { kind: 'box' });
    const list = new IndexList();
    expect(octree.collectPoint({ x: 0, y: 0, z: 0 }, list)).toBe(130_000);
    expect(octree.intersectPoint({ x: 0, y: 0, z: 0 })).toHaveLength(130_000);
    expect(nearest(octree, { x: 1, y: 0, z: 0 }, 130_000)).toHaveLength(130_000);
    expect(octree.intersectRay(rayOf([-1, 0, 0], [1, 0, 0]))).toHaveLength(130_000);
  });
});
