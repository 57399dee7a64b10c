/**
 * Writes a mesh into the buffers of a batch: its vertices in the space of the batch, and its indices. Numbers are read
 * as a shader reads them: normalised, interleaved and quantised attributes become floats.
 */

import { Matrix3, type BufferGeometry, type Matrix4 } from 'three';
import { GETTERS } from '../three/bounds/vertex-bounds.ts';
import type { VertexAttribute } from './mergeable.ts';

/** Number of indices that draw a geometry as triangles. three draws no incomplete triangle. */
export function indexCountOf({ index, attributes }: BufferGeometry): number {
  const count = index === null ? attributes.position.count : index.count;
  return count - (count % 3);
}

/**
 * Writes one attribute of a geometry, as `matrix` places it.
 *
 * @param target The array of the attribute in the batch.
 * @param first Index of the first vertex in the batch.
 * @param name Decides how it is transformed: position, normal, tangent; others are copied.
 * @param matrix From the space of the mesh to that of the batch.
 */
export function bakeAttribute(
  attribute: VertexAttribute,
  count: number,
  name: string,
  matrix: Matrix4,
  target: Float32Array,
  first: number,
): void {
  const { itemSize } = attribute;
  const at = first * itemSize;
  const { array } = attribute;
  const hasPlainFloats = !('data' in attribute) && !attribute.normalized && array instanceof Float32Array;
  if (hasPlainFloats) target.set(array.length === count * itemSize ? array : array.subarray(0, count * itemSize), at);
  else
    for (let k = 0, to = at; k < count; k++)
      for (let component = 0; component < itemSize; component++) target[to++] = attribute[GETTERS[component]](k);
  const end = at + count * itemSize;
  if (name === 'position') transformPositions(target, at, end, matrix);
  else if (name === 'normal') transformDirections(target, at, end, 3, bakeAttribute_normal.getNormalMatrix(matrix));
  else if (name === 'tangent') transformDirections(target, at, end, 4, bakeAttribute_normal.setFromMatrix4(matrix));
}
const bakeAttribute_normal = /* @__PURE__ */ new Matrix3();

/**
 * Float32 numbers are multiplied in double precision and rounded once: a vertex loses at most half a step of float32,
 * as it does in a shader.
 */
function transformPositions(numbers: Float32Array, start: number, end: number, { elements }: Matrix4): void {
  const [a, b, c, , d, e, f, , g, h, i, , tx, ty, tz] = elements;
  for (let k = start; k < end; k += 3) {
    const x = numbers[k];
    const y = numbers[k + 1];
    const z = numbers[k + 2];
    numbers[k] = a * x + d * y + g * z + tx;
    numbers[k + 1] = b * x + e * y + h * z + ty;
    numbers[k + 2] = c * x + f * y + i * z + tz;
  }
}

/**
 * Shaders normalise a normal after its transformation, so only its direction counts; a zero vector stays zero. A
 * tangent keeps its length: shaders of WebGPURenderer interpolate tangents before they normalise them.
 */
function transformDirections(numbers: Float32Array, start: number, end: number, stride: number, matrix: Matrix3): void {
  const [a, b, c, d, e, f, g, h, i] = matrix.elements;
  for (let k = start; k < end; k += stride) {
    const x = numbers[k];
    const y = numbers[k + 1];
    const z = numbers[k + 2];
    const tx = a * x + d * y + g * z;
    const ty = b * x + e * y + h * z;
    const tz = c * x + f * y + i * z;
    const length = stride === 4 ? 1 : Math.sqrt(tx * tx + ty * ty + tz * tz);
    const scale = length > 0 ? 1 / length : 1;
    numbers[k] = tx * scale;
    numbers[k + 1] = ty * scale;
    numbers[k + 2] = tz * scale;
  }
}

/**
 * Writes the indices of a geometry. Triangles of a mirrored mesh are turned round: three draws their other side.
 *
 * @param firstVertex Index of the first vertex of the mesh in the batch.
 * @param at Place of the first index in the batch.
 * @returns Whether all indices are of vertices that the geometry has. If not, nothing of use has been written.
 */
export function bakeIndices(
  geometry: BufferGeometry,
  isMirrored: boolean,
  target: Uint32Array,
  firstVertex: number,
  at: number,
): boolean {
  const count = indexCountOf(geometry);
  const { index } = geometry;
  if (index === null) for (let k = 0; k < count; k++) target[at + k] = firstVertex + k;
  else {
    const { array } = index;
    const vertices = geometry.attributes.position.count;
    for (let k = 0; k < count; k++) {
      const vertex = array[k];
      if (!(vertex < vertices)) return false;
      target[at + k] = firstVertex + vertex;
    }
  }
  if (isMirrored)
    for (let k = at; k < at + count; k += 3) {
      const second = target[k + 1];
      target[k + 1] = target[k + 2];
      target[k + 2] = second;
    }
  return true;
}
