/**
 * Finds the pairs of two bodies, or of a sensor and a body, whose state has changed since the last update: they have
 * begun to touch, or have parted. The work grows with what changed. Candidate pairs, whose slot bounds overlap, are
 * kept from update to update. New candidates are searched only for bodies with new slot bounds or new categories, and
 * a candidate is tested exactly only if a body of it has moved. A settled pair is not even then: its state is the same
 * wherever the body is within its slot bounds, for example inside a large sensor. The settled pairs of a body come last
 * in its list.
 *
 * A pair has two ends: its body, on side 1, and its partner, on side 0. The partners lie in a tree of their own
 * (sensors), or in the tree of the bodies (contacts): then each body may be a partner, and all pairs of a body are in
 * one list.
 *
 * Invariant: after an update, every pair whose slot bounds overlap, one of them enlarged by the margin, is a candidate,
 * except for the pairs that the subclass leaves out. Slot bounds grow only when they are renewed, which the change log
 * records.
 *
 * Source: the broad phase of Box2D; Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019.
 */

import { BOX_STRIDE, boxesOverlap } from '../../math/box.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { MOVED, RENEWED, type ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { readSlotBounds } from '../../tree/storage/slot-pages.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { CandidatePairs, NO_LINK, NO_TAG } from './candidate-pairs.ts';

/** Sides of a pair: where its ends are. */
export const PARTNER = 0;
export const BODY = 1;
/** State of a pair that is not reported: the shapes do not touch. */
export const APART = 0;
/**
 * Number of candidates that a scan reads in the time of one test, or of looking up one body: it reads memory in order.
 * Test: overlapping-sensors.test.
 */
const CANDIDATES_PER_TEST = 8;
/** Tag of a settled pair. Others have no tag, or in contacts a position, which is not negative. */
const SETTLED = -2;

/** A tree with what has changed in it since the last update. */
export interface ChangingTree {
  readonly tree: Tree;
  readonly changes: ChangeLog;
}

export abstract class Tracker {
  readonly pairs: CandidatePairs;
  /** The pairs whose state has changed in the last update. A pair that is not a candidate any more is APART. */
  readonly changed = new IndexList(0);

