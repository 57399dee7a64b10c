/**
 * How far each body may move before its candidates must be tested again. The anchor of a body is a copy of its bounds at its last test. Its slack is a
 * distance. A body is within its slack while each number of its bounds differs from the anchor by less than the slack. While both bodies of a pair are
 * within their slacks, the exact test of the pair has the same result as before. So most moves cost one comparison, without access to other bodies.
 *
 * Invariant: the slack of each candidate pair (math/slack.ts), measured at both anchors, is not less than the sum of the slacks of its two bodies. A
 * body with slack 0 is tested at every move; in the invariant its current bounds take the place of its anchor.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { writeSlack } from '../../math/slack.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';

/** Numbers of a record: six of the anchor, and the slack. Padded to a cache line. */
const STRIDE = 8;
const SLACK = 6;
const INITIAL_CAPACITY = 64;

export class Anchors {
  private records = new Float64Array(INITIAL_CAPACITY * STRIDE);
  /** Number of records; record 0 is not used. */
  private count = 1;
  /** Whether no body has slack. */
  private isClear = true;
  /** Record of each body, by index; 0 for a body that was never anchored, because it has not moved while it had candidates. Most bodies have 0. */
  private recordOf = new Int32Array(0);
  /** Output of `writeSlack`, in an array of length 1: the slack of a pair. */
  private readonly pairSlack = new Float64Array(1);
  /** The smallest slack so far of the body that is anchored, in an array of length 1. */
  private readonly minSlack = new Float64Array(1);

  reserve(bodies: number): void {
    if (bodies > this.recordOf.length) this.recordOf = withCapacity(this.recordOf, bodies);
  }

  /** Whether a body has moved so little that its candidates need no test. */
  isWithinSlack(index: number, bounds: Float64Array): boolean {
    const { records } = this;
    const { abs } = Math;
    const at = this.recordOf[index] * STRIDE;
    const from = index * BOX_STRIDE;
    const slack = records[at + SLACK];
    return (
      abs(bounds[from] - records[at]) < slack &&
      abs(bounds[from + 1] - records[at + 1]) < slack &&
      abs(bounds[from + 2] - records[at + 2]) < slack &&
      abs(bounds[from + 3] - records[at + 3]) < slack &&
      abs(bounds[from + 4] - records[at + 4]) < slack &&
      abs(bounds[from + 5] - records[at + 5]) < slack
    );
  }

  /** Number of the anchor of a body; 0 if it has none. */
  anchorOf(index: number): number {
    return this.recordOf[index];
  }

  /** Writes the rest of the slack of a body to `target[0]`: while the body moves by less, it stays within its slack. */
  writeRemainingSlack(index: number, bounds: Float64Array, target: Float64Array): void {
    const { records } = this;
    const at = this.recordOf[index] * STRIDE;
    let moved = 0;
    for (let offset = 0; offset < BOX_STRIDE; offset++) moved = Math.max(moved, Math.abs(bounds[index * BOX_STRIDE + offset] - records[at + offset]));
    target[0] = records[at + SLACK] - moved;
  }

  /** Sets the slack of a body to 0: its next move tests its candidates. */
  clear(index: number): void {
    const record = this.recordOf[index];
    if (record !== 0) this.records[record * STRIDE + SLACK] = 0;
  }

  /** Sets the slack of all bodies to 0. */
  clearAll(): void {
    if (this.isClear) return;
    this.isClear = true;
    for (let record = 1; record < this.count; record++) this.records[record * STRIDE + SLACK] = 0;
  }

  /** Anchors a body at its bounds. `limitByPair` or `limitBySlack` must follow for each of its candidates, then `finish`. */
  begin(index: number, { bounds }: BodyArrays): void {
    if (this.recordOf[index] === 0) this.recordOf[index] = this.newRecord();
    const { records } = this;
    const at = this.recordOf[index] * STRIDE;
    for (let offset = 0; offset < BOX_STRIDE; offset++) records[at + offset] = bounds[index * BOX_STRIDE + offset];
    records[at + SLACK] = 0;
    this.minSlack[0] = Infinity;
  }

  /** Limits the slack of the body by the slack of a pair. If the slack of the other body is more than half of the slack of the pair, it becomes 0. */
  limitByPair(index: number, other: number, bodies: BodyArrays): void {
    const { minSlack, records, pairSlack } = this;
    const { bounds } = bodies;
    const isSphere = bodies.isSphere(index);
    const isOtherSphere = bodies.isSphere(other);
    const from = index * BOX_STRIDE;
    const otherRecord = this.recordOf[other];
    const at = otherRecord * STRIDE;
    // If the other body was never anchored, its slack is 0, and this body gets the slack of the pair alone. Otherwise each body gets half of it.
    const part = otherRecord === 0 ? 1 : 0.5;
    if (otherRecord !== 0 && records[at + SLACK] > 0) {
      writeSlack(bounds, from, isSphere, records, at, isOtherSphere, pairSlack);
      if (records[at + SLACK] <= pairSlack[0] * part) {
        minSlack[0] = Math.min(minSlack[0], pairSlack[0] * part);
        return;
      }
      records[at + SLACK] = 0;
    }
    writeSlack(bounds, from, isSphere, bounds, other * BOX_STRIDE, isOtherSphere, pairSlack);
    minSlack[0] = Math.min(minSlack[0], pairSlack[0] * part);
  }

  /** Limits the slack of the body by `slack[0]`. */
  limitBySlack(slack: Float64Array): void {
    this.minSlack[0] = Math.min(this.minSlack[0], slack[0]);
  }

  finish(index: number): void {
    this.isClear = false;
    this.records[this.recordOf[index] * STRIDE + SLACK] = this.minSlack[0];
  }

  private newRecord(): number {
    const length = (this.count + 1) * STRIDE;
    if (length > this.records.length) this.records = withCapacity(this.records, length);
    return this.count++;
  }
}
