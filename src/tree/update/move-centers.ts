/**
 * Moves by the centre, three numbers per body. A sphere keeps its radius. A box becomes its centre plus and minus half of its size;
 * the half sizes are stored separately, so that rounding does not change the size of a body however often it moves.
 *
 * As in move.ts, most moves stay inside the fat bounds and are a comparison and a copy. Here one loop does both, because there is no
 * block copy that is faster than the loop. So all centres are checked before, by `checkCenters`.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { BODY_DEAD, BODY_HAS_HALF_SIZE, BODY_HAS_MARGIN, BODY_MOVED, BODY_SPHERE, ROOT } from '../layout.ts';
import { HALF_SIZE_STRIDE, STEP_STRIDE, type BodyArrays } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';

/** Numbers of one centre. */
export const CENTER_STRIDE = 3;

/** If no centre has a coordinate above it, and no body is larger, all bounds are within the limit of coordinates. */
const SAFE_COORDINATE = COORDINATE_LIMIT / 2;

/** Calls `check` for each position k for which `indices[k]` may not be a living body, or its bounds around the new centre may be invalid. */
export function checkCenters(tree: Tree, indices: Uint32Array, centers: FloatArray, check: (k: number) => void): void {
  if (areSafe(tree, indices, centers)) return;
  const { count, flags, slot } = tree.bodies;
  const limit = isSafeSize(tree) ? SAFE_COORDINATE : -1;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    const isPlaced = index < count && (flags[index] & (BODY_DEAD | BODY_MOVED)) === 0 && slot[index] >= 0;
    // False for NaN.
    const isSafe = Math.abs(centers[from]) <= limit && Math.abs(centers[from + 1]) <= limit && Math.abs(centers[from + 2]) <= limit;
    if (!isPlaced || !isSafe) check(k);
  }
}

/** Whether no body in the tree can be larger than SAFE_COORDINATE, by the size of the root. Bodies on the list of moved bodies may be larger. */
function isSafeSize({ nodes, looseness }: Tree): boolean {
  return nodes.edge(ROOT) * looseness <= SAFE_COORDINATE;
}

/** False if a move may be invalid. Nearly always all are valid, so the loop has no branches. */
function areSafe(tree: Tree, indices: Uint32Array, centers: FloatArray): boolean {
  const { count, flags, slot } = tree.bodies;
  // No coordinate is larger than the sum of all. A sum with NaN or infinity is not within the limit.
  let sumX = 0;
  let sumY = 0;
  let sumZ = 0;
  let seen = 0;
  let outside = 0;
  let last = 0;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    outside |= slot[index];
    last = Math.max(last, index);
    seen |= flags[index];
    sumX += Math.abs(centers[from]);
    sumY += Math.abs(centers[from + 1]);
    sumZ += Math.abs(centers[from + 2]);
  }
  // The slot of a body outside the tree is negative.
  return last < count && outside >= 0 && (seen & (BODY_DEAD | BODY_MOVED)) === 0 && sumX + sumY + sumZ <= SAFE_COORDINATE && isSafeSize(tree);
}

/**
 * Writes the bounds of living bodies around their new centres, which must be valid. Appends the bodies that have escaped from their
 * fat bounds or have none, and boxes without a stored half size, to `moved`, unless they are listed already or are not in the tree. If an index is repeated, its last centre counts.
 */
export function moveCenters(bodies: BodyArrays, indices: Uint32Array, centers: FloatArray, moved: IndexList): void {
  moved.reserve(moved.length + indices.length);
  bodies.allocateFatBounds();
  bodies.allocateHalfSizes();
  const { bounds, fatBounds, flags, halfSizes } = bodies;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    const flag = flags[index];
    const at = index * BOX_STRIDE;
    const x = centers[from];
    const y = centers[from + 1];
    const z = centers[from + 2];
    if ((flag & (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) === (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) {
      const half = index * HALF_SIZE_STRIDE;
      const minX = x - halfSizes[half];
      const minY = y - halfSizes[half + 1];
      const minZ = z - halfSizes[half + 2];
      const maxX = x + halfSizes[half];
      const maxY = y + halfSizes[half + 1];
      const maxZ = z + halfSizes[half + 2];
      const stays =
        minX >= fatBounds[at] && minY >= fatBounds[at + 1] && minZ >= fatBounds[at + 2] && maxX <= fatBounds[at + 3] && maxY <= fatBounds[at + 4] && maxZ <= fatBounds[at + 5];
      if (stays) {
        bounds[at] = minX;
        bounds[at + 1] = minY;
        bounds[at + 2] = minZ;
        bounds[at + 3] = maxX;
        bounds[at + 4] = maxY;
        bounds[at + 5] = maxZ;
        continue;
      }
    } else if ((flag & (BODY_HAS_MARGIN | BODY_SPHERE)) === (BODY_HAS_MARGIN | BODY_SPHERE)) {
      const radius = bounds[at + 3];
      const stays =
        x - radius >= fatBounds[at] &&
        y - radius >= fatBounds[at + 1] &&
        z - radius >= fatBounds[at + 2] &&
        x + radius <= fatBounds[at + 3] &&
        y + radius <= fatBounds[at + 4] &&
        z + radius <= fatBounds[at + 5];
      if (stays) {
        bounds[at] = x;
        bounds[at + 1] = y;
        bounds[at + 2] = z;
        continue;
      }
    }
    moveBeyondFatBounds(bodies, index, centers, from, moved);
  }
}

/** Writes the bounds of a body that has escaped from its fat bounds or has none, or of a box without a stored half size; stores its step and lists it. */
function moveBeyondFatBounds(bodies: BodyArrays, index: number, centers: FloatArray, from: number, moved: IndexList): void {
  const { bounds, flags, halfSizes } = bodies;
  const step = moveBeyondFatBounds_step;
  const at = index * BOX_STRIDE;
  const isSphere = bodies.isSphere(index);
  if ((flags[index] & (BODY_SPHERE | BODY_HAS_HALF_SIZE)) === 0) bodies.storeHalfSize(index);
  for (let axis = 0; axis < 3; axis++) {
    const center = centers[from + axis];
    const half = isSphere ? 0 : halfSizes[index * HALF_SIZE_STRIDE + axis];
    // Of the lower face of a box, or of the centre of a sphere.
    step[axis] = center - half - bounds[at + axis];
    bounds[at + axis] = center - half;
    if (!isSphere) bounds[at + axis + 3] = center + half;
  }
  bodies.writeStep(index, step);
  if (!bodies.isPlaced(index) || (flags[index] & BODY_MOVED) !== 0) return;
  flags[index] |= BODY_MOVED;
  moved.array[moved.length++] = index;
}
const moveBeyondFatBounds_step = new Float32Array(STEP_STRIDE);
