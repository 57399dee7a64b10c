// Balls that are thrown: each is a sphere that is cast along its motion, and bounces off what it meets.

import { Color, IcosahedronGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Sphere, Vector3 } from 'three';
import { COLOURS } from './parts.ts';
import {
  castShape,
  intersectTriangles,
  solveContacts,
  type TriangleHit,
  type TriangleScene,
  type TriangleStats,
} from '../../../src/triangles/index.ts';

/** The oldest ball is thrown again. */
const COUNT = 64;
const RADIUS = 0.14;
const GRAVITY = 9.81;
/** Shares of the speed that remain, along the normal and across it. */
const [BOUNCE, SLIDE] = [0.68, 0.94];
/** Bounces within a step. */
const MAX_BOUNCES = 3;
/** Metres per second below which a ball that bounces comes to rest on the ground. */
const REST = 0.5;
/** A ball keeps this distance to what it has touched, so that its next cast does not begin inside. */
const SKIN = 0.001;
const NO_MOTION = new Vector3();
const PAINTS = [COLOURS.coral, COLOURS.mustard, COLOURS.teal, COLOURS.navy, COLOURS.white];

class Ball {
  readonly sphere = new Sphere(new Vector3(0, -100, 0), RADIUS);
  readonly velocity = new Vector3();
  isFlying = false;
}

export class Balls {
  readonly mesh = new InstancedMesh(new IcosahedronGeometry(RADIUS, 3), new MeshLambertMaterial(), COUNT);
  bounces = 0;
  thrown = 0;
  private readonly balls = Array.from({ length: COUNT }, () => new Ball());
  private readonly motion = new Vector3();
  private readonly contacts: TriangleHit[] = [];
  private readonly matrix = new Matrix4();

  constructor() {
    const { mesh } = this;
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    for (let k = 0; k < COUNT; k++) mesh.setColorAt(k, new Color(PAINTS[k % PAINTS.length]));
    this.show();
  }

  get flying(): number {
    return this.balls.filter(({ isFlying }) => isFlying).length;
  }

  /** The centre of the ball that was thrown last. */
  get last(): Vector3 {
    return this.balls[(this.thrown + COUNT - 1) % COUNT].sphere.center;
  }

  throw(from: Vector3, velocity: Vector3): void {
    const ball = this.balls[this.thrown++ % COUNT];
    ball.sphere.center.copy(from);
    ball.velocity.copy(velocity);
    ball.isFlying = true;
  }

  /** @param onQuery Called after each cast. */
  step(seconds: number, scene: TriangleScene, stats: TriangleStats, onQuery: () => void): void {
    for (const ball of this.balls) if (ball.isFlying) this.fly(ball, seconds, scene, stats, onQuery);
    this.show();
  }

  private fly(ball: Ball, seconds: number, scene: TriangleScene, stats: TriangleStats, onQuery: () => void): void {
    const { sphere, velocity } = ball;
    const { motion, contacts } = this;
    velocity.y -= GRAVITY * seconds;
    let left = seconds;
    for (let k = 0; k < MAX_BOUNCES && left > 0; k++) {
      motion.copy(velocity).multiplyScalar(left);
      const hit = castShape(scene, sphere, motion, { stats });
      onQuery();
      if (hit === null) {
        sphere.center.add(motion);
        break;
      }
      sphere.center.addScaledVector(motion, hit.time);
      sphere.center.addScaledVector(hit.normal, SKIN);
      // What moves has come into the ball.
      if (hit.inside)
        sphere.center.add(solveContacts(intersectTriangles(scene, sphere, undefined, contacts), NO_MOTION));
      left *= 1 - hit.time;
      const into = velocity.dot(hit.normal);
      if (into >= 0) continue;
      this.bounces++;
      velocity.addScaledVector(hit.normal, -into).multiplyScalar(SLIDE);
      velocity.addScaledVector(hit.normal, -into * BOUNCE);
      if (hit.normal.y > 0.8 && velocity.lengthSq() < REST * REST) ball.isFlying = false;
    }
    if (sphere.center.y < -50) ball.isFlying = false;
  }

  private show(): void {
    const { mesh, balls, matrix } = this;
    for (const [k, { sphere }] of balls.entries()) mesh.setMatrixAt(k, matrix.makeTranslation(sphere.center));
    mesh.instanceMatrix.needsUpdate = true;
  }
}
