/**
 * What the walk of a tree asks of its boxes: the way of a shape, and what is around a point. Boxes of nodes are
 * compared in the local space of a mesh, because that takes one transformation a query in place of one a node, and
 * boxes around transformed boxes are larger: in the world rays and nearest points visit 1.5 to 2.5 times as many.
 * Triangles are compared in the world, because a scale that differs along the axes keeps no distances. A shape that
 * moves along a line does so in both spaces, and arrives at the same time. Every comparison is conservative.
 */

import { type Boxes, clamp } from '../math/box.ts';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import type { BoxLike } from '../octree/input/shapes.ts';
import type { Octree } from '../three-math/octree.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import { WalkSignal } from '../tree/traverse/walk-nodes.ts';
import type { GeometryTriangles } from './geometry-triangles.ts';
import type { SceneMesh } from './scene-mesh.ts';
import type { TreeRoot } from './triangle-tree.ts';

/** The bound of a box that holds nothing of interest. */
export const NOTHING = -1;

/** What boxes are read by, those of nodes and of triangles. */
export interface BoxReader {
  /** Gets the interval of a box along axis `k`, one axis after the other. False: nothing in the box is of interest. */
  accepts(k: number, low: number, high: number, isLocal: boolean): boolean;
}

/** Where triangles are looked for. */
export interface Volume extends BoxReader {
  /** The largest bound of interest. A visitor of triangles lowers it. */
  limit: number;
  /**
   * The first number is a lower bound for what is in the box that was accepted: a time, a squared distance, or a place
   * in a region of the screen.
   */
  readonly bound: Float64Array;
  /** Goes to the local space of a mesh. Without it all boxes are read in the world. */
  enter?(mesh: SceneMesh, root: TreeRoot): void;
}

/** The error of coordinates in the world, relative to the largest of them: 128 errors of Float64. */
export const WORLD_ERROR = 2 ** -46;
/** The error of the boxes of a tree, relative to the largest coordinate: 8 errors of Float32. */
export const BOX_ERROR = 2 ** -21;
/** Lowers the square of a distance by its rounding error. */
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

/** A box for queries of an octree: larger by a distance, and cut at the limit of coordinates, where bodies end. */
export function boxOf(box: Float64Array, distance: number): BoxLike {
  const at = (k: number, by: number): number => clamp(box[k] + by, -COORDINATE_LIMIT, COORDINATE_LIMIT);
  return {
    min: { x: at(0, -distance), y: at(1, -distance), z: at(2, -distance) },
    max: { x: at(3, distance), y: at(4, distance), z: at(5, distance) },
  };
}

