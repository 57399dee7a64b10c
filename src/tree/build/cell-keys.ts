/**
 * Keys of cells: bodies that are sorted by them lie in the order in which a walk meets their nodes.
 *
 * Key of a body, 31 bits: the Morton code of its cell nine levels below the base cell (27 bits, three a level), cut to the
 * deepest level at which that cell accepts the body, and that level (4 bits) behind it. So a node's own bodies come first in
 * its run, and the octants follow in order.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { cellAccepts, levelOf } from '../../math/integer-cube.ts';
import { BODY_SPHERE } from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Levels that one key covers. */
export const KEY_LEVELS = 9;
const LEVEL_BITS = 4;
const LEVEL_MASK = (1 << LEVEL_BITS) - 1;

/** Gives the bodies in [begin, end) of `order` their keys below `base`. */
export function keyByCell(tree: Tree, base: number, order: Uint32Array, keys: Uint32Array, begin: number, end: number): void {
  const { bodies, box, nodes } = tree;
  const { bounds, flags } = bodies;
  const minX = nodes.cellMin(base, 0);
  const minY = nodes.cellMin(base, 1);
  const minZ = nodes.cellMin(base, 2);
  const edge = nodes.edge(base);
  const levels = Math.min(KEY_LEVELS, nodes.level(base) - levelOf(tree.minCellSize));
  const cells = 1 << levels;
  const cellEdge = edge / cells;
  // A power of two has an exact inverse, so that this is a division.
  const perCell = 1 / cellEdge;
  const reach = tree.reach(edge);
  const spare = 2 * reach;

  for (let k = begin; k < end; k++) {
    const index = order[k];
    const isSphere = (flags[index] & BODY_SPHERE) !== 0;
    const boxes = isSphere ? bodies.readBox(index, box) : bounds;
    const at = isSphere ? 0 : index * BOX_STRIDE;
    const x = cellOf((boxes[at] + boxes[at + 3]) * 0.5, minX, cellEdge, perCell, cells);
    const y = cellOf((boxes[at + 1] + boxes[at + 4]) * 0.5, minY, cellEdge, perCell, cells);
    const z = cellOf((boxes[at + 2] + boxes[at + 5]) * 0.5, minZ, cellEdge, perCell, cells);

    // A level that is likely to be it: the deepest one that accepts a body of this size wherever its centre lies.
    const sizeX = boxes[at + 3] - boxes[at];
    const sizeY = boxes[at + 4] - boxes[at + 1];
    const sizeZ = boxes[at + 5] - boxes[at + 2];
    const size = larger(larger(sizeX, sizeY), sizeZ);
    let level = size * cells > spare ? 31 - Math.clz32((spare / size) | 1) : levels;

    // Exactly: the deepest level at which the cell around the centre accepts the body.
    while (level > 0 && !isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level, cellEdge, reach / (1 << level))) level--;
    while (level < levels && isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level - 1, cellEdge, reach / (2 << level))) level++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (levels - level))) << (3 * (KEY_LEVELS - level));
    keys[k] = (kept << LEVEL_BITS) | level;
  }
}

/** The level at which a body with a key stays. */
export function keyLevel(key: number): number {
  return key & LEVEL_MASK;
}

/** Where the three bits lie in a key that choose an octant of the cell at `depth`. */
export function keyShift(depth: number): number {
  return LEVEL_BITS + 3 * (KEY_LEVELS - 1 - depth);
}

/** Number of the cell that holds a coordinate, which is not below `min`, in [0, cells): the lower face belongs to a cell, the region's last face to the last one. */
function cellOf(coordinate: number, min: number, cellEdge: number, perCell: number, cells: number): number {
  let cell = ((coordinate - min) * perCell) | 0;
  // The subtraction may have rounded up onto a face that the coordinate lies just below.
  if (min + cell * cellEdge > coordinate) cell--;
  return cell < cells ? cell : cells - 1;
}

/** The larger of two numbers, but for the last bits: no processor foresees which of them it is, so there is no choice. */
function larger(a: number, b: number): number {
  return (a + b + Math.abs(a - b)) * 0.5;
}

/** Whether the cell `up` levels above the finest cell (x, y, z) accepts the box at lane `at`. */
function isAccepted(
  boxes: Float64Array,
  at: number,
  minX: number,
  minY: number,
  minZ: number,
  x: number,
  y: number,
  z: number,
  up: number,
  finestEdge: number,
  reach: number,
): boolean {
  const edge = finestEdge * (1 << up);
  return cellAccepts(minX + (x >>> up) * edge, minY + (y >>> up) * edge, minZ + (z >>> up) * edge, edge, reach, boxes, at);
}

/** Moves bit k of a 9-bit number to bit 3k. */
function spreadBits(value: number): number {
  value = (value | (value << 16)) & 0x030000ff;
  value = (value | (value << 8)) & 0x0300f00f;
  value = (value | (value << 4)) & 0x030c30c3;
  return (value | (value << 2)) & 0x09249249;
}
