/**
 * The fields of an object that decide how it is drawn, as bits and values: not its transform, geometry and material.
 */

import { Layers, type InstancedMesh, type Object3D } from 'three';
import { hasOwnSphere, isSprite } from '../bounds/object-kinds.ts';
import { hasDrawCallbacks, hasPlainMatrices, isCulledByThree, isDrawn, isLod } from '../bounds/object-traits.ts';
import { CALLS, CASTS, KIND, OWN_DEPTH, RECEIVES, SHOWN } from './change-bits.ts';
import type { Values } from './values.ts';

/** Fields that have no type in three, or that only some objects have. */
export type AnyObject = Object3D & {
  readonly count?: number | undefined;
  readonly static?: boolean | undefined;
  readonly occlusionTest?: boolean | undefined;
};

/** A constant of the module: see object-traits.ts. */
const LAYERS = /* @__PURE__ */ Reflect.get(Layers, 'prototype');

/** The bits of an object, up to KIND of change-bits.ts. @param isVisible Whether it counts as visible. */
export function wordOf(object: AnyObject, isVisible = object.visible): number {
  let word = shownWordOf(object, isVisible);
  if (hasDrawCallbacks(object)) word |= CALLS;
  if (object.customDepthMaterial !== undefined || object.customDistanceMaterial !== undefined) word |= OWN_DEPTH;
  if (isSpecial(object)) word |= KIND;
  return word;
}

/** Of these bits those that tell how an object is shown. */
export function shownWordOf(object: Object3D, isVisible: boolean): number {
  return isVisible ? SHOWN | (object.castShadow ? CASTS : 0) | (object.receiveShadow ? RECEIVES : 0) : 0;
}

/** Whether another object is drawn by other rules than most meshes are. */
function isSpecial(object: AnyObject): boolean {
  return (
    isRepeated(object) ||
    object.static ||
    (object.occlusionTest ?? false) ||
    !object.frustumCulled ||
    object.children.length > 0 ||
    object.layers.test !== LAYERS.test ||
    !isCulledByThree(object) ||
    !hasPlainMatrices(object)
  );
}

/** Whether WebGPURenderer draws a mesh several times, or not at all. */
export function isRepeated({ count }: AnyObject): boolean {
  return count !== undefined && count !== 1;
}

/**
 * Adds the values of an object and its visible descendants, without their matrices, geometries and materials.
 *
 * @param isLevel Whether the camera chooses if it is visible.
 * @returns The bits of all that is drawn and visible.
 */
export function readTree(object: AnyObject, values: Values, isLevel = false): number {
  const { layers, renderOrder, count } = object;
  const isVisible = isLevel || object.visible;
  values.next(object);
  values.next(isVisible);
  if (!isVisible) return 0;
  let word = wordOf(object, true);
  for (const value of [word, layers.mask, renderOrder, count]) values.next(value);
  readMore(object, values);
  if (!isDrawn(object)) word = 0;
  const areLevels = isLod(object) && object.autoUpdate;
  for (const child of object.children) word |= readTree(child, values, areLevels);
  return word;
}

/** What only some kinds of objects have. */
function readMore(object: AnyObject, values: Values): void {
  values.next(object.customDepthMaterial);
  values.next(object.customDistanceMaterial);
  if (isSprite(object)) for (const value of object.center) values.next(value);
  if (isLod(object))
    for (const { object: level, distance, hysteresis } of object.levels)
      for (const value of [level, distance, hysteresis]) values.next(value);
  if (!('isInstancedMesh' in object)) return;
  const { instanceMatrix, instanceColor } = object as unknown as InstancedMesh;
  for (const attribute of [instanceMatrix, instanceColor]) {
    values.next(attribute);
    values.next(attribute?.version);
  }
}

/**
 * Whether no value shows how an object of a kind changes: skinned and batched meshes, and the planes of ClippingGroups.
 */
export function isUnknownKind(object: Object3D): boolean {
  return (hasOwnSphere(object) && !('isInstancedMesh' in object)) || 'isClippingGroup' in object;
}
