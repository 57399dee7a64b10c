/**
 * Finds the element of an object: the record that react-three-fiber keeps of each object made by JSX. It is in the field `__r3f` of the object, which is
 * part of fiber's public type `Instance`.
 */

import type { Instance } from '@react-three/fiber';
import type { Object3D } from 'three';

/** The element that made an object, or undefined for an object that was made by hand. */
export function elementOf(object: Object3D): Instance<Object3D> | undefined {
  const { __r3f: element } = object as Instance<Object3D>['object'];
  return element;
}
