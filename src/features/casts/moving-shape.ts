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

import { BOX_STRIDE, type Boxes, clamp } from '../../math/box.ts';
import { MovingBox } from '../../math/moving-box.ts';
import { MovingPoint, TimeOfImpact, MIN_LENGTH_SQ } from '../../math/moving-point.ts';
import { MAX_RADIUS, writeBoxOf } from '../../math/sphere.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { boxTouchesBody, sphereTouchesBody } from '../../octree/queries/range-query.ts';
import type { Contact } from '../../math/contact.ts';

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

  /** Whether the shape touches a body where it has these numbers: its test in a box or sphere query. */
  touches(values: Float64Array, bodies: BodyArrays, index: number): boolean {
    return this.isSphere ? sphereTouchesBody(values, bodies, index) : boxTouchesBody(values, bodies, index);
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

/** Where the sphere or box of a shape cast touches a body, for records. `MovingShape` finds when it does. */
export class CastShape extends MovingShape {
  private readonly times = new Float64Array(1);

  /**
   * Writes position and normal of a hit at a time to `target`: the point of the body that is touched, and the normal
   * out of the body.
   */
  writeHit(bodies: BodyArrays, index: number, time: number, target: Contact): Contact {
    const values = bodies.bounds.subarray(index * BOX_STRIDE, (index + 1) * BOX_STRIDE);
    this.times[0] = time;
    if (!bodies.isSphere(index)) {
      if (this.isSphere) this.writeSphereOnBox(values, target);
      else this.writeBoxOnBox(values, target);
    } else {
      if (this.isSphere) this.writeSphereOnSphere(values, target);
      else this.writeBoxOnSphere(values, target);
    }
    return target;
  }

  /**
   * As `writeHit`, for a body that the shape touches at its start: the point of the body nearest to the centre of the
   * shape, and no normal.
   */
  writeStart(bodies: BodyArrays, index: number, target: Contact): Contact {
    const { bounds } = this.path;
    const values = bodies.bounds.subarray(index * BOX_STRIDE, (index + 1) * BOX_STRIDE);
    const [x, y, z] = this.isSphere
      ? this.point.start
      : [0, 1, 2].map((axis) => (bounds[axis] + bounds[axis + 3]) * 0.5);
    if (!bodies.isSphere(index))
      target.setPosition(
        clamp(x, values[0], values[3]),
        clamp(y, values[1], values[4]),
        clamp(z, values[2], values[5]),
      );
    else {
      const [dx, dy, dz] = [x - values[0], y - values[1], z - values[2]];
      const scale = Math.min(1, values[3] / Math.sqrt(dx * dx + dy * dy + dz * dz));
      // At the centre of a sphere of radius 0 the scale is NaN.
      if (scale < 1) target.setPosition(values[0] + dx * scale, values[1] + dy * scale, values[2] + dz * scale);
      else target.setPosition(x, y, z);
    }
    target.setNormal(0, 0, 0);
    return target;
  }

  private writeSphereOnBox(box: Float64Array, target: Contact): void {
    const { point, times } = this;
    point.setBox(box, 0);
    point.findGap(times, 0);
    const [x, y, z] = [0, 1, 2].map((axis) =>
      clamp(point.start[axis] + times[0] * point.motion[axis], box[axis], box[axis + 3]),
    );
    target.setPosition(x, y, z);
    this.setNormalFromGap(-1, target);
  }

  private writeBoxOnSphere(sphere: Float64Array, target: Contact): void {
    const { path, point, times } = this;
    this.startAt(sphere, 0);
    point.setBox(path.bounds, 0);
    point.findGap(times, 0);
    this.setNormalFromGap(1, target);
    target.setPositionOn(sphere);
  }

  /**
   * Sets the normal along the gap, the vector from the point to the box (`sign` 1), or against it (-1). If the gap is
   * 0, the inward normal of the face through which the point enters the box replaces it.
   */
  private setNormalFromGap(sign: number, target: Contact): void {
    const { gap, motion } = this.point;
    const lengthSq = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
    if (lengthSq > MIN_LENGTH_SQ) {
      const length = Math.sqrt(lengthSq);
      // `+ 0` turns -0 into 0.
      target.setNormal((sign * gap[0]) / length + 0, (sign * gap[1]) / length + 0, (sign * gap[2]) / length + 0);
      return;
    }
    const axis = this.point.lastAxisEntered();
    target.setNormalAlong(axis, sign * Math.sign(motion[axis]));
  }

  private writeSphereOnSphere(sphere: Float64Array, target: Contact): void {
    const { path, point, times } = this;
    let [x, y, z] = [0, 1, 2].map((axis) => point.start[axis] + times[0] * point.motion[axis] - sphere[axis]);
    if (sphere[3] + this.radius === 0 || x * x + y * y + z * z <= MIN_LENGTH_SQ) {
      // Two points have no surface: the normal is against the motion, scaled so that no square underflows. `0 - d`,
      // because `-d` turns 0 into -0.
      const largest = Math.max(...path.direction.map(Math.abs)) || 1;
      [x, y, z] = [0, 1, 2].map((axis) => 0 - path.direction[axis] / largest);
    }
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    target.setNormal(x / length, y / length, z / length);
    target.setPositionOn(sphere);
  }

  /** The middle of the area in which both faces touch. */
  private writeBoxOnBox(box: Float64Array, target: Contact): void {
    const { times } = this;
    const { bounds, direction } = this.path;
    let last = -1;
    let lastEnter = -Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const slope = direction[axis];
      const enter = (slope > 0 ? box[axis] - bounds[axis + 3] : box[axis + 3] - bounds[axis]) / slope;
      // A slope of 0 gives an infinite number or NaN: the box does not enter through a face of this axis.
      if (slope !== 0 && (last < 0 || enter > lastEnter)) [last, lastEnter] = [axis, enter];
    }
    const position = [0, 1, 2].map((axis) => {
      if (axis === last) return direction[axis] > 0 ? box[axis] : box[axis + 3];
      const shift = times[0] * direction[axis];
      return (Math.max(box[axis], bounds[axis] + shift) + Math.min(box[axis + 3], bounds[axis + 3] + shift)) * 0.5;
    });
    target.setPosition(position[0], position[1], position[2]);
    target.setNormalAlong(last, -Math.sign(direction[last]));
  }
}
