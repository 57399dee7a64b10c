/**
 * A ray with a unit direction, and its exact tests against boxes and spheres. Distances along the ray are in world
 * units. Its conservative filter treats it as a moving box without extent. And where a ray enters a body.
 */

import type { Boxes } from './box.ts';
import { MovingBox } from './moving-box.ts';
import type { Contact } from './contact.ts';

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
    if (!(lengthSq >= 1e-200 && lengthSq <= 1e200)) {
      // The squares would overflow or underflow.
      const largest = Math.max(Math.abs(directionX), Math.abs(directionY), Math.abs(directionZ));
      directionX /= largest;
      directionY /= largest;
      directionZ /= largest;
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

/**
 * Writes the entry of a ray that hits a body at the distance at offset `k`. `values` are the exact bounds of the body,
 * centre and radius if it is a sphere; `box` is its box. Returns whether the ray starts in the body: then the position
 * is the origin, and the normal (0, 0, 0).
 */
export function writeRayEntry(
  ray: UnitRay,
  values: Float64Array,
  isSphere: boolean,
  box: Float64Array,
  distances: Float64Array,
  k: number,
  target: Contact,
): boolean {
  const { direction, origin } = ray;
  const x = origin[0];
  const y = origin[1];
  const z = origin[2];
  const distance = distances[k];
  const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
  const isInside = isInBox && (!isSphere || (distance === 0 && isInSphere(ray, values)));
  target.distance = distance;
  if (isInside) {
    target.setPosition(x, y, z);
    target.setNormal(0, 0, 0);
    return true;
  }
  target.setPosition(x + direction[0] * distance, y + direction[1] * distance, z + direction[2] * distance);
  if (isSphere) setSphereNormal(ray, values, target);
  else setFaceNormal(ray, box, target);
  return false;
}

/** A ray that starts just outside may enter at the distance 0, which is rounded. */
function isInSphere({ origin }: UnitRay, sphere: Float64Array): boolean {
  const toX = sphere[0] - origin[0];
  const toY = sphere[1] - origin[1];
  const toZ = sphere[2] - origin[2];
  return toX * toX + toY * toY + toZ * toZ <= sphere[3] * sphere[3];
}

/**
 * The outward normal of a sphere at the position. A sphere of radius 0 has no surface: its normal points against the
 * ray.
 */
function setSphereNormal({ direction }: UnitRay, sphere: Float64Array, target: Contact): void {
  const x = target.x - sphere[0];
  const y = target.y - sphere[1];
  const z = target.z - sphere[2];
  const lengthSq = x * x + y * y + z * z;
  // The position is rounded, so it may differ from the centre even if the radius is 0.
  if (sphere[3] === 0 || lengthSq === 0) {
    // `0 - d` instead of `-d`, which would turn 0 into -0.
    target.setNormal(0 - direction[0], 0 - direction[1], 0 - direction[2]);
    return;
  }
  const scale = 1 / Math.sqrt(lengthSq);
  target.setNormal(x * scale, y * scale, z * scale);
}

/**
 * The normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on
 * a tie.
 */
function setFaceNormal({ inverse, origin }: UnitRay, box: Float64Array, target: Contact): void {
  let enteredAxis = 0;
  let lastEntry = -Infinity;
  for (let axis = 0; axis < 3; axis++) {
    // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter
    // through a face of this axis.
    if (!Number.isFinite(inverse[axis])) continue;
    const entry = (box[inverse[axis] < 0 ? axis + 3 : axis] - origin[axis]) * inverse[axis];
    if (entry > lastEntry) [lastEntry, enteredAxis] = [entry, axis];
  }
  target.setNormalAlong(enteredAxis, inverse[enteredAxis] > 0 ? -1 : 1);
}
