/** The bodies that touch a sphere. */

import { BOX_STRIDE } from '../../math/box.ts';
import type { Contact } from '../../math/contact.ts';
import { QuerySphere } from '../../math/query-sphere.ts';
import { MAX_RADIUS, sphereContainsBox, spheresTouch, sphereTouchesBox } from '../../math/sphere.ts';
import { INTERSECTING, SPHERE_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { RangeQuery } from './range-query.ts';

export class SphereQuery extends QuerySphere implements RangeQuery {
  readonly simdKernel = SPHERE_OVERLAP;
  readonly rootOverlap = INTERSECTING;
  /** Centre and radius as set, for contacts: their distance holds for the radius that the caller gave. */
  private readonly sphere = new Float64Array(4);
  /** Centre and radius, limited to MAX_RADIUS, for tests. */
  private readonly limited = new Float64Array(4);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /** Sets the volume to a sphere: centre and radius. */
  override set(values: Float64Array): void {
    const { sphere, limited } = this;
    for (let offset = 0; offset < 4; offset++) sphere[offset] = limited[offset] = values[offset];
    limited[3] = Math.min(limited[3], MAX_RADIUS);
    super.set(limited);
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return sphereTouchesBody(this.limited, 0, bodies, index, this.bodyBox);
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { limited } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) return sphereContainsBox(limited, 0, bounds, at);
    const dx = bounds[at] - limited[0];
    const dy = bounds[at + 1] - limited[1];
    const dz = bounds[at + 2] - limited[2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz) + bounds[at + 3] <= limited[3];
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    return target.between(values, isSphere, this.sphere, true);
  }
}

/**
 * The exact test of sphere queries: whether the sphere at offset `at` touches a body. Its radius is at most MAX_RADIUS.
 * `bodyBox` is working memory.
 */
export function sphereTouchesBody(
  spheres: Float64Array,
  at: number,
  bodies: BodyArrays,
  index: number,
  bodyBox: Float64Array,
): boolean {
  const { bounds } = bodies;
  const from = index * BOX_STRIDE;
  if (!bodies.isSphere(index)) return sphereTouchesBox(spheres, at, bounds, from);
  return spheresTouch(bounds, from, spheres, at) && sphereTouchesBox(spheres, at, bodies.readBox(index, bodyBox), 0);
}
