/**
 * The data of each body, in flat arrays by body index: exact bounds, fat bounds, slot, categories and flags.
 *
 * Invariant: the slot bounds of a body, a Float32 box in `SlotPages`, contain its exact bounds and its valid fat
 * bounds.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { bytesTogether, grownCapacity, resizeTogether } from '../../math/typed-arrays.ts';
import {
  BODY_HAS_HALF_SIZE,
  BODY_HAS_MARGIN,
  BODY_HAS_TIGHT_SLOT,
  BODY_MARGIN_FLAGS,
  BODY_SPHERE,
  BODY_STATIC,
} from '../layout.ts';

/** Slot of a body that is neither in the tree nor queued. */
export const NO_SLOT = -1;

/** Numbers of one step. */
export const STEP_STRIDE = 3;
/** Where a step lies in a record of `fatBounds`. */
const STEP_OFFSET = BOX_STRIDE - STEP_STRIDE;

/** Value of `checkedSums` of a listed body that was not checked yet. */
export const NOT_CHECKED = Infinity;

/** Numbers of one half size. */
export const HALF_SIZE_STRIDE = 3;

/** Offset of the size of the smallest body in the result of `extentOf`, after the box. */
export const SMALLEST_SIZE = BOX_STRIDE;

const INITIAL_CAPACITY = 64;
/** The arrays and their numbers per body. */
const STRIDES = {
  bounds: BOX_STRIDE,
  fatBounds: BOX_STRIDE,
  checkedSums: 1,
  halfSizes: HALF_SIZE_STRIDE,
  slot: 1,
  categoryMask: 1,
  flags: 1,
};

export class BodyArrays {
  /**
   * Exact bounds, six numbers per body, world units: a box as min and max, a sphere as centre, radius and two unused
   * numbers.
   */
  bounds = new Float64Array(INITIAL_CAPACITY * BOX_STRIDE);
  /**
   * Fat bounds, six numbers per body, Float32 rounded inward: valid where the body has a margin. The record of a body
   * without a margin that has moved holds its last step instead, see `writeStep`; before its first move it may hold
   * numbers of a removed body. Empty until the first move, or until a translation places bodies again, so that scenes
   * without motion save the memory.
   */
  fatBounds = new Float32Array(0);
  /**
   * One number per body, for as many bodies as `fatBounds`: 0 if the body is not in the list `Tree.margins`, otherwise
   * the sum of its bounds at the last check of `dropRestedMargins`.
   */
  checkedSums = new Float32Array(0);
  /**
   * Half sizes of boxes along x, y and z, world units, as they were when the body got its bounds: valid where the
   * body's flags say so. Empty until the first move by a centre, or until a translation rounds a box.
   */
  halfSizes = new Float64Array(0);
  /**
   * Where the body is. From 0 on: its slot in the tree (see `isPlaced`). NO_SLOT: neither in the tree nor queued. Below
   * NO_SLOT: it waits in the write queue, at the position -2 - slot. Loops over many bodies compare with 0 themselves.
   */
  slot = new Int32Array(INITIAL_CAPACITY);
  categoryMask = new Int32Array(INITIAL_CAPACITY);
  flags = new Uint8Array(INITIAL_CAPACITY);
  /** Indices handed out so far, freed ones included. */
  count = 0;
  /** True once two bodies had different categories or static flags. Stays true. */
  isMixed = false;

  private readonly free: number[] = [];
  /** Categories and static flag of the first body ever added, with which all others are compared. */
  private first: { categoryMask: number; isStatic: number } | null = null;

  get bytes(): number {
    return bytesTogether(this, STRIDES);
  }

  /** Takes the index that was freed last, or a new one. */
  allocate(flags: number, categoryMask: number): number {
    this.reserve(1);
    const index = this.free.pop() ?? this.count++;
    this.flags[index] = flags;
    this.categoryMask[index] = categoryMask;
    this.slot[index] = NO_SLOT;
    this.compareWithFirst(categoryMask, flags);
    return index;
  }

  private compareWithFirst(categoryMask: number, flags: number): void {
    this.first ??= { categoryMask, isStatic: flags & BODY_STATIC };
    if (categoryMask !== this.first.categoryMask || (flags & BODY_STATIC) !== this.first.isStatic) this.isMixed = true;
  }

  release(index: number): void {
    this.free.push(index);
  }

  /**
   * Grows the arrays, if necessary, to hold `added` more bodies: then `allocate` allocates no memory. With a factor of
   * 2, bodies that are inserted one by one would take 0.75 to 1 of the time, and 9 % more memory.
   */
  reserve(added: number): void {
    const count = this.count + Math.max(0, added - this.free.length);
    if (count > this.capacity) resizeTogether(this, STRIDES, grownCapacity(count, this.capacity, 1.5));
  }

  /** Number of bodies that the arrays can hold. */
  get capacity(): number {
    return this.slot.length;
  }

  /** Allocates the fat bounds, at the first move. */
  allocateFatBounds(): void {
    if (this.fatBounds.length > 0) return;
    const checkedSums = new Float32Array(this.capacity);
    this.fatBounds = new Float32Array(this.capacity * BOX_STRIDE);
    this.checkedSums = checkedSums;
  }

