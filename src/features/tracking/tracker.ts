/**
 * Finds the pairs of two bodies, or of a sensor and a body, whose state has changed since the last update: they have
 * begun to touch, or have parted. The work grows with what changed. Candidate pairs, whose slot bounds overlap, are
 * kept from update to update. New candidates are searched only for members with new slot bounds or new categories, and
 * a candidate is tested exactly only if a body of it has moved farther than its slack.
 *
 * A pair has two members: its body, at end 1, and its partner, at end 0. The partners lie in a tree of their own
 * (sensors), or in the tree of the bodies (contacts): then each body may be a partner, and all pairs of a body are in
 * one list.
 *
 * Invariant: after an update, every pair whose slot bounds overlap, one of them enlarged by the margin, is a candidate,
 * except for the pairs that the
 * subclass leaves out. Slot bounds grow only when they are renewed, which the change log records.
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
import { Anchors, NEAR_PAIRS } from './anchors.ts';
import { CandidatePairs, NO_LINK } from './candidate-pairs.ts';
import { PairSorter } from './pair-sorter.ts';

/** Ends of a pair. */
export const PARTNER = 0;
export const BODY = 1;
/** State of a pair that is not reported: the shapes do not touch. */
export const APART = 0;
/**
 * Number of candidates that a scan reads in the time of one exact test, and in the time of looking up one body: the
 * scan reads memory in order.
 */
const CANDIDATES_PER_TEST = 8;
const CANDIDATES_PER_BODY = 8;

/** A tree with what has changed in it since the last update. */
export interface ChangingTree {
  readonly tree: Tree;
  readonly changes: ChangeLog;
}

export abstract class Tracker {
  readonly pairs: CandidatePairs;
  /**
   * The pairs whose state has changed in the last update, by partner, then body. A pair that is not a candidate any
   * more is APART.
   */
  readonly changed = new IndexList(0);

  protected readonly bodies: ChangingTree;
  protected readonly partners: ChangingTree;
  /** `bodies.tree.bodies`. */
  protected readonly arrays: BodyArrays;
  protected readonly anchors = new Anchors();
  /** World units. The slot bounds of a candidate pair overlap when those of one member are enlarged by it. */
  protected margin = 0;
  /** Whether no update has run yet. */
  private isFresh = true;
  /** The marks of bodies and of partners in this update. */
  private bodyMarks: Uint8Array = new Uint8Array(0);
  private partnerMarks: Uint8Array = new Uint8Array(0);
  /** By the number of a body or of a partner: whether it is in a pair with the member that is searched for. */
  private known = new Uint8Array(0);
  private readonly sorter = new PairSorter();
  private readonly box = new Float64Array(BOX_STRIDE);

  /**
   * @param partners `bodies` itself, or another tree. Its members do not move: they are removed, and inserted as new
   *   ones.
   */
  constructor(bodies: ChangingTree, partners: ChangingTree) {
    this.bodies = bodies;
    this.arrays = bodies.tree.bodies;
    this.partners = partners;
    this.pairs = new CandidatePairs(bodies === partners);
  }

  /** The categories of which the other member of a pair must have one, if a member has the categories `mask`. */
  protected abstract categoriesFor(mask: number): number;
  /** More searches for single bodies than this take longer than `searchAll`. */
  protected abstract get maxSearches(): number;
  /** Adds all missing candidates. */
  protected abstract searchAll(workspace: Workspace): void;
  /**
   * The state of a pair by an exact test; `before` is its state before. Pairs of two bodies may be given in either
   * order.
   */
  protected abstract stateOf(partner: number, body: number, before: number): number;
  /** Writes to `anchors.slack` how far a body may move before the state of its pair with a partner may change. */
  protected abstract writeSlack(link: number, partner: number, body: number): void;

  /**
   * Call it once per update, after all writes have been applied to both trees; `release` must have been called since
   * the last update.
   */
  readChanges(workspace: Workspace): void {
    const { bodies, changed, pairs, partners } = this;
    changed.length = 0;
    if (!bodies.tree.hasRoot || !partners.tree.hasRoot) return;
    const bodyCount = bodies.tree.bodies.count;
    pairs.reserve(PARTNER, partners.tree.bodies.count);
    pairs.reserve(BODY, bodyCount);
    this.anchors.reserve(bodyCount);
    this.bodyMarks = bodies.changes.marksOf(bodyCount);
    this.partnerMarks = partners.changes.marksOf(partners.tree.bodies.count);
    this.known = withCapacity(this.known, Math.max(bodyCount, partners.tree.bodies.count));
    this.dropRemoved();
    this.dropSeparated();
    this.search(workspace);
    this.testMoved();
    this.sorter.sort(pairs, changed);
    this.isFresh = false;
  }

  /** Frees the pairs that are not candidates any more, after `changed` was read. */
  release(): void {
    this.pairs.releaseDropped();
  }

