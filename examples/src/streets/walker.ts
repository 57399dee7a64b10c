// The camera: walks along the middle of the streets by itself, or by drag and keys, at one of three heights. Walls stop
// it.

import { MathUtils, PerspectiveCamera, Vector3 } from 'three';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import { HeldKeys } from '../shared/held-keys.ts';
import { hash } from '../shared/noise.ts';
import { Pose } from '../shared/pose.ts';
import type { View } from '../shared/stage.ts';
import { type Block, PITCH, type StreetPlan, streetAt } from './plan.ts';
import type { Place, Settings } from './settings.ts';

const FIELD_OF_VIEW = 62;
const NEAR = 0.2;
export const FAR = 900;
/** By height: metres above the ground, radians of pitch, metres per second by itself and by keys. */
const HEIGHTS: Readonly<Record<Place, { high: number; pitch: number; speed: number; keySpeed: number }>> = {
  street: { high: 1.7, pitch: 0.06, speed: 3.4, keySpeed: 7 },
  roofs: { high: 30, pitch: -0.18, speed: 9, keySpeed: 22 },
  sky: { high: 110, pitch: -0.42, speed: 16, keySpeed: 45 },
};
/** Rates per second at which differences decay exponentially. */
const RISE = 2.2;
const TURN = 1.5;
/** Distance to walls that is kept, in metres. */
const BODY = 0.9;
/** Radians per second of a key. */
const KEY_TURN = 1.4;
/** Below this height walls stop the camera. */
const ROOF = 16;
const SALT = 71;

export class Walker {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  readonly pose = new Pose();
  private readonly view: View;
  private readonly keys = new HeldKeys();
  private readonly onSteer: () => void;
  private blocks: readonly Block[] = [];
  private reach = 1;
  /** The crossing that it walks to, and the direction in which it arrives there. */
  private column = 0;
  private row = 0;
  private dx = 1;
  private dz = 0;
  private steps = 0;
  private isSteered = false;
  private readonly move = new Vector3();
  private readonly side = new Vector3();

  /** @param onSteer Called when the user takes over. */
  constructor(view: View, onSteer: () => void) {
    this.view = view;
    this.onSteer = onSteer;
    dragToTurn(view.element, (left, upwards) => {
      this.takeOver();
      this.pose.turn(left, upwards);
    });
  }

  /** Puts it on a street of a city. */
  begin({ blocks, blocksAlong }: StreetPlan, height: Place): void {
    this.blocks = blocks;
    this.reach = Math.max(1, Math.floor(blocksAlong / 2) - 1);
    [this.column, this.row, this.dx, this.dz] = [1, 0, 1, 0];
    this.pose.position.set(streetAt(0, PITCH.x) + 20, HEIGHTS[height].high, streetAt(0, PITCH.z));
    this.pose.heading.set(1, 0, 0.02).normalize();
    this.pose.pitch = HEIGHTS[height].pitch;
  }

  update(seconds: number, { height, walk }: Settings): void {
    const { pose, camera, view } = this;
    const { high, pitch, speed, keySpeed } = HEIGHTS[height];
    const rise = 1 - Math.exp(-RISE * seconds);
    pose.position.y += (high - pose.position.y) * rise;
    if (this.steerByKeys(seconds, keySpeed)) this.takeOver();
    if (walk) {
      if (this.isSteered) this.resume();
      this.walk(seconds, speed);
      pose.pitch += (pitch - pose.pitch) * rise;
    }
    this.isSteered = !walk;
    camera.aspect = view.aspect;
    // A narrow window shows as much of a street as a wide one.
    camera.fov = Math.min(84, FIELD_OF_VIEW * Math.max(1, 1.25 / camera.aspect ** 0.5));
    camera.updateProjectionMatrix();
    pose.applyTo(camera);
  }

  private takeOver(): void {
    this.onSteer();
  }

  /** Goes on at the nearest crossing in its direction. */
  private resume(): void {
    const { pose } = this;
    const isAlongX = Math.abs(pose.heading.x) > Math.abs(pose.heading.z);
    [this.dx, this.dz] = isAlongX ? [Math.sign(pose.heading.x), 0] : [0, Math.sign(pose.heading.z)];
    this.column = MathUtils.clamp(Math.round(pose.position.x / PITCH.x + this.dx * 0.5), -this.reach, this.reach);
    this.row = MathUtils.clamp(Math.round(pose.position.z / PITCH.z + this.dz * 0.5), -this.reach, this.reach);
  }

  private walk(seconds: number, speed: number): void {
    const { pose, move } = this;
    move.set(streetAt(this.column, PITCH.x) - pose.position.x, 0, streetAt(this.row, PITCH.z) - pose.position.z);
    const distance = move.length();
    const step = speed * seconds;
    if (distance <= step) this.chooseNext();
    else {
      move.divideScalar(distance);
      // A slow curve: the heading follows the way, and the camera follows the heading.
      pose.heading
        .lerp(move, 1 - Math.exp(-TURN * seconds))
        .setY(0)
        .normalize();
      pose.position.addScaledVector(move, step);
    }
  }

  /** Straight on, or to a side; never back, and never out of the city. */
  private chooseNext(): void {
    this.steps++;
    const turns = [0, 1, -1].sort((a, b) => hash(this.steps, a + 1, SALT) - hash(this.steps, b + 1, SALT));
    for (const turn of [...turns, 2]) {
      const [dx, dz] =
        turn === 0 ? [this.dx, this.dz] : turn === 2 ? [-this.dx, -this.dz] : [-turn * this.dz, turn * this.dx];
      const [column, row] = [this.column + dx, this.row + dz];
      if (Math.abs(column) > this.reach || Math.abs(row) > this.reach) continue;
      [this.dx, this.dz, this.column, this.row] = [dx, dz, column, row];
      return;
    }
  }

  /** Whether a key has moved it. */
  private steerByKeys(seconds: number, speed: number): boolean {
    const { keys, pose, side, move } = this;
    const ahead = keys.axis('KeyW', 'KeyS') + keys.axis('ArrowUp', 'ArrowDown');
    const sideways = keys.axis('KeyD', 'KeyA');
    const turn = keys.axis('ArrowLeft', 'ArrowRight');
    if (ahead === 0 && sideways === 0 && turn === 0) return false;
    pose.turn(turn * KEY_TURN * seconds, 0);
    pose.sideways(side);
    move.copy(pose.heading).multiplyScalar(ahead).addScaledVector(side, sideways).clampLength(0, 1);
    this.tryToMove(move.x * speed * seconds, 0);
    this.tryToMove(0, move.z * speed * seconds);
    return true;
  }

  private tryToMove(dx: number, dz: number): void {
    const { position } = this.pose;
    const limit = (this.reach + 1) * PITCH.x;
    const [x, z] = [MathUtils.clamp(position.x + dx, -limit, limit), MathUtils.clamp(position.z + dz, -limit, limit)];
    if (position.y < ROOF && this.blocks.some((block) => isWithin(block, x, z))) return;
    position.x = x;
    position.z = z;
  }
}

function isWithin({ left, right, back, front, isSquare }: Block, x: number, z: number): boolean {
  return !isSquare && x > left - BODY && x < right + BODY && z > back - BODY && z < front + BODY;
}
