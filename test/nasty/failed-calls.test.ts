/**
 * Memory that runs out in the middle of a call: an error changes nothing, or the call has done all of its work. Each
 * allocation of each public call fails once (in `npm test` each fourth one, another in each setting). After that the
 * bodies are those before or those after the call, every query equals the reference, the call can be repeated, and
 * contacts and sensors miss nothing.
 */

import { PerspectiveCamera } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/core.ts';
import * as core from '../../src/index.ts';
import { Body, IndexList, Octree } from '../../src/index.ts';
import { ReadableOctree } from '../../src/octree/readable-octree.ts';
import { validate } from '../../src/debug/index.ts';
import { BruteForce, type ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { callOf, EXAMPLES, queryIndices, queryReference, QUERY_SPECS } from '../support/queries.ts';
import type { QueryName } from '../support/query-kinds.ts';
import { sampleOf } from '../support/sampled.ts';
import { uniform } from '../support/scenes.ts';
import { boundsOf, boxOf, cube, planesOf, point, rayOf, shapeOf, sphereOf } from '../support/shapes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

/** As many as the first arrays hold: each further body makes them grow. */
const BODIES = 64;
const SHAPES = uniform(BODIES, 1, 128, 24);
const MORE = uniform(16, 2, 200, 8);

interface Setting {
  /** Whether walks run in WebAssembly. */
  readonly isFast: boolean;
  /** Whether contacts, sensors and ids follow the bodies. */
  readonly isFollowed: boolean;
}

const SETTINGS: readonly Setting[] = [
  { isFast: false, isFollowed: false },
  { isFast: false, isFollowed: true },
  { isFast: true, isFollowed: false },
  { isFast: true, isFollowed: true },
];

/**
 * What the octree has done before the call: nothing but inserts; an update; or an update and then writes of all kinds.
 */
type Stage = 'new' | 'built' | 'moving';

/** An octree, and what follows its bodies. */
class Scene {
  readonly octree: Octree<number>;
  readonly bodies: Body<number>[];
  readonly list = new IndexList();
  readonly contacts;
  readonly sensors;
  readonly bands;
  /** Half the edge of the first sensor. */
  reach = 40;
  /** The pairs and the bodies inside, as the reported changes tell them. */
  private readonly pairs = new Set<string>();
  private readonly inside: Set<number>[] = [];
  /** Where the world is now. */
  origin = [0, 0, 0];

  constructor({ isFast, isFollowed }: Setting, stage: Stage) {
    this.octree = new Octree<number>({ simdFrom: isFast ? 0 : Infinity, leafCapacity: 4 });
    const { octree } = this;
    this.contacts = isFollowed ? core.trackContacts(octree) : null;
    this.sensors = isFollowed
      ? [core.watch(octree, boxOf(cube(0, 0, 0, 40))), core.watch(octree, sphereOf([20, 0, 0, 30]))]
      : [];
    this.bands = isFollowed ? core.watchDistances(octree, point([1, 2, 3]), [9, 30]) : null;
    for (let k = 0; k < this.sensors.length; k++) this.inside.push(new Set());
    if (isFollowed) core.idOf(octree, octree.insert(boxOf(cube(0, 0, 0)), 0).index);
    this.bodies = SHAPES.slice(octree.size).map((shape, k) => octree.insert(shapeOf(shape), k));
    if (stage === 'new') return;
    this.update();
    // The first query allocates what all share.
    octree.collectBox(boxOf(cube(0, 0, 0)), this.list);
    if (stage === 'built') return;
    for (const body of this.bodies.slice(0, 20)) move(body, 3);
    for (const body of this.bodies.slice(30, 34)) body.remove();
    for (const shape of MORE) octree.insert(shapeOf(shape), 99);
    this.bodies[40].setMask(2);
  }

  /** An update, whose changes are noted. */
  update(): void {
    this.octree.update(0.1);
    this.readReports();
  }

  /** Notes that the whole world was moved. */
  translate(vector: readonly number[]): void {
    core.translate(this.octree, point(vector));
    this.origin = this.origin.map((at, axis) => at + vector[axis]);
  }

  /** Notes that all bodies were removed, which is not reported. */
  clear(): void {
    this.octree.clear();
    this.pairs.clear();
    for (const inside of this.inside) inside.clear();
  }

  /** Notes what the last update has reported. */
  readReports(): void {
    const { contacts, inside, pairs, sensors } = this;
    if (contacts !== null) {
      for (const pair of pairsIn(contacts.ended)) pairs.delete(pair);
      for (const pair of pairsIn(contacts.began)) pairs.add(pair);
      expectSame('pairs', [...pairs].sort(), [...pairsIn(contacts.stayed), ...pairsIn(contacts.began)].sort());
    }
    for (const [k, sensor] of sensors.entries()) {
      for (const index of sensor.left) inside[k].delete(index);
      for (const index of sensor.entered) inside[k].add(index);
      expectSame('inside', [...inside[k]].sort(byNumber), [...sensor.inside]);
    }
  }

  /** The bodies as last set, as text. */
  get state(): string {
    const { octree } = this;
    return [...octree]
      .map(({ data, index, isStatic, mask }) => [index, data, isStatic, mask, ...numbersOf(octree, index)].join())
      .join(' ');
  }

  /** Throws unless every query equals the reference, and all invariants hold. */
  check(): void {
    const { octree, list } = this;
    const expected = expectedOf(this);
    for (const [k, query] of EXAMPLES.entries()) {
      queryIndices(octree, query, list);
      expectSame(query.kind, [...list].sort(byNumber), expected.queries[k]);
    }
    expectSame('validate', validate(octree), []);
  }

  /** Throws unless contacts and sensors agree with the reference. Call it after an update. */
  checkFollowers(): void {
    const { areas, pairs } = expectedOf(this);
    if (this.contacts !== null) expectSame('contacts', [...this.pairs].sort(), pairs);
    for (const [k, inside] of this.inside.entries()) expectSame(`sensor ${k}`, [...inside].sort(byNumber), areas[k]);
  }
}

/** Throws unless two lists are the same. `expect` would take most of the time. */
function expectSame(name: string, found: readonly unknown[], expected: readonly unknown[]): void {
  if (found.join() !== expected.join())
    throw new Error(`${name}: ${found.length} [${found.join()}] in place of ${expected.length} [${expected.join()}]`);
}

interface Expected {
  /** Indices that each of EXAMPLES reports, pairs included, ascending. */
  readonly queries: readonly (readonly number[])[];
  readonly pairs: readonly string[];
  /** Indices of the bodies in the sensors. */
  readonly areas: readonly (readonly number[])[];
}
const expectedByState = new Map<string, Expected>();

function indicesOf(results: readonly ReferenceResult[]): number[] {
  return results.flatMap(({ index, other }) => (other < 0 ? [index] : [index, other])).sort(byNumber);
}

/** What the reference finds for the bodies of a scene. */
function expectedOf({ octree, origin, reach, state }: Scene): Expected {
  const key = `${origin.join()} ${reach} ${state}`;
  let expected = expectedByState.get(key);
  if (expected !== undefined) return expected;
  const reference = referenceOf(octree);
  const [x, y, z] = origin;
  expected = {
    queries: EXAMPLES.map((query) => indicesOf(queryReference(reference, query))),
    pairs: reference
      .pairs()
      .map(({ index, other }) => `${Math.min(index, other)} ${Math.max(index, other)}`)
      .sort(),
    areas: [indicesOf(reference.box(boundsOf(cube(x, y, z, reach)))), indicesOf(reference.sphere([x + 20, y, z], 30))],
  };
  expectedByState.set(key, expected);
  return expected;
}

function pairsIn({ array, length }: IndexList): string[] {
  return Array.from({ length: length / 2 }, (_, k) => `${array[2 * k]} ${array[2 * k + 1]}`);
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function move(body: Body<number>, by: number): void {
  const { min, max } = body.getBox();
  const center = [min.x + max.x, min.y + max.y, min.z + max.z].map((sum) => sum / 2 + by);
  if (body.kind === 'box') body.setBox(boxOf([min.x + by, min.y, min.z, max.x + by, max.y, max.z]));
  else body.setCenter(point(center));
}

function numbersOf(octree: Octree<number>, index: number): number[] {
  if (octree.bodyAt(index).kind === 'sphere') {
    const { center, radius } = octree.getSphereAt(index);
    return [center.x, center.y, center.z, radius];
  }
  const { min, max } = octree.getBoxAt(index);
  return [min.x, min.y, min.z, max.x, max.y, max.z];
}

/** The reference, with the bodies of an octree as last set. */
function referenceOf(octree: Octree<number>): BruteForce {
  const reference = new BruteForce();
  for (const { index, isStatic, mask } of octree) {
    const numbers = numbersOf(octree, index);
    if (numbers.length === 6) reference.setBox(index, numbers, { mask, isStatic });
    else reference.setSphere(index, numbers, { mask, isStatic });
  }
  return reference;
}

const PLANES = planesOf([
  [0, 1, 0, 3],
  [1, 0, 0, 4],
]);

/** A call of one or more public functions. Its name is that of the function, and after a colon what is special. */
type Call = (scene: Scene) => unknown;

const ALL = Array.from({ length: BODIES }, (_, k) => k);
const manyBoxes = (by: number): Float64Array =>
  Float64Array.from(ALL.flatMap((k) => cube(by + k - 32, k % 7, 2 * (k % 9), 1 + (k % 3))));
const manyCenters = (by: number): Float64Array =>
  Float64Array.from(ALL.flatMap((k) => [by + k - 32, k % 7, 2 * (k % 9)]));
const inFilter =
  (call: Call): Call =>
  (scene) => {
    let isFirst = true;
    const filter = (): boolean => {
      if (isFirst) call(scene);
      isFirst = false;
      return true;
    };
    scene.octree.collectBox(boxOf(cube(0, 0, 0, 99)), scene.list, { filter });
  };
const moveAll: Call = ({ octree }) => {
  octree.moveMany(ALL, manyBoxes(5));
};

/** The calls that write. */
const WRITES: Readonly<Record<string, Call>> = {
  'insert: a box': ({ octree }) => octree.insert(boxOf(cube(7, 7, 7)), 1),
  'insert: far away': ({ octree }) => octree.insert(sphereOf([1e6, 7, 7, 2]), 1),
  'insert: in a filter': inFilter(({ octree }) => octree.insert(sphereOf([1, 7, 7, 2]), 1)),
  insertMany: ({ octree }) => octree.insertMany(manyBoxes(9), { kind: 'box', data: ALL, mask: ALL }),
  'moveMany: boxes': moveAll,
  'moveMany: centres': ({ octree }) => {
    octree.moveMany(ALL, manyCenters(5));
  },
  'moveMany: in a filter': inFilter(moveAll),
  'moveMany: centres in a filter': inFilter(({ octree }) => {
    octree.moveMany(ALL, manyCenters(5));
  }),
  removeMany: ({ octree }) => octree.removeMany(ALL.slice(3, 50)),
  'removeMany: in a filter': inFilter(({ octree }) => octree.removeMany(ALL.slice(3, 50))),
  'setMaskMany: one': ({ octree }) => {
    octree.setMaskMany(ALL.slice(3, 50), 2);
  },
  'setMaskMany: many': ({ octree }) => {
    octree.setMaskMany(ALL.slice(3, 50), ALL.slice(3, 50));
  },
  'setMaskMany: in a filter': inFilter(({ octree }) => {
    octree.setMaskMany(ALL.slice(3, 50), 2);
  }),
  remove: ({ octree, bodies }) => octree.remove(bodies[5]),
  'Body.remove': ({ bodies }) => bodies[5].remove(),
  'Body.setBox': ({ bodies }) => bodies[5].setBox(boxOf(cube(1, 2, 3, 4))),
  'Body.setBox: in a filter': inFilter(({ bodies }) => bodies[5].setBox(boxOf(cube(1, 2, 3, 4)))),
  'Body.setSphere': ({ bodies }) => bodies[5].setSphere(sphereOf([1, 2, 3, 4])),
  'Body.setCenter': ({ bodies }) => bodies[6].setCenter(point([1, 2, 3])),
  'Body.setCenter: in a filter': inFilter(({ bodies }) => bodies[6].setCenter(point([1, 2, 3]))),
  'Body.setMask': ({ bodies }) => {
    bodies[5].setMask(0);
  },
  clear: (scene) => {
    scene.clear();
  },
  update: ({ octree }) => octree.update(0.1),
  moveManyById: ({ octree }) => core.moveManyById(octree, core.idsOf(octree, ALL), manyCenters(3)),
  removeManyById: ({ octree }) => core.removeManyById(octree, core.idsOf(octree, ALL.slice(9))),
  setMaskManyById: ({ octree }) => core.setMaskManyById(octree, core.idsOf(octree, ALL.slice(9)), 2),
  translate: (scene) => {
    scene.translate([1000, 0, -3]);
  },
  trackContacts: ({ octree }) => core.trackContacts(octree, { within: 2 }),
  watch: ({ octree }) => core.watch(octree, sphereOf([1, 2, 3, 4])),
  watchDistances: ({ octree }) => core.watchDistances(octree, point([1, 2, 3]), [4, 8]),
  onIntersection: ({ octree, bodies }) => core.onIntersection(octree, bodies[5], () => undefined),
  setOccluder: ({ octree, bodies }) => {
    core.setOccluder(octree, bodies[5], true);
  },
  'Sensor.moveTo': (scene) => {
    scene.sensors[0]?.moveTo(boxOf(cube(0, 0, 0, 55)));
    scene.reach = 55;
  },
  'Sensor.moveTo: another shape': ({ octree }) => core.watch(octree, sphereOf([1, 2, 3, 4])).moveTo(PLANES),
  'DistanceBands.moveTo': ({ bands }) => bands?.moveTo(point([4, 5, 6])),
  'Contacts.stop': ({ octree }) => {
    core.trackContacts(octree, { within: 2 }).stop();
  },
  'Sensor.stop': ({ octree }) => {
    core.watch(octree, PLANES).stop();
  },
  'DistanceBands.stop': ({ octree }) => {
    core.watchDistances(octree, point([1, 2, 3]), [4, 8]).stop();
  },
  idOf: ({ octree }) => core.idOf(octree, 5),
  idsOf: ({ octree }) => core.idsOf(octree, ALL),
};

/** The stages in which a call is tried. */
const stages = (name: string): readonly Stage[] =>
  ['update', 'clear', 'collectBox'].includes(name) ? ['new', 'built', 'moving'] : ['built'];

const READS: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(
    QUERY_SPECS.flatMap(({ methods, example, ...spec }) => {
      const rows: [string, Call][] = [];
      const row = (name: QueryName | undefined, ...values: unknown[]): void => {
        if (name !== undefined)
          rows.push([name, ({ octree }) => callOf(octree, name)(...spec.arguments(example), ...values)]);
      };
      row(methods.records);
      row(methods.first);
      row(methods.firstIndex);
      row(methods.any);
      rows.push([
        methods.indices,
        ({ octree }) => callOf(octree, methods.indices)(...spec.arguments(example), new IndexList()),
      ]);
      return rows;
    }),
  ),
  castRays: ({ octree }) => {
    const indices = new Int32Array(300);
    core.castRays(octree, RAYS, { indices, distances: new Float64Array(300) });
    return indices.join();
  },
  sortByDistance: ({ octree, list }) => {
    octree.collectBox(boxOf(cube(0, 0, 0, 99)), list);
    core.sortByDistance(octree, list, point([1, 2, 3]));
  },
  assignBands: ({ octree, list }) => {
    octree.collectBox(boxOf(cube(0, 0, 0, 99)), list);
    core.assignBands(octree, list, point([1, 2, 3]), [5, 9], new Uint8Array(100));
  },
  indexOfId: ({ octree }) => core.indexOfId(octree, core.idOf(octree, 5)),
  collectVisible: ({ octree, list }) => core.collectVisible(octree, camera(), list),
  intersectVisible: ({ octree }) => core.intersectVisible(octree, camera()),
  solidBoxes: () =>
    core.solidBoxes({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], index: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }),
  bodyAt: ({ octree }) => octree.bodyAt(3),
  dataAt: ({ octree }) => octree.dataAt(3),
  getBoxAt: ({ octree }) => octree.getBoxAt(3),
  getSphereAt: ({ octree }) => octree.getSphereAt(3),
  has: ({ octree, bodies }) => octree.has(bodies[5]),
  'Body.getBox': ({ bodies }) => bodies[5].getBox(),
  'Contacts.bodyAt': ({ octree }) => core.trackContacts(octree).bodyAt(5).index,
  'Sensor.bodyAt': ({ octree }) => core.watch(octree, PLANES).bodyAt(5).index,
  'DistanceBands.bodyAt': ({ octree }) => core.watchDistances(octree, point([1, 2, 3]), [4]).bodyAt(5).index,
  'DistanceBands.bandOf': ({ octree }) => core.watchDistances(octree, point([1, 2, 3]), [4]).bandOf(5),
  'OctreeNode.bodies': ({ octree }) => {
    let count = 0;
    octree.visitNodes((node) => void (count += node.bodies().length));
    return count;
  },
  'Body.getSphere': ({ bodies }) => bodies[5].getSphere(),
  visitNearest: ({ octree }) => core.visitNearest(octree, point([0, 0, 0]), () => undefined),
  visitCast: ({ octree }) => core.visitCast(octree, boxOf([-1, -1, -1, 1, 1, 1]), point([50, 0, 0]), () => undefined),
  visitRay: ({ octree }) => core.visitRay(octree, rayOf([-99, 0, 0], [1, 0, 0]), () => undefined),
  visitNodes: ({ octree }) => {
    octree.visitNodes(() => undefined);
  },
  walk: ({ octree }) => {
    octree.walk(() => undefined);
  },
};

