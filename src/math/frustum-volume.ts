/**
 * Exact tests of boxes and spheres against the volume of a frustum. The plane test (FrustumPlanes) is only conservative: a big box
 * beside a corner of the frustum can touch the inner side of every plane without touching the volume. The volume is clipped to the
 * box around the whole scene; so it is a convex polytope with finitely many corners even if the far plane is at infinity.
 *
 * Boxes: separating axis test. The axes are those of the box, and their cross products with the edges of the frustum. The normals
 * of the planes are axes too; the plane test, which the caller runs first, covers them. Spheres: distance from the centre to the
 * nearest face, edge or corner. Both tests keep a shape whose gap to the volume is at most 1e-9 of the scene's greatest
 * coordinate.
 *
 * Source of the axes: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996.
 */

import { PLANE_STRIDE, FrustumPlanes } from './frustum-planes.ts';
import type { Boxes } from './box.ts';

/** Relative to the greatest coordinate of the scene; absolute for unit vectors. */
const TOLERANCE = 1e-9;

interface Axis {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Interval of the polytope along the axis. */
  min: number;
  max: number;
}

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The planes that meet here. */
  readonly planes: number[];
}

export class FrustumVolume {
  private readonly planes = new FrustumPlanes();
  private readonly corners: Corner[] = [];
  private readonly axes: Axis[] = [];
  /** Gap in world units up to which shapes count as touching. */
  private readonly tolerance: number;

  /** `sceneBox` is the box around all bodies; numbers after the first six are ignored. */
  constructor(frustum: FrustumPlanes, sceneBox: Boxes) {
    const { planes } = this;
    const { values } = frustum;
    for (let plane = 0; plane < frustum.count; plane++) {
      const at = plane * PLANE_STRIDE;
      const length = Math.sqrt(values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2]);
      planes.push(values[at] / length, values[at + 1] / length, values[at + 2] / length, values[at + 3] / length);
    }
    let extent = 1;
    for (let axis = 0; axis < 3; axis++) {
      extent = Math.max(extent, Math.abs(sceneBox[axis]), Math.abs(sceneBox[axis + 3]));
      const unit = [0, 0, 0];
      unit[axis] = 1;
      planes.push(unit[0], unit[1], unit[2], -sceneBox[axis]);
      planes.push(-unit[0], -unit[1], -unit[2], sceneBox[axis + 3]);
    }
    this.tolerance = extent * TOLERANCE;
    this.findCorners();
    this.findAxes(frustum.count);
  }

  /** Whether a box touches the volume. The box at offset `at` must already have passed the plane test. */
  intersectsBox(boxes: Boxes, at: number): boolean {
    const { axes, tolerance } = this;
    if (this.corners.length === 0) return false;
    const halfX = (boxes[at + 3] - boxes[at]) * 0.5;
    const halfY = (boxes[at + 4] - boxes[at + 1]) * 0.5;
    const halfZ = (boxes[at + 5] - boxes[at + 2]) * 0.5;
    const centreX = boxes[at] + halfX;
    const centreY = boxes[at + 1] + halfY;
    const centreZ = boxes[at + 2] + halfZ;
    for (const { x, y, z, min, max } of axes) {
      const centre = centreX * x + centreY * y + centreZ * z;
      const reach = halfX * Math.abs(x) + halfY * Math.abs(y) + halfZ * Math.abs(z) + tolerance;
      if (centre + reach < min || centre - reach > max) return false;
    }
    return true;
  }

  intersectsSphere(x: number, y: number, z: number, radius: number): boolean {
    const { corners, planes, tolerance } = this;
    if (corners.length === 0) return false;
    const reach = radius + tolerance;
    if (this.containsPoint(x, y, z, 0)) return true;
    for (let plane = 0; plane < planes.count; plane++) {
      const value = planes.valueAt(plane, x, y, z);
      const at = plane * PLANE_STRIDE;
      const { values } = planes;
      if (value < 0 && value >= -reach && this.containsPoint(x - value * values[at], y - value * values[at + 1], z - value * values[at + 2], tolerance)) return true;
    }
    for (let a = 0; a < corners.length; a++) {
      for (let b = a; b < corners.length; b++) {
        // Two corners with two planes in common are the ends of an edge. A corner paired with itself is tested as a point.
        if (a !== b && sharedPlanes(corners[a], corners[b]) < 2) continue;
        if (distanceSqToSegment(x, y, z, corners[a], corners[b]) <= reach * reach) return true;
      }
    }
    return false;
  }

  private containsPoint(x: number, y: number, z: number, tolerance: number): boolean {
    for (let plane = 0; plane < this.planes.count; plane++) if (this.planes.valueAt(plane, x, y, z) < -tolerance) return false;
    return true;
  }

  /** A corner is a point where three planes meet, on the inner side of all other planes. */
  private findCorners(): void {
    const { planes, corners, tolerance } = this;
    for (let a = 0; a < planes.count; a++) {
      for (let b = a + 1; b < planes.count; b++) {
        for (let c = b + 1; c < planes.count; c++) {
          const point = intersectionPoint(planes.values, a * PLANE_STRIDE, b * PLANE_STRIDE, c * PLANE_STRIDE);
          if (point !== null && this.containsPoint(point.x, point.y, point.z, tolerance)) corners.push({ ...point, planes: [a, b, c] });
        }
      }
    }
  }

  /** Adds the axes of boxes, and their cross products with the direction of each possible edge of the frustum. */
  private findAxes(planeCount: number): void {
    const { values } = this.planes;
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
    const axis = { x: x / length, y: y / length, z: z / length, min: Infinity, max: -Infinity };
    for (const corner of this.corners) {
      const along = corner.x * axis.x + corner.y * axis.y + corner.z * axis.z;
      axis.min = Math.min(axis.min, along);
      axis.max = Math.max(axis.max, along);
    }
    this.axes.push(axis);
  }
}

