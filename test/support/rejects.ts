/** Expects that a call throws and that the octree stays unchanged. */

import { expect } from 'vitest';
import { Box3, type Vector3 } from 'three';
import { collectPairs, IndexList, intersectPairs, type Octree } from '../../src/index.ts';
import { boxOf } from './shapes.ts';
import { LIMIT } from './nasty-numbers.ts';
import { validate } from '../../src/debug/index.ts';

/** Where the name of a field, what it must be, or the remedy is missing in a sentence. */
export const GAP = / {2}|; \.|must ,|: must/;

/** Everything that queries report about an octree. */
export function stateOf(octree: Octree<number>): object {
  const bodies = octree
    .intersectBox(EVERYTHING)
    .map(
      ({ body, position, distance }) =>
        `${body.index} ${body.data} ${body.mask} ${position.toArray().join(' ')} ${distance}`,
    );
  const pairs = intersectPairs(octree).map(({ body, other }) => `${body.index}+${other!.index}`);
  return { size: octree.size, region: octree.region, bodies, pairs, faults: validate(octree) };
}

/**
 * Everything that queries tell about an octree, as numbers: a tenth of the time of `stateOf`. Appends to `numbers`;
 * returns them.
 */
export function stateNumbers(octree: Octree<number>, numbers: number[] = []): number[] {
  // First, because it applies queued writes.
  octree.collectBox(EVERYTHING, found);
  const { size, region } = octree;
  numbers.push(size);
  if (region !== null) numbers.push(region.min.x, region.min.y, region.min.z, region.edge);
  for (const index of found.array.subarray(0, found.length)) {
    const { min, max } = octree.getBoxAt(index, bounds);
    numbers.push(index, octree.dataAt(index), octree.bodyAt(index).mask);
    pushPoint(numbers, min);
    pushPoint(numbers, max);
  }
  collectPairs(octree, found);
  for (const index of found.array.subarray(0, found.length)) numbers.push(index);
  numbers.push(validate(octree).length);
  return numbers;
}
const EVERYTHING = boxOf([-LIMIT, -LIMIT, -LIMIT, LIMIT, LIMIT, LIMIT]);
const found = new IndexList();
const bounds = new Box3();

function pushPoint(numbers: number[], { x, y, z }: Vector3): void {
  numbers.push(x, y, z);
}

/**
 * Expects that the call throws an error of this class, and that the octree stays unchanged. The message must match, and
 * must begin with the name of a function and a colon.
 */
export function expectRejection(
  octree: Octree<number>,
  call: () => unknown,
  errorClass: ErrorConstructor,
  sentence: RegExp,
): void {
  const before = stateOf(octree);
  const thrown = errorOf(call);
  expect(thrown, `expected ${sentence}`).toBeInstanceOf(errorClass);
  expect((thrown as Error).message).toMatch(sentence);
  expect((thrown as Error).message).toMatch(/^[\w.]+: .+/s);
  expect(stateOf(octree)).toEqual(before);
}

export function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
