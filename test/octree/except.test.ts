import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, QueryStats } from '../../src/index.ts';
import { castRays, collectPairs, IndexList, nearest, Octree } from '../../src/index.ts';
import { collected, octreeOf } from '../support/octrees.ts';
import {
  EXAMPLES,
  queryAny,
  queryBatch,
  queryFirst,
  queryFirstIndex,
  queryIndices,
  queryRecords,
} from '../support/queries.ts';
import { errorOf, expectRejection } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, rayOf, shapeOf } from '../support/shapes.ts';
import { Twin } from '../support/twin.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const origin = { x: 0, y: 0, z: 0 };
/** The last ones overlap each other, and touch the rays, paths and volumes of all examples. */
const shapes = [...uniform(150, 3), cube(0, 0, 0, 20), [0, 0, -10, 12], cube(-16, 3, 8, 5), [12, 5, 10, 8]];

function fail(): boolean {
  throw new Error('mine');
}

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

describe('options.except', () => {
  for (const [way, simdFrom] of [
    ['in JavaScript', Infinity],
    ['in WebAssembly', 0],
  ] as const) {
    it.each(EXAMPLES)(`leaves out one body, as a loop over all others does, ${way}: $kind`, (query) => {
      const twin = new Twin({ leafCapacity: 4, simdFrom });
      for (const shape of shapes) twin.insert(shape);
      const found = new Set(
        queryRecords(twin.octree, query).flatMap(({ body, other }) => (other === null ? [body] : [body, other])),
      );
      expect(found.size).toBeGreaterThan(1);
      for (const except of twin.trackedBodies.filter(({ body }, k) => found.has(body) || k < 3)) {
        twin.expectQuery(query, { except });
        twin.expectQuery(query, { except, mask: 3, filter: (serial) => serial % 2 === 0 });
      }
    });

    it.each(EXAMPLES)(
      `keeps the order, and gives the same results in all forms without a filter, ${way}: $kind`,
      (query) => {
        const { octree, bodies } = octreeOf(shapes, { leafCapacity: 4, simdFrom });
        const isPair = query.kind === 'pairs';
        const everything = 'count' in query ? { ...query, count: shapes.length } : query;
        const all = collected((list) => queryIndices(octree, everything, list));
        for (const except of [all[0], all[all.length - 1], all[all.length >> 1]].map((index) => octree.bodyAt(index))) {
          const expected = all.filter((index, k) => index !== except.index && !(isPair && all[k ^ 1] === except.index));
          expect(collected((list) => queryIndices(octree, everything, list, { except }))).toEqual(expected);
          expect(
            queryRecords(octree, everything, { except }).flatMap(({ body, other }) =>
              other === null ? [body.index] : [body.index, other.index],
            ),
          ).toEqual(expected);
          expect(queryFirst(octree, everything, { except })?.body.index ?? expected[0]).toBe(expected[0]);
          expect(queryFirstIndex(octree, everything, { except }) ?? expected[0]).toBe(expected[0]);
          expect(queryBatch(octree, everything, { except })?.index ?? expected[0]).toBe(expected[0]);
          expect(queryAny(octree, everything, { except }) ?? true).toBe(true);
        }
        expect(bodies.every(({ index }) => index >= 0)).toBe(true);
      },
    );
  }

  it('gives nearest its full count of others', () => {
    const { octree, bodies } = octreeOf(uniform(100, 5));
    const [first, second, third] = nearest(octree, origin, 3).map(({ body }) => body);
    expect(nearest(octree, origin, 2, { except: second }).map(({ body }) => body)).toEqual([first, third]);
    expect(nearest(octree, origin, 1000, { except: first })).toHaveLength(bodies.length - 1);
    expect(nearest(octree, origin, 2, { except: first, candidates: true }).some(({ body }) => body === first)).toBe(
      false,
    );
  });

  it('leaves nothing of a single body', () => {
    const {
      octree,
      bodies: [except],
    } = octreeOf([cube(0, 0, 0)]);
    const ray = rayOf([-9, 0, 0], [1, 0, 0]);
    expect([
      octree.hasHit(ray, { except }),
      octree.firstHit(ray, { except }),
      octree.firstHitIndex(ray, { except }),
      octree.intersectPoint(origin, { except }),
    ]).toEqual([false, null, -1, []]);
  });

  it('does not call the filter for the body, and does not count it as reported', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0), cube(0, 0.5, 0)]);
    const except = bodies[1];
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    for (const query of EXAMPLES) {
      const seen = new Set<Body<number>>();
      queryRecords(octree, query, { except, filter: (body) => seen.add(body).size > 0 });
      expect(seen.has(except)).toBe(false);
    }
    expect(octree.collectBox(boxOf(cube(0, 0, 0, 9)), new IndexList(), { except, stats })).toBe(2);
    expect(stats.bodiesReported).toBe(2);
    expect(collectPairs(octree, new IndexList(), { except, stats })).toBe(1);
    expect(stats.bodiesReported).toBe(1);
  });

  it('is forgotten after the query, also after one that throws', () => {
    const {
      octree,
      bodies: [except],
    } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    expect(errorOf(() => octree.intersectPoint(origin, { except, filter: fail }))).toBeInstanceOf(Error);
    expect(octree.intersectPoint(origin)).toHaveLength(2);
    expect(octree.firstHit(rayOf([-9, 0, 0], [1, 0, 0]))!.body).toBe(except);
    expect(nearest(octree, origin, 2)).toHaveLength(2);
  });

  it('holds for its query alone: a nested query leaves out another body, or none', () => {
    const {
      octree,
      bodies: [first, second, third],
    } = octreeOf([cube(0, 0, 0), cube(0.1, 0, 0), cube(0.2, 0, 0)]);
    const namesOf = (except?: Body<number>): number[] =>
      ascending(nearest(octree, origin, 3, except === undefined ? {} : { except }).map(({ body }) => body.data));
    const nested: number[][] = [];
    const outer = nearest(octree, origin, 3, {
      except: first,
      filter: () => nested.push(namesOf(second), namesOf()) > 0,
    });
    expect(outer.map(({ body }) => body)).toEqual([second, third]);
    expect(nested.slice(0, 2)).toEqual([
      [0, 2],
      [0, 1, 2],
    ]);
  });

  it('leaves out a body that was moved or inserted just before', () => {
    const {
      octree,
      bodies: [except],
    } = octreeOf([cube(0, 0, 0), cube(5, 0, 0)]);
    octree.update();
    except.setBox(boxOf(cube(5, 0, 0)));
    expect(octree.intersectPoint({ x: 5, y: 0, z: 0 }, { except }).map(({ body }) => body.data)).toEqual([1]);
    const added = octree.insert(boxOf(cube(5, 0, 0)), 2);
    expect(
      ascending(octree.intersectPoint({ x: 5, y: 0, z: 0 }, { except: added }).map(({ body }) => body.data)),
    ).toEqual([0, 1]);
  });
});

