import { PerspectiveCamera } from 'three';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/index.ts';
import * as library from '../../src/index.ts';
import {
  Capsule,
  Convex,
  CustomVolume,
  idOf,
  IndexList,
  Octree,
  OrientedBox,
  RayRange,
  Segment,
} from '../../src/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { callOf, QUERY_SPECS } from '../support/queries.ts';
import type { QueryName } from '../support/query-kinds.ts';
import { errorOf, stateNumbers, stateOf } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, point } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

/**
 * Values of every type and shape, and what each kind of query names as invalid. Most of them are invalid as most
 * arguments.
 */
const INVALID_VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.5,
  NaN,
  Infinity,
  -Infinity,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** 32,
  2 ** 53,
  10n,
  '',
  'box',
  '3',
  Symbol('invalid'),
  [],
  [NaN],
  [1, 2, 3],
  Array.from({ length: 6 }),
  {},
  Object.create(null),
  new Date(0),
  new Map(),
  /x/,
  () => 0,
  async () => 0,
  Promise.resolve(1),
  new Float32Array(4),
  new Float64Array(6),
  new Float64Array(12).fill(NaN),
  new Uint8Array(6),
  new ArrayBuffer(8),
  new Proxy({}, {}),
  { length: 3 },
  { length: -1 },
  { mask: 'all' },
  { filter: 5 },
  { stats: 1 },
  { except: null },
  { except: 3 },
  { except: {} },
  { kind: 'cylinder' },
  { kind: 'box', data: [1] },
  { update: 1 },
  ...QUERY_SPECS.flatMap(({ invalid }) => invalid),
];

interface Target {
  readonly name: string;
  readonly octree: Octree<number>;
  readonly body: Body<number>;
  /** Valid arguments. The test replaces each of them by each of the values. */
  readonly arguments: readonly unknown[];
  readonly call: (...values: never[]) => unknown;
}

/** Every public function with valid arguments. The queries are those of QUERY_SPECS. */
function targets(): Target[] {
  const { octree, bodies } = octreeOf(uniform(40, 1));
  const body = bodies[7];
  const box = boxOf(cube(0, 0, 0));
  const camera = new PerspectiveCamera();
  const sphere = { center: point([0, 0, 0]), radius: 2 };
  const list = new IndexList();
  const on = (name: QueryName, ...values: unknown[]): Target => ({
    name,
    octree,
    body,
    arguments: values,
    call: (...given) => callOf(octree, name)(...given),
  });
  const make = (Shape: new (shape: never) => object, value: unknown): Target => ({
    name: Shape.name,
    octree,
    body,
    arguments: [value],
    call: (shape) => new Shape(shape),
  });
  const of = (
    name: 'setBox' | 'setSphere' | 'setCenter' | 'setMask' | 'getBox' | 'getSphere',
    ...values: unknown[]
  ): Target => ({
    name,
    octree,
    body,
    arguments: values,
    call: (...given) => (body[name] as (...all: never[]) => unknown)(...given),
  });
  const queries = QUERY_SPECS.flatMap(({ methods, example, ...spec }) => [
    on(methods.records, ...spec.arguments(example), {}, []),
    on(methods.indices, ...spec.arguments(example), list, {}),
    ...[methods.firstIndex, methods.any]
      .filter((name) => name !== undefined)
      .map((name) => on(name, ...spec.arguments(example), {})),
    ...[methods.first]
      .filter((name) => name !== undefined)
      .map((name) => on(name, ...spec.arguments(example), {}, null)),
  ]);
  return [
    { name: 'constructor', octree, body, arguments: [{}], call: (options) => new Octree(options) },
    { name: 'IndexList', octree, body, arguments: [4], call: (capacity) => new IndexList(capacity) },
    on('insert', box, 1, {}),
    on('insertMany', new Float64Array(6), { kind: 'box' }),
    on('moveMany', [7], new Float64Array(cube(0, 0, 0))),
    on('moveMany', [7], new Float64Array([0, 0, 0])),
    on('moveManyById', [idOf(octree, 7)], new Float64Array([0, 0, 0])),
    on('removeMany', []),
    on('removeManyById', []),
    on('setMaskMany', [3], 1),
    on('setMaskManyById', [idOf(octree, 3)], 1),
    on('idOf', 3),
    on('idsOf', [3], new Float64Array(1)),
    on('indexOfId', idOf(octree, 3)),
    on('translate', { x: 8, y: 0, z: -3 }),
    on('bodyAt', 3),
    on('dataAt', 3),
    on('getBoxAt', 3),
    on('getSphereAt', 3),
    on('watch', box, {}),
    on('watchDistances', { x: 0, y: 0, z: 0 }, [5], {}),
    on('has', body),
    on('update', 0.1),
    ...queries,
    make(Capsule, { start: point([0, 0, 0]), end: point([1, 0, 0]), radius: 1 }),
    make(Segment, { start: point([0, 0, 0]), end: point([1, 0, 0]) }),
    make(OrientedBox, {
      center: point([0, 0, 0]),
      halfSize: point([1, 1, 1]),
      rotation: { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    }),
    make(RayRange, { origin: point([0, 0, 0]), direction: point([1, 0, 0]) }),
    make(Convex, planesOf([[0, 1, 0, 0]]).planes),
    make(CustomVolume, { overlap: () => 1, touchesBox: () => true, touchesSphere: () => true }),
    on('trackContacts', {}),
    on('onIntersection', body, () => undefined),
    on('setOccluder', body, true),
    {
      name: 'solidBoxes',
      octree,
      body,
      arguments: [{ positions: new Float32Array(9) }, {}],
      call: (...given) => library.solidBoxes(...(given as unknown as Parameters<typeof library.solidBoxes>)),
    },
    on('collectVisible', camera, list),
    on('intersectVisible', camera),
    on(
      'castRays',
      new Float64Array([0, 0, 0, 1, 0, 0, 9]),
      { indices: new Int32Array(1), distances: new Float64Array(1) },
      {},
    ),
    on('visitNearest', point([0, 0, 0]), () => undefined, {}),
    on('sortByDistance', list, point([0, 0, 0])),
    on('assignBands', list, point([0, 0, 0]), [5], new Uint8Array(100), 0.1),
    on('visitNodes', () => undefined),
    on('walk', () => undefined),
    of('setBox', box),
    of('setSphere', sphere),
    of('setCenter', point([0, 0, 0])),
    of('setMask', 1),
    of('getBox'),
    of('getSphere'),
  ];
}

function freshTarget(name: string): Target {
  return targets().find((target) => target.name === name)!;
}

function nameOf(value: unknown): string {
  return inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 60);
}

