/**
 * Removes lanes of a vector without a branch for each: one shuffle, looked up by the mask of the removed lanes, moves
 * the others to the front.
 */

import { SHUFFLES } from '../memory-map.ts';

// For each mask of removed lanes, the byte numbers of the lanes that stay. Written when the module is instantiated.
for (let mask = 0; mask < 16; mask++) {
  let to = SHUFFLES + (mask << 4);
  for (let lane = 0; lane < 4; lane++) {
    if (((mask >> lane) & 1) != 0) continue;
    // The four bytes of lane 0 are 3 2 1 0, the bytes of lane 1 are 7 6 5 4, and so on.
    store<i32>(<usize>to, 0x03020100 + lane * 0x04040404);
    to += 4;
  }
}

/** The lanes of `four` that are not in `mask`, side by side; the lanes after them are undefined. */
@inline
export function removeLanes(four: v128, mask: i32): v128 {
  return i8x16.swizzle(four, v128.load(<usize>(SHUFFLES + (mask << 4))));
}

/**
 * Appends the elements [begin, end) of an array that are not negative to `to` at `count`; returns the new count.
 * Overwrites up to three elements after them. `to` may be the same array if `count` is not greater than `begin`.
 */
export function appendPresent(from: i32, begin: i32, end: i32, to: i32, count: i32): i32 {
  for (let k = begin; k < end; k += 4) {
    const four = v128.load(<usize>(from + (k << 2)));
    const absent = i32x4.bitmask(four) | lanesBeyond(end - k);
    v128.store(<usize>(to + (count << 2)), removeLanes(four, absent));
    count += 4 - popcnt(absent);
  }
  return count;
}

/** The lanes k, k + 1, k + 2, k + 3. */
@inline
export function indicesFrom(k: i32): v128 {
  return i32x4.add(i32x4.splat(k), i32x4(0, 1, 2, 3));
}

/** Mask of the lanes from number `length` on; none if `length` is 4 or more. */
@inline
export function lanesBeyond(length: i32): i32 {
  return (15 << min(length, 4)) & 15;
}
