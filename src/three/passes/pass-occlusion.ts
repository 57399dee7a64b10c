/**
 * The interface of what leaves out hidden bodies (see the folder occlusion): a container asks it for what a pass may
 * see, in place of its octree. A file of its own, because declarations of the package import it: it must not name types
 * that the oldest supported types of three lack, such as FrustumArray.
 */

import type { FrustumOptions } from '../../three-math/octree.ts';
import type { FrustumLike } from '../../octree/input/query-shapes.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';

export interface PassOcclusion {
  /**
   * As `Octree.collectFrustum`, for the pass that has begun. In passes of its camera it leaves out what is hidden, and
   * the order is any.
   */
  collectFrustum(frustum: FrustumLike, list: IndexList, options?: SizeOptions): number;
}

/** As `MinScreenSize.optionsFor` returns. */
export type SizeOptions = Pick<FrustumOptions<unknown>, 'minSize' | 'eye'>;
