/** Work in slices: a generator that yields wherever it may stop, a few microseconds apart. */

/**
 * Goes on with work until a deadline, by at least one step. Reading the clock after each step takes less than the step.
 *
 * @returns Whether all is done.
 */
export function runSteps(steps: Iterator<void>, deadline: number): boolean {
  do if (steps.next().done) return true;
  while (performance.now() < deadline);
  return false;
}
