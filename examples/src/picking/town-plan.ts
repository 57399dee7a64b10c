// The places and addresses of the town's buildings: the blocks of the generated city, from the centre outwards.

import {
  AREA_PER_BUILDING,
  blocksWithin,
  type Building,
  centreDistance,
  emptyBlock,
  planBlock,
  planBuilding,
} from '../shared/city-plan.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import type { BuildingKind } from './building-shapes.ts';
import { addressOf } from '../shared/street-names.ts';

/** Factor from the radius of a town without river and parks to the search radius for blocks. */
const SEARCH_FACTOR = 1.7;

export interface PlannedBuilding extends Readonly<Building> {
  readonly kind: BuildingKind;
  readonly address: string;
}

interface PlannedBlock {
  readonly column: number;
  readonly row: number;
  readonly centreDistance: number;
}

/** Approximate radius of a town with `count` buildings, in metres. */
export const radiusOfTown = (count: number): number => Math.sqrt((count * AREA_PER_BUILDING) / Math.PI);

/** Calls back for each of `count` buildings, with one reused object. */
export function* planTown(count: number, place: (building: PlannedBuilding) => void): SlicedWork<void> {
  const blocks = yield* partOf(findBlocks(radiusOfTown(count) * SEARCH_FACTOR), 0, 0.2);
  blocks.sort((a, b) => a.centreDistance - b.centreDistance);
  let placed = 0;
  for (const block of blocks) {
    placed = placeBlock(block, placed, count, place);
    yield 0.2 + (0.8 * placed) / count;
    if (placed === count) return;
  }
  throw new RangeError(`planTown: the plan has ${placed} lots, ${count} are needed`);
}

function* findBlocks(radius: number): SlicedWork<PlannedBlock[]> {
  const blocks: PlannedBlock[] = [];
  for (const visit of blocksWithin(radius)) {
    if (typeof visit === 'number') yield visit;
    else blocks.push({ column: visit.gridColumn, row: visit.gridRow, centreDistance: centreDistance(visit) });
  }
  return blocks;
}

/** Places the buildings of a block, up to a total of `count`. Returns the new total. */
function placeBlock(
  { column: blockColumn, row: blockRow }: PlannedBlock,
  placed: number,
  count: number,
  place: (building: PlannedBuilding) => void,
): number {
  const block = planBlock(blockColumn, blockRow, emptyBlock());
  const building = { x: 0, z: 0, width: 0, depth: 0, height: 0, kind: block.use as BuildingKind, address: '' };
  const { columns, rows } = block;
  const end = Math.min(count, placed + columns * rows);
  for (let lot = 0; placed + lot < end; lot++) {
    const [column, row] = [lot % columns, Math.floor(lot / columns)];
    planBuilding(block, column, row, building);
    building.address = addressOf({ blockColumn, blockRow, column, row, rows });
    place(building);
  }
  return end;
}
