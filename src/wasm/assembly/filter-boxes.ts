/** Filters a range of boxes, four at a time: the eight children of a node and the slot bounds of its page alike. */

import { BOX_OVERLAP, INTERSECTING, PLANES_OVERLAP, POINT_DISTANCE_SQ, RAY_OVERLAP, SPHERE_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import { VOLUME } from '../memory-map.ts';
import { indicesFrom, lanesBeyond, removeLanes } from './compact.ts';
import { boxOverlap, planesOverlap, pointDistanceSq, rayDistance, sphereOverlap } from './kernels.ts';
import { BOX_STRIDE } from './memory.ts';

/**
 * Appends each box of [begin, end) that the kernel does not reject to `kept` at `count`, and its overlap, or the bits
 * of its distance, to `overlaps`; returns the new count. Overwrites up to three elements after them. `overlap` is the
 * overlap of the box around them all.
 *
 * @param ids What to append for each box: an array of numbers, or 0 for the numbers of the boxes themselves.
 */
export function filterBoxes(
  kernel: i32,
  boxes: i32,
  begin: i32,
  end: i32,
  overlap: i32,
  ids: i32,
  kept: i32,
  overlaps: i32,
  count: i32,
): i32 {
  for (let k = begin; k < end; k += 4) {
    const at = <usize>(boxes + k * (BOX_STRIDE << 2));
    // Boxes a to d, six numbers each, to six vectors: one for each face, with one lane for each box.
    const v0 = v128.load(at);
    const v1 = v128.load(at, 16);
    const v2 = v128.load(at, 32);
    const v3 = v128.load(at, 48);
    const v4 = v128.load(at, 64);
    const v5 = v128.load(at, 80);
    const minXYab = v128.shuffle<f32>(v0, v1, 0, 1, 6, 7);
    const minXYcd = v128.shuffle<f32>(v3, v4, 0, 1, 6, 7);
    const minZmaxXab = v128.shuffle<f32>(v0, v2, 2, 3, 4, 5);
    const minZmaxXcd = v128.shuffle<f32>(v3, v5, 2, 3, 4, 5);
    const maxYZab = v128.shuffle<f32>(v1, v2, 0, 1, 6, 7);
    const maxYZcd = v128.shuffle<f32>(v4, v5, 0, 1, 6, 7);
    const minX = v128.shuffle<f32>(minXYab, minXYcd, 0, 2, 4, 6);
    const minY = v128.shuffle<f32>(minXYab, minXYcd, 1, 3, 5, 7);
    const minZ = v128.shuffle<f32>(minZmaxXab, minZmaxXcd, 0, 2, 4, 6);
    const maxX = v128.shuffle<f32>(minZmaxXab, minZmaxXcd, 1, 3, 5, 7);
    const maxY = v128.shuffle<f32>(maxYZab, maxYZcd, 0, 2, 4, 6);
    const maxZ = v128.shuffle<f32>(maxYZab, maxYZcd, 1, 3, 5, 7);

    let four: v128;
    if (kernel == PLANES_OVERLAP) four = planesOverlap(minX, minY, minZ, maxX, maxY, maxZ, overlap, ids != 0);
    else if (kernel == BOX_OVERLAP) four = boxOverlap(minX, minY, minZ, maxX, maxY, maxZ);
    else if (kernel == SPHERE_OVERLAP) four = sphereOverlap(minX, minY, minZ, maxX, maxY, maxZ);
    else if (kernel == POINT_DISTANCE_SQ) four = pointDistanceSq(minX, minY, minZ, maxX, maxY, maxZ);
    else {
      four = rayDistance(VOLUME, minX, minY, minZ, maxX, maxY, maxZ);
      // A ray contains no box, but a distance of 0 would read as CONTAINED: so one bit is set in every distance.
      if (kernel == RAY_OVERLAP) four = v128.or(four, i32x4.splat(INTERSECTING));
    }
    // Lanes of boxes that are rejected, empty or after the end of the range.
    const rejected = i32x4.bitmask(v128.or(four, f32x4.gt(minX, maxX))) | lanesBeyond(end - k);
    const id = ids == 0 ? indicesFrom(k) : v128.load(<usize>(ids + (k << 2)));
    v128.store(<usize>(kept + (count << 2)), removeLanes(id, rejected));
    v128.store(<usize>(overlaps + (count << 2)), removeLanes(four, rejected));
    count += 4 - popcnt(rejected);
  }
  return count;
}
