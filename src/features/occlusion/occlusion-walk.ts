/** What the walks of `collectVisible` in JavaScript and in WebAssembly have in common. */

import type { RangeKernel } from '../../tree/traverse/kernel.ts';
import type { Search } from '../../octree/queries/query-filter.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Frame, CameraProjection } from './camera-projection.ts';

/** A walk with its depth buffer. */
export interface OcclusionWalk {
  /** Argument of `isHidden` and `rasterise`: a box relative to the eye. Overwritten by all methods. */
  readonly box: Float64Array;
  /** Overlap of the slot bounds of the last body with the frustum. */
  readonly overlap: number;
  /** Cells of the rectangle around the body of the last `next` or `isHidden`; Infinity while nothing is rasterised. */
  readonly area: number;
  readonly nodesTested: number;
  readonly nodesHidden: number;
  readonly bodiesHidden: number;
  /** Begins at the root with an empty buffer. Returns false if the walk must run in JavaScript. */
  begin(tree: Tree, query: RangeKernel, search: Search, projection: CameraProjection): boolean;
  /** The next body whose slot bounds touch the frustum and are not hidden; -1 at the end. */
  next(): number;
  /** Whether the box is hidden. */
  isHidden(): boolean;
  /** Fills what the box hides. Returns whether it is large enough. */
  rasterise(frame: Frame, minCells: number): boolean;
  /** Call it after the last `next`, also after an error. */
  end(): void;
}