describe('options.except with a removed body', () => {
  it('leaves out nothing, also once its index belongs to another body', () => {
    const {
      octree,
      bodies: [gone],
    } = octreeOf([cube(0, 0, 0), cube(5, 0, 0)]);
    octree.update();
    const { index } = gone;
    gone.remove();
    expect(nearest(octree, origin, 9, { except: gone })).toHaveLength(1);
    octree.update();
    const next = octree.insert(boxOf(cube(0, 0, 0)), 2);
    expect(next.index).toBe(index);
    expect(nearest(octree, origin, 9, { except: gone }).map(({ body }) => body)).toContain(next);
    octree.clear();
    octree.insert(boxOf(cube(0, 0, 0)), 3);
    expect(nearest(octree, origin, 9, { except: next })).toHaveLength(1);
  });

  it('leaves out nothing if it lay outside the region from the start', () => {
    const octree = new Octree<number>({ region: { min: origin, edge: 16 }, outside: 'remove' });
    const outside = octree.insert(boxOf(cube(99, 0, 0)), 0);
    octree.insert(boxOf(cube(5, 5, 5)), 1);
    expect(nearest(octree, origin, 9, { except: outside })).toHaveLength(1);
  });

  it('leaves it out as long as queries report it: until the outermost query ends', () => {
    const {
      octree,
      bodies: [except, other],
    } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    const nested: number[] = [];
    octree.intersectPoint(origin, {
      filter: () => {
        except.remove();
        nested.push(...octree.intersectPoint(origin, { except }).map(({ body }) => body.data));
        return true;
      },
    });
    expect(new Set(nested)).toEqual(new Set([other.data]));
  });
});

describe('options.except that is invalid', () => {
  it('is rejected: a value that is no body', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    for (const except of [0, 'player', {}, [], shapeOf(cube(0, 0, 0))]) {
      expectRejection(
        octree,
        () => nearest(octree, origin, 1, { except: except as never }),
        TypeError,
        /^nearest: options.except must be a Body, but is .+; pass what insert or bodyAt returned, or leave it out\.$/,
      );
    }
  });

  it('is rejected: a body of another octree', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const {
      bodies: [stranger],
    } = octreeOf([cube(0, 0, 0)]);
    const hits = { indices: new Int32Array([7]), distances: new Float64Array([7]) };
    const calls = [
      ...EXAMPLES.map((query) => () => queryRecords(octree, query, { except: stranger })),
      () => castRays(octree, new Float64Array([-9, 0, 0, 1, 0, 0, 99]), hits, { except: stranger }),
    ];
    for (const call of calls)
      expectRejection(
        octree,
        call,
        RangeError,
        /^[\w.]+: options.except is body 0 of another octree; pass a body of this one, or leave it out\.$/,
      );
    expect([...hits.indices, ...hits.distances]).toEqual([7, 7]);
  });
});
