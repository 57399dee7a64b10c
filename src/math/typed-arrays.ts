/** Typed arrays: how they grow, and where the sign bit of a Float64 lies in them. */

/** Numbers that users pass: functions that read them take both. */
export type FloatArray = Float32Array | Float64Array;

export type TypedArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array;

// Callers of the functions compare the length first, so that none of them runs in the common case.

const MIN_CAPACITY = 8;

/** A capacity of at least `needed` elements. It grows by a factor, so that n elements appended one by one cost O(n). */
export function grownCapacity(needed: number, current: number, factor = 2): number {
  return Math.max(needed, Math.ceil(current * factor), MIN_CAPACITY);
}

/** Bytes of several arrays. */
export function bytesOf(...arrays: readonly TypedArray[]): number {
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** A copy of `array` with another length: cut off, or filled up with 0. */
export function resized<A extends TypedArray>(array: A, length: number): A {
  const copy = new (array.constructor as new (count: number) => A)(length);
  copy.set(length < array.length ? array.subarray(0, length) : array);
  return copy;
}

/** `array` itself, or a longer copy with at least `length` elements. */
export function withCapacity<A extends TypedArray>(array: A, length: number): A {
  return length <= array.length ? array : resized(array, grownCapacity(length, array.length));
}

/**
 * Index of the 32-bit half of a Float64 in memory that holds its sign bit: 1 on little-endian machines, 0 on big-endian
 * ones.
 */
export const SIGN_HALF = /* @__PURE__ */ findSignHalf();

function findSignHalf(): number {
  return new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;
}
