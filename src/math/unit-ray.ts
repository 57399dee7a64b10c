/**
 * A ray with a unit direction, and its exact tests against boxes and spheres. Distances along the ray are in world
 * units. Its conservative filter treats it as a moving box without extent.
 */

import type { Boxes } from './box.ts';
import { MovingBox } from './moving-box.ts';

/** Numbers of one ray in `writeUnitRay` and `readUnitRay`. */
export const UNIT_RAY_STRIDE = 9;

export class UnitRay {
  // NaN until `set`: with integers V8 would change the layout of the object at the first ray.
  originX = NaN;
  originY = NaN;
  originZ = NaN;
  directionX = NaN;
  directionY = NaN;
  directionZ = NaN;
  inverseX = NaN;
  inverseY = NaN;
  inverseZ = NaN;
  /**
   * The origin as it moves along the ray, for filters. Its `maxDistance` is the length of the ray, for the exact tests
   * too.
   */
  readonly path = new MovingBox();

  /** Sets the ray from six numbers: origin and direction. The direction may have any length except 0. */
  set(values: Float64Array): void {
    let directionX = values[3];
    let directionY = values[4];
    let directionZ = values[5];
    let lengthSq = directionX * directionX + directionY * directionY + directionZ * directionZ;
    if (!(lengthSq > 1e-200 && lengthSq < 1e200)) {
      // The squares would overflow or underflow.
      const scale = 1 / Math.max(Math.abs(directionX), Math.abs(directionY), Math.abs(directionZ), 1e-300);
      directionX *= scale;
      directionY *= scale;
      directionZ *= scale;
      lengthSq = directionX * directionX + directionY * directionY + directionZ * directionZ;
    }
    const length = Math.sqrt(lengthSq);
    this.originX = values[0];
    this.originY = values[1];
    this.originZ = values[2];
    this.directionX = directionX / length;
    this.directionY = directionY / length;
    this.directionZ = directionZ / length;
    this.inverseX = 1 / this.directionX;
    this.inverseY = 1 / this.directionY;
    this.inverseZ = 1 / this.directionZ;
    const { bounds, direction } = this.path;
    bounds[0] = bounds[3] = values[0];
    bounds[1] = bounds[4] = values[1];
    bounds[2] = bounds[5] = values[2];
    direction[0] = this.directionX;
    direction[1] = this.directionY;
    direction[2] = this.directionZ;
  }

  /**
   * Whether the ray enters the box at offset `at`; sets `distances[0]` to the entry distance, 0 if the origin is
   * inside. Slab test. A ray in the plane of a face gives 0 * Infinity = NaN for that face. NaN fails both comparisons,
   * so the face sets no limit, which is correct because a face belongs to its box.
   */
  intersectsBox(boxes: Boxes, at: number, distances: Float64Array): boolean {
    const { inverseX, inverseY, inverseZ, originX, originY, originZ } = this;
    // Offsets of the faces that the ray reaches first.
    const x = inverseX < 0 ? 3 : 0;
    const y = inverseY < 0 ? 4 : 1;
    const z = inverseZ < 0 ? 5 : 2;
    let entry = 0;
    let exit = this.path.maxDistance;
    const entryX = (boxes[at + x] - originX) * inverseX;
    const exitX = (boxes[at + 3 - x] - originX) * inverseX;
    if (entryX > entry) entry = entryX;
    if (exitX < exit) exit = exitX;
    const entryY = (boxes[at + y] - originY) * inverseY;
    const exitY = (boxes[at + 5 - y] - originY) * inverseY;
    if (entryY > entry) entry = entryY;
    if (exitY < exit) exit = exitY;
    const entryZ = (boxes[at + z] - originZ) * inverseZ;
    const exitZ = (boxes[at + 7 - z] - originZ) * inverseZ;
    if (entryZ > entry) entry = entryZ;
    if (exitZ < exit) exit = exitZ;
    distances[0] = entry;
    return entry <= exit;
  }

  /**
   * Whether the ray enters the sphere at offset `at`. On entry `distances[0]` is the distance at which the ray enters
   * the box of the sphere; on return it is the entry distance of the sphere, 0 if the origin is inside.
   *
   * The distance of the centre from the line is computed from the perpendicular vector. The usual difference of squares
   * loses all digits for a small sphere far away.
   */
  intersectsSphere(spheres: Float64Array, at: number, distances: Float64Array): boolean {
    const { directionX, directionY, directionZ } = this;
    const boxDistance = distances[0];
    const toX = spheres[at] - this.originX;
    const toY = spheres[at + 1] - this.originY;
    const toZ = spheres[at + 2] - this.originZ;
    const radiusSq = spheres[at + 3] * spheres[at + 3];
    const along = toX * directionX + toY * directionY + toZ * directionZ;
    const offX = toX - along * directionX;
    const offY = toY - along * directionY;
    const offZ = toZ - along * directionZ;
    const offSq = offX * offX + offY * offY + offZ * offZ;
    if (offSq > radiusSq) return false;
    if (boxDistance === 0 && toX * toX + toY * toY + toZ * toZ <= radiusSq) return true;
    if (along < 0) return false;
    distances[0] = Math.max(along - Math.sqrt(radiusSq - offSq), boxDistance);
    return true;
  }
}

/** Writes a ray to an array, from which `readUnitRay` sets it again. */
export function writeUnitRay(ray: UnitRay, target: Float64Array, at: number): void {
  target[at] = ray.originX;
  target[at + 1] = ray.originY;
  target[at + 2] = ray.originZ;
  target[at + 3] = ray.directionX;
  target[at + 4] = ray.directionY;
  target[at + 5] = ray.directionZ;
  target[at + 6] = ray.inverseX;
  target[at + 7] = ray.inverseY;
  target[at + 8] = ray.inverseZ;
}

/**
 * Sets origin, direction and inverse. The path keeps its box, direction and `maxDistance`; the exact tests read
 * `maxDistance`, so set that as well.
 */
export function readUnitRay(ray: UnitRay, values: Float64Array, at: number): void {
  ray.originX = values[at];
  ray.originY = values[at + 1];
  ray.originZ = values[at + 2];
  ray.directionX = values[at + 3];
  ray.directionY = values[at + 4];
  ray.directionZ = values[at + 5];
  ray.inverseX = values[at + 6];
  ray.inverseY = values[at + 7];
  ray.inverseZ = values[at + 8];
}
