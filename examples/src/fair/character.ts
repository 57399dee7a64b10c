// A person who walks among meshes that move: a capsule from the knees to the head, which is pushed out of walls, and
// below it a ball that is cast down to the ground. So it climbs steps and slopes, and rides on what moves and turns.

import { Matrix4, type Object3D, Sphere, Vector3 } from 'three';
import {
  castShape,
  intersectTriangles,
  solveContacts,
  type TriangleHit,
  type TriangleScene,
} from '../../../src/triangles/index.ts';

/** Metres. A step below the knees is climbed. */
const [RADIUS, HEIGHT, KNEES, FOOT] = [0.32, 1.75, 0.45, 0.2];
/** Upward part of the normal of ground to stand on: of slopes up to 60 degrees. */
const WALKABLE = 0.5;
/** Metres per second squared, and per second. */
const [GRAVITY, JUMP, FALL] = [18, 6.5, 50];

export interface Capsule {
  readonly start: Vector3;
  readonly end: Vector3;
  readonly radius: number;
}

export class Character {
  readonly feet = new Vector3();
  readonly velocity = new Vector3();
  /** What it stands on; null in the air. */
  ground: Object3D | null = null;
  /** Radians by which the ground has turned it about the vertical in the last step. */
  turned = 0;
  protected scene: TriangleScene;
  private readonly options: { readonly except: Object3D | null };
  private readonly capsule = { start: new Vector3(), end: new Vector3(), radius: RADIUS };
  private readonly ball = new Sphere(new Vector3(), FOOT);
  private readonly contacts: TriangleHit[] = [];
  private readonly carry = new Matrix4();
  private readonly vector = new Vector3();

  /** @param self Its own meshes, if they are in the scene: an object with all below it. */
  constructor(scene: TriangleScene, self: Object3D | null = null) {
    this.scene = scene;
    this.options = { except: self };
  }

  /** One step, after all else has moved. @param walk Wanted velocity in metres per second; y is not used. */
  move(seconds: number, walk: Vector3, jumps = false): void {
    const { feet, velocity, capsule, ball, carry, vector } = this;
    const wasOnGround = this.ground !== null;
    this.turned = 0;
    if (this.ground !== null) {
      // `carry` leads from the space of the ground, as it was in the last step, to the world.
      carry.premultiply(this.ground.matrixWorld);
      feet.applyMatrix4(carry);
      vector.set(0, 0, 1).transformDirection(carry);
      this.turned = Math.atan2(vector.x, vector.z);
    }
    velocity.set(walk.x, jumps && wasOnGround ? JUMP : Math.max(-FALL, velocity.y - GRAVITY * seconds), walk.z);
    feet.addScaledVector(velocity, seconds);

    capsule.start.copy(feet).y += KNEES + RADIUS;
    capsule.end.copy(feet).y += HEIGHT - RADIUS;
    const push = solveContacts(this.touch(capsule), vector.set(0, 0, 0), vector);
    // What comes down from above does not push through the ground.
    if (wasOnGround) push.y = Math.max(0, push.y);
    if (push.y < 0) velocity.y = Math.min(0, velocity.y);
    feet.add(push);

    ball.center.copy(feet).y += KNEES + RADIUS;
    const reach = KNEES + RADIUS + (wasOnGround ? KNEES : 0);
    let hit: TriangleHit | null = null;
    // Beyond the edge of a step the ball touches its side: then a ray finds the ground, as a ball of radius 0.
    for (ball.radius = FOOT; velocity.y <= 0; ball.radius = 0) {
      hit = this.cast(ball, vector.set(0, ball.radius - reach, 0));
      if (hit === null || hit.normal.y > WALKABLE || ball.radius === 0) break;
    }
    this.ground = hit !== null && hit.normal.y > WALKABLE ? hit.object : null;
    if (hit === null || this.ground === null) return;
    feet.y = ball.center.y - hit.distance - ball.radius;
    velocity.y = 0;
    carry.copy(this.ground.matrixWorld).invert();
  }

  protected touch(capsule: Capsule): readonly TriangleHit[] {
    return intersectTriangles(this.scene, capsule, this.options, this.contacts);
  }

  protected cast(ball: Sphere, motion: Vector3): TriangleHit | null {
    return castShape(this.scene, ball, motion, this.options);
  }
}
