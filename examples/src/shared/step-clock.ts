// Divides the time between frames into equal steps, so that the simulation is the same at any frame rate.

/** Further due steps of a frame are dropped: a slow machine slows the simulation down instead of blocking the page. */
const MAX_STEPS_PER_FRAME = 4;
/** Time after which no further step of a frame begins, in milliseconds; the rest is for drawing and user input. */
const MAX_STEPPING_MS = 30;

export class StepClock {
  /** Seconds since the last due step, less than one step. */
  rest = 0;

  /** Adds the time of a frame, and runs the steps that are due. @param stepSeconds Length of a step. */
  run(seconds: number, stepSeconds: number, step: () => void): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = this.take(seconds, stepSeconds); due > 0 && performance.now() < end; due--) step();
  }

  /** Returns the number of due steps. */
  private take(seconds: number, stepSeconds: number): number {
    this.rest += seconds;
    const due = Math.floor(this.rest / stepSeconds);
    this.rest -= due * stepSeconds;
    return Math.min(due, MAX_STEPS_PER_FRAME);
  }
}
