/** The scenes above an object. A renderer reads the override material and the callbacks of the scene that it renders, which may be any of them. */

import type { Object3D, Scene } from 'three';

export function scenesAbove(object: Object3D): Scene[] {
  const scenes: Scene[] = [];
  for (let node = object.parent; node !== null; node = node.parent) if ('isScene' in node) scenes.push(node as Scene);
  return scenes;
}
