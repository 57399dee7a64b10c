// The data set of real places: each place is a pillar on a globe. 1 unit = 1 km.

import { Vector3 } from 'three';
import { BodySet } from '../shared/body-set.ts';
import { addGlow, createGlow } from '../shared/glow.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { createGlobeSurface, onGlobe } from '../shared/surface.ts';
import type { Bodies, DataSet } from './data-set.ts';
import { createGlobe } from '../shared/globe.ts';
import { EARTH_RADIUS, fetchPlaces, heightFor, mostPopulous, widthFor } from '../shared/places.ts';
import { latitudeOf, longitudeOf, type PlaceColumns, populationOf } from '../shared/places-binary.ts';
import { createGlobeTour } from './tours.ts';

/** The cube around the globe and its tallest pillars. */
const REGION = { min: { x: -8192, y: -8192, z: -8192 }, edge: 16_384 };
const BODIES_PER_STEP = 512;

export function citiesDataSet(): DataSet {
  let places: PlaceColumns | undefined;
  return {
    name: 'cities',
    bodyName: 'places',
    unit: 'km',
    counts: [2000, 10_000, 50_000, 135_233],
    far: { low: 500, high: 16_000, start: 3000 },
    surface: createGlobeSurface(EARTH_RADIUS),
    altitude: { low: 25, high: 30_000 },
    scale: ['1,000 people', '20 million'],
    async load() {
      places ??= await fetchPlaces();
    },
    *build(count) {
      if (!places) throw new Error('cities.build: call load() first');
      return yield* buildPillars(places, Math.min(count, places.count));
    },
    createScenery: (bodies) => createGlobe(EARTH_RADIUS, bodies.glow),
    createTour: () => createGlobeTour(EARTH_RADIUS),
  };
}

function* buildPillars(places: PlaceColumns, count: number): SlicedWork<Bodies> {
  const isWanted = mostPopulous(places, count);
  const set = new BodySet(count);
  const glow = createGlow(2048, 1024);
  const up = new Vector3();
  for (let place = 0, body = 0; place < places.count; place++) {
    if (place % BODIES_PER_STEP === 0) yield place / places.count;
    const population = populationOf(places, place);
    const longitude = longitudeOf(places, place);
    const latitude = latitudeOf(places, place);
    addGlow(glow, longitude / (2 * Math.PI) + 0.5, latitude / Math.PI + 0.5, 2 + Math.log2(1 + population));
    if (!isWanted(place)) continue;
    onGlobe(longitude, latitude, up);
    set.setOnGlobe(body++, EARTH_RADIUS, up, heightFor(population), widthFor(population));
  }
  return { set, region: REGION, glow };
}
