/**
 * The parts of a view's buffers that must be uploaded. One update range for each changed slot would cost more than the
 * copying it saves. So slots are marked in blocks, and neighbouring blocks become one range.
 */

import type { ViewColumn } from './view-column.ts';

/**
 * log2 of the slots in a block. 64 matrices are 4 kB, which a processor copies in about the time of one upload call.
 */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
/** Unchanged blocks between two changed ones that are uploaded too: cheaper than a second range. */
const MAX_GAP = 2;
/**
 * If an attribute has more update ranges, one range for the whole attribute replaces them: a view that is updated but
 * not drawn would collect ever more.
 */
const MAX_RANGES = 1024;

export class UploadRanges {
  /** By block: 1 if one of its slots has changed. */
  private readonly marks: Uint8Array;

  constructor(capacity: number) {
    this.marks = new Uint8Array((capacity >> BLOCK_BITS) + 1);
  }

  mark(slot: number): void {
    this.marks[slot >> BLOCK_BITS] = 1;
  }

  /** Adds an update range to all items for each marked part of the first `count` slots, and removes all marks. */
  flush(columns: readonly ViewColumn[], count: number): void {
    const { marks } = this;
    const blocks = Math.ceil(count / BLOCK);
    for (let block = 0; block < blocks; block++) {
      if (marks[block] === 0) continue;
      let end = block + 1;
      for (let ahead = end; ahead < blocks && ahead <= end + MAX_GAP; ahead++) if (marks[ahead] !== 0) end = ahead + 1;
      const from = block * BLOCK;
      const length = Math.min(end * BLOCK, count) - from;
      for (const { target } of columns) target.addUpdateRange(from * target.itemSize, length * target.itemSize);
      block = end;
    }
    marks.fill(0);
    for (const { target } of columns) {
      if (target.updateRanges.length > MAX_RANGES) {
        target.clearUpdateRanges();
        target.addUpdateRange(0, target.array.length);
      }
      target.needsUpdate = true;
    }
  }
}
