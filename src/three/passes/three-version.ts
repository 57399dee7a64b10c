/** Whether the installed three can do what the passes of a container rely on. The only place of the library that writes to the console. */

import { Object3D, REVISION } from 'three';

let isChecked = false;

/**
 * Warns, once, if renderers do not ask each object whether a frustum sees it, as they do since r186. Then a container shows
 * everything in every pass; rays are as fast as ever.
 *
 * @param prototype Of what renderers ask.
 */
export function checkThree(prototype: object = Object3D.prototype, warn: (text: string) => void = console.warn): void {
  if (isChecked) return;
  isChecked = true;
  if ('intersectsFrustum' in prototype) return;
  warn(`scene-octree: OctreeGroup and OctreeInstances show everything in every pass, because three r${REVISION} does not ask objects what a frustum sees; update it to r186 or newer.`);
}
