/**
 * How far each body may move before its candidate pairs must be tested again. An anchor of a body is a copy of its
 * bounds at a test, with a slack: a distance. A body is within the slack while each number of its bounds differs from
 * the anchor by less. While both bodies of a pair are within their slacks, the exact test of the pair has the same
 * result as before. So most moves cost one comparison, without access to other bodies.
 *
 * A body inside many large sensors often reaches a boundary, but usually the boundary of one sensor only. So the pairs
 * with the smallest slack are listed: its near pairs. Each body has two anchors:
 * - The far anchor is set when all pairs are tested. Its slack is the smallest among the pairs that are not near pairs.
 * - The near anchor is set at every test. Its slack is the smallest among all pairs; it ends before the far slack does.
 *
 * Within its near slack a body needs no test. Beyond that, but within its far slack, only its near pairs are tested.
 *
 * Invariant: the slack of each candidate pair (math/slack.ts), measured at the anchors of its two bodies, is not less
 * than the sum of their slacks. For a near pair of a body this means its near anchor, for any other pair its far
 * anchor. A body with slack 0 is tested at every move; in the invariant its current bounds take the place of its
 * anchor.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { writeSlack } from '../../math/slack.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { NO_LINK } from './candidate-pairs.ts';

/** Numbers of an anchor: six of the bounds, then the slack. Padded to a cache line. */
const STRIDE = 8;
const SLACK = 6;
const INITIAL_CAPACITY = 64;
/**
 * Maximum number of near pairs of a body. Measured with 1,000 sensors, of which 14 contain each body: with 4 near pairs
 * an update in which 10 % of the bodies move slowly takes less than half of the time of an update without near pairs.
 */
export const NEAR_PAIRS = 4;

export class Anchors {
  /** Input of `add`: the slack of a pair. In an array, because V8 may box a double that crosses a call. */
  readonly slack = new Float64Array(1);
  /** The near and the far anchor of each record. Two arrays, because most moves read the near anchor only. */
  private near = new Float64Array(INITIAL_CAPACITY * STRIDE);
  private far = new Float64Array(INITIAL_CAPACITY * STRIDE);
  /** By record: the links of the near pairs; NO_LINK after the last. */
  private nearLinks = new Int32Array(INITIAL_CAPACITY * NEAR_PAIRS);
  /** Number of records; record 0 is not used. */
  private count = 1;
  /** Whether no body has slack. */
  private isClear = true;
  /**
   * Record of each body, by index; 0 for a body that was never anchored, because it has not moved while it had
   * candidates. Most bodies have 0.
   */
  private recordOf = new Int32Array(0);
  /**
   * Of the body that is tested: the pairs with the smallest slacks so far, ascending. The last pair is not a near pair;
   * its slack becomes the far slack. Without near pairs, all slacks are written to the last.
   */
  private readonly links = new Int32Array(NEAR_PAIRS + 1);
  private readonly slacks = new Float64Array(NEAR_PAIRS + 1);
  /** The smallest slack so far of the body that is tested, in an array of length 1. */
  private readonly minSlack = new Float64Array(1);

  reserve(bodies: number): void {
    if (bodies > this.recordOf.length) this.recordOf = withCapacity(this.recordOf, bodies);
  }

  /** Whether a body has moved so little that none of its pairs needs a test. */
  isWithinSlack(index: number, bounds: Float64Array): boolean {
    return isWithin(this.near, this.recordOf[index] * STRIDE, bounds, index * BOX_STRIDE);
  }

  /** Whether a body has moved so little since the last test of all its pairs that only its near pairs need a test. */
  isWithinFarSlack(index: number, bounds: Float64Array): boolean {
    return isWithin(this.far, this.recordOf[index] * STRIDE, bounds, index * BOX_STRIDE);
  }

  /** Sets the slacks of a body to 0: its next move tests all its pairs. */
  clear(index: number): void {
    const record = this.recordOf[index];
    if (record !== 0) this.clearRecord(record);
  }

  /** Sets the slacks of all bodies to 0. */
  clearAll(): void {
    if (this.isClear) return;
    this.isClear = true;
    for (let record = 1; record < this.count; record++) this.clearRecord(record);
  }

  /** The pair of a link is not a candidate any more. */
  forget(index: number, link: number): void {
    const { nearLinks } = this;
    const record = this.recordOf[index];
    if (record === 0) return;
    const end = (record + 1) * NEAR_PAIRS;
    let at = record * NEAR_PAIRS;
    while (at < end && nearLinks[at] !== link) at++;
    if (at === end) return;
    nearLinks.copyWithin(at, at + 1, end);
    nearLinks[end - 1] = NO_LINK;
  }

  /** Near pair `k` of a body, from 0, or NO_LINK after the last. */
  nearLink(index: number, k: number): number {
    return k < NEAR_PAIRS ? this.nearLinks[this.recordOf[index] * NEAR_PAIRS + k] : NO_LINK;
  }

