/**
 * Moves by the centre, three numbers per body. A sphere keeps its radius. A box becomes its centre plus and minus half of its size;
 * the half sizes are stored apart, so that rounding does not change the size of a body however often it moves. The steps are those
 * of move.ts: escaped bodies are found before anything changes, then listed, then all bounds are written.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { BODY_DEAD, BODY_HAS_HALF_SIZE, BODY_HAS_MARGIN, BODY_MOVED, BODY_SPHERE } from '../layout.ts';
import { HALF_SIZE_STRIDE, STEP_STRIDE, type BodyArrays } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';

/** Numbers of one centre. */
export const CENTER_STRIDE = 3;

type Centers = Float32Array | Float64Array;

/**
 * Appends each position k to `out` for which `indices[k]` is not a living body, or its bounds around the new centre are not finite
 * or leave its fat bounds. Changes no bounds.
 */
export function findEscapedCenters(bodies: BodyArrays, indices: Uint32Array, centers: Centers, out: IndexList): void {
  out.reserve(out.length + indices.length);
  bodies.allocateFatBounds();
  bodies.allocateHalfSizes();
  const { bounds, count: bodyCount, fatBounds, flags, halfSizes } = bodies;
  const { array } = out;
  let count = out.length;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    const flag = index < bodyCount ? flags[index] : BODY_DEAD;
    if ((flag & (BODY_DEAD | BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) === (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) {
      const at = index * BOX_STRIDE;
      const half = index * HALF_SIZE_STRIDE;
      const stays =
        centers[from] - halfSizes[half] >= fatBounds[at] &&
        centers[from + 1] - halfSizes[half + 1] >= fatBounds[at + 1] &&
        centers[from + 2] - halfSizes[half + 2] >= fatBounds[at + 2] &&
        centers[from] + halfSizes[half] <= fatBounds[at + 3] &&
        centers[from + 1] + halfSizes[half + 1] <= fatBounds[at + 4] &&
        centers[from + 2] + halfSizes[half + 2] <= fatBounds[at + 5];
      if (stays) continue;
    } else if ((flag & (BODY_DEAD | BODY_HAS_MARGIN | BODY_SPHERE)) === (BODY_HAS_MARGIN | BODY_SPHERE)) {
      const at = index * BOX_STRIDE;
      const radius = bounds[at + 3];
      const stays =
        centers[from] - radius >= fatBounds[at] &&
        centers[from + 1] - radius >= fatBounds[at + 1] &&
        centers[from + 2] - radius >= fatBounds[at + 2] &&
        centers[from] + radius <= fatBounds[at + 3] &&
        centers[from + 1] + radius <= fatBounds[at + 4] &&
        centers[from + 2] + radius <= fatBounds[at + 5];
      if (stays) continue;
    }
    array[count++] = k;
  }
  out.length = count;
}

/** As `listEscaped`, for the positions that `findEscapedCenters` has appended. Call it before `writeCenters`. */
export function listEscapedCenters(bodies: BodyArrays, indices: Uint32Array, centers: Centers, moved: IndexList, begin: number): void {
  const { array, length } = moved;
  const { flags, slot } = bodies;
  let kept = begin;
  for (let k = begin; k < length; k++) {
    const position = array[k];
    const index = indices[position];
    if ((flags[index] & (BODY_SPHERE | BODY_HAS_HALF_SIZE)) === 0) bodies.storeHalfSize(index);
    recordStep(bodies, index, centers, position * CENTER_STRIDE);
    if (slot[index] < 0 || (flags[index] & BODY_MOVED) !== 0) continue;
    flags[index] |= BODY_MOVED;
    array[kept++] = index;
  }
  moved.length = kept;
}

/** Stores the step of the lower face of a box, or of the centre of a sphere. */
function recordStep(bodies: BodyArrays, index: number, centers: Centers, from: number): void {
  const { bounds, halfSizes } = bodies;
  const step = recordStep_step;
  const isSphere = bodies.isSphere(index);
  for (let axis = 0; axis < 3; axis++) {
    const half = isSphere ? 0 : halfSizes[index * HALF_SIZE_STRIDE + axis];
    step[axis] = centers[from + axis] - half - bounds[index * BOX_STRIDE + axis];
  }
  bodies.dropMargin(index);
  bodies.writeStep(index, step);
}
const recordStep_step = new Float32Array(STEP_STRIDE);

/** Writes the bounds of bodies around their new centres. If an index is repeated, its last centre counts. */
export function writeCenters({ bounds, flags, halfSizes }: BodyArrays, indices: Uint32Array, centers: Centers): void {
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    const at = index * BOX_STRIDE;
    const x = centers[from];
    const y = centers[from + 1];
    const z = centers[from + 2];
    if ((flags[index] & BODY_SPHERE) !== 0) {
      bounds[at] = x;
      bounds[at + 1] = y;
      bounds[at + 2] = z;
      continue;
    }
    const half = index * HALF_SIZE_STRIDE;
    const halfX = halfSizes[half];
    const halfY = halfSizes[half + 1];
    const halfZ = halfSizes[half + 2];
    bounds[at] = x - halfX;
    bounds[at + 1] = y - halfY;
    bounds[at + 2] = z - halfZ;
    bounds[at + 3] = x + halfX;
    bounds[at + 4] = y + halfY;
    bounds[at + 5] = z + halfZ;
  }
}
