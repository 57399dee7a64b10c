/** Least-significant-digit radix sort: linear, stable, for keys that come with a value each. */

const KEY_BITS = 32;
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Too few for passes over all digits. */
const FEW = 64;

/** Sorts [begin, end) of `keys`, and `values` along with it, by ascending key; equal keys keep their order. */
export function radixSort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
  const count = end - begin;
  if (count < FEW) insertionSort(keys, values, begin, end);
  else sortByDigits(keys, values, begin, end, new Uint32Array(count), new Uint32Array(count));
}

/** Sorts as `radixSort` does, and keeps its working memory for the next time. */
export class RadixSorter {
  private keys = new Uint32Array(0);
  private values = new Uint32Array(0);

  sort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
    const count = end - begin;
    if (count < FEW) {
      insertionSort(keys, values, begin, end);
      return;
    }
    if (this.keys.length < count) {
      this.keys = new Uint32Array(count);
      this.values = new Uint32Array(count);
    }
    sortByDigits(keys, values, begin, end, this.keys, this.values);
  }
}

function sortByDigits(keys: Uint32Array, values: Uint32Array, begin: number, end: number, spareKeys: Uint32Array, spareValues: Uint32Array): void {
  const count = end - begin;
  const counts = sort_counts;
  countDigits(keys, begin, end, counts);
  // To and fro between the arrays.
  let isSpare = false;
  for (let shift = 0, from = 0; shift < KEY_BITS; shift += DIGIT_BITS, from += DIGITS) {
    // All keys have the same digit here.
    if (counts[from + ((keys[begin] >>> shift) & (DIGITS - 1))] === count) continue;
    if (isSpare) pass(spareKeys, spareValues, 0, keys, values, begin, count, shift, counts, from);
    else pass(keys, values, begin, spareKeys, spareValues, 0, count, shift, counts, from);
    isSpare = !isSpare;
  }
  if (!isSpare) return;
  if (spareKeys.length === count) {
    keys.set(spareKeys, begin);
    values.set(spareValues, begin);
    return;
  }
  // A subarray would be a new object.
  for (let k = 0; k < count; k++) {
    keys[begin + k] = spareKeys[k];
    values[begin + k] = spareValues[k];
  }
}
/** How many keys have each digit, lowest place first. */
const sort_counts = new Uint32Array(Math.ceil(KEY_BITS / DIGIT_BITS) * DIGITS);

/** The digits of all three places in one go. */
function countDigits(keys: Uint32Array, begin: number, end: number, counts: Uint32Array): void {
  counts.fill(0);
  for (let k = begin; k < end; k++) {
    const key = keys[k];
    counts[key & (DIGITS - 1)]++;
    counts[DIGITS + ((key >>> DIGIT_BITS) & (DIGITS - 1))]++;
    counts[2 * DIGITS + (key >>> (2 * DIGIT_BITS))]++;
  }
}

/** Sorts by one digit, whose counts lie from `digits` on; they become the places of the next key with that digit. */
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
    const place = counts[digit];
    counts[digit] = place + 1;
    toKeys[place] = key;
    toValues[place] = fromValues[k];
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
