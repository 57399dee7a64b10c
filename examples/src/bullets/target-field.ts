// The target field: a bowl that opens towards the gun. Its places follow a sunflower spiral.

import { Vector3 } from 'three';
import { FIELD_RADIUS, fieldCentre } from './range.ts';
import { Target } from './target.ts';

/** Angle between successive places of the spiral; it places each one in the widest gap. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Distance in z between the rim and the bottom of the bowl, in metres. */
const BOWL_DEPTH = 56;

export function createTargets(count: number): Target[] {
  return Array.from({ length: count }, (_, place) => {
    const share = Math.sqrt((place + 0.5) / count);
    const angle = place * GOLDEN_ANGLE;
    const home = new Vector3(
      share * FIELD_RADIUS * Math.cos(angle),
      share * FIELD_RADIUS * Math.sin(angle),
      BOWL_DEPTH * (share * share - 0.5),
    ).add(fieldCentre);
    return new Target(home, 2.4 + 1.4 * (1 - share));
  });
}
