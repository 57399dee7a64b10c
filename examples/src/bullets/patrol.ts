// The automatic aim: one place of the target field after the other, a few seconds each.

import { Vector3 } from 'three';
import { FIELD_RADIUS, fieldCentre } from './range.ts';

const SECONDS_PER_PLACE = 5;
const PLACES = 9;
/** Step from one place to the next, in the order around the centre. */
const STRIDE = 4;

/** The aim at a moment, in simulated seconds since the start. */
export function patrolAt(seconds: number, target: Vector3): Vector3 {
  const place = (Math.floor(seconds / SECONDS_PER_PLACE) * STRIDE) % PLACES;
  const angle = (place / PLACES) * 2 * Math.PI;
  const radius = FIELD_RADIUS * (place % 2 === 0 ? 0.55 : 0.25);
  return target.set(radius * Math.cos(angle), radius * Math.sin(angle), 0).add(fieldCentre);
}
