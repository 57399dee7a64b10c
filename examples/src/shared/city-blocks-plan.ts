// The plan of the small city of the pages on lines of sight and on sensors: blocks between streets, with buildings on
// them. Metres; the ground is y = 0, the centre of the city is the origin.

import { hash } from './noise.ts';

/** Number of streets from west to east, and of streets from south to north. The blocks lie between them. */
export const STREETS = 13;
export const STREET_DISTANCE = 40;
const STREET_WIDTH = 12;
/** Buildings along an edge of a block, and the width of the passages between them. */
const BUILDINGS = 2;
const PASSAGE = 3;
const MIN_HEIGHT = 5;
const MAX_HEIGHT = 34;
/** Share of the lots without a building: they are squares and gardens. */
const EMPTY_SHARE = 0.16;
const SEED = 11;

/** Half of the edge of the city. */
export const HALF_CITY = ((STREETS - 1) * STREET_DISTANCE) / 2;

/** Coordinate of the middle of a street. */
export const streetAt = (street: number): number => street * STREET_DISTANCE - HALF_CITY;

/** The buildings: min x y z and max x y z of each. */
export function planBuildings(): Float64Array {
  const boxes: number[] = [];
  const lots = (STREETS - 1) * BUILDINGS;
  const lot = (STREET_DISTANCE - STREET_WIDTH) / BUILDINGS;
  for (let column = 0; column < lots; column++) {
    for (let row = 0; row < lots; row++) {
      if (hash(column, row, SEED) < EMPTY_SHARE) continue;
      const [x, z] = [column, row].map(
        (at) => streetAt(Math.floor(at / BUILDINGS)) + STREET_WIDTH / 2 + (at % BUILDINGS) * lot,
      );
      const [west, east, south, north] = [1, 2, 3, 4].map(
        (salt) => (PASSAGE / 2) * (0.4 + hash(column, row, SEED + salt)),
      );
      const height = MIN_HEIGHT + (MAX_HEIGHT - MIN_HEIGHT) * hash(column, row, SEED + 5) ** 3;
      boxes.push(x + west, 0, z + south, x + lot - east, height, z + lot - north);
    }
  }
  return new Float64Array(boxes);
}
