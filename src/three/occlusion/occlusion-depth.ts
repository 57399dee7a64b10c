/** The depth buffer of the last pass, for an overlay that shows it. */

import { internalsOf } from '../../octree/internals.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { DepthBuffer } from '../../features/occlusion/depth-buffer.ts';
import { Occluders } from '../../features/occlusion/occluders.ts';
import { View } from '../../features/occlusion/view.ts';
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
   * of the cell is stopped; 0 where nothing hides. Valid until the next call for the same OcclusionCulling.
   */
  readonly cells: Float32Array;
}

const WHERE = 'readOcclusionDepth';
const WIDTH = 256;
const buffers = /* @__PURE__ */ new WeakMap<OcclusionCulling, { buffer: DepthBuffer; view: View }>();

/**
 * Draws the small depth buffer of the last pass of the camera again, to show it. Empty if that pass left nothing out.
 * Call it before the camera moves.
 *
 * Cost: draws each occluder in the result once, about a microsecond each.
 *
 * @throws {TypeError} If the argument is not an OcclusionCulling.
 */
export function readOcclusionDepth(occlusion: OcclusionCulling): OcclusionDepth {
  if (!(occlusion instanceof OcclusionCulling))
    throwType(WHERE, 'occlusion', 'be an OcclusionCulling', occlusion, 'create one');
  let known = buffers.get(occlusion);
  if (known === undefined) buffers.set(occlusion, (known = { buffer: new DepthBuffer(), view: new View() }));
  const { buffer, view } = known;
  const { bodies, visible, walkView, minOccluderArea, bufferWidth = WIDTH } = occlusion.pass;
  if (occlusion.reason !== '') return { width: 0, height: 0, cells: new Float32Array(0) };
  view.read(WHERE, walkView, new FrustumPlanes());
  buffer.begin(view, bufferWidth);
  const internals = internalsOf(WHERE, bodies.octree);
  const occluders = internals.stateOf(Occluders);
  const { bodies: arrays } = internals.store.tree;
  const bounds = new Float64Array(BOX_STRIDE);
  for (let k = 0; k < visible.length; k++) {
    const index = visible.array[k];
    const handle = internals.store.handles[index];
    if (handle === undefined || !bodies.isOccluderAt(index)) continue;
    arrays.readBox(index, bounds);
    const parts = occluders.read(handle, bounds, 0, arrays.isSphere(index));
    if (distanceTo(bounds, view.eye) <= view.nearRadius * (1 + 2 ** -20)) continue;
    for (let at = 0; at < parts * BOX_STRIDE; at += BOX_STRIDE) {
      buffer.project(occluders.boxes, at);
      if (buffer.area >= minOccluderArea * buffer.width * buffer.height) buffer.rasterise(occluders.boxes, at);
    }
  }
  return { width: buffer.width, height: buffer.height, cells: buffer.cells };
}

function distanceTo(box: Float64Array, eye: Float64Array): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    const beside = Math.max(box[axis] - eye[axis], eye[axis] - box[axis + 3], 0);
    sum += beside * beside;
  }
  return Math.sqrt(sum);
}
