/** Which objects can be kept as bodies: those whose bounds hold for as long as they do not move. */

import { Line, Mesh, Object3D, Points, Sprite } from 'three';
import { hasGeometry, isSprite } from './bounds-of.ts';

/**
 * Whether an object can be left out of a pass by bounds taken once. The others are always shown, so that the renderer decides as it
 * would in a plain Group: lights, cameras, groups, LODs and whatever else has children, `frustumCulled = false`, and shapes that
 * change without telling (skinned and morphing meshes, instances, objects with an `intersectsFrustum` of their own).
 */
export function hasSteadyBounds(object: Object3D): boolean {
  if (!object.frustumCulled || object.children.length > 0 || !isCulledByThree(object)) return false;
  if (isSprite(object)) return true;
  return hasGeometry(object) && !('boundingSphere' in object) && object.geometry.morphAttributes.position === undefined;
}

function isCulledByThree(object: Object3D): boolean {
  return [Mesh, Line, Points, Sprite].some((kind) => object.intersectsFrustum === kind.prototype.intersectsFrustum);
}

/**
 * Whether a ray that misses the bounds cannot hit the object. Lines and points are hit within a threshold of the raycaster, and an own
 * `raycast` may do anything; these are asked by every ray.
 */
export function isHitWithinBounds(object: Object3D): boolean {
  return object.raycast === Mesh.prototype.raycast || object.raycast === Sprite.prototype.raycast;
}

/** Whether `updateMatrixWorld` does no more than to compute `matrixWorld` from position, quaternion and scale, or from `matrix`. */
export function hasPlainMatrices(object: Object3D): boolean {
  return object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld && object.matrixWorldAutoUpdate && !object.pivot;
}
