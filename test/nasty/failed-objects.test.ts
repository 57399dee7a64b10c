/**
 * Memory that is missing for the n-th allocation of what a caller makes and changes: octrees, volumes, lists, queues of
 * solid boxes; and of calls by which bodies leave the region. The object is as before or as after, a retry works, and
 * each body that has left is reported once.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/core.ts';
import * as core from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { sampleOf } from '../support/sampled.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, point, shapeOf, sphereOf } from '../support/shapes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

/** What changes an object of the caller, and what tells its state. Named as the method. */
interface Change {
  readonly name: string;
  /** The object before the change. */
  readonly make: () => object;
  readonly change: (object: never) => unknown;
  readonly state: (object: never) => string;
}

const MATRIX = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
const PLANES = planesOf([
  [0, 1, 0, 3],
  [1, 0, 0, 4],
]);
const TETRAHEDRON = {
  positions: [0, 0, 0, 90, 0, 0, 0, 90, 0, 0, 0, 90],
  index: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
};
const scanned = new Octree<number>();
for (const [k, shape] of uniform(64, 1, 128, 24).entries()) scanned.insert(shapeOf(shape), k);

function dataIn(records: readonly core.IntersectionRecord<number>[]): string {
  return records.map(({ body }) => body.data).join();
}

function foundIn(volume: core.Volume): string {
  return dataIn(core.intersect(scanned, volume));
}

/** A volume that `set` changes; its state is what is in it. */
function ofVolume<Args extends readonly unknown[]>(
  Volume: new (...values: Args) => { set(...values: Args): unknown },
  before: Args,
  after: Args,
): Change[] {
  const make = (): object => new Volume(...before);
  const change = (volume: { set(...values: Args): unknown }): unknown => volume.set(...after);
  return [
    { name: `${Volume.name}.set`, make, change, state: foundIn },
    { name: Volume.name, make: () => ({}), change: make, state: () => '' },
  ];
}

/** A class of which only the constructor is tried. */
const ofClass = (Class: new () => object): Change => ({
  name: Class.name,
  make: () => ({}),
  change: () => new Class(),
  state: () => '',
});

const filled = (): IndexList => {
  const list = new IndexList(2);
  list.push(3);
  list.push(5);
  return list;
};
const ofList = { make: filled, state: (list: IndexList) => `${list.length} ${[...list].join()}` };
const waiting = (): core.SolidBoxQueue => {
  const queue = new core.SolidBoxQueue();
  queue.boxesOf(TETRAHEDRON);
  return queue;
};
const ofQueue = {
  make: waiting,
  state: (queue: core.SolidBoxQueue) => {
    queue.run(Infinity);
    return `${queue.waiting} ${JSON.stringify(queue.boxesOf(TETRAHEDRON))}`;
  },
};

