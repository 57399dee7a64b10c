// Cuts the time between frames into equal steps, so that the same happens at any frame rate.

import { STEP_SECONDS } from './range.ts';

/** What cannot be made up for in one frame is dropped: on a slow machine time goes slower, the page does not stop. */
const MAX_STEPS_PER_FRAME = 4;

export class StepClock {
  /** Seconds since the last step that do not make a whole one yet. */
  rest = 0;

  /** How many steps are due after so many more seconds. */
  take(seconds: number): number {
    this.rest += seconds;
    const due = Math.floor(this.rest / STEP_SECONDS);
    this.rest -= due * STEP_SECONDS;
    return Math.min(due, MAX_STEPS_PER_FRAME);
  }
}