  /** Drops all candidates of a partner, without changes. */
  forget(partner: number): void {
    const { pairs } = this;
    pairs.reserve(PARTNER, partner + 1);
    for (let link = pairs.firstLink(PARTNER, partner); link !== NO_LINK; link = pairs.firstLink(PARTNER, partner)) {
      pairs.setState(link >> 1, APART);
      this.drop(link >> 1);
    }
  }

  /** Fills `out` with the bodies whose pairs with a partner are not APART. */
  collectBodies(partner: number, out: IndexList): void {
    const { pairs } = this;
    out.length = 0;
    pairs.reserve(PARTNER, partner + 1);
    for (let link = pairs.firstLink(PARTNER, partner); link !== NO_LINK; link = pairs.nextLink(link)) {
      if (pairs.state(link >> 1) !== APART) out.push(pairs.other(link));
    }
  }

  /** All bodies were translated: anchors are out of date. The change log lists the bodies whose bounds were rounded. */
  translate(): void {
    this.anchors.clearAll();
  }

  private dropRemoved(): void {
    const { pairs } = this;
    const { removed } = this.bodies.changes;
    for (let k = 0; k < removed.length; k++) {
      const index = removed.array[k];
      for (let link = pairs.firstLink(BODY, index); link !== NO_LINK; link = pairs.firstLink(BODY, index))
        this.drop(link >> 1);
    }
  }

  /**
   * Drops the candidates of renewed bodies of which a member has left the categories, or whose slot bounds do not
   * overlap any more.
   */
  private dropSeparated(): void {
    const { box, pairs } = this;
    const { changes, tree } = this.bodies;
    const { bodies: partners, slots } = this.partners.tree;
    const { categoryMask } = tree.bodies;
    const { renewed } = changes;
    for (let k = 0; k < renewed.length; k++) {
      const index = renewed.array[k];
      if (pairs.firstLink(BODY, index) === NO_LINK) continue;
      this.readSearchBox(tree, index);
      const categories = this.categoriesFor(categoryMask[index]);
      for (let link = pairs.firstLink(BODY, index); link !== NO_LINK;) {
        const next = pairs.nextLink(link);
        const partner = pairs.other(link);
        const isCandidate =
          (partners.categoryMask[partner] & categories) !== 0 &&
          boxesOverlap(box, 0, slots.slotBounds, partners.slot[partner] * BOX_STRIDE);
        if (!isCandidate) this.drop(link >> 1);
        link = next;
      }
    }
  }

  private drop(pair: number): void {
    const { anchors, changed, pairs } = this;
    const isChange = pairs.state(pair) !== APART;
    anchors.forget(pairs.member(pair, BODY), 2 * pair + BODY);
    if (this.partners === this.bodies) anchors.forget(pairs.member(pair, PARTNER), 2 * pair + PARTNER);
    pairs.setState(pair, APART);
    pairs.drop(pair, isChange);
    if (isChange) changed.push(pair);
  }

  /**
   * Adds the missing candidates. New ones belong to a new partner in a tree of its own, which has none yet, or to a
   * renewed body.
   */
  private search(workspace: Workspace): void {
    const { array, length } = this.bodies.changes.renewed;
    if (this.isFresh || length > this.maxSearches) {
      this.searchAll(workspace);
      return;
    }
    if (this.partners !== this.bodies) {
      const { renewed } = this.partners.changes;
      for (let k = 0; k < renewed.length; k++) this.searchFor(PARTNER, renewed.array[k], workspace);
    }
    for (let k = 0; k < length; k++) this.searchFor(BODY, array[k], workspace);
  }

  /** Adds the missing candidates of a member, the body or the partner of its pairs; none if it was removed. */
  protected searchFor(end: 0 | 1, member: number, { boxQuery, list, scratch }: Workspace): void {
    const { known, pairs } = this;
    const own = end === BODY ? this.bodies : this.partners;
    const { tree } = end === BODY ? this.partners : this.bodies;
    const { bodies } = own.tree;
    const categories = this.categoriesFor(bodies.categoryMask[member]);
    if (!bodies.isPlaced(member) || categories === 0) return;
    this.readSearchBox(own.tree, member);
    boxQuery.set(this.box);
    list.length = 0;
    walkOverlapping(tree, boxQuery, null, categories, scratch, list);
    for (let link = pairs.firstLink(end, member); link !== NO_LINK; link = pairs.nextLink(link))
      known[pairs.other(link)] = 1;
    for (let k = 0; k < list.length; k++) {
      const other = list.array[k];
      if (known[other] === 0 && (tree.bodies.categoryMask[other] & categories) !== 0)
        this.addCandidate(end === BODY ? other : member, end === BODY ? member : other);
    }
    for (let link = pairs.firstLink(end, member); link !== NO_LINK; link = pairs.nextLink(link))
      known[pairs.other(link)] = 0;
  }

