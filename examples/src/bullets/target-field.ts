// The field of targets: a bowl that opens towards the gun, its places turned about the middle as the seeds of a sunflower are.

import { Vector3 } from 'three';
import { FIELD_RADIUS, fieldCentre } from './range.ts';
import { Target } from './target.ts';

/** Turns the next seed in the widest gap. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** How far the rim stands out towards the gun. */
const BOWL_DEPTH = 56;

export function createTargets(count: number): Target[] {
  return Array.from({ length: count }, (_, place) => {
    const share = Math.sqrt((place + 0.5) / count);
    const angle = place * GOLDEN_ANGLE;
    const home = new Vector3(share * FIELD_RADIUS * Math.cos(angle), share * FIELD_RADIUS * Math.sin(angle), BOWL_DEPTH * (share * share - 0.5)).add(fieldCentre);
    return new Target(home, 2.4 + 1.4 * (1 - share));
  });
}
