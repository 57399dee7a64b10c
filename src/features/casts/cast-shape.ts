/** Where the sphere or box of a shape cast touches a body, for records. `MovingShape` finds when it does. */

import { BOX_STRIDE } from '../../math/box.ts';
import { clamp } from '../../math/clamp.ts';
import type { Contact } from '../../math/contact.ts';
import { MIN_LENGTH_SQ } from '../../math/moving-point.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { MovingShape } from './moving-shape.ts';

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
