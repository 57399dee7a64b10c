/**
 * Fat bounds: a box around a body's bounds. While the bounds stay inside it, a move needs no work in the tree. The box
 * reaches ahead along the body's last step, and a little to all sides, but never beyond the limits of the body's node.
 * With a larger margin a body escapes less often; with a smaller margin queries test fewer bodies exactly. Predicted
 * bounds reach farther ahead, and decide the node. A body that rests loses its margin: see maintain.ts.
 *
 * Numbers stay in arrays: V8 may box a double that crosses a call.
 */

import { BOX_STRIDE, boxContains, copyBox } from '../../math/box.ts';
import { roundUpLoosely32, roundDownLoosely32 } from '../../math/float32.ts';
import {
  BODY_HAS_MARGIN,
  BODY_HAS_TIGHT_SLOT,
  BODY_MARGIN_FLAGS,
  BODY_MUST_KEEP_SIZE,
  BODY_STATIC,
  CELL_EDGE,
  CELL_STRIDE,
} from '../layout.ts';
import { STEP_STRIDE } from '../storage/body-arrays.ts';
import type { Tree } from '../tree.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';

// These numbers change the tree, and the costs of queries. Test: golden.test.
/** Maximum margin ahead of the motion, in steps like the last one. */
const STEPS_AHEAD = 256;
/** Maximum margin to each side, in units of the largest component of the last step: for bodies that turn. */
const STEPS_ASIDE = 8;
/** Maximum margin to each side, in units of the edge of the cells around the body. */
const MAX_ASIDE = 1 / 16;
/**
 * Longest step that predicts the next ones, in units of the edge of the cells around the body. A longer one may be a
 * jump, and then the prediction would reach through the whole scene.
 */
const MAX_PREDICTED_STEP = 1 / 8;
/** Number of different scales of the margin: see `marginScale`. */
const SCALES = 64;
/**
 * Fat bounds are cramped if the limits of the node cut the margin of a face to less than this part: the body would soon
 * escape again.
 */
const CRAMPED_PART = 1 / 4;

/** BODY_MUST_KEEP_SIZE is set if the longest edge of a body, divided by that of its fat bounds, is at least this. */
const LARGE_PART = 1 / 2;
/**
 * A body with BODY_MUST_KEEP_SIZE has kept its size while its longest edge, divided by that of its fat bounds, is at
 * least this. Below it, the body is relocated like an escaped body.
 */
const MIN_KEPT_PART = 3 / 8;

/** Result bit of `computeFatBounds`, above the bits of body flags: the fat bounds are cramped. */
export const FAT_BOUNDS_CRAMPED = 256;

/** Bodies with their data side by side. */
export interface MovingBodies {
  readonly indices: Uint32Array;
  /** Exact boxes. */
  readonly boxes: Float64Array;
  /** Last steps. */
  readonly steps: Float32Array;
}

/**
 * Computes the fat bounds of the body at position `k`.
 *
 * @param limits Limits of the body's node, which contain its exact box.
 * @param target Six numbers: the fat bounds.
 * @returns Margin flags, or 0 if the body gets no fat bounds, because it stands still, has jumped or Float32 is too
 *   coarse; with FAT_BOUNDS_CRAMPED where that applies.
 */
