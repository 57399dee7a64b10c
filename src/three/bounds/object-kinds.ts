/** Kinds of objects, by the fields that three gives them. No class of three is imported, so none is added to a bundle. */

import type { BufferGeometry, Material, Object3D, Sphere, Sprite } from 'three';

export function hasGeometry(object: Object3D): object is Object3D & { geometry: BufferGeometry; material: Material | Material[] } {
  return 'geometry' in object && ('isMesh' in object || 'isLine' in object || 'isPoints' in object);
}

export function isSprite(object: Object3D): object is Sprite {
  return 'isSprite' in object;
}

/** Whether three culls the object by a `boundingSphere` of the object, not of its geometry: skinned, instanced and batched meshes. */
export function hasOwnSphere(object: Object3D): object is Object3D & { boundingSphere: Sphere | null; computeBoundingSphere(): void } {
  return 'boundingSphere' in object && object.boundingSphere !== undefined;
}
