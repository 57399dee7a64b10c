/** The bodies that touch a ball. */

import { sphereContainsBox, spheresTouch, sphereTouchesBox } from '../math/sphere.ts';
import { QuerySphere } from '../math/query-sphere.ts';
import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import type { Contact } from '../math/contact.ts';
import { BODY_SPHERE, ROOT } from '../tree/layout.ts';
import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { Tree } from '../tree/tree.ts';
import { INTERSECTING } from '../tree/overlap.ts';
import { IN_SPHERE } from '../tree/simd/kinds.ts';
import type { ContactQuery } from './range-query.ts';

/** A ball this large holds every coordinate that the octree takes; its square is still far from overflow. */
const LARGEST_RADIUS = 2 ** 54;

export class SphereQuery implements ContactQuery {
  readonly simdKind = IN_SPHERE;
  readonly undecided = INTERSECTING;
  /** As set; contacts use the radius as it is. */
  private readonly sphere = new Float64Array(4);
  /** The same with the radius limited. */
  private readonly ball = new Float64Array(4);
  private readonly reach = new QuerySphere();
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /** Takes centre and radius from four lanes. */
  set(sphere: Float64Array): void {
    const { ball, reach } = this;
    for (let lane = 0; lane < 4; lane++) this.sphere[lane] = ball[lane] = sphere[lane];
    ball[3] = Math.min(ball[3], LARGEST_RADIUS);
    reach.x = ball[0];
    reach.y = ball[1];
    reach.z = ball[2];
    reach.maxDistanceSq = ball[3] * ball[3];
  }

  begin(tree: Tree): void {
    this.reach.setTolerance(tree.nodes.fitted, ROOT * BOX_STRIDE);
  }

  writeShape(lanes: Float32Array): boolean {
    return this.reach.writeFloat32(lanes);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, _lane: number, kept: Int32Array, lanes: Int32Array, count: number): number {
    return this.reach.filterBoxes(boxes, begin, end, kept, lanes, count);
  }

  touches(bodies: BodyArrays, index: number): boolean {
    const { ball } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) return sphereTouchesBox(ball, 0, bounds, at);
    return sphereTouchesBox(ball, 0, bodies.readBox(index, this.bodyBox), 0) && spheresTouch(bounds, at, ball, 0);
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { ball } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) return sphereContainsBox(ball, 0, bounds, at);
    const dx = bounds[at] - ball[0];
    const dy = bounds[at + 1] - ball[1];
    const dz = bounds[at + 2] - ball[2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz) + bounds[at + 3] <= ball[3];
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    return target.between(values, isSphere, this.sphere, true);
  }
}
