/**
 * The bodies that touch a ball.
 *
 * Source of the box test: Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems, 1990.
 */

import { BOX_LANES, distanceSqToBox, farthestDistanceSqToBox, type Boxes } from '../math/box.ts';
import { BODY_SPHERE } from '../tree/layout.ts';
import type { BodyLanes } from '../tree/body-lanes.ts';
import { CROSSING, WHOLE } from '../tree/walk.ts';
import type { RangeQuery } from './range-query.ts';

/** A ball this large holds every coordinate that the octree takes; its square is still far from overflow. */
const LARGEST_RADIUS = 2 ** 54;

export class SphereQuery implements RangeQuery {
  x = 0;
  y = 0;
  z = 0;
  radius = 0;
  readonly undecided = CROSSING;
  private readonly bodyBox = new Float64Array(BOX_LANES);

  /** Takes centre and radius from four lanes. */
  set(sphere: Float64Array): void {
    this.x = sphere[0];
    this.y = sphere[1];
    this.z = sphere[2];
    this.radius = Math.min(sphere[3], LARGEST_RADIUS);
  }

  filter(boxes: Boxes, begin: number, end: number, _lane: number, kept: Int32Array, lanes: Int32Array, count: number): number {
    const { x, y, z, radius } = this;
    const radiusSq = radius * radius;
    for (let k = begin, at = begin * BOX_LANES; k < end; k++, at += BOX_LANES) {
      if (distanceSqToBox(x, y, z, boxes, at) > radiusSq) continue;
      kept[count] = k;
      lanes[count++] = farthestDistanceSqToBox(x, y, z, boxes, at) <= radiusSq ? WHOLE : CROSSING;
    }
    return count;
  }

  touches(bodies: BodyLanes, index: number): boolean {
    const { x, y, z, radius } = this;
    const { bounds } = bodies;
    const at = index * BOX_LANES;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) return distanceSqToBox(x, y, z, bounds, at) <= radius * radius;
    if (distanceSqToBox(x, y, z, bodies.readBox(index, this.bodyBox), 0) > radius * radius) return false;
    const reach = bounds[at + 3] + radius;
    return this.centreDistanceSq(bounds, at) <= reach * reach;
  }

  encloses(bodies: BodyLanes, index: number): boolean {
    const { x, y, z, radius } = this;
    const { bounds } = bodies;
    const at = index * BOX_LANES;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) return farthestDistanceSqToBox(x, y, z, bounds, at) <= radius * radius;
    return Math.sqrt(this.centreDistanceSq(bounds, at)) + bounds[at + 3] <= radius;
  }

  private centreDistanceSq(bounds: Float64Array, at: number): number {
    const dx = bounds[at] - this.x;
    const dy = bounds[at + 1] - this.y;
    const dz = bounds[at + 2] - this.z;
    return dx * dx + dy * dy + dz * dz;
  }
}
