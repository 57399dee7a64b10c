/** Sorts instances from back to front, as transparent materials require. */

import type { Camera, Matrix4, Vector3 } from 'three';
import { radixSort } from '../../../math/radix-sort.ts';
import type { IndexList } from '../../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../bounds/matrix-stride.ts';
import type { InstanceStore } from '../store/instance-store.ts';

const SIGN_BIT = 0x80000000;

/**
 * Sorts ids by the distance of their centres from the plane of the camera, the farthest first.
 *
 * @param world World matrix of the container.
 * @param center Centre of what is drawn, in the local space of one instance.
 */
export function sortByDepth(ids: IndexList, store: InstanceStore, world: Matrix4, center: Vector3, camera: Camera): void {
  const { array, length } = ids;
  const { matrices } = store;
  const view = camera.matrixWorldInverse.elements;
  const { elements } = world;
  // The third row of view * world gives view-space z, which is negative before the camera: ascending z is back to front.
  const row = [0, 4, 8, 12].map((column) => view[2] * elements[column] + view[6] * elements[column + 1] + view[10] * elements[column + 2]);
  const [a, b, c] = row;
  const depths = new Float32Array(length);
  const keys = new Uint32Array(depths.buffer);
  for (let k = 0; k < length; k++) {
    const m = array[k] * MATRIX_STRIDE;
    const x = matrices[m] * center.x + matrices[m + 4] * center.y + matrices[m + 8] * center.z + matrices[m + 12];
    const y = matrices[m + 1] * center.x + matrices[m + 5] * center.y + matrices[m + 9] * center.z + matrices[m + 13];
    const z = matrices[m + 2] * center.x + matrices[m + 6] * center.y + matrices[m + 10] * center.z + matrices[m + 14];
    depths[k] = a * x + b * y + c * z + row[3] + view[14];
  }
  // Unsigned integers with the order of the floats: flip all bits of negative numbers, only the sign bit of the others.
  for (let k = 0; k < length; k++) keys[k] ^= keys[k] >= SIGN_BIT ? 0xffffffff : SIGN_BIT;
  radixSort(keys, array, 0, length);
}
