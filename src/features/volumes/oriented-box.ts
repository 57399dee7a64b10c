/** A box of any orientation. */

import { OrientedBoxQuery } from './oriented-box-query.ts';
import { readOrientedBox, type OrientedBoxLike } from './volume-shapes.ts';
import { Volume } from './volume.ts';

const reusedValues = /* @__PURE__ */ new Float64Array(15);

/**
 * A box of any orientation for `intersect` and `collect`.
 *
 * The contact of a record with a box body is along the axis of the smallest overlap: a face normal of one of the two boxes, or perpendicular to an edge of
 * each. Cost: as `octree.intersectFrustum` with six planes, and nine more axes for each body near a face.
 */
export class OrientedBox extends Volume {
  /** @internal */
  readonly query = new OrientedBoxQuery();

  /**
   * @param orientedBox An OBB of three's addons, or anything shaped like it. Copied.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a half size is negative, or the columns of the rotation are not
   *   perpendicular unit vectors.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(orientedBox: OrientedBoxLike) {
    super();
    readOrientedBox('OrientedBox', orientedBox, reusedValues);
    this.query.set(reusedValues);
  }

  /** Gives the box other numbers. Errors as in the constructor; then it is as before. */
  set(orientedBox: OrientedBoxLike): this {
    readOrientedBox('OrientedBox.set', orientedBox, reusedValues);
    this.query.set(reusedValues);
    return this;
  }
}
