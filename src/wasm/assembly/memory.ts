/** Reads and writes numbers of four bytes in arrays that are given by their address. */

import { ZERO } from '../memory-map.ts';

/** Numbers of one box: min x y z, max x y z. */
@inline export const BOX_STRIDE: i32 = 6;

/** Four zeros, loaded from memory: a constant at each use would triple the size of the code. */
@inline
export function zeros(): v128 {
  return v128.load32_splat(<usize>ZERO);
}

@inline
export function intAt(array: i32, k: i32): i32 {
  return load<i32>(<usize>(array + (k << 2)));
}

@inline
export function setInt(array: i32, k: i32, value: i32): void {
  store<i32>(<usize>(array + (k << 2)), value);
}

@inline
export function floatAt(array: i32, k: i32): f32 {
  return load<f32>(<usize>(array + (k << 2)));
}

@inline
export function setFloat(array: i32, k: i32, value: f32): void {
  store<f32>(<usize>(array + (k << 2)), value);
}
