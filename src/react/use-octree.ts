/** `useOctree`: an octree of bodies that lives as long as its component. */

import { useFrame } from '@react-three/fiber';
import { useState } from 'react';
import { Octree } from '../three-math/octree.ts';
import type { OctreeOptions } from '../octree/bodies/octree-options.ts';

/**
 * An octree that lives as long as the component. In each frame it calls `octree.update` with the seconds since the last frame. Insert bodies in effects, and
 * remove them in the clean-up of these effects.
 *
 * @param options Options of the octree. Read when the component is mounted; later changes have no effect.
 * @returns The same octree in every render.
 * @throws {RangeError} If an option is out of its range.
 * @throws {TypeError} If an option is of the wrong type.
 */
export function useOctree<T = undefined>(options?: OctreeOptions): Octree<T> {
  const [octree] = useState(() => new Octree<T>(options));
  // An application that advances the frames itself may go back in time: then the seconds are negative.
  useFrame((_, seconds) => void octree.update(Math.max(0, seconds)));
  return octree;
}
