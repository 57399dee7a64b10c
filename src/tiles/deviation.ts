/**
 * How far two meshes are apart: the largest distance of a point of one to the other, both ways (Hausdorff). What a
 * simplifier reports is no bound of it; this is.
 */

import { lengthOf } from './grid.ts';

/** Triangles: `stride` numbers a vertex, of which the first three are the position. */
export interface Surface {
  readonly vertices: Float32Array | Float64Array;
  readonly stride: number;
  readonly index: Uint32Array;
}

/** By how much a result may exceed the true distance. Test: deviation.test. */
const TOLERANCE = 1.01;
/** Numbers of a triangle: its three corners. */
const CORNERS = 9;
/**
 * Parts of triangles that one comparison looks at. What is open after that counts with the bound that it has. Test:
 * deviation.test.
 */
const MAX_PARTS = 100_000;

/**
 * A bound of the distance of two meshes, at most 1 % above it. Distances below `floor` are not looked at: the result is
 * at least that. Infinity if the distance is above `limit`.
 */
export function deviationOf(a: Surface, b: Surface, floor: number, limit: number): number {
  const [first, second] = [new SurfaceTree(a), new SurfaceTree(b)];
  const there = largestDistance(first.corners, second, floor, limit);
  return there === Infinity ? there : largestDistance(second.corners, first, there, limit);
}

/**
 * The largest distance of a point of triangles to a surface. A triangle is cut until it has no point that is further
 * away than what is known: by the distance of its centroid and its size, or because its corners are near one triangle,
 * which is convex.
 */
function largestDistance(corners: Float64Array, to: SurfaceTree, floor: number, limit: number): number {
  let known = floor / TOLERANCE;
  let parts = 0;
  const stack: number[] = [];
  for (let from = 0; from < corners.length; from += CORNERS) {
    for (let k = 0; k < CORNERS; k++) stack[k] = corners[from + k];
    for (let top = CORNERS; top > 0;) {
      top -= CORNERS;
      const [ax, ay, az] = [stack[top], stack[top + 1], stack[top + 2]];
      const [bx, by, bz] = [stack[top + 3], stack[top + 4], stack[top + 5]];
      const [cx, cy, cz] = [stack[top + 6], stack[top + 7], stack[top + 8]];
      const [x, y, z] = [(ax + bx + cx) / 3, (ay + by + cy) / 3, (az + bz + cz) / 3];
      const radius = Math.max(
        lengthOf(ax - x, ay - y, az - z),
        lengthOf(bx - x, by - y, bz - z),
        lengthOf(cx - x, cy - y, cz - z),
      );
      const distance = Math.sqrt(to.nearest(x, y, z, known * TOLERANCE - radius));
      if (distance + radius <= known * TOLERANCE) continue;
      known = Math.max(known, distance);
      if (known > limit) return Infinity;
      const furthest = Math.max(
        to.squaredDistance(to.triangle, ax, ay, az),
        to.squaredDistance(to.triangle, bx, by, bz),
        to.squaredDistance(to.triangle, cx, cy, cz),
      );
      const bound = Math.min(distance + radius, Math.sqrt(furthest));
      if (bound <= known * TOLERANCE) continue;
      if (++parts > MAX_PARTS) {
        known = Math.max(known, bound / TOLERANCE);
        continue;
      }
      const ab = lengthOf(ax - bx, ay - by, az - bz);
      const bc = lengthOf(bx - cx, by - cy, bz - cz);
      const ca = lengthOf(cx - ax, cy - ay, cz - az);
      // Half of the longest edge to each part: its middle takes the place of one end, then of the other.
      const [p, q] = ab >= bc && ab >= ca ? [0, 3] : bc >= ca ? [3, 6] : [6, 0];
      for (let k = 0; k < CORNERS; k++) stack[top + CORNERS + k] = stack[top + k];
      for (let axis = 0; axis < 3; axis++) {
        const middle = (stack[top + p + axis] + stack[top + q + axis]) / 2;
        stack[top + q + axis] = stack[top + CORNERS + p + axis] = middle;
      }
      top += 2 * CORNERS;
    }
  }
  return known > limit ? Infinity : known * TOLERANCE;
}

/** Finds the nearest triangle of a surface: a tree of boxes, whose triangles are halved by the longest axis. */
class SurfaceTree {
  /** The corners of the triangles, in the order of the tree. */
  readonly corners: Float64Array;
  /** The triangle that `nearest` has found. */
  triangle = 0;

  private readonly root: Node;
  private best = 0;
  private enough = 0;

  constructor({ vertices, stride, index }: Surface) {
    const unsorted = new Float64Array(3 * index.length);
    index.forEach((vertex, corner) => {
      for (let axis = 0; axis < 3; axis++) unsorted[3 * corner + axis] = vertices[vertex * stride + axis];
    });
    const order = Uint32Array.from({ length: index.length / 3 }, (_, k) => k);
    this.root = nodeOf(unsorted, order, 0, order.length);
    this.corners = new Float64Array(unsorted.length);
    order.forEach((triangle, k) =>
      this.corners.set(unsorted.subarray(CORNERS * triangle, CORNERS * (triangle + 1)), CORNERS * k),
    );
  }

