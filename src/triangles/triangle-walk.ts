/**
 * What the walk of a tree asks of its boxes: the way of a shape, and what is around a point. Boxes are compared in the
 * local space of the mesh, because that takes one transformation a query in place of one a node; triangles are compared
 * in the world, because a scale that differs along the axes keeps no distances. A shape that moves along a line does so
 * in both spaces, and arrives at the same time. Every comparison of boxes is conservative.
 */

import { clamp } from '../math/clamp.ts';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import type { Octree } from '../three-math/octree.ts';
import { WalkSignal } from '../tree/traverse/walk-nodes.ts';
import { transformAxis } from './geometry-triangles.ts';
import type { SceneMesh } from './scene-mesh.ts';
import type { TreeRoot } from './triangle-tree.ts';

/** The bound of a box that holds nothing of interest. */
export const NOTHING = -1;

type Boxes = Float32Array | Float64Array;

/** Where triangles are looked for. */
export interface Volume {
  /** The largest bound of interest. A visitor of triangles lowers it. */
  limit: number;
  /** Goes to the space of the boxes of a tree. */
  enter(mesh: SceneMesh, root: TreeRoot): void;
  /**
   * A lower bound for what is in a box there: a time, a squared distance, or a place in a region of the screen.
   * `NOTHING`, below all limits, if nothing is.
   */
  boundOf(boxes: Boxes, at: number): number;
  /** Transforms a triangle to the world, and returns whether its box is of interest; if not, perhaps not all of it. */
  place(local: Float64Array, matrix: Float64Array, triangle: Float64Array): boolean;
}

/** The error of coordinates in the world, relative to the largest of them: 128 errors of Float64. */
export const WORLD_ERROR = 2 ** -46;
/** The error of the boxes of a tree, relative to the largest coordinate: 8 errors of Float32. */
export const BOX_ERROR = 2 ** -21;
/** Lowers the square of a distance by its rounding error, and by that of axes which are not quite perpendicular. */
export const SQUARES_LOWERED = 1 - 2 ** -33;

/** The size of the coordinates of all bodies: what is computed of them is rounded relative to it. */
export function magnitudeOf(octree: Octree): number {
  let magnitude = 0;
  // The root of an octree whose last body was removed has a box that is turned inside out. `region` would not do: it
  // does not apply the queue.
  if (octree.size > 0)
    octree.walk(({ fitted: { min, max } }) => {
      for (const { x, y, z } of [min, max]) magnitude = Math.max(magnitude, Math.abs(x), Math.abs(y), Math.abs(z));
      return WalkSignal.Stop;
    });
  return magnitude;
}

/** A convex shape that moves along a line. All in world units; it moves by `motion` from time 0 to 1. */
export class TrianglePath implements Volume {
  readonly start = new Float64Array(3);
  readonly motion = new Float64Array(3);
  /** The shape: all sums of the three vectors with factors from -1 to 1, and a sphere around. */
  readonly halves = new Float64Array(9);
  radius = 0;
  /** The largest time of interest, finite. */
  limit = 1;
  /** The box around the whole path: min, then max. A little larger. */
  readonly box = new Float64Array(6);
  /** Half the size of the box around the shape. A little larger. */
  readonly half = new Float64Array(3);
  /** Bound of the errors of coordinates, world units. */
  private error = 0;
  /** Size of the shape and its motion, world units. */
  private extent = 0;

  /** See `setSlab`. In the space of the boxes, and in the world. */
  private readonly slabs = new Float64Array(9);
  private readonly worldSlabs = new Float64Array(9);

  /** Computes the box around the path. */
  finish(): void {
    const { start, motion, halves, radius, box, half, worldSlabs } = this;
    let magnitude = radius;
    for (let k = 0; k < 9; k++) magnitude += Math.abs(halves[k]);
    for (let k = 0; k < 3; k++) magnitude += Math.abs(motion[k]);
    this.extent = magnitude;
    for (let k = 0; k < 3; k++) magnitude += Math.abs(start[k]);
    this.error = 4 * WORLD_ERROR * magnitude;
    for (let k = 0; k < 3; k++) {
      half[k] = Math.abs(halves[k]) + Math.abs(halves[k + 3]) + Math.abs(halves[k + 6]) + radius + this.error;
      setSlab(worldSlabs, k, start[k], half[k], motion[k]);
      // Beyond the limit there are no bodies.
      box[k] = clamp(start[k] + Math.min(motion[k], 0) - half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT);
      box[k + 3] = clamp(start[k] + Math.max(motion[k], 0) + half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT);
    }
  }

