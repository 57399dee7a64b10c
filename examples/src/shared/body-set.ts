// Bodies as the pages keep them: upright boxes in two flat arrays, one for the octree and one for the shader.
// Body b of the set is index b of the octree that is filled from it.

/** Four uint32 a body, one texel of the texture the shader reads. */
const LOOK_LANES = 4;

/** Texture width; 2048 x 8192 texels are within the limits of every WebGL 2 device and hold 16 million bodies. */
export const LOOKS_WIDTH = 2048;

/** Units a step of the packed sizes. */
export interface SizeSteps {
  /** Height, 16 bits. */
  readonly height: number;
  /** Width and depth, 8 bits each. */
  readonly width: number;
}

/** Light on the ground: one byte a texel, brighter where more bodies stand. */
export interface GlowMap {
  readonly width: number;
  readonly height: number;
  readonly texels: Uint8Array<ArrayBuffer>;
}

/**
 * The look of a body:
 *
 *   lane 0 - 2   foot x, y, z as float32 bits
 *   lane 3       bits 0 - 15 height, 16 - 23 width (x), 24 - 31 depth (z), in steps
 */
export class BodySet {
  readonly count: number;
  readonly steps: SizeSteps;
  /** Six float32 a body: min x y z, max x y z. */
  readonly bounds: Float32Array<ArrayBuffer>;
  /** Four uint32 a body, padded to whole rows of the texture. */
  readonly looks: Uint32Array<ArrayBuffer>;
  private readonly feet: Float32Array;

  constructor(count: number, steps: SizeSteps) {
    this.count = count;
    this.steps = steps;
    this.bounds = new Float32Array(count * 6);
    this.looks = new Uint32Array(Math.max(1, Math.ceil(count / LOOKS_WIDTH)) * LOOKS_WIDTH * LOOK_LANES);
    this.feet = new Float32Array(this.looks.buffer);
  }

  /** Sets how a body looks; sizes are rounded up to whole steps, at least one. */
  setLook(body: number, x: number, y: number, z: number, height: number, width: number, depth: number): void {
    const lane = body * LOOK_LANES;
    this.feet[lane] = x;
    this.feet[lane + 1] = y;
    this.feet[lane + 2] = z;
    this.looks[lane + 3] = toSteps(height, this.steps.height, 0xffff) | (toSteps(width, this.steps.width, 0xff) << 16) | (toSteps(depth, this.steps.width, 0xff) << 24);
  }

  /** Sets the bounds to the box of the pillar on the foot along the unit vector `up`, turned any way about it. */
  setBoundsAlong(body: number, upX: number, upY: number, upZ: number): void {
    const lane = body * LOOK_LANES;
    const size = this.looks[lane + 3];
    const half = ((size & 0xffff) * this.steps.height) / 2;
    const radius = ((size >>> 16) & 0xff) * this.steps.width * Math.SQRT1_2;
    this.setAxis(body, 0, this.feet[lane], upX, half, radius);
    this.setAxis(body, 1, this.feet[lane + 1], upY, half, radius);
    this.setAxis(body, 2, this.feet[lane + 2], upZ, half, radius);
  }

  /** Sets the bounds to the upright box on the foot. */
  setBoundsUpright(body: number): void {
    const lane = body * LOOK_LANES;
    const size = this.looks[lane + 3];
    const halfX = (((size >>> 16) & 0xff) * this.steps.width) / 2;
    const halfZ = ((size >>> 24) * this.steps.width) / 2;
    const [x, y, z] = [this.feet[lane], this.feet[lane + 1], this.feet[lane + 2]];
    this.bounds.set([x - halfX, y, z - halfZ, x + halfX, y + (size & 0xffff) * this.steps.height, z + halfZ], body * 6);
  }

  /** A disc of the radius across `up`, swept along it: the disc reaches radius * sqrt(1 - up^2) along the axis. */
  private setAxis(body: number, axis: number, foot: number, up: number, half: number, radius: number): void {
    const middle = foot + up * half;
    const reach = Math.abs(up) * half + radius * Math.sqrt(Math.max(0, 1 - up * up));
    this.bounds[body * 6 + axis] = middle - reach;
    this.bounds[body * 6 + axis + 3] = middle + reach;
  }
}

const toSteps = (size: number, step: number, most: number): number => Math.min(most, Math.max(1, Math.ceil(size / step)));
