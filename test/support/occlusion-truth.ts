/**
 * Which boxes a camera sees, by casting rays through the pixels of a large picture. Shares no code with the library.
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

/**
 * The indices of those of `suspects` of which a pixel is seen: its ray meets them, and no solid before them. A hidden
 * pixel takes one solid that hides it, mostly the one that hides its neighbour.
 */
export function visibleAmong(
  suspects: Iterable<number>,
  { boxes, solids }: TruthScene,
  camera: PerspectiveCamera,
  width: number,
  height: number,
): Set<number> {
  const { near, far } = camera;
  const rays = new Rays(camera, width, height);
  const walls = solids.map((solid) => rays.outline(solid));
  /** By pixel: the depth of a solid there, the least one that was found so far. */
  const depths = new Float64Array(width * height).fill(Infinity);

  const isHidden = (column: number, row: number, depth: number): boolean => {
    const pixel = row * width + column;
    if (depth > depths[pixel] * (1 + EQUAL)) return true;
    for (let k = 0; k < walls.length; k++) {
      const wall = walls[k];
      if (column < wall.left || column > wall.right || row < wall.bottom || row > wall.top) continue;
      if (!rays.meet(wall, column, row) || rays.entry < near || depth <= rays.entry * (1 + EQUAL)) continue;
      depths[pixel] = rays.entry;
      // The first one to try at the next pixel.
      walls[k] = walls[0];
      walls[0] = wall;
      return true;
    }
    return false;
  };
  const isSeen = (outline: Outline): boolean => {
    for (let row = outline.bottom; row <= outline.top; row++) {
      for (let column = outline.left; column <= outline.right; column++) {
        if (!rays.meet(outline, column, row) || rays.exit < near || rays.entry > far) continue;
        if (!isHidden(column, row, Math.max(rays.entry, near))) return true;
      }
    }
    return false;
  };

  return new Set([...suspects].filter((k) => isSeen(rays.outline(boxes[k]))));
}

/** The axes of a box whose faces are parallel to the axes of the world. */
const IDENTITY: Numbers = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A box, and the rectangle of pixels that it may cover, ends included. */
interface Outline {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
  readonly axes: Float64Array;
  /** Along its axes, relative to the eye: the three least values, and the three greatest ones. */
  readonly limits: Float64Array;
}

class Rays {
  /** Depths along the axis of the camera where the ray of the last call of `meet` enters and leaves the box. */
  entry = 0;
  exit = 0;
  private readonly eye: Numbers;
  private readonly camera: PerspectiveCamera;
  private readonly width: number;
  private readonly height: number;
  /** Columns of the rotation of the camera. */
  private readonly rotation: Numbers;
  /** The rays in the axes of the camera, of depth 1: by column and by row. */
  private readonly across: Float64Array;
  private readonly up: Float64Array;

  constructor(camera: PerspectiveCamera, width: number, height: number) {
    this.camera = camera;
    this.width = width;
    this.height = height;
    this.eye = camera.position.toArray();
    this.rotation = camera.matrixWorld.elements;
    const { elements: p } = camera.projectionMatrix;
    this.across = Float64Array.from({ length: width }, (_, column) => (((column + 0.5) / width) * 2 - 1 + p[8]) / p[0]);
    this.up = Float64Array.from({ length: height }, (_, row) => (((row + 0.5) / height) * 2 - 1 + p[9]) / p[5]);
  }

  outline(box: Numbers): Outline {
    const [left, bottom, right, top] = this.pixelsOf(box);
    const axes = Float64Array.from(box.length === 6 ? IDENTITY : box.slice(6));
    const { eye } = this;
    const limits = Float64Array.from({ length: 6 }, (_, k) => {
      if (box.length === 6) return box[k] - eye[k % 3];
      const middle = [0, 1, 2].reduce((sum, axis) => sum + axes[3 * (k % 3) + axis] * (box[axis] - eye[axis]), 0);
      return middle + (k < 3 ? -1 : 1) * box[3 + (k % 3)];
    });
    return { left, bottom, right, top, axes, limits };
  }

  /** Whether the ray of a pixel meets a box. */
  meet({ axes, limits }: Outline, column: number, row: number): boolean {
    const u = this.across[column];
    const v = this.up[row];
    const r = this.rotation;
    const dx = r[0] * u + r[4] * v - r[8];
    const dy = r[1] * u + r[5] * v - r[9];
    const dz = r[2] * u + r[6] * v - r[10];
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
    this.entry = entry;
    this.exit = exit;
    return entry <= exit && exit > 0;
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
