import type { Motion } from './motion.ts';
import type { Scene } from './scenes/scene.ts';

/** Ticks from one frame to the next. With satellite data an orbit of ninety minutes takes about a thousand ticks. */
const TICKS_PER_FRAME = 16;

/** Linear interpolation between the stored frames of a scene, from the first frame to the last and back again. */
export class FrameMotion implements Motion {
  readonly boxes: Float64Array;
  readonly moving: Uint32Array;
  readonly batch: Float64Array;
  private readonly start: Float64Array;
  private readonly frames: Scene['frames'];
  private tick = 0;

  constructor({ boxes, frames }: Scene, moving: Uint32Array) {
    this.boxes = boxes.slice();
    this.start = boxes;
    this.frames = frames;
    this.moving = moving;
    this.batch = new Float64Array(moving.length * 6);
  }

  step(): void {
    const { boxes, start, moving, batch, frames } = this;
    const last = frames.length - 1;
    const phase = (++this.tick / TICKS_PER_FRAME) % (2 * last);
    const at = phase > last ? 2 * last - phase : phase;
    const from = frames[Math.floor(at)];
    const to = frames[Math.ceil(at)];
    for (let k = 0; k < moving.length; k++) {
      for (let axis = 0; axis < 3; axis++) {
        const low = moving[k] * 6 + axis;
        const offset = moving[k] * 3 + axis;
        const centre = from[offset] + (to[offset] - from[offset]) * (at % 1);
        const half = (start[low + 3] - start[low]) / 2;
        batch[k * 6 + axis] = boxes[low] = Math.fround(centre - half);
        batch[k * 6 + axis + 3] = boxes[low + 3] = Math.fround(centre + half);
      }
    }
  }
}
