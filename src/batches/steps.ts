/** Work in slices: generators that yield where they may stop, and the clock that stops them. */

import { clock } from '../math/clock.ts';

/**
 * Members that are visited in one step: 0.1 ms, if nothing of them is in the cache. A power of two. static-batches.test
 * fails if it is larger.
 */
const VISITS_PER_STEP = 16;
let visits = 0;

/**
 * Whether a step ends at this visit, in any work: loops that only visit members yield then. Work that takes longer,
 * such as writing a mesh, yields each time.
 */
export function endsStep(): boolean {
  return (++visits & (VISITS_PER_STEP - 1)) === 0;
}

/**
 * Goes on with work until a deadline, by at least one step.
 *
 * @returns Whether all is done.
 */
export function runSteps(steps: Iterator<void>, deadline: number): boolean {
  do if (steps.next().done) return true;
  while (clock.now() < deadline);
  return false;
}
