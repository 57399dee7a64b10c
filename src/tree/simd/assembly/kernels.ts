/**
 * One kernel for each kind of volume. Each takes four boxes side by side and returns four lanes: negative for a box that is rejected, else a
 * note, an Int32 or the bits of a Float32. They compute in Float32 and may keep too much, never too little: those who write the shape, TolerantPlanes,
 * QuerySphere, UnitRay and BoxQuery, allow for all that may be rounded away.
 */

import { SHAPE } from '../memory-map.ts';
import { zeros } from './lanes.ts';

@inline const SIGN: i32 = 0x80000000;
/** log2 of the bytes of a plane. */
@inline const PLANE_SHIFT: i32 = 5;
/** The bit that planes from the 31st on share: they are never tested, and undecided everywhere. */
@inline const SHARED: i32 = 1 << 30;

/**
 * Planes: normal, absolute normal, constant to reject by, constant to call whole by. Notes the planes that a box crosses.
 * As TolerantPlanes.
 */
@inline
export function planes(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128, mask: i32): v128 {
  const half = f32x4.splat(0.5);
  const x = f32x4.mul(f32x4.add(minX, maxX), half);
  const y = f32x4.mul(f32x4.add(minY, maxY), half);
  const z = f32x4.mul(f32x4.add(minZ, maxZ), half);
  const halfX = f32x4.sub(maxX, x);
  const halfY = f32x4.sub(maxY, y);
  const halfZ = f32x4.sub(maxZ, z);
  let rejected = zeros();
  let crossed = i32x4.splat(mask & SHARED);
  for (let rest = mask & ~SHARED; rest != 0; rest &= rest - 1) {
    const plane = <usize>(SHAPE + (ctz(rest) << PLANE_SHIFT));
    const middle = f32x4.add(
      f32x4.add(f32x4.mul(v128.load32_splat(plane), x), f32x4.mul(v128.load32_splat(plane, 4), y)),
      f32x4.mul(v128.load32_splat(plane, 8), z),
    );
    const reach = f32x4.add(
      f32x4.add(f32x4.mul(v128.load32_splat(plane, 12), halfX), f32x4.mul(v128.load32_splat(plane, 16), halfY)),
      f32x4.mul(v128.load32_splat(plane, 20), halfZ),
    );
    rejected = v128.or(rejected, f32x4.add(f32x4.add(middle, reach), v128.load32_splat(plane, 24)));
    const near = f32x4.add(f32x4.sub(middle, reach), v128.load32_splat(plane, 28));
    crossed = v128.or(crossed, v128.and(i32x4.shr_s(near, 31), i32x4.splat(rest & -rest)));
  }
  return v128.or(crossed, v128.and(rejected, i32x4.splat(SIGN)));
}

/** A box: min and max to reject by, min and max to call whole by. Notes 0 for a box inside, else 1. */
@inline
export function box(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const rejected = v128.or(
    v128.or(
      v128.or(f32x4.lt(maxX, v128.load32_splat(SHAPE)), f32x4.lt(maxY, v128.load32_splat(SHAPE, 4))),
      v128.or(f32x4.lt(maxZ, v128.load32_splat(SHAPE, 8)), f32x4.gt(minX, v128.load32_splat(SHAPE, 12))),
    ),
    v128.or(f32x4.gt(minY, v128.load32_splat(SHAPE, 16)), f32x4.gt(minZ, v128.load32_splat(SHAPE, 20))),
  );
  const crossing = v128.or(
    v128.or(
      v128.or(f32x4.lt(minX, v128.load32_splat(SHAPE, 24)), f32x4.lt(minY, v128.load32_splat(SHAPE, 28))),
      v128.or(f32x4.lt(minZ, v128.load32_splat(SHAPE, 32)), f32x4.gt(maxX, v128.load32_splat(SHAPE, 36))),
    ),
    v128.or(f32x4.gt(maxY, v128.load32_splat(SHAPE, 40)), f32x4.gt(maxZ, v128.load32_splat(SHAPE, 44))),
  );
  return v128.or(i32x4.shr_u(crossing, 31), rejected);
}

