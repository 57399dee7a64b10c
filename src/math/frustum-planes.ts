/**
 * The planes of a frustum, packed four lanes each: normal x y z and constant, pointing inward as in three. A point is inside when
 * `normal . point + constant >= 0` for every plane. Any number of planes is allowed.
 */

import type { Boxes } from './box.ts';

export const PLANE_STRIDE = 4;
/** Planes that get a bit of their own in a plane mask; all further ones share the last bit. */
export const SHARED_BIT = 30;
/** Normals that miss unit length by rounding only count as unit, as three's own tests take them. */
const UNIT_TOLERANCE = 1e-9;

export class FrustumPlanes {
  lanes = new Float64Array(6 * PLANE_STRIDE);
  /** Length of each normal. */
  lengths = new Float64Array(6);
  count = 0;
  /** Number of the near plane, -1 if there is none. */
  nearPlane = -1;
  /** All planes undecided. */
  mask = 0;

  clear(): void {
    this.count = 0;
    this.mask = 0;
    this.nearPlane = -1;
  }

  push(normalX: number, normalY: number, normalZ: number, constant: number): void {
    const plane = this.count++;
    this.reserve(this.count);
    const at = plane * PLANE_STRIDE;
    this.lanes[at] = normalX;
    this.lanes[at + 1] = normalY;
    this.lanes[at + 2] = normalZ;
    this.lanes[at + 3] = constant;
    const lengthSq = normalX * normalX + normalY * normalY + normalZ * normalZ;
    this.lengths[plane] = Math.abs(lengthSq - 1) < UNIT_TOLERANCE ? 1 : Math.sqrt(lengthSq);
    this.mask |= 1 << Math.min(plane, SHARED_BIT);
  }

  /** Value of a point in a plane: its distance times the length of the normal, positive inside. */
  valueAt(plane: number, x: number, y: number, z: number): number {
    const { lanes } = this;
    const at = plane * PLANE_STRIDE;
    return lanes[at] * x + lanes[at + 1] * y + lanes[at + 2] * z + lanes[at + 3];
  }

  /** Whether the box at lane `at` touches the inner side of every plane in `mask`, going by its corner farthest along each normal. */
  intersectsBox(boxes: Boxes, at: number, mask: number): boolean {
    const { lanes, count } = this;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      let plane = 31 - Math.clz32(rest & -rest);
      // Every plane from the last bit on shares it.
      do {
        const p = plane * PLANE_STRIDE;
        const x = boxes[lanes[p] >= 0 ? at + 3 : at];
        const y = boxes[lanes[p + 1] >= 0 ? at + 4 : at + 1];
        const z = boxes[lanes[p + 2] >= 0 ? at + 5 : at + 2];
        if (lanes[p] * x + lanes[p + 1] * y + lanes[p + 2] * z + lanes[p + 3] < 0) return false;
      } while (plane++ >= SHARED_BIT && plane < count);
    }
    return true;
  }

  /** Whether a box lies on the inner side of every plane with all its corners. */
  containsBox(box: Boxes): boolean {
    const { lanes, count } = this;
    for (let p = 0; p < count * PLANE_STRIDE; p += PLANE_STRIDE) {
      const x = box[lanes[p] >= 0 ? 0 : 3];
      const y = box[lanes[p + 1] >= 0 ? 1 : 4];
      const z = box[lanes[p + 2] >= 0 ? 2 : 5];
      if (lanes[p] * x + lanes[p + 1] * y + lanes[p + 2] * z + lanes[p + 3] < 0) return false;
    }
    return true;
  }

  /** Whether the sphere at lane `at`, centre and radius, touches the inner side of every plane. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    const { lanes, lengths, count } = this;
    const x = spheres[at];
    const y = spheres[at + 1];
    const z = spheres[at + 2];
    const radius = spheres[at + 3];
    for (let plane = 0, p = 0; plane < count; plane++, p += PLANE_STRIDE) {
      if (lanes[p] * x + lanes[p + 1] * y + lanes[p + 2] * z + lanes[p + 3] < -radius * lengths[plane]) return false;
    }
    return true;
  }

  /** Whether a sphere lies on the inner side of every plane as a whole. */
  containsSphere(spheres: Float64Array, at: number): boolean {
    const { lanes, lengths, count } = this;
    const x = spheres[at];
    const y = spheres[at + 1];
    const z = spheres[at + 2];
    const radius = spheres[at + 3];
    for (let plane = 0, p = 0; plane < count; plane++, p += PLANE_STRIDE) {
      if (lanes[p] * x + lanes[p + 1] * y + lanes[p + 2] * z + lanes[p + 3] < radius * lengths[plane]) return false;
    }
    return true;
  }

  private reserve(count: number): void {
    if (count <= this.lengths.length) return;
    const { lanes, lengths } = this;
    const capacity = 2 * count;
    (this.lanes = new Float64Array(capacity * PLANE_STRIDE)).set(lanes);
    (this.lengths = new Float64Array(capacity)).set(lengths);
  }
}