const CHANGES: readonly Change[] = [
  ...ofVolume(
    core.Capsule,
    [{ start: point([0, 0, 0]), end: point([1, 0, 0]), radius: 30 }],
    [{ start: point([5, 6, 7]), end: point([40, 9, 10]), radius: 9 }],
  ),
  ...ofVolume(
    core.Segment,
    [{ start: point([0, 0, 0]), end: point([99, 0, 0]) }],
    [{ start: point([5, 6, 7]), end: point([-90, 9, 10]) }],
  ),
  ...ofVolume(
    core.OrientedBox,
    [{ center: point([0, 0, 0]), halfSize: point([30, 9, 9]), rotation: MATRIX }],
    [{ center: point([9, 9, 0]), halfSize: point([3, 40, 9]), rotation: MATRIX }],
  ),
  ...ofVolume(core.Convex, [[]], [PLANES.planes]),
  ...ofVolume(core.Convex, [PLANES], [planesOf(planesOfBox([-20, -20, -20, 30, 20, 25]))]),
  ...ofVolume(
    core.RayRange,
    [{ origin: point([-99, 0, 0]), direction: point([1, 0, 0]) }],
    [{ origin: point([-99, 9, 0]), direction: point([1, 0.1, 0]) }],
  ).map((row) => ({
    ...row,
    state: (ray: core.RayRange) => (ray instanceof core.RayRange ? dataIn(core.nearest(scanned, ray, 5)) : ''),
  })),
  { ...ofClass(Octree), change: () => new Octree({ simdFrom: 0, region: { min: point([0, 0, 0]), edge: 64 } }) },
  ofClass(IndexList),
  ofClass(core.OctreeNode),
  ofClass(core.SolidBoxQueue),
  {
    ...ofClass(Octree),
    name: 'CustomVolume',
    change: () =>
      new core.CustomVolume({ overlap: () => 1 as const, touchesBox: () => true, touchesSphere: () => true }),
  },
  { ...ofList, name: 'IndexList.reserve', change: (list: IndexList) => list.reserve(999) },
  { ...ofList, name: 'IndexList.push', change: (list: IndexList) => list.push(7) },
  {
    ...ofQueue,
    name: 'SolidBoxQueue.boxesOf',
    change: (queue: core.SolidBoxQueue) => queue.boxesOf({ ...TETRAHEDRON }),
  },
  { ...ofQueue, name: 'SolidBoxQueue.run', change: (queue: core.SolidBoxQueue) => queue.run(Infinity) },
];

it.each(CHANGES.map((row, k) => ({ ...row, k })))('$name is as before or as after', ({ make, change, state, k }) => {
  const [twin, untouched] = [make(), make()];
  const { allocations } = withFault(0, () => change(twin as never));
  const states = [state(untouched as never), state(twin as never)];
  for (const n of sampleOf(allocations, 2, k)) {
    const object = make();
    const { error } = withFault(n, () => change(object as never));
    expect(error === undefined || error instanceof MemoryFault, String(error)).toBe(true);
    expect(states, `allocation ${n} of ${allocations}`).toContain(state(object as never));
    if (state(object as never) !== states[1]) change(object as never);
    expect(state(object as never), `allocation ${n} of ${allocations}, again`).toBe(states[1]);
  }
});

/** Calls after which bodies are outside of the region, with the option `outside: 'remove'`. */
const AWAY = 500;
const ALL = Array.from({ length: 64 }, (_, k) => k);
const LEAVING: Readonly<Record<string, (octree: Octree<number>) => unknown>> = {
  insert: (octree) => octree.insert(boxOf(cube(AWAY, 0, 0)), 100),
  insertMany: (octree) =>
    octree.insertMany(Float64Array.from(ALL.flatMap((k) => cube(k % 3 === 0 ? AWAY : k - 32, 0, 0))), {
      kind: 'box',
      data: ALL.map((k) => 100 + k),
    }),
  'moveMany: boxes': (octree) => {
    octree.moveMany(ALL, Float64Array.from(ALL.flatMap((k) => cube(k % 3 === 0 ? AWAY : k - 32, 0, 0))));
  },
  'moveMany: centres': (octree) => {
    octree.moveMany(ALL, Float64Array.from(ALL.flatMap((k) => [k % 3 === 0 ? AWAY : k - 32, 0, 0])));
  },
  setBox: (octree) => octree.bodyAt(3).setBox(boxOf(cube(AWAY, 0, 0))),
  setSphere: (octree) => octree.bodyAt(3).setSphere(sphereOf([AWAY, 0, 0, 1])),
  setCenter: (octree) => octree.bodyAt(3).setCenter(point([AWAY, 0, 0])),
  moveManyById: (octree) =>
    core.moveManyById(
      octree,
      core.idsOf(octree, ALL.slice(0, 9)),
      Float64Array.from(ALL.slice(0, 9).flatMap((k) => [k * AWAY, 0, 0])),
    ),
  translate: (octree) => {
    core.translate(octree, point([AWAY, 0, 0]));
  },
  update: (octree) => octree.update(0.1),
};

