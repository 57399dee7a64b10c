/**
 * Which boxes a camera sees, by casting a ray through each pixel of a large picture. Shares no code with the library.
 * Occluders are drawn as renderers draw closed meshes: front faces only, cut by the near plane. Everything else is
 * drawn from both sides, so that it is seen more often.
 */

import { WebGPUCoordinateSystem, type PerspectiveCamera } from 'three';

/** Changes of a camera beside its pose. The first one is none. */
export const CAMERA_KINDS: readonly ((camera: PerspectiveCamera) => void)[] = [
  () => {},
  (camera) => {
    camera.coordinateSystem = WebGPUCoordinateSystem;
  },
  (camera) => {
    Object.assign(camera, { _reversedDepth: true });
  },
  (camera) => {
    Object.assign(camera, { _reversedDepth: true, coordinateSystem: WebGPUCoordinateSystem });
  },
  (camera) => {
    camera.setViewOffset(400, 300, 250, 10, 100, 80);
  },
];

/** A box as min and max; an oriented one as centre, half sizes and its three axes: fifteen numbers. */
export type Numbers = readonly number[];

/** The corners of a box of either kind. */
export function cornersOf(box: Numbers): number[][] {
  return Array.from({ length: 8 }, (_, corner) =>
    [0, 1, 2].map((axis) =>
      box.length === 6
        ? box[axis + 3 * ((corner >> axis) & 1)]
        : [0, 1, 2].reduce(
            (sum, row) => sum + (((corner >> row) & 1) * 2 - 1) * box[3 + row] * box[6 + 3 * row + axis],
            box[axis],
          ),
    ),
  );
}

export interface TruthScene {
  /** The bodies. */
  readonly boxes: readonly Numbers[];
  /** What hides: the solid boxes of the occluders. */
  readonly solids: readonly Numbers[];
}

/** Depths that differ by less than this part count as equal: then both are seen. */
const EQUAL = 1e-9;

/** The indices of those of `suspects` of which a pixel is seen. */
export function visibleAmong(
  suspects: Iterable<number>,
  { boxes, solids }: TruthScene,
  camera: PerspectiveCamera,
  width: number,
  height: number,
): Set<number> {
  const rays = new Rays(camera, width, height);
  const depths = new Float64Array(width * height).fill(Infinity);
  for (const solid of solids) {
    rays.forEach(solid, (pixel, entry) => {
      if (entry >= camera.near && entry < depths[pixel]) depths[pixel] = entry;
    });
  }
  const visible = new Set<number>();
  for (const k of suspects) {
    rays.forEach(boxes[k], (pixel, entry, exit) => {
      if (exit < camera.near || entry > camera.far) return false;
      if (Math.max(entry, camera.near) > depths[pixel] * (1 + EQUAL)) return false;
      visible.add(k);
      return true;
    });
  }
  return visible;
}

/** The axes of a box whose faces are parallel to the axes of the world. */
const IDENTITY: Numbers = [1, 0, 0, 0, 1, 0, 0, 0, 1];

class Rays {
  private readonly eye: Numbers;
  private readonly camera: PerspectiveCamera;
  private readonly width: number;
  private readonly height: number;
  /** Columns of the rotation of the camera. */
  private readonly rotation: Numbers;
  /** By pixel: the direction of its ray, of depth 1. */
  private readonly directions: Float64Array;