  /**
   * Anchors a body at its bounds, for a test of all its pairs or of its near pairs only. `add` must follow for each of
   * them, then `finish`.
   */
  begin(index: number, bounds: Float64Array, isForAll: boolean): void {
    if (this.recordOf[index] === 0) this.recordOf[index] = this.newRecord();
    const { far, minSlack, near } = this;
    const at = this.recordOf[index] * STRIDE;
    const from = index * BOX_STRIDE;
    for (let offset = 0; offset < BOX_STRIDE; offset++) near[at + offset] = bounds[from + offset];
    near[at + SLACK] = 0;
    minSlack[0] = Infinity;
    if (isForAll) {
      for (let offset = 0; offset < BOX_STRIDE; offset++) far[at + offset] = bounds[from + offset];
      far[at + SLACK] = 0;
      this.links.fill(NO_LINK);
      this.slacks.fill(Infinity);
      return;
    }
    let moved = 0;
    for (let offset = 0; offset < BOX_STRIDE; offset++)
      moved = Math.max(moved, Math.abs(bounds[from + offset] - far[at + offset]));
    minSlack[0] = far[at + SLACK] - moved;
  }

  /** Limits the slacks of the body by a pair with the slack in `slack`. */
  add(link: number): void {
    const { links, minSlack, slacks } = this;
    const slack = this.slack[0];
    if (slack < minSlack[0]) minSlack[0] = slack;
    if (slack >= slacks[NEAR_PAIRS]) return;
    let to = NEAR_PAIRS;
    for (; to > 0 && slacks[to - 1] > slack; to--) {
      slacks[to] = slacks[to - 1];
      links[to] = links[to - 1];
    }
    slacks[to] = slack;
    links[to] = link;
  }

  finish(index: number, isForAll: boolean): void {
    const { links, nearLinks } = this;
    const record = this.recordOf[index];
    this.isClear = false;
    this.near[record * STRIDE + SLACK] = this.minSlack[0];
    if (!isForAll) return;
    this.far[record * STRIDE + SLACK] = this.slacks[NEAR_PAIRS];
    for (let k = 0; k < NEAR_PAIRS; k++) nearLinks[record * NEAR_PAIRS + k] = links[k];
  }

  /**
   * Writes the slack of a pair to `slack`, for the body that is tested: half of the slack of the pair. It is all of it
   * if the other body was never anchored, because that one uses none. The stored slack of the other body is set to 0 if
   * it is larger than the other half. `within[0]` is the distance of the exact test.
   */
  writePairSlack(link: number, index: number, other: number, bodies: BodyArrays, within: Float64Array): void {
    const { slack } = this;
    const { bounds } = bodies;
    const isSphere = bodies.isSphere(index);
    const isOtherSphere = bodies.isSphere(other);
    const from = index * BOX_STRIDE;
    const record = this.recordOf[other];
    const anchors = this.isNear(record, link ^ 1) ? this.near : this.far;
    const at = record * STRIDE;
    const part = record === 0 ? 1 : 0.5;
    if (anchors[at + SLACK] > 0) {
      writeSlack(bounds, from, isSphere, anchors, at, isOtherSphere, within, slack);
      slack[0] *= part;
      if (anchors[at + SLACK] <= slack[0]) return;
      anchors[at + SLACK] = 0;
      // The near slack ends before the far slack does.
      this.near[at + SLACK] = 0;
    }
    writeSlack(bounds, from, isSphere, bounds, other * BOX_STRIDE, isOtherSphere, within, slack);
    slack[0] *= part;
  }

  private isNear(record: number, link: number): boolean {
    const { nearLinks } = this;
    const at = record * NEAR_PAIRS;
    for (let k = 0; k < NEAR_PAIRS; k++) if (nearLinks[at + k] === link) return true;
    return false;
  }

  private clearRecord(record: number): void {
    this.near[record * STRIDE + SLACK] = 0;
    this.far[record * STRIDE + SLACK] = 0;
  }

  private newRecord(): number {
    const records = this.count + 1;
    if (records * STRIDE > this.near.length) {
      this.near = withCapacity(this.near, records * STRIDE);
      this.far = withCapacity(this.far, records * STRIDE);
      this.nearLinks = withCapacity(this.nearLinks, records * NEAR_PAIRS);
    }
    return this.count++;
  }
}

/** Whether each number of a body's bounds differs from its anchor by less than the slack of the anchor. */
function isWithin(anchors: Float64Array, at: number, bounds: Float64Array, from: number): boolean {
  const { abs } = Math;
  const slack = anchors[at + SLACK];
  return (
    abs(bounds[from] - anchors[at]) < slack &&
    abs(bounds[from + 1] - anchors[at + 1]) < slack &&
    abs(bounds[from + 2] - anchors[at + 2]) < slack &&
    abs(bounds[from + 3] - anchors[at + 3]) < slack &&
    abs(bounds[from + 4] - anchors[at + 4]) < slack &&
    abs(bounds[from + 5] - anchors[at + 5]) < slack
  );
}
