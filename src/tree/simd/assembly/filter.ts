/** Filters a range of boxes, four at a time: the eight children of a node or the slotBounds of its page alike. */

import { INTERSECTING } from '../../overlap.ts';
import { IN_SPHERE, IN_BOX, IN_PLANES, NEAR_POINT, ON_RAY } from '../kinds.ts';
import { fourFrom, lanesBehind, withoutLanes } from './compact.ts';
import { ball, box, planes, point, ray } from './kernels.ts';
import { BOX_STRIDE } from './lanes.ts';

/**
 * Appends the name of each box of [begin, end) that the kernel does not reject to `kept` at `count`, and its note to `notes`; returns the new count.
 * Writes up to three more, which do not count. `known` is what is known of the box around them all.
 *
 * @param names Array of names; 0 if boxes are named by their places.
 */
export function filter(kind: i32, boxes: i32, begin: i32, end: i32, known: i32, names: i32, kept: i32, notes: i32, count: i32): i32 {
  for (let k = begin; k < end; k += 4) {
    const at = <usize>(boxes + k * (BOX_STRIDE << 2));
    // Boxes a to d, six lanes each, to six vectors of four lanes.
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
    if (kind == IN_PLANES) four = planes(minX, minY, minZ, maxX, maxY, maxZ, known);
    else if (kind == IN_BOX) four = box(minX, minY, minZ, maxX, maxY, maxZ);
    else if (kind == IN_SPHERE) four = ball(minX, minY, minZ, maxX, maxY, maxZ);
    else if (kind == NEAR_POINT) four = point(minX, minY, minZ, maxX, maxY, maxZ);
    else {
      four = ray(minX, minY, minZ, maxX, maxY, maxZ);
      // Nothing lies inside a ray, whatever the distance.
      if (kind == ON_RAY) four = v128.or(four, i32x4.splat(INTERSECTING));
    }
    // Rejected, empty, or behind the end.
    const rejected = i32x4.bitmask(v128.or(four, f32x4.gt(minX, maxX))) | lanesBehind(end - k);
    const named = names == 0 ? fourFrom(k) : v128.load(<usize>(names + (k << 2)));
    v128.store(<usize>(kept + (count << 2)), withoutLanes(named, rejected));
    v128.store(<usize>(notes + (count << 2)), withoutLanes(four, rejected));
    count += 4 - popcnt(rejected);
  }
  return count;
}