  /** Writes the slot bounds of a member, enlarged by the margin, to `box`. */
  private readSearchBox({ bodies, slots }: Tree, member: number): void {
    const { box, margin } = this;
    readSlotBounds(slots, bodies.slot[member], box);
    for (let axis = 0; axis < 3; axis++) {
      box[axis] -= margin;
      box[axis + 3] += margin;
    }
  }

  protected addCandidate(partner: number, body: number): void {
    this.pairs.add(partner, body, this.firstState(partner, body));
  }

  /** The state of a new candidate before its first test. */
  protected firstState(_partner: number, _body: number): number {
    return APART;
  }

  /**
   * Tests the candidates of the bodies that have moved, and of new partners. There are two ways: scan all candidates,
   * and test those of moved bodies; or look up the candidates of each moved body, and test them only if the body has
   * left its slack.
   */
  private testMoved(): void {
    if (this.isFresh || this.isScanCheaper()) this.scan(this.isFresh ? 0 : MOVED);
    else {
      if (this.partners !== this.bodies) this.testNewPartners();
      this.lookUp();
    }
  }

  private isScanCheaper(): boolean {
    const { anchors, pairs } = this;
    const { changes, tree } = this.bodies;
    const { bounds } = tree.bodies;
    const { array, length } = changes.moved;
    const { recordCount } = pairs;
    const expected = recordCount * Math.min(length / tree.placedCount, 1);
    if (recordCount + CANDIDATES_PER_TEST * expected <= CANDIDATES_PER_BODY * length) return true;
    const maxTests = recordCount / CANDIDATES_PER_TEST;
    let tests = 0;
    for (let k = 0; k < length && tests <= maxTests; k++) {
      const count = pairs.countOf(BODY, array[k]);
      if (count === 0 || anchors.isWithinSlack(array[k], bounds)) continue;
      tests += anchors.isWithinFarSlack(array[k], bounds) ? Math.min(count, NEAR_PAIRS) : count;
    }
    return tests > maxTests;
  }

  /**
   * Tests the candidates with at least one marked member; with mark 0 all candidates. Reads the pairs in the order of
   * memory.
   */
  private scan(mark: number): void {
    const { bodyMarks, pairs, partnerMarks } = this;
    // No slack is valid after the scan, which does not renew anchors.
    this.anchors.clearAll();
    for (let pair = 0; pair < pairs.recordCount; pair++) {
      if (!pairs.isLinked(pair)) continue;
      const partner = pairs.member(pair, PARTNER);
      const body = pairs.member(pair, BODY);
      if (((partnerMarks[partner] | bodyMarks[body]) & mark) !== mark) continue;
      // As in `test`, which V8 would not inline here.
      const before = pairs.state(pair);
      const state = this.stateOf(partner, body, before);
      if (state !== before) this.change(pair, state);
    }
  }

  private testNewPartners(): void {
    const { anchors, pairs } = this;
    const { array, length } = this.partners.changes.renewed;
    for (let k = 0; k < length; k++) {
      for (let link = pairs.firstLink(PARTNER, array[k]); link !== NO_LINK; link = pairs.nextLink(link)) {
        const body = pairs.other(link);
        // No slack of the body takes the new partner into account.
        anchors.clear(body);
        this.test(link >> 1, array[k], body);
      }
    }
  }

  private lookUp(): void {
    const { anchors, bodyMarks, pairs } = this;
    const { changes, tree } = this.bodies;
    const { bounds } = tree.bodies;
    const { array, length } = changes.moved;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      // The slack of a body without candidates becomes 0: nothing compares the body with its anchor, so it may leave
      // its slack unnoticed.
      if (pairs.firstLink(BODY, index) === NO_LINK) anchors.clear(index);
      else if ((bodyMarks[index] & RENEWED) !== 0) this.testBody(index, true);
      else if (!anchors.isWithinSlack(index, bounds)) this.testBody(index, !anchors.isWithinFarSlack(index, bounds));
    }
  }

  /** Tests all candidates of a body, or its near pairs only, and computes how far it may move before the next test. */
  private testBody(index: number, isForAll: boolean): void {
    const { anchors, pairs } = this;
    anchors.begin(index, this.arrays.bounds, isForAll);
    let link = isForAll ? pairs.firstLink(BODY, index) : anchors.nearLink(index, 0);
    for (let k = 1; link !== NO_LINK; k++) {
      const partner = pairs.other(link);
      this.test(link >> 1, partner, index);
      this.writeSlack(link, partner, index);
      anchors.add(link);
      link = isForAll ? pairs.nextLink(link) : anchors.nearLink(index, k);
    }
    anchors.finish(index, isForAll);
  }

  private test(pair: number, partner: number, body: number): void {
    const before = this.pairs.state(pair);
    const state = this.stateOf(partner, body, before);
    if (state !== before) this.change(pair, state);
  }

  private change(pair: number, state: number): void {
    this.pairs.setState(pair, state);
    this.changed.push(pair);
  }
}
