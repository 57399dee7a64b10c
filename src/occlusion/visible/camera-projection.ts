/**
 * The projection of a camera: its frustum, and the linear maps between the world and the cells of a depth buffer.
 *
 * Points are taken relative to the eye, subtracted in Float64, so that a world far from 0 costs no precision. The eye
 * is the point that the projection maps to x = y = w = 0. With the viewport folded in, the map `toCells` turns a point
 * relative to the eye into (u w, v w, w), where u and v count cells; its inverse, `toWorld`, turns (u, v, 1) into the
 * direction of the ray through that place. Both are linear, also for projections off the axis.
 */

import type { FrustumPlanes } from '../../math/frustum-planes.ts';
import { requireNumber, requireObject, throwRange } from '../../octree/input/input-checks.ts';
import { readFrustum, readMatrix, type MatrixLike } from '../../octree/input/query-shapes.ts';

/**
 * Shaped like three's `PerspectiveCamera`. Pass the matrices that the renderer uses, with the jitter of temporal
 * antialiasing, and one view per eye of a headset.
 */
export interface ViewLike {
  /** A perspective, which may be off the axis, or have an infinite far distance. */
  readonly projectionMatrix: MatrixLike;
  /** From the world to the camera. */
  readonly matrixWorldInverse: MatrixLike;
  /** 2000, as in WebGL, or 2001, as in WebGPU. Default 2000. */
  readonly coordinateSystem?: number;
  /** Whether the near plane is at depth 1. Default false. */
  readonly reversedDepth?: boolean;
}

const REMEDY = 'pass a camera, after camera.updateMatrixWorld() and camera.updateProjectionMatrix()';
const WEBGL = 2000;
const WEBGPU = 2001;
/** Least determinant of the map to the screen, as a part of the product of the lengths of its rows. */
const MIN_DETERMINANT = 1e-12;

/**
 * The linear maps between the screen and points relative to the eye, in some axes: three rows of three numbers each.
 */
export interface Frame {
  /** From a point relative to the eye to (u w, v w, w). */
  readonly toCells: Float64Array;
  /** From (u, v, 1) to a direction. */
  readonly toWorld: Float64Array;
}

export class CameraProjection implements Frame {
  readonly eye = new Float64Array(3);
  readonly toCells = new Float64Array(9);
  readonly toWorld = new Float64Array(9);
  /** Greatest w of the part of the near plane that is on the screen. */
  nearDepth = 0;
  /** Square of the greatest distance of that part from the eye, rounded up. */
  nearRadiusSq = 0;
  /** Width of the screen by its height. */
  aspect = 1;
  /** Size of the depth buffer in cells. */
  width = 0;
  height = 0;

  private readonly projection = new Float64Array(16);
  private readonly inverse = new Float64Array(16);
  /** Projection times view, column by column, and its rows x, y and w without their last numbers. */
  private readonly product = new Float64Array(16);
  private readonly rows = new Float64Array(9);
  private readonly planes = Array.from({ length: 6 }, () => ({ normal: { x: 0, y: 0, z: 0 }, constant: 0 }));
  private readonly frustum = { planes: this.planes };

  /**
   * Checks a view, and sets the planes of its frustum with the expressions of three, so that a query finds the bodies
   * that it finds for three's `Frustum`.
   */
  read(where: string, view: ViewLike, planes: FrustumPlanes): void {
    requireObject(where, 'view', view, REMEDY);
    const { projectionMatrix, matrixWorldInverse, coordinateSystem = WEBGL, reversedDepth = false } = view;
    const projection = readMatrix(where, 'view.projectionMatrix', projectionMatrix, REMEDY, this.projection);
    const inverse = readMatrix(where, 'view.matrixWorldInverse', matrixWorldInverse, REMEDY, this.inverse);
    const isKnown = coordinateSystem === WEBGL || coordinateSystem === WEBGPU;
    requireNumber(
      where,
      'view.coordinateSystem',
      'be 2000 or 2001',
      coordinateSystem,
      isKnown,
      'leave it out for WebGL',
    );
    if (projection[3] === 0 && projection[7] === 0 && projection[11] === 0) {
      throw new RangeError(
        `${where}: view must have a perspective projection, but it is orthographic; use octree.collectFrustum for it.`,
      );
    }
    multiply(projection, inverse, this.product);
    this.setEye(where);
    this.setPlanes(reversedDepth, coordinateSystem === WEBGPU);
    readFrustum(where, this.frustum, planes);
    this.aspect = lengthOf(this.product, 1) / lengthOf(this.product, 0);
  }

