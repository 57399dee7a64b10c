/**
 * Exact tests of boxes and spheres against a convex polyhedron: the intersection of the inner half-spaces of planes.
 * The plane test (FrustumPlanes) is only conservative: a big box beside a corner can touch the inner side of every
 * plane without touching the volume.
 *
 * The volume is clipped to a cube about 0 with room for the body that is tested, so that it is bounded even for a
 * frustum without a far plane. Bodies of about the same distance from 0 share a cube: it is at most CUBE_STEP times as
 * large as they need, because the errors of its corners grow with it. So the result for a body never depends on other
 * bodies. A volume without corners is empty.
 *
 * Boxes: separating axis test. The axes are the three of the box, and their cross products with the edges of the
 * volume. The normals of the planes are axes too; the plane test, which the caller runs first, covers them. Spheres:
 * distance from the centre to the nearest face, edge or corner. Both tests keep a shape that touches the volume, and
 * drop it if the gap is more than 1e-9 of its largest coordinate. If two planes meet at an angle a below 1e-3, the
 * factor is 1e-12 / a: rounding errors move the edge by their size divided by the angle.
 *
 * Nothing is allocated once the arrays are long enough. Source of the axes: Gottschalk, Lin, Manocha, "OBBTree: A
 * Hierarchical Structure for Rapid Interference Detection", 1996.
 */

import { BOX_STRIDE, magnitudeOf, type Boxes } from './box.ts';
import { PLANE_STRIDE, type FrustumPlanes } from './frustum-planes.ts';
import { DOT_TOLERANCE } from './tolerances.ts';
import { withCapacity } from './typed-arrays.ts';

/**
 * Unit vectors whose cross product is shorter are parallel, and planes with a smaller determinant of their normals have
 * no point in common.
 */
const MIN_SINE = 1e-9;
/**
 * 16 errors of Float64. Of a corner, relative to the constants of its planes divided by their determinant.
 */
const CORNER_TOLERANCE = 2 ** -49;
/** Half the edge of the smallest cube, in world units, and the ratio of one cube to the next. */
const MIN_REACH = 2 ** -10;
const CUBE_STEP = 2 ** 5;
/** Numbers of a corner: x y z, and a bound of its error. `cornerPlanes` has the offsets of its three planes. */
const CORNER_STRIDE = 4;
const CORNER_ERROR_OFFSET = 3;
/** Planes of a corner. */
const CORNER_PLANES = 3;
/** Numbers of an axis: x y z of a unit vector, and the interval of the volume along it. */
const AXIS_STRIDE = 5;

export class ConvexVolume {
  private planes: FrustumPlanes | null = null;
  /** The volume in each cube, from the smallest. Set when it is first needed. */
  private readonly clipped: ClippedVolume[] = [];
  /** Number of calls of `set`. */
  private version = 0;

  /** Sets the planes, which must not change before the last test. */
  set(planes: FrustumPlanes): void {
    this.planes = planes;
    this.version++;
  }

  /** Whether a box touches the volume. The box at offset `at` must already have passed the plane test. */
  intersectsBox(boxes: Boxes, at: number): boolean {
    return this.volumeAround(magnitudeOf(boxes, at)).intersectsBox(boxes, at);
  }

  /** Whether the sphere at offset `at` touches the volume. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    let largest = 0;
    for (let k = at; k < at + 3; k++) largest = Math.max(largest, Math.abs(spheres[k]));
    return this.volumeAround(largest + spheres[at + 3]).intersectsSphere(spheres, at);
  }

  /** The volume in the smallest cube that contains all coordinates up to a magnitude. */
  private volumeAround(magnitude: number): ClippedVolume {
    let cube = 0;
    let reach = MIN_REACH;
    for (; reach < magnitude; reach *= CUBE_STEP) cube++;
    const volume = (this.clipped[cube] ??= new ClippedVolume());
    if (volume.version !== this.version) {
      // Twice as large: no face of the cube touches the body.
      volume.set(this.planes!, 2 * reach);
      volume.version = this.version;
    }
    return volume;
  }
}

class ClippedVolume {
  /** The version of the planes in `ConvexVolume` for which it was set. */
  version = 0;
  /** The planes, then the six faces of the cube, with unit normals. */
  private planes = new Float64Array(16 * PLANE_STRIDE);
  /** Number of elements of `planes` that are in use; the same for `edgesEnd` and `axesEnd`. */
  private planesEnd = 0;
  private corners = new Float64Array(16 * CORNER_STRIDE);
  private cornerPlanes = new Int32Array(16 * CORNER_PLANES);
  private cornerCount = 0;
  /** The two corners of each edge, as numbers of corners. */
  private edges = new Int32Array(32);
  private edgesEnd = 0;
  private axes = new Float64Array(32 * AXIS_STRIDE);
  private axesEnd = 0;
  /**
   * A point or an axis that was computed, or is tested, and the bound of its error. In an array, because V8 may box
   * doubles that cross a call.
   */
  private readonly point = new Float64Array(CORNER_STRIDE);
  /** Radius of the sphere that is tested, plus the tolerance. */
  private readonly tolerantRadius = new Float64Array(1);