export function computeFatBounds(limits: NodeLimits, bodies: MovingBodies, k: number, target: Float32Array): number {
  const { indices, boxes, steps } = bodies;
  const at = k * BOX_STRIDE;
  const from = k * STEP_STRIDE;
  const { box: limitBox, edge, maxAhead } = limits;
  const { abs, max, min } = Math;
  const scale = marginScale(indices[k]);
  const step = max(abs(steps[from]), abs(steps[from + 1]), abs(steps[from + 2]));
  const stepsAhead = scale * min(STEPS_AHEAD, maxAhead / step);
  const aside = min(STEPS_ASIDE * step, MAX_ASIDE * scale * edge);
  // Minima and maxima by arithmetic, because branches would be unpredictable.
  let isCramped = 0;
  // A step longer than the edge is a jump: it does not predict the next step.
  let isInvalid = Number(step === 0) | Number(step > edge);
  for (let axis = 0; axis < 3; axis++) {
    const ahead = stepsAhead * steps[from + axis];
    const below = aside + positivePart(-ahead);
    const above = aside + positivePart(ahead);
    const boxMin = boxes[at + axis];
    const boxMax = boxes[at + axis + 3];
    const fatMin = limitBox[axis] + positivePart(boxMin - below - limitBox[axis]);
    const fatMax = limitBox[axis + 3] - positivePart(limitBox[axis + 3] - boxMax - above);
    isCramped |= Number(boxMin - fatMin < below * CRAMPED_PART) | Number(fatMax - boxMax < above * CRAMPED_PART);
    const fatMin32 = roundUpLoosely32(fatMin);
    const fatMax32 = roundDownLoosely32(fatMax);
    // Far from the origin, rounding inward may cut off a part of the body itself.
    isInvalid |= Number(fatMin32 > boxMin) | Number(fatMax32 < boxMax);
    target[axis] = fatMin32;
    target[axis + 3] = fatMax32;
  }
  if (isInvalid !== 0) return isCramped === 0 ? 0 : FAT_BOUNDS_CRAMPED;
  const mustKeepSize = !limits.isStableLeaf && isAtLeast(LARGE_PART, boxes, at, target, 0);
  return BODY_HAS_MARGIN | (mustKeepSize ? BODY_MUST_KEEP_SIZE : 0) | (isCramped === 0 ? 0 : FAT_BOUNDS_CRAMPED);
}

/**
 * Whether a body with BODY_MUST_KEEP_SIZE has kept its size with the box at offset `from`: a much smaller body could
 * sink.
 */
export function hasKeptSize(fatBounds: Float32Array, at: number, boxes: Float64Array, from: number): boolean {
  return isAtLeast(MIN_KEPT_PART, boxes, from, fatBounds, at);
}

/** Whether the longest edge of a box is at least a part of the longest edge of its fat bounds. */
function isAtLeast(part: number, boxes: Float64Array, from: number, fatBounds: Float32Array, at: number): boolean {
  const { max } = Math;
  const longest = max(
    boxes[from + 3] - boxes[from],
    boxes[from + 4] - boxes[from + 1],
    boxes[from + 5] - boxes[from + 2],
  );
  return (
    longest >=
    part *
      max(
        fatBounds[at + 3] - fatBounds[at],
        fatBounds[at + 4] - fatBounds[at + 1],
        fatBounds[at + 5] - fatBounds[at + 2],
      )
  );
}

/**
 * Stores the fat bounds of the body at position `k`, also as its slot bounds. For a static body, or without margin
 * flags, stores no fat bounds but tight slot bounds.
 *
 * @param slot Slot of the body, with its slot bounds so far.
 * @param flags Result of `computeFatBounds`.
 * @returns Whether the node's fitted box may shrink: false if the new slot bounds are sure to contain the old ones.
 */
export function assignFatBounds(
  tree: Tree,
  { indices, boxes }: MovingBodies,
  k: number,
  slot: number,
  fatBounds: Float32Array,
  flags: number,
): boolean {
  const { bodies, slots } = tree;
  const index = indices[k];
  if ((flags & BODY_HAS_MARGIN) === 0 || (bodies.flags[index] & BODY_STATIC) !== 0) {
    bodies.dropMargin(index);
    tree.writeTightSlot(index, slot, boxes, k * BOX_STRIDE);
    return true;
  }
  const { slotBounds } = slots;
  const to = slot * BOX_STRIDE;
  // The first fat bounds of a body that starts to move usually contain its tight slot bounds.
  const mayShrink = !boxContains(fatBounds, 0, slotBounds, to);
  copyBox(fatBounds, 0, bodies.fatBounds, index * BOX_STRIDE);
  copyBox(fatBounds, 0, slotBounds, to);
  bodies.flags[index] =
    (bodies.flags[index] & ~(BODY_MARGIN_FLAGS | BODY_HAS_TIGHT_SLOT)) | (flags & BODY_MARGIN_FLAGS);
  return mayShrink;
}

/**
 * Computes the predicted bounds of the body at position `k`: a box around its bounds now and after its next steps, in
 * the region. They decide the node of a moving body: the deepest one that accepts them. So a fast body lives in a
 * larger cell than a slow one of its size, and changes its node less often. `Tree.lookAhead` is the maximum number of
 * these steps; `marginScale` reduces it by up to half. Static bodies are not predicted to move. The prediction is not
 * part of the fat bounds, which are what queries test.
 *
 * @param edge Edge of the cells around the body, see `NodeLimits.edge`. World units.
 * @param target Six numbers: the predicted bounds.
 */