it('every query method of the octree has an entry in QUERY_SPECS, and every function of the library is a target, with arguments that are valid', () => {
  const names = targets().map(({ name }) => name);
  const methods: string[] = [];
  for (let owner: object = Octree.prototype; owner !== Object.prototype; owner = Object.getPrototypeOf(owner) as object)
    methods.push(...Object.getOwnPropertyNames(owner));
  const queries = methods.filter((name) => /^(intersect|collect|cast|has)[A-Z]|^firstHit/.test(name));
  expect(queries).toContain('collectBox');
  expect(queries.filter((name) => !names.includes(name))).toEqual([]);
  const functions = Object.keys(library).filter((name) => /^[a-z]/.test(name));
  expect(functions).toContain('castRays');
  expect(functions.filter((name) => !names.includes(name))).toEqual([]);
  for (const { call, arguments: valid } of targets()) expect(() => call(...(valid as never[]))).not.toThrow();
});

describe('every public function with every invalid value as every argument', () => {
  it.each(targets().map(({ name }) => name))(
    '%s returns, or throws a RangeError or TypeError that names it and changes nothing',
    (name) => {
      const { arguments: good } = freshTarget(name);
      let rejected = 0;
      const sentence = name === 'constructor' ? /^Octree: / : new RegExp(`^(Octree\\.|Body\\.|)${name}: `);
      let { octree, call } = freshTarget(name);
      let [before, numbersBefore] = [stateOf(octree), stateNumbers(octree)];
      for (let place = 0; place < Math.max(good.length, 1); place++) {
        for (const invalid of INVALID_VALUES) {
          const values = good.length === 0 ? [invalid] : good.map((value, i) => (i === place ? invalid : value));
          const thrown = errorOf(() => call(...(values as never[])));
          if (thrown === undefined) {
            // The value is valid here, so the call may have changed the octree.
            const faults = validate(octree);
            if (faults.length > 0) expect(faults).toEqual([]);
            ({ octree, call } = freshTarget(name));
            [before, numbersBefore] = [stateOf(octree), stateNumbers(octree)];
            continue;
          }
          rejected++;
          const numbers = stateNumbers(octree);
          const isSame =
            numbers.length === numbersBefore.length && numbers.every((value, k) => Object.is(value, numbersBefore[k]));
          const isRight =
            (thrown instanceof RangeError || thrown instanceof TypeError) && sentence.test(thrown.message);
          // The texts of a call and of a state take longer than the call.
          if (!isRight || !isSame)
            expect({
              call: `${name}(${values.map(nameOf).join(', ')})`,
              thrown,
              state: stateOf(octree),
              numbers,
            }).toEqual({ thrown: sentence, state: before, numbers: numbersBefore });
        }
      }
      if (name !== 'has') expect(rejected).toBeGreaterThan(10);
    },
  );
});
