/**
 * The bodies that a camera may see: they touch the inner side of every plane of a frustum. The overlap of a box is its
 * plane mask: if a node lies entirely inside a plane, the plane is not tested below the node. A node inside all planes
 * is contained.
 *
 * Source of the plane mask: Assarsson and Moller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { ConvexVolume } from '../../math/convex-volume.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import type { KeptBoxes } from '../../math/kept-boxes.ts';
import { TolerantPlanes } from '../../math/tolerant-planes.ts';
import { NO_SIMD_KERNEL, PLANES_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import type { RangeQuery } from './range-query.ts';
import { SIZE_UNDECIDED, SizeLimit } from './size-limit.ts';

export class FrustumQuery implements RangeQuery {
  readonly planes = new FrustumPlanes();
  /** Whether to drop bodies that touch the inner side of every plane, but not the volume of the frustum. */
  isExact = false;
  readonly sizeLimit = new SizeLimit();
  /** Whether the walk skips small nodes. */
  private skipsSmall = false;
  private readonly tolerant = new TolerantPlanes();
  private readonly volume = new ConvexVolume();
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  get testsOnlyPlanes(): boolean {
    return !this.isExact;
  }

  get rootOverlap(): number {
    return this.skipsSmall ? this.planes.mask | SIZE_UNDECIDED : this.planes.mask;
  }

  begin(tree: Tree): void {
    this.tolerant.set(this.planes);
    if (this.isExact) this.volume.set(this.planes);
    if (this.skipsSmall) this.sizeLimit.begin(tree);
  }

  /**
   * Signed distance of a point from the near plane, which is the sixth, as in three; 0 for frusta with fewer planes.
   */
  distanceFromNear(x: number, y: number, z: number): number {
    const { planes } = this;
    return planes.nearPlane < 0 ? 0 : planes.valueAt(planes.nearPlane, x, y, z) / planes.lengths[planes.nearPlane];
  }

  /** An accelerator does not skip small nodes. */
  get simdKernel(): number {
    return this.skipsSmall ? NO_SIMD_KERNEL : PLANES_OVERLAP;
  }

  writeVolume(target: Float32Array): void {
    this.tolerant.writeFloat32(target);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes, overlap: number): void {
    const { length } = kept;
    this.tolerant.filterBoxes(boxes, begin, end, kept, overlap & ~SIZE_UNDECIDED);
    if ((overlap & SIZE_UNDECIDED) !== 0) this.sizeLimit.keepLargeNodes(boxes, kept, length);
  }

  touches(bodies: BodyArrays, index: number, overlap: number): boolean {
    const { planes, volume, isExact } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) {
      if (!planes.intersectsBox(bounds, at, overlap)) return false;
      return !isExact || volume.intersectsBox(bounds, at);
    }
    const box = bodies.readBox(index, this.bodyBox);
    if (!planes.intersectsBox(box, 0, overlap)) return false;
    if (!planes.intersectsSphere(bounds, at)) return false;
    return !isExact || volume.intersectsSphere(bounds, at);
  }

  /** Drops the bodies that are too small. Asks for a second walk, which skips small nodes, where that is faster. */
  refine(tree: Tree, list: IndexList): boolean {
    const { sizeLimit } = this;
    if (sizeLimit.minSize === 0) return false;
    this.skipsSmall = !this.skipsSmall && sizeLimit.isSkippingFaster(tree, list);
    if (!this.skipsSmall) sizeLimit.dropSmall(tree.bodies, list);
    return this.skipsSmall;
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { planes } = this;
    const { bounds } = bodies;
    const box = bodies.readBox(index, this.bodyBox);
    if (planes.containsBox(box)) return true;
    const at = index * BOX_STRIDE;
    return bodies.isSphere(index) && planes.containsSphere(bounds, at);
  }
}