  /** Sets the planes, and half the edge of the cube. */
  set({ values, count }: FrustumPlanes, reach: number): void {
    const length = (count + BOX_STRIDE) * PLANE_STRIDE;
    const planes = (this.planes = withCapacity(this.planes, length));
    this.planesEnd = length;
    for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE) {
      const scale = Math.sqrt(
        values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2],
      );
      for (let k = at; k < at + PLANE_STRIDE; k++) planes[k] = values[k] / scale;
    }
    for (let k = 0; k < BOX_STRIDE; k++) {
      const at = (count + k) * PLANE_STRIDE;
      for (let axis = 0; axis < 3; axis++) planes[at + axis] = axis === k % 3 ? (k < 3 ? 1 : -1) : 0;
      planes[at + 3] = reach;
    }
    this.findCorners();
    this.findEdges();
    this.findAxes(count);
  }

  /** See `ConvexVolume`. */
  intersectsBox(boxes: Boxes, at: number): boolean {
    const { axes, axesEnd } = this;
    if (this.cornerCount === 0) return false;
    const halfX = (boxes[at + 3] - boxes[at]) * 0.5;
    const halfY = (boxes[at + 4] - boxes[at + 1]) * 0.5;
    const halfZ = (boxes[at + 5] - boxes[at + 2]) * 0.5;
    const centerX = boxes[at] + halfX;
    const centerY = boxes[at + 1] + halfY;
    const centerZ = boxes[at + 2] + halfZ;
    const sum = Math.abs(centerX) + Math.abs(centerY) + Math.abs(centerZ) + halfX + halfY + halfZ;
    const tolerance = DOT_TOLERANCE * sum;
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

  /** See `ConvexVolume`. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    const { edges, edgesEnd, cornerCount, planes, planesEnd, point } = this;
    if (cornerCount === 0) return false;
    const x = spheres[at];
    const y = spheres[at + 1];
    const z = spheres[at + 2];
    const tolerance = DOT_TOLERANCE * (Math.abs(x) + Math.abs(y) + Math.abs(z) + spheres[at + 3]);
    const tolerantRadius = spheres[at + 3] + tolerance;
    this.tolerantRadius[0] = tolerantRadius;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    point[CORNER_ERROR_OFFSET] = tolerance;
    if (this.containsPoint()) return true;
    for (let p = 0; p < planesEnd; p += PLANE_STRIDE) {
      const value = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3];
      if (value >= 0 || value < -tolerantRadius) continue;
      point[0] = x - value * planes[p];
      point[1] = y - value * planes[p + 1];
      point[2] = z - value * planes[p + 2];
      if (this.containsPoint()) return true;
    }
    for (let edge = 0; edge < edgesEnd; edge += 2)
      if (this.reachesEdge(spheres, at, edges[edge], edges[edge + 1])) return true;
    return false;
  }

  /**
   * Whether the centre of a sphere is within `tolerantRadius` of the segment between two corners, which may be the
   * same.
   */
  private reachesEdge(spheres: Float64Array, at: number, first: number, last: number): boolean {
    const { corners, tolerantRadius } = this;
    const a = first * CORNER_STRIDE;
    const b = last * CORNER_STRIDE;
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
    const reach = tolerantRadius[0] + Math.max(corners[a + CORNER_ERROR_OFFSET], corners[b + CORNER_ERROR_OFFSET]);
    return dx * dx + dy * dy + dz * dz <= reach * reach;
  }

  /** Whether `point` is on the inner side of all planes, or at most its error outside. */
  private containsPoint(): boolean {
    const { planes, planesEnd, point } = this;
    for (let p = 0; p < planesEnd; p += PLANE_STRIDE) {
      const value = planes[p] * point[0] + planes[p + 1] * point[1] + planes[p + 2] * point[2] + planes[p + 3];
      if (value < -point[CORNER_ERROR_OFFSET]) return false;
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
          if (!writeIntersection(planes, a, b, c, point) || !this.containsPoint()) continue;
          const corner = this.cornerCount++;
          this.corners = withCapacity(this.corners, this.cornerCount * CORNER_STRIDE);
          this.cornerPlanes = withCapacity(this.cornerPlanes, this.cornerCount * CORNER_PLANES);
          for (let k = 0; k < CORNER_STRIDE; k++) this.corners[corner * CORNER_STRIDE + k] = point[k];
          this.cornerPlanes[corner * CORNER_PLANES] = a;
          this.cornerPlanes[corner * CORNER_PLANES + 1] = b;
          this.cornerPlanes[corner * CORNER_PLANES + 2] = c;
        }
      }
    }
  }

  /**
   * Two corners with two planes in common are the ends of an edge. Each corner alone counts as an edge without length.
   */
  private findEdges(): void {
    const { cornerCount } = this;
    this.edgesEnd = 0;
    for (let a = 0; a < cornerCount; a++) {
      for (let b = a; b < cornerCount; b++) {
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
    for (let i = a * CORNER_PLANES; i < (a + 1) * CORNER_PLANES; i++)
      for (let j = b * CORNER_PLANES; j < (b + 1) * CORNER_PLANES; j++)
        if (cornerPlanes[i] === cornerPlanes[j]) shared++;
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
      const error = corners[corner + CORNER_ERROR_OFFSET];
      if (along - error < axes[at + 3]) axes[at + 3] = along - error;
      if (along + error > axes[at + 4]) axes[at + 4] = along + error;
    }
  }
}

/**
 * Writes the single point where three planes meet to `target`, and the bound of its error; returns false if there is
 * none (determinant near 0).
 */
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
  const sum =
    Math.abs(wa) + Math.abs(wb) + Math.abs(wc) + Math.abs(target[0]) + Math.abs(target[1]) + Math.abs(target[2]);
  target[CORNER_ERROR_OFFSET] = (CORNER_TOLERANCE * sum) / Math.abs(volume);
  return true;
}

/**
 * One component of the cross product of the normals at offsets `a` and `b`. `k` and `l` are the two other axes, in the
 * order x y z x y.
 */
function crossOf(values: Float64Array, a: number, b: number, k: number, l: number): number {
  return values[a + k] * values[b + l] - values[a + l] * values[b + k];
}
