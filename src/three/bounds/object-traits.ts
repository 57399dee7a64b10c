/** Which objects can be kept as bodies: those that three leaves out of a pass by bounds which hold for as long as they do not move. */

import { Layers, Line, LOD, Mesh, Object3D, Points, Sprite, type Light } from 'three';
import { hasGeometry, hasOwnSphere, isSprite } from './bounds-of.ts';

/** Whether renderers draw the object itself. */
export function isDrawn(object: Object3D): boolean {
  return hasGeometry(object) || isSprite(object);
}

/** Whether an object is drawn, has no children and is culled by what its geometry and its matrices tell alone: the plainest kind, and by far the most. */
export function isPlainLeaf(object: Object3D): boolean {
  return object.frustumCulled && object.children.length === 0 && isDrawn(object) && !('boundingSphere' in object) && isCulledByThree(object);
}

/**
 * Whether a pass that sees nothing of an object's bounds, nor of what is below it, does the same without the object. Not so: lights,
 * `frustumCulled = false`, an `intersectsFrustum` of its own, containers that a pass has to ask, bundles, which are drawn unasked, LODs
 * whose level depends on the passes before, and meshes whose own sphere three has not computed yet: it does so in the first pass, in the
 * pose or with the instances of that moment.
 */
export function canBeCulled(object: Object3D): boolean {
  if (object.layers.test !== Layers.prototype.test || (object as Partial<Light>).isLight || 'isBundleGroup' in object) return false;
  if (hasLod(object)) return hasStatelessLod(object);
  if (!isDrawn(object)) return true;
  return object.frustumCulled && isCulledByThree(object) && !(hasOwnSphere(object) && object.boundingSphere === null);
}

/**
 * Whether every pass that sees a level chooses it, by nothing but the distance of its camera. Only an LOD that stops to do so, on other
 * layers from then on or with `autoUpdate` switched off, may stay at an older level than that of the last pass.
 */
export function hasStatelessLod(lod: LOD): boolean {
  if (lod.update !== LOD.prototype.update) return false;
  for (const { hysteresis, object } of lod.levels) if (hysteresis !== 0 || object.parent !== lod) return false;
  return isOnLayersOf(lod, lod.layers.mask);
}

/** Whether no camera sees an object, or one below it, without one of some layers. */
function isOnLayersOf(object: Object3D, mask: number): boolean {
  if ((object.layers.mask & ~mask) !== 0) return false;
  for (const child of object.children) if (!isOnLayersOf(child, mask)) return false;
  return true;
}

/** Whether a renderer has to choose the object's level of detail. */
export function hasLod(object: Object3D): object is LOD {
  return 'isLOD' in object;
}

/**
 * Whether a ray that misses the bounds cannot hit the object. Lines and points are hit within a threshold of the raycaster, instances,
 * skins and morph targets where they are by now, and an own `raycast` may do anything; these are asked by every ray.
 */
export function isHitWithinBounds(object: Object3D): boolean {
  if (!isDrawn(object)) return object.raycast === Object3D.prototype.raycast || object.raycast === LOD.prototype.raycast;
  if (hasOwnSphere(object) || (hasGeometry(object) && object.geometry.morphAttributes.position !== undefined)) return false;
  return object.raycast === Mesh.prototype.raycast || object.raycast === Sprite.prototype.raycast;
}

/** Whether `updateMatrixWorld` does no more than to compute `matrixWorld` from position, quaternion and scale, or from `matrix`. */
export function hasPlainMatrices(object: Object3D): boolean {
  return object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld && object.matrixWorldAutoUpdate && !object.pivot;
}

function isCulledByThree(object: Object3D): boolean {
  return (
    object.intersectsFrustum === Mesh.prototype.intersectsFrustum ||
    object.intersectsFrustum === Line.prototype.intersectsFrustum ||
    object.intersectsFrustum === Points.prototype.intersectsFrustum ||
    object.intersectsFrustum === Sprite.prototype.intersectsFrustum
  );
}