export function predictBounds(tree: Tree, edge: number, bodies: MovingBodies, k: number, target: Float64Array): void {
  const { indices, boxes, steps } = bodies;
  const { region } = tree;
  const { abs, max } = Math;
  const at = k * BOX_STRIDE;
  const from = k * STEP_STRIDE;
  const step = max(abs(steps[from]), abs(steps[from + 1]), abs(steps[from + 2]));
  const isStatic = (tree.bodies.flags[indices[k]] & BODY_STATIC) !== 0;
  const ahead = isStatic || step > MAX_PREDICTED_STEP * edge ? 0 : tree.lookAhead * marginScale(indices[k]);
  for (let axis = 0; axis < 3; axis++) {
    const regionMin = axis === 0 ? region.minX : axis === 1 ? region.minY : region.minZ;
    const regionMax = regionMin + region.edge;
    const travel = ahead * steps[from + axis];
    target[axis] = max(boxes[at + axis] - positivePart(-travel), regionMin);
    target[axis + 3] = Math.min(boxes[at + axis + 3] + positivePart(travel), regionMax);
  }
}

/** `value` if it is positive, otherwise 0. */
function positivePart(value: number): number {
  return (value + Math.abs(value)) * 0.5;
}

/** Scales the margin by index (0.5 to 1), so that bodies that start together do not all escape in the same tick. */
function marginScale(index: number): number {
  return 0.5 + (index % SCALES) * (0.5 / SCALES);
}

/**
 * The maximum margin ahead of the motion is one edge of the cells around the body for this many steps of look-ahead.
 * Test: golden.test.
 */
const STEPS_PER_EDGE = 48;

/**
 * The limits of a node, which decide whether it accepts a body. They are read from the tree once per node, then used
 * for many bodies of that node. Valid until the tree changes.
 *
 * Coordinates stay in arrays: V8 may box a double that crosses a call.
 */
export class NodeLimits {
  /**
   * The box that a body of the node must stay in: the node's loose cell, clipped to the region and to the allowed
   * coordinates.
   */
  readonly box = new Float64Array(BOX_STRIDE);
  /**
   * Edge of the cells around a body of the node: the edge of the node's own cell if it is a stable leaf, otherwise half
   * of it, because the body may sink into an octant. World units. NaN until `read`: V8 changes the layout of an object
   * whose integer becomes a double.
   */
  edge = NaN;
  /** Maximum margin of a body of the node ahead of its motion. World units. */
  maxAhead = NaN;
  /** See `Tree.isStableLeaf`. */
  isStableLeaf = false;

  /** Reads the limits of a node. */
  read(tree: Tree, node: number): void {
    const { nodes, region } = tree;
    const { blockCells } = nodes;
    const at = (node >> 3) * CELL_STRIDE;
    const { box } = this;
    const { max, min } = Math;
    const edge = blockCells[at + CELL_EDGE];
    const extension = tree.extension(edge);
    this.isStableLeaf = tree.isStableLeaf(node);
    this.edge = this.isStableLeaf ? edge : edge * 0.5;
    this.maxAhead = (tree.lookAhead / STEPS_PER_EDGE) * this.edge;
    // Fat bounds must lie within the allowed coordinates, because moves inside fat bounds are not validated.
    for (let axis = 0; axis < 3; axis++) {
      // As `cellMin`, without its branch, which is unpredictable.
      const cellMin = blockCells[at + axis] - edge + ((node >> axis) & 1) * edge;
      const regionMin = axis === 0 ? region.minX : axis === 1 ? region.minY : region.minZ;
      box[axis] = max(cellMin - extension, regionMin, -COORDINATE_LIMIT);
      box[axis + 3] = min(cellMin + edge + extension, regionMin + region.edge, COORDINATE_LIMIT);
    }
  }

  /** Whether the box at offset `at` lies in the limits. */
  accepts(boxes: Float64Array, at: number): boolean {
    return boxContains(this.box, 0, boxes, at);
  }
}
