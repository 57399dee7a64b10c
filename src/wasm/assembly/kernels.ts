/**
 * One kernel for each kind of query volume. A kernel takes four boxes, one in each lane, and returns four lanes:
 * negative for a rejected box, else the overlap of the box (Int32) or its distance (bits of a Float32).
 *
 * They compute in Float32 and may keep too much, never too little. The numbers in VOLUME include the tolerance for
 * this; TolerantPlanes, BoxQuery, QuerySphere, RoundedBox and MovingBox write them. Each kernel mirrors a filter in
 * JavaScript, which its comment names.
 */

import { SURE_BIT } from '../../tree/traverse/walk-numbers.ts';
import { VOLUME } from '../memory-map.ts';
import { zeros } from './memory.ts';

/** log2 of the bytes of a plane. */
@inline const PLANE_SHIFT: i32 = 5;
/** Offset of the least magnitude of planes in VOLUME, in bytes. */
@inline const LEAST_MAGNITUDE: usize = 28;
/** Tolerance of planes, relative to the largest coordinate of a box: DOT_TOLERANCE32 for three axes. */
@inline const PLANES_TOLERANCE: f32 = 0.000011444092; // 3 * 2^-18

/**
 * TolerantPlanes.filterBoxes. VOLUME holds eight numbers per plane: half the normal, half the absolute normal, the
 * constant, and, in the first plane, the least magnitude to which the tolerance is relative. The overlap is the plane
 * mask of the planes in `mask` that the box may cross. For slots SURE is set if the value of the farthest corner is at
 * least the tolerance for all planes in `mask`. The tolerance includes the rounding of the box to Float32.
 *
 * The tolerance is a factor on the largest coordinate m of the box. With e = 2^-24, normals of at most 1 and three
 * axes, the errors are at most 39 e m (half of it the rounding of the box, for SURE) and 2 e |constant|. If |constant|
 * <= 12 m, that is 63 e m in all, and the tolerance is 192 e m. If it is larger, it alone decides the sign.
 */
@inline
export function planesOverlap(
  minX: v128,
  minY: v128,
  minZ: v128,
  maxX: v128,
  maxY: v128,
  maxZ: v128,
  mask: i32,
  areSlots: bool,
): v128 {
  const x = f32x4.add(minX, maxX);
  const y = f32x4.add(minY, maxY);
  const z = f32x4.add(minZ, maxZ);
  const sizeX = f32x4.sub(maxX, minX);
  const sizeY = f32x4.sub(maxY, minY);
  const sizeZ = f32x4.sub(maxZ, minZ);
  const largest = f32x4.pmax(
    f32x4.pmax(f32x4.pmax(maxX, maxY), maxZ),
    f32x4.pmax(f32x4.neg(f32x4.pmin(f32x4.pmin(minX, minY), minZ)), v128.load32_splat(VOLUME, LEAST_MAGNITUDE)),
  );
  const tolerance = f32x4.mul(largest, f32x4.splat(PLANES_TOLERANCE));
  // Minimum over the planes: the value of the farthest corner, plus the tolerance.
  let minFar = f32x4.splat(Infinity);
  let overlap = i32x4.splat(0);
  for (let rest = mask; rest != 0; rest &= rest - 1) {
    const plane = <usize>(VOLUME + (ctz(rest) << PLANE_SHIFT));
    const middle = f32x4.add(
      f32x4.add(
        f32x4.add(f32x4.mul(v128.load32_splat(plane), x), f32x4.mul(v128.load32_splat(plane, 4), y)),
        f32x4.mul(v128.load32_splat(plane, 8), z),
      ),
      v128.load32_splat(plane, 24),
    );
    const projectedRadius = f32x4.add(
      f32x4.add(
        f32x4.add(f32x4.mul(v128.load32_splat(plane, 12), sizeX), f32x4.mul(v128.load32_splat(plane, 16), sizeY)),
        f32x4.mul(v128.load32_splat(plane, 20), sizeZ),
      ),
      tolerance,
    );
    minFar = f32x4.pmin(minFar, f32x4.add(middle, projectedRadius));
    const nearCorner = f32x4.sub(middle, projectedRadius);
    overlap = v128.or(overlap, v128.and(i32x4.shr_s(nearCorner, 31), i32x4.splat(rest & -rest)));
  }
  // Twice the tolerance: that in `minFar`, and the tolerance once more. -overlap is negative unless the box is
  // contained.
  if (areSlots)
    overlap = v128.or(
      overlap,
      i32x4.shl(
        i32x4.shr_u(v128.andnot(i32x4.neg(overlap), f32x4.sub(minFar, f32x4.add(tolerance, tolerance))), 31),
        SURE_BIT,
      ),
    );
  return v128.or(overlap, i32x4.shr_s(minFar, 31));
}

