/**
 * Predicted bounds: a box around a body's bounds now and after its next steps. They decide the node of a moving body:
 * the deepest one that accepts them. So a fast body lives in a larger cell than a slow one of its size, and changes its
 * node less often. `Tree.lookAhead` is the maximum number of these steps; `marginScale` reduces it by up to half. The
 * prediction is not part of the fat bounds, which are what queries test.
 */

import { BODY_STATIC } from '../layout.ts';
import type { Tree } from '../tree.ts';
import { marginScale, positivePart } from './fat-bounds.ts';

/**
 * Longest step that predicts the next ones, in units of the edge of the cells around the body. A longer one may be a
 * jump, and then the prediction would reach through the whole scene.
 */
const MAX_STEP = 1 / 8;

/**
 * Computes the predicted bounds of a body. They lie in the region. Static bodies are not predicted to move.
 *
 * @param edge Edge of the cells around the body, see `NodeLimits.edge`. World units.
 * @param boxes Exact box of the body at offset `at`, within the region.
 * @param steps Last step of the body at offset `from`.
 * @param target Six numbers: the predicted bounds.
 */
export function predictBounds(
  tree: Tree,
  edge: number,
  index: number,
  boxes: Float64Array,
  at: number,
  steps: Float32Array,
  from: number,
  target: Float64Array,
): void {
  const { region } = tree;
  const { abs, max } = Math;
  const step = max(abs(steps[from]), abs(steps[from + 1]), abs(steps[from + 2]));
  const isStatic = (tree.bodies.flags[index] & BODY_STATIC) !== 0;
  const ahead = isStatic || step > MAX_STEP * edge ? 0 : tree.lookAhead * marginScale(index);
  for (let axis = 0; axis < 3; axis++) {
    const regionMin = axis === 0 ? region.minX : axis === 1 ? region.minY : region.minZ;
    const regionMax = regionMin + region.edge;
    const travel = ahead * steps[from + axis];
    const below = positivePart(-travel);
    const above = positivePart(travel);
    target[axis] = max(boxes[at + axis] - below, regionMin);
    target[axis + 3] = Math.min(boxes[at + axis + 3] + above, regionMax);
  }
}
