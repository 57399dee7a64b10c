/**
 * The elements of react-three-fiber behind objects: its record of each object that JSX has made. fiber publishes the type `Instance` and the hook
 * `useInstanceHandle` for it.
 */

import type { Instance } from '@react-three/fiber';
import type { Object3D } from 'three';

/** The element that made an object, or undefined for an object that was made by hand. */
export function elementOf(object: Object3D): Instance<Object3D> | undefined {
  const { __r3f: element } = object as Instance<Object3D>['object'];
  return element;
}
