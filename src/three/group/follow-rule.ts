/**
 * Decides whether a group follows its members by their bounds. While most of them move, each pass lists all of them, as
 * a plain Group does, and three culls them: that takes less time than new bounds for all, and queries among them.
 */

/** Smaller groups follow their members always: it costs less than 0.02 ms. Test: most-move.test. */
const MIN_MEMBERS = 64;
/**
 * Updates in a row, in each of which at least half of the members have moved, after which a group no longer follows
 * them. Test: most-move.test.
 */
const MOVING_UPDATES = 3;
/**
 * Members that have to move for each that batches draw: a draw call takes about eight times as long as new bounds.
 * Test: most-move.test.
 */
const MOVED_PER_BATCHED = 8;
/**
 * Updates until a group that does not follow its members compares them: the last but one stores, the last finds what
 * has moved. Test: most-move.test.
 */
const UPDATES_PER_COMPARISON = 32;
/**
 * Passes per update up to which it pays: each tests all members, which takes about a third of new bounds for them.
 * Test: most-move.test.
 */
const MAX_PASSES = 3;

export class FollowRule {
  /** Whether updates compute new bounds for members that have moved. */
  isFollowing = true;
  /** Members that the current update has found moved. */
  moved = 0;
  /** Passes since the last update that bounds would have made faster. */
  passes = 0;
  /** Updates in a row in which most members have moved; while they are not followed: updates since a comparison. */
  private updates = 0;

  /**
   * Begins an update.
   *
   * @param isAllowed Whether nothing but passes reads the bounds.
   * @returns Whether it has to compare what it computes.
   */
  begin(isAllowed: boolean): boolean {
    if (!isAllowed || this.passes > MAX_PASSES) this.follow();
    this.moved = this.passes = 0;
    if (this.isFollowing) return true;
    this.updates++;
    return this.updates > UPDATES_PER_COMPARISON - 2;
  }

  /** Has the next update compute bounds, and the next ones find out whether that pays. */
  follow(): void {
    this.isFollowing = true;
    this.updates = 0;
  }

  /** Ends an update. @param members Their number. @param batched Number of those that batches draw. */
  end(members: number, batched: number): void {
    const { moved } = this;
    const hasMostMoved = members >= MIN_MEMBERS && 2 * moved >= members && moved >= MOVED_PER_BATCHED * batched;
    if (this.isFollowing) {
      this.updates = hasMostMoved ? this.updates + 1 : 0;
      this.isFollowing = this.updates < MOVING_UPDATES;
    } else if (this.updates === UPDATES_PER_COMPARISON) this.isFollowing = !hasMostMoved;
    else return;
    if (!this.isFollowing) this.updates = 0;
  }
}