const RAYS = Float64Array.from(
  Array.from({ length: 300 }, (_, k) => [-99, (k % 20) - 10, k / 30 - 5, 1, 0.01 * (k % 7), 0, 500]).flat(),
);

function camera(): PerspectiveCamera {
  const view = new PerspectiveCamera();
  view.position.z = 80;
  view.updateMatrixWorld();
  return view;
}

interface Outcome {
  faults: number;
  readonly damages: string[];
}

/** A result as text: records as the indices of their bodies. */
function textOf(result: unknown): string {
  if (Array.isArray(result)) return result.map(textOf).join();
  return result instanceof core.IntersectionRecord ? `${result.body.index} ${result.other?.index}` : String(result);
}

const statesBefore = new Map<string, string>();

/** The bodies before a call. */
function stateBefore(setting: Setting, stage: Stage): string {
  const name = nameOf(setting, stage);
  const state = statesBefore.get(name) ?? new Scene(setting, stage).state;
  statesBefore.set(name, state);
  return state;
}

/** Lets each allocation of a call fail once, or a sample of them that differs with the number of the row. */
function failEach(setting: Setting, stage: Stage, call: Call, isWrite: boolean, row: number): Outcome {
  const outcome: Outcome = { faults: 0, damages: [] };
  const before = stateBefore(setting, stage);
  const twin = new Scene(setting, stage);
  let result = '';
  const { allocations } = withFault(0, () => (result = textOf(call(twin))));
  const after = twin.state;
  for (const n of sampleOf(allocations, 8, row)) {
    const scene = new Scene(setting, stage);
    const { error } = withFault(n, () => call(scene));
    outcome.faults++;
    try {
      // Without an error the call went on without that memory.
      if (error !== undefined && !(error instanceof MemoryFault)) throw error;
      const { state } = scene;
      const isBefore = error !== undefined && state === before;
      if (!isBefore) expectSame('state', [state], [after]);
      // An update that has thrown has reported, too: what it could not find out, the next one reports.
      if (call === WRITES.update) scene.readReports();
      scene.check();
      if (!isWrite) {
        expectSame('result', [textOf(call(scene))], [result]);
        continue;
      }
      if (isBefore) {
        call(scene);
        expectSame('state', [scene.state], [after]);
      }
      if (call === WRITES.update) scene.readReports();
      scene.update();
      scene.checkFollowers();
      scene.check();
      for (const body of [...scene.octree].slice(0, 30)) move(body, -4);
      scene.update();
      scene.checkFollowers();
    } catch (damage) {
      outcome.damages.push(`allocation ${n} of ${allocations}: ${String(damage).slice(0, 300)}`);
    }
  }
  return outcome;
}

