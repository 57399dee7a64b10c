// Measures the time of work that may be shorter than the resolution of the clock.

import { timeOf } from '../shared/clock.ts';

/** Minimum number of measurements, even over budget, because an interruption may distort a single one. */
const MIN_SAMPLES = 3;

export interface Measured<Result> {
  readonly result: Result;
  readonly milliseconds: number;
}

/**
 * Time of one run of short work: the minimum of repeated runs within the budget, because interruptions only add time.
 */
export function measureTime<Result>(work: () => Result, budgetMs: number): Measured<Result> {
  const start = performance.now();
  const result = work();
  let best = Infinity;
  for (let samples = 0; samples < MIN_SAMPLES || performance.now() - start < budgetMs; samples++)
    best = Math.min(best, timeOf(work));
  return { result, milliseconds: best };
}

/** Time of one run of long work. */
export function measureTimeOnce<Result>(work: () => Result): Measured<Result> {
  const start = performance.now();
  const result = work();
  return { result, milliseconds: performance.now() - start };
}
