// What the user wants the person to do: keys, drags of the mouse, and a stick and buttons for fingers.

import { MathUtils, Vector3 } from 'three';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import { HeldKeys } from '../shared/held-keys.ts';
import { connectTouchStick } from '../shared/touch-stick.ts';

/** Metres per second. */
const [WALK, RUN] = [3.6, 7];
/** Radians per second of a key. */
const KEY_TURN = 1.9;
const PITCH = { low: -1.2, high: 1.1 };

export class Controls {
  /** Radians about the vertical: 0 looks along z. */
  yaw = Math.PI;
  /** Radians above the horizon. */
  pitch = -0.08;
  private readonly keys = new HeldKeys();
  /** Of the touch stick: right, up and forwards. */
  private readonly push = new Vector3();

  constructor(element: HTMLElement, touch: HTMLElement) {
    connectTouchStick(touch, this.push);
    dragToTurn(element, (left, upwards) => {
      this.yaw += left;
      this.pitch = MathUtils.clamp(this.pitch - upwards, PITCH.low, PITCH.high);
    });
  }

  get jumps(): boolean {
    return this.keys.has('Space') || this.push.y > 0;
  }

  /** Unit vector in which it looks. */
  look(target: Vector3): Vector3 {
    const level = Math.cos(this.pitch);
    return target.set(Math.sin(this.yaw) * level, Math.sin(this.pitch), Math.cos(this.yaw) * level);
  }

  lookAt(from: Vector3, to: Vector3): void {
    this.yaw = Math.atan2(to.x - from.x, to.z - from.z);
    this.pitch = -0.08;
  }

  /** Turns by keys. */
  turn(seconds: number): void {
    this.yaw += this.keys.axis('ArrowLeft', 'ArrowRight') * KEY_TURN * seconds;
  }

  /** The wanted velocity along the ground. */
  walk(target: Vector3): Vector3 {
    const { keys, push, yaw } = this;
    const ahead = keys.axis('KeyW', 'KeyS') + keys.axis('ArrowUp', 'ArrowDown') + push.z;
    const right = keys.axis('KeyD', 'KeyA') + push.x;
    const speed = keys.has('ShiftLeft') || keys.has('ShiftRight') ? RUN : WALK;
    target.set(Math.sin(yaw) * ahead - Math.cos(yaw) * right, 0, Math.cos(yaw) * ahead + Math.sin(yaw) * right);
    return target.clampLength(0, 1).multiplyScalar(speed);
  }
}
