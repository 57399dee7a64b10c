/**
 * Which parts of a view have to be uploaded. A call for each changed seat would take longer than the copying, so seats are marked by
 * blocks, and blocks that lie side by side, or nearly so, become one range.
 */

import type { InstancedBufferAttribute } from 'three';

/** 64 matrices are 4 kB, about as much as the processor copies in the time of a call. */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
/** Unchanged blocks that are worth uploading in between. */
const GAP = 2;
/** Ranges that may wait in an attribute; those of views that are asked for but not drawn would pile up. */
const MAX_RANGES = 1024;

export class UploadRanges {
  private readonly marks: Uint8Array;

  constructor(capacity: number) {
    this.marks = new Uint8Array((capacity >> BLOCK_BITS) + 1);
  }

  mark(seat: number): void {
    this.marks[seat >> BLOCK_BITS] = 1;
  }

  clear(): void {
    this.marks.fill(0);
  }

  /** Has the marked parts of the first `count` seats uploaded, in each attribute, and takes the marks away. */
  flush(attributes: readonly InstancedBufferAttribute[], count: number): void {
    const { marks } = this;
    const blocks = Math.ceil(count / BLOCK);
    for (let block = 0; block < blocks; block++) {
      if (marks[block] === 0) continue;
      let end = block + 1;
      for (let ahead = end; ahead < blocks && ahead <= end + GAP; ahead++) if (marks[ahead] !== 0) end = ahead + 1;
      const from = block * BLOCK;
      const length = Math.min(end * BLOCK, count) - from;
      for (const attribute of attributes) attribute.addUpdateRange(from * attribute.itemSize, length * attribute.itemSize);
      block = end;
    }
    this.clear();
    for (const attribute of attributes) {
      if (attribute.updateRanges.length > MAX_RANGES) {
        attribute.clearUpdateRanges();
        attribute.addUpdateRange(0, attribute.array.length);
      }
      attribute.needsUpdate = true;
    }
  }
}
