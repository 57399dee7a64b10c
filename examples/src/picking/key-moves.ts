// Moves the view by keys.

import type { HeldKeys } from '../shared/held-keys.ts';
import type { GroundOrbit } from './ground-orbit.ts';

/** Turning per second, in pixels of a drag. */
const TURN_PX = 260;
/** Sliding per second, in distances to the target. */
const SLIDE = 0.7;
/** Zoom factor per second. */
const ZOOM = 3;

/** Returns whether a key that moves the view is down. */
export function moveByKeys(keys: HeldKeys, orbit: GroundOrbit, seconds: number): boolean {
  const right = keys.axis('KeyD', 'KeyA') + keys.axis('ArrowRight', 'ArrowLeft');
  const ahead = keys.axis('KeyW', 'KeyS') + keys.axis('ArrowUp', 'ArrowDown');
  const turn = keys.axis('KeyE', 'KeyQ');
  const tilt = keys.axis('KeyR', 'KeyF');
  const zoom = keys.axis('Minus', 'Equal') + keys.axis('NumpadSubtract', 'NumpadAdd');
  if (right === 0 && ahead === 0 && turn === 0 && tilt === 0 && zoom === 0) return false;
  orbit.slide(right * SLIDE * seconds, ahead * SLIDE * seconds);
  orbit.turn(turn * TURN_PX * seconds, tilt * TURN_PX * seconds);
  orbit.zoom(ZOOM ** (zoom * seconds));
  return true;
}
