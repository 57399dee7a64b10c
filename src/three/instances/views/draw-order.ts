/**
 * Decides in which order a view draws its instances: in the order of their ids, as an InstancedMesh does, or in any order. In any order, instances keep
 * their draw slots while the camera moves, so little is copied and uploaded. The order is visible only where instances overlap at equal depth, or where
 * a material does not write or test depth.
 */

import { LessEqualDepth, NoBlending, NormalBlending, type Material, type Mesh } from 'three';
import { BitSet } from '../../../math/bit-set.ts';
import type { IndexList } from '../../../tree/storage/index-list.ts';

/**
 * Passes with at most this many instances are always drawn in the order of ids. A pass whose camera moves then copies and uploads up to 256 kB
 * of matrices: a few tenths of a millisecond.
 */
const ALWAYS_IN_ORDER = 4096;

/** Whether a pass with `count` instances must draw them in the order of ids although its camera moves. */
export function needsOrder(count: number, levels: readonly Mesh[]): boolean {
  return count <= ALWAYS_IN_ORDER || levels.some(({ material }) => showsOrder(material));
}

/** Whether the order of overlapping instances shows although their depths differ. */
function showsOrder(material: Material | Material[]): boolean {
  if (Array.isArray(material)) return material.some(showsOrder);
  const { transparent, depthTest, depthWrite, depthFunc, stencilWrite, alphaToCoverage, blending } = material;
  if (transparent || !depthTest || !depthWrite || depthFunc !== LessEqualDepth || stencilWrite || alphaToCoverage) return true;
  return blending !== NormalBlending && blending !== NoBlending;
}

/** Sorts ids by a bitmap. Cost: a step for each id, and one for each 32 ids below `idEnd`. */
export class IdOrder {
  private readonly ids = new BitSet();

  /** Sorts a list of different ids below `idEnd` in ascending order. */
  sort({ array, length }: IndexList, idEnd: number): void {
    if (isAscending(array, length)) return;
    const { ids } = this;
    ids.reserve(idEnd);
    for (let k = 0; k < length; k++) ids.add(array[k]);
    ids.drain(array, idEnd);
  }
}

function isAscending(array: Uint32Array, length: number): boolean {
  for (let k = 1; k < length; k++) if (array[k - 1] > array[k]) return false;
  return true;
}
