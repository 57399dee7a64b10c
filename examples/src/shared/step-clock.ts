// Divides the time between frames into equal steps, so that the simulation is the same at any frame rate.

/** Further due steps of a frame are dropped: a slow machine slows the simulation down instead of blocking the page. */
const MAX_STEPS_PER_FRAME = 4;

export class StepClock {
  /** Seconds since the last due step, less than one step. */
  rest = 0;

  /** Adds the time of a frame. Returns the number of due steps. @param stepSeconds Length of a step. */
  take(seconds: number, stepSeconds: number): number {
    this.rest += seconds;
    const due = Math.floor(this.rest / stepSeconds);
    this.rest -= due * stepSeconds;
    return Math.min(due, MAX_STEPS_PER_FRAME);
  }
}