/** A ball: its squared radius, centre, a tolerance, and the squared distance up to which a box is inside with all its corners. Notes as `box`. */
@inline
export function ball(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const x = v128.load32_splat(SHAPE, 4);
  const y = v128.load32_splat(SHAPE, 8);
  const z = v128.load32_splat(SHAPE, 12);
  const tolerance = v128.load32_splat(SHAPE, 16);
  // How far the point lies before the lower face and behind the upper one, along each axis; negative inside.
  const lowX = f32x4.sub(minX, x);
  const lowY = f32x4.sub(minY, y);
  const lowZ = f32x4.sub(minZ, z);
  const highX = f32x4.sub(x, maxX);
  const highY = f32x4.sub(y, maxY);
  const highZ = f32x4.sub(z, maxZ);
  const nearSq = sumOfSquares(beyond(lowX, highX, tolerance), beyond(lowY, highY, tolerance), beyond(lowZ, highZ, tolerance));
  const farSq = sumOfSquares(across(lowX, highX, tolerance), across(lowY, highY, tolerance), across(lowZ, highZ, tolerance));
  const crossing = f32x4.gt(farSq, v128.load32_splat(SHAPE, 20));
  return v128.or(i32x4.shr_u(crossing, 31), f32x4.gt(nearSq, v128.load32_splat(SHAPE)));
}

/** A point: the greatest squared distance, place, and a tolerance. Notes a lower bound of the squared distance. */
@inline
export function point(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const x = v128.load32_splat(SHAPE, 4);
  const y = v128.load32_splat(SHAPE, 8);
  const z = v128.load32_splat(SHAPE, 12);
  const tolerance = v128.load32_splat(SHAPE, 16);
  const distanceSq = f32x4.mul(
    sumOfSquares(
      beyond(f32x4.sub(minX, x), f32x4.sub(x, maxX), tolerance),
      beyond(f32x4.sub(minY, y), f32x4.sub(y, maxY), tolerance),
      beyond(f32x4.sub(minZ, z), f32x4.sub(z, maxZ), tolerance),
    ),
    f32x4.splat(LOWERED),
  );
  return v128.or(distanceSq, f32x4.gt(distanceSq, v128.load32_splat(SHAPE)));
}

/**
 * A ray: the greatest distance, the origin raised and the origin lowered by the tolerance, and the inverse of the direction. Notes a lower bound
 * of the distance at which it enters a box. Slab test.
 */
@inline
export function ray(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const inverseX = v128.load32_splat(SHAPE, 28);
  const inverseY = v128.load32_splat(SHAPE, 32);
  const inverseZ = v128.load32_splat(SHAPE, 36);
  const lowX = f32x4.mul(f32x4.sub(minX, v128.load32_splat(SHAPE, 4)), inverseX);
  const lowY = f32x4.mul(f32x4.sub(minY, v128.load32_splat(SHAPE, 8)), inverseY);
  const lowZ = f32x4.mul(f32x4.sub(minZ, v128.load32_splat(SHAPE, 12)), inverseZ);
  const highX = f32x4.mul(f32x4.sub(maxX, v128.load32_splat(SHAPE, 16)), inverseX);
  const highY = f32x4.mul(f32x4.sub(maxY, v128.load32_splat(SHAPE, 20)), inverseY);
  const highZ = f32x4.mul(f32x4.sub(maxZ, v128.load32_splat(SHAPE, 24)), inverseZ);
  const entry = f32x4.pmax(f32x4.pmax(f32x4.pmin(lowX, highX), f32x4.pmin(lowY, highY)), f32x4.pmax(f32x4.pmin(lowZ, highZ), zeros()));
  const exit = f32x4.pmin(f32x4.pmin(f32x4.pmax(lowX, highX), f32x4.pmax(lowY, highY)), f32x4.pmax(lowZ, highZ));
  // Without the sign that a zero may have.
  const distance = f32x4.abs(f32x4.mul(entry, f32x4.splat(LOWERED)));
  const rejected = v128.or(f32x4.gt(distance, f32x4.mul(exit, f32x4.splat(RAISED))), f32x4.gt(distance, v128.load32_splat(SHAPE)));
  return v128.or(distance, rejected);
}

/** What roundings of Float32 may have made too large, or too small, by a few units in the last place. */
@inline const LOWERED: f32 = 0.99999905; // 1 - 2^-20
@inline const RAISED: f32 = 1.00000095; // 1 + 2^-20

/** How far a point lies outside a slab, 0 inside. */
@inline
function beyond(low: v128, high: v128, tolerance: v128): v128 {
  return f32x4.pmax(zeros(), f32x4.sub(f32x4.pmax(low, high), tolerance));
}

/** How far a point lies from the farther face of a slab. */
@inline
function across(low: v128, high: v128, tolerance: v128): v128 {
  return f32x4.sub(tolerance, f32x4.pmin(low, high));
}

@inline
function sumOfSquares(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}
