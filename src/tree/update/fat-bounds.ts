/**
 * Fat bounds: a box around a body's bounds. While the bounds stay inside it, a move needs no work in the tree. The box reaches
 * far ahead, in the direction of the body's last step, and a little to all other sides, but never beyond the limits of the body's
 * node. A larger margin means fewer updates; a smaller margin means fewer bodies that a query must test exactly.
 *
 * A body of a stable leaf may move anywhere inside its fat bounds; a body of another node may move each face by at most its face
 * margin.
 *
 * Numbers stay in arrays: V8 may box a double that crosses a call.
 */

import { BOX_STRIDE, boxContains, copyBox } from '../../math/box.ts';
import { above32, below32 } from '../../math/float32.ts';
import { BODY_HAS_MARGIN, BODY_MARGIN_FLAGS, BODY_STATIC } from '../layout.ts';
import type { Tree } from '../tree.ts';
import { computeFaceMargin } from './face-margin.ts';
import type { NodeLimits } from './node-limits.ts';

/** Maximum margin ahead of the motion, in units of the last step. */
const STEPS_AHEAD = 256;
/** Maximum margin to each side, in units of the largest component of the last step: for bodies that turn. */
const STEPS_ASIDE = 8;
/** Maximum margin in units of the cell edge: ahead of the motion, and to each side. */
const MAX_AHEAD = 2;
const MAX_ASIDE = 3 / 8;
/**
 * Margin on all sides after a jump, in units of the cell edge. A jump is a step longer than the cell edge; it does not predict
 * the next step.
 */
const MAX_AFTER_JUMP = 3 / 4;
/** Number of different scales of the margin: see `marginScale`. */
const SCALES = 64;
/**
 * Fat bounds are cramped if the limits of the node cut the margin of a face to less than this part: the body would soon escape
 * again.
 */
const CRAMPED_PART = 1 / 4;

/** Result bit of `computeFatBounds`, above the eight bits of body flags: the fat bounds are cramped. */
export const FAT_BOUNDS_CRAMPED = 256;

/**
 * Computes the fat bounds of a body.
 *
 * @param limits Limits of the body's node.
 * @param boxes Exact box of the body at offset `at`, within the limits.
 * @param steps Last step of the body at offset `from`.
 * @param target Six numbers: the fat bounds.
 * @returns Margin flags for `assignFatBounds`, with FAT_BOUNDS_CRAMPED where that applies; without margin flags the body gets no
 *   fat bounds.
 */
export function computeFatBounds(limits: NodeLimits, index: number, boxes: Float64Array, at: number, steps: Float32Array, from: number, target: Float32Array): number {
  return limits.isStableLeaf ? computeMargin(limits, index, boxes, at, steps, from, target) : computeFaceMargin(limits, boxes, at, steps, from, target);
}

function computeMargin(limits: NodeLimits, index: number, boxes: Float64Array, at: number, steps: Float32Array, from: number, target: Float32Array): number {
  const { box: limitBox, edge } = limits;
  const { abs, max, min } = Math;
  const scale = marginScale(index);
  const scaledEdge = scale * edge;
  const maxMargin = MAX_AHEAD * scaledEdge;
  const step = max(abs(steps[from]), abs(steps[from + 1]), abs(steps[from + 2]));
  const isJump = step > edge;
  const stepsAhead = isJump ? 0 : scale * STEPS_AHEAD;
  const aside = isJump ? MAX_AFTER_JUMP * scaledEdge : min(STEPS_ASIDE * step, MAX_ASIDE * scaledEdge);
  // Minima and maxima by arithmetic, because branches would be unpredictable.
  let isCramped = 0;
  let isInvalid = Number(step === 0);
  for (let axis = 0; axis < 3; axis++) {
    const ahead = stepsAhead * steps[from + axis];
    // The margin of each face: `aside`, and `ahead` where that points outward, but at most `maxMargin`.
    const below = maxMargin - positivePart(maxMargin - aside - (abs(ahead) - ahead) * 0.5);
    const above = maxMargin - positivePart(maxMargin - aside - (abs(ahead) + ahead) * 0.5);
    const boxMin = boxes[at + axis];
    const boxMax = boxes[at + axis + 3];
    const fatMin = limitBox[axis] + positivePart(boxMin - below - limitBox[axis]);
    const fatMax = limitBox[axis + 3] - positivePart(limitBox[axis + 3] - boxMax - above);
    isCramped |= Number(boxMin - fatMin < below * CRAMPED_PART) | Number(fatMax - boxMax < above * CRAMPED_PART);
    const fatMin32 = above32(fatMin);
    const fatMax32 = below32(fatMax);
    // Far from the origin, rounding inward may cut off a part of the body itself.
    isInvalid |= Number(fatMin32 > boxMin) | Number(fatMax32 < boxMax);
    target[axis] = fatMin32;
    target[axis + 3] = fatMax32;
  }
  return (isInvalid === 0 ? BODY_HAS_MARGIN : 0) | (isCramped === 0 ? 0 : FAT_BOUNDS_CRAMPED);
}

/**
 * Stores the fat bounds of a body, also as its slot bounds. For a static body, or without margin flags, stores no fat bounds but
 * tight slot bounds.
 *
 * @param slot Slot of the body, with its slot bounds so far.
 * @param boxes Exact box of the body at offset `at`.
 * @param flags Result of `computeFatBounds`.
 * @returns Whether the node's fitted box may shrink: false if the new slot bounds are sure to contain the old ones.
 */
export function assignFatBounds(tree: Tree, index: number, slot: number, boxes: Float64Array, at: number, fatBounds: Float32Array, flags: number): boolean {
  const { bodies, slots } = tree;
  const marginFlags = flags & BODY_MARGIN_FLAGS;
  bodies.dropMargin(index);
  if (marginFlags === 0 || (bodies.flags[index] & BODY_STATIC) !== 0) {
    slots.writeSlotBounds(slot, boxes, at);
    return true;
  }
  const { slotBounds } = slots;
  const to = slot * BOX_STRIDE;
  // The first fat bounds of a body that starts to move usually contain its tight slot bounds.
  const mayShrink = !boxContains(fatBounds, 0, slotBounds, to);
  copyBox(fatBounds, 0, bodies.fatBounds, index * BOX_STRIDE);
  copyBox(fatBounds, 0, slotBounds, to);
  bodies.flags[index] |= marginFlags;
  return mayShrink;
}

/** `value` if it is positive, otherwise 0. */
function positivePart(value: number): number {
  return (value + Math.abs(value)) * 0.5;
}

/** Scales the margin by index (0.5 to 1), so that bodies that start together do not all escape in the same tick. */
function marginScale(index: number): number {
  return 0.5 + (index % SCALES) * (0.5 / SCALES);
}
