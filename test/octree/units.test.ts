import { beforeAll, describe, expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import { IndexList, Octree, translate, type OctreeOptions, type QueryStats } from '../../src/index.ts';
import { sketch } from '../support/octrees.ts';
import { EXAMPLES, queryIndices, queryRecords, randomQueryNear, type Query } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { boundsOf, cube, shapeOf, type Shape } from '../support/shapes.ts';
import { clustered, coincident, uniform } from '../support/scenes.ts';
import { freeMemories, traversalOf } from '../support/wasm.ts';

beforeAll(freeMemories);

const TICKS = 7;
/** Numbers of a query that are no lengths. */
const UNSCALED = ['kind', 'direction', 'axes', 'count', 'minSize'];

/** A scene in other units: every length times `unit`. */
const scaled = <Value>(value: Value, unit: number): Value => {
  if (typeof value === 'number') return (value * unit) as Value;
  if (Array.isArray(value)) return value.map((part: unknown) => scaled(part, unit)) as Value;
  return value;
};

function scaledQuery(query: Query, unit: number): Query {
  const entries = Object.entries(query).map(([field, value]: [string, unknown]) => {
    if (UNSCALED.includes(field)) return [field, value];
    // Of a plane only the constant is a length.
    if (field === 'planes') return [field, (value as number[][]).map(([x, y, z, w]) => [x, y, z, w * unit])];
    return [field, scaled(value, unit)];
  });
  return Object.fromEntries(entries) as Query;
}

const SCENES: Record<string, () => Shape[]> = {
  uniform: () => uniform(250, 1),
  clustered: () => clustered(250, 2),
  'one heap': () => uniform(250, 3, 3, 0.2),
  coincident: () => coincident(100),
};

/**
 * What an octree tells while its bodies move, are removed and inserted, in units of the scene: nodes, order and numbers
 * of the results of all queries, and their costs.
 */
function historyOf(scene: readonly Shape[], unit: number, options: OctreeOptions): unknown[] {
  const random = createRandom(7);
  const octree = new Octree<number>({ ...options, minCellSize: unit * (options.minCellSize ?? 1) });
  const shapes = scene.map((shape): Shape => [...shape]);
  const bodies = shapes.map((shape, k) => octree.insert(shapeOf(scaled(shape, unit)), k));
  const told: unknown[] = [];
  const tell = (query: Query): void => {
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const list = new IndexList();
    const one = scaledQuery(query, unit);
    queryIndices(octree, one, list, { stats });
    const records = queryRecords(octree, one).map(({ body, distance, position: { x, y, z }, normal }) => {
      return [body.data, distance / unit, x / unit, y / unit, z / unit, normal.x, normal.y, normal.z];
    });
    told.push([query.kind, Array.from(list), { ...stats }, records]);
  };
  for (let tick = 0; tick < TICKS; tick++) {
    const isBulk = tick % 2 === 0;
    const moved = bodies.filter((_, k) => isBulk || k % 3 === 0);
    for (const body of moved) {
      const step = random.below(8) === 0 ? 40 : 0.2;
      const motion = [0, 1, 2].map(() => random.between(-step, step));
      const shape = shapes[body.data] as number[];
      for (let axis = 0; axis < 3; axis++) {
        shape[axis] += motion[axis];
        if (shape.length === 6) shape[axis + 3] += motion[axis];
      }
    }
    const centers = moved.flatMap(({ data }) => {
      const bounds = boundsOf(shapes[data]);
      return [0, 1, 2].map((axis) => ((bounds[axis] + bounds[axis + 3]) / 2) * unit);
    });
    if (isBulk)
      octree.moveMany(
        moved.map(({ index }) => index),
        new Float64Array(centers),
      );
    else
      for (const body of moved) {
        const shape = shapeOf(scaled(shapes[body.data], unit));
        if ('center' in shape) body.setSphere(shape);
        else body.setBox(shape);
      }
    for (const body of bodies.splice(10 * tick, 5)) body.remove();
    for (let k = 0; k < 8; k++) {
      shapes.push(cube(random.between(-60, 60), random.between(-60, 60), random.between(-60, 60), 0.3));
      bodies.push(octree.insert(shapeOf(scaled(shapes.at(-1)!, unit)), shapes.length - 1));
    }
    if (tick === 3) {
      const by = { x: 5 * unit, y: -3 * unit, z: 64 * unit };
      translate(octree, by);
      for (const shape of shapes as number[][])
        [by.x, by.y, by.z].forEach((value, axis) => {
          shape[axis] += value / unit;
          if (shape.length === 6) shape[axis + 3] += value / unit;
        });
    }
    // After the fifth step bodies rest, and some move on.
    if (tick === 4) {
      for (let update = 0; update < 100; update++) {
        const { data, index } = bodies[update];
        const center = boundsOf(shapes[data]);
        const motion = 1e-3 * (update % 7);
        for (const axis of shapes[data].length === 6 ? [0, 3] : [0]) (shapes[data] as number[])[axis] += motion;
        octree.moveMany(
          [index],
          new Float64Array(
            [0, 1, 2].map((axis) => ((center[axis] + center[axis + 3]) / 2 + (axis ? 0 : motion)) * unit),
          ),
        );
        const { bodiesRelocated } = octree.update();
        told.push(bodiesRelocated, octree.statistics.pending);
      }
    }
    const { nodes, depth, bodiesRelocated } = octree.update();
    told.push([nodes, depth, bodiesRelocated]);
    for (const query of EXAMPLES) tell(query);
    for (let k = 0; k < 12; k++)
      tell(randomQueryNear(k, boundsOf(shapes[bodies[random.below(bodies.length)].data]), random));
    const toUnits = (cell: readonly number[]): number[] => cell.map((at) => at / unit);
    told.push(sketch(octree).map((node) => ({ ...node, min: toUnits(node.min), edge: node.edge / unit })));
  }
  expect(validate(octree)).toEqual([]);
  if (options.simdFrom === 0) expect(traversalOf(octree)).not.toBe(null);
  octree.clear();
  return told;
}

describe('a scene in other units, with the smallest cell in these units', () => {
  const cases = Object.keys(SCENES).flatMap((scene) =>
    [
      { simdFrom: 0 },
      { simdFrom: Infinity },
      { simdFrom: 0, leafCapacity: 2, looseness: 1 },
      { simdFrom: Infinity, leafCapacity: 2, looseness: 1.5, minCellSize: 2 ** -3 },
    ].map((options) => ({ scene, options })),
  );

  it.each(cases)('has the same nodes and the same results, bit by bit: $scene, $options', ({ scene, options }) => {
    const shapes = SCENES[scene]();
    const expected = historyOf(shapes, 1, options);
    const exponents = sampleFrom([-1, -27], 2, Number(options.simdFrom === 0));
    for (const exponent of exponents) expect(historyOf(shapes, 2 ** exponent, options)).toEqual(expected);
  });
});

const region = (x: number, edge: number): NonNullable<OctreeOptions['region']> => ({ min: { x, y: 0, z: 0 }, edge });

describe('minCellSize', () => {
  it.each([0, -1, 0.3, 3, 2 ** -31, 2 ** 31, NaN, Infinity])('%d is an error with a remedy', (minCellSize) => {
    expect(() => new Octree({ minCellSize })).toThrow(
      `Octree: minCellSize must be a power of two from 2^-30 to 2^30, but is ${minCellSize}; use 1 if unsure.`,
    );
  });

  it('decides which corners and edges a region may have', () => {
    expect(() => new Octree({ region: region(0.5, 8) })).toThrow(
      'Octree: region.min.x must be an integer within +-2^51, but is 0.5; round it down, or set a smaller minCellSize.',
    );
    expect(() => new Octree({ region: region(0, 0.5) })).toThrow('a power of two from minCellSize = 1 to 2^52');
    expect(() => new Octree({ minCellSize: 1 / 8, region: region(1 / 16, 8) })).toThrow(
      'region.min.x must be a multiple of 2^-3 within +-2^48, but is 0.0625',
    );
    expect(() => new Octree({ minCellSize: 2 ** -20, region: region(2 ** 31, 2) })).toThrow('within +-2^31');
    const octree = new Octree({ minCellSize: 1 / 8, region: region(1 / 8, 1 / 2), outside: 'throw' });
    octree.insert({ center: { x: 0.4, y: 0.2, z: 0.2 }, radius: 0.1 }, 0);
    expect(octree.region).toEqual(region(1 / 8, 1 / 2));
    expect(validate(octree)).toEqual([]);
  });

  it.each(['remove', 'throw', 'grow'] as const)('leaves a region as it is where bodies lie far out: %s', (outside) => {
    const octree = new Octree({ minCellSize: 2 ** -30, region: region(0, 2 ** 21), outside });
    octree.insert({ center: { x: 1.5e6, y: 1, z: 1 }, radius: 0.1 }, 0);
    octree.insert({ center: { x: 1, y: 1, z: 1 }, radius: 1e-9 }, 1);
    octree.update();
    expect(octree.region).toEqual(region(0, 2 ** 21));
    expect(validate(octree)).toEqual([]);
  });

  it('decides by which vectors the world may be moved', () => {
    const octree = new Octree({ minCellSize: 2 ** -10 });
    octree.insert({ center: { x: 0.4, y: 0.2, z: 0.2 }, radius: 0.1 }, 0);
    translate(octree, { x: 3 / 1024, y: -1, z: 0 });
    expect(() => translate(octree, { x: 1 / 2048, y: 0, z: 0 })).toThrow(
      'translate: vector.x must be a multiple of 2^-10 within +-2^41, but is',
    );
    expect(() => translate(octree, { x: 2 ** 40.5, y: 0, z: 0 })).toThrow(RangeError);
    expect(() => translate(octree, { x: 2 ** 40 + 1, y: 0, z: 0 })).toThrow('beyond +-2^40');
    expect(validate(octree)).toEqual([]);
  });
});

describe('bodies far from 0', () => {
  it.each([2 ** -30, 2 ** -12])('make the smallest cell larger where cells would not be exact: %d', (minCellSize) => {
    const random = createRandom(5);
    const octree = new Octree<number>({ minCellSize, leafCapacity: 4 });
    const near = uniform(300, 4, 1, 0.01);
    for (const [k, shape] of near.entries()) octree.insert(shapeOf(shape), k);
    octree.update();
    const { nodes } = octree.statistics;
    const far = octree.insert({ center: { x: 3, y: 0, z: 0 }, radius: 0.5 }, -1);
    // Twice: after the way back the tree keeps its larger cells.
    for (const distance of [1e3, 1e9, 2 ** 45, 2 ** 49, 1e6, 1]) {
      far.setSphere({ center: { x: -1, y: -distance, z: 2 }, radius: 0.5 });
      const moved = octree.bodyAt(random.below(300));
      moved.setCenter({ x: 0.25, y: 0.25, z: 0.25 });
      expect(octree.intersectPoint({ x: -1, y: -distance, z: 2 }).map(({ body }) => body.data)).toEqual([-1]);
      expect(octree.intersectPoint({ x: 0.25, y: 0.25, z: 0.25 }).map(({ body }) => body)).toContain(moved);
      octree.update();
      expect(validate(octree)).toEqual([]);
    }
    expect(octree.size).toBe(301);
    far.remove();
    octree.clear();
    for (const [k, shape] of near.entries()) octree.insert(shapeOf(shape), k);
    expect(octree.update().nodes).toBe(nodes);
  });

  it('change nothing if they are removed before they are placed there', () => {
    const octree = new Octree<number>({ minCellSize: 2 ** -30 });
    for (let k = 0; k < 100; k++) octree.insert({ min: { x: k, y: 0, z: 0 }, max: { x: k + 1, y: 1, z: 1 } }, k);
    octree.update();
    const { region } = octree;
    const far = octree.bodyAt(7);
    far.setCenter({ x: 2 ** 45, y: 0, z: 0 });
    far.remove();
    octree.update();
    expect(octree.region).toEqual(region);
    expect(validate(octree)).toEqual([]);
  });
});
