// Measures the time of work that may be shorter than the resolution of the clock.

/**
 * Minimum length of one measurement. The clock of a page that is not cross-origin isolated has a resolution of 0.1 ms.
 */
const MIN_SAMPLE_MS = 0.4;
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
  for (let runs = 1, samples = 0; samples < MIN_SAMPLES || performance.now() - start < budgetMs;) {
    const time = timeOf(work, runs);
    if (time < MIN_SAMPLE_MS) runs *= 2;
    else {
      best = Math.min(best, time / runs);
      samples++;
    }
  }
  return { result, milliseconds: best };
}

/** Time of one run of long work. */
export function measureTimeOnce<Result>(work: () => Result): Measured<Result> {
  const start = performance.now();
  const result = work();
  return { result, milliseconds: performance.now() - start };
}

function timeOf(work: () => unknown, runs: number): number {
  const start = performance.now();
  for (let run = 0; run < runs; run++) work();
  return performance.now() - start;
}
