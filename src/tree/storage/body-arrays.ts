/**
 * What the tree knows of each body, in index order. The bounds here are the exact ones; the entry that a body has in a slot
 * of the tree is a Float32 box around them, and `rooms` tells where in that entry the bounds may move without a word to the tree.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { BODY_HAS_FACE_MARGIN, BODY_HAS_MARGIN, BODY_FACE_MARGIN_SHIFT, BODY_SPHERE, BODY_STATIC } from '../layout.ts';

/** Slot of a body that is not in the tree. */
export const NO_SLOT = -1;

const FIRST_CAPACITY = 64;

export class BodyArrays {
  /** Six lanes a body, world units: a box as min and max, a sphere as centre, radius and two unused lanes. */
  bounds = new Float64Array(FIRST_CAPACITY * BOX_STRIDE);
  /**
   * Six lanes a body, Float32 rounded inward: the box in which its bounds may move, freely or with play, if it is flagged to have one. If not,
   * the last three are the step that a body waiting to be relocated has made. Empty as long as nothing moves.
   */
  fatBounds = new Float32Array(0);
  /** Where the body lies in the tree, or NO_SLOT. */
  slot = new Int32Array(FIRST_CAPACITY);
  categoryMask = new Int32Array(FIRST_CAPACITY);
  flags = new Uint8Array(FIRST_CAPACITY);
  /** Indices handed out so far, freed ones included. */
  count = 0;
  /** Whether not all bodies so far have had the same categories, and been static or not. */
  isVaried = false;

  private readonly free: number[] = [];
  /** What the first body of all was like. */
  private first: { categoryMask: number; isStatic: number } | null = null;

  get bytes(): number {
    return this.bounds.byteLength + this.fatBounds.byteLength + this.slot.byteLength + this.categoryMask.byteLength + this.flags.byteLength;
  }

  /** Takes a free index, the one freed last first. */
  allocate(flags: number, categoryMask: number): number {
    const index = this.free.pop() ?? this.count++;
    this.reserve(this.count);
    this.flags[index] = flags;
    this.categoryMask[index] = categoryMask;
    this.slot[index] = NO_SLOT;
    this.compareWithFirst(categoryMask, flags);
    return index;
  }

  /**
   * Takes an index for each place of `indices`, for bodies with the same categories or with some each: free ones first, the one freed last before
   * the others, then new ones side by side. Their slots are still to be written. Returns whether all are new ones.
   */
  allocateMany(flags: number, categoryMasks: number | Int32Array, indices: Uint32Array): boolean {
    const { free } = this;
    const reused = Math.min(free.length, indices.length);
    const first = this.count;
    const end = first + indices.length - reused;
    this.count = end;
    this.reserve(end);
    for (let k = 0, last = free.length - 1; k < reused; k++) indices[k] = free[last - k];
    free.length -= reused;
    for (let k = reused; k < indices.length; k++) indices[k] = first + k - reused;
    for (let k = 0; k < reused; k++) {
      this.flags[indices[k]] = flags;
      this.categoryMask[indices[k]] = typeof categoryMasks === 'number' ? categoryMasks : categoryMasks[k];
    }
    this.flags.fill(flags, first, end);
    if (typeof categoryMasks === 'number') this.categoryMask.fill(categoryMasks, first, end);
    else this.categoryMask.set(categoryMasks.subarray(reused), first);
    const different = typeof categoryMasks === 'number' ? Math.min(1, indices.length) : indices.length;
    for (let k = 0; k < different; k++) this.compareWithFirst(this.categoryMask[indices[k]], flags);
    return reused === 0;
  }

  private compareWithFirst(categoryMask: number, flags: number): void {
    this.first ??= { categoryMask, isStatic: flags & BODY_STATIC };
    if (categoryMask !== this.first.categoryMask || (flags & BODY_STATIC) !== this.first.isStatic) this.isVaried = true;
  }

  release(index: number): void {
    this.free.push(index);
  }

