import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { Octree } from '../../src/index.ts';
import { CASES, copyOf, define, targetAt } from '../support/argument-paths.ts';
import { targets, type Target } from '../support/public-calls.ts';
import { QUERY_SPECS } from '../support/queries.ts';
import { GAP, errorOf, stateNumbers, stateOf } from '../support/rejects.ts';
import { validate } from '../../src/debug/index.ts';
import { sampleFrom } from '../support/sampled.ts';

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
  new Float64Array(new SharedArrayBuffer(48)),
  resizableFloats(),
  Object.freeze([0, 0, 0]),
  Object.freeze({}),
  new (class extends Array<number> {})(3),
  new (class Point extends library.IndexList {})(),
  JSON.parse('{ "__proto__": { "mask": "all" } }'),
  Object.create({ mask: 'all', filter: 5 }),
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

/** An array over a buffer that can change its size. The types of ES2022 do not know these. */
function resizableFloats(): Float64Array {
  const Buffer = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer;
  return new Float64Array(new Buffer(48, { maxByteLength: 96 }));
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
  for (const number of names.keys()) {
    const { call, arguments: valid } = targets()[number];
    expect(() => call(...(valid as never[]))).not.toThrow();
  }
});

function areSame(numbers: readonly number[], before: readonly number[]): boolean {
  return numbers.length === before.length && numbers.every((value, k) => Object.is(value, before[k]));
}

/** Run for each result of a query: the engine's own error, or a number that is written as it is converted. */
const UNCHECKED: ReadonlySet<string> = new Set(['IndexList.reserve', 'IndexList.push']);

describe('every public function with every invalid value as every argument', () => {
  it.each(targets().map(({ name }, number) => ({ name, number })))(
    '$number $name returns, or throws a RangeError or TypeError that names it and changes nothing',
    ({ name, number }) => {
      const fresh = (): Target => targets()[number];
      const { arguments: good } = fresh();
      let rejected = 0;
      const sentence = UNCHECKED.has(name)
        ? /./
        : name === 'constructor'
          ? /^Octree: /
          : new RegExp(`^(Octree\\.|Body\\.|)${name}: `);
      let { octree, call } = fresh();
      let numbersBefore = stateNumbers(octree);
      for (let place = 0; place < Math.max(good.length, 1); place++) {
        for (const invalid of INVALID_VALUES) {
          const values = good.length === 0 ? [invalid] : good.map((value, i) => (i === place ? invalid : value));
          const thrown = errorOf(() => call(...(values as never[])));
          const numbers = stateNumbers(octree);
          const isSame = areSame(numbers, numbersBefore);
          if (thrown === undefined) {
            // The value is valid here, so the call may have changed the octree.
            if (isSame) continue;
            const faults = validate(octree);
            if (faults.length > 0) expect(faults).toEqual([]);
            ({ octree, call } = fresh());
            numbersBefore = stateNumbers(octree);
            continue;
          }
          rejected++;
          const isRight =
            (thrown instanceof RangeError || thrown instanceof TypeError) &&
            sentence.test(thrown.message) &&
            !GAP.test(thrown.message);
          // The texts of a call and of a state take longer than the call.
          if (!isRight || !isSame)
            expect({
              call: `${name}(${values.map(nameOf).join(', ')})`,
              thrown,
              state: stateOf(octree),
              numbers,
            }).toEqual({ thrown: sentence, state: stateOf(fresh().octree), numbers: numbersBefore });
        }
      }
      if (name !== 'has' && good.length > 0 && !UNCHECKED.has(name)) expect(rejected).toBeGreaterThan(10);
    },
  );
});

/** Values that are wrong almost everywhere. */
const WRONG_FIELDS: readonly unknown[] = [
  undefined,
  null,
  NaN,
  Infinity,
  -1,
  10n,
  '3',
  Symbol('invalid'),
  {},
  Object.freeze({}),
];

it.each(CASES.filter(({ areArrayLike }) => !areArrayLike))(
  '$name with every wrong value in every field returns, or names the fault and changes nothing',
  (each) => {
    const { number, areArrayLike, paths } = each;
    let target = targetAt(number, areArrayLike);
    const sentence =
      target.name === 'constructor' ? /^Octree: / : new RegExp(`^(Octree\\.|Body\\.|)${target.name}: .+; .+`);
    const before = stateNumbers(target.octree);
    const faults: string[] = [];
    for (const [k, path] of paths.entries()) {
      const place = path.join('.');
      // Fields beside each other have other values.
      for (const value of sampleFrom(WRONG_FIELDS, 2, k)) {
        const own = { ...target, arguments: target.arguments.map(copyOf) };
        define(own, path, () => value);
        const thrown = errorOf(() => target.call(...(own.arguments as never[])));
        if (thrown === undefined) {
          if (areSame(stateNumbers(target.octree), before)) continue;
          const found = validate(target.octree);
          if (found.length > 0) faults.push(`${place} = ${nameOf(value)}: ${found[0]}`);
          target = targetAt(number, areArrayLike);
        } else if (
          !(thrown instanceof RangeError || thrown instanceof TypeError) ||
          !sentence.test(thrown.message) ||
          GAP.test(thrown.message)
        )
          faults.push(`${place} = ${nameOf(value)}: ${nameOf(thrown)}`);
      }
      if (!areSame(stateNumbers(target.octree), before)) faults.push(`${place}: the octree has changed`);
    }
    expect(faults).toEqual([]);
  },
);

/** A copy of an array or a list whose memory went to another thread. */
function transferred(value: unknown): unknown {
  if (value instanceof library.IndexList) {
    const list = new library.IndexList();
    structuredClone(list.array, { transfer: [list.array.buffer] });
    return list;
  }
  if (!ArrayBuffer.isView(value)) return undefined;
  const copy = (value as Float64Array).slice();
  structuredClone(copy, { transfer: [copy.buffer] });
  return copy;
}

it('every array and every list whose memory was transferred is an error that names it and the remedy', () => {
  let count = 0;
  for (const { name, arguments: valid, call, octree } of targets()) {
    const before = stateNumbers(octree);
    const attempts = valid.flatMap((value, place) => {
      const own = isRecord(value) ? Object.entries(value) : [];
      const fields = own.map(([key, each]) => [key, transferred(each)] as const);
      return [
        [place, transferred(value)] as const,
        ...fields
          .filter(([, each]) => each !== undefined)
          .map(([key, each]) => [place, { ...(value as object), [key]: each }] as const),
      ].filter(([, each]) => each !== undefined);
    });
    for (const [place, wrong] of attempts) {
      count++;
      const thrown = errorOf(() => call(...(valid.map((value, k) => (k === place ? wrong : value)) as never[])));
      expect(String(thrown), name).toMatch(
        new RegExp(
          `^TypeError: (Octree\\.)?${name}: \\S+ must have memory, but its buffer was transferred; pass a new array`,
        ),
      );
      expect(stateNumbers(octree)).toEqual(before);
    }
  }
  expect(count).toBeGreaterThan(25);
});

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
