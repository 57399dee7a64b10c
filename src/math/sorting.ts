/** Sorting of integers in linear time: a radix sort of keys, and Morton codes as keys of cells. */

import { withCapacity } from './typed-arrays.ts';

const KEY_BITS = 32;
/** Three digits cover a key. The counts of all three take 24 KiB and fit the first-level cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/**
 * Fewest keys for which radix sort is used. Below, insertion sort is faster, because radix sort has to process the
 * counts of all digits: 8 keys take 1/100 of the time, 64 about half; 128 take 1.7 times as long.
 */
const MIN_RADIX_SORT = 64;

/** A radix sort by the least significant digit first, with its working memory. */
export class RadixSorter {
  private keys = new Uint32Array(0);
  private values = new Uint32Array(0);

  /** Sorts [begin, end) of `keys` in ascending order, and moves `values` along. Equal keys keep their order. */
  sort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
    const count = end - begin;
    if (count < MIN_RADIX_SORT) {
      insertionSort(keys, values, begin, end);
      return;
    }
    this.reserve(count);
    const { keys: spareKeys, values: spareValues } = this;
    const counts = sort_counts;
    countDigits(keys, begin, end, counts);
    // Each pass moves the keys from one pair of arrays to the other.
    let isSpare = false;
    for (let shift = 0, from = 0; shift < KEY_BITS; shift += DIGIT_BITS, from += DIGITS) {
      // All keys have the same digit: no pass is needed.
      if (counts[from + ((keys[begin] >>> shift) & (DIGITS - 1))] === count) continue;
      if (isSpare) pass(spareKeys, spareValues, 0, keys, values, begin, count, shift, counts, from);
      else pass(keys, values, begin, spareKeys, spareValues, 0, count, shift, counts, from);
      isSpare = !isSpare;
    }
    if (!isSpare) return;
    // `subarray` would allocate.
    for (let k = 0; k < count; k++) {
      keys[begin + k] = spareKeys[k];
      values[begin + k] = spareValues[k];
    }
  }

  /** Makes room for a sort of `count` keys, so that it allocates nothing. */
  reserve(count: number): void {
    this.keys = withCapacity(this.keys, count);
    this.values = withCapacity(this.values, count);
  }
}
/** Number of keys with each digit: 2048 counts for the least significant digit, then for the other two. */
const sort_counts = new Uint32Array(Math.ceil(KEY_BITS / DIGIT_BITS) * DIGITS);

/** Counts all three digits in one loop over the keys. */
function countDigits(keys: Uint32Array, begin: number, end: number, counts: Uint32Array): void {
  counts.fill(0);
  for (let k = begin; k < end; k++) {
    const key = keys[k];
    counts[key & (DIGITS - 1)]++;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]++;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]++;
  }
}

/**
 * Moves the keys into the order of one digit. The counts of this digit begin at `digits`; the pass replaces each by the
 * position of the next key with that digit.
 */
function pass(
  fromKeys: Uint32Array,
  fromValues: Uint32Array,
  from: number,
  toKeys: Uint32Array,
  toValues: Uint32Array,
  to: number,
  count: number,
  shift: number,
  counts: Uint32Array,
  digits: number,
): void {
  for (let digit = digits, start = to; digit < digits + DIGITS; digit++) {
    const digitCount = counts[digit];
    counts[digit] = start;
    start += digitCount;
  }
  for (let k = from; k < from + count; k++) {
    const key = fromKeys[k];
    const digit = digits + ((key >>> shift) & (DIGITS - 1));
    const position = counts[digit];
    counts[digit] = position + 1;
    toKeys[position] = key;
    toValues[position] = fromValues[k];
  }
}

function insertionSort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
  for (let k = begin + 1; k < end; k++) {
    const key = keys[k];
    const value = values[k];
    let to = k;
    for (; to > begin && keys[to - 1] > key; to--) {
      keys[to] = keys[to - 1];
      values[to] = values[to - 1];
    }
    keys[to] = key;
    values[to] = value;
  }
}

/**
 * Moves bit k of a 9-bit integer to bit 3k. The spread coordinates of a cell, combined, are its Morton code: cells with
 * codes that follow each other lie near each other.
 */
export function spreadBits(value: number): number {
  value = (value | (value << 16)) & 0x030000ff;
  value = (value | (value << 8)) & 0x0300f00f;
  value = (value | (value << 4)) & 0x030c30c3;
  return (value | (value << 2)) & 0x09249249;
}
