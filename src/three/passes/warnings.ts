/** Warnings on the console, of the version of three too. The only file of the library that writes to the console. */

import { Object3D, REVISION } from 'three';

/** By object: the topics on which a warning has been given. */
const given = /* @__PURE__ */ new WeakMap<object, Set<string>>();

/**
 * Warns once for each object and topic. For faults that three ignores silently: an error in every frame would stop the
 * page.
 */
export function warnOnce(about: object, topic: string, text: string): void {
  let topics = given.get(about);
  if (topics === undefined) given.set(about, (topics = new Set()));
  if (topics.has(topic)) return;
  topics.add(topic);
  console.warn(text);
}

/**
 * Warns once per page if renderers do not call `Object3D.intersectsFrustum`, which is new in r186. Without it a
 * container draws everything in every pass. Rays are not affected.
 */
export function checkThree(): void {
  if ('intersectsFrustum' in Object3D.prototype) return;
  const what = 'scene-octree: OctreeGroup and OctreeInstances draw everything in every pass';
  const why = `because three r${REVISION} does not call Object3D.intersectsFrustum; update it to r186 or newer.`;
  warnOnce(Object3D, 'intersectsFrustum', `${what}, ${why}`);
}
