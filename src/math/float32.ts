/**
 * Rounding from Float64 to Float32 in a known direction. A box whose min is rounded down and whose max is rounded up
 * contains the Float64 box that it was made from.
 */

/** Relative step: 2^-23 of a Float32 is one to two of its units in the last place (ULP). */
const RELATIVE_STEP = 2 ** -23;
/** The smallest positive Float32, which is the distance from 0 to its neighbours. */
export const FLOAT32_MIN_POSITIVE = 2 ** -149;

/** The largest finite Float32. An empty box has min = `+FLOAT32_MAX` and max = `-FLOAT32_MAX`. */
export const FLOAT32_MAX = 3.4028234663852886e38;

/** Up to this magnitude, squares and products stay far from the limits of Float32, and so do sums of them. */
export const FLOAT32_SAFE_MAX = 2 ** 60;

/** Returns a Float32 not above `value`, and at most two ULP below it. `|value|` must be below 2^127. */
export function roundDown32(value: number): number {
  const nearest = Math.fround(value);
  return lowered32(nearest, Number(nearest > value));
}

/** Returns a Float32 not below `value`, and at most two ULP above it. `|value|` must be below 2^127. */
export function roundUp32(value: number): number {
  const nearest = Math.fround(value);
  return lowered32(nearest, 0 - Number(nearest < value));
}

/**
 * Lowers a Float32 by 1, 0 or -1 steps. It multiplies by the number of steps, because a branch on the rounding
 * direction is unpredictable.
 */
function lowered32(nearest: number, steps: number): number {
  return Math.fround(nearest - Math.abs(nearest) * RELATIVE_STEP * steps - FLOAT32_MIN_POSITIVE * steps);
}

/**
 * Returns a Float32 not below `value`, and at most three ULP above it. Faster and less tight than `roundUp32`: it adds
 * a step in every case.
 */
export function roundUpLoosely32(value: number): number {
  return Math.fround(value + Math.abs(value) * RELATIVE_STEP + FLOAT32_MIN_POSITIVE);
}

/** Returns a Float32 not above `value`, and at most three ULP below it. Faster and less tight than `roundDown32`. */
export function roundDownLoosely32(value: number): number {
  return Math.fround(value - Math.abs(value) * RELATIVE_STEP - FLOAT32_MIN_POSITIVE);
}

/**
 * Returns the bits of the Float32 at `at`, as an unsigned integer that sorts in the order of the floats; -0 sorts
 * before 0.
 */
export function sortableBits(values: Float32Array, at: number): number {
  sortableBits_float[0] = values[at];
  const bits = sortableBits_integer[0];
  return bits >= 0x80000000 ? ~bits >>> 0 : (bits | 0x80000000) >>> 0;
}
const sortableBits_buffer = new ArrayBuffer(4);
const sortableBits_float = /* @__PURE__ */ new Float32Array(sortableBits_buffer);
const sortableBits_integer = /* @__PURE__ */ new Uint32Array(sortableBits_buffer);
