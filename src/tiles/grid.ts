/**
 * The grid of a tile: positions are rounded to whole steps. Steps are powers of two, and tiles begin at multiples of
 * them: all sums are exact, so leaves, which share one step, meet without cracks.
 */

import type { ObjectMesh } from './scene-object.ts';

/** Largest number of grid steps that Uint16 positions reach. Test: write-tiles.test. */
export const MAX_STEPS = 65_535;

/** Where the positions of a tile are: whole steps from `origin`, which is in steps, too. */
export interface TileGrid {
  readonly step: number;
  readonly origin: readonly number[];
}

/** The smallest power of two that is at least as large as a positive number. */
export function powerOfTwo(value: number): number {
  let power = 1;
  while (power < value) power *= 2;
  while (power / 2 >= value) power /= 2;
  return power;
}

/** The smallest power of two, at least `least`, with which an extent has no more than 65,534 steps. */
export function stepFor(extent: number, least: number): number {
  return extent > 0 ? Math.max(powerOfTwo(extent / (MAX_STEPS - 1)), least) : least;
}

/** A grid for bounds of six numbers. */
export function gridOf(bounds: readonly number[], step: number): TileGrid {
  return { step, origin: bounds.slice(0, 3).map((low) => Math.floor(low / step)) };
}

/** The positions of a mesh as they stand in the file of a tile. */
export function storedPositions({ vertices, stride, origin }: ObjectMesh, grid: TileGrid): Float64Array {
  const positions = new Float64Array((3 * vertices.length) / stride);
  for (let at = 0; at < positions.length; at++) {
    const axis = at % 3;
    const value = origin[axis] + vertices[((at - axis) / 3) * stride + axis];
    positions[at] = Math.round(value / grid.step) - grid.origin[axis];
  }
  return positions;
}

/** The length of a vector. */
export const lengthOf = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
