/**
 * Bulk moves in WebAssembly: the loops of src/tree/update/move.ts and move-centers.ts over all bodies of a batch, two
 * numbers at a time. They list the moves that are left to JavaScript, by position in the batch.
 *
 * JavaScript copies a batch to `indices` and `values`. Boxes and spheres come in chunks, of which `begin` is the
 * position of the first move.
 *
 * A box is three vectors here: (minX, minY), (minZ, maxX), (maxY, maxZ).
 *
 * AssemblyScript; `npm run build:simd` compiles it into ../moves-code.ts.
 */

import {
  BODY_DEAD,
  BODY_HAS_HALF_SIZE,
  BODY_HAS_MARGIN,
  BODY_MARGIN_FLAGS,
  BODY_MUST_KEEP_SIZE,
  BODY_SPHERE,
} from '../../tree/layout.ts';

@inline const BOX_BYTES: usize = 48;
@inline const SPHERE_BYTES: usize = 32;
@inline const CENTER_BYTES: usize = 24;
@inline const HALF_SIZE_BYTES: usize = 24;
@inline const BOUNDS_BYTES: usize = 48;
@inline const FAT_BOUNDS_BYTES: usize = 24;
/** Moves that are checked together. Their flags are four vectors; must be even. */
@inline const GROUP: i32 = 64;

// Addresses; loops copy them to local variables, which are faster. Of a batch: the indices of its bodies, Uint32, and
// their boxes of six numbers, spheres of four or centres of three, Float64. Of the list of positions, Uint32.
let indicesAddress: usize = 0;
let valuesAddress: usize = 0;
let listedAddress: usize = 0;
// Of the arrays of the bodies: Uint8, six Float64, six Float32, three Float64.
let flagsAddress: usize = 0;
let boundsAddress: usize = 0;
let fatBoundsAddress: usize = 0;
let halfSizesAddress: usize = 0;

/** Sets the addresses, once for a memory. */
export function setArrays(i: usize, v: usize, l: usize, f: usize, b: usize, fat: usize, half: usize): void {
  indicesAddress = i;
  valuesAddress = v;
  listedAddress = l;
  flagsAddress = f;
  boundsAddress = b;
  fatBoundsAddress = fat;
  halfSizesAddress = half;
}

/** Whether the indices of a chunk are `first`, first + 1 and so on. */
export function areConsecutive(begin: i32, count: i32, first: u32): bool {
  const from = indicesAddress + (<usize>begin << 2);
  const last = count & ~3;
  let expected = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let different = i32x4.splat(0);
  for (let k = 0; k < last; k += 4) {
    different = v128.or(different, v128.xor(v128.load(from + (<usize>k << 2)), expected));
    expected = i32x4.add(expected, i32x4.splat(4));
  }
  if (v128.any_true(different)) return false;
  for (let k = last; k < count; k++) if (indexAt(from, k) != first + k) return false;
  return true;
}

/**
 * As `findEscaped`, for spheres or for boxes. Also lists bodies that must keep their size. Returns the number of listed
 * moves.
 */
export function listEscaped(begin: i32, count: i32, bodyCount: u32, areSpheres: bool): i32 {
  const indices = indicesAddress;
  const flags = flagsAddress;
  const fatBounds = fatBoundsAddress;
  const shape = areSpheres ? BODY_SPHERE : 0;
  const stride = areSpheres ? SPHERE_BYTES : BOX_BYTES;
  let from = valuesAddress;
  let length = 0;
  for (let k = 0; k < count; k++) {
    const index = indexAt(indices, k);
    let minXY = v128.load(from);
    let minZmaxX = v128.load(from, 16);
    let maxYZ: v128;
    let isValid: v128;
    if (areSpheres) {
      const centerYZ = v128.load(from, 8);
      const radius = v128.load64_splat(from, 24);
      minZmaxX = f64x2.add(i64x2.shuffle(centerYZ, minXY, 1, 2), v128.xor(radius, signOfFirst()));
      minXY = f64x2.sub(minXY, radius);
      maxYZ = f64x2.add(centerYZ, radius);
      isValid = f64x2.ge(radius, f64x2.splat(0));
    } else {
      maxYZ = v128.load(from, 32);
      // minX <= maxX and minY <= maxY; minZ <= maxZ in both lanes.
      isValid = v128.and(
        f64x2.le(minXY, i64x2.shuffle(minZmaxX, maxYZ, 1, 2)),
        f64x2.le(i64x2.shuffle(minZmaxX, minZmaxX, 0, 0), i64x2.shuffle(maxYZ, maxYZ, 1, 1)),
      );
    }
    const stays =
      hasFlags(flags, index, bodyCount, shape) &&
      i64x2.all_true(v128.and(isValid, areInside(fatBounds, index, minXY, minZmaxX, maxYZ)));
    if (!stays) setPosition(length++, begin + k);
    from += stride;
  }
  return length;
}

