/**
 * Moves by the centre in WebAssembly: src/tree/update/move-centers.ts, two numbers at a time. Both functions list the bodies that
 * need JavaScript, as positions in the batch.
 *
 * All parameters after the counts are addresses: `indices` (Uint32) and `centers` (Float64, three numbers each) of the batch; of the bodies
 * `flags` (Uint8), `bounds` (Float64, six), `fatBounds` (Float32, six) and `halfSizes` (Float64, three).
 *
 * A box is three vectors here: (minX, minY), (minZ, maxX), (maxY, maxZ).
 *
 * AssemblyScript; `npm run build:simd` compiles it into ../moves-code.ts.
 */

import { BODY_DEAD, BODY_HAS_HALF_SIZE, BODY_HAS_MARGIN, BODY_MARGIN_FLAGS, BODY_SPHERE } from '../../layout.ts';

@inline const CENTER_BYTES: usize = 24;
@inline const HALF_SIZE_BYTES: usize = 24;
@inline const BOUNDS_BYTES: usize = 48;
@inline const FAT_BOUNDS_BYTES: usize = 24;
/** Moves that are checked together: an even number, and as many flags as four vectors have. */
@inline const GROUP: i32 = 64;

/**
 * Lists the moves that JavaScript has to check. All others are valid: the body is alive and in the tree, and no coordinate of its centre is above `limit`.
 * Returns their number.
 */
export function listDoubtful(count: i32, bodyCount: u32, limit: f64, indices: usize, centers: usize, flags: usize, listed: usize): i32 {
  let length = 0;
  for (let begin = 0; begin < count; begin += GROUP) {
    const end = min(begin + GROUP, count);
    if (areValid(begin, end, bodyCount, limit, indices, centers, flags)) continue;
    for (let k = begin; k < end; k++) {
      setPosition(listed, length, k);
      length += <i32>!isValid(k, bodyCount, limit, indices, centers, flags);
    }
  }
  return length;
}

/** Whether `isValid` holds for all moves of a group; may be false for a group with an odd number of moves. */
function areValid(begin: i32, end: i32, bodyCount: u32, limit: f64, indices: usize, centers: usize, flags: usize): bool {
  if (((end - begin) & 1) != 0) return false;
  const first = indexAt(indices, begin);
  if (end - begin == GROUP && areConsecutive(begin, first, indices)) {
    if (first + GROUP > bodyCount || !haveMargins(flags + first)) return false;
  } else {
    for (let k = begin; k < end; k++) if (!hasMargin(indexAt(indices, k), bodyCount, flags)) return false;
  }
  const limits = f64x2.splat(limit);
  let inside = i64x2.splat(-1);
  const last = centers + <usize>end * CENTER_BYTES;
  for (let at = centers + <usize>begin * CENTER_BYTES; at < last; at += 2 * CENTER_BYTES) {
    // False for NaN.
    const insideXY = f64x2.le(f64x2.abs(v128.load(at)), limits);
    const insideZX = f64x2.le(f64x2.abs(v128.load(at, 16)), limits);
    const insideYZ = f64x2.le(f64x2.abs(v128.load(at, 32)), limits);
    inside = v128.and(v128.and(inside, insideXY), v128.and(insideZX, insideYZ));
  }
  return i64x2.all_true(inside);
}

/** Whether the indices of a full group are `first`, first + 1 and so on. */
@inline
function areConsecutive(begin: i32, first: u32, indices: usize): bool {
  let expected = i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3));
  let different = i32x4.splat(0);
  for (let k = begin; k < begin + GROUP; k += 4) {
    different = v128.or(different, v128.xor(v128.load(indices + (<usize>k << 2)), expected));
    expected = i32x4.add(expected, i32x4.splat(4));
  }
  return !v128.any_true(different);
}

/** As `hasMargin`, for all bodies of a full group, whose flags begin at an address. */
@inline
function haveMargins(flags: usize): bool {
  const margin = i8x16.splat(<i8>BODY_HAS_MARGIN);
  let wrong = i32x4.splat(0);
  for (let at = flags; at < flags + GROUP; at += 16) wrong = v128.or(wrong, v128.xor(v128.load(at), margin));
  return !v128.any_true(v128.and(wrong, i8x16.splat(<i8>(BODY_DEAD | BODY_HAS_MARGIN))));
}

/** Only living bodies in the tree that have not escaped since the last flush have a margin. */
@inline
function hasMargin(index: u32, bodyCount: u32, flags: usize): bool {
  return index < bodyCount && (load<u8>(flags + index) & (BODY_DEAD | BODY_HAS_MARGIN)) == BODY_HAS_MARGIN;
}

@inline
function isValid(k: i32, bodyCount: u32, limit: f64, indices: usize, centers: usize, flags: usize): bool {
  if (!hasMargin(indexAt(indices, k), bodyCount, flags)) return false;
  const limits = f64x2.splat(limit);
  const at = centers + <usize>k * CENTER_BYTES;
  return i64x2.all_true(v128.and(f64x2.le(f64x2.abs(v128.load(at)), limits), f64x2.le(f64x2.abs(v128.load(at, 8)), limits)));
}

/**
 * Writes the bounds of the bodies that stay inside their fat bounds, and lists the others; returns how many these are. A body that
 * has escaped loses its margin at once, so that a later move of the batch, if its index is repeated, is listed too.
 */
export function moveWithinFatBounds(count: i32, indices: usize, centers: usize, flags: usize, bounds: usize, fatBounds: usize, halfSizes: usize, listed: usize): i32 {
  /** Changes the sign of the first lane. */
  const signOfFirst = i64x2(i64.MIN_VALUE, 0);
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
      setPosition(listed, length++, k);
      continue;
    }
    const center = centers + <usize>k * CENTER_BYTES;
    const centerXY = v128.load(center);
    const centerYZ = v128.load(center, 8);
    const centerZX = i64x2.shuffle(centerYZ, centerXY, 1, 2);
    const minXY = f64x2.sub(centerXY, halfXY);
    const minZmaxX = f64x2.add(centerZX, v128.xor(halfZX, signOfFirst));
    const maxYZ = f64x2.add(centerYZ, halfYZ);

    const fat = fatBounds + <usize>index * FAT_BOUNDS_BYTES;
    const fatMinXY = f64x2.promote_low_f32x4(v128.load64_zero(fat));
    const fatMinZmaxX = f64x2.promote_low_f32x4(v128.load64_zero(fat, 8));
    const fatMaxYZ = f64x2.promote_low_f32x4(v128.load64_zero(fat, 16));
    // -minZ <= -fatMinZ and maxX <= fatMaxX. Comparisons with NaN are false.
    const insideZX = f64x2.le(v128.xor(minZmaxX, signOfFirst), v128.xor(fatMinZmaxX, signOfFirst));
    const inside = v128.and(insideZX, v128.and(f64x2.ge(minXY, fatMinXY), f64x2.le(maxYZ, fatMaxYZ)));
    if (!i64x2.all_true(inside)) {
      store<u8>(flags + index, flag & ~BODY_MARGIN_FLAGS);
      setPosition(listed, length++, k);
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
function setPosition(listed: usize, at: i32, k: i32): void {
  store<i32>(listed + (<usize>at << 2), k);
}
