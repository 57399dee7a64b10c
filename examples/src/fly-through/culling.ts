// The timed cull of each frame. At intervals it also culls by brute force, to compare times and results.

import { Frustum, Matrix4, PerspectiveCamera } from 'three';
import type { QueryStats } from '../../../src/index.ts';
import { clockStep, timeOf } from '../shared/clock.ts';
import { Interval } from '../shared/interval.ts';
import { Pose } from '../shared/pose.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const COMPARE_EVERY_MS = 100;
/** Steps of the clock, in milliseconds, below which each frame is measured. */
const FINE_STEP = 0.05;

export class Culling {
  /** The camera whose frustum is used; it stops following while the cull is frozen. */
  readonly camera = new PerspectiveCamera();
  readonly pose = new Pose();
  readonly frustum = new Frustum();
  readonly stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  readonly octreeTimes = new RecentTimes();
  readonly loopTimes = new RecentTimes();
  visible = 0;
  /** Whether both culls found the same bodies in the last comparison; null before the first. */
  doAgree: boolean | null = null;
  private readonly options = { stats: this.stats };
  private readonly matrix = new Matrix4();
  private readonly comparisons = new Interval(COMPARE_EVERY_MS);
  private readonly measurements = new Interval(COMPARE_EVERY_MS);

  /** Copies the view of the flying camera, with a different far plane. */
  follow(camera: PerspectiveCamera, pose: Pose, far: number): void {
    const own = this.camera;
    this.pose.copy(pose);
    own.position.copy(camera.position);
    own.quaternion.copy(camera.quaternion);
    own.fov = camera.fov;
    own.aspect = camera.aspect;
    own.near = camera.near;
    own.far = far;
    own.updateProjectionMatrix();
    own.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(this.matrix.multiplyMatrices(own.projectionMatrix, own.matrixWorldInverse));
  }

  /** Fills the world's list with the visible bodies. */
  run(world: World, { compare }: Settings, now: number): void {
    this.runOctree(world, now);
    if (!compare) this.doAgree = null;
    else if (this.comparisons.isDue(now)) {
      this.runLoop(world, now);
      this.doAgree = world.loop.agreesWith(world.list.array, this.visible);
    }
  }

  /** Clears all measurements, for a new world. */
  reset(): void {
    this.octreeTimes.clear();
    this.loopTimes.clear();
    this.doAgree = null;
    this.comparisons.reset();
  }

  private runOctree({ octree, list }: World, now: number): void {
    const cull = () => (this.visible = octree.collectFrustum(this.frustum, list, this.options));
    // With a coarse clock a time takes many runs, so not each frame is measured.
    if (clockStep() < FINE_STEP || this.measurements.isDue(now)) this.octreeTimes.add(timeOf(cull), now);
    else cull();
  }

  private runLoop({ loop }: World, now: number): void {
    this.loopTimes.add(
      timeOf(() => loop.cull(this.frustum)),
      now,
    );
  }
}
