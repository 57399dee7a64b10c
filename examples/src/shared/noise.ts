// Repeatable pseudo-random numbers for generated scenes: hashes of integers, and smooth noise made from them.

/** 0 to 1 (exclusive), the same for the same three integers. */
export function hash(x: number, y: number, salt: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(salt, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296;
}

/** Smooth noise, 0 to 1, with features of about one unit. */
export function smoothNoise(x: number, y: number, salt: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const across = ease(x - column);
  const along = ease(y - row);
  const near = mix(hash(column, row, salt), hash(column + 1, row, salt), across);
  const far = mix(hash(column, row + 1, salt), hash(column + 1, row + 1, salt), across);
  return mix(near, far, along);
}

export const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

const ease = (share: number): number => share * share * (3 - 2 * share);