  constructor(camera: PerspectiveCamera, width: number, height: number) {
    this.camera = camera;
    this.width = width;
    this.height = height;
    this.eye = camera.position.toArray();
    this.rotation = camera.matrixWorld.elements;
    this.directions = new Float64Array(3 * width * height);
    const { elements: p } = camera.projectionMatrix;
    const r = this.rotation;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const x = (((pixel % width) + 0.5) / width) * 2 - 1;
      const y = ((Math.floor(pixel / width) + 0.5) / height) * 2 - 1;
      const u = (x + p[8]) / p[0];
      const v = (y + p[9]) / p[5];
      for (let axis = 0; axis < 3; axis++)
        this.directions[3 * pixel + axis] = r[axis] * u + r[4 + axis] * v - r[8 + axis];
    }
  }

  /**
   * Calls back for each pixel whose ray meets a box, with the depths along the axis of the camera where it enters and
   * leaves, until the callback returns true. The loop over pixels allocates nothing: it takes nearly all of the time of
   * a comparison.
   */
  forEach(box: Numbers, callback: (pixel: number, entry: number, exit: number) => boolean | void): void {
    const { width, eye, directions } = this;
    const [left, bottom, right, top] = this.pixelsOf(box);
    const axes = Float64Array.from(box.length === 6 ? IDENTITY : box.slice(6));
    // Relative to the eye, in the axes of the box.
    const limits = Float64Array.from({ length: 6 }, (_, k) => {
      if (box.length === 6) return box[k] - eye[k % 3];
      const middle = [0, 1, 2].reduce((sum, axis) => sum + axes[3 * (k % 3) + axis] * (box[axis] - eye[axis]), 0);
      return middle + (k < 3 ? -1 : 1) * box[3 + (k % 3)];
    });
    for (let row = bottom; row <= top; row++) {
      for (let pixel = row * width + left; pixel <= row * width + right; pixel++) {
        const dx = directions[3 * pixel];
        const dy = directions[3 * pixel + 1];
        const dz = directions[3 * pixel + 2];
        let entry = -Infinity;
        let exit = Infinity;
        for (let axis = 0; axis < 3; axis++) {
          const direction = axes[3 * axis] * dx + axes[3 * axis + 1] * dy + axes[3 * axis + 2] * dz;
          // A ray in the plane of a face gives NaN, which limits nothing.
          const a = limits[axis] / direction;
          const b = limits[axis + 3] / direction;
          const near = a < b ? a : b;
          const far = a < b ? b : a;
          if (near > entry) entry = near;
          if (far < exit) exit = far;
        }
        if (entry <= exit && exit > 0 && callback(pixel, entry, exit) === true) return;
      }
    }
  }

  /** A rectangle of pixels around the part of a box that is not before the near plane. */
  private pixelsOf(box: Numbers): [number, number, number, number] {
    const { rotation: r, width, height, eye } = this;
    const { near, projectionMatrix } = this.camera;
    const p = projectionMatrix.elements;
    const corners = cornersOf(box).map((corner) => {
      const offset = corner.map((value, axis) => value - eye[axis]);
      return [0, 4, 8].map((at) => r[at] * offset[0] + r[at + 1] * offset[1] + r[at + 2] * offset[2]);
    });
    // A little before the near plane, so that roundings leave no pixel out.
    const limit = -near * 0.999;
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    const include = ([x, y, z]: Numbers): void => {
      const column = (((x * p[0]) / -z - p[8] + 1) / 2) * width;
      const row = (((y * p[5]) / -z - p[9] + 1) / 2) * height;
      left = Math.min(left, column);
      right = Math.max(right, column);
      bottom = Math.min(bottom, row);
      top = Math.max(top, row);
    };
    corners.forEach((corner, k) => {
      if (corner[2] <= limit) include(corner);
      // The corners at the other ends of its edges have a greater index in one bit.
      for (const bit of [1, 2, 4]) {
        const other = corners[k | bit];
        if (corner[2] <= limit === other[2] <= limit) continue;
        const part = (limit - corner[2]) / (other[2] - corner[2]);
        include(corner.map((value, axis) => (axis === 2 ? limit : value + (other[axis] - value) * part)));
      }
    });
    return [
      Math.max(0, Math.floor(left) - 1),
      Math.max(0, Math.floor(bottom) - 1),
      Math.min(width - 1, Math.ceil(right) + 1),
      Math.min(height - 1, Math.ceil(top) + 1),
    ];
  }
}
