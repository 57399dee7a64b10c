import { expect, it } from 'vitest';
import { grownCapacity, resized, withCapacity } from '../../src/math/typed-arrays.ts';

it('grows by a factor, or to what is needed, and from nothing', () => {
  expect(grownCapacity(11, 10)).toBe(20);
  expect(grownCapacity(11, 11, 1.5)).toBe(17);
  expect(grownCapacity(100, 10)).toBe(100);
  expect(grownCapacity(1, 0)).toBe(8);
});

it('resizes arrays of every type, longer and shorter, into memory of their own', () => {
  for (const type of [Float64Array, Float32Array, Int32Array, Uint32Array, Uint16Array, Uint8Array, Int8Array]) {
    const array = type.of(1, 2, 3);
    expect(resized(array, 5)).toEqual(type.of(1, 2, 3, 0, 0));
    expect(resized(array, 2)).toEqual(type.of(1, 2));
    expect(resized(array, 2).buffer.byteLength).toBe(2 * type.BYTES_PER_ELEMENT);
    expect(resized(array, 3)).not.toBe(array);
  }
});

it('returns an array that is long enough as it is, and a longer copy otherwise', () => {
  const array = Float32Array.of(1, 2, 3);
  expect(withCapacity(array, 3)).toBe(array);
  expect([...withCapacity(array, 4)]).toEqual([1, 2, 3, 0, 0, 0, 0, 0]);
});
