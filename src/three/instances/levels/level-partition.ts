/** Distributes the instances of a pass over the levels of detail, by their distance from a camera. */

import { Vector3, type Camera, type Matrix4 } from 'three';
import { resized } from '../../../math/typed-arrays.ts';
import type { IndexList } from '../../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../bounds/bounds-math.ts';
import type { InstanceLevels } from './instance-levels.ts';
import type { InstanceStore } from '../store/instance-store.ts';

/** The camera whose distance chooses the level of detail of each instance. */
export interface LodCamera {
  readonly camera: Camera;
  readonly memory: LevelMemory;
}

/** By id: the level at which a camera last saw the instance. Hysteresis depends on it. */
export class LevelMemory {
  levels: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  reserve(capacity: number): Uint8Array {
    if (capacity > this.levels.length) this.levels = resized(this.levels, capacity);
    return this.levels;
  }
}

/**
 * Distributes ids over the levels at which a camera sees them, and updates its memory.
 *
 * @param world World matrix of the container.
 * @param lists One for each level.
 */
export function partitionByLevel(
  ids: IndexList,
  levels: InstanceLevels,
  store: InstanceStore,
  world: Matrix4,
  { camera, memory }: LodCamera,
  lists: readonly IndexList[],
): void {
  const { matrices } = store;
  const { elements } = world;
  const lastLevels = memory.reserve(store.capacity);
  const position = partitionByLevel_position.setFromMatrixPosition(camera.matrixWorld);
  const zoom = (camera as { zoom?: number }).zoom ?? 1;
  for (const list of lists) list.length = 0;
  for (let k = 0; k < ids.length; k++) {
    const id = ids.array[k];
    const translation = id * MATRIX_STRIDE + 12;
    const x = matrices[translation];
    const y = matrices[translation + 1];
    const z = matrices[translation + 2];
    const dx = elements[0] * x + elements[4] * y + elements[8] * z + elements[12] - position.x;
    const dy = elements[1] * x + elements[5] * y + elements[9] * z + elements[13] - position.y;
    const dz = elements[2] * x + elements[6] * y + elements[10] * z + elements[14] - position.z;
    const level = levels.levelAt(Math.sqrt(dx * dx + dy * dy + dz * dz) / zoom, lastLevels[id]);
    lastLevels[id] = level;
    lists[level].push(id);
  }
}
const partitionByLevel_position = /* @__PURE__ */ new Vector3();
