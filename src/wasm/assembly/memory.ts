/** Reads and writes numbers of four bytes in arrays that are given by their address; finds the links of nodes. */

import { COUNT, FIRST_CHILD, LINK_STRIDE } from '../../tree/layout.ts';
import { CHILD_MASK, LINKS, ZERO } from '../memory-map.ts';

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

/** Address of the links of a node. */
@inline
export function linksOf(node: i32): i32 {
  return intAt(LINKS, 0) + node * (LINK_STRIDE << 2);
}

/** NodePool.belowChain. Returns the address of the links of that node. */
export function linksBelowChain(node: i32): i32 {
  const childMask = intAt(CHILD_MASK, 0);
  while (true) {
    const links = linksOf(node);
    const mask = <i32>load<u8>(<usize>(childMask + node));
    if ((intAt(links, COUNT) | (mask & (mask - 1))) != 0 || mask == 0) return links;
    node = intAt(links, FIRST_CHILD) + ctz(mask);
  }
}
