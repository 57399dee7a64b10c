/** The bodies along a ray. */

import { BOX_STRIDE } from '../../math/box.ts';
import { UnitRay } from '../../math/unit-ray.ts';
import type { Tree } from '../../tree/tree.ts';
import { HitQuery } from './hit-query.ts';

export class RayQuery extends HitQuery {
  readonly ray = new UnitRay();
  protected readonly path = this.ray.path;
  protected readonly distance = new Float64Array(1);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  /** Output of the slab test: the kept box, which is not used. */
  private readonly entered = new Int32Array(1);

  protected hits({ bodies }: Tree, index: number): boolean {
    const { ray, entered, distance, bodyBox } = this;
    if (!bodies.isSphere(index)) return ray.intersectBoxes(bodies.bounds, index, index + 1, entered, distance, 0) === 1;
    if (ray.intersectBoxes(bodies.readBox(index, bodyBox), 0, 1, entered, distance, 0) === 0) return false;
    return ray.intersectsSphere(bodies.bounds, index * BOX_STRIDE, distance);
  }

  protected hitsSlotBounds({ bodies, slots }: Tree, index: number): boolean {
    const slot = bodies.slot[index];
    return this.ray.intersectBoxes(slots.slotBounds, slot, slot + 1, this.entered, this.distance, 0) === 1;
  }
}
