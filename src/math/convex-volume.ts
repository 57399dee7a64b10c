/**
 * Exact tests of boxes and spheres against the volume that planes have on their inner sides in common, a convex polyhedron. The plane test
 * (FrustumPlanes) is only conservative: a big box beside a corner can touch the inner side of every plane without touching the volume. The volume is
 * clipped to the box around the whole scene; so it has finitely many corners, even if the planes do not close, as those of a frustum whose far plane
 * is at infinity. Without a corner it is empty.
 *
 * Boxes: separating axis test. The axes are those of the box, and their cross products with the edges of the volume. The normals of the planes are axes
 * too; the plane test, which the caller runs first, covers them. Spheres: distance from the centre to the nearest face, edge or corner. Both tests keep a
 * shape whose gap to the volume is at most 1e-9 of the scene's greatest coordinate.
 *
 * Nothing is allocated once the arrays are long enough. Source of the axes: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid
 * Interference Detection", 1996.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FrustumPlanes, PLANE_STRIDE } from './frustum-planes.ts';

/** Relative to the greatest coordinate of the scene; absolute for unit vectors. */
const TOLERANCE = 1e-9;
/** Numbers of a corner: x y z. It has as many in `cornerPlanes`: the planes that meet there. */
const CORNER_STRIDE = 3;
/** Numbers of an axis: x y z of a unit vector, and the interval of the volume along it. */
const AXIS_STRIDE = 5;

export class ConvexVolume {
  /** The planes, then those of the scene box, with unit normals. */
  private readonly planes = new FrustumPlanes();
  private corners = new Float64Array(16 * CORNER_STRIDE);
  private cornerPlanes = new Int32Array(16 * CORNER_STRIDE);
  private cornerCount = 0;
  /** Offsets of two corners for each edge. */
  private edges = new Int32Array(32);
  private edgeLength = 0;
  private axes = new Float64Array(32 * AXIS_STRIDE);
  private axisLength = 0;
  /** Gap in world units up to which shapes count as touching. */
  private tolerance = 0;
  /** A point that was computed, or is tested. In an array, because V8 may box doubles that cross a call. */
  private readonly point = new Float64Array(3);

