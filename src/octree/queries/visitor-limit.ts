/** What the visitor of a search returns: the new maximum of the distance or time, or the end of the search. */

import type { Body } from '../bodies/body.ts';
import { describe, throwType } from '../input/input-checks.ts';
import type { MathTypes, PlainMath } from '../input/math-types.ts';

/**
 * Gets a body and its distance, in world units, or its time of a motion, from 0 to 1. Returns the new maximum, `false`
 * to end the search, or nothing to leave the maximum as it is.
 */
export type HitVisitor<T, M extends MathTypes = PlainMath> = (body: Body<T, M>, time: number) => number | false | void;

/** What a visitor may return. */
export type VisitorResult = number | false | void;

export function requireVisitor(where: string, visitor: unknown, parameters: string): void {
  if (typeof visitor !== 'function')
    throwType(where, 'visitor', 'be a function', visitor, `pass (${parameters}) => {}`);
}

/**
 * The maximum that a visitor has returned: -1 for the end of the search, Infinity for no change. `measure` is what it
 * limits.
 */
export function readLimit(where: string, measure: 'distance' | 'time', result: VisitorResult): number {
  if (result === undefined) return Infinity;
  if (result === false) return -1;
  if (typeof result !== 'number') {
    throw new TypeError(
      `${where}: the visitor must return a ${measure}, false or nothing, but returned ${describe(result)}; use a visitor that is not async.`,
    );
  }
  if (result >= 0) return result;
  throw new RangeError(
    `${where}: the visitor must return a ${measure} from 0, but returned ${result}; return false to end the search.`,
  );
}