  protected readonly bodies: ChangingTree;
  protected readonly partners: Tree;
  /** `bodies.tree.bodies`. */
  protected readonly arrays: BodyArrays;
  /** World units. The slot bounds of a candidate pair overlap when those of one end are enlarged by it. */
  protected margin = 0;
  /**
   * Whether a pair that touches stays a candidate until a test has found it apart, although its slot bounds do not
   * overlap: with hysteresis it ends at a larger distance than the margin.
   */
  protected keepsTouching = false;
  /** Whether no candidates have been searched yet. Partners in a tree of their own bring theirs. */
  private isFresh: boolean;
  /** The marks of the bodies in this update. */
  private marks: Uint8Array = new Uint8Array(0);
  /** By the number of a body or of a partner: whether it is in a pair with the end that is searched for. */
  private known = new Uint8Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);
  private readonly reviewed = new IndexList(0);

  /**
   * @param partners The tree of the bodies itself, or another one. There they do not move: they are removed, and
   *   inserted as new ones.
   */
  constructor(bodies: ChangingTree, partners: Tree) {
    this.bodies = bodies;
    this.arrays = bodies.tree.bodies;
    this.partners = partners;
    this.isFresh = bodies.tree === partners;
    this.pairs = new CandidatePairs(this.isFresh);
  }

  /** The categories of which the other end of a pair must have one, if an end has the categories `mask`. */
  protected categoriesFor(mask: number): number {
    return mask;
  }
  /** More searches for single bodies than this take longer than `searchAll`. */
  protected abstract get maxSearches(): number;
  /** Adds all missing candidates. */
  protected abstract searchAll(workspace: Workspace): void;
  /**
   * The state of a pair by an exact test; `before` is its state at the last update. Pairs of two bodies may be given in
   * either order.
   */
  protected abstract stateOf(partner: number, body: number, before: number): number;
  /** Whether the state of a pair with a partner is the same for each position of the body within its slot bounds. */
  protected isSettled(_partner: number, _slotBounds: Float64Array, _workspace: Workspace): boolean {
    return false;
  }

  /**
   * Call it once per update, after all writes have been applied to both trees; `pairs.releaseDropped` must have been
   * called since the last update, after `changed` was read. If it throws, for lack of memory, create a new tracker.
   */
  readChanges(workspace: Workspace): void {
    this.changed.length = 0;
    this.reserve();
    if (!this.bodies.tree.hasRoot || !this.partners.hasRoot) return;
    const { removed, renewed } = this.bodies.changes;
    for (let k = 0; k < removed.length; k++) this.dropAll(BODY, removed.array[k], true);
    this.search(workspace);
    for (let k = 0; k < renewed.length; k++) this.reviewBody(renewed.array[k], workspace);
    this.testMoved();
    this.isFresh = false;
  }

  private reserve(): void {
    const { arrays, pairs, partners } = this;
    const partnerCount = partners.bodies.count;
    pairs.reserve(PARTNER, partnerCount);
    pairs.reserve(BODY, arrays.count);
    this.marks = this.bodies.changes.marksOf(arrays.count);
    this.known = withCapacity(this.known, Math.max(arrays.count, partnerCount));
  }

  /** Adds the candidates of new partners in a tree of their own, in the states that `addCandidate` gives them. */
  addPartners({ array, length }: IndexList, workspace: Workspace): void {
    this.reserve();
    const { known, pairs, reviewed } = this;
    for (let k = 0; k < length; k++) this.searchFor(PARTNER, array[k], workspace);
    // A body may have several of them, and is reviewed once. First all are listed, because a review may drop pairs.
    reviewed.length = 0;
    for (let k = 0; k < length; k++) {
      for (let link = pairs.firstLink(PARTNER, array[k]); link !== NO_LINK; link = pairs.nextLink(link)) {
        const body = pairs.other(link);
        if (known[body] === 0) reviewed.push(body);
        known[body] = 1;
      }
    }
    for (let k = 0; k < reviewed.length; k++) {
      known[reviewed.array[k]] = 0;
      this.reviewBody(reviewed.array[k], workspace);
    }
  }

  /** Drops all candidates of a partner, without changes. */
  forget(partner: number): void {
    this.pairs.reserve(PARTNER, partner + 1);
    this.dropAll(PARTNER, partner, false);
  }

  private dropAll(side: 0 | 1, end: number, isReported: boolean): void {
    const { pairs } = this;
    for (let link = pairs.firstLink(side, end); link !== NO_LINK; link = pairs.firstLink(side, end)) {
      if (!isReported) pairs.setState(link >> 1, APART);
      this.drop(link >> 1);
    }
  }

  private drop(pair: number): void {
    const { changed, pairs } = this;
    const isChange = pairs.state(pair) !== APART;
    pairs.setState(pair, APART);
    pairs.drop(pair, isChange);
    if (isChange) changed.push(pair);
  }

  /** Adds the missing candidates of renewed bodies; at first those of all bodies. */
  private search(workspace: Workspace): void {
    const { array, length } = this.bodies.changes.renewed;
    if (this.isFresh || length > this.maxSearches) this.searchAll(workspace);
    else for (let k = 0; k < length; k++) this.searchFor(BODY, array[k], workspace);
  }

  /** Adds the missing candidates of an end, the body or the partner of its pairs; none if it was removed. */
  protected searchFor(side: 0 | 1, end: number, workspace: Workspace): void {
    const { known, pairs } = this;
    const { boxQuery, list } = workspace;
    const own = side === BODY ? this.bodies.tree : this.partners;
    const tree = side === BODY ? this.partners : this.bodies.tree;
    const categories = this.categoriesFor(own.bodies.categoryMask[end]);
    if (!own.bodies.isPlaced(end) || categories === 0) return;
    this.readSearchBox(own, end);
    boxQuery.set(this.box);
    list.length = 0;
    workspace.tree = tree;
    workspace.categories = categories;
    walkOverlapping(workspace, boxQuery, null, list);
    for (let link = pairs.firstLink(side, end); link !== NO_LINK; link = pairs.nextLink(link))
      known[pairs.other(link)] = 1;
    for (let k = 0; k < list.length; k++) {
      const other = list.array[k];
      if (known[other] === 0 && (tree.bodies.categoryMask[other] & categories) !== 0)
        this.addCandidate(side === BODY ? other : end, side === BODY ? end : other);
    }
    for (let link = pairs.firstLink(side, end); link !== NO_LINK; link = pairs.nextLink(link))
      known[pairs.other(link)] = 0;
  }

  /** Writes the slot bounds of an end, enlarged by the margin, to `box`. */
  private readSearchBox({ bodies, slots }: Tree, end: number): void {
    const { box, margin } = this;
    readSlotBounds(slots, bodies.slot[end], box);
    for (let axis = 0; axis < 3; axis++) {
      box[axis] -= margin;
      box[axis + 3] += margin;
    }
  }

  protected addCandidate(partner: number, body: number): void {
    this.pairs.add(partner, body, APART);
  }

  /**
   * Drops the candidates of a body of which an end has left the categories, or whose slot bounds do not overlap any
   * more; and finds out which of the others are settled.
   */
  private reviewBody(index: number, workspace: Workspace): void {
    const { box, pairs } = this;
    const { tree } = this.bodies;
    const { bodies: partners, slots } = this.partners;
    let link = pairs.firstLink(BODY, index);
    if (link === NO_LINK) return;
    this.readSearchBox(tree, index);
    const categories = this.categoriesFor(tree.bodies.categoryMask[index]);
    for (let hasSettled = false; link !== NO_LINK;) {
      const next = pairs.nextLink(link);
      const partner = pairs.other(link);
      const isCandidate =
        (partners.categoryMask[partner] & categories) !== 0 &&
        (boxesOverlap(box, 0, slots.slotBounds, partners.slot[partner] * BOX_STRIDE) ||
          (this.keepsTouching && pairs.state(link >> 1) !== APART));
      if (!isCandidate) this.drop(link >> 1);
      else if (this.isSettled(partner, box, workspace)) {
        pairs.setTag(link >> 1, SETTLED);
        hasSettled = true;
      } else if (hasSettled || pairs.tag(link >> 1) === SETTLED) {
        pairs.setTag(link >> 1, NO_TAG);
        pairs.bringToFront(link);
      }
      link = next;
    }
  }

  /**
   * Tests the candidates of the bodies that have moved; at first all. There are two ways: scan all candidates, and test
   * those of moved bodies; or look up the candidates of each moved body. Where all bodies move, only looking up takes
   * 1.5 to 7 times as long.
   */
  private testMoved(): void {
    if (this.isFresh || this.isScanCheaper()) this.scan(this.isFresh ? 0 : MOVED);
    else this.lookUp();
  }

  /** By the number of candidates of an average body. */
  private isScanCheaper(): boolean {
    const { changes, tree } = this.bodies;
    const { recordCount } = this.pairs;
    return CANDIDATES_PER_TEST * changes.moved.length * (1 + recordCount / tree.placedCount) > recordCount;
  }

  /**
   * Tests the candidates with at least one marked end; with mark 0 all candidates. Reads the pairs in the order of
   * memory.
   */
  scan(mark: number): void {
    const { marks, pairs } = this;
    const areBodies = this.partners === this.bodies.tree;
    for (let pair = 0; pair < pairs.recordCount; pair++) {
      if (!pairs.isLinked(pair)) continue;
      const partner = pairs.end(pair, PARTNER);
      const body = pairs.end(pair, BODY);
      const both = areBodies ? marks[partner] | marks[body] : marks[body];
      if ((both & mark) !== mark) continue;
      if ((both & RENEWED) === 0 && pairs.tag(pair) === SETTLED) continue;
      // As in `test`, which V8 would not inline here.
      const before = pairs.state(pair);
      const state = this.stateOf(partner, body, before);
      if (state !== before) this.change(pair, state);
    }
  }

  lookUp(): void {
    const { marks, pairs } = this;
    const { array, length } = this.bodies.changes.moved;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      const isRenewed = (marks[index] & RENEWED) !== 0;
      for (let link = pairs.firstLink(BODY, index); link !== NO_LINK; link = pairs.nextLink(link)) {
        if (!isRenewed && pairs.tag(link >> 1) === SETTLED) break;
        this.test(link >> 1, pairs.other(link), index);
      }
    }
  }

  test(pair: number, partner: number, body: number): void {
    const before = this.pairs.state(pair);
    const state = this.stateOf(partner, body, before);
    if (state !== before) this.change(pair, state);
  }

  private change(pair: number, state: number): void {
    this.pairs.setState(pair, state);
    this.changed.push(pair);
  }
}
