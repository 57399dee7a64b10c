/**
 * Decides when a group stops following what moves. While most of its members move, each pass lists all of them, as a
 * plain Group does, and three culls them: that takes less time than new bounds for all, and queries among them.
 */

/** Smaller groups follow their members always: it costs less than 0.02 ms. Test: moving-children.test. */
const MIN_MEMBERS = 64;
/**
 * Updates in a row, in each of which at least half of the members have moved, until a group is restless. Test:
 * moving-children.test.
 */
const RESTLESS_UPDATES = 3;
/**
 * Of so many updates of a restless group, the last two compare: the first stores, the second finds what has moved.
 * Test: moving-children.test.
 */
const UPDATES_PER_COMPARISON = 32;
/**
 * Passes per update up to which it pays: each tests all members, which takes about a third of new bounds for them.
 * Test: moving-children.test.
 */
const MAX_PASSES = 3;

export class MotionGauge {
  /** Whether updates leave the bounds of members as they are. */
  isRestless = false;
  /** Members that the current update has found moved. */
  moved = 0;
  /** Passes since the last update that bounds would have made faster. */
  passes = 0;
  /** Updates in a row in which most members have moved; of a restless group: updates since its last comparison. */
  private updates = 0;

  /**
   * Begins an update.
   *
   * @param isAllowed Whether nothing but passes reads the bounds.
   * @returns Whether it has to compare what it computes.
   */
  begin(isAllowed: boolean): boolean {
    if (!isAllowed || this.passes > MAX_PASSES) {
      this.isRestless = false;
      this.updates = 0;
    }
    this.moved = this.passes = 0;
    if (!this.isRestless) return true;
    this.updates++;
    return this.updates > UPDATES_PER_COMPARISON - 2;
  }

  /** Ends an update of so many members. */
  end(members: number): void {
    const hasMostMoved = members >= MIN_MEMBERS && 2 * this.moved >= members;
    if (!this.isRestless) {
      this.updates = hasMostMoved ? this.updates + 1 : 0;
      this.isRestless = this.updates === RESTLESS_UPDATES;
    } else if (this.updates === UPDATES_PER_COMPARISON) this.isRestless = hasMostMoved;
    else return;
    if (this.isRestless) this.updates = 0;
  }
}