  /** Sets the planes. `sceneBox` is the box around all bodies; numbers after the first six are ignored. */
  set({ values, count }: FrustumPlanes, sceneBox: Boxes): void {
    const { planes } = this;
    planes.clear();
    for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE) {
      const length = Math.sqrt(values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2]);
      planes.push(values[at] / length, values[at + 1] / length, values[at + 2] / length, values[at + 3] / length);
    }
    let extent = 1;
    for (let k = 0; k < BOX_STRIDE; k++) {
      const sign = k < 3 ? 1 : -1;
      extent = Math.max(extent, Math.abs(sceneBox[k]));
      planes.push(k % 3 === 0 ? sign : 0, k % 3 === 1 ? sign : 0, k % 3 === 2 ? sign : 0, -sign * sceneBox[k]);
    }
    this.tolerance = extent * TOLERANCE;
    this.findCorners();
    this.findEdges();
    this.findAxes(count);
  }

  /** Whether a box touches the volume. The box at offset `at` must already have passed the plane test. */
  intersectsBox(boxes: Boxes, at: number): boolean {
    const { axes, axisLength, tolerance } = this;
    if (this.cornerCount === 0) return false;
    const halfX = (boxes[at + 3] - boxes[at]) * 0.5;
    const halfY = (boxes[at + 4] - boxes[at + 1]) * 0.5;
    const halfZ = (boxes[at + 5] - boxes[at + 2]) * 0.5;
    const centreX = boxes[at] + halfX;
    const centreY = boxes[at + 1] + halfY;
    const centreZ = boxes[at + 2] + halfZ;
    for (let axis = 0; axis < axisLength; axis += AXIS_STRIDE) {
      const x = axes[axis];
      const y = axes[axis + 1];
      const z = axes[axis + 2];
      const centre = centreX * x + centreY * y + centreZ * z;
      const reach = halfX * Math.abs(x) + halfY * Math.abs(y) + halfZ * Math.abs(z) + tolerance;
      if (centre + reach < axes[axis + 3] || centre - reach > axes[axis + 4]) return false;
    }
    return true;
  }

  /** Whether the sphere at offset `at` touches the volume. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    const { edges, edgeLength, cornerCount, planes, point, tolerance } = this;
    if (cornerCount === 0) return false;
    const { values, count } = planes;
    const x = spheres[at];
    const y = spheres[at + 1];
    const z = spheres[at + 2];
    const reach = spheres[at + 3] + tolerance;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    if (this.containsPoint(0)) return true;
    for (let p = 0; p < count * PLANE_STRIDE; p += PLANE_STRIDE) {
      const value = values[p] * x + values[p + 1] * y + values[p + 2] * z + values[p + 3];
      if (value >= 0 || value < -reach) continue;
      point[0] = x - value * values[p];
      point[1] = y - value * values[p + 1];
      point[2] = z - value * values[p + 2];
      if (this.containsPoint(tolerance)) return true;
    }
    for (let edge = 0; edge < edgeLength; edge += 2) if (this.reachesEdge(spheres, at, reach, edges[edge], edges[edge + 1])) return true;
    return false;
  }

  /** Whether a sphere with another radius reaches the segment between the corners at two offsets, which may be the same. */
  private reachesEdge(spheres: Float64Array, at: number, radius: number, a: number, b: number): boolean {
    const { corners } = this;
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
    return dx * dx + dy * dy + dz * dz <= radius * radius;
  }

  /** Whether `point` is on the inner side of all planes, or at most `tolerance` beyond. */
  private containsPoint(tolerance: number): boolean {
    const { point, planes } = this;
    const { values, count } = planes;
    for (let p = 0; p < count * PLANE_STRIDE; p += PLANE_STRIDE) {
      if (values[p] * point[0] + values[p + 1] * point[1] + values[p + 2] * point[2] + values[p + 3] < -tolerance) return false;
    }
    return true;
  }

  /** A corner is a point where three planes meet, on the inner side of all other planes. */
  private findCorners(): void {
    const { planes, point, tolerance } = this;
    const { values, count } = planes;
    this.cornerCount = 0;
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        for (let c = b + 1; c < count; c++) {
          if (!writeIntersection(values, a * PLANE_STRIDE, b * PLANE_STRIDE, c * PLANE_STRIDE, point) || !this.containsPoint(tolerance)) continue;
          const at = CORNER_STRIDE * this.cornerCount++;
          this.corners = withRoom(this.corners, at + CORNER_STRIDE);
          this.cornerPlanes = withRoom(this.cornerPlanes, at + CORNER_STRIDE);
          for (let axis = 0; axis < 3; axis++) this.corners[at + axis] = point[axis];
          this.cornerPlanes[at] = a;
          this.cornerPlanes[at + 1] = b;
          this.cornerPlanes[at + 2] = c;
        }
      }
    }
  }

  /** Two corners with two planes in common are the ends of an edge. Each corner alone counts as an edge without length. */
  private findEdges(): void {
    const end = this.cornerCount * CORNER_STRIDE;
    this.edgeLength = 0;
    for (let a = 0; a < end; a += CORNER_STRIDE) {
      for (let b = a; b < end; b += CORNER_STRIDE) {
        if (a !== b && this.sharedPlanes(a, b) < 2) continue;
        this.edges = withRoom(this.edges, this.edgeLength + 2);
        this.edges[this.edgeLength++] = a;
        this.edges[this.edgeLength++] = b;
      }
    }
  }

  private sharedPlanes(a: number, b: number): number {
    const { cornerPlanes } = this;
    let shared = 0;
    for (let i = a; i < a + CORNER_STRIDE; i++) for (let j = b; j < b + CORNER_STRIDE; j++) if (cornerPlanes[i] === cornerPlanes[j]) shared++;
    return shared;
  }

  /** Adds the axes of boxes, and their cross products with the direction of each possible edge of the volume. */
  private findAxes(planeCount: number): void {
    const { values } = this.planes;
    this.axisLength = 0;
    if (this.cornerCount === 0) return;
    this.addAxis(1, 0, 0);
    this.addAxis(0, 1, 0);
    this.addAxis(0, 0, 1);
    for (let a = 0; a < planeCount * PLANE_STRIDE; a += PLANE_STRIDE) {
      for (let b = a + PLANE_STRIDE; b < planeCount * PLANE_STRIDE; b += PLANE_STRIDE) {
        const x = values[a + 1] * values[b + 2] - values[a + 2] * values[b + 1];
        const y = values[a + 2] * values[b] - values[a] * values[b + 2];
        const z = values[a] * values[b + 1] - values[a + 1] * values[b];
        this.addAxis(0, -z, y);
        this.addAxis(z, 0, -x);
        this.addAxis(-y, x, 0);
      }
    }
  }

  private addAxis(x: number, y: number, z: number): void {
    const length = Math.sqrt(x * x + y * y + z * z);
    // Parallel planes have no common edge, and the cross product of an edge with a parallel box axis is 0.
    if (length < TOLERANCE) return;
    const { corners, axisLength: at } = this;
    this.axes = withRoom(this.axes, at + AXIS_STRIDE);
    this.axisLength += AXIS_STRIDE;
    const { axes } = this;
    axes[at] = x / length;
    axes[at + 1] = y / length;
    axes[at + 2] = z / length;
    axes[at + 3] = Infinity;
    axes[at + 4] = -Infinity;
    for (let corner = 0; corner < this.cornerCount * CORNER_STRIDE; corner += CORNER_STRIDE) {
      const along = corners[corner] * axes[at] + corners[corner + 1] * axes[at + 1] + corners[corner + 2] * axes[at + 2];
      if (along < axes[at + 3]) axes[at + 3] = along;
      if (along > axes[at + 4]) axes[at + 4] = along;
    }
  }
}

