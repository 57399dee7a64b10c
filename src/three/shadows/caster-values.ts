/**
 * What an object draws into a shadow map, apart from where it is: collected as a list of values, which is compared with
 * an earlier list. And what no list shows: shapes that shaders, callbacks or videos change.
 */

import {
  Material,
  Object3D,
  type BufferGeometry,
  type InstancedMesh,
  type Mesh,
  type Texture,
  type Vector2,
} from 'three';
import { hasDrawCallbacks, hasOwnSphere } from '../bounds/object-kinds.ts';
import { isDrawn } from '../bounds/object-traits.ts';

export const CASTS = 1;
export const RECEIVES = 2;
/** It has a material of its own for shadow maps, or a callback. */
const IS_SPECIAL = 4;

/** What decides whether an object is drawn into shadow maps: 0 if it never is. VSM draws what receives shadows, too. */
export function castFlagsOf(object: Object3D): number {
  if (!object.visible) return 0;
  const flags = (object.castShadow ? CASTS : 0) | (object.receiveShadow ? RECEIVES : 0);
  const isSpecial =
    object.onBeforeShadow !== Object3D.prototype.onBeforeShadow ||
    object.customDepthMaterial !== undefined ||
    object.customDistanceMaterial !== undefined;
  return isSpecial ? flags | IS_SPECIAL : flags;
}

/** A list of values of something that may change. */
export class Values {
  /** Whether it may change without a change of the values. */
  isUnknown = false;
  private values: unknown[] = [];
  private next: unknown[] = [];

  /** Reads the values again. Returns whether any has changed. @param read Adds them; returns `isUnknown`. */
  take(read: (values: unknown[]) => boolean): boolean {
    const { values, next } = this;
    next.length = 0;
    const wasUnknown = this.isUnknown;
    this.isUnknown = read(next);
    this.values = next;
    this.next = values;
    if (wasUnknown !== this.isUnknown || next.length !== values.length) return true;
    for (let k = 0; k < next.length; k++) if (!Object.is(next[k], values[k])) return true;
    return false;
  }
}

/** The fields of all kinds of materials that decide which fragments are drawn, and at which depth. */
interface CasterMaterial extends Material {
  readonly wireframe?: boolean;
  readonly wireframeLinewidth?: number;
  readonly linewidth?: number;
  readonly size?: number;
  readonly sizeAttenuation?: boolean;
  readonly rotation?: number;
  readonly map?: Texture | null;
  readonly alphaMap?: Texture | null;
  readonly displacementMap?: Texture | null;
  readonly displacementScale?: number;
  readonly displacementBias?: number;
  readonly isShaderMaterial?: boolean;
  readonly isNodeMaterial?: boolean;
}

/** Adds the values of a material. Returns whether they do not show all changes. */
export function readMaterial(material: CasterMaterial, values: unknown[]): boolean {
  const { map, alphaMap, displacementMap } = material;
  values.push(
    material,
    material.version,
    material.visible,
    material.side,
    material.shadowSide,
    material.wireframe,
    material.wireframeLinewidth,
    material.linewidth,
    material.size,
    material.sizeAttenuation,
    material.rotation,
    material.opacity,
    material.transparent,
    material.alphaTest,
    material.alphaToCoverage,
    material.alphaHash,
    material.displacementScale,
    material.displacementBias,
    material.polygonOffset,
    material.polygonOffsetFactor,
    material.polygonOffsetUnits,
    map,
    alphaMap,
    displacementMap,
  );
  let isUnknown =
    material.isShaderMaterial === true ||
    material.isNodeMaterial === true ||
    material.onBeforeCompile !== Material.prototype.onBeforeCompile;
  if (displacementMap) isUnknown = readTexture(displacementMap, values) || isUnknown;
  if (material.alphaTest > 0 || material.alphaToCoverage || material.alphaHash)
    for (const texture of [map, alphaMap]) if (texture) isUnknown = readTexture(texture, values) || isUnknown;
  if (material.clipShadows && Array.isArray(material.clippingPlanes)) {
    values.push(material.clipIntersection);
    for (const { normal, constant } of material.clippingPlanes) values.push(normal.x, normal.y, normal.z, constant);
  }
  return isUnknown;
}

