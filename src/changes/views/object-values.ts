/**
 * What an object draws, without its place: a list of values, which is compared with an earlier list. Also whether it
 * may change without a change of a value: by shaders, callbacks or videos.
 */

import type { BufferGeometry, InstancedMesh, Mesh, Object3D, Texture } from 'three';
import { hasDrawCallbacks, hasOwnSphere, isSprite } from '../../three/bounds/object-kinds.ts';
import { isDrawn } from '../../three/bounds/object-traits.ts';
import { attributeVersionOf } from '../../three/bounds/vertex-bounds.ts';
import type { ChangeScope } from './container-changes.ts';

/** Bits of `flagsOf`. */
export const CASTS = 1;
export const RECEIVES = 2;
/** It has a material of its own for shadow maps, or callbacks. */
const IS_SPECIAL = 4;
export const DRAWN = 8;

/**
 * What decides where an object is drawn, if it is visible. Shadow maps draw what casts, VSM also what receives shadows.
 */
export function flagsOf(object: Object3D): number {
  const flags = DRAWN | (object.castShadow ? CASTS : 0) | (object.receiveShadow ? RECEIVES : 0);
  const isSpecial =
    hasDrawCallbacks(object) || object.customDepthMaterial !== undefined || object.customDistanceMaterial !== undefined;
  return isSpecial ? flags | IS_SPECIAL : flags;
}

/** Kinds of textures whose pictures change without a new version. */
const CHANGING_TEXTURES = [
  'isVideoTexture',
  'isCanvasTexture',
  'isFramebufferTexture',
  'isExternalTexture',
  'isHTMLTexture',
  'isStorageTexture',
];

/** Adds the values of a texture. Returns whether they do not show all changes. */
export function readTexture(texture: Texture, values: unknown[]): boolean {
  const { version, pmremVersion, source, channel, rotation, matrixAutoUpdate, image } = texture;
  // Textures that share an image share its copy on the GPU, so the version of another one may count.
  values.push(texture, version, pmremVersion, source.version, channel, rotation, matrixAutoUpdate, image);
  values.push(...texture.offset, ...texture.repeat, ...texture.center);
  if (!matrixAutoUpdate) values.push(...texture.matrix.elements);
  return (
    CHANGING_TEXTURES.some((kind) => kind in texture) ||
    // What a PMREMGenerator has made is drawn once.
    (!isPrefiltered(texture) && (texture.isRenderTargetTexture || texture.renderTarget !== null)) ||
    (image as { complete?: boolean } | null)?.complete === false
  );
}

/** Whether a PMREMGenerator has made a texture: before r187 it has a mapping that three does not export any more. */
function isPrefiltered({ isPMREMTexture, mapping }: Texture): boolean {
  return isPMREMTexture || mapping === (306 as never);
}

/** Adds the values of a geometry. Returns whether they do not show all changes. */
export function readGeometry(geometry: BufferGeometry, values: unknown[]): boolean {
  const { attributes, index, drawRange, groups } = geometry;
  values.push(geometry, index, index?.version, drawRange.start, drawRange.count);
  values.push((geometry as { instanceCount?: number }).instanceCount);
  let isUnknown = !!(geometry as { indirect?: unknown }).indirect;
  for (const name in attributes) {
    const attribute = attributes[name];
    values.push(name, attribute, attributeVersionOf(attribute));
    isUnknown ||= 'isStorageBufferAttribute' in attribute || 'isGLBufferAttribute' in attribute;
  }
  for (const { start, count, materialIndex } of groups) values.push(start, count, materialIndex);
  return isUnknown;
}

/** Whether morph targets change what an object with this geometry draws. */
export function isMorphing({ morphAttributes }: BufferGeometry): boolean {
  return Object.keys(morphAttributes).length > 0;
}

/** Bits of what `readTree` has found. */
export const FOUND_SHOWN = 1;
export const FOUND_UNKNOWN = 2;

/**
 * Adds the values of an object and its visible descendants, without their matrices.
 *
 * @param isLevel Whether the camera chooses if it is visible, and a move of the camera counts as a change anyway.
 * @returns FOUND_SHOWN if any of them counts, and FOUND_UNKNOWN if the values do not show all changes.
 */
export function readTree(object: Object3D, values: unknown[], scope: ChangeScope, isLevel = false): number {
  const isVisible = isLevel || object.visible;
  values.push(object, isVisible);
  if (!isVisible) return 0;
  let found = 0;
  const flags = flagsOf(object);
  if ((flags & scope.shows) !== 0 && isDrawn(object)) {
    found = FOUND_SHOWN;
    if (readDrawn(object as Mesh, flags, values, scope) && !scope.isStill(object)) found |= FOUND_UNKNOWN;
  }
  if ('isClippingGroup' in object && !scope.isStill(object)) found |= FOUND_UNKNOWN;
  const cameraChoosesChildren = scope.readMore?.(object, values) === true;
  for (const child of object.children) found |= readTree(child, values, scope, cameraChoosesChildren);
  return found;
}

function readDrawn(mesh: Mesh, flags: number, values: unknown[], scope: ChangeScope): boolean {
  const isUnknown = readSource(mesh, flags, values, scope) || isMorphing(mesh.geometry);
  if (!hasOwnSphere(mesh)) return isUnknown;
  // Skinned and batched meshes change without a sign.
  if (!('isInstancedMesh' in mesh)) return true;
  const { instanceMatrix } = mesh as InstancedMesh;
  values.push(instanceMatrix, instanceMatrix.version);
  return isUnknown;
}

/**
 * Adds what an object draws by itself, without morph targets and instances.
 *
 * @returns Whether the values do not show all changes.
 */
export function readSource(mesh: Mesh, flags: number, values: unknown[], scope: ChangeScope): boolean {
  const { geometry, material, customDepthMaterial, customDistanceMaterial } = mesh;
  values.push(flags, mesh.layers.mask, mesh.count, customDepthMaterial, customDistanceMaterial);
  let isUnknown = (flags & IS_SPECIAL) !== 0;
  isUnknown = readGeometry(geometry, values) || isUnknown;
  for (const each of Array.isArray(material) ? material : [material])
    if (each) isUnknown = scope.readMaterial(each, values) || isUnknown;
  return isUnknown;
}

/**
 * Whether all changes of an object, but for its own fields, show in the values of its geometry and its material. A
 * sprite has a field more.
 */
export function isPlain(object: Object3D): boolean {
  return (flagsOf(object) & IS_SPECIAL) === 0 && !Array.isArray((object as Mesh).material) && !isSprite(object);
}
