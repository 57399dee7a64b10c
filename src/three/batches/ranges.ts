/**
 * Turns the marked slots of a batch into few ranges of its index buffer. A slot is the place of one mesh in a batch:
 * slot k owns the indices from `indexStarts[k]` to `indexStarts[k + 1]`.
 *
 * A gap between two ranges may be bridged, so that one draw call covers both: its meshes are not in view, and change no
 * pixel. They cost vertices, so the smallest gaps are bridged first, up to a tenth more than needed.
 */

/** Bits per word of the marks, and the shift from a slot to its word. */
const WORD_BITS = 32;
const WORD_SHIFT = 5;

/** Share of the needed indices that bridged gaps may add. */
const BRIDGED_SHARE = 0.1;
/** Indices that bridged gaps may add in any case. A draw call of three takes longer than some thousand vertices. */
const MIN_BRIDGED = 3000;
const SIZE_CLASSES = 32;

/** One bit per slot. */
export class SlotMarks {
  words: Int32Array = new Int32Array(0);

  /** @param slots Number of slots to make room for. All marks are cleared. */
  resize(slots: number): void {
    this.words = new Int32Array((slots + WORD_BITS - 1) >> WORD_SHIFT);
  }

  set(slot: number): void {
    this.words[slot >> WORD_SHIFT] |= 1 << (slot & (WORD_BITS - 1));
  }

  clear(slot: number): void {
    this.words[slot >> WORD_SHIFT] &= ~(1 << (slot & (WORD_BITS - 1)));
  }

  has(slot: number): boolean {
    return (this.words[slot >> WORD_SHIFT] & (1 << (slot & (WORD_BITS - 1)))) !== 0;
  }

  /** Whether any slot from `start` to `end` (exclusive) is marked. */
  hasAny(start: number, end: number): boolean {
    for (let slot = start; slot < end; slot++) {
      if (this.words[slot >> WORD_SHIFT] === 0) slot |= WORD_BITS - 1;
      else if (this.has(slot)) return true;
    }
    return false;
  }
}

export class RangeFinder {
  /** After `find`: the first index and the end of each range, two numbers each. */
  readonly ranges: number[] = [];
  /** The marked runs of slots: first slot and end, two numbers each. */
  private readonly runs: number[] = [];
  /** By logarithm of a gap's size: indices in all gaps of this size. */
  private readonly indicesOfClass = new Float64Array(SIZE_CLASSES);
  /** Indices that gaps of the largest bridged size may add. */
  private budgetOfLargest = 0;

  /**
   * Fills `ranges` with ranges that hold all marked slots, and clears the marks.
   *
   * @param blocked Slots that must not be drawn, even in a gap; null if there are none.
   */
  find(marked: SlotMarks, blocked: SlotMarks | null, indexStarts: Uint32Array): void {
    this.takeRuns(marked, indexStarts.length - 1);
    const { runs, ranges } = this;
    ranges.length = 0;
    if (runs.length === 0) return;
    let needed = 0;
    for (let k = 0; k < runs.length; k += 2) needed += indexStarts[runs[k + 1]] - indexStarts[runs[k]];
    const largestClass = this.largestBridgedClass(indexStarts, Math.max(needed * BRIDGED_SHARE, MIN_BRIDGED));
    let end = indexStarts[runs[1]];
    ranges.push(indexStarts[runs[0]]);
    for (let k = 2; k < runs.length; k += 2) {
      const start = indexStarts[runs[k]];
      const gap = start - end;
      const size = classOf(gap);
      const isSmall = size < largestClass || (size === largestClass && gap <= this.budgetOfLargest);
      if (gap > 0 && (!isSmall || blocked?.hasAny(runs[k - 1], runs[k]))) ranges.push(end, start);
      else if (size === largestClass) this.budgetOfLargest -= gap;
      end = indexStarts[runs[k + 1]];
    }
    ranges.push(end);
  }

  /**
   * The largest size of gaps that are bridged: all smaller gaps fit into the budget, those of this size in part. Sets
   * `budgetOfLargest`.
   */
  private largestBridgedClass(indexStarts: Uint32Array, budget: number): number {
    const { runs, indicesOfClass } = this;
    indicesOfClass.fill(0);
    for (let k = 2; k < runs.length; k += 2) {
      const gap = indexStarts[runs[k]] - indexStarts[runs[k - 1]];
      indicesOfClass[classOf(gap)] += gap;
    }
    let sum = 0;
    for (let size = 0; size < SIZE_CLASSES; size++) {
      this.budgetOfLargest = budget - sum;
      sum += indicesOfClass[size];
      if (sum > budget) return size;
    }
    return SIZE_CLASSES;
  }

  /** Fills `runs`: an edge is a bit that differs from the bit before it. */
  private takeRuns({ words }: SlotMarks, slots: number): void {
    const { runs } = this;
    runs.length = 0;
    let carry = 0;
    for (let word = 0; word < words.length; word++) {
      const bits = words[word];
      words[word] = 0;
      // No edge: all bits are as the last one before them.
      if (bits === -carry) continue;
      const edges = bits ^ ((bits << 1) | carry);
      carry = bits >>> (WORD_BITS - 1);
      for (let rest = edges; rest !== 0; rest &= rest - 1)
        runs.push((word << WORD_SHIFT) + WORD_BITS - 1 - Math.clz32(rest & -rest));
    }
    if (carry === 1) runs.push(slots);
  }
}

/** Number of binary digits of a gap's size. */
function classOf(gap: number): number {
  return Math.min(WORD_BITS - Math.clz32(gap), SIZE_CLASSES - 1);
}