function readTexture(texture: Texture, values: unknown[]): boolean {
  const { version, channel, rotation, matrixAutoUpdate, image } = texture;
  values.push(version, channel, rotation, matrixAutoUpdate, image);
  for (const { x, y } of [texture.offset, texture.repeat, texture.center] as Vector2[]) values.push(x, y);
  if (!matrixAutoUpdate) values.push(...texture.matrix.elements);
  return (
    'isVideoTexture' in texture ||
    'isCanvasTexture' in texture ||
    'isFramebufferTexture' in texture ||
    'isExternalTexture' in texture ||
    texture.isRenderTargetTexture ||
    (image as { complete?: boolean } | null)?.complete === false
  );
}

/** The parts of an attribute that show a change: those of an interleaved attribute are in its buffer. */
interface VersionedAttribute {
  readonly version?: number;
  readonly data?: { readonly version: number };
}

/** Adds the values of a geometry. Returns whether they do not show all changes. */
export function readGeometry(geometry: BufferGeometry, values: unknown[]): boolean {
  const { attributes, index, drawRange, groups, morphAttributes } = geometry;
  values.push(geometry, index, index?.version, drawRange.start, drawRange.count);
  values.push((geometry as { instanceCount?: number }).instanceCount);
  let isUnknown = morphAttributes.position !== undefined || !!(geometry as { indirect?: unknown }).indirect;
  for (const name in attributes) {
    const attribute = attributes[name] as VersionedAttribute;
    values.push(attribute, attribute.data === undefined ? attribute.version : attribute.data.version);
    isUnknown ||= 'isStorageBufferAttribute' in attribute || 'isGLBufferAttribute' in attribute;
  }
  for (const { start, count, materialIndex } of groups) values.push(start, count, materialIndex);
  return isUnknown;
}

/** What `readTree` has found. */
export const HAS_CASTER = 1;
export const IS_UNKNOWN = 2;

/**
 * Adds the values of an object and its visible descendants, without their matrices.
 *
 * @param casting The flags that make an object a caster: CASTS, for VSM also RECEIVES.
 * @param isStill Whether the user has declared that an object does not change its shape.
 * @returns HAS_CASTER, and IS_UNKNOWN if the values do not show all changes.
 */
export function readTree(
  object: Object3D,
  values: unknown[],
  casting: number,
  isStill: (object: Object3D) => boolean,
): number {
  values.push(object, object.visible);
  if (!object.visible) return 0;
  let found = 0;
  const flags = castFlagsOf(object);
  if ((flags & casting) !== 0 && isDrawn(object)) {
    found = HAS_CASTER;
    if (readCaster(object as Mesh, flags, values) && !isStill(object)) found |= IS_UNKNOWN;
  }
  for (const child of object.children) found |= readTree(child, values, casting, isStill);
  return found;
}

function readCaster(mesh: Mesh, flags: number, values: unknown[]): boolean {
  const { geometry, material, customDepthMaterial, customDistanceMaterial } = mesh;
  values.push(flags, mesh.layers.mask, customDepthMaterial, customDistanceMaterial);
  let isUnknown = (flags & IS_SPECIAL) !== 0 || hasDrawCallbacks(mesh);
  isUnknown = readGeometry(geometry, values) || isUnknown;
  for (const each of Array.isArray(material) ? material : [material])
    if (each) isUnknown = readMaterial(each, values) || isUnknown;
  if (!hasOwnSphere(mesh)) return isUnknown;
  // Skinned and batched meshes change without a sign.
  if (!('isInstancedMesh' in mesh)) return true;
  const { count, instanceMatrix } = mesh as InstancedMesh;
  values.push(count, instanceMatrix, instanceMatrix.version);
  return isUnknown;
}

/** Whether all changes of an object, but for its own fields, show in the values of its geometry and its material. */
export function isPlainCaster(object: Object3D): boolean {
  return (
    !hasDrawCallbacks(object) && (castFlagsOf(object) & IS_SPECIAL) === 0 && !Array.isArray((object as Mesh).material)
  );
}

/** Whether an object by itself casts a shadow, visible or not. */
export function isCaster(object: Object3D, casting: number): boolean {
  const flags = (object.castShadow ? CASTS : 0) | (object.receiveShadow ? RECEIVES : 0);
  return (flags & casting) !== 0 && isDrawn(object);
}
