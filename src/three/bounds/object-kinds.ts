/**
 * What an object is: its kind, by the fields that three gives it, and its name in error messages and warnings. Kinds
 * need no class of three, so none is added to a bundle.
 */

import type { BufferGeometry, Material, Object3D, Sphere, Sprite } from 'three';
import { describe } from '../../octree/input/input-checks.ts';

export function hasGeometry(
  object: Object3D,
): object is Object3D & { geometry: BufferGeometry; material: Material | Material[] } {
  return (
    'geometry' in object &&
    ('isMesh' in object || 'isLine' in object || 'isPoints' in object) &&
    // A container of instances has the flags of an InstancedMesh, but a renderer draws its views.
    !('trySync' in object)
  );
}

export function isSprite(object: Object3D): object is Sprite {
  return 'isSprite' in object;
}

/**
 * Whether three culls the object by a `boundingSphere` of the object, not of its geometry: skinned, instanced and
 * batched meshes.
 */
export function hasOwnSphere(
  object: Object3D,
): object is Object3D & { boundingSphere: Sphere | null; computeBoundingSphere(): void } {
  return 'boundingSphere' in object && object.boundingSphere !== undefined;
}

export function nameOf(object: Object3D): string {
  return object.name === '' ? `the ${object.type} with id ${object.id}` : `the ${object.type} "${object.name}"`;
}

/** As `nameOf`, for a value that should be an Object3D. */
export function describeObject(value: unknown): string {
  return isObject3D(value) ? nameOf(value) : describe(value);
}

/** As `describeObject`, with the parent of the object. */
export function describePlace(value: unknown): string {
  if (!isObject3D(value)) return describe(value);
  return value.parent === null
    ? `${nameOf(value)}, which has no parent`
    : `${nameOf(value)}, whose parent is ${nameOf(value.parent)}`;
}

export function isObject3D(value: unknown): value is Object3D {
  return typeof value === 'object' && value !== null && 'isObject3D' in value;
}

/** The object at the same place in a clone of a tree, if there is one: a class may copy other children, or none. */
export function counterpartOf(object: Object3D, root: Object3D, clone: Object3D): Object3D | undefined {
  if (object === root) return clone;
  const { parent } = object;
  return parent === null ? undefined : counterpartOf(parent, root, clone)?.children[parent.children.indexOf(object)];
}

/**
 * Throws for a proxy of an object, as reactive frameworks make: objects are known by identity, and three draws no
 * proxies either.
 */
export function refuseProxy(where: string, field: string, object: unknown): void {
  if (!isProxy(object)) return;
  throw new TypeError(
    `${where}: ${field} must be the object itself, but is a proxy of it, as reactive() of Vue makes; pass toRaw(object), and keep it in a shallowRef or as markRaw(object).`,
  );
}

/**
 * Proxies of Vue have a field that says so. A proxy of another framework that wraps what it returns throws for
 * `modelViewMatrix`: the property is read-only, so the engine refuses any other value than its own.
 */
function isProxy(object: unknown): boolean {
  const { __v_raw: raw } = Object(object) as { readonly __v_raw?: object };
  try {
    return raw !== undefined || (Object(object) as Object3D).modelViewMatrix === null;
  } catch {
    return true;
  }
}

/**
 * Whether a class is a node material of three for meshes. These classes are known by their type, because an import
 * would add all of WebGPURenderer to every bundle; a class of the user without a type of its own inherits one.
 */
export function isNodeMaterialOfThree(type: object): boolean {
  return Object.hasOwn(type, 'type') && NODE_MATERIALS.test((type as { type: string }).type);
}
const NODE_MATERIALS = /^(Mesh(Basic|Lambert|Matcap|Normal|Phong|Physical|SSS|Standard|Toon))?NodeMaterial$/;

/** Whether an object is another one, or below it. */
export function isWithin(object: Object3D | null, root: Object3D): boolean {
  return object !== null && (object === root || isWithin(object.parent, root));
}
