/**
 * A ray with a unit direction, and its tests against boxes and spheres. Distances along the ray are in world units.
 * `intersectBoxes` and `intersectsSphere` are exact; `filterByMinDistance` is a faster, conservative filter.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FLOAT32_MIN_POSITIVE, FLOAT32_SAFE_MAX } from './float32.ts';

/** Bound of the rounding error of a sum in Float64, relative to the greatest number in it. */
const TOLERANCE = 2 ** -47;
/** The same bound for Float32. */
const TOLERANCE32 = 2 ** -21;
/** Bound of the relative rounding error of the products in a distance, in Float32. */
const PRODUCT_TOLERANCE32 = 2 ** -20;

export class UnitRay {
  originX = 0;
  originY = 0;
  originZ = 0;
  directionX = 0;
  directionY = 0;
  directionZ = 1;
  inverseX = Infinity;
  inverseY = Infinity;
  inverseZ = 1;
  /** Length of the ray in world units; a first-hit query lowers it while it runs. */
  maxDistance = Infinity;

  /**
   * These four arrays have one number per axis, starting with the axis of the greatest direction component. The first two hold
   * offsets in a box: of the face through which the ray enters, and of the face through which it leaves.
   */
  private readonly nearFaces = new Uint8Array(3);
  private readonly farFaces = new Uint8Array(3);
  private readonly origin = new Float64Array(3);
  private readonly direction = new Float64Array(3);
  /** Greatest magnitude among the coordinates of the origin and of the boxes, in world units. */
  private largest = 0;
  /** Bound of the rounding error of a coordinate, in world units. */
  private tolerance = 0;

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
    this.orderAxes();
  }

  /** Sets the tolerance for rounding errors. The box at offset `at` must contain all boxes that `filterByMinDistance` tests later. */
  setTolerance(boxes: Boxes, at: number): void {
    const { origin } = this;
    let largest = Math.max(Math.abs(origin[0]), Math.abs(origin[1]), Math.abs(origin[2]));
    for (let k = at; k < at + BOX_STRIDE; k++) largest = Math.max(largest, Math.abs(boxes[k]));
    this.largest = largest;
    this.tolerance = TOLERANCE * largest;
  }

  /**
   * Writes ten numbers for tests in Float32: the maximum distance, the origin plus the tolerance, the origin minus the tolerance,
   * and the inverse of the direction, clamped to finite numbers. Returns false, and writes nothing, if the numbers are too large
   * for Float32.
   */
  writeFloat32(target: Float32Array): boolean {
    const { originX, originY, originZ, largest } = this;
    if (!(largest < FLOAT32_SAFE_MAX)) return false;
    const tolerance = TOLERANCE32 * largest + 1 / FLOAT32_SAFE_MAX;
    this.writeMaxDistance32(target);
    target[1] = originX + tolerance;
    target[2] = originY + tolerance;
    target[3] = originZ + tolerance;
    target[4] = originX - tolerance;
    target[5] = originY - tolerance;
    target[6] = originZ - tolerance;
    target[7] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseX, FLOAT32_SAFE_MAX));
    target[8] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseY, FLOAT32_SAFE_MAX));
    target[9] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseZ, FLOAT32_SAFE_MAX));
    return true;
  }

  /** Writes the first of these numbers only, after a result has lowered it. */
  writeMaxDistance32(target: Float32Array): void {
    target[0] = this.maxDistance * (1 + PRODUCT_TOLERANCE32) + FLOAT32_MIN_POSITIVE;
  }

  private orderAxes(): void {
    const { origin, direction, nearFaces, farFaces } = this;
    const x = Math.abs(this.directionX);
    const y = Math.abs(this.directionY);
    const z = Math.abs(this.directionZ);
    const dominant = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (let k = 0; k < 3; k++) {
      const axis = (dominant + k) % 3;
      origin[k] = axis === 0 ? this.originX : axis === 1 ? this.originY : this.originZ;
      direction[k] = axis === 0 ? this.directionX : axis === 1 ? this.directionY : this.directionZ;
      nearFaces[k] = direction[k] < 0 ? axis + 3 : axis;
      farFaces[k] = direction[k] < 0 ? axis : axis + 3;
    }
  }

  /**
   * Filters boxes by a lower bound of the entry distance (MINDIST). Appends each box of [begin, end) that the ray may enter to
   * `kept` at `count`, and the bound to `distances`; returns the new count. Keeps every box that contains a box which
   * `intersectBoxes` keeps, and a few boxes that the ray misses by a rounding error.
   *
   * The slab of the first axis gives the interval of the ray between the two faces of the box. The ray misses the box if, along
   * another axis, it is already past the box at the start of the interval, or still before it at the end. Each comparison can
   * only reject, so its branch is predictable. The branches of the running maximum in `intersectBoxes` are not: with them, ray
   * queries took 1.3 to 2 times as long.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    const { maxDistance, nearFaces, farFaces, origin, direction, tolerance } = this;
    const nearA = nearFaces[0];
    const farA = farFaces[0];
    const nearB = nearFaces[1];
    const farB = farFaces[1];
    const nearC = nearFaces[2];
    const farC = farFaces[2];
    const originA = origin[0];
    const inverseA = 1 / direction[0];
    // The other axes are mirrored where needed, so that the coordinates of the ray increase along it.
    const signB = direction[1] < 0 ? -1 : 1;
    const signC = direction[2] < 0 ? -1 : 1;
    const originB = origin[1] * signB;
    const originC = origin[2] * signC;
    const slopeB = direction[1] * signB;
    const slopeC = direction[2] * signC;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const exit = (boxes[at + farA] - originA) * inverseA;
      if (exit < 0) continue;
      const near = (boxes[at + nearA] - originA) * inverseA;
      const entry = near > 0 ? near : 0;
      if (entry > maxDistance) continue;
      if (originB + entry * slopeB > boxes[at + farB] * signB + tolerance) continue;
      if (originB + exit * slopeB < boxes[at + nearB] * signB - tolerance) continue;
      if (originC + entry * slopeC > boxes[at + farC] * signC + tolerance) continue;
      if (originC + exit * slopeC < boxes[at + nearC] * signC - tolerance) continue;
      kept[count] = k;
      distances[count++] = entry;
    }
    return count;
  }

  /**
   * Slab test. Appends each box of [begin, end) that the ray enters to `kept` at `count`, and the entry distance (0 if the origin
   * is inside) to `distances`; returns the new count. A ray in the plane of a face gives 0 * Infinity = NaN for that face. NaN
   * fails both comparisons, so the face sets no limit, which is correct because a face belongs to its box.
   */
  intersectBoxes(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    const { inverseX, inverseY, inverseZ, originX, originY, originZ, maxDistance } = this;
    // Offsets of the faces that the ray reaches first.
    const x = inverseX < 0 ? 3 : 0;
    const y = inverseY < 0 ? 4 : 1;
    const z = inverseZ < 0 ? 5 : 2;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      let entry = 0;
      let exit = maxDistance;
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
      if (!(entry <= exit)) continue;
      kept[count] = k;
      distances[count++] = entry;
    }
    return count;
  }

  /**
   * Whether the ray enters the sphere at offset `at`. On entry `distances[0]` is the distance at which the ray enters the box of
   * the sphere; on return it is the entry distance of the sphere, 0 if the origin is inside.
   *
   * The distance of the centre from the line is computed from the perpendicular vector. The usual difference of squares loses all
   * digits for a small sphere far away.
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
