// The plan of this page's city, with any number of buildings: square blocks between streets, towers in the centre.
// Metres; the ground is y = 0, the centre is the origin.

import { hash, smoothNoise } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';

/** From the middle of a street to the middle of the next. */
const STREET_DISTANCE = 58;
const STREET_WIDTH = 14;
/** Buildings along an edge of a block, and the width of the passages between them. */
const BUILDINGS = 2;
const PASSAGE = 4;
const MIN_HEIGHT = 6;
export const MAX_HEIGHT = 130;
/** Radius of the centre with its towers. */
const CENTRE_RADIUS = 520;
/** Share of the lots without a building: they are squares and gardens. */
const EMPTY_SHARE = 0.14;
const SEED = 23;
/** Lots between two yields. */
const LOTS_PER_STEP = 250;

export interface CityPlan {
  /** Min x y z and max x y z of each building. */
  readonly bounds: Float64Array;
  /** Half of the edge of the city. */
  readonly half: number;
}

export function* planCity(buildings: number): SlicedWork<CityPlan> {
  const blocks = Math.ceil(Math.sqrt(buildings / (1 - EMPTY_SHARE)) / BUILDINGS);
  const lots = blocks * BUILDINGS;
  const half = (blocks * STREET_DISTANCE) / 2;
  const lot = (STREET_DISTANCE - STREET_WIDTH) / BUILDINGS;
  const at = (index: number) =>
    Math.floor(index / BUILDINGS) * STREET_DISTANCE - half + STREET_WIDTH / 2 + (index % BUILDINGS) * lot;
  const bounds = new Float64Array(buildings * 6);
  let built = 0;
  for (let index = 0; index < lots * lots; index++) {
    if (index % LOTS_PER_STEP === 0) yield index / (lots * lots);
    const [column, row] = [index % lots, Math.floor(index / lots)];
    // Selection sampling: each lot is built on with the same probability, and their number is exact.
    if (hash(column, row, SEED) * (lots * lots - index) >= buildings - built) continue;
    const [x, z] = [at(column), at(row)];
    const [west, east, north, south] = [1, 2, 3, 4].map(
      (salt) => (PASSAGE / 2) * (0.4 + hash(column, row, SEED + salt)),
    );
    bounds.set([x + west, 0, z + north, x + lot - east, heightAt(column, row, x, z), z + lot - south], built++ * 6);
  }
  return { bounds, half };
}

function heightAt(column: number, row: number, x: number, z: number): number {
  const centre = Math.exp(-(x * x + z * z) / (CENTRE_RADIUS * CENTRE_RADIUS));
  const district = smoothNoise(x / 160, z / 160, SEED);
  const share = hash(column, row, SEED + 5) ** 3 * (0.12 + 0.25 * district + 0.63 * centre * district);
  return MIN_HEIGHT * (1 + 1.5 * district) + (MAX_HEIGHT - 2.5 * MIN_HEIGHT) * share;
}
