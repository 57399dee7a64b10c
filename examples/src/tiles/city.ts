// The city that the page streams, as objects for `writeTiles`: 100,000 houses, each with its address as a name. Runs
// while the site is built; the page reads the files only.

import { MeshStandardMaterial } from 'three';
import type { SceneObject } from '../../../src/tiles/index.ts';
import {
  type Block,
  type BlockUse,
  blocksWithin,
  type Building,
  centreDistance,
  planBuilding,
} from '../shared/city-plan.ts';
import { hash } from '../shared/noise.ts';
import { addressOf } from '../shared/street-names.ts';

const HOUSES = 100_000;
/** Metres from the centre within which blocks are planned: more than the city has. */
const PLANNED = 9800;
/** Walls by what is built on a block. The page paints roofs and windows. */
const WALLS: Readonly<Record<Exclude<BlockUse, 'none'>, readonly number[]>> = {
  towers: [0xb7bec4, 0xcdc6ba],
  flats: [0xd8cbb4, 0xc9a58a],
  houses: [0xe4dccb, 0xd8cbb4],
  halls: [0xb7bec4],
};
const SALT = 31;
/** Share of the height of a house that is walls, below a gable roof. */
const EAVES = { houses: 0.62, halls: 0.84 };

/** The objects, nearest to the centre first. Their arrays are computed when they are read. */
export function cityObjects(count = HOUSES): SceneObject[] {
  const blocks: Block[] = [];
  for (const visit of blocksWithin(PLANNED)) if (typeof visit !== 'number') blocks.push({ ...visit });
  blocks.sort((a, b) => centreDistance(a) - centreDistance(b));
  const colors = [...new Set(Object.values(WALLS).flat())];
  const materials = new Map(
    colors.map((color, k) => [
      color,
      Object.assign(new MeshStandardMaterial({ color, roughness: 0.9 }), { name: `wall ${k}` }),
    ]),
  );
  const objects: SceneObject[] = [];
  for (const block of blocks) {
    const { columns, rows, gridColumn, gridRow } = block;
    const walls = WALLS[block.use as keyof typeof WALLS];
    for (let lot = 0; lot < columns * rows && objects.length < count; lot++) {
      const [column, row] = [lot % columns, Math.floor(lot / columns)];
      objects.push({
        id: objects.length,
        name: addressOf({ blockColumn: gridColumn, blockRow: gridRow, column, row, rows }),
        material: materials.get(walls[Math.floor(hash(objects.length, 0, SALT) * walls.length)])!,
        get positions() {
          return shapeOf(block, planBuilding(block, column, row, emptyBuilding())).positions;
        },
        get index() {
          return block.use === 'houses' || block.use === 'halls' ? GABLED : BOX;
        },
      });
    }
  }
  if (objects.length < count)
    throw new RangeError(`cityObjects: the plan has ${objects.length} lots within ${PLANNED} m, ${count} are needed`);
  return objects;
}

const emptyBuilding = (): Building => ({ x: 0, z: 0, width: 0, depth: 0, height: 0 });

/** Corners 0 to 3 of the ground, 4 to 7 above them, in the same order around; 8 and 9 are the ends of a ridge. */
const WALL_FACES = [0, 4, 5, 0, 5, 1, 1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0];
const BOX = [...WALL_FACES, 4, 7, 6, 4, 6, 5];
const GABLED = [...WALL_FACES, 5, 4, 8, 7, 6, 9, 4, 7, 9, 4, 9, 8, 6, 5, 8, 6, 8, 9];

function shapeOf({ use }: Block, { x, z, width, depth, height }: Building): { positions: number[] } {
  const [w, d] = [width / 2, depth / 2];
  // The ridge runs along the longer side: corners begin at one end of it.
  const around =
    width > depth
      ? [
          [-w, d],
          [-w, -d],
          [w, -d],
          [w, d],
        ]
      : [
          [-w, -d],
          [w, -d],
          [w, d],
          [-w, d],
        ];
  const isGabled = use === 'houses' || use === 'halls';
  const eaves = isGabled ? height * EAVES[use] : height;
  const corners = (y: number): number[] => around.flatMap(([u, v]) => [x + u, y, z + v]);
  const ridge = isGabled
    ? [
        [0, 1],
        [2, 3],
      ].flatMap(([a, b]) => [x + (around[a][0] + around[b][0]) / 2, height, z + (around[a][1] + around[b][1]) / 2])
    : [];
  return { positions: [...corners(0), ...corners(eaves), ...ridge] };
}
