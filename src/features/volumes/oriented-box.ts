/** A box of any orientation. */

import { ORIENTED_BOX_STRIDE, readInto, readOrientedBox, type OrientedBoxLike } from './volume-shapes.ts';
import { Volume } from './volumes.ts';
import { BOX_STRIDE, raiseToMagnitude, type Boxes } from '../../math/box.ts';
import type { Contact } from '../../math/contact.ts';
import type { KeptBoxes } from '../../math/kept-boxes.ts';
import { OrientedBox as OrientedBoxGeometry } from '../../math/oriented-box.ts';
import { TolerantPlanes } from '../../math/tolerant-planes.ts';
import { PLANES_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/**
 * A box of any orientation for `intersect` and `collect`.
 *
 * The contact of a record with a box body is along the axis of the smallest overlap: a face normal of one of the two
 * boxes, or perpendicular to an edge of each. Cost: as `octree.intersectFrustum` with six planes, and nine more axes
 * for each body near a face.
 *
 * @example
 * ```ts
 * import { intersect, Octree, OrientedBox } from 'scene-octree';
 * import { Matrix3, Vector3 } from 'three';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 3, y: 0, z: 3 }, radius: 0.5 }, 'car');
 * // A parking space, turned by 45 degrees.
 * const c = Math.SQRT1_2;
 * const rotation = new Matrix3().set(c, 0, c, 0, 1, 0, -c, 0, c);
 * const space = new OrientedBox({ center: new Vector3(3, 0, 3), halfSize: new Vector3(1, 1, 3), rotation });
 * console.log(intersect(octree, space).length); // prints: 1
 * ```
 */
export class OrientedBox extends Volume {
  /**
   * @param orientedBox An OBB of three's addons, or anything shaped like it. Copied.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a half size is negative, or the
   *   columns of the rotation are not perpendicular unit vectors.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(orientedBox: OrientedBoxLike) {
    super(new Float64Array(ORIENTED_BOX_STRIDE), 1);
    readOrientedBox('OrientedBox', orientedBox, this.values);
  }

  /** Gives the box other numbers. Errors as in the constructor; then it is as before. */
  set(orientedBox: OrientedBoxLike): this {
    readInto(this.values, 'OrientedBox.set', orientedBox, readOrientedBox);
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    return workspace.queryOf(OrientedBoxQuery).set(this.values);
  }
}

/** The bodies that touch a box of any orientation. Nodes and slot bounds are filtered by its six faces, as planes. */
class OrientedBoxQuery implements RangeQuery {
  readonly simdKernel = PLANES_OVERLAP;
  private readonly box = new OrientedBoxGeometry();
  private readonly tolerant = new TolerantPlanes();
  /** Maximum magnitude among the coordinates of the box. */
  private readonly largest = new Float64Array(1);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /** Sets the volume: centre, half sizes, three axes. */
  set(values: Float64Array): this {
    const { box, largest, tolerant } = this;
    box.set(values);
    largest[0] = 0;
    raiseToMagnitude(largest, box.bounds, 0);
    // The exact test computes with the axes and the centre too.
    tolerant.set(box.planes, largest[0]);
    return this;
  }

  get rootOverlap(): number {
    return this.box.planes.mask;
  }

  writeVolume(target: Float32Array): void {
    this.tolerant.writeFloat32(target);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes, overlap: number): void {
    this.tolerant.filterBoxes(boxes, begin, end, kept, overlap);
  }

  touches(bodies: BodyArrays, index: number, overlap: number): boolean {
    const { box } = this;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) return box.intersectsBox(bodies.bounds, at, overlap);
    return (
      box.intersectsBox(bodies.readBox(index, this.bodyBox), 0, overlap) && box.intersectsSphere(bodies.bounds, at)
    );
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { planes } = this.box;
    if (planes.containsBox(bodies.readBox(index, this.bodyBox))) return true;
    return bodies.isSphere(index) && planes.containsSphere(bodies.bounds, index * BOX_STRIDE);
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    return this.box.writeContact(values, isSphere, target);
  }
}
