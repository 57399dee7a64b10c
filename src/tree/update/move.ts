/**
 * Moves, as they come in. A body on the move has room: a box, kept beside its bounds, in which they may change without a word to the
 * tree, for the body's entry encloses it. So nearly every move is six comparisons and a copy in the body's own lanes; the tree, far off
 * in memory, is not even read. What stays in its room is alive, finite and in order, so that nothing else needs to be checked either.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import type { BodyArrays } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { BODY_DEAD, BODY_HAS_FACE_MARGIN, BODY_HAS_MARGIN, BODY_MOVED, BODY_SPHERE } from '../layout.ts';
import { holdsInPlay } from './face-margin.ts';

/** Bodies that are worth a copy in one go. */
const MIN_RUN = 16;

/**
 * Appends to `out` each place k at which `indices` names no living body of that kind, or the new bounds are out of order, not finite or
 * not within the body's room. Writes nothing else.
 *
 * @param lanes New bounds: boxes of six lanes or spheres of four.
 * @returns Whether the indices count up without a gap.
 */
export function findEscaped(bodies: BodyArrays, indices: Uint32Array, lanes: Float32Array | Float64Array, isSphere: boolean, out: IndexList): boolean {
  out.reserve(out.length + indices.length);
  if (bodies.fatBounds.length === 0) {
    // Nobody has room yet.
    bodies.allocateFatBounds();
    return listAll(indices, out);
  }
  // In loops of their own, with no call but for the few that do not just stay: so the engine keeps the arrays in registers.
  return isSphere ? findSpheres(bodies, indices, lanes, out) : findBoxes(bodies, indices, lanes, out);
}

/** Appends every place; returns whether the indices count up without a gap. */
function listAll(indices: Uint32Array, list: IndexList): boolean {
  const { array, length } = list;
  const first = indices[0];
  let gaps = 0;
  for (let k = 0; k < indices.length; k++) {
    gaps |= (indices[k] - k) ^ first;
    array[length + k] = k;
  }
  list.length = length + indices.length;
  return gaps === 0;
}

function findBoxes(bodies: BodyArrays, indices: Uint32Array, lanes: Float32Array | Float64Array, list: IndexList): boolean {
  const { flags, fatBounds } = bodies;
  const bodyCount = bodies.count;
  const out = list.array;
  const first = indices[0];
  let count = list.length;
  let gaps = 0;
  for (let k = 0, from = 0; k < indices.length; k++, from += 6) {
    const index = indices[k];
    gaps |= (index - k) ^ first;
    const minX = lanes[from];
    const minY = lanes[from + 1];
    const minZ = lanes[from + 2];
    const maxX = lanes[from + 3];
    const maxY = lanes[from + 4];
    const maxZ = lanes[from + 5];
    if (index < bodyCount && (flags[index] & (BODY_DEAD | BODY_SPHERE | BODY_HAS_MARGIN)) === BODY_HAS_MARGIN && minX <= maxX && minY <= maxY && minZ <= maxZ) {
      const at = index * BOX_STRIDE;
      const stays =
        minX >= fatBounds[at] && minY >= fatBounds[at + 1] && minZ >= fatBounds[at + 2] && maxX <= fatBounds[at + 3] && maxY <= fatBounds[at + 4] && maxZ <= fatBounds[at + 5];
      if (stays) continue;
    }
    if (staysInPlay(bodies, index, lanes, from, false)) continue;
    out[count++] = k;
  }
  list.length = count;
  return gaps === 0;
}

function findSpheres(bodies: BodyArrays, indices: Uint32Array, lanes: Float32Array | Float64Array, list: IndexList): boolean {
  const { flags, fatBounds } = bodies;
  const bodyCount = bodies.count;
  const out = list.array;
  const first = indices[0];
  let count = list.length;
  let gaps = 0;
  for (let k = 0, from = 0; k < indices.length; k++, from += 4) {
    const index = indices[k];
    gaps |= (index - k) ^ first;
    const x = lanes[from];
    const y = lanes[from + 1];
    const z = lanes[from + 2];
    const radius = lanes[from + 3];
    if (index < bodyCount && (flags[index] & (BODY_DEAD | BODY_SPHERE | BODY_HAS_MARGIN)) === (BODY_HAS_MARGIN | BODY_SPHERE) && radius >= 0) {
      const at = index * BOX_STRIDE;
      const stays =
        x - radius >= fatBounds[at] &&
        y - radius >= fatBounds[at + 1] &&
        z - radius >= fatBounds[at + 2] &&
        x + radius <= fatBounds[at + 3] &&
        y + radius <= fatBounds[at + 4] &&
        z + radius <= fatBounds[at + 5];
      if (stays) continue;
    }
    if (staysInPlay(bodies, index, lanes, from, true)) continue;
    out[count++] = k;
  }
  list.length = count;
  return gaps === 0;
}

