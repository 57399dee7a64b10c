// Measures the main-thread time of a frame of each group. Both groups are drawn one after the other, with the same
// camera and state.

import type { Camera, Object3D, Scene } from 'three';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Stage } from '../shared/stage.ts';
import type { Sky } from './sky.ts';
import type { GroupPair } from './group-pair.ts';

/** Time window of the chart and the medians. */
export const WINDOW_MS = 15_000;
/** Interval of measurements; limited, because drawing the group that is not in use costs a frame, too. */
const EVERY_MS = 100;
/** Minimum number of measurements for a median. */
const MIN_SAMPLES = 5;

/** Costs of drawing one of the two groups. */
export class Costs {
  readonly times = new RecentTimes(WINDOW_MS, MIN_SAMPLES);
  drawCalls = 0;
  triangles = 0;

  /** Median in milliseconds; NaN until there are enough measurements. */
  medianAt(now: number): number {
    return this.times.medianAt(now);
  }
}

export class FrameTimer {
  readonly plain = new Costs();
  readonly culled = new Costs();
  private readonly stage: Stage;
  private readonly scene: Scene;
  private readonly sky: Sky;
  private measuredAt = -Infinity;
  private isPlainFirst = false;
  /** Measurements to skip, because the first frames of a scene compile shaders and upload data. */
  private skipped = 0;

  constructor(stage: Stage, scene: Scene, sky: Sky) {
    this.stage = stage;
    this.scene = scene;
    this.sky = sky;
  }

  /** Draws the group in use. When a measurement of both is due, draws both over each other; their images are equal. */
  draw(groups: GroupPair, camera: Camera, usesOctree: boolean, measuresBoth: boolean, now: number): void {
    const isMeasured = now - this.measuredAt >= EVERY_MS;
    const isKept = isMeasured && this.skipped === 0;
    if (isMeasured) {
      this.measuredAt = now;
      if (this.skipped > 0) this.skipped--;
    }
    if (isMeasured && measuresBoth) {
      // Alternates the order, because the second group benefits from state that the first one has set up in the
      // renderer.
      this.isPlainFirst = !this.isPlainFirst;
      this.drawOne(groups, camera, !this.isPlainFirst, isKept, now);
      this.drawOne(groups, camera, this.isPlainFirst, isKept, now);
    } else this.drawOne(groups, camera, usesOctree, isKept, now);
  }

  /** Clears all times and skips the next two measurements. */
  restart(): void {
    this.plain.times.clear();
    this.culled.times.clear();
    this.measuredAt = -Infinity;
    this.skipped = 2;
  }

  private drawOne(
    { plain, culled }: GroupPair,
    camera: Camera,
    usesOctree: boolean,
    isKept: boolean,
    now: number,
  ): void {
    const costs = usesOctree ? this.culled : this.plain;
    const { render } = this.stage.renderer.info;
    const { calls, triangles } = render;
    const time = this.timeOf(usesOctree ? culled : plain, camera);
    costs.drawCalls = render.calls - calls;
    costs.triangles = render.triangles - triangles;
    if (isKept) costs.times.add(time, now);
  }

  private timeOf(group: Object3D, camera: Camera): number {
    const { stage, scene, sky } = this;
    scene.add(group);
    const start = performance.now();
    stage.draw(stage.views[0], scene, camera, sky.background);
    const time = performance.now() - start;
    scene.remove(group);
    return time;
  }
}
