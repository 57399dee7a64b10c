/**
 * Exact tests of boxes and spheres against a convex polyhedron: the intersection of the inner half-spaces of planes.
 * The plane test (FrustumPlanes) is only conservative: a big box beside a corner can touch the inner side of every
 * plane without touching the volume. The volume is clipped to the box around the scene, so that it is bounded even for
 * a frustum without a far plane. A volume without corners is empty.
 *
 * Boxes: separating axis test. The axes are the three of the box, and their cross products with the edges of the
 * volume. The normals of the planes are axes too; the plane test, which the caller runs first, covers them. Spheres:
 * distance from the centre to the nearest face, edge or corner. Both tests keep a shape whose gap to the volume is at
 * most 1e-9 of the scene's largest coordinate.
 *
 * Nothing is allocated once the arrays are long enough. Source of the axes: Gottschalk, Lin, Manocha, "OBBTree: A
 * Hierarchical Structure for Rapid Interference Detection", 1996.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { PLANE_STRIDE, type FrustumPlanes } from './frustum-planes.ts';
import { withCapacity } from './typed-arrays.ts';

/**
 * A shape with a smaller gap to the volume touches it. Relative to the largest coordinate of the scene, or to 1 if that
 * is larger.
 */
const MAX_GAP = 1e-9;
/**
 * Unit vectors whose cross product is shorter are parallel, and planes with a smaller determinant of their normals have
 * no point in common.
 */
const MIN_SINE = 1e-9;
/** Numbers of a corner: x y z. It has as many numbers in `cornerPlanes`: the planes that meet there. */
const CORNER_STRIDE = 3;
/** Numbers of an axis: x y z of a unit vector, and the interval of the volume along it. */
const AXIS_STRIDE = 5;

export class ConvexVolume {
  /** The planes, then the six faces of the scene box, with unit normals. */
  private planes = new Float64Array(16 * PLANE_STRIDE);
  /** Number of elements of `planes` that are in use; the same for `edgesEnd` and `axesEnd`. */
  private planesEnd = 0;
  private corners = new Float64Array(16 * CORNER_STRIDE);
  private cornerPlanes = new Int32Array(16 * CORNER_STRIDE);
  private cornerCount = 0;
  /** Offsets of two corners for each edge. */
  private edges = new Int32Array(32);
  private edgesEnd = 0;
  private axes = new Float64Array(32 * AXIS_STRIDE);
  private axesEnd = 0;
  /** Gap in world units up to which shapes count as touching. */
  private tolerance = 0;
  /** A point or an axis that was computed, or is tested. In an array, because V8 may box doubles that cross a call. */
  private readonly point = new Float64Array(3);
  /** Radius of the sphere that is tested, plus the tolerance. */
  private readonly tolerantRadius = new Float64Array(1);

