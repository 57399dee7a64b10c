// The generated data set: a city of any size. 1 unit = 1 m.

import { BodySet } from '../shared/body-set.ts';
import { addGlow, createGlow } from '../shared/glow.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { flatSurface } from '../shared/surface.ts';
import { createCityGround } from './city-ground.ts';
import { AREA_PER_BUILDING, blocksWithin, type Building, centreDistance, planBuilding } from '../shared/city-plan.ts';
import type { Bodies, DataSet } from './data-set.ts';
import { createCityTour } from './tours.ts';

/** Search radius for lots = radius of a city without river and parks * `SEARCH_FACTOR` + `SEARCH_EXTRA` metres. */
const SEARCH_FACTOR = 1.7;
const SEARCH_EXTRA = 300;
const RINGS = 4096;

export function cityDataSet(): DataSet {
  return {
    name: 'city',
    bodyName: 'buildings',
    unit: 'm',
    counts: [10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000],
    far: { low: 500, high: 30_000, start: 4000 },
    surface: flatSurface,
    altitude: { low: 4, high: 40_000 },
    scale: ['10 m', '400 m'],
    load: () => Promise.resolve(),
    build: buildCity,
    createScenery: ({ glow, region }) => createCityGround(region.edge, glow),
    createTour: ({ set }) => createCityTour(radiusFor(set.count)),
  };
}

const radiusFor = (count: number): number => Math.sqrt((count * AREA_PER_BUILDING) / Math.PI);

function* buildCity(count: number): SlicedWork<Bodies> {
  const radius = radiusFor(count) * SEARCH_FACTOR + SEARCH_EXTRA;
  const edge = 2 ** Math.ceil(Math.log2(2 * radius + 512));
  const rings = yield* partOf(countByRing(radius), 0, 0.4);
  const limit = ringFor(rings, count);
  const set = new BodySet(count);
  const glow = createGlow(1024, 1024);
  yield* partOf(placeBuildings(set, glow, edge, radius, limit), 0.4, 1);
  return { set, region: { min: { x: -edge / 2, y: -edge / 2, z: -edge / 2 }, edge }, glow };
}

/** Counts the lots in each ring of distances from the centre. */
function* countByRing(radius: number): SlicedWork<Uint32Array> {
  const lots = new Uint32Array(RINGS);
  for (const visit of blocksWithin(radius)) {
    if (typeof visit === 'number') yield visit;
    else {
      const ring = Math.floor((centreDistance(visit) / radius) * RINGS);
      if (ring < RINGS) lots[ring] += visit.columns * visit.rows;
    }
  }
  return lots;
}

/** The first ring within which the city has enough lots. */
function ringFor(lots: Uint32Array, count: number): number {
  let sum = 0;
  for (let ring = 0; ring < RINGS; ring++) {
    sum += lots[ring];
    if (sum >= count) return ring;
  }
  throw new RangeError(`buildCity: the plan has ${sum} lots, ${count} are needed`);
}

function* placeBuildings(
  set: BodySet,
  glow: Bodies['glow'],
  edge: number,
  radius: number,
  limit: number,
): SlicedWork<void> {
  const building: Building = { x: 0, z: 0, width: 0, depth: 0, height: 0 };
  let body = 0;
  for (const visit of blocksWithin(radius)) {
    if (typeof visit === 'number') yield visit;
    else if ((centreDistance(visit) / radius) * RINGS < limit + 1) {
      for (let lot = 0; lot < visit.columns * visit.rows && body < set.count; lot++) {
        planBuilding(visit, lot % visit.columns, Math.floor(lot / visit.columns), building);
        set.setUpright(body++, building.x, 0, building.z, building.height, building.width, building.depth);
        addGlow(glow, building.x / edge + 0.5, building.z / edge + 0.5, 3 + building.height / 6);
      }
    }
  }
}
