// The costs of one of the two groups: times of pointer moves and of frames.

import { RecentTimes } from '../shared/recent-times.ts';

const WINDOW_MS = 20_000;
/** Moves and frames that are not measured, because they compile code or build the octree. */
const SKIPPED = 4;

export class Costs {
  moveCount = 0;
  frameCount = 0;
  /** Objects that were tested for the last event. */
  tested = 0;
  /**
   * The last medians in milliseconds; NaN before the first. They stay while the group is not in use and no measurement
   * is recent.
   */
  moveTime = Number.NaN;
  frameTime = Number.NaN;
  private readonly moves = new RecentTimes(WINDOW_MS);
  private readonly frames = new RecentTimes(WINDOW_MS);

  addMove(time: number, tested: number): void {
    if (this.moveCount++ >= SKIPPED) this.moves.add(time, performance.now());
    this.tested = tested;
  }

  addFrame(time: number): void {
    if (this.frameCount++ >= SKIPPED) this.frames.add(time, performance.now());
  }

  /** Skips the next moves and frames, as at the start. */
  restart(): void {
    this.moveCount = this.frameCount = 0;
  }

  updateMedians(now: number): void {
    const [move, frame] = [this.moves.medianAt(now), this.frames.medianAt(now)];
    if (!Number.isNaN(move)) this.moveTime = move;
    if (!Number.isNaN(frame)) this.frameTime = frame;
  }
}