  /** Sets the planes. `sceneBox` is the box around all bodies; numbers after the first six are ignored. */
  set({ values, count }: FrustumPlanes, sceneBox: Boxes): void {
    const length = (count + BOX_STRIDE) * PLANE_STRIDE;
    const planes = (this.planes = withCapacity(this.planes, length));
    this.planesEnd = length;
    for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE) {
      const scale = Math.sqrt(
        values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2],
      );
      for (let k = at; k < at + PLANE_STRIDE; k++) planes[k] = values[k] / scale;
    }
    let extent = 1;
    for (let k = 0; k < BOX_STRIDE; k++) {
      const at = (count + k) * PLANE_STRIDE;
      const sign = k < 3 ? 1 : -1;
      for (let axis = 0; axis < 3; axis++) planes[at + axis] = axis === k % 3 ? sign : 0;
      planes[at + 3] = -sign * sceneBox[k];
      extent = Math.max(extent, Math.abs(sceneBox[k]));
    }
    this.tolerance = extent * MAX_GAP;
    this.findCorners();
    this.findEdges();
    this.findAxes(count);
  }

  /** Whether a box touches the volume. The box at offset `at` must already have passed the plane test. */
  intersectsBox(boxes: Boxes, at: number): boolean {
    const { axes, axesEnd, tolerance } = this;
    if (this.cornerCount === 0) return false;
    const halfX = (boxes[at + 3] - boxes[at]) * 0.5;
    const halfY = (boxes[at + 4] - boxes[at + 1]) * 0.5;
    const halfZ = (boxes[at + 5] - boxes[at + 2]) * 0.5;
    const centerX = boxes[at] + halfX;
    const centerY = boxes[at + 1] + halfY;
    const centerZ = boxes[at + 2] + halfZ;
    for (let axis = 0; axis < axesEnd; axis += AXIS_STRIDE) {
      const x = axes[axis];
      const y = axes[axis + 1];
      const z = axes[axis + 2];
      const center = centerX * x + centerY * y + centerZ * z;
      const projectedRadius = halfX * Math.abs(x) + halfY * Math.abs(y) + halfZ * Math.abs(z) + tolerance;
      if (center + projectedRadius < axes[axis + 3] || center - projectedRadius > axes[axis + 4]) return false;
    }
    return true;
  }

  /** Whether the sphere at offset `at` touches the volume. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    const { edges, edgesEnd, cornerCount, planes, planesEnd, point } = this;
    if (cornerCount === 0) return false;
    const x = spheres[at];
    const y = spheres[at + 1];
    const z = spheres[at + 2];
    const tolerantRadius = spheres[at + 3] + this.tolerance;
    this.tolerantRadius[0] = tolerantRadius;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    if (this.containsPoint(false)) return true;
    for (let p = 0; p < planesEnd; p += PLANE_STRIDE) {
      const value = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3];
      if (value >= 0 || value < -tolerantRadius) continue;
      point[0] = x - value * planes[p];
      point[1] = y - value * planes[p + 1];
      point[2] = z - value * planes[p + 2];
      if (this.containsPoint(true)) return true;
    }
    for (let edge = 0; edge < edgesEnd; edge += 2)
      if (this.reachesEdge(spheres, at, edges[edge], edges[edge + 1])) return true;
    return false;
  }

  /**
   * Whether the centre of a sphere is within `tolerantRadius` of the segment between the corners at two offsets, which
   * may be the same.
   */
  private reachesEdge(spheres: Float64Array, at: number, a: number, b: number): boolean {
    const { corners, tolerantRadius } = this;
    const alongX = corners[b] - corners[a];
    const alongY = corners[b + 1] - corners[a + 1];
    const alongZ = corners[b + 2] - corners[a + 2];
    const toX = spheres[at] - corners[a];
    const toY = spheres[at + 1] - corners[a + 1];
    const toZ = spheres[at + 2] - corners[a + 2];
    const lengthSq = alongX * alongX + alongY * alongY + alongZ * alongZ;
    const t = lengthSq > 0 ? Math.min(Math.max((toX * alongX + toY * alongY + toZ * alongZ) / lengthSq, 0), 1) : 0;
    const dx = toX - t * alongX;
    const dy = toY - t * alongY;
    const dz = toZ - t * alongZ;
    return dx * dx + dy * dy + dz * dz <= tolerantRadius[0] * tolerantRadius[0];
  }

  /** Whether `point` is on the inner side of all planes, or at most the tolerance outside if that is allowed. */
  private containsPoint(isTolerant: boolean): boolean {
    const { planes, planesEnd, point } = this;
    const minDistance = isTolerant ? -this.tolerance : 0;
    for (let p = 0; p < planesEnd; p += PLANE_STRIDE) {
      if (planes[p] * point[0] + planes[p + 1] * point[1] + planes[p + 2] * point[2] + planes[p + 3] < minDistance)
        return false;
    }
    return true;
  }

  /** A corner is a point where three planes meet, on the inner side of all other planes. */
  private findCorners(): void {
    const { planes, planesEnd, point } = this;
    this.cornerCount = 0;
    for (let a = 0; a < planesEnd; a += PLANE_STRIDE) {
      for (let b = a + PLANE_STRIDE; b < planesEnd; b += PLANE_STRIDE) {
        for (let c = b + PLANE_STRIDE; c < planesEnd; c += PLANE_STRIDE) {
          if (!writeIntersection(planes, a, b, c, point) || !this.containsPoint(true)) continue;
          const at = CORNER_STRIDE * this.cornerCount++;
          this.corners = withCapacity(this.corners, at + CORNER_STRIDE);
          this.cornerPlanes = withCapacity(this.cornerPlanes, at + CORNER_STRIDE);
          for (let axis = 0; axis < 3; axis++) this.corners[at + axis] = point[axis];
          this.cornerPlanes[at] = a;
          this.cornerPlanes[at + 1] = b;
          this.cornerPlanes[at + 2] = c;
        }
      }
    }
  }

  /**
   * Two corners with two planes in common are the ends of an edge. Each corner alone counts as an edge without length.
   */
  private findEdges(): void {
    const end = this.cornerCount * CORNER_STRIDE;
    this.edgesEnd = 0;
    for (let a = 0; a < end; a += CORNER_STRIDE) {
      for (let b = a; b < end; b += CORNER_STRIDE) {
        if (a !== b && this.sharedPlanes(a, b) < 2) continue;
        this.edges = withCapacity(this.edges, this.edgesEnd + 2);
        this.edges[this.edgesEnd++] = a;
        this.edges[this.edgesEnd++] = b;
      }
    }
  }

  private sharedPlanes(a: number, b: number): number {
    const { cornerPlanes } = this;
    let shared = 0;
    for (let i = a; i < a + CORNER_STRIDE; i++)
      for (let j = b; j < b + CORNER_STRIDE; j++) if (cornerPlanes[i] === cornerPlanes[j]) shared++;
    return shared;
  }

  /** Adds the axes of boxes, and their cross products with the direction of each possible edge of the volume. */
  private findAxes(planeCount: number): void {
    const { planes, point } = this;
    this.axesEnd = 0;
    if (this.cornerCount === 0) return;
    for (let axis = 0; axis < 3; axis++) {
      for (let k = 0; k < 3; k++) point[k] = k === axis ? 1 : 0;
      this.addAxis();
    }
    for (let a = 0; a < planeCount * PLANE_STRIDE; a += PLANE_STRIDE) {
      for (let b = a + PLANE_STRIDE; b < planeCount * PLANE_STRIDE; b += PLANE_STRIDE) {
        for (let axis = 0; axis < 3; axis++) {
          const next = (axis + 1) % 3;
          const last = (axis + 2) % 3;
          // The cross product of a box axis with the edge, which is the cross product of the normals.
          point[axis] = 0;
          point[next] = crossOf(planes, a, b, next, axis);
          point[last] = crossOf(planes, a, b, last, axis);
          this.addAxis();
        }
      }
    }
  }

  /** Adds the axis in `point`, of any length, with the interval of the volume along it. */
  private addAxis(): void {
    const { corners, point, axesEnd: at } = this;
    const length = Math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    // Parallel planes have no common edge, and the cross product of an edge with a parallel box axis is 0.
    if (length < MIN_SINE) return;
    const axes = (this.axes = withCapacity(this.axes, at + AXIS_STRIDE));
    this.axesEnd += AXIS_STRIDE;
    for (let axis = 0; axis < 3; axis++) axes[at + axis] = point[axis] / length;
    axes[at + 3] = Infinity;
    axes[at + 4] = -Infinity;
    for (let corner = 0; corner < this.cornerCount * CORNER_STRIDE; corner += CORNER_STRIDE) {
      const along =
        corners[corner] * axes[at] + corners[corner + 1] * axes[at + 1] + corners[corner + 2] * axes[at + 2];
      if (along < axes[at + 3]) axes[at + 3] = along;
      if (along > axes[at + 4]) axes[at + 4] = along;
    }
  }
}

