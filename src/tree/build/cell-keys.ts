/**
 * Sort keys of bodies: sorted by key, the bodies of each subtree lie side by side. Octant 0 comes first; the walks
 * visit octant 7 first, and `planNodes` reverses the order of octants for them.
 *
 * A key has 31 bits and names the cell that should own the body: the deepest one around its centre that accepts it, at
 * most nine steps below a base cell. The upper 27 bits are the Morton code of that cell, three bits per step, the top
 * step first; steps below the cell have zeros. The lower 4 bits are the depth of the cell below the base cell. So the
 * sorted bodies of a subtree are contiguous: first the node's own bodies, then its octants in order.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { cellAccepts, edgeExponentOf } from '../../math/integer-cube.ts';
import { spreadBits } from '../../math/sorting.ts';
import { BODY_SPHERE } from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Maximum depth below the base cell that one key covers. */
export const KEY_DEPTH = 9;
const DEPTH_BITS = 4;
const DEPTH_MASK = (1 << DEPTH_BITS) - 1;

/**
 * Writes the keys of the bodies in [begin, end) of `order` to the same positions of `keys`. The cell of the node
 * `base`, which accepts them all, is the base cell.
 */
export function keyByCell(
  tree: Tree,
  base: number,
  order: Uint32Array,
  keys: Uint32Array,
  begin: number,
  end: number,
): void {
  const { bodies, box, nodes } = tree;
  const { bounds, flags } = bodies;
  const minX = nodes.cellMin(base, 0);
  const minY = nodes.cellMin(base, 1);
  const minZ = nodes.cellMin(base, 2);
  const edge = nodes.edge(base);
  const maxDepth = Math.min(KEY_DEPTH, nodes.edgeExponent(base) - edgeExponentOf(tree.smallestEdge));
  const cells = 1 << maxDepth;
  const cellEdge = edge / cells;
  // Exact: the inverse of a power of two.
  const perCell = 1 / cellEdge;
  const extension = tree.extension(edge);
  const maxSize = 2 * extension;

  for (let k = begin; k < end; k++) {
    const index = order[k];
    const isSphere = (flags[index] & BODY_SPHERE) !== 0;
    const boxes = isSphere ? bodies.readBox(index, box) : bounds;
    const at = isSphere ? 0 : index * BOX_STRIDE;
    const x = cellOf((boxes[at] + boxes[at + 3]) * 0.5, minX, cellEdge, perCell, cells);
    const y = cellOf((boxes[at + 1] + boxes[at + 4]) * 0.5, minY, cellEdge, perCell, cells);
    const z = cellOf((boxes[at + 2] + boxes[at + 5]) * 0.5, minZ, cellEdge, perCell, cells);

    // An estimate: the maximum depth at which a cell accepts every body of this size whose centre lies in the cell. At
    // depth 0 the largest such size is `maxSize`, and each step down halves it.
    const sizeX = boxes[at + 3] - boxes[at];
    const sizeY = boxes[at + 4] - boxes[at + 1];
    const sizeZ = boxes[at + 5] - boxes[at + 2];
    const size = larger(larger(sizeX, sizeY), sizeZ);
    let depth = size * cells > maxSize ? 31 - Math.clz32((maxSize / size) | 1) : maxDepth;

    // The exact depth: the largest at which the cell around the centre accepts this body.
    while (
      depth > 0 &&
      !isAccepted(boxes, at, minX, minY, minZ, x, y, z, maxDepth - depth, cellEdge, extension / (1 << depth))
    )
      depth--;
    while (
      depth < maxDepth &&
      isAccepted(boxes, at, minX, minY, minZ, x, y, z, maxDepth - depth - 1, cellEdge, extension / (2 << depth))
    )
      depth++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (maxDepth - depth))) << (3 * (KEY_DEPTH - depth));
    keys[k] = (kept << DEPTH_BITS) | depth;
  }
}

/** Depth, below the base cell, of the cell that should own the body with this key. */
export function keyDepth(key: number): number {
  return key & DEPTH_MASK;
}

/** Position of the three bits of a key that choose an octant of the cell at `depth`. */
export function keyShift(depth: number): number {
  return DEPTH_BITS + 3 * (KEY_DEPTH - 1 - depth);
}

/**
 * Along one axis, number of the finest cell that contains a coordinate, from 0 to cells - 1. The coordinate must be at
 * least `min`. A cell contains its lower face; the last cell also contains its upper face.
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

/** Whether the cell `up` steps above the finest cell (x, y, z) accepts the box at offset `at`. */
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
  extension: number,
): boolean {
  const edge = finestEdge * (1 << up);
  return cellAccepts(
    minX + (x >>> up) * edge,
    minY + (y >>> up) * edge,
    minZ + (z >>> up) * edge,
    edge,
    extension,
    boxes,
    at,
  );
}
