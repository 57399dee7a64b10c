/**
 * A ray with a unit direction, and its exact tests against boxes and spheres. Distances along the ray are in world
 * units. Its conservative filter treats it as a moving box without extent.
 */

import type { Boxes } from './box.ts';
import { MovingBox } from './moving-box.ts';

/** Numbers of one ray. */
export const UNIT_RAY_STRIDE = 9;

export class UnitRay {
  /** The next three, side by side. A ray is copied by these: the exact tests read no more but `path.maxDistance`. */
  readonly numbers = new Float64Array(UNIT_RAY_STRIDE);
  readonly origin = this.numbers.subarray(0, 3);
  readonly direction = this.numbers.subarray(3, 6);
  /** One divided by each component of the direction. */
  readonly inverse = this.numbers.subarray(6, 9);
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
    const { direction, inverse, origin, path } = this;
    direction[0] = directionX / length;
    direction[1] = directionY / length;
    direction[2] = directionZ / length;
    for (let axis = 0; axis < 3; axis++) {
      inverse[axis] = 1 / direction[axis];
      origin[axis] = path.bounds[axis] = path.bounds[axis + 3] = values[axis];
      path.direction[axis] = direction[axis];
    }
  }

  /**
   * Whether the ray enters the box at offset `at`; sets `distances[0]` to the entry distance, 0 if the origin is
   * inside. Slab test. A ray in the plane of a face gives 0 * Infinity = NaN for that face. NaN fails both comparisons,
   * so the face sets no limit, which is correct because a face belongs to its box.
   */
  intersectsBox(boxes: Boxes, at: number, distances: Float64Array): boolean {
    const { numbers } = this;
    const originX = numbers[0];
    const originY = numbers[1];
    const originZ = numbers[2];
    const inverseX = numbers[6];
    const inverseY = numbers[7];
    const inverseZ = numbers[8];
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
    const { direction, origin } = this;
    const directionX = direction[0];
    const directionY = direction[1];
    const directionZ = direction[2];
    const boxDistance = distances[0];
    const toX = spheres[at] - origin[0];
    const toY = spheres[at + 1] - origin[1];
    const toZ = spheres[at + 2] - origin[2];
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
