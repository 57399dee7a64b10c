/**
 * The volume of `nearest` from a ray: all points within a distance of the ray, or of a part of it. The distances of
 * bodies are exact. The filter is conservative: it keeps a box if any box inside it is within the distance, and often
 * boxes that are a little farther away. The volume `Capsule` is another one: `CapsuleQuery`, with the geometry of a
 * moving sphere.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes, clamp } from './box.ts';
import { MovingPoint, NearestTime } from './moving-point.ts';
import { MAX_RADIUS } from './sphere.ts';
import { DOT_TOLERANCE, RAY_SQUARES_LOWERED, UNDERFLOW_LENGTH } from './tolerances.ts';
import type { UnitRay } from './unit-ray.ts';

export class RayCapsule {
  /** Square of the radius; a nearest query lowers it while it runs. */
  maxDistanceSq = Infinity;
  /** The point that moves along the ray. A time is a distance from the origin in world units. */
  private readonly axis = new MovingPoint();
  /** Its output `time` is the distance from the origin of the ray to the point that was found last. */
  readonly nearest = new NearestTime(this.axis);
  /** Bound of the part of the rounding error of a distance that depends on the axis, in world units. */
  private tolerance = 0;

  /**
   * Sets the axis to the part of a ray between the two distances in `range`. Distances above MAX_RADIUS, which is
   * beyond all bodies, count as that.
   */
  setRay({ origin, direction }: UnitRay, range: Float64Array): void {
    const { axis } = this;
    axis.start.set(origin);
    axis.motion.set(direction);
    axis.begin = Math.min(range[0], MAX_RADIUS);
    axis.end = Math.min(range[1], MAX_RADIUS);
    const largest = Math.max(axis.begin, Math.abs(origin[0]), Math.abs(origin[1]), Math.abs(origin[2]));
    this.tolerance = DOT_TOLERANCE * largest + UNDERFLOW_LENGTH;
  }

  /** Whether no point of the ray is left. */
  get isEmpty(): boolean {
    return this.axis.begin > this.axis.end;
  }

  /**
   * Filters boxes by a lower bound of their distance: the box is projected on the vector from the axis to the centre of
   * the box (one separating axis). Appends each box of [begin, end) whose bound is at most the radius to `kept`,
   * with the squared bound. The bound of a box is also a lower bound for every box inside it.
   *
   * The errors of the exact test and of the vector to the box are relative to the origin, to the size of the box, to
   * the distance along the ray and to the distance from the ray. The tolerance covers the first three;
   * RAY_SQUARES_LOWERED covers the last one.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { maxDistanceSq, axis } = this;
    const rayTolerance = this.tolerance;
    const { numbers, distances } = kept;
    let { length } = kept;
    const { start, motion, begin: near, end: far } = axis;
    const originX = start[0];
    const originY = start[1];
    const originZ = start[2];
    const directionX = motion[0];
    const directionY = motion[1];
    const directionZ = motion[2];
    // Local copies: V8 reloads a constant of the module for each box.
    const lowered = RAY_SQUARES_LOWERED;
    const perUnit = DOT_TOLERANCE;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const minX = boxes[at];
      const minY = boxes[at + 1];
      const minZ = boxes[at + 2];
      const halfX = (boxes[at + 3] - minX) * 0.5;
      const halfY = (boxes[at + 4] - minY) * 0.5;
      const halfZ = (boxes[at + 5] - minZ) * 0.5;
      // An empty box.
      if (halfX < 0) continue;
      const toX = minX + halfX - originX;
      const toY = minY + halfY - originY;
      const toZ = minZ + halfZ - originZ;
      let along = toX * directionX + toY * directionY + toZ * directionZ;
      if (along < near) along = near;
      if (along > far) along = far;
      const tolerance = rayTolerance + perUnit * (along + halfX + halfY + halfZ);
      const offX = Math.abs(toX - along * directionX);
      const offY = Math.abs(toY - along * directionY);
      const offZ = Math.abs(toZ - along * directionZ);
      const offSq = offX * offX + offY * offY + offZ * offZ;
      // The tolerance covers an axis that is not quite perpendicular to the ray.
      const excess = offSq - ((offX + tolerance) * halfX + (offY + tolerance) * halfY + (offZ + tolerance) * halfZ);
      let distanceSq = 0;
      if (excess > 0) {
        const distance = excess / Math.sqrt(offSq) - tolerance;
        if (distance > 0) distanceSq = distance * distance * lowered;
      }
      if (distanceSq > maxDistanceSq) continue;
      numbers[length] = k;
      distances[length++] = distanceSq;
    }
    kept.length = length;
  }

  /** Writes the squared distance of the box with index `box` to `distancesSq` at `to`; 0 if the ray hits it. */
  writeDistanceSq(boxes: Boxes, box: number, distancesSq: Float64Array, to: number): void {
    this.nearest.findForBox(boxes, box * BOX_STRIDE, false);
    const { gap } = this.axis;
    distancesSq[to] = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
  }

  /** As `writeDistanceSq`, for the point at offset `at` of `points`. */
  writeDistanceSqToPoint(points: Float64Array, at: number, distancesSq: Float64Array, to: number): void {
    const { time } = this.nearest;
    const { start, motion } = this.axis;
    this.nearest.findForPoint(points, at);
    const x = points[at] - start[0] - time[0] * motion[0];
    const y = points[at + 1] - start[1] - time[0] * motion[1];
    const z = points[at + 2] - start[2] - time[0] * motion[2];
    distancesSq[to] = x * x + y * y + z * z;
  }

  /**
   * Sets `nearest.time` to where the ray is first nearest to a body: its values are centre and radius, or min and max.
   *
   * @param distance Of the body.
   */
  findNearestPoint(values: Float64Array, isSphere: boolean, distance: number): void {
    const { nearest } = this;
    if (!isSphere) {
      nearest.findForBox(values, 0, false);
      return;
    }
    nearest.findForPoint(values, 0);
    if (distance === 0) this.findEntry(values);
  }

  /** Sets `nearest.time` to where the ray enters a sphere that it hits; to its begin if it starts inside. */
  private findEntry(sphere: Float64Array): void {
    const { start, motion, begin, end } = this.axis;
    const toX = sphere[0] - start[0];
    const toY = sphere[1] - start[1];
    const toZ = sphere[2] - start[2];
    const along = toX * motion[0] + toY * motion[1] + toZ * motion[2];
    const offX = toX - along * motion[0];
    const offY = toY - along * motion[1];
    const offZ = toZ - along * motion[2];
    const rest = sphere[3] * sphere[3] - (offX * offX + offY * offY + offZ * offZ);
    this.nearest.time[0] = clamp(along - Math.sqrt(Math.max(rest, 0)), begin, end);
  }
}
