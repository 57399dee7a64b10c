/**
 * Narrowing to Float32 that never loses ground: a lower bound is rounded down, an upper bound up, so that
 * a box kept in Float32 always encloses the float64 box it was made from.
 */

/** One part in 2^23 of a Float32 is between one and two of its units in the last place. */
const ULP = 2 ** -23;
/** The smallest positive Float32: what separates 0 from its neighbours. */
export const FLOAT32_MIN_POSITIVE = 2 ** -149;

/** The largest finite Float32; an empty box spans from `+FLOAT32_MAX` down to `-FLOAT32_MAX`. */
export const FLOAT32_MAX = 3.4028234663852886e38;

/** Squares and products of numbers up to this stay far from the end of the range. */
export const FLOAT32_SAFE_MAX = 2 ** 60;

/** A Float32 that is not above `value`, at most two units in the last place below it. `|value|` must stay below 2^127. */
export function roundDown32(value: number): number {
  const nearest = Math.fround(value);
  return lowered32(nearest, Number(nearest > value));
}

/** A Float32 that is not below `value`, at most two units in the last place above it. `|value|` must stay below 2^127. */
export function roundUp32(value: number): number {
  const nearest = Math.fround(value);
  return lowered32(nearest, 0 - Number(nearest < value));
}

/** A Float32 lowered by 1, 0 or -1 steps: multiplied instead of branched off, for no processor foresees on which side of a number the nearest one lies. */
function lowered32(nearest: number, steps: number): number {
  return Math.fround(nearest - Math.abs(nearest) * ULP * steps - FLOAT32_MIN_POSITIVE * steps);
}

/** A Float32 that is not below `value`, at most three units above it: faster than `roundUp32`, for nothing decides which way it goes. */
export function above32(value: number): number {
  return Math.fround(value + Math.abs(value) * ULP + FLOAT32_MIN_POSITIVE);
}

/** A Float32 that is not above `value`, at most three units below it. */
export function below32(value: number): number {
  return Math.fround(value - Math.abs(value) * ULP - FLOAT32_MIN_POSITIVE);
}

/** As `below32`, from a lane to a lane: a number that is passed to a call, or returned by one, may have to become an object first. */
export function writeBelow32(values: Float64Array, from: number, lanes: Float32Array, to: number): void {
  const value = values[from];
  lanes[to] = value - Math.abs(value) * ULP - FLOAT32_MIN_POSITIVE;
}

/** As `above32`, from a lane to a lane. */
export function writeAbove32(values: Float64Array, from: number, lanes: Float32Array, to: number): void {
  const value = values[from];
  lanes[to] = value + Math.abs(value) * ULP + FLOAT32_MIN_POSITIVE;
}

/** The bits of the Float32 in a lane as a number that sorts as the Float32 does; -0 comes before 0. */
export function sortableBits(lanes: Float32Array, at: number): number {
  bits_float[0] = lanes[at];
  const bits = bits_integer[0];
  return bits >= 0x80000000 ? ~bits >>> 0 : (bits | 0x80000000) >>> 0;
}
const bits_float = new Float32Array(1);
const bits_integer = new Uint32Array(bits_float.buffer);
