// Flies a pose over a surface: keys and the touch stick move it, a drag turns it. The speed is proportional to the
// altitude.

import { Vector3 } from 'three';
import { dragToTurn } from './drag-to-turn.ts';
import { HeldKeys } from './held-keys.ts';
import type { Pose } from './pose.ts';
import type { Surface } from './surface.ts';

const RADIANS_PER_SECOND = 1.1;
/** Full speed, in altitudes per second. */
const SPEED = 0.75;
/** Factor on the speed with Shift. */
const BOOST = 4;
/** Share of the difference to the requested velocity that remains after one second. */
const INERTIA = 0.0006;

export class FlyControls {
  /** Factor on the speed. */
  speed = 1;
  altitude = { low: 0, high: Infinity };
  /** Whether a drag on the element turns the pose. */
  turnsByDrag = true;
  /** Input of the touch stick: right, up and forwards, -1 to 1 each. */
  readonly push = new Vector3();
  private readonly keys = new HeldKeys();
  private readonly velocity = new Vector3();
  private readonly input = new Vector3();
  private readonly step = new Vector3();
  private readonly side = new Vector3();
  private readonly pose: Pose;
  private readonly onSteer: () => void;

  /** @param onSteer Called whenever the user moves or turns the pose. */
  constructor(pose: Pose, element: HTMLElement, onSteer: () => void) {
    this.pose = pose;
    this.onSteer = onSteer;
    dragToTurn(element, (left, upwards) => {
      if (!this.turnsByDrag) return;
      onSteer();
      pose.turn(left, upwards);
    });
  }

  /** Moves the pose by the current input. Call it once per frame. */
  update(seconds: number, surface: Surface): void {
    const { keys, pose, velocity, input } = this;
    this.readInput();
    const turn = keys.axis('ArrowLeft', 'ArrowRight');
    const tilt = keys.axis('ArrowUp', 'ArrowDown');
    const isSteered = input.lengthSq() > 0 || turn !== 0 || tilt !== 0;
    if (isSteered) this.onSteer();
    pose.turn(turn * RADIANS_PER_SECOND * seconds, tilt * RADIANS_PER_SECOND * seconds);

    const boost = keys.has('ShiftLeft') || keys.has('ShiftRight') ? BOOST : 1;
    const altitude = Math.max(this.altitude.low, surface.altitudeAt(pose.position));
    velocity.lerp(input.multiplyScalar(SPEED * this.speed * boost), 1 - INERTIA ** seconds);
    if (!isSteered && velocity.lengthSq() < 1e-6) return;
    const { step, side } = this;
    step
      .copy(pose.heading)
      .multiplyScalar(velocity.z)
      .addScaledVector(pose.sideways(side), velocity.x)
      .addScaledVector(pose.up, velocity.y);
    pose.position.addScaledVector(step, altitude * seconds);
    surface.clampAltitude(pose.position, this.altitude.low, this.altitude.high);
    pose.level(surface);
  }

  /** Sets the velocity to zero, for a jump to another place. */
  stop(): void {
    this.velocity.set(0, 0, 0);
  }

  private readInput(): void {
    const { keys } = this;
    const upwards = keys.axis('KeyE', 'KeyQ') + keys.axis('KeyR', 'KeyF');
    this.input.set(keys.axis('KeyD', 'KeyA'), upwards, keys.axis('KeyW', 'KeyS')).add(this.push).clampLength(0, 1);
  }
}