  /** Makes room for `count` bodies at once. */
  reserve(count: number): void {
    if (count <= this.slot.length) return;
    const capacity = Math.max(count, Math.ceil(this.slot.length * 1.5));
    const { bounds, fatBounds, slot, categoryMask, flags } = this;
    (this.bounds = new Float64Array(capacity * BOX_STRIDE)).set(bounds);
    if (fatBounds.length > 0) (this.fatBounds = new Float32Array(capacity * BOX_STRIDE)).set(fatBounds);
    (this.slot = new Int32Array(capacity)).set(slot);
    (this.categoryMask = new Int32Array(capacity)).set(categoryMask);
    (this.flags = new Uint8Array(capacity)).set(flags);
  }

  /** Makes sure that there are lanes for rooms: from the first move on. */
  allocateFatBounds(): void {
    if (this.fatBounds.length === 0) this.fatBounds = new Float32Array(this.slot.length * BOX_STRIDE);
  }

  dropMargin(index: number): void {
    this.flags[index] &= ~(BODY_HAS_MARGIN | BODY_HAS_FACE_MARGIN | (3 << BODY_FACE_MARGIN_SHIFT));
  }

  isSphere(index: number): boolean {
    return (this.flags[index] & BODY_SPHERE) !== 0;
  }

  /** Writes the exact box of a body, the one around the sphere of a sphere body, to `target`. */
  readBox(index: number, target: Float64Array): Float64Array {
    const { bounds } = this;
    const at = index * BOX_STRIDE;
    if ((this.flags[index] & BODY_SPHERE) === 0) {
      for (let lane = 0; lane < BOX_STRIDE; lane++) target[lane] = bounds[at + lane];
      return target;
    }
    const radius = bounds[at + 3];
    for (let axis = 0; axis < 3; axis++) {
      target[axis] = bounds[at + axis] - radius;
      target[axis + 3] = bounds[at + axis] + radius;
    }
    return target;
  }

  /** The same for the first `count` of several bodies, side by side. */
  readBoxes(indices: Uint32Array, count: number, target: Float64Array): void {
    const { bounds, flags } = this;
    for (let k = 0, to = 0; k < count; k++, to += BOX_STRIDE) {
      const index = indices[k];
      const at = index * BOX_STRIDE;
      const x = bounds[at];
      const y = bounds[at + 1];
      const z = bounds[at + 2];
      if ((flags[index] & BODY_SPHERE) === 0) {
        target[to] = x;
        target[to + 1] = y;
        target[to + 2] = z;
        target[to + 3] = bounds[at + 3];
        target[to + 4] = bounds[at + 4];
        target[to + 5] = bounds[at + 5];
      } else {
        const radius = bounds[at + 3];
        target[to] = x - radius;
        target[to + 1] = y - radius;
        target[to + 2] = z - radius;
        target[to + 3] = x + radius;
        target[to + 4] = y + radius;
        target[to + 5] = z + radius;
      }
    }
  }

  /** The box around bodies. */
  extentOf(indices: Uint32Array): Float64Array {
    const { bounds, flags } = this;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let k = 0; k < indices.length; k++) {
      const index = indices[k];
      const at = index * BOX_STRIDE;
      let lowX = bounds[at];
      let lowY = bounds[at + 1];
      let lowZ = bounds[at + 2];
      let highX = bounds[at + 3];
      let highY = bounds[at + 4];
      let highZ = bounds[at + 5];
      if ((flags[index] & BODY_SPHERE) !== 0) {
        const radius = highX;
        highX = lowX + radius;
        highY = lowY + radius;
        highZ = lowZ + radius;
        lowX -= radius;
        lowY -= radius;
        lowZ -= radius;
      }
      if (lowX < minX) minX = lowX;
      if (lowY < minY) minY = lowY;
      if (lowZ < minZ) minZ = lowZ;
      if (highX > maxX) maxX = highX;
      if (highY > maxY) maxY = highY;
      if (highZ > maxZ) maxZ = highZ;
    }
    return Float64Array.of(minX, minY, minZ, maxX, maxY, maxZ);
  }
}
