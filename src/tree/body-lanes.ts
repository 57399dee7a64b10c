/**
 * What the tree knows of each body, in index order. The bounds here are the exact ones; the entry that a body has in a slot
 * of the tree is a Float32 box around them, and `slack` tells how far the bounds may still drift inside that entry.
 */

import { BOX_LANES } from '../math/box.ts';
import { BODY_SPHERE } from './layout.ts';

/** Slot of a body that is not in the tree. */
export const NO_SLOT = -1;

const FIRST_CAPACITY = 64;

export class BodyLanes {
  /** Six lanes a body, world units: a box as min and max, a sphere as centre, radius and two unused lanes. */
  bounds = new Float64Array(FIRST_CAPACITY * BOX_LANES);
  /**
   * World units each coordinate may change in sum before the entry has to be looked at; 0 = look at once. Rounded down. Of a body that
   * waits to be relocated: its last step, negative.
   */
  slack = new Float32Array(FIRST_CAPACITY);
  /** Where the body lies in the tree, or NO_SLOT. */
  slot = new Int32Array(FIRST_CAPACITY);
  categoryMask = new Int32Array(FIRST_CAPACITY);
  flags = new Uint8Array(FIRST_CAPACITY);
  /** Indices handed out so far, freed ones included. */
  count = 0;

  private readonly free: number[] = [];

  get bytes(): number {
    return this.bounds.byteLength + this.slack.byteLength + this.slot.byteLength + this.categoryMask.byteLength + this.flags.byteLength;
  }

  /** Takes a free index, the one freed last first. */
  allocate(flags: number, categoryMask: number): number {
    const index = this.free.pop() ?? this.count++;
    this.reserve(this.count);
    this.flags[index] = flags;
    this.categoryMask[index] = categoryMask;
    this.slot[index] = NO_SLOT;
    this.slack[index] = 0;
    return index;
  }

  release(index: number): void {
    this.free.push(index);
  }

  /** Makes room for `count` bodies at once. */
  reserve(count: number): void {
    if (count <= this.slot.length) return;
    const capacity = Math.max(count, Math.ceil(this.slot.length * 1.5));
    const { bounds, slack, slot, categoryMask, flags } = this;
    (this.bounds = new Float64Array(capacity * BOX_LANES)).set(bounds);
    (this.slack = new Float32Array(capacity)).set(slack);
    (this.slot = new Int32Array(capacity)).set(slot);
    (this.categoryMask = new Int32Array(capacity)).set(categoryMask);
    (this.flags = new Uint8Array(capacity)).set(flags);
  }

  isSphere(index: number): boolean {
    return (this.flags[index] & BODY_SPHERE) !== 0;
  }

  /** Writes the exact box of a body, the one around the sphere of a sphere body, to `target`. */
  readBox(index: number, target: Float64Array): Float64Array {
    const { bounds } = this;
    const at = index * BOX_LANES;
    if ((this.flags[index] & BODY_SPHERE) === 0) {
      for (let lane = 0; lane < BOX_LANES; lane++) target[lane] = bounds[at + lane];
      return target;
    }
    const radius = bounds[at + 3];
    for (let axis = 0; axis < 3; axis++) {
      target[axis] = bounds[at + axis] - radius;
      target[axis + 3] = bounds[at + axis] + radius;
    }
    return target;
  }
}
