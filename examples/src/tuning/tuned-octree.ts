// The bodies of a scene in an octree with one setting: runs its ticks, culls and rays, and records their times and
// results.

import { castRays, IndexList, Octree, OctreeNode } from '../../../src/core.ts';
import type { MeasuredScene } from './measured-scene.ts';
import type { Measurement } from './messages.ts';
import type { Setting } from './options.ts';

/** How often each operation runs in a round, the same for all settings. */
export interface RoundPlan {
  readonly ticks: number;
  /** Repetitions of all culls, and of all rays. */
  readonly culls: number;
  readonly rays: number;
}

/** Milliseconds of all operations of a round. */
export interface RoundTimes {
  readonly tick: number;
  readonly cull: number;
  readonly ray: number;
}

export class TunedOctree {
  private readonly setting: Setting;
  private readonly scene: MeasuredScene;
  private readonly octree: Octree;
  private readonly moving: Uint32Array;
  private readonly list = new IndexList();
  private readonly hits: { readonly indices: Int32Array; readonly distances: Float64Array };
  private readonly times: { readonly tick: number[]; readonly cull: number[]; readonly ray: number[] } = {
    tick: [],
    cull: [],
    ray: [],
  };
  private checked = 0;
  private wrong = 0;

  constructor(setting: Setting, scene: MeasuredScene) {
    const { kind, bounds } = scene.bodies;
    const firstStatic = scene.moving * (kind === 'box' ? 6 : 4);
    this.setting = setting;
    this.scene = scene;
    this.octree = new Octree(setting);
    this.moving = this.octree.insertMany(bounds.subarray(0, firstStatic), { kind });
    this.octree.insertMany(bounds.subarray(firstStatic), { kind, isStatic: true });
    this.octree.update();
    const rays = scene.views.rays.length / 7;
    this.hits = { indices: new Int32Array(rays), distances: new Float64Array(rays) };
  }

  /** @param moves The centres of the moving bodies in each tick. */
  run(plan: RoundPlan, moves: readonly Float64Array[]): RoundTimes {
    const { octree, moving, list, hits } = this;
    const { frusta, rays } = this.scene.views;
    const start = performance.now();
    for (let tick = 0; tick < plan.ticks; tick++) {
      octree.moveMany(moving, moves[tick]);
      octree.update();
    }
    const moved = performance.now();
    for (let k = 0; k < plan.culls; k++)
      for (let view = 0; view < frusta.length; view++) octree.collectFrustum(frusta[view], list);
    const culled = performance.now();
    for (let k = 0; k < plan.rays; k++) castRays(octree, rays, hits);
    return { tick: moved - start, cull: culled - moved, ray: performance.now() - culled };
  }

  /** Runs a round and keeps its times. */
  measure(plan: RoundPlan, moves: readonly Float64Array[]): void {
    const { tick, cull, ray } = this.run(plan, moves);
    const { views, moving } = this.scene;
    if (moving > 0) this.times.tick.push(tick / plan.ticks);
    this.times.cull.push(cull / plan.culls / views.frusta.length);
    this.times.ray.push(ray / plan.rays / this.hits.indices.length);
  }

  /** For each camera the number of visible bodies and a hash of their indices, then the first body on each ray. */
  results(): number[] {
    const { octree, list, hits } = this;
    const { frusta, rays } = this.scene.views;
    const seen = frusta.flatMap((frustum) => {
      const count = octree.collectFrustum(frustum, list);
      let sum = 0;
      for (let k = 0; k < count; k++) sum = (sum + Math.imul(list.array[k] + 1, 0x9e3779b1)) | 0;
      return [count, sum];
    });
    castRays(octree, rays, hits);
    return [...seen, ...hits.indices];
  }

  /** Compares the results with the results of another octree. */
  check(expected: readonly number[]): void {
    const found = this.results();
    this.checked += found.length;
    for (let k = 0; k < found.length; k++) if (found[k] !== expected[k]) this.wrong++;
  }

  measurement(): Measurement {
    const { octree, setting, times, checked, wrong } = this;
    const { bytes, nodes, bodies } = octree.statistics;
    const depths: number[] = [];
    octree.visitNodes(({ depth, bodyCount }) => {
      while (depths.length <= depth) depths.push(0);
      depths[depth] += bodyCount;
    }, new OctreeNode());
    return {
      setting,
      tick: [...times.tick],
      cull: [...times.cull],
      ray: [...times.ray],
      bytes: bytes / bodies,
      nodes,
      depths,
      checked,
      wrong,
    };
  }

  /** Frees the memory of the tree. */
  dispose(): void {
    this.octree.clear();
  }
}
