// The clock of the browser, and times that are shorter than its steps. A step is 5 us in a page that is cross-origin
// isolated, else 0.1 ms in Chromium and 1 ms in Firefox and Safari.

/** Steps that a time has to last to be known: by then it is wrong by less than a quarter. */
const STEPS = 4;
/** Steps that are looked at. The shortest one counts, because an interruption makes a step longer. */
const LOOKS = 3;

let step: number | undefined;

/** The step of the clock, in milliseconds. The first call waits for three steps. */
export function clockStep(): number {
  if (step !== undefined) return step;
  step = Infinity;
  for (let look = 0; look < LOOKS; look++) {
    const start = nextTime(performance.now());
    step = Math.min(step, nextTime(start) - start);
  }
  return step;
}

/** The first time after another one. */
function nextTime(before: number): number {
  let now = before;
  while (now === before) now = performance.now();
  return now;
}

/** The time of one run of work that may be repeated, in milliseconds: of as many runs as the clock needs. */
export function timeOf(work: () => unknown): number {
  const enough = STEPS * clockStep();
  const start = performance.now();
  let time = 0;
  let runs = 0;
  for (let wanted = 1; time < enough; wanted *= 2) {
    for (; runs < wanted; runs++) work();
    time = performance.now() - start;
  }
  return time / runs;
}

/** Whether times that were measured one by one are known well enough from their sum. */
export const isWellMeasured = (sum: number): boolean => sum >= STEPS * clockStep();
