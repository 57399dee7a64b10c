/** Expects that a call throws and that the octree stays unchanged. */

import { expect } from 'vitest';
import type { Octree } from '../../src/index.ts';
import { boxOf } from './shapes.ts';
import { LIMIT } from './nasty-numbers.ts';

/** Everything that queries report about an octree. */
export function stateOf(octree: Octree<number>): object {
  const everything = boxOf([-LIMIT, -LIMIT, -LIMIT, LIMIT, LIMIT, LIMIT]);
  const bodies = octree.intersectBox(everything).map(({ body, position, distance }) => `${body.index} ${body.data} ${body.mask} ${position.toArray().join(' ')} ${distance}`);
  const pairs = octree.intersectPairs().map(({ body, other }) => `${body.index}+${other!.index}`);
  return { size: octree.size, region: octree.region, bodies, pairs, faults: octree.validate() };
}

/**
 * Expects that the call throws an error of this class, and that the octree stays unchanged. The message must match, and must begin
 * with the name of a function and a colon.
 */
export function expectRejection(octree: Octree<number>, call: () => unknown, errorClass: ErrorConstructor, sentence: RegExp): void {
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