/** Writes all bodies to a list. */
export function collectAll(octree: Octree, list: IndexList, options?: { readonly mask: number }): void {
  octree.collectBox(boxOf(new Float64Array(6), Infinity), list, options);
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
  /** The times at which the shape enters and leaves the box that is read. */
  readonly bound = new Float64Array(2);
  /** Size of the shape and its motion, world units. */
  private extent = 0;
  /** Start plus half size (0 to 2), start minus half size (3 to 5), and 1 by the motion, which may be infinite. */
  private readonly slabs = new Float64Array(9);
  private readonly localSlabs = new Float64Array(9);

  /** Computes the box around the path. */
  finish(): void {
    const { start, motion, halves, radius, box, half, slabs } = this;
    let magnitude = radius;
    for (let k = 0; k < 9; k++) magnitude += Math.abs(halves[k]);
    for (let k = 0; k < 3; k++) magnitude += Math.abs(motion[k]);
    this.extent = magnitude;
    for (let k = 0; k < 3; k++) magnitude += Math.abs(start[k]);
    const error = 4 * WORLD_ERROR * magnitude;
    for (let k = 0; k < 3; k++) {
      half[k] = Math.abs(halves[k]) + Math.abs(halves[k + 3]) + Math.abs(halves[k + 6]) + radius + error;
      setSlab(slabs, k, start[k], half[k], motion[k]);
      box[k] = start[k] + Math.min(motion[k], 0) - half[k];
      box[k + 3] = start[k] + Math.max(motion[k], 0) + half[k];
    }
  }

  /** Transforms motion and half size too, and enlarges the half size by all errors. */
  enter(mesh: SceneMesh, root: TreeRoot): void {
    const { motion, halves, radius, localSlabs } = this;
    const { inverse: r, rowLengths } = mesh;
    toLocal(mesh, root, this.start, this.extent);
    for (let k = 0; k < 3; k++) {
      const a = r[3 * k];
      const b = r[3 * k + 1];
      const c = r[3 * k + 2];
      let half = errors[k] + radius * rowLengths[k];
      for (let j = 0; j < 9; j += 3) half += Math.abs(a * halves[j] + b * halves[j + 1] + c * halves[j + 2]);
      setSlab(localSlabs, k, localPoint[k], half, a * motion[0] + b * motion[1] + c * motion[2]);
    }
  }

  /**
   * Slab test: when the start enters a box enlarged by the half size. Without motion along an axis times are infinite,
   * or NaN in the face of the box: comparisons with it are false.
   */
  accepts(k: number, low: number, high: number, isLocal: boolean): boolean {
    const slabs = isLocal ? this.localSlabs : this.slabs;
    const { bound } = this;
    if (k === 0) {
      bound[0] = 0;
      bound[1] = this.limit;
    }
    const inverse = slabs[k + 6];
    const a = (low - slabs[k]) * inverse;
    const b = (high - slabs[k + 3]) * inverse;
    const first = inverse > 0 ? a : b;
    const last = inverse > 0 ? b : a;
    if (first > bound[0]) bound[0] = first;
    if (last < bound[1]) bound[1] = last;
    return bound[0] <= bound[1] * LEAVE_RAISED;
  }
}

/**
 * Rounding of times, which is relative to the way of a ray; half sizes hold the absolute errors. Test: rounding.test.
 */
const LEAVE_RAISED = 1 + 2 ** -40;

/** A sphere around a point, whose squared radius is the limit. */
export class PointRange implements Volume {
  /** The point as a segment: both ends. */
  readonly point = new Float64Array(6);
  readonly center = this.point.subarray(0, 3);
  limit = Infinity;
  /** The squared distance of the box that is read. */
  readonly bound = new Float64Array(1);
  /** The center plus and minus all errors, and the length of a unit of each axis in the world. */
  private readonly slabs = new Float64Array(9);
  private readonly localSlabs = new Float64Array(9);

  /** Reads the center. */
  finish(): void {
    for (let k = 0; k < 3; k++) setSlab(this.slabs, k, this.center[k], 0, 1);
    this.point.copyWithin(3, 0, 3);
  }

  enter(mesh: SceneMesh, root: TreeRoot): void {
    toLocal(mesh, root, this.center, 0);
    for (let k = 0; k < 3; k++)
      // Axes that are not quite perpendicular make distances a little shorter.
      setSlab(this.localSlabs, k, localPoint[k], errors[k], mesh.rowLengths[k] * (1 + 4 * mesh.skew));
  }

  /** Squared distances along perpendicular axes add up. */
  accepts(k: number, low: number, high: number, isLocal: boolean): boolean {
    const slabs = isLocal ? this.localSlabs : this.slabs;
    const { bound } = this;
    if (k === 0) bound[0] = 0;
    const gap = Math.max(low - slabs[k], slabs[k + 3] - high, 0) * slabs[k + 6];
    bound[0] += gap * gap * SQUARES_LOWERED;
    return bound[0] <= this.limit;
  }
}

/** Start plus half size (0 to 2), start minus half size (3 to 5), and 1 by the motion, which may be infinite. */
function setSlab(slabs: Float64Array, k: number, start: number, half: number, motion: number): void {
  slabs[k] = start + half;
  slabs[k + 3] = start - half;
  slabs[k + 6] = 1 / motion;
}

