/** How bodies move. The motion of a scene is the same for every rival. */

import { createRandom } from '../support/random.ts';
import { FrameMotion } from './frame-motion.ts';
import type { Scene } from './scenes/scene.ts';

/**
 * World units per tick along each axis. At 60 ticks a second a body of 4 units moves about 8 times its size in a
 * second.
 */
const MAX_SPEED = 0.5;
/** Probability that a step is a teleport to a random position. */
const TELEPORTS = 0.001;

export interface Motion {
  /** Bounds of all bodies after the last step. */
  readonly boxes: Float64Array;
  readonly moving: Uint32Array;
  /** Bounds of the moving bodies, in the order of `moving`. */
  readonly batch: Float64Array;
  /** Advances by one tick. */
  step(): void;
}

/** @param share Share of the bodies that move, 0 to 1. */
export function newMotion(scene: Scene, share: number): Motion {
  const count = scene.boxes.length / 6;
  const moving = Uint32Array.from({ length: Math.round(count * share) }, (_, k) => Math.floor(k / share));
  return scene.frames.length > 0 ? new FrameMotion(scene, moving) : new StraightMotion(scene, moving);
}

/** Straight lines that are reflected at the faces of the world, with rare teleports. */
class StraightMotion implements Motion {
  readonly boxes: Float64Array;
  readonly moving: Uint32Array;
  readonly batch: Float64Array;
  private readonly velocities: Float64Array;
  private readonly random = createRandom(3);
  private readonly size: Scene['size'];

  constructor({ boxes, size }: Scene, moving: Uint32Array) {
    this.boxes = boxes.slice();
    this.size = size;
    this.moving = moving;
    this.batch = new Float64Array(moving.length * 6);
    this.velocities = Float64Array.from({ length: moving.length * 3 }, () =>
      this.random.between(-MAX_SPEED, MAX_SPEED),
    );
  }

  step(): void {
    const { moving, batch, boxes, velocities, size, random } = this;
    for (let k = 0; k < moving.length; k++) {
      const teleports = random.next() < TELEPORTS;
      for (let axis = 0; axis < 3; axis++) {
        const at = moving[k] * 6 + axis;
        let step = velocities[k * 3 + axis];
        if (teleports) step = random.next() * size[axis] - boxes[at];
        else if ((step < 0 && boxes[at] + step < 0) || (step > 0 && boxes[at + 3] + step > size[axis]))
          step = velocities[k * 3 + axis] = -step;
        batch[k * 6 + axis] = boxes[at] = Math.fround(boxes[at] + step);
        batch[k * 6 + axis + 3] = boxes[at + 3] = Math.fround(boxes[at + 3] + step);
      }
    }
  }
}
