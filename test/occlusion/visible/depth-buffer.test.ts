// The depth buffer by itself: which cells a box fills, and which boxes are too small.

import { PerspectiveCamera } from 'three';
import { describe, expect, it } from 'vitest';
import { FrustumPlanes } from '../../../src/math/frustum-planes.ts';
import { CameraProjection } from '../../../src/occlusion/visible/camera-projection.ts';
import { DepthBuffer } from '../../../src/occlusion/visible/depth-buffer.ts';

const SIZE = 64;

/**
 * An empty buffer of 64 x 64 cells. Its camera is at the origin and looks along -z; where z is -32, a cell is 1 wide.
 */
function bufferWith(box: readonly number[], near = 0.1): DepthBuffer {
  const camera = new PerspectiveCamera(90, 1, near, 1000);
  camera.updateMatrixWorld();
  const projection = new CameraProjection();
  projection.read('test', camera, new FrustumPlanes());
  projection.setViewport(SIZE, SIZE);
  const buffer = new DepthBuffer();
  buffer.clear(projection);
  buffer.box.set(box);
  return buffer;
}

function filledCells({ masks }: DepthBuffer): number {
  let count = 0;
  for (const mask of masks) for (let bits = mask >>> 0; bits > 0; bits = (bits & (bits - 1)) >>> 0) count++;
  return count;
}

/** Cells that a box fills. */
function cellsOf(box: readonly number[]): number {
  const buffer = bufferWith(box);
  buffer.rasterise(buffer.projection, 0);
  return filledCells(buffer);
}

describe('a box that is rasterised', () => {
  it('fills the cells that lie inside it, whole ones only', () => {
    const around = 0.01;
    // Less than a tile of 8 x 4 cells: the mask of a full one is emptied.
    for (const width of [1, 2, 3, 7])
      for (const height of [1, 2, 3])
        expect(cellsOf([-around, -around, -33, width + around, height + around, -32])).toBe(width * height);
    expect(cellsOf([0.1, 0.1, -33, 1.9, 1.9, -32])).toBe(0);
  });

  it('is left out if its rectangle has fewer cells than asked, and not if it has just as many', () => {
    const box = [0.1, 0.1, -33, 2.9, 1.9, -32];
    // 3 columns and 2 rows.
    for (const [minCells, isFilled] of [
      [5, true],
      [6, true],
      [7, false],
    ] as const) {
      const buffer = bufferWith(box);
      expect([minCells, buffer.rasterise(buffer.projection, minCells)]).toEqual([minCells, isFilled]);
      expect(buffer.area).toBe(6);
    }
  });

  it('has no rectangle if it reaches the near plane', () => {
    const box = [-8, -8, -33, 8, 8, -20];
    for (const [near, isBehind] of [
      [10, true],
      [25, false],
    ] as const) {
      const buffer = bufferWith(box, near);
      expect(buffer.projection.nearDepth).toBeCloseTo(near, 6);
      expect([near, buffer.project(buffer.projection)]).toEqual([near, isBehind]);
    }
  });
});