  /** Transforms motion and half size too, and enlarges the half size by all errors. */
  enter(mesh: SceneMesh, root: TreeRoot): void {
    const { motion, halves, radius, slabs } = this;
    const { inverse: r, rowLengths } = mesh;
    toLocal(mesh, root, this.start, this.extent);
    for (let k = 0; k < 3; k++) {
      const a = r[3 * k];
      const b = r[3 * k + 1];
      const c = r[3 * k + 2];
      let half = errors[k] + radius * rowLengths[k];
      for (let j = 0; j < 9; j += 3) half += Math.abs(a * halves[j] + b * halves[j + 1] + c * halves[j + 2]);
      setSlab(slabs, k, localPoint[k], half, a * motion[0] + b * motion[1] + c * motion[2]);
    }
  }

  /** Whether the shape stays on one side of the plane of a triangle until `limit`, or a vertex is not finite. */
  isBeside(t: Float64Array): boolean {
    const { start, motion, halves } = this;
    const abx = t[3] - t[0];
    const aby = t[4] - t[1];
    const abz = t[5] - t[2];
    const acx = t[6] - t[0];
    const acy = t[7] - t[1];
    const acz = t[8] - t[2];
    const x = aby * acz - abz * acy;
    const y = abz * acx - abx * acz;
    const z = abx * acy - aby * acx;
    const sx = start[0] - t[0];
    const sy = start[1] - t[1];
    const sz = start[2] - t[2];
    const from = x * sx + y * sy + z * sz;
    const to = from + (x * motion[0] + y * motion[1] + z * motion[2]) * this.limit;
    // A vertex that is not finite: no shape touches the triangle.
    if (!(Math.abs(from) < Infinity)) return true;
    let reach = (this.radius + this.error) * Math.sqrt(x * x + y * y + z * z);
    for (let k = 0; k < 9; k += 3) reach += Math.abs(x * halves[k] + y * halves[k + 1] + z * halves[k + 2]);
    // The errors of the normal are relative to the edges.
    const edges = (Math.abs(abx) + Math.abs(aby) + Math.abs(abz)) * (Math.abs(acx) + Math.abs(acy) + Math.abs(acz));
    reach += WORLD_ERROR * edges * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz) + this.extent);
    return (from > reach && to > reach) || (from < -reach && to < -reach);
  }

  /**
   * Slab test: when the start enters a box enlarged by the half size. Without motion along an axis times are infinite,
   * or NaN in the face of the box: comparisons with it are false.
   */
  boundOf(boxes: Boxes, at: number): number {
    const { slabs } = this;
    let enter = 0;
    let leave = this.limit;
    for (let k = 0; k < 3; k++) {
      const inverse = slabs[k + 6];
      const low = (boxes[at + k] - slabs[k]) * inverse;
      const high = (boxes[at + k + 3] - slabs[k + 3]) * inverse;
      const first = inverse > 0 ? low : high;
      const last = inverse > 0 ? high : low;
      if (first > enter) enter = first;
      if (last < leave) leave = last;
    }
    return enter <= leave ? enter : NOTHING;
  }

  place(local: Float64Array, matrix: Float64Array, triangle: Float64Array): boolean {
    const { worldSlabs } = this;
    let enter = 0;
    let leave = this.limit;
    for (let k = 0; k < 3; k++) {
      transformAxis(local, matrix, k, triangle);
      const inverse = worldSlabs[k + 6];
      const low = (Math.min(triangle[k], triangle[k + 3], triangle[k + 6]) - worldSlabs[k]) * inverse;
      const high = (Math.max(triangle[k], triangle[k + 3], triangle[k + 6]) - worldSlabs[k + 3]) * inverse;
      const first = inverse > 0 ? low : high;
      const last = inverse > 0 ? high : low;
      if (first > enter) enter = first;
      if (last < leave) leave = last;
      if (enter > leave * LEAVE_RAISED) return false;
    }
    return true;
  }
}