function regionOctree(name: string): Octree<number> {
  const octree = new Octree<number>({ region: { min: point([-128, -128, -128]), edge: 256 }, outside: 'remove' });
  for (const k of ALL) octree.insert(boxOf(cube(k - 32, k % 7, 0)), k);
  octree.update(0.1);
  if (name !== 'update') return octree;
  for (const k of [5, 7, 9]) octree.bodyAt(k).setCenter(point([AWAY, 0, 0]));
  for (const k of ALL) octree.insert(boxOf(cube(k, k % 5, k % 9)), 100 + k);
  return octree;
}

function livingIn(octree: Octree<number>): string {
  return [...octree].map((body) => `${body.index} ${body.data} ${JSON.stringify(body.getBox())}`).join(' ');
}

function toldOutside({ outside, bodiesOutside }: ReturnType<Octree<number>['update']>): string {
  return `${bodiesOutside}: ${outside.map(({ data }) => data).join()}`;
}

describe("bodies that leave the region, with `outside: 'remove'`", () => {
  it.each(
    Object.entries(LEAVING).flatMap(([name, call], row) =>
      [false, true].map((isInside) => ({ name, call, row, isInside })),
    ),
  )('in $name, in a filter: $isInside', ({ name, call, row, isInside }) => {
    if (isInside && ['update', 'translate'].includes(name)) return;
    const run = (octree: Octree<number>): unknown => {
      if (!isInside) return call(octree);
      let isFirst = true;
      const filter = (): boolean => {
        if (isFirst) call(octree);
        return !(isFirst = false);
      };
      return octree.collectBox(boxOf(cube(0, 0, 0, 99)), new IndexList(), { filter });
    };
    const twin = regionOctree(name);
    const before = livingIn(twin);
    let told = '';
    const { allocations } = withFault(0, () => {
      const result = run(twin);
      told = name === 'update' ? toldOutside(result as ReturnType<Octree<number>['update']>) : '';
    });
    const after = livingIn(twin);
    if (told === '') told = toldOutside(twin.update(0.1));
    for (const n of sampleOf(allocations, 4, row)) {
      const octree = regionOctree(name);
      const when = `allocation ${n} of ${allocations}`;
      const { error } = withFault(n, () => run(octree));
      expect(error === undefined || error instanceof MemoryFault, String(error)).toBe(true);
      const state = livingIn(octree);
      expect([before, after], when).toContain(state);
      if (error !== undefined && state === before && name !== 'update') call(octree);
      if (error !== undefined || name !== 'update') expect(toldOutside(octree.update(0.1)), when).toBe(told);
      expect(livingIn(octree), when).toBe(after);
      expect(validate(octree)).toEqual([]);
    }
  });
});

/** Classes of which a caller creates no object, and objects of constants. */
const WITHOUT_CONSTRUCTOR = ['Body', 'IntersectionRecord', 'WalkSignal', 'VolumeOverlap'];
/** Methods that are not public. */
const INTERNAL = ['constructor', 'queryIn', 'volumeIn', 'writeRecord', 'read', 'step', 'end', 'renew'];

it('has a row for every class of the core, and for every method of these objects', () => {
  const classes = Object.keys(library).filter((name) => /^[A-Z]/.test(name) && !WITHOUT_CONSTRUCTOR.includes(name));
  const methods = CHANGES.map(({ make }) => make()).flatMap((object) =>
    Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object) as object))
      .filter(([name, { value }]) => typeof value === 'function' && !INTERNAL.includes(name))
      .map(([name]) => `${object.constructor.name}.${name}`),
  );
  const rows = CHANGES.map(({ name }) => name);
  const needed = [...classes, ...methods.filter((name) => !name.startsWith('Object.'))];
  expect(needed.filter((name) => !rows.includes(name))).toEqual([]);
});
