// The person of the user: a character that collides in one of three ways, and the cost of its queries.

import type { Sphere, Vector3 } from 'three';
import { RecentTimes } from '../shared/recent-times.ts';
import { type Capsule, Character } from './character.ts';
import type { MeshLoop } from './mesh-loop.ts';
import {
  castShape,
  intersectTriangles,
  type TriangleHit,
  type TriangleScene,
  type TriangleStats,
} from '../../../src/triangles/index.ts';

export class Player extends Character {
  /** Null: by the octree. */
  loop: MeshLoop | null = null;
  /** Of both queries of the last step. */
  meshesTested = 0;
  trianglesTested = 0;
  /** Milliseconds of a query. */
  readonly times = new RecentTimes(3000, 4);
  private readonly stats: TriangleStats = { meshesTested: 0, nodesVisited: 0, trianglesTested: 0, objectsSkipped: 0 };
  private readonly hits: TriangleHit[] = [];

  setScene(scene: TriangleScene, loop: MeshLoop | null): void {
    this.scene = scene;
    this.loop = loop;
    // What it stands on may not be in the other scene.
    this.ground = null;
    this.times.clear();
  }

  protected override touch(capsule: Capsule): readonly TriangleHit[] {
    const { loop, scene, hits, stats } = this;
    this.meshesTested = this.trianglesTested = 0;
    return loop === null
      ? this.measured(stats, () => intersectTriangles(scene, capsule, { stats }, hits))
      : this.measured(loop.stats, () => loop.touch(capsule));
  }

  protected override cast(ball: Sphere, motion: Vector3): TriangleHit | null {
    const { loop, scene, stats } = this;
    if (loop === null) return this.measured(stats, () => castShape(scene, ball, motion, { stats }));
    // A ray from the centre of the ball, to the end of its lower side.
    const ray = motion.clone().setLength(motion.length() + ball.radius);
    const hit = this.measured(loop.stats, () => loop.cast(ball.center, ray));
    if (hit !== null) hit.distance = Math.max(0, hit.distance - ball.radius);
    return hit;
  }

  private measured<Result>(stats: TriangleStats, query: () => Result): Result {
    const begin = performance.now();
    const result = query();
    const end = performance.now();
    this.times.add(end - begin, end);
    this.meshesTested += stats.meshesTested;
    this.trianglesTested += stats.trianglesTested;
    return result;
  }
}
