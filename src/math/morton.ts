/**
 * Morton codes: the bits of the coordinates of a cell, interleaved. Cells with codes that follow each other lie near
 * each other.
 */

/** Moves bit k of a 9-bit integer to bit 3k. */
export function spreadBits(value: number): number {
  value = (value | (value << 16)) & 0x030000ff;
  value = (value | (value << 8)) & 0x0300f00f;
  value = (value | (value << 4)) & 0x030c30c3;
  return (value | (value << 2)) & 0x09249249;
}
