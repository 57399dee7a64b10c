/**
 * Cuts objects into the cells of an octree, by their centres. A cell is a range of one array of objects, in the order
 * of the octants. Siblings that fit into one tile together are one leaf.
 */

import { minMaxOf } from './glb.ts';

/** Bounds and counts of all objects, by place. */
export interface ObjectTable {
  /** By place six numbers: least and largest coordinates. */
  readonly bounds: readonly number[];
  /** By place the number of vertices. */
  readonly vertices: readonly number[];
}

/** A range of objects, and the cells that it is cut into; none for a leaf. */
export interface Cell {
  readonly begin: number;
  readonly end: number;
  readonly children: readonly Cell[];
}

/** Halvings of a cell after which its objects count as being at one place. Test: cells.test. */
const MAX_DEPTH = 60;

/** The cells of all objects, with at most `maxVertices` vertices in a leaf of several objects. Sorts `order`. */
export function cutIntoCells(table: ObjectTable, order: Uint32Array, maxVertices: number): Cell {
  const { bounds, vertices } = table;
  const centres = new Float64Array(bounds.length / 2);
  for (let at = 0; at < centres.length; at++) {
    const low = 2 * at - (at % 3);
    centres[at] = bounds[low] / 2 + bounds[low + 3] / 2;
  }
  const weigh = (begin: number, end: number): number =>
    order.subarray(begin, end).reduce((sum, place) => sum + vertices[place], 0);

  const cut = (begin: number, end: number, middle: readonly number[], half: number, depth: number): Cell => {
    if (end - begin < 2 || weigh(begin, end) <= maxVertices) return { begin, end, children: [] };
    const octants: number[][] = Array.from({ length: 8 }, () => []);
    // Objects at one place are cut into runs.
    const octantOf = (k: number): number =>
      depth < MAX_DEPTH
        ? [1, 2, 4].reduce((sum, bit, axis) => sum + (centres[3 * order[k] + axis] >= middle[axis] ? bit : 0), 0)
        : Math.floor((8 * (k - begin)) / (end - begin));
    for (let k = begin; k < end; k++) octants[octantOf(k)].push(order[k]);
    order.set(octants.flat(), begin);
    const children: Cell[] = [];
    let start = begin;
    let weight = 0;
    for (let octant = 0, from = begin, to = begin; octant < 8; octant++, from = to) {
      to += octants[octant].length;
      const own = weigh(from, to);
      if (weight + own <= maxVertices) {
        weight += own;
        continue;
      }
      if (start < from) children.push({ begin: start, end: from, children: [] });
      start = from;
      weight = own;
      if (own <= maxVertices) continue;
      const q = half / 2;
      const inner = middle.map((value, axis) => ((octant >> axis) & 1 ? value + q : value - q));
      children.push(cut(from, to, inner, q, depth + 1));
      start = to;
      weight = 0;
    }
    if (start < end) children.push({ begin: start, end, children: [] });
    return children.length === 1 ? children[0] : { begin, end, children };
  };

  const { min, max } = minMaxOf(centres, 3);
  const middle = min.map((low, axis) => low / 2 + max[axis] / 2);
  const half = Math.max(...min.map((low, axis) => (max[axis] - low) / 2));
  return cut(0, order.length, middle, half, 0);
}
