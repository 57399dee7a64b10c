// The scene that is measured: its bodies, which of them move and how, its cameras and rays, and a picture of it.

import type { MotionName, SceneReport } from './messages.ts';
import { centresOf, createMotion, type Motion } from './motion.ts';
import { OPTIONS, valuesOf, type OptionName } from './options.ts';
import type { Bodies } from './scenes.ts';
import { createViews, type Views } from './views.ts';

/** Bodies in the picture. */
const PICTURED = 4000;

export class MeasuredScene {
  readonly bodies: Bodies;
  readonly count: number;
  /** The first bodies move. */
  readonly moving: number;
  readonly views: Views;
  private readonly min = [Infinity, Infinity, Infinity];
  private readonly max = [-Infinity, -Infinity, -Infinity];
  private readonly centres: Float64Array;

  constructor(bodies: Bodies, motion: MotionName) {
    this.bodies = bodies;
    this.count = bodies.bounds.length / (bodies.kind === 'box' ? 6 : 4);
    this.moving = motion === 'all' ? this.count : motion === 'tenth' ? Math.ceil(this.count / 10) : 0;
    this.centres = centresOf(bodies, this.count);
    for (let k = 0; k < this.count; k++) {
      for (let axis = 0; axis < 3; axis++) {
        this.min[axis] = Math.min(this.min[axis], this.centres[k * 3 + axis] - this.halfSize(k, axis));
        this.max[axis] = Math.max(this.max[axis], this.centres[k * 3 + axis] + this.halfSize(k, axis));
      }
    }
    this.views = createViews(this.centres, this.size);
  }

  /** World units along each axis. */
  get size(): [number, number, number] {
    const [x, y, z] = this.max.map((value, axis) => value - this.min[axis]);
    return [x, y, z];
  }

  /** A motion from the start of the scene. */
  createMotion(): Motion {
    return createMotion(this.bodies, this.moving, { min: this.min, max: this.max });
  }

  report(): SceneReport {
    const extent = Math.max(...this.size);
    const values = Object.fromEntries(OPTIONS.map((option) => [option, valuesOf(option, extent)])) as Record<
      OptionName,
      readonly number[]
    >;
    const pictured = Math.min(this.count, PICTURED);
    const picture = new Float32Array(pictured * 4);
    const scale = extent > 0 ? 1 / extent : 1;
    const middle = this.max.map((value, axis) => (value + this.min[axis]) / 2);
    for (let k = 0; k < pictured; k++) {
      const body = this.picturedBody(k, pictured);
      const place = (axis: number): number => (this.centres[body * 3 + axis] - middle[axis]) * scale;
      picture.set([place(0), place(2), this.halfSize(body, 0) * scale, this.halfSize(body, 2) * scale], k * 4);
    }
    const movingInPicture = Math.ceil((this.moving * pictured) / this.count);
    return {
      kind: 'scene',
      bodies: this.count,
      moving: this.moving,
      size: this.size,
      values,
      picture,
      movingInPicture,
    };
  }

  /** Evenly spread over all bodies. */
  private picturedBody(k: number, pictured: number): number {
    return Math.floor((k * this.count) / pictured);
  }

  private halfSize(body: number, axis: number): number {
    const { kind, bounds } = this.bodies;
    return kind === 'box' ? (bounds[body * 6 + 3 + axis] - bounds[body * 6 + axis]) / 2 : bounds[body * 4 + 3];
  }
}