  /** Makes the fat bounds of a body invalid: its next move escapes. Its last step is then 0. */
  dropMargin(index: number): void {
    const { fatBounds } = this;
    this.flags[index] &= ~BODY_MARGIN_FLAGS;
    if (fatBounds.length === 0) return;
    const to = index * BOX_STRIDE + STEP_OFFSET;
    fatBounds[to] = 0;
    fatBounds[to + 1] = 0;
    fatBounds[to + 2] = 0;
  }

  /**
   * Replaces the margin of a body, if it has one, by its last step: x, y and z. A body has either a margin or a step,
   * so both share one record. Its slot bounds are not tight then, because its bounds change.
   */
  writeStep(index: number, step: Float32Array): void {
    const { fatBounds } = this;
    this.flags[index] &= ~(BODY_MARGIN_FLAGS | BODY_HAS_TIGHT_SLOT);
    const to = index * BOX_STRIDE + STEP_OFFSET;
    fatBounds[to] = step[0];
    fatBounds[to + 1] = step[1];
    fatBounds[to + 2] = step[2];
  }

  /** Writes the last steps of the first `count` of several bodies, side by side. */
  readSteps(indices: Uint32Array, count: number, target: Float32Array): void {
    const { fatBounds } = this;
    for (let k = 0, to = 0; k < count; k++, to += STEP_STRIDE) {
      const from = indices[k] * BOX_STRIDE + STEP_OFFSET;
      target[to] = fatBounds[from];
      target[to + 1] = fatBounds[from + 1];
      target[to + 2] = fatBounds[from + 2];
    }
  }

  /** Call it before half sizes are stored. */
  allocateHalfSizes(): void {
    if (this.halfSizes.length === 0) this.halfSizes = new Float64Array(this.capacity * HALF_SIZE_STRIDE);
  }

  /**
   * Stores the half size of a box, so that moves by its centre do not change it. Without `sizes` it is computed from
   * the bounds. Valid until the body gets other bounds: see `dropHalfSizes`.
   */
  storeHalfSize(index: number, sizes?: ArrayLike<number>): void {
    this.allocateHalfSizes();
    const { bounds, halfSizes } = this;
    const at = index * BOX_STRIDE;
    const to = index * HALF_SIZE_STRIDE;
    for (let axis = 0; axis < 3; axis++)
      halfSizes[to + axis] = sizes === undefined ? (bounds[at + axis + 3] - bounds[at + axis]) * 0.5 : sizes[axis];
    this.flags[index] |= BODY_HAS_HALF_SIZE;
  }

  /** Call it for bodies that get new bounds: their half sizes become invalid. */
  dropHalfSizes(indices: Uint32Array): void {
    if (this.halfSizes.length === 0) return;
    const { flags } = this;
    for (let k = 0; k < indices.length; k++) flags[indices[k]] &= ~BODY_HAS_HALF_SIZE;
  }

  hasMargin(index: number): boolean {
    return (this.flags[index] & BODY_HAS_MARGIN) !== 0;
  }

  /** Whether a body is in the tree. Removed bodies and bodies that wait to be inserted are not. */
  isPlaced(index: number): boolean {
    return this.slot[index] >= 0;
  }

  isSphere(index: number): boolean {
    return (this.flags[index] & BODY_SPHERE) !== 0;
  }

  /** Copies the exact bounds of a body to `target`; returns whether they are a sphere. */
  readBounds(index: number, target: Float64Array): boolean {
    for (let k = 0; k < BOX_STRIDE; k++) target[k] = this.bounds[index * BOX_STRIDE + k];
    return this.isSphere(index);
  }

  /** Writes the exact box of a body to `target`, from offset `to` on; for a sphere the box around it. */
  readBox(index: number, target: Float64Array, to = 0): Float64Array {
    const { bounds } = this;
    const at = index * BOX_STRIDE;
    if (!this.isSphere(index)) {
      for (let k = 0; k < BOX_STRIDE; k++) target[to + k] = bounds[at + k];
      return target;
    }
    const radius = bounds[at + 3];
    for (let axis = 0; axis < 3; axis++) {
      target[to + axis] = bounds[at + axis] - radius;
      target[to + axis + 3] = bounds[at + axis] + radius;
    }
    return target;
  }

  /**
   * The box around bodies, and around `extent` if it is passed, which is enlarged. Its seventh number is the longest
   * edge of the smallest body that is not a point.
   */
  extentOf(
    indices: Uint32Array,
    extent: Float64Array = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, Infinity),
  ): Float64Array {
    const box = new Float64Array(BOX_STRIDE);
    for (let k = 0; k < indices.length; k++) {
      this.readBox(indices[k], box);
      let size = 0;
      for (let axis = 0; axis < 3; axis++) {
        if (box[axis] < extent[axis]) extent[axis] = box[axis];
        if (box[axis + 3] > extent[axis + 3]) extent[axis + 3] = box[axis + 3];
        size = Math.max(size, box[axis + 3] - box[axis]);
      }
      if (size > 0 && size < extent[SMALLEST_SIZE]) extent[SMALLEST_SIZE] = size;
    }
    return extent;
  }
}