/** Writes the single point where three planes meet to `target`; returns false if there is none (determinant near 0). */
function writeIntersection(values: Float64Array, a: number, b: number, c: number, target: Float64Array): boolean {
  const bcX = crossOf(values, b, c, 1, 2);
  const bcY = crossOf(values, b, c, 2, 0);
  const bcZ = crossOf(values, b, c, 0, 1);
  const volume = values[a] * bcX + values[a + 1] * bcY + values[a + 2] * bcZ;
  if (Math.abs(volume) < MIN_SINE) return false;
  const wa = values[a + 3];
  const wb = values[b + 3];
  const wc = values[c + 3];
  target[0] = -(wa * bcX + wb * crossOf(values, c, a, 1, 2) + wc * crossOf(values, a, b, 1, 2)) / volume;
  target[1] = -(wa * bcY + wb * crossOf(values, c, a, 2, 0) + wc * crossOf(values, a, b, 2, 0)) / volume;
  target[2] = -(wa * bcZ + wb * crossOf(values, c, a, 0, 1) + wc * crossOf(values, a, b, 0, 1)) / volume;
  return true;
}

/**
 * One component of the cross product of the normals at offsets `a` and `b`. `k` and `l` are the two other axes, in the
 * order x y z x y.
 */
function crossOf(values: Float64Array, a: number, b: number, k: number, l: number): number {
  return values[a + k] * values[b + l] - values[a + l] * values[b + k];
}