/** Writes the single point where three planes meet to `target`; returns false if there is none (determinant near 0). */
function writeIntersection(values: Float64Array, a: number, b: number, c: number, target: Float64Array): boolean {
  const bcX = values[b + 1] * values[c + 2] - values[b + 2] * values[c + 1];
  const bcY = values[b + 2] * values[c] - values[b] * values[c + 2];
  const bcZ = values[b] * values[c + 1] - values[b + 1] * values[c];
  const volume = values[a] * bcX + values[a + 1] * bcY + values[a + 2] * bcZ;
  if (Math.abs(volume) < TOLERANCE) return false;
  const caX = values[c + 1] * values[a + 2] - values[c + 2] * values[a + 1];
  const caY = values[c + 2] * values[a] - values[c] * values[a + 2];
  const caZ = values[c] * values[a + 1] - values[c + 1] * values[a];
  const abX = values[a + 1] * values[b + 2] - values[a + 2] * values[b + 1];
  const abY = values[a + 2] * values[b] - values[a] * values[b + 2];
  const abZ = values[a] * values[b + 1] - values[a + 1] * values[b];
  const wa = values[a + 3];
  const wb = values[b + 3];
  const wc = values[c + 3];
  target[0] = -(wa * bcX + wb * caX + wc * abX) / volume;
  target[1] = -(wa * bcY + wb * caY + wc * abY) / volume;
  target[2] = -(wa * bcZ + wb * caZ + wc * abZ) / volume;
  return true;
}

/** The array, or a longer copy of it that has room for `length` numbers. */
function withRoom<A extends Float64Array | Int32Array>(array: A, length: number): A {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (count: number) => A)(2 * length);
  longer.set(array);
  return longer;
}
