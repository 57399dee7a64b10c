/**
 * In which order a view draws its instances: by id, as an InstancedMesh, or in any order, in which instances keep their draw slots and little
 * is copied and uploaded when the camera moves. The order shows only where instances overlap at equal depth, or where a material does not
 * write or test depth.
 */

import { LessEqualDepth, NoBlending, NormalBlending, type Material, type Mesh } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';

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
  /** A bit for each id. All 0 between calls. */
  private words = new Int32Array(0);

  /** Sorts a list of different ids below `idEnd` in ascending order. */
  sort({ array, length }: IndexList, idEnd: number): void {
    if (isAscending(array, length)) return;
    const count = (idEnd + 31) >>> 5;
    if (count > this.words.length) this.words = new Int32Array(2 * count);
    const { words } = this;
    for (let k = 0; k < length; k++) words[array[k] >>> 5] |= 1 << (array[k] & 31);
    for (let w = 0, k = 0; k < length; w++) {
      // Takes the lowest bit, again and again.
      for (let word = words[w]; word !== 0; word &= word - 1) array[k++] = (w << 5) + 31 - Math.clz32(word & -word);
      words[w] = 0;
    }
  }
}

function isAscending(array: Uint32Array, length: number): boolean {
  for (let k = 1; k < length; k++) if (array[k - 1] > array[k]) return false;
  return true;
}
