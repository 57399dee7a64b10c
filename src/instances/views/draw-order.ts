/**
 * Decides in which order a view draws its instances: in the order of their ids, as an InstancedMesh does, or in any
 * order. In any order, instances keep their draw slots while the camera moves, so little is copied and uploaded. The
 * order is visible only where instances overlap at equal depth, or where a material does not write or test depth.
 */

import type { Camera, Matrix4, Mesh, Sphere } from 'three';
import { RadixSorter } from '../../math/sorting.ts';
import { BitSet } from '../store/bit-set.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import type { InstanceStore } from '../store/instance-store.ts';

/**
 * Passes with at most this many instances are always drawn in the order of ids. A pass whose camera moves then copies
 * and uploads up to 256 kB of matrices: a few tenths of a millisecond. Test: test/instances/draw-order.test.ts.
 */
export const ALWAYS_IN_ORDER = 4096;

/**
 * Sorts the first `length` ids, all different and below `idEnd`, in ascending order. Cost: a step for each id, and one
 * for each 32 ids below `idEnd`.
 */
export function sortIds(array: Uint32Array, length: number, idEnd: number): void {
  let k = 1;
  while (k < length && array[k - 1] < array[k]) k++;
  if (k >= length) return;
  sortIds_set.reserve(idEnd);
  for (k = 0; k < length; k++) sortIds_set.add(array[k]);
  sortIds_set.drain(array, idEnd);
}
const sortIds_set = /* @__PURE__ */ new BitSet();

const SIGN_BIT = 0x80000000;

/**
 * Sorts ids by the distance of their centres from the plane of the camera, the farthest first, as transparent materials
 * require.
 *
 * @param world World matrix of the container.
 * @param mesh What is drawn of each instance.
 */
export function sortByDepth(
  ids: IndexList,
  store: InstanceStore,
  world: Matrix4,
  { geometry }: Mesh,
  camera: Camera,
): void {
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  const { center } = geometry.boundingSphere as Sphere;
  const { array, length } = ids;
  const { matrices } = store;
  const inverse = camera.matrixWorldInverse.elements;
  const { elements } = world;
  // The third row of the inverse times world gives view-space z, which is negative before the camera: ascending z is
  // back to front.
  const row = [0, 4, 8, 12].map(
    (column) => inverse[2] * elements[column] + inverse[6] * elements[column + 1] + inverse[10] * elements[column + 2],
  );
  const [a, b, c] = row;
  const depths = new Float32Array(length);
  const keys = new Uint32Array(depths.buffer);
  for (let k = 0; k < length; k++) {
    const m = array[k] * MATRIX_STRIDE;
    const x = matrices[m] * center.x + matrices[m + 4] * center.y + matrices[m + 8] * center.z + matrices[m + 12];
    const y = matrices[m + 1] * center.x + matrices[m + 5] * center.y + matrices[m + 9] * center.z + matrices[m + 13];
    const z = matrices[m + 2] * center.x + matrices[m + 6] * center.y + matrices[m + 10] * center.z + matrices[m + 14];
    depths[k] = a * x + b * y + c * z + row[3] + inverse[14];
  }
  // Unsigned integers with the order of the floats: flip all bits of negative numbers, only the sign bit of the others.
  for (let k = 0; k < length; k++) keys[k] ^= keys[k] >= SIGN_BIT ? 0xffffffff : SIGN_BIT;
  new RadixSorter().sort(keys, array, 0, length);
}
