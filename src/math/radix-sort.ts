/** Least-significant-digit radix sort: linear, stable, for keys that come with a value each. */

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Sorts [begin, end) of `keys`, and `values` along with it, by ascending key; equal keys keep their order. */
export function radixSort(keys: Uint32Array, values: Uint32Array, begin: number, end: number): void {
  if (end - begin < 64) {
    insertionSort(keys, values, begin, end);
    return;
  }
  let fromKeys = keys.subarray(begin, end);
  let fromValues = values.subarray(begin, end);
  let toKeys: Uint32Array = new Uint32Array(end - begin);
  let toValues: Uint32Array = new Uint32Array(end - begin);
  const starts = new Uint32Array(DIGITS);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    starts.fill(0);
    for (let k = 0; k < fromKeys.length; k++) starts[(fromKeys[k] >>> shift) & (DIGITS - 1)]++;
    let start = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = starts[digit];
      starts[digit] = start;
      start += count;
    }
    for (let k = 0; k < fromKeys.length; k++) {
      const to = starts[(fromKeys[k] >>> shift) & (DIGITS - 1)]++;
      toKeys[to] = fromKeys[k];
      toValues[to] = fromValues[k];
    }
    [fromKeys, toKeys] = [toKeys, fromKeys];
    [fromValues, toValues] = [toValues, fromValues];
  }
  // Three passes leave the result in the spare arrays.
  keys.set(fromKeys, begin);
  values.set(fromValues, begin);
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
