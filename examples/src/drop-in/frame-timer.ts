// How long the main thread is busy with a frame of each group. The same camera, the same moment, one after the other.

import type { Camera, Object3D, Scene } from 'three';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Stage } from '../shared/stage.ts';
import type { Sky } from './sky.ts';
import type { GroupPair } from './group-pair.ts';

/** How far back the lines and the medians reach. */
export const WINDOW_MS = 15_000;
/** Measured ten times a second: the group that is not in use costs the drawing of a frame, too. */
const EVERY_MS = 100;
const MIN_SAMPLES = 5;

/** What one of the two groups costs. */
export class Costs {
  readonly times = new RecentTimes(WINDOW_MS);
  drawCalls = 0;
  triangles = 0;

  /** Milliseconds, or NaN: one or two measurements say nothing. */
  medianAt(now: number): number {
    return this.times.countAt(now) < MIN_SAMPLES ? Number.NaN : this.times.medianAt(now);
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
  /** Measurements to leave out: what is new is compiled and uploaded in them. */
  private skipped = 0;

  constructor(stage: Stage, scene: Scene, sky: Sky) {
    this.stage = stage;
    this.scene = scene;
    this.sky = sky;
  }

  /** Draws the group that is in use, and the other one in the same place if both are to be measured: the pictures are equal. */
  draw(groups: GroupPair, camera: Camera, usesOctree: boolean, measuresBoth: boolean, now: number): void {
    const isMeasured = now - this.measuredAt >= EVERY_MS;
    const isKept = isMeasured && this.skipped === 0;
    if (isMeasured) {
      this.measuredAt = now;
      if (this.skipped > 0) this.skipped--;
    }
    if (isMeasured && measuresBoth) {
      // By turns: whoever comes second finds the renderer prepared by the first.
      this.isPlainFirst = !this.isPlainFirst;
      this.drawOne(groups, camera, !this.isPlainFirst, isKept, now);
      this.drawOne(groups, camera, this.isPlainFirst, isKept, now);
    } else this.drawOne(groups, camera, usesOctree, isKept, now);
  }

  /** Forgets all times, and leaves out the next two. */
  restart(): void {
    this.plain.times.clear();
    this.culled.times.clear();
    this.measuredAt = -Infinity;
    this.skipped = 2;
  }

  private drawOne({ plain, culled }: GroupPair, camera: Camera, usesOctree: boolean, isKept: boolean, now: number): void {
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