/** Whether the bounds at a lane are sound, and within the play of the body they are for. For the few bodies that may not move freely. */
function staysInPlay(bodies: BodyArrays, index: number, lanes: Float32Array | Float64Array, from: number, isSphere: boolean): boolean {
  const wanted = isSphere ? BODY_HAS_FACE_MARGIN | BODY_SPHERE : BODY_HAS_FACE_MARGIN;
  const flags = index < bodies.count ? bodies.flags[index] : BODY_DEAD;
  if ((flags & (BODY_DEAD | BODY_SPHERE | BODY_HAS_FACE_MARGIN)) !== wanted) return false;
  const box = play_box;
  const radius = isSphere ? lanes[from + 3] : 0;
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = lanes[from + axis] - radius;
    box[axis + 3] = isSphere ? lanes[from + axis] + radius : lanes[from + axis + 3];
  }
  return box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5] && holdsInPlay(bodies.fatBounds, index * BOX_STRIDE, flags, box);
}
const play_box = new Float64Array(BOX_STRIDE);

/** Closes the rooms of the bodies at the places listed from `begin` on, notes their steps, and lists the bodies instead, each once. */
export function listEscaped(bodies: BodyArrays, indices: Uint32Array, lanes: Float32Array | Float64Array, isSphere: boolean, moved: IndexList, begin: number): void {
  const { array, length } = moved;
  const { flags, slot } = bodies;
  const stride = isSphere ? 4 : 6;
  let kept = begin;
  for (let k = begin; k < length; k++) {
    const place = array[k];
    const index = indices[place];
    noteStep(bodies, index, lanes, place * stride, isSphere);
    if (slot[index] < 0 || (flags[index] & BODY_MOVED) !== 0) continue;
    flags[index] |= BODY_MOVED;
    array[kept++] = index;
  }
  moved.length = kept;
}

/** Along each axis: how far the face that moves farther is about to go, with its sign. */
function noteStep(bodies: BodyArrays, index: number, lanes: Float32Array | Float64Array, from: number, isSphere: boolean): void {
  const { bounds, flags, fatBounds } = bodies;
  const at = index * BOX_STRIDE;
  const wasSphere = (flags[index] & BODY_SPHERE) !== 0;
  bodies.dropMargin(index);
  if (wasSphere !== isSphere) {
    flags[index] ^= BODY_SPHERE;
    fatBounds.fill(0, at + 3, at + 6);
    return;
  }
  for (let axis = 0; axis < 3; axis++) {
    const wayMin = lanes[from + axis] - bounds[at + axis];
    const wayMax = isSphere ? wayMin : lanes[from + axis + 3] - bounds[at + axis + 3];
    // Where both go the same way it does not matter which: twice, lest their last bits decide, which no processor foresees.
    fatBounds[at + 3 + axis] = Math.abs(wayMin) > 2 * Math.abs(wayMax) ? wayMin : wayMax;
  }
}

/**
 * Writes new bounds of bodies, whose kinds are right already; of a repeated index the last ones.
 *
 * @param isRun Whether the indices count up without a gap.
 */
export function writeBounds({ bounds }: BodyArrays, indices: Uint32Array, lanes: Float32Array | Float64Array, isSphere: boolean, isRun: boolean): void {
  const { length } = indices;
  if (isSphere) {
    for (let k = 0, from = 0; k < length; k++, from += 4) {
      const at = indices[k] * BOX_STRIDE;
      bounds[at] = lanes[from];
      bounds[at + 1] = lanes[from + 1];
      bounds[at + 2] = lanes[from + 2];
      bounds[at + 3] = lanes[from + 3];
    }
  } else if (isRun && length >= MIN_RUN) {
    // Mostly all bodies of a batch move together: one copy takes a quarter of the time of a loop.
    bounds.set(lanes, indices[0] * BOX_STRIDE);
  } else {
    for (let k = 0, from = 0; k < length; k++, from += 6) {
      const at = indices[k] * BOX_STRIDE;
      bounds[at] = lanes[from];
      bounds[at + 1] = lanes[from + 1];
      bounds[at + 2] = lanes[from + 2];
      bounds[at + 3] = lanes[from + 3];
      bounds[at + 4] = lanes[from + 4];
      bounds[at + 5] = lanes[from + 5];
    }
  }
}
