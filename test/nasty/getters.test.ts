/**
 * Arguments whose fields are accessors, or whose arrays are only shaped like arrays: each field is read once, before
 * anything is written. So a call equals what happens in a getter, followed by the call with plain values. The same for
 * every field of every argument in `targets`.
 */

import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { IndexList, IntersectionRecord } from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';
import { CASES, copyOf, define, targetAt } from '../support/argument-paths.ts';
import type { Target } from '../support/public-calls.ts';
import { stateNumbers } from '../support/rejects.ts';
import { sampleFrom } from '../support/sampled.ts';
import { boxOf, cube } from '../support/shapes.ts';

/** What a call has returned and written, as plain values. */
function outcomeOf(target: Target, call: () => unknown): unknown {
  const thrown: { error?: unknown; result?: unknown } = {};
  try {
    thrown.result = call();
  } catch (error) {
    thrown.error = String(error);
  }
  const { octree } = target;
  const lists = target.arguments.map((value) =>
    ArrayBuffer.isView(value) ? value : value instanceof IndexList ? [...value] : 0,
  );
  const outcome = { error: thrown.error, result: plain(thrown.result), lists };
  octree.update();
  return [outcome, plain(thrown.result), stateNumbers(octree), validate(octree)];
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof IntersectionRecord)
    return [
      value.body.index,
      value.other?.index,
      value.distance,
      value.inside,
      value.position.toArray(),
      value.normal.toArray(),
    ];
  if ('inside' in value) return [...(value.inside as IndexList)];
  if ('stayed' in value) return [...(value.stayed as IndexList)];
  if ('values' in value || 'ray' in value) return JSON.stringify(value);
  return value.constructor.name;
}

/** `toEqual` takes several times as long. */
function expectEqual(outcome: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(outcome, expected)) expect(outcome).toEqual(expected);
}

/** What a getter may do. */
const ACTIONS: readonly (readonly [string, (target: Target) => unknown])[] = [
  ['inserts a body', ({ octree }) => octree.insert(boxOf(cube(3, 3, 3)), 1000)],
  ['removes the body', ({ body }) => body.remove()],
  ['removes another body', ({ octree }) => octree.bodyAt(3).remove()],
  [
    'moves bodies',
    ({ octree, body }) => {
      if (octree.has(body)) body.setBox(boxOf(cube(7, 7, 7)));
      octree.bodyAt(4).setSphere({ center: { x: 1, y: 2, z: 3 }, radius: 4 });
      octree.bodyAt(6).setCenter({ x: 9, y: 8, z: 7 });
    },
  ],
  [
    'replaces all bodies',
    ({ octree }) => {
      octree.clear();
      for (let k = 0; k < 40; k++) octree.insert(boxOf(cube(k, k, k)), 2000 + k);
    },
  ],
];

it(`every field of an argument is read at most once: ${CASES.flatMap(({ paths }) => paths).length} fields of ${CASES.length} calls`, () => {
  const faults: string[] = [];
  for (const { number, areArrayLike, name, paths } of CASES) {
    const target = targetAt(number, areArrayLike);
    // The innermost fields first, because a getter hides what is below it.
    for (const path of [...paths].sort((a, b) => b.length - a.length)) {
      let reads = 0;
      define(target, path, (value) => {
        if (++reads === 2) faults.push(`${name}: ${path.join('.')}`);
        return value;
      });
    }
    target.call(...(target.arguments as never[]));
  }
  expect(faults).toEqual([]);
});

/** In a sample half of the calls write, the other half call. */
const [WRITING, CALLING] = [sampleFrom(CASES, 2), sampleFrom(CASES, 2, 1)];

it.each(WRITING)('a getter of $name may write to the octree: as if it had written before the call', (each) => {
  const { number, areArrayLike, paths } = each;
  const faults: object[] = [];
  for (const [a, [label, act]] of ACTIONS.entries()) {
    const twin = targetAt(number, areArrayLike);
    const expected = outcomeOf(twin, () => {
      act(twin);
      return twin.call(...(twin.arguments as never[]));
    });
    // Each field with one of the actions; of few fields each with all.
    for (const path of paths.length <= 4 ? paths : paths.filter((_, k) => k % ACTIONS.length === a)) {
      const target = targetAt(number, areArrayLike);
      let reads = 0;
      define(target, path, (value) => {
        if (reads++ === 0) act(target);
        return value;
      });
      const outcome = outcomeOf(target, () => target.call(...(target.arguments as never[])));
      try {
        // A query, and what reads in a workspace, refuses to be cleared meanwhile.
        if (reads > 0 && !JSON.stringify(outcome).includes('Error: Octree.clear: must not'))
          expectEqual(outcome, expected);
      } catch (error) {
        faults.push({ label, path: path.join('.'), error: (error as Error).message.slice(0, 1500) });
      }
    }
  }
  expect(faults).toEqual([]);
});

it.each(CALLING)(
  'a getter of $name may make the same call: both do what they do alone',
  ({ number, areArrayLike, paths }) => {
    const faults: object[] = [];
    const twin = targetAt(number, areArrayLike);
    const expected = outcomeOf(twin, () => {
      twin.call(...(twin.arguments as never[]));
      return twin.call(...(twin.arguments as never[]));
    });
    for (const path of paths) {
      const target = targetAt(number, areArrayLike);
      // Bodies, lists and arrays for results are those of the outer call.
      const inner = target.arguments.map(copyOf);
      let reads = 0;
      define(target, path, (value) => {
        if (reads++ === 0) target.call(...(inner as never[]));
        return value;
      });
      const outcome = outcomeOf(target, () => target.call(...(target.arguments as never[])));
      try {
        if (reads > 0) expectEqual(outcome, expected);
      } catch (error) {
        faults.push({ path: path.join('.'), error: (error as Error).message.slice(0, 1500) });
      }
    }
    expect(faults).toEqual([]);
  },
);
