// How long something takes that may be over sooner than the clock can tell.

/** Clocks of pages that are not isolated tick ten times a millisecond: shorter stretches are not measured. */
const SHORTEST_MS = 0.4;
/** Work that takes longer than this holds up the page enough when it is done once. */
const LONG_MS = 30;

export interface Timed<Result> {
  readonly result: Result;
  readonly milliseconds: number;
}

/**
 * Does the work at least once, and tells its time. Work that is not long is repeated until the budget is spent, and the best time
 * counts: the rest is what the machine did meanwhile.
 */
export function timed<Result>(work: () => Result, budgetMs: number): Timed<Result> {
  const start = performance.now();
  const result = work();
  const first = performance.now() - start;
  if (first >= LONG_MS) return { result, milliseconds: first };
  let best = Infinity;
  for (let runs = 1; performance.now() - start < budgetMs || best === Infinity; ) {
    const time = timeOf(work, runs);
    if (time < SHORTEST_MS) runs *= 2;
    else best = Math.min(best, time / runs);
  }
  return { result, milliseconds: best };
}

function timeOf(work: () => unknown, runs: number): number {
  const start = performance.now();
  for (let run = 0; run < runs; run++) work();
  return performance.now() - start;
}
