/**
 * The bodies that a camera may see: those that touch the inner side of every plane of a frustum. A plane that a node lies wholly
 * inside of is not tested again below it (plane mask), and a node inside all of them is taken whole.
 *
 * Source of the mask: Assarsson and Moller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000.
 */

import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import { FrustumPlanes } from '../math/frustum-planes.ts';
import { FrustumVolume } from '../math/frustum-volume.ts';
import { TolerantPlanes } from '../math/tolerant-planes.ts';
import { BODY_SPHERE, ROOT } from '../tree/layout.ts';
import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import { IN_PLANES } from '../tree/simd/kinds.ts';
import type { Tree } from '../tree/tree.ts';
import type { RangeQuery } from './range-query.ts';

export class FrustumQuery implements RangeQuery {
  readonly planes = new FrustumPlanes();
  readonly simdKind = IN_PLANES;
  /** Whether bodies that touch the planes' inner sides, but not the volume itself, are to be dropped. */
  isExact = false;
  private readonly tolerant = new TolerantPlanes();
  private volume: FrustumVolume | null = null;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  get undecided(): number {
    return this.planes.mask;
  }

  begin(tree: Tree): void {
    if (tree.hasRoot) this.tolerant.set(this.planes, tree.nodes.fitted, ROOT * BOX_STRIDE);
    this.volume = this.isExact && tree.hasRoot ? new FrustumVolume(this.planes, tree.nodes.fitted) : null;
  }

  /** Signed distance of a point from the near plane, the sixth as in three; 0 for frusta of fewer planes. */
  distanceFromNear(x: number, y: number, z: number): number {
    const { planes } = this;
    return planes.nearPlane < 0 ? 0 : planes.valueAt(planes.nearPlane, x, y, z) / planes.lengths[planes.nearPlane];
  }

  writeShape(lanes: Float32Array): boolean {
    return this.tolerant.writeFloat32(lanes);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, lane: number, kept: Int32Array, lanes: Int32Array, count: number): number {
    return this.tolerant.filterBoxes(boxes, begin, end, lane, kept, lanes, count);
  }

  touches(bodies: BodyArrays, index: number, undecided: number): boolean {
    const { planes, volume } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) {
      if (!planes.intersectsBox(bounds, at, undecided)) return false;
      return volume === null || volume.intersectsBox(bounds, at);
    }
    const box = bodies.readBox(index, this.bodyBox);
    if (!planes.intersectsBox(box, 0, undecided)) return false;
    if (!planes.intersectsSphere(bounds, at)) return false;
    return volume === null || volume.intersectsSphere(bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3]);
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { planes } = this;
    const { bounds } = bodies;
    const box = bodies.readBox(index, this.bodyBox);
    if (planes.containsBox(box)) return true;
    const at = index * BOX_STRIDE;
    return (bodies.flags[index] & BODY_SPHERE) !== 0 && planes.containsSphere(bounds, at);
  }
}