function nameOf({ isFast, isFollowed }: Setting, stage: Stage): string {
  return `${stage}, ${isFast ? 'WebAssembly' : 'JavaScript'}${isFollowed ? ', followed' : ''}`;
}

let rows = 0;
for (const [isWrite, calls] of [
  [true, WRITES],
  [false, READS],
] as const)
  describe(isWrite ? 'writes' : 'reads', () => {
    for (const [name, call] of Object.entries(calls))
      for (const setting of SETTINGS) {
        if (!isWrite && setting.isFollowed) continue;
        for (const stage of stages(name)) {
          const row = rows++;
          const title = `${name}, ${nameOf(setting, stage)}`;
          it(title, () => {
            const { faults, damages } = failEach(setting, stage, call, isWrite, row);
            expect(damages, `of ${faults}`).toEqual([]);
          });
        }
      }
  });

/** Methods of the classes that are not public. */
const INTERNAL = [
  'belongsTo',
  'indexIn',
  'markRemoved',
  'storeMask',
  'writableIndex',
  'aliveIndex',
  'walkFor',
  'list',
  'call',
  ...['restart', 'readChanges', 'report', 'remove', 'accepts', 'clear'].map((name) => `Contacts.${name}`),
];

function methodsOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor' && !INTERNAL.includes(name))
    .map(([name]) => name);
}

it('has a row for every public function of the core, and for every method of octrees and bodies', () => {
  const { bodies, contacts, sensors, bands } = new Scene(SETTINGS[1], 'new');
  const names = [
    ...Object.keys(library).filter((name) => /^[a-z]/.test(name)),
    ...methodsOf(Octree.prototype),
    ...methodsOf(ReadableOctree.prototype),
    ...[bodies[0], contacts!, sensors[0], bands!].flatMap(({ constructor: { name, prototype } }) =>
      methodsOf(prototype as object).map((method) => `${name}.${method}`),
    ),
  ];
  const rows = [...Object.keys(WRITES), ...Object.keys(READS)].map((name) => name.split(':')[0]);
  expect(names.filter((name) => !rows.includes(name) && !INTERNAL.includes(name))).toEqual([]);
});
