/**
 * The volume of a frustum itself, for those who do not want what merely touches the inner side of every plane: a big box beside a
 * corner does, without touching the volume. The volume is cut off by the box around the whole scene, so that it is a convex
 * polytope with corners even where far is infinite.
 *
 * Boxes: separating axes (the box's, and the edges' crossed with them; the planes' normals come first elsewhere).
 * Spheres: distance to the nearest face, edge or corner. Both keep what is within a relative 1e-9 of touching.
 *
 * Source of the axes: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996.
 */

import { PLANE_STRIDE, FrustumPlanes } from './frustum-planes.ts';
import type { Boxes } from './box.ts';

const TOLERANCE = 1e-9;

interface Axis {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Span of the polytope along the axis. */
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
  /** World units that count as touching. */
  private readonly tolerance: number;

  /** The first six lanes of `scene` are the box around all bodies. */
  constructor(frustum: FrustumPlanes, scene: Boxes) {
    const { planes } = this;
    const { lanes } = frustum;
    for (let plane = 0; plane < frustum.count; plane++) {
      const at = plane * PLANE_STRIDE;
      const length = Math.sqrt(lanes[at] * lanes[at] + lanes[at + 1] * lanes[at + 1] + lanes[at + 2] * lanes[at + 2]);
      planes.push(lanes[at] / length, lanes[at + 1] / length, lanes[at + 2] / length, lanes[at + 3] / length);
    }
    let extent = 1;
    for (let axis = 0; axis < 3; axis++) {
      extent = Math.max(extent, Math.abs(scene[axis]), Math.abs(scene[axis + 3]));
      const unit = [0, 0, 0];
      unit[axis] = 1;
      planes.push(unit[0], unit[1], unit[2], -scene[axis]);
      planes.push(-unit[0], -unit[1], -unit[2], scene[axis + 3]);
    }
    this.tolerance = extent * TOLERANCE;
    this.findCorners();
    this.findAxes(frustum.count);
  }

  /** For a box that touches the inner side of every plane. */
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
    if (this.holds(x, y, z, 0)) return true;
    for (let plane = 0; plane < planes.count; plane++) {
      const value = planes.valueAt(plane, x, y, z);
      const at = plane * PLANE_STRIDE;
      const { lanes } = planes;
      if (value < 0 && value >= -reach && this.holds(x - value * lanes[at], y - value * lanes[at + 1], z - value * lanes[at + 2], tolerance)) return true;
    }
    for (let a = 0; a < corners.length; a++) {
      for (let b = a; b < corners.length; b++) {
        // Two planes in common make an edge; a corner with itself stands for the corner.
        if (a !== b && sharedPlanes(corners[a], corners[b]) < 2) continue;
        if (distanceSqToSegment(x, y, z, corners[a], corners[b]) <= reach * reach) return true;
      }
    }
    return false;
  }

  private holds(x: number, y: number, z: number, tolerance: number): boolean {
    for (let plane = 0; plane < this.planes.count; plane++) if (this.planes.valueAt(plane, x, y, z) < -tolerance) return false;
    return true;
  }

  /** Corners are the points where three planes meet and that lie inside all others. */
  private findCorners(): void {
    const { planes, corners, tolerance } = this;
    for (let a = 0; a < planes.count; a++) {
      for (let b = a + 1; b < planes.count; b++) {
        for (let c = b + 1; c < planes.count; c++) {
          const point = meetingPoint(planes.lanes, a * PLANE_STRIDE, b * PLANE_STRIDE, c * PLANE_STRIDE);
          if (point !== null && this.holds(point.x, point.y, point.z, tolerance)) corners.push({ ...point, planes: [a, b, c] });
        }
      }
    }
  }

  /** The axes of boxes, and each possible edge direction of the frustum crossed with each of them. */
  private findAxes(planeCount: number): void {
    const { lanes } = this.planes;
    this.addAxis(1, 0, 0);
    this.addAxis(0, 1, 0);
    this.addAxis(0, 0, 1);
    for (let a = 0; a < planeCount * PLANE_STRIDE; a += PLANE_STRIDE) {
      for (let b = a + PLANE_STRIDE; b < planeCount * PLANE_STRIDE; b += PLANE_STRIDE) {
        const x = lanes[a + 1] * lanes[b + 2] - lanes[a + 2] * lanes[b + 1];
        const y = lanes[a + 2] * lanes[b] - lanes[a] * lanes[b + 2];
        const z = lanes[a] * lanes[b + 1] - lanes[a + 1] * lanes[b];
        this.addAxis(0, -z, y);
        this.addAxis(z, 0, -x);
        this.addAxis(-y, x, 0);
      }
    }
  }

  private addAxis(x: number, y: number, z: number): void {
    const length = Math.sqrt(x * x + y * y + z * z);
    // Parallel planes have no edge in common, and an edge along a box axis adds nothing.
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

/** The point where three planes meet, or null where two of them are nearly parallel. */
function meetingPoint(lanes: Float64Array, a: number, b: number, c: number): { x: number; y: number; z: number } | null {
  const bcX = lanes[b + 1] * lanes[c + 2] - lanes[b + 2] * lanes[c + 1];
  const bcY = lanes[b + 2] * lanes[c] - lanes[b] * lanes[c + 2];
  const bcZ = lanes[b] * lanes[c + 1] - lanes[b + 1] * lanes[c];
  const volume = lanes[a] * bcX + lanes[a + 1] * bcY + lanes[a + 2] * bcZ;
  if (Math.abs(volume) < TOLERANCE) return null;
  const caX = lanes[c + 1] * lanes[a + 2] - lanes[c + 2] * lanes[a + 1];
  const caY = lanes[c + 2] * lanes[a] - lanes[c] * lanes[a + 2];
  const caZ = lanes[c] * lanes[a + 1] - lanes[c + 1] * lanes[a];
  const abX = lanes[a + 1] * lanes[b + 2] - lanes[a + 2] * lanes[b + 1];
  const abY = lanes[a + 2] * lanes[b] - lanes[a] * lanes[b + 2];
  const abZ = lanes[a] * lanes[b + 1] - lanes[a + 1] * lanes[b];
  const [wa, wb, wc] = [lanes[a + 3], lanes[b + 3], lanes[c + 3]];
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