/** Whether a body is alive, has a margin, may change its size, and is of a shape: BODY_SPHERE, or 0 for a box. */
@inline
function hasFlags(flags: usize, index: u32, bodyCount: u32, shape: i32): bool {
  return (
    index < bodyCount &&
    (load<u8>(flags + index) & (BODY_DEAD | BODY_SPHERE | BODY_HAS_MARGIN | BODY_MUST_KEEP_SIZE)) ==
      (BODY_HAS_MARGIN | shape)
  );
}

/**
 * Whether the faces of a box lie inside the fat bounds of a body: all ones in both lanes if all six do. A face that is
 * NaN does not.
 */
@inline
function areInside(fatBounds: usize, index: u32, minXY: v128, minZmaxX: v128, maxYZ: v128): v128 {
  const fat = fatBounds + <usize>index * FAT_BOUNDS_BYTES;
  const fatMinXY = f64x2.promote_low_f32x4(v128.load64_zero(fat));
  const fatMinZmaxX = f64x2.promote_low_f32x4(v128.load64_zero(fat, 8));
  const fatMaxYZ = f64x2.promote_low_f32x4(v128.load64_zero(fat, 16));
  // -minZ <= -fatMinZ and maxX <= fatMaxX.
  const insideZX = f64x2.le(v128.xor(minZmaxX, signOfFirst()), v128.xor(fatMinZmaxX, signOfFirst()));
  return v128.and(insideZX, v128.and(f64x2.ge(minXY, fatMinXY), f64x2.le(maxYZ, fatMaxYZ)));
}

/** Changes the sign of the first lane, by xor. */
@inline
function signOfFirst(): v128 {
  return i64x2(i64.MIN_VALUE, 0);
}

/**
 * Lists the moves to centres that JavaScript has to check. All others are valid: the body is alive and in the tree, and
 * no coordinate of its centre is beyond `limit`. Returns the number of listed moves.
 */
export function listUnchecked(count: i32, bodyCount: u32, limit: f64): i32 {
  let length = 0;
  for (let first = 0; first < count; first += GROUP) {
    const end = min(first + GROUP, count);
    if (areValid(first, end, bodyCount, limit)) continue;
    for (let k = first; k < end; k++) {
      setPosition(length, k);
      length += <i32>!isValid(k, bodyCount, limit);
    }
  }
  return length;
}

/** Whether `isValid` holds for all moves of a group; may be false for a group with an odd number of moves. */
function areValid(begin: i32, end: i32, bodyCount: u32, limit: f64): bool {
  const indices = indicesAddress;
  if (((end - begin) & 1) != 0) return false;
  const first = indexAt(indices, begin);
  if (end - begin == GROUP && areConsecutive(begin, GROUP, first)) {
    if (bodyCount < <u32>GROUP || first > bodyCount - <u32>GROUP || !areMovable(first)) return false;
  } else {
    for (let k = begin; k < end; k++) if (!isMovable(indexAt(indices, k), bodyCount)) return false;
  }
  const limits = f64x2.splat(limit);
  let inside = i64x2.splat(-1);
  const last = valuesAddress + <usize>end * CENTER_BYTES;
  for (let at = valuesAddress + <usize>begin * CENTER_BYTES; at < last; at += 2 * CENTER_BYTES) {
    // False for NaN.
    const insideXY = f64x2.le(f64x2.abs(v128.load(at)), limits);
    const insideZX = f64x2.le(f64x2.abs(v128.load(at, 16)), limits);
    const insideYZ = f64x2.le(f64x2.abs(v128.load(at, 32)), limits);
    inside = v128.and(v128.and(inside, insideXY), v128.and(insideZX, insideYZ));
  }
  return i64x2.all_true(inside);
}

