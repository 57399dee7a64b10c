/**
 * Pictures that may differ a little: vertices of batches are transformed once on the CPU, those of meshes on the GPU.
 */

import { expect } from 'vitest';

/** Share of the pixels that may differ: edges of triangles. */
export const NEAR_SHARE = 1e-4;
/** Largest sum of the differences of the channels of a pixel that counts as equal. */
const NEAR_SUM = 8;

/** Whether two pixels of four bytes look the same. */
export function isNearPixel(a: number, b: number): boolean {
  if (a === b) return true;
  let sum = 0;
  for (let shift = 0; shift < 32; shift += 8) sum += Math.abs(((a >>> shift) & 255) - ((b >>> shift) & 255));
  return sum <= NEAR_SUM;
}

/** Number of pixels that look different. */
export function countFar(a: Uint32Array, b: Uint32Array): number {
  return a.reduce((sum, pixel, k) => sum + Number(!isNearPixel(pixel, b[k])), 0);
}

/**
 * Number of pixels that look different, edges left out: pixels for which each picture has the colour of the other one
 * beside it. @param width Of the pictures.
 */
export function countBesideEdges(a: Uint32Array, b: Uint32Array, width: number): number {
  const hasBeside = (pixels: Uint32Array, k: number, color: number): boolean =>
    [-1, 0, 1].some((y) => [-1, 0, 1].some((x) => isNearPixel(pixels[k + x + y * width] ?? 0, color)));
  return a.reduce((sum, pixel, k) => {
    const isEdge = isNearPixel(pixel, b[k]) || (hasBeside(a, k, b[k]) && hasBeside(b, k, pixel));
    return sum + Number(!isEdge);
  }, 0);
}

/**
 * Expects pictures that look the same, and are not empty.
 *
 * @param share Of the pixels that may differ.
 */
export function expectNear(expected: Uint32Array, found: Uint32Array, share = NEAR_SHARE): void {
  expect(expected.filter((pixel) => pixel !== expected[0]).length).toBeGreaterThan(200);
  expect(countFar(expected, found)).toBeLessThanOrEqual(Math.ceil(share * expected.length));
}
