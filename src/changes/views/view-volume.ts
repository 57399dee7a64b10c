/** What a camera or a light sees, and where in it the shadow of a change may fall. */

import {
  Frustum,
  Matrix4,
  Vector3,
  WebGPUCoordinateSystem,
  type Camera,
  type DirectionalLight,
  type LightShadow,
  type PointLight,
  type SpotLight,
} from 'three';

export type ShadowCaster = DirectionalLight | SpotLight | PointLight;

/**
 * What the map of a light shows: the frustum of the last drawing, or of a point light the cube around all six.
 *
 * @param cube Is written.
 */
export function volumeOf(light: ShadowCaster, cube: Frustum): Frustum {
  return 'isPointLight' in light ? cube.setFromProjectionMatrix(cubeAround(light)) : light.shadow.getFrustum();
}

/** The matrix from world space to the cube from -1 to 1 of what a point light sees. Valid until the next call. */
function cubeAround(light: PointLight): Matrix4 {
  const { far, projectionMatrix } = light.shadow.camera;
  const { elements } = projectionMatrix;
  const scale = Math.min(1, Math.abs(elements[0]), Math.abs(elements[5])) / (far * (1 + 1e-6));
  const center = cubeAround_center.setFromMatrixPosition(light.matrixWorld).multiplyScalar(-scale);
  return cubeAround_matrix.makeScale(scale, scale, scale).setPosition(center);
}
const cubeAround_center = /* @__PURE__ */ new Vector3();
const cubeAround_matrix = /* @__PURE__ */ new Matrix4();

/** The matrix from world space to the cube from -1 to 1 of what a camera sees. Valid until the next call. */
export function cubeOf(camera: Camera): Matrix4 {
  // Not in the parameter list: declaration files would name all of them, and older types of three lack `reversedDepth`.
  const { projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth } = camera;
  const matrix = cubeOf_matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse);
  if (!reversedDepth && coordinateSystem !== WebGPUCoordinateSystem) return matrix;
  // The depth is from 0 to 1, or from 1 to 0.
  const sign = reversedDepth ? -1 : 1;
  const { elements } = matrix;
  for (let k = 2; k < 16; k += 4) elements[k] = sign * (2 * elements[k] - elements[k + 1]);
  return matrix;
}
const cubeOf_matrix = /* @__PURE__ */ new Matrix4();

/** The planes around a part of space, and its corners: the view of a camera, or a part of that of a light. */
export class ViewVolume {
  readonly frustum = new Frustum();
  private readonly corners = Array.from({ length: 8 }, () => new Vector3());

  /** @param cube The matrix from world space to the cube from -1 to 1. */
  set(cube: Matrix4): this {
    this.frustum.setFromProjectionMatrix(cube);
    const inverse = set_inverse.copy(cube).invert();
    for (const [k, corner] of this.corners.entries())
      corner.set(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).applyMatrix4(inverse);
    return this;
  }

  /** Whether two volumes may meet: no plane of either has the other outside. True if a number is not finite. */
  meets(other: ViewVolume): boolean {
    return !this.isOutside(other.frustum) && !other.isOutside(this.frustum);
  }

  private isOutside({ planes }: Frustum): boolean {
    return planes.some((plane) => this.corners.every((corner) => plane.distanceToPoint(corner) < 0));
  }
}
const set_inverse = /* @__PURE__ */ new Matrix4();

/** How far a shadow map is sampled from a point, in texels: for each unit of `shadow.radius`, and for a radius of 0. */
const SAMPLED_TEXELS = 4;

/**
 * The part of what a light sees in which the shadows of changes may fall: behind the changed boxes, as the light sees
 * them. Coordinates are those of the cube from -1 to 1 of the light.
 */
export class ShadowRegion {
  /** All that the light sees, as of the last drawing of its map. */
  readonly whole = new ViewVolume();
  isWhole = false;
  private readonly isPoint: boolean;
  private readonly cube: Matrix4;
  private readonly fromBoxes = new Matrix4();
  /** Margin around a caster, because materials sample the map beside a point. Unit: half the edge of the cube. */
  private readonly margin: number;
  private readonly bias: number;
  /** `normalBias`, and by how much a move by it changes a coordinate and its divisor. */
  private readonly normalBias: number;
  private readonly slope: number;
  private readonly divisorSlope: number;
  /** At first the least is greater than the greatest: the region is empty. */
  private readonly min = new Vector3(1, 1, 1);
  private readonly max = new Vector3(-1, -1, -1);

