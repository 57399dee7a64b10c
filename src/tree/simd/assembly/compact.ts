/** Leaves out lanes without a branch for each: of four lanes those that stay are moved to the front by one shuffle, looked up by the mask of the others. */

import { SHUFFLES } from '../memory-map.ts';

// For each mask of lanes that are left out, the bytes of those that stay. Written once, when the module is instantiated.
for (let mask = 0; mask < 16; mask++) {
  let to = SHUFFLES + (mask << 4);
  for (let lane = 0; lane < 4; lane++) {
    if (((mask >> lane) & 1) != 0) continue;
    // Four bytes of the lane at a time: 3 2 1 0, then 7 6 5 4, and so on.
    store<i32>(<usize>to, 0x03020100 + lane * 0x04040404);
    to += 4;
  }
}

/** The lanes of `four` that are not in `mask`, side by side; what follows them has no meaning. */
@inline
export function withoutLanes(four: v128, mask: i32): v128 {
  return i8x16.swizzle(four, v128.load(<usize>(SHUFFLES + (mask << 4))));
}

/**
 * Appends the numbers [begin, end) of an array that are not negative to another one at `count`, or to the same one at or before `begin`; returns
 * the new count. Writes up to three more, which do not count.
 */
export function appendPresent(from: i32, begin: i32, end: i32, to: i32, count: i32): i32 {
  for (let k = begin; k < end; k += 4) {
    const four = v128.load(<usize>(from + (k << 2)));
    const absent = i32x4.bitmask(four) | lanesBehind(end - k);
    v128.store(<usize>(to + (count << 2)), withoutLanes(four, absent));
    count += 4 - popcnt(absent);
  }
  return count;
}

/** The number and the next three. */
@inline
export function fourFrom(k: i32): v128 {
  return i32x4.add(i32x4.splat(k), i32x4(0, 1, 2, 3));
}

/** Mask of those of four lanes that lie behind the first `length`. */
@inline
export function lanesBehind(length: i32): i32 {
  return (15 << min(length, 4)) & 15;
}
