// The automatic paths.

import { MathUtils, Vector3 } from 'three';
import { onGlobe } from '../shared/surface.ts';
import { pointsOf, type Tour } from '../shared/tour.ts';

/** Waypoints: degrees east, degrees north, km above the ground. */
const AROUND_THE_WORLD: readonly (readonly [longitude: number, latitude: number, altitude: number])[] = [
  [-4, 44, 620],
  [4, 51, 420],
  [16, 50, 480],
  [30, 42, 560],
  [32, 29, 420],
  [48, 30, 650],
  [66, 27, 520],
  [78, 25, 430],
  [89, 23, 480],
  [101, 15, 560],
  [107, -5, 480],
  [113, 8, 700],
  [113, 24, 430],
  [120, 32, 430],
  [128, 37, 480],
  [138, 37, 430],
  [165, 48, 1100],
  [-150, 52, 1500],
  [-122, 39, 620],
  [-112, 33, 560],
  [-99, 21, 480],
  [-86, 31, 620],
  [-76, 40, 430],
  [-70, 20, 800],
  [-75, 3, 620],
  [-62, -20, 800],
  [-48, -24, 480],
  [-38, -8, 620],
  [-18, 4, 900],
  [4, 7, 450],
  [12, 14, 700],
  [2, 32, 700],
];

export function createGlobeTour(radius: number): Tour {
  const points = AROUND_THE_WORLD.map(([longitude, latitude, altitude]) =>
    onGlobe(MathUtils.degToRad(longitude), MathUtils.degToRad(latitude), new Vector3()).multiplyScalar(
      radius + altitude,
    ),
  );
  // Between waypoints the curve dips by less than 250 km, so all of it is above the ground.
  return { duration: 420, pitch: -0.5, pointAt: pointsOf(points) };
}

/** Waypoints: metres east and south of the city centre, metres above the ground. */
const OVER_THE_CITY: readonly (readonly [x: number, z: number, altitude: number])[] = [
  [-2500, 1150, 330],
  [-1200, 500, 300],
  [0, -250, 460],
  [1500, -1300, 360],
  [3000, -900, 480],
  [3300, 900, 420],
  [2000, 1500, 250],
  [500, 1250, 170],
  [-900, 900, 190],
  [-2000, -300, 330],
  [-1500, -1900, 420],
  [-3300, -1500, 520],
  [-3900, 300, 460],
];
/**
 * City radius in metres that the waypoints are made for. The tour of a smaller city is scaled down, at most to half.
 */
const REFERENCE_RADIUS = 2400;

export function createCityTour(radius: number): Tour {
  const scale = Math.min(1, Math.max(0.5, radius / REFERENCE_RADIUS));
  const points = OVER_THE_CITY.map(([x, z, altitude]) => new Vector3(x * scale, altitude, z * scale));
  return { duration: 240 * scale, pitch: -0.2, pointAt: pointsOf(points) };
}
