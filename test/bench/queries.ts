/**
 * The queries that every rival runs. Every position is near a body, because in a clustered scene the user is where the
 * bodies are.
 */

import { Box3, Frustum, Matrix3, Matrix4, PerspectiveCamera, Plane, Ray, Sphere, Vector3 } from 'three';
import { createRandom, type Random } from '../support/random.ts';
import { FlatBruteForce } from './rivals/flat-brute-force.ts';
import type { View } from './rivals/rival.ts';
import type { Scene } from './scenes/scene.ts';

const VIEWS = 20;
/** Rays, points, spheres and boxes: enough that caches and branch predictor do not adapt to single queries. */
const PLACES = 300;
const BATCH_RAYS = 10_000;
const RESULTS = 30;
/** Radius of a sphere divided by half the edge of the cube with the same volume. */
const CUBE_TO_SPHERE = 1.24;
/** World units between a position and the centre of its body, at most, along each axis. */
const MAX_OFFSET = 32;
/** World units: radius of a moving sphere, and length of its motion. */
const CAST_RADIUS = 2;
const CAST_LENGTH = 500;
/** World units: edge of the boxes from which the nearest bodies are searched. */
const SMALL_BOX = 8;

/** A sphere, and the vector by which it moves. */
export interface Cast {
  readonly sphere: Sphere;
  readonly motion: Vector3;
}

/** A box of any orientation, as three's `OBB`, with its six faces as planes. */
export interface TurnedBox {
  readonly center: Vector3;
  readonly halfSize: Vector3;
  readonly rotation: Matrix3;
  readonly planes: readonly Plane[];
}

export interface QuerySet {
  /** Cameras with far planes at 1500 and 6000 world units. */
  readonly near: readonly View[];
  readonly far: readonly View[];
  readonly rays: readonly Ray[];
  /** Rays that are cast in one batch. */
  readonly batch: readonly Ray[];
  readonly casts: readonly Cast[];
  readonly points: readonly Vector3[];
  /** Each touches 30 bodies. */
  readonly spheres: readonly Sphere[];
  readonly boxes: readonly Box3[];
  /** As large as `boxes`. */
  readonly turnedBoxes: readonly TurnedBox[];
  /** Eight planes each: a turned box with two corners cut off. */
  readonly convexes: readonly (readonly Plane[])[];
  /** Boxes from which the nearest bodies are searched. */
  readonly smallBoxes: readonly Box3[];
  /** The camera of the ticks: the near view with the median number of visible bodies. */
  readonly tickView: View;
}

export function makeQueries({ boxes }: Scene): QuerySet {
  const random = createRandom(2);
  const flat = new FlatBruteForce(boxes);
  const place = (): Vector3 => placeNear(boxes, random);
  const near = many(VIEWS, () => lookFrom(place(), 1500, random));
  const points = many(PLACES, place);
  const spheres = points.map((point) => new Sphere(point, radiusFor(flat, point)));
  const byVisible = near.map((view) => ({ view, count: flat.cull(view.frustum) })).sort((a, b) => a.count - b.count);
  const far = many(VIEWS, () => lookFrom(place(), 6000, random));
  const rays = many(PLACES, () => new Ray(place(), direction(random)));
  const cubes = spheres.map(({ center, radius }) =>
    new Box3().setFromCenterAndSize(center, new Vector3().setScalar((2 * radius) / CUBE_TO_SPHERE)),
  );
  const turnedBoxes = cubes.map((cube) => turn(cube, random));
  const convexes = turnedBoxes.map((box) => [...box.planes, cutOf(box, random), cutOf(box, random)]);
  return {
    near,
    far,
    rays,
    batch: many(BATCH_RAYS, () => new Ray(place(), direction(random))),
    casts: rays.map(({ origin, direction: along }) => ({
      sphere: new Sphere(origin, CAST_RADIUS),
      motion: along.clone().multiplyScalar(CAST_LENGTH),
    })),
    points,
    spheres,
    boxes: cubes,
    turnedBoxes,
    convexes,
    smallBoxes: points.map((point) => new Box3().setFromCenterAndSize(point, new Vector3().setScalar(SMALL_BOX))),
    tickView: byVisible[VIEWS >> 1].view,
  };
}

/** A position near a random body. */
export function placeNear(boxes: Float64Array, random: Random): Vector3 {
  const at = random.below(boxes.length / 6) * 6;
  const coordinate = (axis: number): number =>
    (boxes[at + axis] + boxes[at + axis + 3]) / 2 + random.between(-MAX_OFFSET, MAX_OFFSET);
  return new Vector3(coordinate(0), coordinate(1), coordinate(2));
}

export function direction(random: Random): Vector3 {
  return new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalize();
}

function turn(cube: Box3, random: Random): TurnedBox {
  const center = cube.getCenter(new Vector3());
  const halfSize = cube.getSize(new Vector3()).multiplyScalar(0.5);
  const matrix = new Matrix4().makeRotationAxis(direction(random), random.between(0, Math.PI));
  const planes = [0, 1, 2].flatMap((axis) =>
    [1, -1].map((sign) => {
      const normal = new Vector3().setFromMatrixColumn(matrix, axis).multiplyScalar(sign);
      return new Plane(normal, halfSize.getComponent(axis) - normal.dot(center));
    }),
  );
  return { center, halfSize, rotation: new Matrix3().setFromMatrix4(matrix), planes };
}

/** A plane that cuts a corner off a box. */
function cutOf({ center, halfSize }: TurnedBox, random: Random): Plane {
  const normal = direction(random);
  return new Plane(normal, halfSize.x - normal.dot(center));
}

function many<A>(count: number, make: () => A): A[] {
  return Array.from({ length: count }, make);
}

/** A view with a random direction. */
export function lookFrom(position: Vector3, far: number, random: Random): View {
  const camera = new PerspectiveCamera(60, 16 / 9, 1, far);
  camera.position.copy(position);
  camera.lookAt(
    position.x + random.between(-1, 1),
    position.y + random.between(-1, 1),
    position.z + random.between(-1, 1),
  );
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return { matrix, frustum: new Frustum().setFromProjectionMatrix(matrix) };
}

/** Halfway between the 30th and the 31st nearest body, so that rounding does not change the result. */
function radiusFor(flat: FlatBruteForce, { x, y, z }: Vector3): number {
  const count = flat.nearest(x, y, z, RESULTS + 1);
  const distance = (k: number): number => Math.sqrt(flat.distanceSq(flat.found[Math.min(k, count) - 1] * 6, x, y, z));
  return (distance(RESULTS) + distance(RESULTS + 1)) / 2;
}
