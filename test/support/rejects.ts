import { expect } from 'vitest';
import type { Octree } from '../../src/index.ts';
import { boxOf } from './shapes.ts';
import { LIMIT } from './nasty-numbers.ts';



/** All that can be asked of an octree without changing it. */
export function stateOf(octree: Octree<number>): object {
  const everything = boxOf([-LIMIT, -LIMIT, -LIMIT, LIMIT, LIMIT, LIMIT]);
  const bodies = octree.intersectBox(everything).map(({ body, position, distance }) => `${body.index} ${body.data} ${body.mask} ${position.toArray().join(' ')} ${distance}`);
  const pairs = octree.intersectPairs().map(({ body, other }) => `${body.index}+${other!.index}`);
  return { size: octree.size, region: octree.region, bodies, pairs, faults: octree.validate() };
}

/**
 * The call must throw an error of this class whose sentence matches, begins with the name of a function and a colon, and ends with a remedy after a
 * semicolon; and nothing may have changed.
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
