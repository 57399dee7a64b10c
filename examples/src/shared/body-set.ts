// Stores the bodies of the fly-through as upright boxes, one matrix per body. The matrix transforms a unit box whose
// bottom centre is the origin. Instance b of the pillars draws body b.

import type { Vector3 } from 'three';

/** Numbers per matrix. */
const MATRIX_STRIDE = 16;

/** Light on the ground: one byte per texel, brighter where more bodies stand. */
export interface GlowMap {
  readonly width: number;
  readonly height: number;
  readonly texels: Uint8Array<ArrayBuffer>;
}

export class BodySet {
  readonly count: number;
  /** Sixteen numbers per body; the columns hold the width, height and depth axes and the centre of the bottom. */
  readonly matrices: Float32Array<ArrayBuffer>;

  constructor(count: number) {
    this.count = count;
    this.matrices = new Float32Array(count * MATRIX_STRIDE);
  }

  /** Places a body with its bottom centre at (x, y, z), aligned with the world axes. */
  setUpright(body: number, x: number, y: number, z: number, height: number, width: number, depth: number): void {
    this.matrices.set([width, 0, 0, 0, 0, height, 0, 0, 0, 0, depth, 0, x, y, z, 1], body * MATRIX_STRIDE);
  }

  /** Places a body on a globe of the given radius, in the direction of the unit vector `up`. */
  setOnGlobe(body: number, radius: number, { x, y, z }: Vector3, height: number, width: number): void {
    // East is horizontal. At a pole every horizontal direction is valid.
    const level = Math.sqrt(x * x + z * z);
    const [eastX, eastZ] = level > 0 ? [z / level, -x / level] : [1, 0];
    this.matrices.set(
      [
        eastX * width,
        0,
        eastZ * width,
        0,
        x * height,
        y * height,
        z * height,
        0,
        -eastZ * y * width,
        (eastZ * x - eastX * z) * width,
        eastX * y * width,
        0,
        x * radius,
        y * radius,
        z * radius,
        1,
      ],
      body * MATRIX_STRIDE,
    );
  }
}