const localPoint = /* @__PURE__ */ new Float64Array(3);
const errors = /* @__PURE__ */ new Float64Array(3);

/**
 * Transforms a point to local space: `localPoint`. `errors` gets bounds of all errors along each axis there; `extent`
 * is the size of what is at the point.
 */
function toLocal(mesh: SceneMesh, root: TreeRoot, point: Float64Array, extent: number): void {
  const { inverse: r, matrix: m, rowLengths, skew } = mesh;
  const { magnitude } = root;
  const x = point[0] - m[12];
  const y = point[1] - m[13];
  const z = point[2] - m[14];
  let reach = extent + Math.abs(x) + Math.abs(y) + Math.abs(z);
  let world = 0;
  for (let k = 0; k < 3; k++) {
    reach += magnitude / rowLengths[k];
    world += Math.abs(point[k]) + Math.abs(m[12 + k]);
  }
  // An axis takes part of the coordinates along another one: the cosine, of the way from the origin of the mesh.
  const error = 4 * skew * reach + 4 * WORLD_ERROR * (reach + world);
  for (let k = 0; k < 3; k++) {
    localPoint[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
    errors[k] = error * rowLengths[k] + BOX_ERROR * magnitude;
  }
}

/** Bound of the errors of the boxes and triangles of a tree in the world, world units. */
export function errorOf(root: TreeRoot, m: Float64Array): number {
  const { magnitude } = root;
  let error = 0;
  for (let k = 0; k < 3; k++) {
    const stretch = magnitude * (Math.abs(m[k]) + Math.abs(m[k + 4]) + Math.abs(m[k + 8]));
    error += WORLD_ERROR * (stretch + Math.abs(m[k + 12])) + BOX_ERROR * stretch;
  }
  return error;
}

/** Reads a box of an octree, larger by an error. */
export function readBox(boxes: Boxes, at: number, error: number, reader: BoxReader): boolean {
  for (let k = at; k < at + 3; k++)
    // Boxes of unused nodes are turned inside out.
    if (!(boxes[k] <= boxes[k + 3]) || !reader.accepts(k - at, boxes[k] - error, boxes[k + 3] + error, false))
      return false;
  return true;
}

/** Reads the box of a node, in the world if not in local space, and larger by an error there. */
export function readNode(
  { boxes }: TreeRoot,
  node: number,
  m: Float64Array,
  error: number,
  isLocal: boolean,
  reader: BoxReader,
): boolean {
  for (let k = 0; k < 3; k++) {
    let low = boxes[node + k];
    let high = boxes[node + k + 3];
    if (!isLocal) {
      low = m[12 + k] - error;
      high = m[12 + k] + error;
      for (let j = 0; j < 3; j++) {
        const a = m[4 * j + k] * boxes[node + j];
        const b = m[4 * j + k] * boxes[node + j + 3];
        low += a < b ? a : b;
        high += a < b ? b : a;
      }
    }
    if (!reader.accepts(k, low, high, isLocal)) return false;
  }
  return true;
}

const local = /* @__PURE__ */ new Float64Array(9);

/** Reads the box of a triangle in the world, and writes its vertices. A triangle that is not finite is no interest. */
export function readTriangle(
  triangles: GeometryTriangles,
  corner: number,
  m: Float64Array,
  target: Float64Array,
  reader: BoxReader,
): boolean {
  triangles.readTriangle(corner, local);
  for (let k = 0; k < 3; k++) {
    const x = m[k];
    const y = m[k + 4];
    const z = m[k + 8];
    const shift = m[k + 12];
    const a = x * local[0] + y * local[1] + z * local[2] + shift;
    const b = x * local[3] + y * local[4] + z * local[5] + shift;
    const c = x * local[6] + y * local[7] + z * local[8] + shift;
    target[k] = a;
    target[k + 3] = b;
    target[k + 6] = c;
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    if (!(high - low < Infinity) || !reader.accepts(k, low, high, false)) return false;
  }
  return true;
}
