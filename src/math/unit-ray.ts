/** A ray with a unit direction, so that every distance along it is in world units. */

import type { Boxes } from './box.ts';

/** The distance of a miss. */
export const MISS = Infinity;

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
  }

  /**
   * Distance at which the ray enters the box at lane `at`, 0 from inside, or MISS. Slab test: a ray that runs in the plane of a
   * face gives 0 * infinity = NaN there, which fails both comparisons and so, rightly, constrains nothing.
   * The same expressions serve nodes and bodies, so that rounding can never let a node miss what its body would hit.
   */
  distanceToBox(boxes: Boxes, at: number): number {
    const { inverseX, inverseY, inverseZ, originX, originY, originZ } = this;
    const x = inverseX < 0 ? at + 3 : at;
    const y = inverseY < 0 ? at + 4 : at + 1;
    const z = inverseZ < 0 ? at + 5 : at + 2;
    let entry = 0;
    let exit = Infinity;
    const entryX = (boxes[x] - originX) * inverseX;
    const exitX = (boxes[2 * at + 3 - x] - originX) * inverseX;
    if (entryX > entry) entry = entryX;
    if (exitX < exit) exit = exitX;
    const entryY = (boxes[y] - originY) * inverseY;
    const exitY = (boxes[2 * at + 5 - y] - originY) * inverseY;
    if (entryY > entry) entry = entryY;
    if (exitY < exit) exit = exitY;
    const entryZ = (boxes[z] - originZ) * inverseZ;
    const exitZ = (boxes[2 * at + 7 - z] - originZ) * inverseZ;
    if (entryZ > entry) entry = entryZ;
    if (exitZ < exit) exit = exitZ;
    return entry <= exit ? entry : MISS;
  }

  /**
   * Distance at which the ray enters a sphere whose box it enters at `boxDistance`, 0 from inside, or MISS. The offset of the centre
   * from the line is taken perpendicular to it: the usual difference of squares loses every digit of a small sphere far away.
   */
  distanceToSphere(x: number, y: number, z: number, radius: number, boxDistance: number): number {
    const { directionX, directionY, directionZ } = this;
    const toX = x - this.originX;
    const toY = y - this.originY;
    const toZ = z - this.originZ;
    const radiusSq = radius * radius;
    const along = toX * directionX + toY * directionY + toZ * directionZ;
    const offX = toX - along * directionX;
    const offY = toY - along * directionY;
    const offZ = toZ - along * directionZ;
    const offSq = offX * offX + offY * offY + offZ * offZ;
    if (boxDistance === 0 && toX * toX + toY * toY + toZ * toZ <= radiusSq) return offSq <= radiusSq ? 0 : MISS;
    if (offSq > radiusSq || along < 0) return MISS;
    return Math.max(along - Math.sqrt(radiusSq - offSq), boxDistance);
  }
}
