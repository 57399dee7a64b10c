// Vertices and indices that are written into a batch, against `applyMatrix4` of three.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Euler,
  Float16BufferAttribute,
  Float32BufferAttribute,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix3,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Uint8ClampedBufferAttribute,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { bakeAttribute, bakeIndices, indexCountOf } from '../../src/batches/bake.ts';
import type { VertexAttribute } from '../../src/batches/mergeable.ts';
import { createRandom } from '../support/random.ts';

const matrices: Record<string, Matrix4> = {
  identity: new Matrix4(),
  'turned, and scaled by 3, 0.5 and 1': new Matrix4().compose(
    new Vector3(5, -7, 2),
    new Quaternion().setFromEuler(new Euler(0.3, 1.2, -0.7)),
    new Vector3(3, 0.5, 1),
  ),
  mirrored: new Matrix4().compose(
    new Vector3(1, 2, 3),
    new Quaternion().setFromEuler(new Euler(1, 0, 2)),
    new Vector3(-2, 1, 1),
  ),
  sheared: new Matrix4().makeShear(0.5, 0, 0.2, 0, 0.7, 0),
};

/** The numbers that a batch holds of an attribute, with room before and behind them. */
function baked(attribute: VertexAttribute, name: string, matrix: Matrix4): Float32Array {
  const { itemSize, count } = attribute;
  const first = 2;
  const target = new Float32Array((count + 4) * itemSize).fill(99);
  bakeAttribute(attribute, count, name, matrix, target, first);
  for (const outside of [target.subarray(0, first * itemSize), target.subarray((first + count) * itemSize)])
    expect(new Set(outside)).toEqual(new Set([99]));
  return target.subarray(first * itemSize, (first + count) * itemSize);
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, error = 1e-6): void {
  expect(found.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++)
    expect(Math.abs(found[k] - expected[k])).toBeLessThanOrEqual(error * Math.max(1, Math.abs(expected[k])));
}

/** Three or four numbers of each vertex, of which the first three have a length of 1. */
function normalised(array: ArrayLike<number>, size: number): number[] {
  const numbers = Array.from(array);
  for (let k = 0; k < numbers.length; k += size) {
    const vector = new Vector3().fromArray(numbers, k).normalize();
    numbers.splice(k, 3, vector.x, vector.y, vector.z);
  }
  return numbers;
}

/** Tangents as a shader transforms them: WebGPURenderer interpolates them before it normalises them. */
function transformed(tangents: ArrayLike<number>, matrix: Matrix4): number[] {
  const numbers = Array.from(tangents);
  const linear = new Matrix3().setFromMatrix4(matrix);
  for (let k = 0; k < numbers.length; k += 4) {
    const vector = new Vector3().fromArray(numbers, k).applyMatrix3(linear);
    numbers.splice(k, 3, vector.x, vector.y, vector.z);
  }
  return numbers;
}

describe.each(Object.entries(matrices))('a mesh that is %s', (_, matrix) => {
  it.each([
    ['a sphere', new SphereGeometry(2, 9, 7)],
    ['a box without an index', new BoxGeometry(1, 2, 3)],
  ])('gets the positions, normals and tangents that three gives to %s', (name, geometry) => {
    geometry.computeTangents();
    const plain = name === 'a sphere' ? geometry : geometry.toNonIndexed();
    const moved = plain.clone().applyMatrix4(matrix);
    const { position, normal, uv, tangent } = plain.attributes;
    expectClose(baked(position, 'position', matrix), moved.attributes.position.array);
    expectClose(baked(normal, 'normal', matrix), normalised(moved.attributes.normal.array, 3), 1e-5);
    expectClose(baked(tangent, 'tangent', matrix), transformed(tangent.array, matrix), 1e-5);
    expect(baked(uv, 'uv', matrix)).toEqual(uv.array);
  });
});

const divided = (numbers: readonly number[], by: number): number[] => numbers.map((n) => Math.max(n / by, -1));

