/**
 * Where the bodies of a node lie: side by side in a page of slots, so that a query filters them in one straight run.
 * Pages that a node has outgrown are cut into powers of two and used again.
 */

import { BOX_LANES } from '../math/box.ts';
import { QUAD, QUAD_SHIFT } from './layout.ts';

const FIRST_CAPACITY = 64;
const SIZE_CLASSES = 31;

export class SlotPages {
  /** Entry of a slot, six lanes, Float32 rounded outward: encloses the exact bounds of its body. */
  entries = new Float32Array(FIRST_CAPACITY * BOX_LANES);
  /** Index of the body in a slot. */
  body = new Int32Array(FIRST_CAPACITY);
  /** Owner node of the four slots of a quad. */
  quadNode = new Int32Array(FIRST_CAPACITY / QUAD);
  /** Slots handed out so far, freed ones included. */
  end = 0;

  /** First slots of free pages; list k holds pages of QUAD << k slots. */
  private readonly free: number[][] = Array.from({ length: SIZE_CLASSES }, () => []);

  get bytes(): number {
    return this.entries.byteLength + this.body.byteLength + this.quadNode.byteLength;
  }

  /** Slots in free pages. */
  get freeSlots(): number {
    return this.free.reduce((sum, list, sizeClass) => sum + list.length * (QUAD << sizeClass), 0);
  }

  /** First slot of a page that is `capacity` = QUAD << k slots long. */
  take(capacity: number): number {
    const sizeClass = 31 - Math.clz32(capacity >> QUAD_SHIFT);
    return this.free[sizeClass].pop() ?? this.takeAtEnd(capacity);
  }

  /** First slot of a page of any multiple of QUAD behind all others: a bulk build lays its pages down in tree order. */
  takeAtEnd(capacity: number): number {
    const start = this.end;
    this.reserve(start + capacity);
    this.end = start + capacity;
    return start;
  }

  give(start: number, capacity: number): void {
    for (let quads = capacity >> QUAD_SHIFT; quads > 0; ) {
      const sizeClass = 31 - Math.clz32(quads);
      this.free[sizeClass].push(start);
      start += QUAD << sizeClass;
      quads -= 1 << sizeClass;
    }
  }

  /** Forgets all pages: no node has one any more. */
  clear(): void {
    this.end = 0;
    for (const list of this.free) list.length = 0;
  }

  reserve(slots: number): void {
    if (slots <= this.body.length) return;
    const capacity = Math.max(slots, Math.ceil((this.body.length * 1.5) / QUAD) * QUAD);
    const { entries, body, quadNode } = this;
    (this.entries = new Float32Array(capacity * BOX_LANES)).set(entries);
    (this.body = new Int32Array(capacity)).set(body);
    (this.quadNode = new Int32Array(capacity >> QUAD_SHIFT)).set(quadNode);
  }

  nodeOf(slot: number): number {
    return this.quadNode[slot >> QUAD_SHIFT];
  }

  /** Tells the quads of a page whose they are. */
  own(start: number, capacity: number, node: number): void {
    this.quadNode.fill(node, start >> QUAD_SHIFT, (start + capacity) >> QUAD_SHIFT);
  }

  /** Copies a slot's entry and body to another slot. */
  copy(from: number, to: number): void {
    const { entries } = this;
    this.body[to] = this.body[from];
    for (let lane = 0; lane < BOX_LANES; lane++) entries[to * BOX_LANES + lane] = entries[from * BOX_LANES + lane];
  }
}
