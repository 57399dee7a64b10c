/**
 * The limits of a node, which decide whether it accepts a body. They are read from the tree once per node, then used
 * for many bodies of that node. Valid until the tree changes.
 *
 * Coordinates stay in arrays: V8 may box a double that crosses a call.
 */

import { BOX_STRIDE, boxContains } from '../../math/box.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { CELL_EDGE, CELL_STRIDE } from '../layout.ts';
import type { Tree } from '../tree.ts';

/**
 * The maximum margin ahead of the motion is one edge of the cells around the body for this many steps of look-ahead.
 * Test: golden.test.
 */
const STEPS_PER_EDGE = 48;

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