/**
 * BoxQuery.filterBoxes. VOLUME: the min and max that decide rejection, then the min and max that decide containment.
 */
@inline
export function boxOverlap(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const rejected = v128.or(
    v128.or(
      v128.or(f32x4.lt(maxX, v128.load32_splat(VOLUME)), f32x4.lt(maxY, v128.load32_splat(VOLUME, 4))),
      v128.or(f32x4.lt(maxZ, v128.load32_splat(VOLUME, 8)), f32x4.gt(minX, v128.load32_splat(VOLUME, 12))),
    ),
    v128.or(f32x4.gt(minY, v128.load32_splat(VOLUME, 16)), f32x4.gt(minZ, v128.load32_splat(VOLUME, 20))),
  );
  const intersecting = v128.or(
    v128.or(
      v128.or(f32x4.lt(minX, v128.load32_splat(VOLUME, 24)), f32x4.lt(minY, v128.load32_splat(VOLUME, 28))),
      v128.or(f32x4.lt(minZ, v128.load32_splat(VOLUME, 32)), f32x4.gt(maxX, v128.load32_splat(VOLUME, 36))),
    ),
    v128.or(f32x4.gt(maxY, v128.load32_splat(VOLUME, 40)), f32x4.gt(maxZ, v128.load32_splat(VOLUME, 44))),
  );
  return v128.or(i32x4.shr_u(intersecting, 31), rejected);
}

/**
 * QuerySphere.filterBoxes. VOLUME: squared radius, centre, tolerance, and the squared distance of the farthest corner
 * up to which a box is contained.
 */
@inline
export function sphereOverlap(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const x = v128.load32_splat(VOLUME, 4);
  const y = v128.load32_splat(VOLUME, 8);
  const z = v128.load32_splat(VOLUME, 12);
  const tolerance = v128.load32_splat(VOLUME, 16);
  // Along each axis, how far the centre lies below the lower face and above the upper face; negative inside.
  const belowX = f32x4.sub(minX, x);
  const belowY = f32x4.sub(minY, y);
  const belowZ = f32x4.sub(minZ, z);
  const aboveX = f32x4.sub(x, maxX);
  const aboveY = f32x4.sub(y, maxY);
  const aboveZ = f32x4.sub(z, maxZ);
  const nearSq = sumOfSquares(
    beyond(belowX, aboveX, tolerance),
    beyond(belowY, aboveY, tolerance),
    beyond(belowZ, aboveZ, tolerance),
  );
  const farSq = sumOfSquares(
    far(belowX, aboveX, tolerance),
    far(belowY, aboveY, tolerance),
    far(belowZ, aboveZ, tolerance),
  );
  const intersecting = f32x4.gt(farSq, v128.load32_splat(VOLUME, 20));
  return v128.or(i32x4.shr_u(intersecting, 31), f32x4.gt(nearSq, v128.load32_splat(VOLUME)));
}

