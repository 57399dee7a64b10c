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
 * Number of pixels that look different, edges of triangles left out: pixels whose colour in one picture lies between
 * those around it in the other. @param width Of the pictures.
 */
export function countBesideEdges(a: Uint32Array, b: Uint32Array, width: number): number {
  return a.reduce((sum, pixel, k) => {
    const isNear = isNearPixel(pixel, b[k]) || isBetween(pixel, b, k, width) || isBetween(b[k], a, k, width);
    return sum + Number(!isNear);
  }, 0);
}

/** Whether each channel of a pixel lies between those of a picture at a place and beside it. */
function isBetween(pixel: number, picture: Uint32Array, at: number, width: number): boolean {
  const around = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => picture[at + x + y * width] ?? picture[at]));
  return [0, 8, 16, 24].every((shift) => {
    const channels = around.map((each) => (each >>> shift) & 255);
    const channel = (pixel >>> shift) & 255;
    return Math.min(...channels) <= channel && channel <= Math.max(...channels);
  });
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
