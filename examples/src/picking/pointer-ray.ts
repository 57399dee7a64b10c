// The ray through a pointer position.

import { type Camera, Raycaster, Vector2 } from 'three';
import type { PointerLike } from '../../../src/three.ts';
import type { PickingWorld } from './picking-world.ts';

/**
 * A raycaster through a position of the camera's element. Its ray ends at the ground, so that it hits nothing behind
 * it.
 */
export function raycasterAt(
  { clientX, clientY }: PointerLike,
  camera: Camera,
  element: Element,
  world: PickingWorld,
): Raycaster {
  const { left, top, width, height } = element.getBoundingClientRect();
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height), camera);
  raycaster.far = world.groundDistance(raycaster.ray);
  return raycaster;
}
