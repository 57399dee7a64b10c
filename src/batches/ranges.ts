/**
 * Turns the marked slots of chunks into few ranges of their index buffers. A slot is the place of one mesh in a chunk:
 * slot k owns the indices from `indexStarts[k]` to `indexStarts[k + 1]`.
 *
 * A gap between two ranges may be bridged, so that one draw call covers both: its meshes are not in view, and change no
 * pixel. They cost vertices, so the smallest gaps of all chunks in a pass are bridged first, up to a tenth more than
 * needed.
 */

/** Bits per word of the marks, and the shift from a slot to its word. */
const WORD_BITS = 32;
export const WORD_SHIFT = 5;

/** Share of the needed indices that bridged gaps may add. */
const BRIDGED_SHARE = 0.1;
/**
 * Indices that they may add for each chunk in any case. A draw call of three takes longer than some thousand vertices.
 */
const MIN_BRIDGED = 6000;
const SIZE_CLASSES = 32;

/** The number of the lowest bit of a word that is set. The word must not be 0. */
export function lowestBit(word: number): number {
  return WORD_BITS - 1 - Math.clz32(word & -word);
}

/** One bit per slot. */
export class SlotMarks {
  words: Int32Array = new Int32Array(0);

  /** @param slots Number of slots to make room for. All marks are cleared. */
  resize(slots: number): void {
    this.words = new Int32Array((slots + WORD_BITS - 1) >> WORD_SHIFT);
  }

  /** Makes room for a number of slots, if there is less. Then all marks are cleared. */
  makeRoom(slots: number): void {
    if (this.words.length << WORD_SHIFT < slots) this.resize(slots);
  }

  set(slot: number): void {
    this.words[slot >> WORD_SHIFT] |= 1 << (slot & (WORD_BITS - 1));
  }

  /** Marks the slots from `start` to `end` (exclusive), at least one. */
  setAll(start: number, end: number): void {
    const { words } = this;
    const last = (end - 1) >> WORD_SHIFT;
    let word = start >> WORD_SHIFT;
    // Shifts count modulo 32. -1 has all bits set.
    let bits = -1 << start;
    for (; word < last; word++) {
      words[word] |= bits;
      bits = -1;
    }
    words[word] |= bits & (-1 >>> -end);
  }

  clear(slot: number): void {
    this.words[slot >> WORD_SHIFT] &= ~(1 << (slot & (WORD_BITS - 1)));
  }

  has(slot: number): boolean {
    return (this.words[slot >> WORD_SHIFT] & (1 << (slot & (WORD_BITS - 1)))) !== 0;
  }

  /** The first marked slot from `start` to `end` (exclusive); `end` if there is none. */
  firstIn(start: number, end: number): number {
    for (let slot = start; slot < end; slot++) {
      if (this.words[slot >> WORD_SHIFT] === 0) slot |= WORD_BITS - 1;
      else if (this.has(slot)) return slot;
    }
    return end;
  }

  /** The end of the last marked slot from `start` to `end` (exclusive). There must be one. */
  lastEndIn(start: number, end: number): number {
    let last = end;
    while (last > start && !this.has(last - 1)) last--;
    return last;
  }
}

/** The gaps in one pass: how many indices bridging them would add, and which are bridged. */
export class GapBridging {
  /** By the class of their sizes: indices in all gaps of the pass. */
  private readonly indicesOfClass = new Float64Array(SIZE_CLASSES);
  /** Indices that bridged gaps may still add. */
  private budget = 0;
  /** The class of which gaps are bridged in part; smaller ones are bridged, larger ones are not. */
  private largestClass = 0;

  /** Adds the runs of a chunk: pairs of a first slot and an end. */
  add(runs: readonly number[], indexStarts: Uint32Array): void {
    if (runs.length === 0) return;
    let needed = indexStarts[runs[1]] - indexStarts[runs[0]];
    for (let k = 2; k < runs.length; k += 2) {
      const gap = indexStarts[runs[k]] - indexStarts[runs[k - 1]];
      this.indicesOfClass[classOf(gap)] += gap;
      needed += indexStarts[runs[k + 1]] - indexStarts[runs[k]];
    }
    this.budget += Math.max(needed * BRIDGED_SHARE, MIN_BRIDGED);
  }

  /** Chooses the sizes of gaps that are bridged: all of the smaller classes, and of one class what is left for. */
  choose(): void {
    for (this.largestClass = 0; this.largestClass < SIZE_CLASSES - 1; this.largestClass++) {
      const indices = this.indicesOfClass[this.largestClass];
      if (indices > this.budget) return;
      this.budget -= indices;
    }
  }

  /** Whether a gap is bridged. To be asked once for each gap. */
  take(gap: number): boolean {
    const sizeClass = classOf(gap);
    if (sizeClass < this.largestClass) return true;
    if (sizeClass > this.largestClass || gap > this.budget) return false;
    this.budget -= gap;
    return true;
  }
}

/**
 * The marked slots of a chunk as runs: pairs of a first slot and an end, both at marked slots. Clears the marks.
 *
 * @param erased Slots that draw nothing: runs go over them.
 */
export function takeRuns(marks: SlotMarks, erased: SlotMarks, slots: number, runs: number[]): void {
  const { words } = marks;
  runs.length = 0;
  for (let first = 0, slot = 0; (first = marks.firstIn(slot, slots)) < slots;) {
    let end = first;
    for (slot = first; slot < slots; slot++) {
      const word = words[slot >> WORD_SHIFT];
      // Shifts count modulo 32. -1 has all bits set, as most words of a run.
      if (word === -1 && slot % WORD_BITS === 0) end = (slot += WORD_BITS - 1) + 1;
      else if (((word >>> slot) & 1) === 1) end = slot + 1;
      else if (!erased.has(slot)) break;
    }
    runs.push(first, end);
  }
  words.fill(0);
}

/**
 * The index ranges of runs: pairs of a first index and an end.
 *
 * @param blocked Slots that must not be drawn, even in a gap.
 */
export function rangesOf(
  runs: readonly number[],
  indexStarts: Uint32Array,
  bridging: GapBridging,
  blocked: SlotMarks,
): number[] {
  const ranges = [indexStarts[runs[0]]];
  let end = indexStarts[runs[1]];
  for (let k = 2; k < runs.length; k += 2) {
    const start = indexStarts[runs[k]];
    if (blocked.firstIn(runs[k - 1], runs[k]) < runs[k] || !bridging.take(start - end)) ranges.push(end, start);
    end = indexStarts[runs[k + 1]];
  }
  ranges.push(end);
  return ranges;
}

/** Number of binary digits of a gap's size. */
function classOf(gap: number): number {
  return Math.min(WORD_BITS - Math.clz32(gap), SIZE_CLASSES - 1);
}
