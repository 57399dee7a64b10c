/**
 * How far each body may move before its candidate pairs with sensors must be tested again, and which of them. A body inside many large sensors often
 * reaches a boundary, but usually the boundary of one sensor only. So the pairs with the smallest slack are kept: the near pairs, up to NEAR_PAIRS per
 * body. And a body has two anchors:
 * - The far anchor is set when all pairs are tested. Its slack is that of the nearest boundary among the pairs that are not near pairs.
 * - The near anchor is set at every test. Its slack is that of the nearest boundary among all pairs.
 *
 * Within its near slack a body needs no test. Beyond that, but within its far slack, only its near pairs are tested.
 */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { Anchors } from '../tracking/anchors.ts';
import { NO_PAIR } from '../tracking/candidate-pairs.ts';

/**
 * Maximum number of near pairs of a body. Measured with 1,000 spheres, of which 11 contain each body: with 4 near pairs an update takes half the time of an
 * update without near pairs.
 */
const NEAR_PAIRS = 4;

export class SensorAnchors {
  /** Input of `add` and `limitByNearPair`: the slack of a pair. In an array, because V8 may box a double that crosses a call. */
  readonly slack = new Float64Array(1);
  /** The near anchors: set at every test. */
  private readonly nearAnchors = new Anchors();
  /** The far anchors: set when all pairs are tested. */
  private readonly farAnchors = new Anchors();
  /** NEAR_PAIRS pairs for each anchor of `farAnchors`; NO_PAIR after the last. */
  private nearPairs = new Int32Array(0);
  /**
   * Of the body that is being anchored: the pairs with the smallest slacks so far, ascending. The last pair is not a near pair; its slack becomes the far
   * slack.
   */
  private readonly pairs = new Int32Array(NEAR_PAIRS + 1);
  private readonly slacks = new Float64Array(NEAR_PAIRS + 1);

  reserve(bodies: number): void {
    this.nearAnchors.reserve(bodies);
    this.farAnchors.reserve(bodies);
  }

  /** Whether a body has moved so little that none of its pairs need a test. */
  isWithinSlack(index: number, bounds: Float64Array): boolean {
    return this.nearAnchors.isWithinSlack(index, bounds);
  }

  /** Whether a body has moved so little since the last test of all its pairs that only its near pairs need a test. */
  needsNearPairsOnly(index: number, bounds: Float64Array): boolean {
    return this.farAnchors.isWithinSlack(index, bounds);
  }

  /** Sets both slacks of a body to 0: its next move tests all its pairs. */
  clear(index: number): void {
    this.nearAnchors.clear(index);
    this.farAnchors.clear(index);
  }

  /** Sets the slacks of all bodies to 0. */
  clearAll(): void {
    this.nearAnchors.clearAll();
    this.farAnchors.clearAll();
  }

  /** Anchors a body for a test of all its pairs. `add` must follow for each, then `finishAll`. */
  beginAll(index: number, bodies: BodyArrays): void {
    this.nearAnchors.begin(index, bodies);
    this.farAnchors.begin(index, bodies);
    this.pairs.fill(NO_PAIR);
    this.slacks.fill(Infinity);
  }

  /** Takes a pair with the slack in `slack`. */
  add(pair: number): void {
    const { pairs, slacks } = this;
    const slack = this.slack[0];
    if (slack >= slacks[NEAR_PAIRS]) return;
    let to = NEAR_PAIRS;
    for (; to > 0 && slacks[to - 1] > slack; to--) {
      slacks[to] = slacks[to - 1];
      pairs[to] = pairs[to - 1];
    }
    slacks[to] = slack;
    pairs[to] = pair;
  }

  finishAll(index: number): void {
    const { farAnchors, nearAnchors, pairs, slack, slacks } = this;
    const at = farAnchors.anchorOf(index) * NEAR_PAIRS;
    if (at >= this.nearPairs.length) this.nearPairs = withCapacity(this.nearPairs, at + NEAR_PAIRS);
    for (let k = 0; k < NEAR_PAIRS; k++) this.nearPairs[at + k] = pairs[k];
    slack[0] = slacks[0];
    nearAnchors.limitBySlack(slack);
    nearAnchors.finish(index);
    slack[0] = slacks[NEAR_PAIRS];
    farAnchors.limitBySlack(slack);
    farAnchors.finish(index);
  }

  /** Anchors a body for a test of its near pairs. `limitByNearPair` must follow for each, then `finishNear`. */
  beginNear(index: number, bodies: BodyArrays): void {
    this.nearAnchors.begin(index, bodies);
    this.farAnchors.writeRemainingSlack(index, bodies.bounds, this.slack);
    this.nearAnchors.limitBySlack(this.slack);
  }

  /** Near pair `k` of a body, or NO_PAIR after the last. */
  nearPair(index: number, k: number): number {
    return k < NEAR_PAIRS ? this.nearPairs[this.farAnchors.anchorOf(index) * NEAR_PAIRS + k] : NO_PAIR;
  }

  /** Limits the slack of the body by the slack of a near pair, in `slack`. */
  limitByNearPair(): void {
    this.nearAnchors.limitBySlack(this.slack);
  }

  finishNear(index: number): void {
    this.nearAnchors.finish(index);
  }
}
