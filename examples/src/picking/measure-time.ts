// How long something takes that may be over sooner than the clock can tell.

/** Clocks of pages that are not isolated tick ten times a millisecond: shorter stretches are not samples. */
const MIN_SAMPLE_MS = 0.4;
/** Stretches samples at least, however late it is: the machine may have done something else during the first one. */
const MIN_SAMPLES = 3;

export interface Measured<Result> {
  readonly result: Result;
  readonly milliseconds: number;
}

/** The time of one run of short work: the best of many that fill about the budget, as the rest is what the machine did meanwhile. */
export function measureTime<Result>(work: () => Result, budgetMs: number): Measured<Result> {
  const start = performance.now();
  const result = work();
  let best = Infinity;
  for (let runs = 1, samples = 0; samples < MIN_SAMPLES || performance.now() - start < budgetMs; ) {
    const time = timeOf(work, runs);
    if (time < MIN_SAMPLE_MS) runs *= 2;
    else {
      best = Math.min(best, time / runs);
      samples++;
    }
  }
  return { result, milliseconds: best };
}

/** The time of work that is too long to be done twice. */
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
