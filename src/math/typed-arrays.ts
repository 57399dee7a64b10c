/** Typed arrays: how they grow, and where the sign bit of a Float64 lies in them. */

/** Numbers that users pass: functions that read them take both. */
export type FloatArray = Float32Array | Float64Array;

export type TypedArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array;

// Callers of the functions compare the length first, so that none of them runs in the common case.

/** So that the first elements of a list do not each need a copy. Test: typed-arrays.test. */
const MIN_CAPACITY = 8;

/** A capacity of at least `needed` elements. It grows by a factor, so that n elements appended one by one cost O(n). */
export function grownCapacity(needed: number, current: number, factor = 2): number {
  return Math.max(needed, Math.ceil(current * factor), MIN_CAPACITY);
}

/** A copy of `array` with another length: cut off, or filled up with 0. */
export function resized<A extends TypedArray>(array: A, length: number): A {
  return copied(array, new (array.constructor as new (count: number) => A)(length));
}

/** The arrays of an owner that are replaced together, by field: how many numbers each has per element. */
type Strides = Readonly<Record<string, number>>;
type Arrays<S extends Strides> = Readonly<Record<keyof S, TypedArray>>;

/**
 * Replaces arrays of an owner by copies for `capacity` elements: all of them, or none if there is no memory for one. An
 * empty array stays empty.
 *
 * @param given Arrays of zeros, to which those of the same fields are copied.
 */
export function resizeTogether<S extends Strides>(
  owner: Arrays<S>,
  strides: S,
  capacity: number,
  given: Partial<Arrays<S>> = {},
): void {
  const copies: Partial<Record<keyof S, TypedArray>> = {};
  for (const field in strides) {
    const array = owner[field];
    const copy = given[field];
    if (copy !== undefined) copies[field] = copied(array, copy);
    else if (array.length > 0) copies[field] = resized(array, capacity * strides[field]);
  }
  Object.assign(owner, copies);
}

/** Bytes of arrays that are replaced together. */
export function bytesTogether<S extends Strides>(owner: Arrays<S>, strides: S): number {
  let bytes = 0;
  for (const field in strides) bytes += owner[field].byteLength;
  return bytes;
}

/** Copies `from` to `to`, as far as it fits, and returns `to`. */
function copied<A extends TypedArray>(from: TypedArray, to: A): A {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from);
  return to;
}

/** `array` itself, or a longer copy with at least `length` elements. */
export function withCapacity<A extends TypedArray>(array: A, length: number): A {
  return length <= array.length ? array : resized(array, grownCapacity(length, array.length));
}
