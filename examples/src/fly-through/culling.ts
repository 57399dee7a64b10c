// The cull of a frame: by the octree or by brute force, timed, and now and then both, to compare their answers.

import { Frustum, Matrix4, PerspectiveCamera } from 'three';
import type { QueryStats } from '../../../src/index.ts';
import { Pose } from '../shared/pose.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const COMPARE_EVERY_MS = 100;

export class Culling {
  /** The camera whose frustum is asked about; stays behind when the cull is frozen. */
  readonly camera = new PerspectiveCamera();
  readonly pose = new Pose();
  readonly frustum = new Frustum();
  readonly stats: QueryStats = { nodesVisited: 0, nodesWhole: 0, bodiesTested: 0, bodiesReported: 0 };
  readonly octreeTimes = new RecentTimes();
  readonly bruteForceTimes = new RecentTimes();
  visible = 0;
  /** Whether both culls gave the same bodies when last compared; null before that. */
  doAgree: boolean | null = null;
  private readonly options = { stats: this.stats };
  private readonly matrix = new Matrix4();
  private comparedAt = -Infinity;

  /** Takes over the view of the flying camera, with a far plane of its own. */
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
  run(world: World, { culling, compare }: Settings, now: number): void {
    const isCompared = compare && now - this.comparedAt >= COMPARE_EVERY_MS;
    if (!compare) this.doAgree = null;
    if (isCompared || culling === 'octree') this.runOctree(world, now);
    if (isCompared || culling === 'brute force') this.runBruteForce(world, now);
    if (isCompared) {
      this.comparedAt = now;
      this.doAgree = world.bruteForce.agreesWith(world.list.array, this.stats.bodiesReported);
    }
    if (culling === 'brute force') world.list.array.set(world.bruteForce.found.subarray(0, this.visible));
  }

  /** Forgets what was measured in another world. */
  reset(): void {
    this.octreeTimes.clear();
    this.bruteForceTimes.clear();
    this.doAgree = null;
    this.comparedAt = -Infinity;
  }

  private runOctree({ octree, list }: World, now: number): void {
    const start = performance.now();
    this.visible = octree.collectFrustum(this.frustum, list, this.options);
    this.octreeTimes.add(performance.now() - start, now);
  }

  private runBruteForce({ bruteForce }: World, now: number): void {
    const start = performance.now();
    this.visible = bruteForce.cull(this.frustum);
    this.bruteForceTimes.add(performance.now() - start, now);
  }
}
