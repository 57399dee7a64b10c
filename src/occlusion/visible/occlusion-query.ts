/**
 * What a camera may see: one walk for frustum and occlusion. It finds the bodies whose slot bounds are not hidden,
 * nearest nodes first. Here the exact bounds, the categories and the filter of each
 * are tested. A body that passes is a result. If it is an occluder, it is rasterised, and may hide all later bodies.
 */

import { BOX_STRIDE, clamp } from '../../math/box.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import type { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { Search } from '../../octree/queries/search.ts';
import { ALL_CATEGORIES, BODY_HAS_TIGHT_SLOT, BODY_SPHERE } from '../../tree/layout.ts';
import { CONTAINED } from '../../tree/traverse/walk-numbers.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { type DepthBuffer, setRelativeBox, TILE_HEIGHT, TILE_WIDTH } from './depth-buffer.ts';
import { ORIENTED_BOX_STRIDE } from '../../features/volumes/volume-shapes.ts';
import type { Occluders } from './occluders.ts';
import { distanceSq, OcclusionWalk } from './occlusion-walk.ts';
import { CameraProjection, OrientedFrame } from './camera-projection.ts';

/** Cells of the depth buffer by default: 608 x 342 for a screen of 16 : 9. */
const DEFAULT_CELLS = 608 * 342;

/** Results between two checks whether to give up. */
const CHECK_INTERVAL = 512;

/** Sets the maps and the size of a projection for a buffer, and returns it. @param bufferWidth 0 for DEFAULT_CELLS. */
export function setViewport(projection: CameraProjection, bufferWidth: number): CameraProjection {
  const { aspect } = projection;
  const cells = bufferWidth || clamp(Math.round(Math.sqrt(DEFAULT_CELLS * aspect)), 16, 2048);
  const width = (cells + TILE_WIDTH - 1) & -TILE_WIDTH;
  const height = (clamp(Math.round(width / aspect), TILE_HEIGHT, 4 * width) + TILE_HEIGHT - 1) & -TILE_HEIGHT;
  projection.setViewport(width, height);
  return projection;
}

/** Rasterises the boxes that occluders have read. Returns whether one of them is large enough. */
export function rasteriseBoxes(
  buffer: DepthBuffer,
  { values, alignedCount, end }: Occluders,
  projection: CameraProjection,
  frame: OrientedFrame,
  minCells: number,
): boolean {
  let isUsed = false;
  let k = 0;
  for (; k < alignedCount * BOX_STRIDE; k += BOX_STRIDE) {
    setRelativeBox(buffer.box, values, k, projection.eye);
    if (buffer.rasterise(projection, minCells)) isUsed = true;
  }
  for (; k < end; k += ORIENTED_BOX_STRIDE) {
    frame.set(projection, values, k, buffer.box);
    if (buffer.rasterise(frame, minCells)) isUsed = true;
  }
  return isUsed;
}

export class OcclusionQuery {
  readonly projection = new CameraProjection();
  occluders!: Occluders;
  /** Cells in a row of the depth buffer; 0 for the width that gives DEFAULT_CELLS. */
  bufferWidth = 0;
  /** The walk is given up at a check where a smaller share of the nodes was hidden. */
  minHiddenShare = 0;
  /** Least area of an occluder, as a part of the screen. */
  minArea = 0;

  readonly walk = new OcclusionWalk();
  private readonly frame = new OrientedFrame();
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /**
   * Fills `out` with the bodies that no occluder hides. `query` is the frustum. Returns false, and leaves the list
   * incomplete, if there are more than `limit`, or if too few nodes are hidden.
   */
  collect(store: BodyStore, query: FrustumQuery, search: Search, limit: number, out: IndexList): boolean {
    const { tree } = store;
    out.length = 0;
    search.scratch.resetCosts();
    this.walk.resetCosts();
    if (!tree.hasRoot) return true;
    query.begin(tree);
    const { projection, walk } = this;
    const { width, height } = setViewport(projection, this.bufferWidth);
    walk.begin(tree, query, search, projection);
    return this.decide(store, query, search, limit, this.minArea * width * height, out);
  }

  private decide(
    store: BodyStore,
    query: FrustumQuery,
    { categories, filter }: Search,
    limit: number,
    minCells: number,
    out: IndexList,
  ): boolean {
    const { bodyBox, projection, walk } = this;
    const { bodies } = store.tree;
    const { flags, categoryMask } = bodies;
    const isMasked = categories !== ALL_CATEGORIES || store.tree.uncategorizedCount > 0;
    for (let index = walk.next(); index >= 0; index = walk.next()) {
      if (isMasked && (categoryMask[index] & categories) === 0) continue;
      const flag = flags[index];
      if (walk.overlap !== CONTAINED && !query.touches(bodies, index, walk.overlap)) continue;
      if ((flag & BODY_HAS_TIGHT_SLOT) === 0) {
        setRelativeBox(walk.box, bodies.readBox(index, bodyBox), 0, projection.eye);
        if (walk.isHidden()) {
          walk.costs.bodiesHidden++;
          continue;
        }
      }
      if (filter !== null && !filter(index)) continue;
      out.push(index);
      if (out.length > limit) return false;
      if (out.length % CHECK_INTERVAL === 0 && this.isTooSlow(out.length, limit)) return false;
      // Its boxes lie in its bounds, so they are not larger on the screen.
      if (walk.area >= minCells) this.rasterise(store, index, minCells);
    }
    return true;
  }

  /** Whether too few nodes are hidden, or more boxes were tested than the results may be. */
  private isTooSlow(found: number, limit: number): boolean {
    const { nodesTested, nodesHidden, bodiesHidden } = this.walk.costs;
    return nodesHidden < nodesTested * this.minHiddenShare || nodesTested + bodiesHidden + found > limit;
  }

  /** A body that is drawn hides what lies behind its solid boxes, unless the near plane may cut it. */
  private rasterise(store: BodyStore, index: number, minCells: number): void {
    const { occluders, projection, frame, bodyBox, walk } = this;
    const { bodies } = store.tree;
    bodies.readBox(index, bodyBox);
    if (!occluders.read(store, index, bodyBox, (bodies.flags[index] & BODY_SPHERE) !== 0)) return;
    walk.costs.occludersTested++;
    // Not <=, because a projection with a NaN has no occluders.
    if (!(distanceSq(bodyBox, 0, projection.eye) > projection.nearRadiusSq)) return;
    if (rasteriseBoxes(walk, occluders, projection, frame, minCells)) walk.costs.occludersRasterised++;
  }
}
