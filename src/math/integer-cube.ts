/**
 * Cubes with integer corners and a power of two as edge: the shape of every cell. Arithmetic on them is exact in
 * Float64 while coordinates stay below 2^53.
 */

/**
 * Maximum magnitude of a coordinate, in world units. Every cell around such a coordinate has corners that are exact in
 * Float64.
 */
export const COORDINATE_LIMIT = 2 ** 50;
/** log2 of the largest edge of a root: 2^52 is four times the limit of coordinates. */
export const MAX_EDGE_EXPONENT = 52;

export function isPowerOfTwo(value: number): boolean {
  let power = 1;
  while (power < value && power < 2 ** 60) power *= 2;
  return power === value;
}

/** floor(log2(edge)), clamped to 0 ... MAX_EDGE_EXPONENT. */
export function edgeExponentOf(edge: number): number {
  let exponent = 0;
  for (let size = 2; size <= edge && exponent < MAX_EDGE_EXPONENT; size *= 2) exponent++;
  return exponent;
}

export interface IntegerCube {
  minX: number;
  minY: number;
  minZ: number;
  edge: number;
}

/** Whether the cube contains the box at offset `at`; the faces of the cube belong to it. */
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
 * Whether a loose cell contains the box at offset `at`. The loose cell is the cell enlarged by `extension` world units
 * on every side. All placement computes these sums, so that build, sink and climb always agree, rounding included.
 */
export function cellAccepts(
  minX: number,
  minY: number,
  minZ: number,
  edge: number,
  extension: number,
  boxes: Float64Array,
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
 * The smallest cube that contains a box, with these constraints: its min corner is the box's min, rounded down, and its
 * edge is `minEdge`, a power of two, doubled any number of times.
 */
export function smallestCubeAround(box: ArrayLike<number>, minEdge: number): IntegerCube {
  const cube = { minX: Math.floor(box[0]), minY: Math.floor(box[1]), minZ: Math.floor(box[2]), edge: minEdge };
  while (!cubeContains(cube, box)) cube.edge *= 2;
  return cube;
}

/**
 * The cube of twice the edge that has `cube` as one of its octants. Along each axis it grows to the side where the box
 * at offset `at` sticks out, or towards 0 if it sticks out on neither side. Because it otherwise grows towards 0, an
 * edge of 2^MAX_EDGE_EXPONENT is enough for all coordinates within the limit.
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
