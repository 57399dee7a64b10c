/**
 * Cuts objects into the cells of an octree, by their centres. Siblings that fit into one tile together are one leaf.
 */

import { minMaxOf } from './glb.ts';

/** Bounds and counts of all objects, by place. */
export interface ObjectTable {
  /** By place six numbers: least and largest coordinates. */
  readonly bounds: readonly number[];
  /** By place the number of vertices. */
  readonly vertices: readonly number[];
}

/** The objects of a leaf, by place; or the cells that a cell is cut into. */
export interface Cell {
  readonly places: readonly number[];
  readonly children: readonly Cell[];
}

/** Halvings of a cell after which its objects count as being at one place. Test: cells.test. */
const MAX_DEPTH = 60;

/** The objects of all leaves of a cell, leaf by leaf. */
export const placesIn = ({ places, children }: Cell): number[] => [...places, ...children.flatMap(placesIn)];

/** The cells of all objects, with at most `maxVertices` vertices in a leaf of several objects. */
export function cutIntoCells({ bounds, vertices }: ObjectTable, maxVertices: number): Cell {
  const centres = Float64Array.from({ length: bounds.length / 2 }, (_, at) => {
    const low = 2 * at - (at % 3);
    return bounds[low] / 2 + bounds[low + 3] / 2;
  });
  const weigh = (places: readonly number[]): number => places.reduce((sum, place) => sum + vertices[place], 0);

  const cut = (places: readonly number[], middle: readonly number[], half: number, depth: number): Cell => {
    if (places.length < 2 || weigh(places) <= maxVertices) return { places, children: [] };
    // Objects at one place are cut into runs.
    const octantOf = (place: number, k: number): number =>
      depth < MAX_DEPTH
        ? [1, 2, 4].reduce((sum, bit, axis) => sum + (centres[3 * place + axis] >= middle[axis] ? bit : 0), 0)
        : Math.floor((8 * k) / places.length);
    const octants: number[][] = Array.from({ length: 8 }, () => []);
    places.forEach((place, k) => octants[octantOf(place, k)].push(place));
    const children: Cell[] = [];
    let joined: number[] = [];
    octants.forEach((octant, k) => {
      const own = weigh(octant);
      if (weigh(joined) + own <= maxVertices) {
        joined = joined.concat(octant);
        return;
      }
      if (joined.length > 0) children.push({ places: joined, children: [] });
      joined = own <= maxVertices ? octant : [];
      if (joined === octant) return;
      const q = half / 2;
      const inner = middle.map((value, axis) => ((k >> axis) & 1 ? value + q : value - q));
      children.push(cut(octant, inner, q, depth + 1));
    });
    if (joined.length > 0) children.push({ places: joined, children: [] });
    return children.length === 1 ? children[0] : { places: [], children };
  };

  const { min, max } = minMaxOf(centres, 3);
  const middle = min.map((low, axis) => low / 2 + max[axis] / 2);
  const half = Math.max(...min.map((low, axis) => (max[axis] - low) / 2));
  return cut([...vertices.keys()], middle, half, 0);
}
