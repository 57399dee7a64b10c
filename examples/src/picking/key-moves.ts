// The keys that move the view.

import type { HeldKeys } from '../shared/held-keys.ts';
import type { GroundOrbit } from './ground-orbit.ts';

/** Pixels of a drag that a second of turning is worth, and distances that a second of sliding covers. */
const TURN_PX = 260;
const SLIDE = 0.7;
const ZOOM = 3;

/** True if a key that moves the view is down. */
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
