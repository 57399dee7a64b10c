/** The depth buffer of the last pass, for an overlay that shows it. */

import { internalsOf } from '../../octree/internals.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { DepthBuffer, TILE_HEIGHT, TILE_WIDTH } from '../visible/depth-buffer.ts';
import { Occluders } from '../visible/occluders.ts';
import { distanceSq } from '../visible/occlusion-walk.ts';
import { CameraProjection, OrientedFrame } from '../visible/camera-projection.ts';
import { DEFAULT_AREA } from '../visible/visible.ts';
import { rasteriseBoxes, setViewport } from '../visible/occlusion-query.ts';
import { BOX_STRIDE } from '../../math/box.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { OcclusionCulling } from './occlusion-culling.ts';

/** What `readOcclusionDepth` returns. */
export interface OcclusionDepth {
  /** Cells in a row. */
  readonly width: number;
  /** Number of rows. */
  readonly height: number;
  /**
   * Row by row, the lowest first: 1 divided by the depth along the axis of view, in world units, up to which every ray
   * of the cell is stopped; 0 where nothing hides. A fresh array.
   */
  readonly cells: Float32Array;
}

const WHERE = 'readOcclusionDepth';
const EMPTY: OcclusionDepth = { width: 0, height: 0, cells: /* @__PURE__ */ new Float32Array(0) };

/**
 * Draws the small depth buffer of the last pass of the camera again, to show it. Empty if that pass left nothing out.
 * Call it before the camera moves.
 *
 * Cost: draws each occluder in the result once, about a microsecond each.
 *
 * @param occlusion Whose last pass is drawn again.
 * @throws {TypeError} If the argument is not an OcclusionCulling.
 *
 * @example
 * ```ts
 * import { OcclusionCulling, OctreeGroup, readOcclusionDepth } from 'scene-octree/three';
 *
 * const occlusion = new OcclusionCulling(new OctreeGroup(), camera);
 * // After renderer.render(scene, camera):
 * const { width, height } = readOcclusionDepth(occlusion);
 * console.log(width, height);
 * ```
 */
export function readOcclusionDepth(occlusion: OcclusionCulling): OcclusionDepth {
  if (!(occlusion instanceof OcclusionCulling))
    throwType(WHERE, 'occlusion', 'be an OcclusionCulling', occlusion, 'create one');
  if (occlusion.reason !== '') return EMPTY;
  const { bodies, visible, options } = occlusion.pass;
  const { minOccluderArea = DEFAULT_AREA, bufferWidth = 0 } = options;
  const projection = new CameraProjection();
  projection.read(WHERE, occlusion.pass.projection, new FrustumPlanes());
  const { width, height } = setViewport(projection, bufferWidth);
  const buffer = new DepthBuffer();
  buffer.clear(projection);
  const minCells = minOccluderArea * width * height;
  const internals = internalsOf(WHERE, bodies.octree);
  const { store } = internals;
  const occluders = internals.stateOf(Occluders);
  const arrays = store.tree.bodies;
  const frame = new OrientedFrame();
  const bounds = new Float64Array(BOX_STRIDE);
  for (let k = 0; k < visible.length; k++) {
    const index = visible.array[k];
    if (!bodies.isOccluderAt(index)) continue;
    arrays.readBox(index, bounds);
    if (!occluders.read(store, index, bounds, arrays.isSphere(index))) continue;
    if (!(distanceSq(bounds, 0, projection.eye) > projection.nearRadiusSq)) continue;
    rasteriseBoxes(buffer, occluders, projection, frame, minCells);
  }
  return { width, height, cells: cellsOf(buffer) };
}

/** The depth of each cell: of the nearer layer that covers it. */
function cellsOf({ projection: { width, height }, reference, working, masks }: DepthBuffer): Float32Array {
  const cells = new Float32Array(width * height);
  const columns = width / TILE_WIDTH;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tile = Math.floor(y / TILE_HEIGHT) * columns + Math.floor(x / TILE_WIDTH);
      const isMasked = (masks[tile] & (1 << ((y % TILE_HEIGHT) * TILE_WIDTH + (x % TILE_WIDTH)))) !== 0;
      cells[y * width + x] = isMasked ? Math.max(reference[tile], working[tile]) : reference[tile];
    }
  }
  return cells;
}
