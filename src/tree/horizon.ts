/**
 * The horizon of a tree: how far ahead of their motion bodies are placed, and how far ahead their fat bounds reach. With a longer one fewer bodies
 * change their node, but cells and fat bounds are larger, so that queries take longer. So the horizon becomes longer where changes of node are most
 * of the work, and shorter where queries are.
 *
 * The work is counted, not timed. The counts depend neither on the engine nor on WebAssembly (the number of visited nodes would): the same operations
 * give the same tree everywhere.
 */

/**
 * Steps ahead for which a body is placed, by level. Measured with 48, 96 and 192 steps: of 15,297 satellites that all move, 350, 160 and 100 change their
 * node per update, and a ray tests 400, 1,750 and 5,300 of them; of 100,000 clustered boxes, 850, 750 and 410 change their node per update.
 */
const STEPS: readonly number[] = [48, 96, 192];
/** Maximum margin ahead of the motion by level, in units of the edge of the cells around the body. */
const MAX_AHEAD: readonly number[] = [1, 4, 4];
const LAST_LEVEL = STEPS.length - 1;

/** Work, in units of about 40 ns. A reported body is 1. */
const WORK_PER_CHANGE_OF_NODE = 24;
const WORK_PER_QUERY = 32;
/** Of a query for all pairs, per body in the tree. */
const WORK_PER_PAIRED_BODY = 8;
/** Part of the work that still counts one update later: about the last 64 updates count, because bodies that started together change their nodes in waves. */
const DECAY = 63 / 64;
/**
 * The horizon becomes longer if changes of node take more than this many times the work of queries. It becomes shorter if they take less than the
 * work of queries. The limits lie apart because a longer horizon leaves 0.45 of the changes of node: with one limit it would become shorter again at
 * once.
 */
const MAX_RATIO = 5;
/** Minimum number of updates before the horizon becomes longer in a new tree. */
const FIRST_WAIT = 8;
/**
 * Minimum number of updates between a change of the horizon and the next time it becomes longer. Bodies adapt one by one, when they next change their node. To
 * drop long margins takes further changes of node, which are no reason for a longer horizon.
 */
const WAIT = 128;

export class Horizon {
  /** From 0, the shortest horizon, to LAST_LEVEL. */
  level = 0;
  /**
   * Index of the next body that loses its margin, after the horizon has become the shortest; the number of bodies or more once all have lost it. See
   * shorten-margins.ts.
   */
  nextLongMargin = Infinity;

  private changesWork = 0;
  private queryWork = 0;
  /** Value of the counter at the last update. */
  private lastRelocated = 0;
  /** Updates until the horizon may become longer. */
  private wait = FIRST_WAIT;

  /** Steps ahead for which a body is placed. */
  get steps(): number {
    return STEPS[this.level];
  }

  /** Maximum margin ahead of the motion, in units of the edge of the cells around the body. */
  get maxAhead(): number {
    return MAX_AHEAD[this.level];
  }

  /** Records queries, with the number of bodies that they have reported together. */
  recordQueries(count: number, reported: number): void {
    this.queryWork += count * WORK_PER_QUERY + reported;
  }

  /** Records a query for all pairs of `bodyCount` bodies. */
  recordPairs(bodyCount: number): void {
    this.queryWork += bodyCount * WORK_PER_PAIRED_BODY;
  }

  /**
   * Chooses the level. Call it once per update.
   *
   * @param bodiesRelocated `TreeCounters.bodiesRelocated`.
   */
  adapt(bodiesRelocated: number): void {
    this.changesWork = this.changesWork * DECAY + (bodiesRelocated - this.lastRelocated) * WORK_PER_CHANGE_OF_NODE;
    this.lastRelocated = bodiesRelocated;
    this.wait--;
    // Each level about doubles the time of queries.
    const queryWork = this.queryWork * (1 << this.level);
    if (this.level > 0 && this.changesWork < queryWork) {
      this.level--;
      this.wait = WAIT;
      if (this.level === 0) this.nextLongMargin = 0;
    } else if (this.level < LAST_LEVEL && this.wait <= 0 && this.changesWork > MAX_RATIO * queryWork) {
      this.level++;
      this.wait = WAIT;
    }
    this.queryWork *= DECAY;
  }
}
