/**
 * The queued writes, inserts, moves, removals and changed categories, which `apply` applies to the tree together.
 *
 * Invariants:
 * - `reserve` and `reserveRemovals` allocate; the writes to bodies, lists and changes that follow do not.
 * - The tree follows from the bodies: if an error ends a write to it, it is emptied, and all bodies are queued again.
 * - A queued insert stores its position in the queue instead of its slot, as -2 - position, so that it can be taken out
 *   in constant time.
 * - A move writes the body's exact bounds at once. It is queued only if the body has escaped from its fat bounds.
 * - While a query runs, the bounds and categories that it tests must not change. So a move is deferred with its bounds,
 *   and new categories are deferred too. They are applied before the next move or change of categories that is not
 *   deferred, so that these count in the order of the calls.
 */

import { BOX_STRIDE, magnitudeOf } from '../../math/box.ts';
import { cubeContains, smallestCubeAround, smallestStepFor, type IntegerCube } from '../../math/integer-cube.ts';
import { strideOf } from '../../math/sphere.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { buildFrom } from '../../tree/build/build.ts';
import { BODY_DEAD, BODY_HAS_HALF_SIZE, BODY_MOVED } from '../../tree/layout.ts';
import { HALF_SIZE_STRIDE, SMALLEST_SIZE } from '../../tree/storage/body-arrays.ts';
import type { ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import { placeMany, removeMany, adaptCells } from '../../tree/update/place.ts';
import { growRootAround } from '../../tree/update/grow.ts';
import {
  findEscaped,
  listEscaped,
  writeBounds,
  BulkMove,
  type MoveCheck,
  CENTER_STRIDE,
  moveCenters,
} from '../../tree/update/move.ts';
import { changeCategories } from '../../tree/update/refit.ts';
import { dropRemoved, relocateMany } from '../../tree/update/relocate.ts';

/** Slot of the first queued insert; -1 is NO_SLOT. */
export const FIRST_QUEUED_SLOT = -2;

interface DeferredMove {
  /** Min and max of a box, or centre and radius of a sphere. */
  readonly values: readonly number[];
  readonly isSphere: boolean;
  /** Of a box that was moved by its centre: half of its size along x, y and z; otherwise null. */
  readonly halfSize: readonly number[] | null;
}

export class WriteQueue {
  private readonly tree: Tree;
  private readonly changes: ChangeLog;
  readonly inserted = new IndexList();
  private readonly moved = new IndexList();
  readonly removed = new IndexList();
  private deferred = new Map<number, DeferredMove>();
  /** Deferred categories of bodies, by index. */
  private deferredMasks = new Map<number, number>();
  /** A single move. */
  private readonly numbers = new Float64Array(BOX_STRIDE);
  private readonly single = new BulkMove(new Uint32Array(1), this.numbers, BOX_STRIDE);

  constructor(tree: Tree, changes: ChangeLog) {
    this.tree = tree;
    this.changes = changes;
  }

  /** Number of queued operations. */
  get length(): number {
    return (
      this.inserted.length + this.moved.length + this.removed.length + this.deferred.size + this.deferredMasks.size
    );
  }

  /** Makes room for `added` more bodies in all arrays, and for all bodies in the queue of inserts. */
  reserve(added: number): void {
    const { bodies } = this.tree;
    bodies.reserve(added);
    this.inserted.reserve(bodies.capacity);
  }

  /** Makes room for `count` more removals. */
  reserveRemovals(count: number): void {
    this.removed.reserve(this.removed.length + count);
    this.changes.reserve(this.tree.bodies.count, this.removed.length + count);
  }

  /** Makes room for `count` more moves. */
  reserveMoves(count: number): void {
    const { bodies } = this.tree;
    this.changes.reserve(bodies.count, 0);
    this.moved.reserve(this.moved.length + count);
    bodies.allocateFatBounds();
  }

  insert(index: number): void {
    this.tree.bodies.slot[index] = FIRST_QUEUED_SLOT - this.inserted.length;
    this.inserted.push(index);
  }

  /** Gives one body new bounds, which are checked already; `stride` as in `BulkMove`. No query may be running. */
  move(index: number, bounds: FloatArray, stride: number): void {
    const { single } = this;
    // First, because it overwrites `single`.
    this.applyDeferred();
    single.indices[0] = index;
    single.bounds = bounds;
    single.stride = stride;
    this.moveMany(single);
  }

  /**
   * Gives many bodies new bounds; if an index is repeated, its last bounds count. Around centres the bodies keep their
   * sizes. No query may be running.
   */
  moveMany(bulk: BulkMove): void {
    this.applyDeferred();
    const { moved } = this;
    const { bodies } = this.tree;
    const { length } = moved;
    this.reserveMoves(bulk.indices.length);
    if (bulk.stride === CENTER_STRIDE) moveCenters(this.tree, bulk, moved);
    else {
      const isConsecutive = findEscaped(bodies, bulk, moved);
      this.checkFrom(length, bulk.check);
      listEscaped(bodies, bulk, moved, length);
      writeBounds(bodies, bulk, isConsecutive);
    }
    this.changes.recordMoves(bulk.indices);
  }

  /**
   * Checks the moves at the positions that were appended to the list of moved bodies from `begin` on. If it throws, the
   * list is as before.
   */
  private checkFrom(begin: number, check: MoveCheck | null): void {
    if (check === null) return;
    const { moved } = this;
    const { length } = moved;
    moved.length = begin;
    for (let k = begin; k < length; k++) check(moved.array[k]);
    moved.length = length;
  }

  /**
   * Defers a move until `apply`, or until the next write that is not deferred (`applyDeferred`). It replaces an earlier
   * deferred move of the body.
   *
   * @param halfSize Of a box that is moved by its centre, see `readHalfSize`.
   */
  deferMove(index: number, values: FloatArray, isSphere: boolean, halfSize: readonly number[] | null): void {
    if (halfSize !== null) this.tree.bodies.allocateHalfSizes();
    this.deferred.set(index, { values: Array.from(values), isSphere, halfSize });
  }

  /** Gives a body other categories. No query may be running. */
  setMask(index: number, mask: number): void {
    this.applyDeferred();
    if (this.tree.bodies.categoryMask[index] === mask) return;
    this.changes.reserve(this.tree.bodies.count, 0);
    changeCategories(this.tree, index, mask);
    this.changes.recordCategories(index);
  }

  /** As `setMask`, but waits like `deferMove`. */
  deferMask(index: number, mask: number): void {
    this.deferredMasks.set(index, mask);
  }

  /** The categories last set for a body, deferred or not. */
  latestMask(index: number): number {
    return this.deferredMasks.get(index) ?? this.tree.bodies.categoryMask[index];
  }

  /**
   * Queues a removal and returns false. If the insert of the body is still queued, takes it out of the queue instead
   * and returns true: the index may be released at once.
   */
  remove(index: number): boolean {
    const { deferred, deferredMasks, inserted, removed } = this;
    const { slot } = this.tree.bodies;
    if (deferred.size > 0) deferred.delete(index);
    if (deferredMasks.size > 0) deferredMasks.delete(index);
    if (this.tree.bodies.isPlaced(index)) {
      removed.push(index);
      return false;
    }
    const position = FIRST_QUEUED_SLOT - slot[index];
    const last = inserted.array[--inserted.length];
    inserted.array[position] = last;
    slot[last] = FIRST_QUEUED_SLOT - position;
    return true;
  }

  /** Writes the bounds last set for a body, deferred or not, to `target`; returns whether they are a sphere. */
  readLatest(index: number, target: Float64Array): boolean {
    const move = this.deferred.get(index);
    if (move !== undefined) {
      target.set(move.values);
      return move.isSphere;
    }
    return this.tree.bodies.readBounds(index, target);
  }

  /**
   * Half of the size of a box along x, y and z, as its last `setBox` or its insert gave it, queued moves included;
   * moves by the centre do not change it.
   */
  readHalfSize(index: number): readonly number[] {
    const move = this.deferred.get(index);
    if (move !== undefined)
      return move.halfSize ?? [0, 1, 2].map((axis) => (move.values[axis + 3] - move.values[axis]) * 0.5);
    const { bodies } = this.tree;
    if ((bodies.flags[index] & BODY_HAS_HALF_SIZE) === 0) bodies.storeHalfSize(index);
    return Array.from(bodies.halfSizes.subarray(index * HALF_SIZE_STRIDE, (index + 1) * HALF_SIZE_STRIDE));
  }

  /**
   * Applies all queued writes: bodies get their deferred bounds and categories, then removals, relocations and inserts
   * follow in this order. Then it maintains the tree. If that throws, all bodies are queued again. No query may be
   * running.
   *
   * @param region The root's cell, or null if it is not known yet: then the first bodies determine it.
   * @param release Called with the index of each removed body, which is no longer in the tree. Must not throw.
   */
  apply(region: IntegerCube | null, release: (index: number) => void, maintain: (tree: Tree) => void): void {
    const { tree } = this;
    const hasWrites = this.length > 0;
    if (hasWrites) {
      this.applyDeferred();
      this.reserveRemovals(0);
    }
    let root = region;
    try {
      if (hasWrites) {
        this.applyRemovals(release);
        if (!this.fitCells()) {
          root = null;
          this.requeueAll(root, release);
        }
        this.changes.recordEscaped(this.moved);
        relocateMany(tree, this.moved);
        this.applyInserts(root);
      }
      maintain(tree);
      tree.accelerator?.adoptArrays(tree);
    } catch (error) {
      this.requeueAll(root, release);
      throw error;
    }
  }

  /**
   * Empties the tree, but for a root with this cell, and queues all bodies again: the next flush builds the tree from
   * them. Allocates nothing.
   */
  private requeueAll(root: IntegerCube | null, release: (index: number) => void): void {
    const { inserted, moved, removed, tree } = this;
    const { bodies } = tree;
    tree.clear(root);
    for (let k = 0; k < removed.length; k++) release(removed.array[k]);
    inserted.length = moved.length = removed.length = 0;
    for (let index = 0; index < bodies.count; index++) {
      if ((bodies.flags[index] & BODY_DEAD) !== 0) continue;
      bodies.flags[index] &= ~BODY_MOVED;
      bodies.dropMargin(index);
      this.insert(index);
    }
  }

  /**
   * Makes the smallest cell smaller if bodies that are about to be placed are small. Returns false if they are so far
   * from 0 that the cells of the tree would not be exact.
   */
  private fitCells(): boolean {
    const { inserted, moved, tree } = this;
    if (!tree.adaptsCells && tree.step === 1) return true;
    dropRemoved(tree, moved);
    if (inserted.length + moved.length === 0) return true;
    const extent = tree.bodies.extentOf(inserted.array.subarray(0, inserted.length));
    tree.bodies.extentOf(moved.array.subarray(0, moved.length), extent);
    const magnitude = magnitudeOf(extent);
    if (tree.adaptsCells) adaptCells(tree, extent[SMALLEST_SIZE], magnitude);
    // The cells of a region are exact wherever it is.
    return smallestStepFor(magnitude) <= tree.step || cubeContains(tree.region, extent);
  }

  /** Gives bodies their deferred bounds and categories. No query may be running. Overwrites `single`. */
  private applyDeferred(): void {
    const { deferred, deferredMasks } = this;
    if (deferred.size === 0 && deferredMasks.size === 0) return;
    const { bodies } = this.tree;
    this.reserveMoves(deferred.size);
    // Replaced first, because the writes below call this method.
    this.deferred = new Map();
    this.deferredMasks = new Map();
    for (const [index, { values, isSphere, halfSize }] of deferred) {
      for (let k = 0; k < values.length; k++) this.numbers[k] = values[k];
      this.move(index, this.numbers, strideOf(isSphere));
      if (halfSize !== null) bodies.storeHalfSize(index, halfSize);
    }
    for (const [index, mask] of deferredMasks) this.setMask(index, mask);
  }

  private applyRemovals(release: (index: number) => void): void {
    const { tree, removed } = this;
    removeMany(tree, removed);
    for (let k = 0; k < removed.length; k++) release(removed.array[k]);
    removed.length = 0;
  }

  /** Inserts into the tree, or builds it from all of them if it is empty. */
  private applyInserts(region: IntegerCube | null): void {
    const { tree, inserted } = this;
    if (inserted.length === 0) return;
    this.changes.recordRenewed(inserted);
    if (tree.placedCount > 0 || tree.nodes.count > 1) {
      placeMany(tree, inserted);
      inserted.length = 0;
      return;
    }
    const indices = inserted.array.subarray(0, inserted.length);
    inserted.length = 0;
    const extent = tree.bodies.extentOf(indices);
    if (!tree.hasRoot) {
      if (region === null) tree.smallestEdge = Math.max(tree.minCellSize, smallestStepFor(magnitudeOf(extent)));
      tree.openRoot(region ?? smallestCubeAround(extent, tree.smallestEdge));
    }
    growRootAround(tree, extent);
    buildFrom(tree, indices);
  }
}
