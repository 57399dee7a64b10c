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
import type { SceneMesh } from './scene-mesh.ts';
import type { TreeRoot } from './triangle-tree.ts';

/** The bound of a box that holds nothing of interest. */
export const NOTHING = -1;

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
  boundOf(boxes: Float32Array | Float64Array, at: number): number;
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
  /** The largest time of interest. */
  limit = 1;
  /** The box around the whole path: min, then max. A little larger. */
  readonly box = new Float64Array(6);
  /** Half the size of the box around the shape. A little larger. */
  readonly half = new Float64Array(3);
  /** Bound of the errors of coordinates, world units. */
  private error = 0;
  /** Size of the shape and its motion, world units. */
  private extent = 0;

  /** In the space of the boxes. */
  private readonly localStart = new Float64Array(3);
  private readonly localMotion = new Float64Array(3);
  private readonly localHalf = new Float64Array(3);

  /** Computes the box around the path. */
  finish(): void {
    const { start, motion, halves, radius, box, half } = this;
    let magnitude = radius;
    for (let k = 0; k < 9; k++) magnitude += Math.abs(halves[k]);
    for (let k = 0; k < 3; k++) magnitude += Math.abs(motion[k]);
    this.extent = magnitude;
    for (let k = 0; k < 3; k++) magnitude += Math.abs(start[k]);
    this.error = 4 * WORLD_ERROR * magnitude;
    for (let k = 0; k < 3; k++) {
      half[k] = Math.abs(halves[k]) + Math.abs(halves[k + 3]) + Math.abs(halves[k + 6]) + radius + this.error;
      const end = start[k] + motion[k];
      // Beyond the limit there are no bodies.
      box[k] = clamp(Math.min(start[k], end) - half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT);
      box[k + 3] = clamp(Math.max(start[k], end) + half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT);
    }
  }

  /** Transforms motion and half size too, and enlarges the half size by all errors. */
  enter(mesh: SceneMesh, root: TreeRoot): void {
    const { motion, halves, radius, localMotion, localHalf } = this;
    const { inverse: r, rowLengths } = mesh;
    toLocal(mesh, root, this.start, this.extent, this.localStart, localHalf);
    for (let k = 0; k < 3; k++) {
      const a = r[3 * k];
      const b = r[3 * k + 1];
      const c = r[3 * k + 2];
      localMotion[k] = a * motion[0] + b * motion[1] + c * motion[2];
      localHalf[k] += radius * rowLengths[k];
      for (let j = 0; j < 9; j += 3) localHalf[k] += Math.abs(a * halves[j] + b * halves[j + 1] + c * halves[j + 2]);
    }
  }

  boundOf(boxes: Float32Array | Float64Array, at: number): number {
    return this.enterTime(this.localStart, this.localMotion, this.localHalf, boxes, at);
  }

  /** Whether neither the box around a triangle nor its plane lies clear of the shape until `limit`. */
  mayTouch(triangle: Float64Array): boolean {
    writeBounds(triangle, worldBox);
    return !(this.enterTime(this.start, this.motion, this.half, worldBox, 0) < 0) && !this.isBeside(triangle);
  }

  /** Whether the shape stays on one side of the plane of a triangle until `limit`. */
  private isBeside(t: Float64Array): boolean {
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

  /** Slab test: when a point that moves enters a box enlarged by `half`; `NOTHING` if it does not until `limit`. */
  private enterTime(
    start: Float64Array,
    motion: Float64Array,
    half: Float64Array,
    boxes: Float32Array | Float64Array,
    at: number,
  ): number {
    let enter = 0;
    let leave = this.limit;
    for (let k = 0; k < 3; k++) {
      const low = boxes[at + k] - half[k] - start[k];
      const high = boxes[at + k + 3] + half[k] - start[k];
      const speed = motion[k];
      if (speed === 0) {
        if (low > 0 || high < 0) return NOTHING;
      } else {
        const first = (speed > 0 ? low : high) / speed;
        const last = (speed > 0 ? high : low) / speed;
        if (first > enter) enter = first;
        if (last < leave) leave = last;
        if (enter > leave) return NOTHING;
      }
    }
    return enter;
  }
}

/** A sphere around a point, whose squared radius is the limit. */
export class PointRange implements Volume {
  readonly center = new Float64Array(3);
  limit = Infinity;
  private mesh!: SceneMesh;
  private readonly local = new Float64Array(3);
  /** Length in the space of the boxes that counts as error. */
  private readonly errors = new Float64Array(3);

  /** Whether the box around a triangle is within the radius. */
  mayReach(triangle: Float64Array): boolean {
    const { center } = this;
    writeBounds(triangle, worldBox);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(worldBox[k] - center[k], center[k] - worldBox[k + 3], 0);
      sum += gap * gap;
    }
    return sum * SQUARES_LOWERED <= this.limit;
  }

  enter(mesh: SceneMesh, root: TreeRoot): void {
    this.mesh = mesh;
    toLocal(mesh, root, this.center, 0, this.local, this.errors);
  }

  /**
   * A lower bound of the squared distance of a box in the world. The faces of a box across a local axis are parallel
   * planes in the world, and their distance is that along the axis divided by the length of its row of the inverse. So
   * the largest of the three is a lower bound under every matrix, and their sum of squares if the rows are
   * perpendicular.
   */
  boundOf(boxes: Float32Array | Float64Array, at: number): number {
    const { local, errors } = this;
    const { rowLengths, isOrthogonal } = this.mesh;
    let sum = 0;
    let largest = 0;
    for (let k = 0; k < 3; k++) {
      const gap = (Math.max(boxes[at + k] - local[k], local[k] - boxes[at + k + 3]) - errors[k]) / rowLengths[k];
      if (!(gap > 0)) continue;
      sum += gap * gap;
      largest = Math.max(largest, gap * gap);
    }
    return (isOrthogonal ? sum : largest) * SQUARES_LOWERED;
  }
}

/**
 * Transforms a point to the space of the boxes of a tree. `errors` gets bounds of all errors along each axis there;
 * `extent` is the size of what is at the point.
 */
function toLocal(
  mesh: SceneMesh,
  root: TreeRoot,
  point: Float64Array,
  extent: number,
  local: Float64Array,
  errors: Float64Array,
): void {
  const { inverse: r, matrix: m, toWorld, rowLengths, stretches } = mesh;
  const { magnitude } = root;
  let world = extent;
  for (let k = 0; k < 3; k++) world += Math.abs(point[k]) + Math.abs(m[12 + k]);
  const x = point[0] - toWorld[12];
  const y = point[1] - toWorld[13];
  const z = point[2] - toWorld[14];
  for (let k = 0; k < 3; k++) {
    local[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
    // Up to a condition of 1,000 the inverse has lost three digits.
    errors[k] = 1e3 * WORLD_ERROR * rowLengths[k] * world + BOX_ERROR * magnitude * stretches[k];
  }
}

const worldBox = /* @__PURE__ */ new Float64Array(6);

/** The box around a triangle. */
function writeBounds(t: Float64Array, target: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const a = t[k];
    const b = t[k + 3];
    const c = t[k + 6];
    target[k] = a < b ? (a < c ? a : c) : b < c ? b : c;
    target[k + 3] = a > b ? (a > c ? a : c) : b > c ? b : c;
  }
}

/** The box around a transformed box: see `transformBox` of scenes, for flat numbers. */
export function transformBox(
  boxes: Float32Array | Float64Array,
  at: number,
  m: Float64Array,
  target: Float64Array,
): void {
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