  /** Sets the eye: the point where clip x, y and w are 0, by Cramer's rule. */
  private setEye(where: string): void {
    const { product, rows, toWorld, eye } = this;
    for (let column = 0; column < 3; column++) {
      rows[column] = product[4 * column];
      rows[3 + column] = product[4 * column + 1];
      rows[6 + column] = product[4 * column + 3];
    }
    if (!invert(rows, toWorld)) {
      throwRange(where, 'view', 'have matrices that can be inverted', 'one that flattens the world', REMEDY);
    }
    for (let axis = 0; axis < 3; axis++) {
      const at = 3 * axis;
      eye[axis] = -(toWorld[at] * product[12] + toWorld[at + 1] * product[13] + toWorld[at + 2] * product[15]);
    }
  }

  /** As `Frustum.setFromProjectionMatrix` of three. */
  private setPlanes(isReversed: boolean, isWebGpu: boolean): void {
    this.setPlane(0, -1, 0, 1);
    this.setPlane(1, 1, 0, 1);
    this.setPlane(2, 1, 1, 1);
    this.setPlane(3, -1, 1, 1);
    // Far, then near.
    this.setPlane(4, isReversed ? 1 : -1, 2, isReversed ? 0 : 1);
    this.setPlane(5, isReversed ? -1 : 1, 2, isWebGpu && !isReversed ? 0 : 1);
  }

  /** Plane `w` times the row of w plus `sign` times another row, with a normal of length 1. */
  private setPlane(plane: number, sign: number, row: number, w: number): void {
    const { product } = this;
    const { normal } = this.planes[plane];
    const x = w * product[3] + sign * product[row];
    const y = w * product[7] + sign * product[4 + row];
    const z = w * product[11] + sign * product[8 + row];
    const scale = 1 / Math.sqrt(x * x + y * y + z * z);
    normal.x = x * scale;
    normal.y = y * scale;
    normal.z = z * scale;
    this.planes[plane].constant = (w * product[15] + sign * product[12 + row]) * scale;
  }

  /** Sets the maps for a buffer of this size, and where the near plane is. */
  setViewport(width: number, height: number): void {
    const { rows, toCells, toWorld } = this;
    this.width = width;
    this.height = height;
    for (let k = 0; k < 3; k++) {
      toCells[k] = (rows[k] + rows[6 + k]) * 0.5 * width;
      toCells[3 + k] = (rows[3 + k] + rows[6 + k]) * 0.5 * height;
      toCells[6 + k] = rows[6 + k];
    }
    invert(toCells, toWorld);
    this.setNear(width, height);
  }

  /** The part of the near plane on the screen is convex, so a corner of it is the farthest from the eye. */
  private setNear(width: number, height: number): void {
    const { eye, toWorld } = this;
    const { normal, constant } = this.planes[5];
    const atEye = normal.x * eye[0] + normal.y * eye[1] + normal.z * eye[2] + constant;
    this.nearDepth = this.nearRadiusSq = 0;
    for (let corner = 0; corner < 4; corner++) {
      const u = (corner & 1) * width;
      const v = (corner >> 1) * height;
      const x = toWorld[0] * u + toWorld[1] * v + toWorld[2];
      const y = toWorld[3] * u + toWorld[4] * v + toWorld[5];
      const z = toWorld[6] * u + toWorld[7] * v + toWorld[8];
      const slope = normal.x * x + normal.y * y + normal.z * z;
      // The eye lies beyond the near plane, so the plane cuts nothing. Infinity: the ray never reaches the plane.
      const depth = atEye >= 0 ? 0 : slope > 0 ? -atEye / slope : Infinity;
      this.nearDepth = Math.max(this.nearDepth, depth);
      this.nearRadiusSq = Math.max(this.nearRadiusSq, depth * depth * (x * x + y * y + z * z) * (1 + 2 ** -19));
    }
  }
}

