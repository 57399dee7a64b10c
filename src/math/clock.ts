/**
 * The one clock of sliced work. No other file reads the time, and none draws random numbers, so a test that replaces
 * `now` decides after which step a slice ends.
 */
export const clock = {
  /** Milliseconds since some fixed moment. */
  now: (): number => performance.now(),
};
