/** What every rival is asked about a scene. All places are near bodies: in a crowded scene that is where the user is. */

import { Box3, Frustum, Matrix4, PerspectiveCamera, Ray, Sphere, Vector3 } from 'three';
import { createRandom, type Random } from '../support/random.ts';
import { FlatBruteForce } from './rivals/flat-brute-force.ts';
import type { View } from './rivals/rival.ts';
import type { Scene } from './scenes/scene.ts';

const VIEWS = 20;
/** Enough that neither the caches nor the branch predictor know them by heart. */
const PLACES = 300;
const RESULTS = 30;
/** A cube with the content of a sphere has half an edge of 1 / 1.24 radius. */
const CUBE_TO_SPHERE = 1.24;
/** How far from a body's centre a place may be, along each axis. */
const AWAY = 32;

export interface QueryRunner {
  readonly near: readonly View[];
  readonly far: readonly View[];
  readonly rays: readonly Ray[];
  readonly points: readonly Vector3[];
  /** Each touches 30 bodies. */
  readonly spheres: readonly Sphere[];
  readonly boxes: readonly Box3[];
  /** The camera of the ticks: one that sees as much as most do. */
  readonly flight: View;
}

export function makeQuestions({ boxes }: Scene): QueryRunner {
  const random = createRandom(2);
  const flat = new FlatBruteForce(boxes);
  const place = (): Vector3 => {
    const at = random.below(boxes.length / 6) * 6;
    const axis = (k: number): number => (boxes[at + k] + boxes[at + k + 3]) / 2 + random.between(-AWAY, AWAY);
    return new Vector3(axis(0), axis(1), axis(2));
  };
  const near = many(VIEWS, () => lookFrom(place(), 1500, random));
  const points = many(PLACES, place);
  const spheres = points.map((point) => new Sphere(point, radiusFor(flat, point)));
  const seen = near.map((view) => ({ view, count: flat.cull(view.frustum) })).sort((a, b) => a.count - b.count);
  return {
    near,
    far: many(VIEWS, () => lookFrom(place(), 6000, random)),
    rays: many(PLACES, () => new Ray(place(), new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalize())),
    points,
    spheres,
    boxes: spheres.map(({ center, radius }) => new Box3().setFromCenterAndSize(center, new Vector3().setScalar((2 * radius) / CUBE_TO_SPHERE))),
    flight: seen[VIEWS >> 1].view,
  };
}

function many<A>(count: number, make: () => A): A[] {
  return Array.from({ length: count }, make);
}

function lookFrom(position: Vector3, far: number, random: Random): View {
  const camera = new PerspectiveCamera(60, 16 / 9, 1, far);
  camera.position.copy(position);
  camera.lookAt(position.x + random.between(-1, 1), position.y + random.between(-1, 1), position.z + random.between(-1, 1));
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return { matrix, frustum: new Frustum().setFromProjectionMatrix(matrix) };
}

/** Between the 30th and the 31st body, so that no rounding decides. */
function radiusFor(flat: FlatBruteForce, { x, y, z }: Vector3): number {
  const count = flat.nearest(x, y, z, RESULTS + 1);
  const distance = (k: number): number => Math.sqrt(flat.distanceSq(flat.found[Math.min(k, count) - 1] * 6, x, y, z));
  return (distance(RESULTS) + distance(RESULTS + 1)) / 2;
}
