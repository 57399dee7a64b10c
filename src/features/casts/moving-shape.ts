/**
 * A sphere or a box that moves by a vector, and its exact tests: which bodies it touches during the motion, and when.
 * Times run from 0 at the start to 1 at the end of the motion.
 *
 * A sphere that moves towards a box is a point that moves towards the box with rounded edges and corners; a box that
 * moves towards a box is a point that moves towards a larger box (their Minkowski sums).
 *
 * At the start and at the end of the motion the tests of box and sphere queries decide, so that boundaries are closed
 * in spite of rounding. A body that the shape touches at its start is hit at time 0. A body that it touches at its end
 * is hit; if rounding gives no earlier time, at time 1.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { MovingBox } from '../../math/moving-box.ts';
import { MovingPoint } from '../../math/moving-point.ts';
import { MAX_RADIUS, writeBoxOf } from '../../math/sphere.ts';
import { TimeOfImpact } from '../../math/time-of-impact.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { boxTouchesBody } from '../../octree/queries/box-query.ts';
import { sphereTouchesBody } from '../../octree/queries/sphere-query.ts';

export class MovingShape {
  /** The box of the shape with its motion, for conservative filters. Its distances are times. */
  readonly path = new MovingBox();
  /**
   * Output of `hits` and `crossesBox`: the first time. In an array, because V8 may box a double that crosses a call.
   */
  readonly time = new Float64Array(1);
  /** Length of the motion in world units. */
  length = 0;

  isSphere = false;
  /** Radius of the moving sphere, limited to MAX_RADIUS. */
  radius = 0;
  readonly motion = this.path.direction;
  /** The numbers of the shape at its start and at its end. */
  readonly startValues = new Float64Array(BOX_STRIDE);
  readonly endValues = new Float64Array(BOX_STRIDE);
  /**
   * The moving point of the exact tests: the centre of the moving sphere. For a moving box and a sphere body: the
   * centre of that body, moving backwards.
   */
  readonly point = new MovingPoint();
  private readonly impact = new TimeOfImpact(this.point);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /**
   * Sets the shape to a sphere (centre, radius) or to a box (min, max), the first of `values`; its motion is at offset
   * `motionAt`.
   */
  set(values: Float64Array, isSphere: boolean, motionAt: number): void {
    const { motion, startValues, endValues } = this;
    for (let axis = 0; axis < 3; axis++) motion[axis] = values[motionAt + axis];
    for (let k = 0; k < motionAt; k++) {
      startValues[k] = values[k];
      endValues[k] = values[k] + motion[k % 3];
    }
    this.begin(isSphere);
  }

  /** Sets the shape to a sphere that moves from one point to another: start, end and radius. */
  setSphereSegment(values: Float64Array): void {
    const { motion, startValues, endValues } = this;
    for (let axis = 0; axis < 3; axis++) {
      motion[axis] = values[axis + 3] - values[axis];
      startValues[axis] = values[axis];
      endValues[axis] = values[axis + 3];
    }
    startValues[3] = values[6];
    this.begin(true);
  }

  /** Begins the motion of the shape in `startValues` and `endValues`, by `motion`. */
  private begin(isSphere: boolean): void {
    const { path, point, motion, startValues, endValues } = this;
    this.isSphere = isSphere;
    if (isSphere) this.radius = startValues[3] = endValues[3] = Math.min(startValues[3], MAX_RADIUS);
    writeBoxOf(startValues, 0, isSphere, path.bounds);
    for (let axis = 0; axis < 3; axis++) {
      point.start[axis] = startValues[axis];
      point.motion[axis] = isSphere ? motion[axis] : 0 - motion[axis];
    }
    this.length = Math.sqrt(motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2]);
  }

  /** Whether the shape touches a body before it moves. */
  touchesAtStart(bodies: BodyArrays, index: number): boolean {
    return this.touches(this.startValues, bodies, index);
  }

  /** Whether the shape touches a body where it has these numbers: its test in a box or sphere query. */
  private touches(values: Float64Array, bodies: BodyArrays, index: number): boolean {
    if (!this.isSphere) return boxTouchesBody(values, bodies, index);
    return sphereTouchesBody(values, 0, bodies, index, this.bodyBox);
  }

  /** Whether the shape touches a body at its start, during its motion or at its end; sets `time`. */
  hits(bodies: BodyArrays, index: number): boolean {
    const { time } = this;
    if (this.touches(this.startValues, bodies, index)) {
      time[0] = 0;
      return true;
    }
    if (this.hitsDuringMotion(bodies, index)) return true;
    time[0] = 1;
    return this.touches(this.endValues, bodies, index);
  }

  private hitsDuringMotion(bodies: BodyArrays, index: number): boolean {
    const { isSphere, impact, time, radius, path, bodyBox } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) {
      if (!this.crossesBox(bounds, at)) return false;
      if (!isSphere) return true;
      impact.radius = radius;
      if (!impact.reachesBox(bounds, at)) return false;
    } else {
      if (!this.crossesBox(bodies.readBox(index, bodyBox), 0)) return false;
      if (isSphere) {
        impact.radius = bounds[at + 3] + radius;
        if (!impact.reachesPoint(bounds, at)) return false;
      } else {
        this.startAt(bounds, at);
        if (!impact.reachesBox(path.bounds, 0)) return false;
      }
    }
    // Near a tangent, rounding may give a time of impact before the slab time of the boxes. It is raised to the slab
    // time, which the kernels take as a lower bound.
    if (impact.time[0] > time[0]) time[0] = impact.time[0];
    return true;
  }

  /** Slab test: whether the box of the moving shape touches a box; sets `time`. */
  crossesBox(boxes: Boxes, at: number): boolean {
    const { bounds, direction } = this.path;
    let first = 0;
    let last = 1;
    for (let axis = 0; axis < 3; axis++) {
      const slope = direction[axis];
      const ahead = boxes[at + axis] - bounds[axis + 3];
      const behind = boxes[at + axis + 3] - bounds[axis];
      if (slope === 0) {
        if (ahead > 0 || behind < 0) return false;
        continue;
      }
      // Divided, not multiplied by an inverse: times that are short fractions come out exactly.
      const enter = (slope > 0 ? ahead : behind) / slope;
      const leave = (slope > 0 ? behind : ahead) / slope;
      if (enter > first) first = enter;
      if (leave < last) last = leave;
    }
    this.time[0] = first;
    return first <= last;
  }

  /** Starts the point at the centre of a sphere body, and sets `impact.radius` to the radius of the body. */
  startAt(spheres: Float64Array, at: number): void {
    const { point, impact } = this;
    for (let axis = 0; axis < 3; axis++) point.start[axis] = spheres[at + axis];
    impact.radius = spheres[at + 3];
  }
}
