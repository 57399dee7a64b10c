/** Least-significant-digit radix sort: linear, stable, for keys that come with a value each. */

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Too few for passes over all digits. */
const FEW = 64;

/** Sorts [begin, end) of `keys`, and `values` along with it, by ascending key; equal keys keep their order. */
export function radixSort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
  const count = end - begin;
  if (count < FEW) insertionSort(keys, values, begin, end);
  else sortByDigits(keys, values, begin, end, new Uint32Array(count), new Uint32Array(count), new Uint32Array(DIGITS));
}

/** Sorts as `radixSort` does, and keeps its working memory for the next time. */
export class RadixSorter {
  private keys = new Uint32Array(0);
  private values = new Uint32Array(0);
  private readonly starts = new Uint32Array(DIGITS);

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
    sortByDigits(keys, values, begin, end, this.keys, this.values, this.starts);
  }
}

function sortByDigits(
  keys: Uint32Array,
  values: Uint32Array,
  begin: number,
  end: number,
  spareKeys: Uint32Array,
  spareValues: Uint32Array,
  starts: Uint32Array,
): void {
  const count = end - begin;
  let highest = 0;
  for (let k = begin; k < end; k++) if (keys[k] > highest) highest = keys[k];
  // To and fro between the arrays; the lowest digit is sorted in any case.
  let isSpare = false;
  for (let shift = 0; shift === 0 || (shift < 32 && highest >>> shift > 0); shift += DIGIT_BITS) {
    if (isSpare) pass(spareKeys, spareValues, 0, keys, values, begin, count, shift, starts);
    else pass(keys, values, begin, spareKeys, spareValues, 0, count, shift, starts);
    isSpare = !isSpare;
  }
  if (!isSpare) return;
  for (let k = 0; k < count; k++) {
    keys[begin + k] = spareKeys[k];
    values[begin + k] = spareValues[k];
  }
}

function pass(
  fromKeys: Uint32Array,
  fromValues: Uint32Array,
  from: number,
  toKeys: Uint32Array,
  toValues: Uint32Array,
  to: number,
  count: number,
  shift: number,
  starts: Uint32Array,
): void {
  starts.fill(0);
  for (let k = from; k < from + count; k++) starts[(fromKeys[k] >>> shift) & (DIGITS - 1)]++;
  let start = to;
  for (let digit = 0; digit < DIGITS; digit++) {
    const digitCount = starts[digit];
    starts[digit] = start;
    start += digitCount;
  }
  for (let k = from; k < from + count; k++) {
    const place = starts[(fromKeys[k] >>> shift) & (DIGITS - 1)]++;
    toKeys[place] = fromKeys[k];
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