  /** @param isBlurred Whether the map itself is blurred (VSM): then what is in front of a change may look different. */
  constructor(light: ShadowCaster, isBlurred: boolean) {
    const shadow: LightShadow & { readonly filterNode?: object | null } = light.shadow;
    this.isPoint = 'isPointLight' in light;
    this.cube = (this.isPoint ? cubeAround(light as PointLight) : cubeOf(shadow.camera)).clone();
    this.whole.set(this.cube);
    const { mapSize, radius, bias, normalBias } = shadow;
    this.margin = shadow.filterNode ? Infinity : (2 * SAMPLED_TEXELS * (1 + radius)) / Math.min(mapSize.x, mapSize.y);
    this.bias = isBlurred ? Infinity : 2 * Math.abs(bias);
    this.normalBias = Math.abs(normalBias);
    const { elements } = this.cube;
    const [x, y, z, w] = [0, 1, 2, 3].map((k) => {
      const [a, b, c] = [elements[k], elements[k + 4], elements[k + 8]];
      return Math.sqrt(a * a + b * b + c * c);
    });
    this.slope = Math.max(x, y, z) + w;
    this.divisorSlope = w;
  }

  /** The region, if it is not empty. */
  get volume(): ViewVolume | null {
    const { min, max, cube } = this;
    if (min.x >= max.x || min.y >= max.y || min.z >= max.z) return null;
    const size = volume_size.subVectors(max, min).multiplyScalar(0.5);
    const matrix = new Matrix4()
      .makeScale(size.x, size.y, size.z)
      .setPosition(volume_center.addVectors(min, max).multiplyScalar(0.5));
    return new ViewVolume().set(matrix.invert().multiply(cube));
  }

  /** Sets the space of the boxes that are added from now on. */
  setSpace(toWorld: Matrix4): void {
    this.fromBoxes.multiplyMatrices(this.cube, toWorld);
  }

  addAll(): void {
    this.isWhole = true;
    this.min.set(-1, -1, -1);
    this.max.set(1, 1, 1);
  }

  /** Adds the shadow of a box. @param boxes minX, minY, minZ, maxX, maxY, maxZ, from `at` on. */
  add(boxes: readonly number[], at: number): void {
    const { fromBoxes, isPoint, bias } = this;
    const { elements: m } = fromBoxes;
    const min = add_min.setScalar(Infinity);
    const max = add_max.setScalar(-Infinity);
    let divisor = Infinity;
    for (let k = 0; k < 8; k++) {
      const x = boxes[at + (k & 1 ? 3 : 0)];
      const y = boxes[at + (k & 2 ? 4 : 1)];
      const z = boxes[at + (k & 4 ? 5 : 2)];
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      divisor = Math.min(divisor, w);
      const corner = add_corner.set(
        m[0] * x + m[4] * y + m[8] * z + m[12],
        m[1] * x + m[5] * y + m[9] * z + m[13],
        m[2] * x + m[6] * y + m[10] * z + m[14],
      );
      corner.divideScalar(w);
      min.min(corner);
      max.max(corner);
    }
    divisor -= this.normalBias * this.divisorSlope;
    const margin = this.margin + (this.normalBias * this.slope) / divisor;
    // Not in front of the light, or a number that is not finite.
    if (!(divisor > 0 && margin < 1)) {
      this.addAll();
      return;
    }
    min.subScalar(margin);
    max.addScalar(margin);
    if (min.x > 1 || min.y > 1 || min.z > 1 || max.x < -1 || max.y < -1 || max.z < -1) return;
    if (isPoint) {
      // Rays to the nearest point of the box go on for at most this many times its distance.
      const nearest = Math.max(gapOf(min.x, max.x), gapOf(min.y, max.y), gapOf(min.z, max.z));
      const reach = nearest > 0 ? 1 / nearest : Infinity;
      for (const axis of ['x', 'y', 'z'] as const) {
        if (min[axis] < 0) min[axis] *= reach;
        if (max[axis] > 0) max[axis] *= reach;
      }
    } else {
      min.z -= bias;
      max.z = 1;
    }
    this.min.min(min).clampScalar(-1, 1);
    this.max.max(max).clampScalar(-1, 1);
  }
}
const add_min = /* @__PURE__ */ new Vector3();
const add_max = /* @__PURE__ */ new Vector3();
const add_corner = /* @__PURE__ */ new Vector3();
const volume_size = /* @__PURE__ */ new Vector3();
const volume_center = /* @__PURE__ */ new Vector3();

/** The distance from 0 to a range of numbers. */
function gapOf(min: number, max: number): number {
  return Math.max(min, -max, 0);
}
