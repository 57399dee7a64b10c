/** The octree of an OctreeGroup or an OctreeInstances: the queries of an `Octree`, without the code of its writes. */

import type { OctreeOptions } from '../octree/bodies/options.ts';
import { ReadableOctree } from '../octree/readable-octree.ts';
import type { ReadOnlyOctree } from './octree.ts';
import { threeMath, type ThreeMath } from './three-math.ts';

/** The writes of `Octree`. They throw before they look at their arguments. */
const WRITES = ['insert', 'insertMany', 'moveMany', 'setMaskMany', 'remove', 'removeMany', 'clear', 'update'] as const;

class ContainerOctree<T> extends ReadableOctree<T, ThreeMath> {
  constructor(options: OctreeOptions, keeper: string) {
    super(options, threeMath, keeper);
    for (const name of WRITES)
      Object.defineProperty(this, name, { value: () => this.internals.storeToWrite(`Octree.${name}`) });
  }
}

/**
 * An octree to which its container writes, by the store of its internals.
 *
 * @param keeper Says in errors to whom the octree belongs, and what to do instead.
 */
export function createContainerOctree<T>(options: OctreeOptions, keeper: string): ReadOnlyOctree<T> {
  return new ContainerOctree<T>(options, keeper) as unknown as ReadOnlyOctree<T>;
}