describe('numbers of other types become what a shader reads', () => {
  const random = createRandom(3);
  const matrix = matrices['turned, and scaled by 3, 0.5 and 1'];
  const bytes = Array.from({ length: 30 }, () => random.below(256));
  const shorts = Array.from({ length: 30 }, () => random.below(65_536) - 32_768);

  it.each<[string, VertexAttribute, number[]]>([
    ['normalised Int16', new BufferAttribute(Int16Array.from(shorts), 3, true), divided(shorts, 32_767)],
    ['Int16', new BufferAttribute(Int16Array.from(shorts), 3), shorts],
    [
      'normalised Int8',
      new BufferAttribute(
        Int8Array.from(bytes, (byte) => byte - 128),
        3,
        true,
      ),
      divided(
        bytes.map((byte) => byte - 128),
        127,
      ),
    ],
    ['normalised Uint8', new BufferAttribute(Uint8Array.from(bytes), 3, true), divided(bytes, 255)],
    ['Uint8', new BufferAttribute(Uint8Array.from(bytes), 3), bytes],
    ['Uint8Clamped', new Uint8ClampedBufferAttribute(bytes, 3), bytes],
    ['normalised Uint8Clamped', new Uint8ClampedBufferAttribute(bytes, 3, true), divided(bytes, 255)],
    ['Float16', new Float16BufferAttribute([0x3c00, 0xc000, 0x3555], 3), [1, -2, 0.333251953125]],
    [
      'interleaved',
      new InterleavedBufferAttribute(new InterleavedBuffer(Float32Array.from(shorts), 5), 3, 1),
      shorts.filter((_, k) => k % 5 > 0 && k % 5 < 4),
    ],
    [
      'interleaved and normalised',
      new InterleavedBufferAttribute(new InterleavedBuffer(Int16Array.from(shorts), 6), 3, 2, true),
      divided(shorts, 32_767).filter((_, k) => k % 6 > 1 && k % 6 < 5),
    ],
  ])('%s', (_, attribute, numbers) => {
    expectClose(baked(attribute, 'color', matrix), numbers);
    const position = new Float32BufferAttribute(numbers, 3).applyMatrix4(matrix);
    expectClose(baked(attribute, 'position', matrix), position.array, 1e-5);
  });

  it('reads as many vertices as there are positions', () => {
    const attribute = new Float32BufferAttribute([1, 2, 3, 4, 5, 6], 2);
    const target = new Float32Array(6);
    bakeAttribute(attribute, 2, 'uv', matrix, target, 0);
    expect(Array.from(target)).toEqual([1, 2, 3, 4, 0, 0]);
  });

  it('leaves a normal of length 0 as it is', () => {
    expect(Array.from(baked(new Float32BufferAttribute([0, 0, 0], 3), 'normal', matrix))).toEqual([0, 0, 0]);
  });
});

const triangles = (geometry: BufferGeometry, isMirrored: boolean): number[] | null => {
  const target = new Uint32Array(indexCountOf(geometry) + 3).fill(7);
  const isValid = bakeIndices(geometry, isMirrored, target, 100, 2);
  expect([target[0], target[1], target.at(-1)]).toEqual([7, 7, 7]);
  return isValid ? Array.from(target.subarray(2, -1)) : null;
};
const geometryWith = (vertices: number, index: BufferAttribute | null): BufferGeometry =>
  new BufferGeometry()
    .setAttribute('position', new Float32BufferAttribute(new Float32Array(3 * vertices), 3))
    .setIndex(index);

describe('indices', () => {
  it.each([
    ['of 8 bits', new BufferAttribute(Uint8Array.of(0, 1, 2, 2, 1, 3), 1)],
    ['of 16 bits', new BufferAttribute(Uint16Array.of(0, 1, 2, 2, 1, 3), 1)],
    ['of 32 bits', new BufferAttribute(Uint32Array.of(0, 1, 2, 2, 1, 3), 1)],
  ])('%s are those of the geometry, behind the vertices before', (_, index) => {
    expect(triangles(geometryWith(4, index), false)).toEqual([100, 101, 102, 102, 101, 103]);
    expect(triangles(geometryWith(4, index), true)).toEqual([100, 102, 101, 102, 103, 101]);
  });

  it('count the vertices where there are none', () => {
    expect(triangles(geometryWith(6, null), false)).toEqual([100, 101, 102, 103, 104, 105]);
    expect(triangles(geometryWith(6, null), true)).toEqual([100, 102, 101, 103, 105, 104]);
  });

  it('leave an incomplete triangle out', () => {
    expect(triangles(geometryWith(5, null), false)).toEqual([100, 101, 102]);
    expect(triangles(geometryWith(4, new BufferAttribute(Uint16Array.of(0, 1, 2, 3), 1)), false)).toEqual([
      100, 101, 102,
    ]);
  });

  it('beyond the vertices are refused, also where the array was emptied', () => {
    expect(triangles(geometryWith(4, new BufferAttribute(Uint16Array.of(0, 1, 4), 1)), false)).toBeNull();
    const emptied = new BufferAttribute(Uint16Array.of(0, 1, 2), 1);
    emptied.array = new Uint16Array(0);
    expect(triangles(geometryWith(4, emptied), false)).toBeNull();
  });
});
