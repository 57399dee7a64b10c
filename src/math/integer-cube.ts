/**
 * Cubes with a power of two as edge, and corners that are integers in units of a step: the shape of every cell. The
 * step of a tree is 1, or the edge of its smallest cell where that is smaller. Arithmetic on cells is exact in Float64
 * while coordinates stay below 2^53 steps. A scene that is scaled by a power of two, with its step, has the same cells,
 * scaled.
 */

/**
 * Maximum magnitude of a coordinate, in steps: every cell around such a coordinate has corners that are exact in
 * Float64. Inputs are limited to as many world units; a tree with a smaller step gets a larger one where it is needed.
 */
export const COORDINATE_LIMIT = 2 ** 50;
/**
 * Smallest edge of a cell, world units. Squares of lengths of this size, and of their 2^-20, do not underflow in
 * Float32.
 */
export const MIN_EDGE = 2 ** -30;
/** Edge exponents are 0 to 82: edges of a root are up to 2^52, four times the limit of coordinates. */
export const EDGE_EXPONENTS = 83;

export function isPowerOfTwo(value: number): boolean {
  let power = MIN_EDGE;
  while (power < value && power < 2 ** 60) power *= 2;
  return power === value;
}

/** How often MIN_EDGE must be doubled to get an edge. */
export function edgeExponentOf(edge: number): number {
  let exponent = 0;
  for (let size = MIN_EDGE; size < edge; size *= 2) exponent++;
  return exponent;
}

/** The smallest step for which coordinates of a magnitude are within the limit. */
export function smallestStepFor(magnitude: number): number {
  let step = MIN_EDGE;
  while (step * COORDINATE_LIMIT < magnitude) step *= 2;
  return step;
}

export interface IntegerCube {
  minX: number;
  minY: number;
  minZ: number;
  edge: number;
}

/** Whether the cube contains the box at offset `at`; the faces of the cube belong to it. */
export function cubeContains(cube: IntegerCube, boxes: ArrayLike<number>, at = 0): boolean {
  return cellAccepts(cube.minX, cube.minY, cube.minZ, cube.edge, 0, boxes, at);
}

/**
 * Whether a loose cell contains the box at offset `at`. The loose cell is the cell enlarged by `extension` world units
 * on every side. All placement computes these sums, so that build, sink and climb always agree, rounding included.
 */
export function cellAccepts(
  minX: number,
  minY: number,
  minZ: number,
  edge: number,
  extension: number,
  boxes: ArrayLike<number>,
  at: number,
): boolean {
  return (
    boxes[at] >= minX - extension &&
    boxes[at + 3] <= minX + edge + extension &&
    boxes[at + 1] >= minY - extension &&
    boxes[at + 4] <= minY + edge + extension &&
    boxes[at + 2] >= minZ - extension &&
    boxes[at + 5] <= minZ + edge + extension
  );
}

/**
 * The smallest cube that contains a box, with these constraints: its min corner is the box's min, rounded down to
 * steps, and its edge is `minEdge`, a power of two, doubled any number of times.
 */
export function smallestCubeAround(box: ArrayLike<number>, minEdge: number): IntegerCube {
  const step = Math.min(1, minEdge);
  const [minX, minY, minZ] = [0, 1, 2].map((axis) => Math.floor(box[axis] / step) * step);
  const cube = { minX, minY, minZ, edge: minEdge };
  while (!cubeContains(cube, box)) cube.edge *= 2;
  return cube;
}

/**
 * The cube of twice the edge that has `cube` as one of its octants. Along each axis it grows to the side where the box
 * at offset `at` sticks out, or towards 0 if it sticks out on neither side. Because it otherwise grows towards 0, an
 * edge of 2^52 steps is enough for all coordinates within the limit.
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

/** How far a cube grows below its min along one axis, in world units: its edge or 0. */
function grownBelow(min: number, edge: number, boxMin: number, boxMax: number): number {
  if (boxMin < min) return edge;
  if (boxMax > min + edge) return 0;
  return min + edge / 2 > 0 ? edge : 0;
}