  /** The squared distance to the surface, or to a triangle that is no further away than `enough`. */
  nearest(x: number, y: number, z: number, enough: number): number {
    this.enough = enough > 0 ? enough * enough : -1;
    // The triangle found last is often near.
    this.best = this.squaredDistance(this.triangle, x, y, z);
    if (this.best > this.enough) this.visit(this.root, x, y, z);
    return this.best;
  }

  private visit({ halves, begin, end }: Node, x: number, y: number, z: number): void {
    if (halves === null) {
      for (let k = begin; k < end; k++) {
        const squared = this.squaredDistance(k, x, y, z);
        if (squared >= this.best) continue;
        this.best = squared;
        this.triangle = k;
      }
      return;
    }
    const toFirst = boxDistance(halves[0], x, y, z);
    const toSecond = boxDistance(halves[1], x, y, z);
    const near = toFirst <= toSecond ? 0 : 1;
    if (Math.min(toFirst, toSecond) < this.best) this.visit(halves[near], x, y, z);
    if (this.best > this.enough && Math.max(toFirst, toSecond) < this.best) this.visit(halves[1 - near], x, y, z);
  }

  /**
   * The squared distance of a point to a triangle: to its plane if the point is above the triangle, else to an edge.
   */
  squaredDistance(triangle: number, x: number, y: number, z: number): number {
    const { corners } = this;
    const at = CORNERS * triangle;
    // From a corner to the others, and to the point.
    const ux = corners[at + 3] - corners[at];
    const uy = corners[at + 4] - corners[at + 1];
    const uz = corners[at + 5] - corners[at + 2];
    const vx = corners[at + 6] - corners[at];
    const vy = corners[at + 7] - corners[at + 1];
    const vz = corners[at + 8] - corners[at + 2];
    const px = x - corners[at];
    const py = y - corners[at + 1];
    const pz = z - corners[at + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const d1 = ux * px + uy * py + uz * pz;
    const d2 = vx * px + vy * py + vz * pz;
    // Twice the areas against each corner.
    const c = uu * d2 - uv * d1;
    const b = vv * d1 - uv * d2;
    const area = uu * vv - uv * uv;
    if (b >= 0 && c >= 0 && b + c <= area && area > 0)
      return squaredLength(px - (b * ux + c * vx) / area, py - (b * uy + c * vy) / area, pz - (b * uz + c * vz) / area);
    // The nearest point is on one of the edges.
    const p = clamped(d1, uu);
    const q = clamped(d2, vv);
    const r = clamped(d2 - uv - d1 + uu, uu - 2 * uv + vv);
    return Math.min(
      squaredLength(px - p * ux, py - p * uy, pz - p * uz),
      squaredLength(px - q * vx, py - q * vy, pz - q * vz),
      squaredLength(px - ux + r * (ux - vx), py - uy + r * (uy - vy), pz - uz + r * (uz - vz)),
    );
  }
}

/** A box around triangles of a tree. */
interface Node {
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Where its triangles begin and end. */
  readonly begin: number;
  readonly end: number;
  /** Null for a leaf. */
  readonly halves: readonly [Node, Node] | null;
}

/** Sorts triangles into a tree. */
function nodeOf(corners: Float64Array, order: Uint32Array, begin: number, end: number): Node {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = begin; k < end; k++)
    for (let at = 0; at < CORNERS; at++) {
      const value = corners[CORNERS * order[k] + at];
      if (value < low[at % 3]) low[at % 3] = value;
      if (value > high[at % 3]) high[at % 3] = value;
    }
  // With leaves of a single triangle, writing took at least 1.13 times as long.
  if (end - begin <= 4) return { low, high, begin, end, halves: null };
  const sizes = low.map((least, axis) => high[axis] - least);
  const axis = sizes.indexOf(Math.max(...sizes));
  const keyOf = (triangle: number): number => {
    const at = CORNERS * triangle + axis;
    return corners[at] + corners[at + 3] + corners[at + 6];
  };
  order.subarray(begin, end).sort((a, b) => keyOf(a) - keyOf(b) || a - b);
  const middle = (begin + end) >> 1;
  const halves = [nodeOf(corners, order, begin, middle), nodeOf(corners, order, middle, end)] as const;
  return { low, high, begin, end, halves };
}

function boxDistance({ low, high }: Node, x: number, y: number, z: number): number {
  const dx = Math.max(low[0] - x, x - high[0], 0);
  const dy = Math.max(low[1] - y, y - high[1], 0);
  const dz = Math.max(low[2] - z, z - high[2], 0);
  return dx * dx + dy * dy + dz * dz;
}

/** How far along an edge the nearest point is, from 0 to 1. */
const clamped = (along: number, length: number): number => (length > 0 ? Math.max(0, Math.min(1, along / length)) : 0);
const squaredLength = (x: number, y: number, z: number): number => x * x + y * y + z * z;
