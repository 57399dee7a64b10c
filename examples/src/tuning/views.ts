// The cameras and rays of a scene. Each is near a body, because the user of a clustered scene is where the bodies are.

import type { FrustumLike, PlaneLike } from '../../../src/core.ts';
import { createRandom } from '../../../test/support/random.ts';

const VIEWS = 16;
const RAYS = 256;
const SEED = 5;
/** Tangents of half the angles of view of a camera: 60 degrees in height, 16:9. */
const TAN_UP = Math.tan(Math.PI / 6);
const TAN_RIGHT = (TAN_UP * 16) / 9;
/** Far plane, as a share of the longest axis of the scene. */
const FAR = 0.5;
/** Near plane, as a share of the far plane's distance. */
const NEAR = 1e-4;
/** Directions in a scene flatter than this are nearly horizontal. */
const FLAT = 0.25;

type Vector = readonly [number, number, number];

export interface Views {
  readonly frusta: readonly FrustumLike[];
  /** As `castRays` takes them: seven numbers each. */
  readonly rays: Float64Array;
}

/**
 * @param centres Of the bodies, three numbers each; at least one body.
 * @param size Of the scene along each axis.
 */
export function createViews(centres: Float64Array, size: readonly number[]): Views {
  const random = createRandom(SEED);
  const extent = Math.max(...size);
  const offset = extent / 50;
  const steepness = size[1] < FLAT * extent ? 0.2 : 1;
  const place = (): Vector => {
    const at = random.below(centres.length / 3) * 3;
    const near = (axis: number): number =>
      centres[at + axis] + random.between(-offset, offset) * (axis === 1 ? steepness : 1);
    return [near(0), near(1), near(2)];
  };
  const direction = (): Vector =>
    normalize([random.between(-1, 1), random.between(-1, 1) * steepness, random.between(-1, 1)]);
  const rays = new Float64Array(RAYS * 7);
  const frusta = Array.from({ length: VIEWS }, () => frustumOf(place(), direction(), Math.max(extent * FAR, 1)));
  for (let k = 0; k < RAYS; k++) rays.set([...place(), ...direction(), Infinity], k * 7);
  return { frusta, rays };
}

/** The six planes of a perspective camera, in the order of three. */
export function frustumOf(eye: Vector, forward: Vector, far: number): FrustumLike {
  const right = normalize(Math.abs(forward[1]) > 0.99 ? cross(forward, [1, 0, 0]) : cross(forward, [0, 1, 0]));
  const up = cross(right, forward);
  const side = (across: Vector, tangent: number): PlaneLike =>
    planeAt(eye, normalize(combine(forward, tangent, across, 1)));
  const along = (distance: number): Vector => combine(eye, 1, forward, distance);
  return {
    planes: [
      side(scale(right, -1), TAN_RIGHT),
      side(right, TAN_RIGHT),
      side(up, TAN_UP),
      side(scale(up, -1), TAN_UP),
      planeAt(along(far), scale(forward, -1)),
      planeAt(along(far * NEAR), forward),
    ],
  };
}

function planeAt(point: Vector, normal: Vector): PlaneLike {
  return {
    normal: { x: normal[0], y: normal[1], z: normal[2] },
    constant: -(point[0] * normal[0] + point[1] * normal[1] + point[2] * normal[2]),
  };
}

const combine = (a: Vector, p: number, b: Vector, q: number): Vector => [
  a[0] * p + b[0] * q,
  a[1] * p + b[1] * q,
  a[2] * p + b[2] * q,
];
const scale = (a: Vector, factor: number): Vector => combine(a, factor, a, 0);
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function normalize(a: Vector): Vector {
  const length = Math.hypot(...a);
  return length > 0 ? scale(a, 1 / length) : [1, 0, 0];
}
