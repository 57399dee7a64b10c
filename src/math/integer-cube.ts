/**
 * Cubes with a power-of-two edge and integer corners: the shape of every cell. All arithmetic on them is exact in float64
 * as long as coordinates stay within 2^53.
 */

/** The largest magnitude of a coordinate that the octree takes, so that every cell around it has exact corners. */
export const COORDINATE_LIMIT = 2 ** 50;
/** log2 of the largest edge a root may have: two doublings beyond the range of coordinates. */
export const MAX_LEVEL = 52;

export function isPowerOfTwo(value: number): boolean {
  let power = 1;
  while (power < value && power < 2 ** 60) power *= 2;
  return power === value;
}

/** log2 of a power of two between 1 and 2^MAX_LEVEL; for other numbers the level just below, within that range. */
export function levelOf(edge: number): number {
  let level = 0;
  for (let size = 2; size <= edge && level < MAX_LEVEL; size *= 2) level++;
  return level;
}

export interface IntegerCube {
  minX: number;
  minY: number;
  minZ: number;
  edge: number;
}

/** Whether the cube encloses the box at lane `at`; its faces belong to it. */
export function cubeContains(cube: IntegerCube, boxes: ArrayLike<number>, at = 0): boolean {
  const { minX, minY, minZ, edge } = cube;
  return (
    boxes[at] >= minX &&
    boxes[at + 1] >= minY &&
    boxes[at + 2] >= minZ &&
    boxes[at + 3] <= minX + edge &&
    boxes[at + 4] <= minY + edge &&
    boxes[at + 5] <= minZ + edge
  );
}

/**
 * Whether a cell accepts the box at lane `at`: whether the cell, enlarged by `reach` on every side, encloses it. The one test that decides
 * placement, so that a build, a walk down and a climb agree to the last bit.
 */
export function cellAccepts(minX: number, minY: number, minZ: number, edge: number, reach: number, boxes: Float64Array, at: number): boolean {
  return (
    boxes[at] >= minX - reach &&
    boxes[at + 3] <= minX + edge + reach &&
    boxes[at + 1] >= minY - reach &&
    boxes[at + 4] <= minY + edge + reach &&
    boxes[at + 2] >= minZ - reach &&
    boxes[at + 5] <= minZ + edge + reach
  );
}

/** The smallest cube with integer corners and a power-of-two edge of at least `minEdge` around a box. */
export function smallestCubeAround(box: ArrayLike<number>, minEdge: number): IntegerCube {
  const cube = { minX: Math.floor(box[0]), minY: Math.floor(box[1]), minZ: Math.floor(box[2]), edge: minEdge };
  while (!cubeContains(cube, box)) cube.edge *= 2;
  return cube;
}

/**
 * The cube of twice the edge that has `cube` as one of its octants. Along each axis it grows to where the box at lane `at` sticks out, or towards 0
 * if it does not: so no cube around coordinates within the limit needs more than MAX_LEVEL levels.
 */
export function cubeGrownTowards(cube: IntegerCube, boxes: ArrayLike<number>, at: number): IntegerCube {
  const { minX, minY, minZ, edge } = cube;
  return {
    minX: minX - grownBelow(minX, edge, boxes[at], boxes[at + 3]),
    minY: minY - grownBelow(minY, edge, boxes[at + 1], boxes[at + 4]),
    minZ: minZ - grownBelow(minZ, edge, boxes[at + 2], boxes[at + 5]),
    edge: 2 * edge,
  };
}

/** How far a cube grows below its min along one axis: its edge or nothing. */
function grownBelow(min: number, edge: number, boxMin: number, boxMax: number): number {
  if (boxMin < min) return edge;
  if (boxMax > min + edge) return 0;
  return min + edge / 2 > 0 ? edge : 0;
}
