/**
 * The exact test of a moving sphere against boxes, for rivals that have none: it keeps the first body, the lowest
 * number on a tie.
 */

import type { Sphere, Vector3 } from 'three';
import type { Boxes } from '../../../src/math/box.ts';
import { MovingPoint, TimeOfImpact } from '../../../src/math/moving-point.ts';
import { sphereTouchesBox } from '../../../src/math/sphere.ts';

export class CastTimes {
  /** The first body so far, or -1; and its time. */
  first = -1;
  best = 1;
  private readonly point = new MovingPoint();
  private readonly impact = new TimeOfImpact(this.point);
  private readonly sphere = new Float64Array(4);
  /** The sphere at the end of its way. */
  private readonly end = new Float64Array(4);

  set({ center, radius }: Sphere, motion: Vector3): void {
    center.toArray(this.sphere);
    this.sphere[3] = this.end[3] = radius;
    for (let axis = 0; axis < 3; axis++) this.end[axis] = this.sphere[axis] + motion.getComponent(axis);
    center.toArray(this.point.start);
    motion.toArray(this.point.motion);
    this.impact.radius = radius;
    this.first = -1;
    this.best = 1;
  }

  /** Whether the sphere touches the box at offset `at` before, while or after it moves. */
  touches(boxes: Boxes, at: number): boolean {
    return (
      sphereTouchesBox(this.sphere, 0, boxes, at) ||
      this.impact.reachesBox(boxes, at) ||
      sphereTouchesBox(this.end, 0, boxes, at)
    );
  }

  /** Tests a body, the box at offset `at`. */
  add(body: number, boxes: Boxes, at: number): void {
    let time = 0;
    if (!sphereTouchesBox(this.sphere, 0, boxes, at)) {
      if (!this.impact.reachesBox(boxes, at)) return;
      time = this.impact.time[0];
    }
    if (time > this.best || (time === this.best && this.first >= 0 && body > this.first)) return;
    this.best = time;
    this.first = body;
  }
}
