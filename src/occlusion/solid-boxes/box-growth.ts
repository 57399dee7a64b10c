/**
 * Grows a box of cells towards the mesh: each face in turn goes on while no triangle touches the box, by steps that are
 * halved. Then it goes back by a part of its way: otherwise a wall that is not quite parallel to the box would touch
 * its edge, and stop the faces beside it.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import type { ClosedMesh } from './closed-mesh.ts';
import type { NearTriangles } from './solid-proof.ts';

/** With one round, the faces that go first are stopped by those that have not moved yet. Test: solid-boxes.test. */
const ROUNDS = 2;
/** Number of times that the step of a face is halved. Test: solid-boxes.test. */
const STEPS = 6;
/** Part of its way that a face keeps. Test: solid-boxes.test. */
const WAY_PART = 0.98;
/** How far a face may move, in cells: what holds it is in the next cell, or the mesh ends there. */
const REACH = 2;
/** Triangles near a box that are worth a step for each axis. */
const MANY = 1024;

/**
 * Grows a box, in steps if many triangles are near.
 *
 * @param bounds Where the box must end.
 * @param cell The size of a cell.
 * @param near Is set to the triangles near the box.
 */
export function* growBox(
  box: Float64Array,
  mesh: ClosedMesh,
  bounds: Float64Array,
  cell: Float64Array,
  near: NearTriangles,
): Generator<void> {
  const limits = new Float64Array(BOX_STRIDE);
  for (let axis = 0; axis < 3; axis++) {
    limits[axis] = Math.max(bounds[axis], box[axis] - REACH * cell[axis]);
    limits[axis + 3] = Math.min(bounds[axis + 3], box[axis + 3] + REACH * cell[axis]);
  }
  near.find(mesh, limits);
  for (let round = 0; round < ROUNDS; round++) {
    for (let axis = 0; axis < 3; axis++) {
      for (const face of [axis, axis + 3]) box[face] += WAY_PART * wayOf(box, axis, limits[face] - box[face], near);
      if (near.count > MANY) yield;
    }
  }
}

/** How far a face may go along an axis, at most `most`, which is negative for the lower face. */
function wayOf(box: Float64Array, axis: number, most: number, near: NearTriangles): number {
  const start = most < 0 ? box[axis] : box[axis + 3];
  const passed = box.slice();
  let way = 0;
  for (let k = 0, step = most; k < STEPS && way !== most; k++, step /= 2) {
    passed[axis] = Math.min(start + way, start + way + step);
    passed[axis + 3] = Math.max(start + way, start + way + step);
    if (!near.touch(passed)) way += step;
  }
  return way;
}