/** As `isMovable`, for all bodies of a full group from one on. */
@inline
function areMovable(first: u32): bool {
  const from = flagsAddress + first;
  const margin = i8x16.splat(<i8>BODY_HAS_MARGIN);
  let wrong = i32x4.splat(0);
  for (let at = from; at < from + GROUP; at += 16) wrong = v128.or(wrong, v128.xor(v128.load(at), margin));
  return !v128.any_true(v128.and(wrong, i8x16.splat(<i8>(BODY_DEAD | BODY_HAS_MARGIN))));
}

/** Whether a body is alive and has a margin. Then it is in the tree, and has not escaped since the last flush. */
@inline
function isMovable(index: u32, bodyCount: u32): bool {
  return index < bodyCount && (load<u8>(flagsAddress + index) & (BODY_DEAD | BODY_HAS_MARGIN)) == BODY_HAS_MARGIN;
}

@inline
function isValid(k: i32, bodyCount: u32, limit: f64): bool {
  if (!isMovable(indexAt(indicesAddress, k), bodyCount)) return false;
  const limits = f64x2.splat(limit);
  const at = valuesAddress + <usize>k * CENTER_BYTES;
  return i64x2.all_true(
    v128.and(f64x2.le(f64x2.abs(v128.load(at)), limits), f64x2.le(f64x2.abs(v128.load(at, 8)), limits)),
  );
}

/**
 * Writes the bounds of the bodies that stay inside their fat bounds, and lists the others; returns how many these are.
 * A body that has escaped loses its margin at once, so that a later move of the batch, if its index is repeated, is
 * listed too.
 */
export function moveWithinFatBounds(count: i32): i32 {
  const indices = indicesAddress;
  const values = valuesAddress;
  const flags = flagsAddress;
  const bounds = boundsAddress;
  const fatBounds = fatBoundsAddress;
  const halfSizes = halfSizesAddress;
  let length = 0;
  for (let k = 0; k < count; k++) {
    const index = indexAt(indices, k);
    const flag = <i32>load<u8>(flags + index);
    const at = bounds + <usize>index * BOUNDS_BYTES;
    const isSphere = (flag & BODY_SPHERE) != 0;
    let halfXY: v128;
    let halfZX: v128;
    let halfYZ: v128;
    if ((flag & (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) == (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) {
      const half = halfSizes + <usize>index * HALF_SIZE_BYTES;
      halfXY = v128.load(half);
      halfYZ = v128.load(half, 8);
      halfZX = i64x2.shuffle(halfYZ, halfXY, 1, 2);
    } else if ((flag & (BODY_HAS_MARGIN | BODY_SPHERE)) == (BODY_HAS_MARGIN | BODY_SPHERE)) {
      halfXY = v128.load64_splat(at, 24);
      halfYZ = halfXY;
      halfZX = halfXY;
    } else {
      setPosition(length++, k);
      continue;
    }
    const center = values + <usize>k * CENTER_BYTES;
    const centerXY = v128.load(center);
    const centerYZ = v128.load(center, 8);
    const centerZX = i64x2.shuffle(centerYZ, centerXY, 1, 2);
    const minXY = f64x2.sub(centerXY, halfXY);
    const minZmaxX = f64x2.add(centerZX, v128.xor(halfZX, signOfFirst()));
    const maxYZ = f64x2.add(centerYZ, halfYZ);
    if (!i64x2.all_true(areInside(fatBounds, index, minXY, minZmaxX, maxYZ))) {
      store<u8>(flags + index, flag & ~BODY_MARGIN_FLAGS);
      setPosition(length++, k);
    } else if (isSphere) {
      v128.store(at, centerXY);
      v128.store64_lane(at, centerYZ, 1, 16);
    } else {
      v128.store(at, minXY);
      v128.store(at, minZmaxX, 16);
      v128.store(at, maxYZ, 32);
    }
  }
  return length;
}

@inline
function indexAt(indices: usize, k: i32): u32 {
  return load<u32>(indices + (<usize>k << 2));
}

@inline
function setPosition(at: i32, k: i32): void {
  store<i32>(listedAddress + (<usize>at << 2), k);
}
