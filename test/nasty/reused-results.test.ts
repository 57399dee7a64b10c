/**
 * Callbacks that query into the list, the target or the record of the query that runs them: the results of that query
 * are those of a query whose callbacks do nothing. Every query that runs user code, with a nested query of every kind.
 */

import { PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import {
  castRays,
  collect,
  collectVisible,
  CustomVolume,
  IndexList,
  intersect,
  intersectVisible,
  setOccluder,
  VolumeOverlap,
  visitCast,
  visitNearest,
  watch,
  type Body,
  type IntersectionRecord,
  type Octree,
} from '../../src/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { callOf, QUERY_SPECS } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, point } from '../support/shapes.ts';

type Record = IntersectionRecord<number>;

/** What the outer query and the nested ones share. */
interface Shared {
  readonly octree: Octree<number>;
  readonly list: IndexList;
  readonly target: Record[];
  readonly record: Record;
}

/** A query; `user` is called by each of its callbacks. Returns its results as plain values. */
interface Outer {
  readonly name: string;
  run(shared: Shared, user: () => void): unknown;
}

/** Bodies on the paths of all examples. */
const onPaths = [
  cube(-400, 1, 2, 3),
  [-300, 2, 4, 3],
  cube(-200, 3, 6, 3),
  cube(0, 0, 5, 2),
  cube(1, 0, 5),
  [1, 0, 0, 2],
];
const shapes = [...uniform(20, 1), ...onPaths];
const camera = new PerspectiveCamera(60, 1, 1, 400);

function shared(): Shared {
  const { octree, bodies } = octreeOf(shapes, { leafCapacity: 4 });
  setOccluder(octree, bodies[20], true);
  const record = octree.firstHit({ origin: point([-500, 0, 0]), direction: point([1, 0, 0]) })!;
  return { octree, list: new IndexList(), target: octree.intersectBox(boxOf(cube(0, 0, 0, 5))), record };
}

function plain({ body, other, distance, inside, position, normal, alongRay, time }: Record): unknown[] {
  return [body.index, other?.index, distance, inside, position.toArray(), normal.toArray(), alongRay, time];
}

/** The options that make a query run user code: a filter, and statistics that are accessors. */
const OPTIONS: readonly (readonly [string, (user: () => void) => object])[] = [
  [
    'a filter',
    (user) => ({
      filter: () => {
        user();
        return true;
      },
    }),
  ],
  [
    'statistics',
    (user) => ({
      stats: {
        set nodesVisited(_value: number) {
          user();
        },
        set bodiesReported(_value: number) {
          user();
        },
      },
    }),
  ],
];

/** The forms of a query, by the arguments that come before list, options and target. */
function formsOf(
  name: string,
  collects: (shared: Shared) => (...values: unknown[]) => unknown,
  intersects: (shared: Shared) => (...values: unknown[]) => unknown,
  first: readonly unknown[],
  options: (user: () => void) => object | undefined,
): Outer[] {
  return [
    {
      name: `${name}, list`,
      run: (all, user) => [collects(all)(...first, all.list, options(user)), ...all.list],
    },
    {
      name: `${name}, target`,
      run: (all, user) => (intersects(all)(...first, options(user), all.target) as Record[]).map(plain),
    },
  ];
}

const call =
  (name: string) =>
  ({ octree }: Shared) =>
    callOf(octree, name as never);

const OUTERS: readonly Outer[] = [
  ...OPTIONS.flatMap(([label, options]) => [
    ...QUERY_SPECS.flatMap(({ methods, example, ...spec }) => {
      const first = spec.arguments(example);
      const name = `${methods.records} with ${label}`;
      const outers = formsOf(name, call(methods.indices), call(methods.records), first, options);
      if (methods.first !== undefined)
        outers.push({
          name: `${name}, record`,
          run: (all, user) => plain(callOf(all.octree, methods.first!)(...first, options(user), all.record) as Record),
        });
      if (methods.firstIndex !== undefined)
        outers.push({
          name: `${name}, index`,
          run: (all, user) => callOf(all.octree, methods.firstIndex!)(...first, options(user)),
        });
      return outers;
    }),
    ...formsOf(`collectVisible with ${label}`, call('collectVisible'), call('intersectVisible'), [camera], (user) => ({
      ...options(user),
      minRemoved: 0,
    })),
  ]),
  ...(['overlap', 'touchesBox', 'touchesSphere'] as const).flatMap((callback): Outer[] => {
    const volume = (user: () => void): CustomVolume =>
      new CustomVolume({
        overlap: () => VolumeOverlap.Intersecting,
        touchesBox: () => true,
        touchesSphere: () => true,
        [callback]: () => {
          user();
          return callback === 'overlap' ? VolumeOverlap.Intersecting : true;
        },
      });
    return [
      {
        name: `a CustomVolume, ${callback}, list`,
        run: ({ octree, list }, user) => [collect(octree, volume(user), list), ...list],
      },
      {
        name: `a CustomVolume, ${callback}, target`,
        run: ({ octree, target }, user) => intersect(octree, volume(user), undefined, target).map(plain),
      },
      {
        name: `watch with a CustomVolume, ${callback}`,
        run: ({ octree }, user) => {
          const sensor = watch(octree, volume(user));
          octree.update();
          return [[...sensor.entered], [...sensor.inside]];
        },
      },
    ];
  }),
  {
    name: 'visitNearest',
    run: ({ octree }, user) => {
      const visits: number[] = [];
      visitNearest(octree, point([0, 0, 0]), ({ index }: Body<number>) => {
        user();
        visits.push(index);
      });
      return visits;
    },
  },
  {
    name: 'visitCast',
    run: ({ octree }, user) => {
      const visits: [number, number][] = [];
      visitCast(octree, boxOf([-500, -2, -2, -497, 3, 2]), point([1000, 10, 20]), ({ index }: Body<number>, time) => {
        user();
        visits.push([index, time]);
      });
      return visits;
    },
  },
  {
    name: 'castRays',
    run: ({ octree }, user) => {
      const hits = { indices: new Int32Array(2), distances: new Float64Array(2) };
      const rays = new Float64Array([-500, 0, 0, 1, 0.01, 0.02, Infinity, 0, -500, 0, 0, 1, 0, Infinity]);
      const filter = (): boolean => {
        user();
        return true;
      };
      return [castRays(octree, rays, hits, { filter }), [...hits.indices], [...hits.distances]];
    },
  },
];

/** A nested query of every kind, into everything that the outer one may use. */
const INNERS: readonly ((shared: Shared) => void)[] = [
  ...QUERY_SPECS.map(({ methods, example, ...spec }) => {
    const first = spec.arguments(example);
    return ({ octree, list, target, record }: Shared) => {
      callOf(octree, methods.indices)(...first, list, {});
      callOf(octree, methods.records)(...first, {}, target);
      if (methods.first !== undefined) callOf(octree, methods.first)(...first, {}, record);
    };
  }),
  ({ octree, list, target }) => {
    collectVisible(octree, camera, list);
    intersectVisible(octree, camera, {}, target);
  },
  // An empty result.
  ({ octree, list, target }) => {
    octree.collectPoint(point([1e6, 0, 0]), list);
    octree.intersectPoint(point([1e6, 0, 0]), {}, target);
  },
];

it.each(OUTERS)(`$name: its callbacks may run any of ${INNERS.length} queries into the same results`, (outer) => {
  const expected = outer.run(shared(), () => undefined);
  // Each call of a callback runs the next query; each run begins with another one.
  for (let begin = 0; begin < INNERS.length; begin += 5) {
    const all = shared();
    let calls = 0;
    const result = outer.run(all, () => INNERS[(begin + calls++) % INNERS.length](all));
    expect(result).toEqual(expected);
    expect(calls).toBeGreaterThan(0);
  }
});
