/** A ray with a unit direction, so that every distance along it is in world units. */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FLOAT32_MIN_POSITIVE, FLOAT32_SAFE_MAX } from './float32.ts';

/** Some units in the last place of the largest number in a sum. */
const TOLERANCE = 2 ** -47;
/** The same for Float32. */
const TOLERANCE32 = 2 ** -21;
/** More than what the products of a distance may be off by, relatively. */
const SLACK32 = 2 ** -20;

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
  /** What the ray enters farther away counts as missed. */
  maxDistance = Infinity;

  /** Axis by axis, the one along which the ray runs fastest first: the lanes of the faces that it meets first and last, and the ray itself. */
  private readonly nearFaces = new Uint8Array(3);
  private readonly farFaces = new Uint8Array(3);
  private readonly origin = new Float64Array(3);
  private readonly direction = new Float64Array(3);
  /** The largest number among the origin and the boxes. */
  private largest = 0;
  /** How far beside a box the ray may seem to pass, by rounding alone. */
  private tolerance = 0;

  /** Takes origin and direction from six lanes; the direction may have any length but 0. */
  set(lanes: Float64Array): void {
    let directionX = lanes[3];
    let directionY = lanes[4];
    let directionZ = lanes[5];
    let lengthSq = directionX * directionX + directionY * directionY + directionZ * directionZ;
    if (!(lengthSq > 1e-200 && lengthSq < 1e200)) {
      // The squares would overflow or vanish.
      const scale = 1 / Math.max(Math.abs(directionX), Math.abs(directionY), Math.abs(directionZ), 1e-300);
      directionX *= scale;
      directionY *= scale;
      directionZ *= scale;
      lengthSq = directionX * directionX + directionY * directionY + directionZ * directionZ;
    }
    const length = Math.sqrt(lengthSq);
    this.originX = lanes[0];
    this.originY = lanes[1];
    this.originZ = lanes[2];
    this.directionX = directionX / length;
    this.directionY = directionY / length;
    this.directionZ = directionZ / length;
    this.inverseX = 1 / this.directionX;
    this.inverseY = 1 / this.directionY;
    this.inverseZ = 1 / this.directionZ;
    this.orderAxes();
  }

  /** Tells, by the box at lane `at`, what encloses all boxes that `filterByMinDistance` will see. */
  setTolerance(boxes: Boxes, at: number): void {
    const { origin } = this;
    let largest = Math.max(Math.abs(origin[0]), Math.abs(origin[1]), Math.abs(origin[2]));
    for (let lane = at; lane < at + BOX_STRIDE; lane++) largest = Math.max(largest, Math.abs(boxes[lane]));
    this.largest = largest;
    this.tolerance = TOLERANCE * largest;
  }

  /**
   * Writes, for tests in Float32: `maxDistance`, the origin, raised and lowered by as much as the ray may seem to pass beside a box, and the inverse of the
   * direction, finite. False if the numbers are beyond the range.
   */
  writeFloat32(lanes: Float32Array): boolean {
    const { originX, originY, originZ, largest } = this;
    if (!(largest < FLOAT32_SAFE_MAX)) return false;
    const tolerance = TOLERANCE32 * largest + 1 / FLOAT32_SAFE_MAX;
    this.writeMaxDistance32(lanes);
    lanes[1] = originX + tolerance;
    lanes[2] = originY + tolerance;
    lanes[3] = originZ + tolerance;
    lanes[4] = originX - tolerance;
    lanes[5] = originY - tolerance;
    lanes[6] = originZ - tolerance;
    lanes[7] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseX, FLOAT32_SAFE_MAX));
    lanes[8] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseY, FLOAT32_SAFE_MAX));
    lanes[9] = Math.max(-FLOAT32_SAFE_MAX, Math.min(this.inverseZ, FLOAT32_SAFE_MAX));
    return true;
  }

  /** Writes the first of these numbers alone, when an answer has made it less. */
  writeMaxDistance32(lanes: Float32Array): void {
    lanes[0] = this.maxDistance * (1 + SLACK32) + FLOAT32_MIN_POSITIVE;
  }

  private orderAxes(): void {
    const { origin, direction, nearFaces, farFaces } = this;
    const x = Math.abs(this.directionX);
    const y = Math.abs(this.directionY);
    const z = Math.abs(this.directionZ);
    const fastest = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (let k = 0; k < 3; k++) {
      const axis = (fastest + k) % 3;
      origin[k] = axis === 0 ? this.originX : axis === 1 ? this.originY : this.originZ;
      direction[k] = axis === 0 ? this.directionX : axis === 1 ? this.directionY : this.directionZ;
      nearFaces[k] = direction[k] < 0 ? axis + 3 : axis;
      farFaces[k] = direction[k] < 0 ? axis : axis + 3;
    }
  }

  /**
   * As `intersectBoxes`, but quicker and not quite strict: keeps every box that has one inside which `intersectBoxes` would keep, and a few that
   * the ray only passes by. The distances are lower bounds.
   *
   * The slab of the fastest axis tells between which two points the ray is level with a box; the box is missed if, along another axis,
   * the ray has passed it at the first point or not yet reached it at the second. Each comparison can only reject, which processors
   * guess well; the running maximum of the strict test goes either way from box to box: rays took 1.3 to 2 times as long by it.
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
    // Mirrored, so that the ray ascends.
    const signB = direction[1] < 0 ? -1 : 1;
    const signC = direction[2] < 0 ? -1 : 1;
    const originB = origin[1] * signB;
    const originC = origin[2] * signC;
    const slopeB = direction[1] * signB;
    const slopeC = direction[2] * signC;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const exit = (boxes[at + farA] - originA) * inverseA;
      if (exit < 0) continue;
      const level = (boxes[at + nearA] - originA) * inverseA;
      const entry = level > 0 ? level : 0;
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
   * Appends each box of [begin, end) that the ray enters to `kept` at `count`, and the distance at which it does, 0 from inside, to
   * `distances`; returns the new count. Slab test: a ray that runs in the plane of a face gives 0 * infinity = NaN there, which fails
   * both comparisons and so, rightly, constrains nothing.
   */
  intersectBoxes(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    const { inverseX, inverseY, inverseZ, originX, originY, originZ, maxDistance } = this;
    // Lanes of the faces that the ray comes to first.
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
   * Whether the ray enters the sphere at lane `at`, whose box it enters at `distances[0]`; replaces that by the distance to the sphere, 0
   * from inside. The offset of the centre from the line is taken perpendicular to it: the usual difference of squares loses every
   * digit of a small sphere far away.
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
