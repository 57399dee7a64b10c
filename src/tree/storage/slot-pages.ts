/**
 * Pages of slots. The bodies of a node lie side by side in one page, so that a query filters them in one linear loop.
 * Pages that a node has outgrown go back to free lists, cut into powers of two.
 *
 * Invariant: the slot bounds of a slot contain the exact bounds of its body.
 */

import { BOX_STRIDE, copyBox } from '../../math/box.ts';
import { roundDown32, roundUp32 } from '../../math/float32.ts';
import { bytesTogether, resizeTogether } from '../../math/typed-arrays.ts';
import { GRAIN, GRAIN_SHIFT } from '../layout.ts';

/** Initial capacity, in slots. */
const INITIAL_CAPACITY = 64;
/** Number of free lists: one per page size of a power of two, up to the largest 31-bit slot number. */
const SIZE_CLASSES = 31;
/** The arrays and their numbers per grain. */
const STRIDES = { slotBounds: GRAIN * BOX_STRIDE, body: GRAIN, grainNode: 1 };

/** Number of slots of the smallest page for `count` bodies. */
export function pageSize(count: number): number {
  return ((count + GRAIN - 1) >> GRAIN_SHIFT) << GRAIN_SHIFT;
}

/** The arrays that walks read. */
export type SlotArrays = Pick<SlotPages, 'slotBounds' | 'body'>;

export class SlotPages {
  /** Slot bounds, six numbers per slot, Float32 rounded outward: contain the exact bounds of the body in the slot. */
  slotBounds = new Float32Array(INITIAL_CAPACITY * BOX_STRIDE);
  /** Index of the body in a slot. */
  body = new Int32Array(INITIAL_CAPACITY);
  /** Owner node of each grain, which is a group of GRAIN slots. */
  grainNode = new Int32Array(INITIAL_CAPACITY / GRAIN);
  /** Slots handed out so far, free ones included. */
  end = 0;

  /** First slots of free pages: list k holds pages of GRAIN << k slots. */
  readonly free: number[][] = Array.from({ length: SIZE_CLASSES }, () => []);

  get bytes(): number {
    return bytesTogether(this, STRIDES);
  }

  /** Takes a page of `capacity` = GRAIN << k slots. Returns its first slot. */
  takePage(capacity: number): number {
    const sizeClass = 31 - Math.clz32(capacity >> GRAIN_SHIFT);
    return this.free[sizeClass].pop() ?? this.takePageAtEnd(capacity);
  }

  /**
   * Takes a page after all others, so that a bulk build can lay out pages in tree order. Its length is any multiple of
   * GRAIN slots. Returns its first slot.
   */
  takePageAtEnd(capacity: number): number {
    const start = this.end;
    const end = start + capacity;
    if (end > this.capacity) this.resize(Math.max(end, Math.ceil((this.capacity * 1.5) / GRAIN) * GRAIN));
    this.end = end;
    return start;
  }

  /** Returns a page to the free lists, cut into powers of two. */
  freePage(start: number, capacity: number): void {
    for (let grains = capacity >> GRAIN_SHIFT; grains > 0;) {
      const sizeClass = 31 - Math.clz32(grains);
      this.free[sizeClass].push(start);
      start += GRAIN << sizeClass;
      grains -= 1 << sizeClass;
    }
  }

  /** Frees all pages at once. No node may have one. */
  clear(): void {
    this.end = 0;
    for (const list of this.free) list.length = 0;
  }

  /** Number of slots that the arrays can hold. */
  get capacity(): number {
    return this.body.length;
  }

  /**
   * Replaces all arrays by copies with a capacity of `slots` slots, at least as many as are in use.
   *
   * @param arrays New arrays of zeros for that capacity, to which those that walks read are copied.
   */
  resize(slots: number, arrays?: SlotArrays): void {
    resizeTogether(this, STRIDES, slots >> GRAIN_SHIFT, arrays);
  }

  nodeOf(slot: number): number {
    return this.grainNode[slot >> GRAIN_SHIFT];
  }

  /** Makes a node the owner of the slots of a page. */
  setOwner(start: number, capacity: number, node: number): void {
    const end = (start + capacity) >> GRAIN_SHIFT;
    for (let grain = start >> GRAIN_SHIFT; grain < end; grain++) this.grainNode[grain] = node;
  }

  /** Sets the slot bounds of a slot to the box at offset `from`, rounded outward. */
  writeSlotBounds(slot: number, boxes: Float64Array, from: number): void {
    const { slotBounds } = this;
    const at = slot * BOX_STRIDE;
    slotBounds[at] = roundDown32(boxes[from]);
    slotBounds[at + 1] = roundDown32(boxes[from + 1]);
    slotBounds[at + 2] = roundDown32(boxes[from + 2]);
    slotBounds[at + 3] = roundUp32(boxes[from + 3]);
    slotBounds[at + 4] = roundUp32(boxes[from + 4]);
    slotBounds[at + 5] = roundUp32(boxes[from + 5]);
  }

  /** Copies a slot's slot bounds and body to another slot. */
  copy(from: number, to: number): void {
    const { body, slotBounds } = this;
    body[to] = body[from];
    copyBox(slotBounds, from * BOX_STRIDE, slotBounds, to * BOX_STRIDE);
  }
}

/** Copies the slot bounds of a slot to `target`, six numbers. */
export function readSlotBounds({ slotBounds }: SlotPages, slot: number, target: Float64Array): void {
  const at = slot * BOX_STRIDE;
  for (let offset = 0; offset < BOX_STRIDE; offset++) target[offset] = slotBounds[at + offset];
}