/** The single point where three planes meet, or null if there is none (determinant near 0). */
function intersectionPoint(values: Float64Array, a: number, b: number, c: number): { x: number; y: number; z: number } | null {
  const bcX = values[b + 1] * values[c + 2] - values[b + 2] * values[c + 1];
  const bcY = values[b + 2] * values[c] - values[b] * values[c + 2];
  const bcZ = values[b] * values[c + 1] - values[b + 1] * values[c];
  const volume = values[a] * bcX + values[a + 1] * bcY + values[a + 2] * bcZ;
  if (Math.abs(volume) < TOLERANCE) return null;
  const caX = values[c + 1] * values[a + 2] - values[c + 2] * values[a + 1];
  const caY = values[c + 2] * values[a] - values[c] * values[a + 2];
  const caZ = values[c] * values[a + 1] - values[c + 1] * values[a];
  const abX = values[a + 1] * values[b + 2] - values[a + 2] * values[b + 1];
  const abY = values[a + 2] * values[b] - values[a] * values[b + 2];
  const abZ = values[a] * values[b + 1] - values[a + 1] * values[b];
  const [wa, wb, wc] = [values[a + 3], values[b + 3], values[c + 3]];
  return {
    x: -(wa * bcX + wb * caX + wc * abX) / volume,
    y: -(wa * bcY + wb * caY + wc * abY) / volume,
    z: -(wa * bcZ + wb * caZ + wc * abZ) / volume,
  };
}

function sharedPlanes(a: Corner, b: Corner): number {
  return a.planes.filter((plane) => b.planes.includes(plane)).length;
}

function distanceSqToSegment(x: number, y: number, z: number, a: Corner, b: Corner): number {
  const alongX = b.x - a.x;
  const alongY = b.y - a.y;
  const alongZ = b.z - a.z;
  const lengthSq = alongX * alongX + alongY * alongY + alongZ * alongZ;
  const projection = (x - a.x) * alongX + (y - a.y) * alongY + (z - a.z) * alongZ;
  const t = lengthSq > 0 ? Math.min(Math.max(projection / lengthSq, 0), 1) : 0;
  const dx = x - (a.x + t * alongX);
  const dy = y - (a.y + t * alongY);
  const dz = z - (a.z + t * alongZ);
  return dx * dx + dy * dy + dz * dz;
}