/** The projection in the axes of an oriented box. */
export class OrientedFrame implements Frame {
  readonly toCells = new Float64Array(9);
  readonly toWorld = new Float64Array(9);

  /**
   * Sets the frame of the oriented box at offset `at`: centre, half sizes, three axes. Writes the box, relative to the
   * eye, in its own axes.
   */
  set({ eye, toCells: m }: CameraProjection, boxes: Float64Array, at: number, box: Float64Array): void {
    const { toCells, toWorld } = this;
    const x = boxes[at] - eye[0];
    const y = boxes[at + 1] - eye[1];
    const z = boxes[at + 2] - eye[2];
    for (let row = 0; row < 9; row += 3) {
      for (let axis = 0; axis < 3; axis++) {
        const a = at + 6 + 3 * axis;
        toCells[row + axis] = m[row] * boxes[a] + m[row + 1] * boxes[a + 1] + m[row + 2] * boxes[a + 2];
      }
    }
    invert(toCells, toWorld);
    const u = m[0] * x + m[1] * y + m[2] * z;
    const v = m[3] * x + m[4] * y + m[5] * z;
    const w = m[6] * x + m[7] * y + m[8] * z;
    for (let axis = 0; axis < 3; axis++) {
      const middle = toWorld[3 * axis] * u + toWorld[3 * axis + 1] * v + toWorld[3 * axis + 2] * w;
      box[axis] = middle - boxes[at + 3 + axis];
      box[axis + 3] = middle + boxes[at + 3 + axis];
    }
  }
}

/** The product of two matrices, with the expressions of three. */
function multiply(a: ArrayLike<number>, b: ArrayLike<number>, target: Float64Array): void {
  for (let column = 0; column < 16; column += 4) {
    for (let row = 0; row < 4; row++) {
      target[column + row] =
        a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3];
    }
  }
}

function lengthOf(product: Float64Array, row: number): number {
  const x = product[row];
  const y = product[4 + row];
  const z = product[8 + row];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Writes the inverse of three rows of three numbers; returns false if they are too close to one plane. */
function invert(m: Float64Array, target: Float64Array): boolean {
  const x = m[4] * m[8] - m[5] * m[7];
  const y = m[5] * m[6] - m[3] * m[8];
  const z = m[3] * m[7] - m[4] * m[6];
  const determinant = m[0] * x + m[1] * y + m[2] * z;
  let lengths = 1;
  for (let k = 0; k < 9; k += 3) lengths *= Math.sqrt(m[k] * m[k] + m[k + 1] * m[k + 1] + m[k + 2] * m[k + 2]);
  const scale = 1 / determinant;
  target[0] = x * scale;
  target[1] = (m[2] * m[7] - m[1] * m[8]) * scale;
  target[2] = (m[1] * m[5] - m[2] * m[4]) * scale;
  target[3] = y * scale;
  target[4] = (m[0] * m[8] - m[2] * m[6]) * scale;
  target[5] = (m[2] * m[3] - m[0] * m[5]) * scale;
  target[6] = z * scale;
  target[7] = (m[1] * m[6] - m[0] * m[7]) * scale;
  target[8] = (m[0] * m[4] - m[1] * m[3]) * scale;
  return Math.abs(determinant) > lengths * MIN_DETERMINANT;
}
