// How long something takes that may be over sooner than the clock can tell.

/** Short work is repeated for this long, in milliseconds, and divided by its count. */
const ENOUGH_MS = 1;

export interface Timed<Result> {
  readonly result: Result;
  readonly milliseconds: number;
}

/** Does the work at least once; clocks of pages that are not isolated tick ten times a millisecond only. */
export function timed<Result>(work: () => Result): Timed<Result> {
  const start = performance.now();
  let result = work();
  let runs = 1;
  for (; performance.now() - start < ENOUGH_MS; runs++) result = work();
  return { result, milliseconds: (performance.now() - start) / runs };
}
