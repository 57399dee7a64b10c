// The simulation: balls in an octree that tracks their contacts. The balls of each pair that has begun or stayed
// bounce.

import { IndexList, Octree, trackContacts } from '../../../src/index.ts';
import { insertSpheres } from '../shared/insert-spheres.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { Balls } from './balls.ts';
import type { Settings } from './settings.ts';

export const STEP_SECONDS = 1 / 60;
const SEED = 7;
/** A shove: how far it reaches, and the speed of a ball in its centre. */
const SHOVE_RADIUS = 22;
const SHOVE_SPEED = 70;
/** Smaller cells than by default: the balls are small and lie close together. */
const OCTREE_OPTIONS = { leafCapacity: 4 };

export class Table {
  readonly balls: Balls;
  readonly octree = new Octree<null>(OCTREE_OPTIONS);
  readonly contacts = trackContacts(this.octree);
  /** By ball, the simulated time at which its last contact began. */
  readonly touchedAt: Float64Array;
  steps = 0;
  /** Pairs since the start. */
  began = 0;
  ended = 0;
  /** Balls that moved in the last step, and the time of its `update`. */
  moving = 0;
  milliseconds = 0;
  /** Bodies replaced since the start. */
  replaced = 0;
  /** By ball: the index of its body. By index: the ball. */
  private readonly bodyOf: Uint32Array;
  private ballOf: Uint32Array;
  private readonly movedBodies: Uint32Array;
  private readonly movedSpheres: Float64Array;
  private readonly list = new IndexList();
  /** Number of balls that are due to be replaced; between steps it is less than 1. */
  private due = 0;

  private constructor({ balls, stirrers }: Settings) {
    this.balls = new Balls(balls, stirrers, SEED);
    const { count } = this.balls;
    this.bodyOf = new Uint32Array(count);
    this.ballOf = new Uint32Array(count);
    this.touchedAt = new Float64Array(count).fill(-Infinity);
    this.movedBodies = new Uint32Array(count);
    this.movedSpheres = new Float64Array(count * 4);
  }

  static *build(settings: Settings): SlicedWork<Table> {
    const table = new Table(settings);
    const bodies = yield* insertSpheres(table.octree, table.balls.spheres);
    for (const [ball, body] of bodies.entries()) table.setBody(ball, body);
    return table;
  }

  get seconds(): number {
    return this.steps * STEP_SECONDS;
  }

  step({ friction, replaced }: Settings): void {
    const { balls, octree } = this;
    this.steps++;
    this.replaceSome(replaced * STEP_SECONDS);
    balls.stir(this.seconds, STEP_SECONDS);
    balls.roll(STEP_SECONDS, friction);
    const start = performance.now();
    this.moveBodies();
    octree.update(STEP_SECONDS);
    this.milliseconds = performance.now() - start;
    this.bounceAll();
  }

  /** Pushes the balls around a point of the table away from it. */
  shove(x: number, z: number): void {
    const count = this.octree.collectSphere({ center: { x, y: 0, z }, radius: SHOVE_RADIUS }, this.list);
    for (let k = 0; k < count; k++) this.balls.push(this.ballOf[this.list.array[k]], x, z, SHOVE_RADIUS, SHOVE_SPEED);
  }

  private moveBodies(): void {
    const { balls, bodyOf, movedBodies, movedSpheres } = this;
    const { spheres } = balls;
    let moved = 0;
    for (let ball = 0; ball < balls.count; ball++) {
      if (!balls.isMoving(ball)) continue;
      movedBodies[moved] = bodyOf[ball];
      for (let offset = 0; offset < 4; offset++) movedSpheres[moved * 4 + offset] = spheres[ball * 4 + offset];
      moved++;
    }
    this.octree.moveMany(movedBodies.subarray(0, moved), movedSpheres.subarray(0, moved * 4));
    this.moving = moved;
  }

  private bounceAll(): void {
    const {
      balls,
      ballOf,
      contacts: { began, stayed, ended },
      touchedAt,
      seconds,
    } = this;
    this.began += began.length / 2;
    this.ended += ended.length / 2;
    for (let k = 0; k < began.length; k += 2) {
      const [a, b] = [ballOf[began.array[k]], ballOf[began.array[k + 1]]];
      touchedAt[a] = seconds;
      touchedAt[b] = seconds;
      balls.bounce(a, b);
    }
    for (let k = 0; k < stayed.length; k += 2) balls.bounce(ballOf[stayed.array[k]], ballOf[stayed.array[k + 1]]);
  }

  /** The contacts of a removed ball end in the same step. */
  private replaceSome(count: number): void {
    const { balls, bodyOf, octree } = this;
    for (this.due += count; this.due >= 1; this.due--) {
      const ball = balls.pick();
      octree.removeMany([bodyOf[ball]]);
      balls.replace(ball);
      this.touchedAt[ball] = -Infinity;
      this.setBody(ball, octree.insertMany(balls.spheres.subarray(ball * 4, ball * 4 + 4), { kind: 'sphere' })[0]);
      this.replaced++;
    }
  }

  private setBody(ball: number, index: number): void {
    this.bodyOf[ball] = index;
    if (index >= this.ballOf.length) {
      const { ballOf } = this;
      (this.ballOf = new Uint32Array(2 * (index + 1))).set(ballOf);
    }
    this.ballOf[index] = ball;
  }
}
