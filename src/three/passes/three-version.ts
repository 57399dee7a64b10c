/** Checks that the installed three supports the passes of a container. */

import { Object3D, REVISION } from 'three';
import { warn as warnOnConsole } from './warnings.ts';

let isChecked = false;

/**
 * Warns once per page if renderers do not call `Object3D.intersectsFrustum`, which is new in r186. Without it a container draws everything
 * in every pass. Rays are not affected.
 *
 * @param prototype Prototype of the objects that renderers visit.
 */
export function checkThree(prototype: object = Object3D.prototype, warn: (text: string) => void = warnOnConsole): void {
  if (isChecked) return;
  isChecked = true;
  if ('intersectsFrustum' in prototype) return;
  warn(`scene-octree: OctreeGroup and OctreeInstances draw everything in every pass, because three r${REVISION} does not call Object3D.intersectsFrustum; update it to r186 or newer.`);
}
