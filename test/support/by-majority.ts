/** Comparisons of times, which other processes disturb. */

/** Failures more than successes after which a comparison counts as failed. */
const FAILURES = 3;
/** Milliseconds of pause after each failure: what disturbs one comparison should not disturb all of them. */
const PAUSE = 30_000;

/**
 * Makes a test of a comparison of times: it is repeated until it has held once more often than it has failed, or has
 * failed three times more often. What holds in nine of ten runs fails in one of a thousand tests; what holds in one of
 * twenty fails in nearly all.
 */
export function byMajority<Values extends unknown[]>(
  compare: (...values: Values) => unknown,
  pause = PAUSE,
): (...values: Values) => Promise<void> {
  return async (...values) => {
    let failures = 0;
    while (failures >= 0) {
      try {
        await compare(...values);
        failures--;
      } catch (error) {
        if (++failures === FAILURES) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
}
