// The plan of the city of the fly-through and of the town of the picking page: a grid of blocks with streets, avenues,
// a river and parks, and the land value of each block. The plan is infinite and the same for all sizes of the city; a
// larger city covers more of it. 1 unit = 1 m.

import { hash, mix, smoothNoise } from './noise.ts';

const SEED = 7;
export const BLOCK = { x: 132, z: 84 };
export const STREET = 14;
/** One street in every `blocks` is an avenue, `width` metres wider. */
const AVENUE = { blocks: 6, width: 22 };
const RIVER_HALF_WIDTH = 110;
const BLOCKS_PER_STEP = 64;
/** Distance between the centres of two districts, in metres. */
const DISTRICT = 2600;

/** What is built on a block. */
export type BlockUse = 'none' | 'towers' | 'flats' | 'houses' | 'halls';

const LOTS: Readonly<Record<BlockUse, readonly [columns: number, rows: number]>> = {
  none: [0, 0],
  towers: [3, 2],
  flats: [5, 2],
  houses: [8, 3],
  halls: [2, 1],
};

export interface Block {
  use: BlockUse;
  /** Corner with the lowest coordinates. */
  x: number;
  z: number;
  /** Number of lots along x and z. */
  columns: number;
  rows: number;
  /** Where the block is in the grid. */
  gridColumn: number;
  gridRow: number;
  /** 0 at the edge of town to 1 in the centre of a district. */
  landValue: number;
}

export interface Building {
  x: number;
  z: number;
  width: number;
  depth: number;
  height: number;
}

const gridAt = (block: number, pitch: number): number =>
  block * pitch + Math.floor(block / AVENUE.blocks) * AVENUE.width;

/** Writes the block in a column and row of the grid. Column 0, row 0 has its corner at the origin. */
export function planBlock(column: number, row: number, target: Block): Block {
  target.gridColumn = column;
  target.gridRow = row;
  target.x = gridAt(column, BLOCK.x + STREET);
  target.z = gridAt(row, BLOCK.z + STREET);
  target.landValue = landValueAt(target.x, target.z);
  target.use = useOf(target, column, row);
  [target.columns, target.rows] = LOTS[target.use];
  return target;
}

/** Distance of a block from the centre of town, in metres, with noise, so that the edge of town is no circle. */
export function centreDistance({ x, z }: Block): number {
  return (
    Math.sqrt(x * x + z * z) *
    mix(0.72, 1.28, smoothNoise(x / 2300, z / 2300, SEED + 1)) *
    mix(1.08, 0.92, smoothNoise(x / 700, z / 700, SEED + 2))
  );
}

/** Average area per building, streets included, in square metres. */
export const AREA_PER_BUILDING = ((BLOCK.x + STREET) * (BLOCK.z + STREET)) / 14;

const BLOCK_PITCH = {
  x: BLOCK.x + STREET + AVENUE.width / AVENUE.blocks,
  z: BLOCK.z + STREET + AVENUE.width / AVENUE.blocks,
};

/** Writes the building on a lot of the block. */
export function planBuilding(block: Block, column: number, row: number, target: Building): Building {
  const chance = hash(block.x * 8 + column, block.z * 8 + row, SEED + 3);
  const variety = hash(block.x * 8 + column, block.z * 8 + row, SEED + 4);
  const lot = { x: BLOCK.x / block.columns, z: BLOCK.z / block.rows };
  const [fill, height] = shapeOf(block, chance, variety);
  target.width = lot.x * fill;
  target.depth = lot.z * fill * mix(0.8, 1.06, variety);
  // A random position within the lot; the more of the lot a building fills, the closer it is to the centre.
  target.x = block.x + (column + 0.5) * lot.x + (chance - 0.5) * 0.7 * (lot.x - target.width);
  target.z = block.z + (row + 0.5) * lot.z + (variety - 0.5) * 0.7 * (lot.z - target.depth);
  target.height = height;
  return target;
}

function shapeOf({ use, landValue }: Block, chance: number, variety: number): readonly [fill: number, height: number] {
  switch (use) {
    case 'towers': {
      const crown = Math.max(0, landValue - 0.55) / 0.45;
      // The power makes very tall towers rare.
      return [mix(0.85, 0.52, chance * variety), 26 + 34 * variety + crown * (55 * chance + 300 * crown * chance ** 5)];
    }
    case 'flats':
      return [mix(0.78, 0.95, variety), (chance > 0.95 ? 38 : 11) + 34 * landValue * (0.3 + chance)];
    case 'halls':
      return [mix(0.7, 0.9, variety), 9 + 6 * chance];
    default:
      return [mix(0.42, 0.62, variety), 5.5 + 5 * chance];
  }
}

function landValueAt(x: number, z: number): number {
  let landValue = 1.15 * hill(x, z, 0, 0, 1500);
  const column = Math.round(x / DISTRICT);
  const row = Math.round(z / DISTRICT);
  for (let i = column - 1; i <= column + 1; i++) {
    for (let j = row - 1; j <= row + 1; j++) {
      if (hash(i, j, SEED + 5) < 0.35) continue;
      const centreX = (i + 0.7 * (hash(i, j, SEED + 6) - 0.5)) * DISTRICT;
      const centreZ = (j + 0.7 * (hash(i, j, SEED + 7) - 0.5)) * DISTRICT;
      landValue = Math.max(
        landValue,
        mix(0.45, 0.95, hash(i, j, SEED + 8)) * hill(x, z, centreX, centreZ, mix(380, 900, hash(i, j, SEED + 9))),
      );
    }
  }
  return Math.min(1, landValue + 0.22 * (smoothNoise(x / 520, z / 520, SEED + 10) - 0.35));
}

function useOf({ x, z, landValue }: Block, column: number, row: number): BlockUse {
  if (Math.abs(z - riverAt(x)) < RIVER_HALF_WIDTH) return 'none';
  if (smoothNoise(x / 640, z / 640, SEED + 11) > 0.83) return 'none';
  if (landValue > 0.6) return hash(column, row, SEED + 12) < 0.04 ? 'none' : 'towers';
  if (landValue > 0.24) return 'flats';
  return smoothNoise(x / 1500, z / 1500, SEED + 13) > 0.74 ? 'halls' : 'houses';
}

export const riverAt = (x: number): number => 900 + 620 * Math.sin(x / 2900) + 210 * Math.sin(x / 870);

function hill(x: number, z: number, centreX: number, centreZ: number, width: number): number {
  const distanceSq = (x - centreX) * (x - centreX) + (z - centreZ) * (z - centreZ);
  return Math.exp(-distanceSq / (2 * width * width));
}

export const emptyBlock = (): Block => ({
  use: 'none',
  x: 0,
  z: 0,
  columns: 0,
  rows: 0,
  gridColumn: 0,
  gridRow: 0,
  landValue: 0,
});

/**
 * Yields the built blocks row by row, in one reused object; every `BLOCKS_PER_STEP` blocks yields the progress instead,
 * 0 to 0.5.
 */
export function* blocksWithin(radius: number): Generator<Block | number, void, void> {
  const block = emptyBlock();
  const columns = Math.ceil(radius / BLOCK_PITCH.x);
  const rows = Math.ceil(radius / BLOCK_PITCH.z);
  let visited = 0;
  for (let row = -rows; row < rows; row++) {
    for (let column = -columns; column < columns; column++) {
      if (visited++ % BLOCKS_PER_STEP === 0) yield visited / (4 * rows * columns);
      planBlock(column, row, block);
      if (block.use !== 'none') yield block;
    }
  }
}