/**
 * RoundedBox.filterByMinDistance. VOLUME: maximum squared distance, centre, the tolerance (for `searchSpeculatively`),
 * an unused number, and, along each axis, half the size plus the tolerance. Returns a lower bound of the squared
 * distance.
 */
@inline
export function pointDistanceSq(minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const x = v128.load32_splat(VOLUME, 4);
  const y = v128.load32_splat(VOLUME, 8);
  const z = v128.load32_splat(VOLUME, 12);
  const distanceSq = f32x4.mul(
    sumOfSquares(
      beyond(f32x4.sub(minX, x), f32x4.sub(x, maxX), v128.load32_splat(VOLUME, 24)),
      beyond(f32x4.sub(minY, y), f32x4.sub(y, maxY), v128.load32_splat(VOLUME, 28)),
      beyond(f32x4.sub(minZ, z), f32x4.sub(z, maxZ), v128.load32_splat(VOLUME, 32)),
    ),
    f32x4.splat(LOWERED),
  );
  return v128.or(distanceSq, f32x4.gt(distanceSq, v128.load32_splat(VOLUME)));
}

/**
 * MovingBox.filterByMinDistance. The numbers at `ray`: maximum distance, max of the moving box plus tolerance, min
 * minus tolerance, inverse of the direction. Returns a lower bound of the distance at which the box is hit. Slab test.
 * For a ray, min and max are the origin.
 */
@inline
export function rayDistance(ray: usize, minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): v128 {
  const inverseX = v128.load32_splat(ray, 28);
  const inverseY = v128.load32_splat(ray, 32);
  const inverseZ = v128.load32_splat(ray, 36);
  const lowX = f32x4.mul(f32x4.sub(minX, v128.load32_splat(ray, 4)), inverseX);
  const lowY = f32x4.mul(f32x4.sub(minY, v128.load32_splat(ray, 8)), inverseY);
  const lowZ = f32x4.mul(f32x4.sub(minZ, v128.load32_splat(ray, 12)), inverseZ);
  const highX = f32x4.mul(f32x4.sub(maxX, v128.load32_splat(ray, 16)), inverseX);
  const highY = f32x4.mul(f32x4.sub(maxY, v128.load32_splat(ray, 20)), inverseY);
  const highZ = f32x4.mul(f32x4.sub(maxZ, v128.load32_splat(ray, 24)), inverseZ);
  const entry = f32x4.pmax(
    f32x4.pmax(f32x4.pmin(lowX, highX), f32x4.pmin(lowY, highY)),
    f32x4.pmax(f32x4.pmin(lowZ, highZ), zeros()),
  );
  const exit = f32x4.pmin(f32x4.pmin(f32x4.pmax(lowX, highX), f32x4.pmax(lowY, highY)), f32x4.pmax(lowZ, highZ));
  // `abs`, because the sign bit of -0 would read as a rejection.
  const distance = f32x4.abs(f32x4.mul(entry, f32x4.splat(LOWERED)));
  const rejected = v128.or(
    f32x4.gt(distance, f32x4.mul(exit, f32x4.splat(RAISED))),
    f32x4.gt(distance, v128.load32_splat(ray)),
  );
  return v128.or(distance, rejected);
}

/** 1 lowered and raised by PRODUCT_TOLERANCE32 of src/math/tolerances.ts. */
@inline const LOWERED: f32 = 0.99999905; // 1 - 2^-20
@inline const RAISED: f32 = 1.00000095; // 1 + 2^-20

/** Along one axis, the distance of a point from a box minus `reach`; 0 if that is negative. */
@inline
function beyond(below: v128, above: v128, reach: v128): v128 {
  return f32x4.pmax(zeros(), f32x4.sub(f32x4.pmax(below, above), reach));
}

/** Along one axis, distance of a point from the farther face of a box. */
@inline
function far(below: v128, above: v128, tolerance: v128): v128 {
  return f32x4.sub(tolerance, f32x4.pmin(below, above));
}

@inline
function sumOfSquares(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}
