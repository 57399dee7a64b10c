/**
 * Where the bodies of a node lie: side by side in a page of slots, so that a query filters them in one straight run.
 * Pages that a node has outgrown are cut into powers of two and used again.
 */

import { BOX_LANES } from '../math/box.ts';
import { GRAIN, GRAIN_SHIFT } from './layout.ts';

const FIRST_CAPACITY = 64;
const SIZE_CLASSES = 31;

export class SlotPages {
  /** Entry of a slot, six lanes, Float32 rounded outward: encloses the exact bounds of its body. */
  entries = new Float32Array(FIRST_CAPACITY * BOX_LANES);
  /** Index of the body in a slot. */
  body = new Int32Array(FIRST_CAPACITY);
  /** Owner node of the slots of a grain. */
  grainNode = new Int32Array(FIRST_CAPACITY / GRAIN);
  /** Slots handed out so far, freed ones included. */
  end = 0;

  /** First slots of free pages; list k holds pages of GRAIN << k slots. */
  private readonly free: number[][] = Array.from({ length: SIZE_CLASSES }, () => []);

  get bytes(): number {
    return this.entries.byteLength + this.body.byteLength + this.grainNode.byteLength;
  }

  /** Slots in free pages. */
  get freeSlots(): number {
    return this.free.reduce((sum, list, sizeClass) => sum + list.length * (GRAIN << sizeClass), 0);
  }

  /** First slot of a page that is `capacity` = GRAIN << k slots long. */
  take(capacity: number): number {
    const sizeClass = 31 - Math.clz32(capacity >> GRAIN_SHIFT);
    return this.free[sizeClass].pop() ?? this.takeAtEnd(capacity);
  }

  /** First slot of a page of any multiple of GRAIN behind all others: a bulk build lays its pages down in tree order. */
  takeAtEnd(capacity: number): number {
    const start = this.end;
    this.reserve(start + capacity);
    this.end = start + capacity;
    return start;
  }

  give(start: number, capacity: number): void {
    for (let grains = capacity >> GRAIN_SHIFT; grains > 0; ) {
      const sizeClass = 31 - Math.clz32(grains);
      this.free[sizeClass].push(start);
      start += GRAIN << sizeClass;
      grains -= 1 << sizeClass;
    }
  }

  /** Forgets all pages: no node has one any more. */
  clear(): void {
    this.end = 0;
    for (const list of this.free) list.length = 0;
  }

  reserve(slots: number): void {
    if (slots <= this.body.length) return;
    const capacity = Math.max(slots, Math.ceil((this.body.length * 1.5) / GRAIN) * GRAIN);
    const { entries, body, grainNode } = this;
    (this.entries = new Float32Array(capacity * BOX_LANES)).set(entries);
    (this.body = new Int32Array(capacity)).set(body);
    (this.grainNode = new Int32Array(capacity >> GRAIN_SHIFT)).set(grainNode);
  }

  nodeOf(slot: number): number {
    return this.grainNode[slot >> GRAIN_SHIFT];
  }

  /** Tells the grains of a page whose they are. */
  own(start: number, capacity: number, node: number): void {
    this.grainNode.fill(node, start >> GRAIN_SHIFT, (start + capacity) >> GRAIN_SHIFT);
  }

  /** Copies a slot's entry and body to another slot. */
  copy(from: number, to: number): void {
    const { entries } = this;
    this.body[to] = this.body[from];
    for (let lane = 0; lane < BOX_LANES; lane++) entries[to * BOX_LANES + lane] = entries[from * BOX_LANES + lane];
  }
}
