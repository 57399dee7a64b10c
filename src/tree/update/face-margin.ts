/**
 * Face margins, for bodies whose node is not a stable leaf. A child of such a node could accept the body after it has become
 * smaller or has moved aside, so the body must not move freely inside its fat bounds. Instead, each face of its box must stay
 * within a distance, the face margin, of the same face of the fat bounds. The body gets such fat bounds only if no child accepts
 * any box in that range.
 *
 * Nearly all of these bodies are large. Without a face margin each of their moves would need work in the tree.
 */

import type { Boxes } from '../../math/box.ts';
import { above32, below32 } from '../../math/float32.ts';
import { BODY_FACE_MARGIN_SHIFT, BODY_HAS_FACE_MARGIN } from '../layout.ts';
import type { NodeLimits } from './node-limits.ts';

/** The face margin is one of these fractions of the longest edge of the fat bounds. Two bits of the body's flags choose it. */
const FRACTIONS = Float64Array.of(1 / 16, 1 / 64, 1 / 256, 1 / 1024);

/** Wanted face margin in units of the largest component of the last step. */
const STEPS_IN_MARGIN = 64;
/** Part of the face margin that each face gets ahead of the motion; the rest lies behind. */
const PART_AHEAD = 7 / 8;

/**
 * Whether the box at offset `from` keeps to the face margin of a body: its fat bounds lie at offset `at`, its flags have
 * BODY_HAS_FACE_MARGIN.
 */
export function fitsFaceMargin(fatBounds: Boxes, at: number, flags: number, boxes: Float64Array, from: number): boolean {
  const margin = faceMarginOf(fatBounds, at, flags);
  return (
    boxes[from] >= fatBounds[at] &&
    boxes[from] <= fatBounds[at] + margin &&
    boxes[from + 1] >= fatBounds[at + 1] &&
    boxes[from + 1] <= fatBounds[at + 1] + margin &&
    boxes[from + 2] >= fatBounds[at + 2] &&
    boxes[from + 2] <= fatBounds[at + 2] + margin &&
    boxes[from + 3] <= fatBounds[at + 3] &&
    boxes[from + 3] >= fatBounds[at + 3] - margin &&
    boxes[from + 4] <= fatBounds[at + 4] &&
    boxes[from + 4] >= fatBounds[at + 4] - margin &&
    boxes[from + 5] <= fatBounds[at + 5] &&
    boxes[from + 5] >= fatBounds[at + 5] - margin
  );
}

/** The face margin of the fat bounds at offset `at`, of a body with these flags. World units. */
export function faceMarginOf(fatBounds: Boxes, at: number, flags: number): number {
  const { max } = Math;
  return FRACTIONS[flags >> BODY_FACE_MARGIN_SHIFT] * max(fatBounds[at + 3] - fatBounds[at], fatBounds[at + 4] - fatBounds[at + 1], fatBounds[at + 5] - fatBounds[at + 2]);
}

/**
 * Computes fat bounds with a face margin.
 *
 * @param boxes Exact box of the body at offset `at`, within the limits of its node.
 * @param steps Last step of the body at offset `from`.
 * @param target Six numbers: the fat bounds.
 * @returns Flags of the body; 0 if it gets no fat bounds, because it stands still, Float32 is too coarse, or a child might accept
 *   it after a small move.
 */
export function computeFaceMargin(limits: NodeLimits, boxes: Float64Array, at: number, steps: Float32Array, from: number, target: Float32Array): number {
  const { box: limitBox } = limits;
  const { abs, max, min } = Math;
  const longestEdge = max(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
  const step = max(abs(steps[from]), abs(steps[from + 1]), abs(steps[from + 2]));
  // The smallest fraction that gives the wanted margin, otherwise the largest one. A margin of many times the thickness of a thin
  // body would make its slot bounds useless.
  let choice = FRACTIONS.length - 1;
  while (choice > 0 && longestEdge * FRACTIONS[choice] < STEPS_IN_MARGIN * step) choice--;
  const flags = BODY_HAS_FACE_MARGIN | (choice << BODY_FACE_MARGIN_SHIFT);
  // The margin m is the fraction f of the longest edge of the fat bounds, which is the edge e of the box plus the margin:
  // m = f (e + m), so m = e f / (1 - f).
  const margin = longestEdge * (FRACTIONS[choice] / (1 - FRACTIONS[choice]));
  for (let axis = 0; axis < 3; axis++) {
    const above = margin * (steps[from + axis] > 0 ? PART_AHEAD : 1 - PART_AHEAD);
    const below = margin - above;
    target[axis] = above32(max(boxes[at + axis] - below, limitBox[axis]));
    target[axis + 3] = below32(min(boxes[at + axis + 3] + above, limitBox[axis + 3]));
  }
  return step > 0 && fitsFaceMargin(target, 0, flags, boxes, at) && staysInNode(limits, target, flags) ? flags : 0;
}

/**
 * Whether no child can accept a body with these fat bounds and flags, as long as its faces keep to the face margin. One axis
 * along which the body always sticks out of the octant is enough.
 */
function staysInNode({ cellMin, edge, octantExtension }: NodeLimits, fatBounds: Float32Array, flags: number): boolean {
  const half = edge * 0.5;
  const margin = faceMarginOf(fatBounds, 0, flags);
  return (
    alwaysSticksOut(fatBounds[0], fatBounds[3], margin, cellMin[0], half, octantExtension) ||
    alwaysSticksOut(fatBounds[1], fatBounds[4], margin, cellMin[1], half, octantExtension) ||
    alwaysSticksOut(fatBounds[2], fatBounds[5], margin, cellMin[2], half, octantExtension)
  );
}

/**
 * Whether, along one axis, a box sticks out of the octant that its centre lies in, for every lower face in [min, min + margin]
 * and every upper face in [max - margin, max]. Compares the same sums as `cellAccepts` and `octantOf`, so that the results agree
 * despite rounding.
 *
 * @param cellMin Lower face of the node's cell.
 * @param half Edge of an octant.
 * @param extension How far an octant accepts bodies beyond itself.
 */
function alwaysSticksOut(min: number, max: number, margin: number, cellMin: number, half: number, extension: number): boolean {
  const middle = cellMin + half;
  const highestMin = min + margin;
  const lowestMax = max - margin;
  const mayBeBelow = (min + lowestMax) * 0.5 < middle;
  const mayBeAbove = (highestMin + max) * 0.5 >= middle;
  if (mayBeBelow && highestMin >= cellMin - extension && lowestMax <= middle + extension) return false;
  return !(mayBeAbove && highestMin >= middle - extension && lowestMax <= middle + half + extension);
}
