// Bodies as the fly-through keeps them: upright boxes, a matrix each, that takes a unit box on its bottom to where the body stands.
// Body b of the set is instance b of the pillars that are filled from it.

import type { Vector3 } from 'three';

const MATRIX_STRIDE = 16;

/** Light on the ground: one byte a texel, brighter where more bodies stand. */
export interface GlowMap {
  readonly width: number;
  readonly height: number;
  readonly texels: Uint8Array<ArrayBuffer>;
}

export class BodySet {
  readonly count: number;
  /** Sixteen numbers a body: width, height, depth and foot, a column each. */
  readonly matrices: Float32Array<ArrayBuffer>;

  constructor(count: number) {
    this.count = count;
    this.matrices = new Float32Array(count * MATRIX_STRIDE);
  }

  /** Stands a body on its foot, along the axes of the world. */
  setUpright(body: number, x: number, y: number, z: number, height: number, width: number, depth: number): void {
    this.matrices.set([width, 0, 0, 0, 0, height, 0, 0, 0, 0, depth, 0, x, y, z, 1], body * MATRIX_STRIDE);
  }

  /** Stands a body on a globe of the radius, where the unit vector `up` points. */
  setOnGlobe(body: number, radius: number, { x, y, z }: Vector3, height: number, width: number): void {
    // East is level; at a pole any direction is.
    const level = Math.sqrt(x * x + z * z);
    const [eastX, eastZ] = level > 0 ? [z / level, -x / level] : [1, 0];
    this.matrices.set([
      eastX * width, 0, eastZ * width, 0,
      x * height, y * height, z * height, 0,
      -eastZ * y * width, (eastZ * x - eastX * z) * width, eastX * y * width, 0,
      x * radius, y * radius, z * radius, 1,
    ], body * MATRIX_STRIDE);
  }
}