/**
 * Rounding of the times of the world slabs, which is relative to the way of a ray; half sizes hold the absolute errors.
 * Test: rounding.test.
 */
const LEAVE_RAISED = 1 + 2 ** -40;

/** Start plus half size (0 to 2), start minus half size (3 to 5), and 1 by the motion, which may be infinite. */
function setSlab(slabs: Float64Array, k: number, start: number, half: number, motion: number): void {
  slabs[k] = start + half;
  slabs[k + 3] = start - half;
  slabs[k + 6] = 1 / motion;
}

/** A sphere around a point, whose squared radius is the limit. */
export class PointRange implements Volume {
  readonly center = new Float64Array(3);
  limit = Infinity;
  private isOrthogonal = false;
  /** See `setSlab`: the center, all errors, and the length of a unit of each axis in the world. */
  private readonly slabs = new Float64Array(9);

  enter(mesh: SceneMesh, root: TreeRoot): void {
    const { slabs } = this;
    this.isOrthogonal = mesh.isOrthogonal;
    toLocal(mesh, root, this.center, 0);
    for (let k = 0; k < 3; k++) setSlab(slabs, k, localPoint[k], errors[k], mesh.rowLengths[k]);
  }

  /**
   * A lower bound of the squared distance in the world. Along a local axis the distance from a face is that in local
   * space divided by the length of the row of the inverse: the largest of the three is a bound under every matrix, and
   * their sum of squares if the rows are perpendicular.
   */
  boundOf(boxes: Boxes, at: number): number {
    const { slabs } = this;
    let sum = 0;
    let largest = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(boxes[at + k] - slabs[k], slabs[k + 3] - boxes[at + k + 3], 0) * slabs[k + 6];
      sum += gap * gap;
      largest = Math.max(largest, gap * gap);
    }
    return (this.isOrthogonal ? sum : largest) * SQUARES_LOWERED;
  }

  place(local: Float64Array, matrix: Float64Array, triangle: Float64Array): boolean {
    const { center } = this;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      transformAxis(local, matrix, k, triangle);
      const below = Math.min(triangle[k], triangle[k + 3], triangle[k + 6]) - center[k];
      const above = center[k] - Math.max(triangle[k], triangle[k + 3], triangle[k + 6]);
      const gap = Math.max(below, above, 0);
      sum += gap * gap;
      // NaN too.
      if (!(sum * SQUARES_LOWERED <= this.limit)) return false;
    }
    return true;
  }
}

const localPoint = /* @__PURE__ */ new Float64Array(3);
const errors = /* @__PURE__ */ new Float64Array(3);

/**
 * Transforms a point to the space of the boxes of a tree: `localPoint`. `errors` gets bounds of all errors along each
 * axis there; `extent` is the size of what is at the point.
 */
function toLocal(mesh: SceneMesh, root: TreeRoot, point: Float64Array, extent: number): void {
  const { inverse: r, matrix: m, toWorld, rowLengths, stretches } = mesh;
  const { magnitude } = root;
  let world = extent;
  for (let k = 0; k < 3; k++) world += Math.abs(point[k]) + Math.abs(m[12 + k]);
  const x = point[0] - toWorld[12];
  const y = point[1] - toWorld[13];
  const z = point[2] - toWorld[14];
  for (let k = 0; k < 3; k++) {
    localPoint[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
    // Up to a condition of 1,000 the inverse has lost three digits.
    errors[k] = 1e3 * WORLD_ERROR * rowLengths[k] * world + BOX_ERROR * magnitude * stretches[k];
  }
}

/** The box around a transformed box: see `transformBox` of scenes, for flat numbers. */
export function transformBox(boxes: Boxes, at: number, m: Float64Array, target: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    let low = m[12 + k];
    let high = low;
    for (let j = 0; j < 3; j++) {
      const a = m[4 * j + k] * boxes[at + j];
      const b = m[4 * j + k] * boxes[at + j + 3];
      low += a < b ? a : b;
      high += a < b ? b : a;
    }
    target[k] = low;
    target[k + 3] = high;
  }
}
