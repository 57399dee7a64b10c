/**
 * Sort keys of bodies: sorted by key, bodies lie in the order in which a walk visits their nodes.
 *
 * A key has 31 bits. The upper 27 bits are the Morton code (three bits per level) of the body's cell nine levels below the base
 * cell, with zeros below the deepest level at which the cell around its centre accepts the body. The lower 4 bits are that level.
 * So the bodies of a subtree are a run that begins with the node's own bodies, followed by its octants in order.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { cellAccepts, levelOf } from '../../math/integer-cube.ts';
import { BODY_SPHERE } from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Levels that one key covers. */
export const KEY_LEVELS = 9;
const LEVEL_BITS = 4;
const LEVEL_MASK = (1 << LEVEL_BITS) - 1;

/**
 * Writes the keys of the bodies in [begin, end) of `order` to the same places of `keys`. The node `base`, which accepts them all,
 * is level 0.
 */
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
  // Exact: the inverse of a power of two.
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

    // An estimate: the deepest level that accepts a body of this size wherever its centre lies.
    const sizeX = boxes[at + 3] - boxes[at];
    const sizeY = boxes[at + 4] - boxes[at + 1];
    const sizeZ = boxes[at + 5] - boxes[at + 2];
    const size = larger(larger(sizeX, sizeY), sizeZ);
    let level = size * cells > spare ? 31 - Math.clz32((spare / size) | 1) : levels;

    // The exact level: the deepest at which the cell around the centre accepts the body.
    while (level > 0 && !isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level, cellEdge, reach / (1 << level))) level--;
    while (level < levels && isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level - 1, cellEdge, reach / (2 << level))) level++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (levels - level))) << (3 * (KEY_LEVELS - level));
    keys[k] = (kept << LEVEL_BITS) | level;
  }
}

/** The level of the node that owns the body with this key. */
export function keyLevel(key: number): number {
  return key & LEVEL_MASK;
}

/** Position of the three bits of a key that choose an octant of the cell at `depth`. */
export function keyShift(depth: number): number {
  return LEVEL_BITS + 3 * (KEY_LEVELS - 1 - depth);
}

/**
 * Number of the cell around a coordinate of at least `min`, in [0, cells). The lower face belongs to a cell, the last upper face
 * to the last cell.
 */
function cellOf(coordinate: number, min: number, cellEdge: number, perCell: number, cells: number): number {
  let cell = ((coordinate - min) * perCell) | 0;
  // The subtraction may have rounded a coordinate just below a face up to the face.
  if (min + cell * cellEdge > coordinate) cell--;
  return cell < cells ? cell : cells - 1;
}

/** The larger of two numbers, inexact in the last bits. Without a branch, which would be unpredictable. */
function larger(a: number, b: number): number {
  return (a + b + Math.abs(a - b)) * 0.5;
}

/** Whether the cell `up` levels above the finest cell (x, y, z) accepts the box at offset `at`. */
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
