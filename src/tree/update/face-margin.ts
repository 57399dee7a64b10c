/**
 * Play: room for a body whose node might have to pass it on. An octant of the node could accept a smaller box, or one a little aside, so
 * its bounds must not become just anything in the room: each face may move by the same distance, the play, and however they do, no octant
 * accepts the body. Nearly all such bodies are large, and were they without, each of their moves would call for a look at the tree.
 */

import type { Boxes } from '../../math/box.ts';
import { BODY_HAS_FACE_MARGIN, BODY_FACE_MARGIN_SHIFT } from '../layout.ts';

/** The play is one of these parts of the longest edge of the room. Two bits of the body's flags tell which. */
const PARTS = Float64Array.of(1 / 16, 1 / 64, 1 / 256, 1 / 1024);

/** Flags of a body that needs so much play, if it can be had, and not much more: slotBounds of thin bodies would become many times as large. */
export function playFlags(longestEdge: number, wanted: number): number {
  let which = PARTS.length - 1;
  while (which > 0 && longestEdge * PARTS[which] < wanted) which--;
  return BODY_HAS_FACE_MARGIN | (which << BODY_FACE_MARGIN_SHIFT);
}

/** The play that a body with a longest edge shall have. */
export function playFor(longestEdge: number, flags: number): number {
  const part = PARTS[flags >> BODY_FACE_MARGIN_SHIFT];
  return longestEdge * (part / (1 - part));
}

/** The play in the room at lane `at` of a body with such flags. */
export function playIn(fatBounds: Boxes, at: number, flags: number): number {
  const { max } = Math;
  return PARTS[flags >> BODY_FACE_MARGIN_SHIFT] * max(fatBounds[at + 3] - fatBounds[at], fatBounds[at + 4] - fatBounds[at + 1], fatBounds[at + 5] - fatBounds[at + 2]);
}

/** Whether the room at lane `at`, of a body with such flags, holds a box with each face no farther inside than the play. */
export function holdsInPlay(fatBounds: Boxes, at: number, flags: number, box: Float64Array): boolean {
  const play = playIn(fatBounds, at, flags);
  return (
    box[0] >= fatBounds[at] &&
    box[0] <= fatBounds[at] + play &&
    box[1] >= fatBounds[at + 1] &&
    box[1] <= fatBounds[at + 1] + play &&
    box[2] >= fatBounds[at + 2] &&
    box[2] <= fatBounds[at + 2] + play &&
    box[3] <= fatBounds[at + 3] &&
    box[3] >= fatBounds[at + 3] - play &&
    box[4] <= fatBounds[at + 4] &&
    box[4] >= fatBounds[at + 4] - play &&
    box[5] <= fatBounds[at + 5] &&
    box[5] >= fatBounds[at + 5] - play
  );
}

/**
 * Whether along one axis a box sticks out of the octant that its centre chooses, wherever its faces are: the lower one in [min, min + play], the
 * upper one in [max - play, max]. The numbers are compared as those of `cellAccepts` and `octantOf` are.
 *
 * @param cellMin Of the node.
 * @param half Edge of the octant.
 * @param reach How far the octant accepts bodies beyond itself.
 */
export function alwaysSticksOut(min: number, max: number, play: number, cellMin: number, half: number, reach: number): boolean {
  const middle = cellMin + half;
  const greatestMin = min + play;
  const leastMax = max - play;
  const mayBeBelow = (min + leastMax) * 0.5 < middle;
  const mayBeAbove = (greatestMin + max) * 0.5 >= middle;
  if (mayBeBelow && greatestMin >= cellMin - reach && leastMax <= middle + reach) return false;
  return !(mayBeAbove && greatestMin >= middle - reach && leastMax <= middle + half + reach);
}
