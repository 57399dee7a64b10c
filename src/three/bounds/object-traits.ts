/**
 * What an octree may assume of an object of three: whether three culls it by its bounds, whether rays can hit it only
 * inside them, whether its matrices are computed in the default way. An object that overrides the method in question
 * lacks the trait.
 */

import { Camera, Layers, Line, LOD, Mesh, Object3D, Points, SkinnedMesh, Sprite, type Group, type Light } from 'three';
import { isBoundedRaycast, isEmptyRaycast } from './bounded-raycasts.ts';
import { hasGeometry, hasOwnSphere, isSprite } from './object-kinds.ts';

/** A constant of the module: V8 reads fields of what is imported in each call, unless a bundler puts all into one. */
const OBJECT = /* @__PURE__ */ Reflect.get(Object3D, 'prototype');
const MESH = /* @__PURE__ */ Reflect.get(Mesh, 'prototype');

/**
 * Whether a renderer calls code of the user when it draws an object. That code may move the object, or count on being
 * called.
 */
export function hasDrawCallbacks(object: Object3D): boolean {
  return (
    object.onBeforeRender !== OBJECT.onBeforeRender ||
    object.onAfterRender !== OBJECT.onAfterRender ||
    object.onBeforeShadow !== OBJECT.onBeforeShadow ||
    object.onAfterShadow !== OBJECT.onAfterShadow
  );
}

/** Whether renderers draw the object itself, not only its descendants. */
export function isDrawn(object: Object3D): boolean {
  return hasGeometry(object) || isSprite(object);
}

/**
 * Whether an object is drawn, has no children, and is culled by the bounds of its geometry alone. Most objects of most
 * scenes are of this kind.
 */
export function isPlainLeaf(object: Object3D): boolean {
  return (
    object.frustumCulled &&
    object.children.length === 0 &&
    isDrawn(object) &&
    !('boundingSphere' in object) &&
    isCulledByThree(object)
  );
}

/**
 * Whether a pass may skip an object if it can see neither its bounds nor the bounds of its descendants. False for:
 *
 * - lights, objects with `frustumCulled = false`, and objects that override `intersectsFrustum`
 * - containers whose layers override `test`, because a pass must reach them
 * - bundle groups, which renderers draw without a frustum test
 * - an LOD whose level depends on earlier passes
 * - a mesh with a `boundingSphere` of its own (skinned, instanced, batched) that is still null: three computes it in
 *   the first pass, for the pose or the instances of that moment
 */
export function canBeCulled(object: Object3D): boolean {
  if (object.layers.test !== Layers.prototype.test || (object as Partial<Light>).isLight || 'isBundleGroup' in object)
    return false;
  if (isLod(object)) return hasStatelessLod(object);
  if (!isDrawn(object)) return true;
  return object.frustumCulled && isCulledByThree(object) && !(hasOwnSphere(object) && object.boundingSphere === null);
}

/**
 * Whether each pass that draws an LOD chooses its level by the distance of the camera alone. Then a pass that skips the
 * LOD does not affect other passes. False with hysteresis, because the level depends on earlier passes. False if a
 * level is on a layer that the LOD is not on: a camera that sees only that layer chooses no level, and draws the level
 * that another pass has chosen. Known limit: an LOD keeps the level of an earlier pass once its `autoUpdate` is
 * switched off or its layers change.
 */
export function hasStatelessLod(lod: LOD): boolean {
  if (lod.update !== LOD.prototype.update) return false;
  for (const { hysteresis, object } of lod.levels) if (hysteresis !== 0 || object.parent !== lod) return false;
  return isOnLayersOf(lod, lod.layers.mask);
}

/** Whether an object and all its descendants are on layers of a mask only. */
function isOnLayersOf(object: Object3D, mask: number): boolean {
  if ((object.layers.mask & ~mask) !== 0) return false;
  for (const child of object.children) if (!isOnLayersOf(child, mask)) return false;
  return true;
}

export function isLod(object: Object3D): object is LOD {
  return 'isLOD' in object;
}

/**
 * Whether a ray that misses the bounds cannot hit the object. False for lines and points, which are hit within a
 * threshold of the raycaster; for instances, skins and morph targets, which rays hit in their current state; and for a
 * `raycast` that is not known. Every ray must test such objects.
 */
export function isHitWithinBounds(object: Object3D): boolean {
  if (!isDrawn(object)) return isEmptyRaycast(object);
  return !hasOwnSphere(object) && isLeafHitWithinBounds(object);
}

/** As `isHitWithinBounds`, of a plain leaf. */
export function isLeafHitWithinBounds(object: Object3D): boolean {
  const { geometry } = object as Partial<Mesh>;
  return geometry?.morphAttributes.position === undefined && isBoundedRaycast(object);
}

/** Whether an object is a plain node: it only holds other objects. */
export function isPlainNode(object: Object3D): boolean {
  return (
    !(
      'isMesh' in object ||
      'isLine' in object ||
      'isPoints' in object ||
      'isSprite' in object ||
      'isBundleGroup' in object ||
      'isClippingGroup' in object ||
      (object as Light).isLight
    ) && isStillPlainNode(object)
  );
}

/** The part of `isPlainNode` that may change. */
export function isStillPlainNode(object: Object3D): boolean {
  return (
    (object.renderOrder === 0 || !(object as Group).isGroup) &&
    object.raycast === OBJECT.raycast &&
    object.updateMatrixWorld === OBJECT.updateMatrixWorld
  );
}

/** Whether `updateMatrixWorld` only computes `matrixWorld` from position, quaternion and scale, or from `matrix`. */
export function hasPlainMatrices(object: Object3D): boolean {
  return object.updateMatrixWorld === OBJECT.updateMatrixWorld && object.matrixWorldAutoUpdate && !object.pivot;
}

/**
 * Whether the `updateMatrixWorld` of an object, or of a descendant, may compute the matrices of other objects. The
 * classes of three do not, except for its controls. Its helpers are known by their type, because importing the classes
 * would add them to every bundle.
 */
export function runsUserCode(object: Object3D): boolean {
  const isKnown =
    object.updateMatrixWorld === OBJECT.updateMatrixWorld ||
    object.updateMatrixWorld === SkinnedMesh.prototype.updateMatrixWorld ||
    object.updateMatrixWorld === Camera.prototype.updateMatrixWorld ||
    (HELPERS.includes(object.type) && !Object.hasOwn(object, 'updateMatrixWorld'));
  return !isKnown || object.children.some(runsUserCode);
}
const HELPERS: readonly string[] = [
  'Box3Helper',
  'PlaneHelper',
  'SkeletonHelper',
  'RectAreaLightHelper',
  'AudioListener',
  'Audio',
];

/** Whether three culls the object by its own test, if it culls it at all. */
export function isCulledByThree(object: Object3D): boolean {
  return (
    object.intersectsFrustum === MESH.intersectsFrustum ||
    object.intersectsFrustum === Line.prototype.intersectsFrustum ||
    object.intersectsFrustum === Points.prototype.intersectsFrustum ||
    object.intersectsFrustum === Sprite.prototype.intersectsFrustum
  );
}
