/** Objects of three, as error messages and warnings name them. */

import type { Object3D } from 'three';
import { describe } from '../../octree/input/input-checks.ts';

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
  return value.parent === null ? `${nameOf(value)}, which has no parent` : `${nameOf(value)}, whose parent is ${nameOf(value.parent)}`;
}

export function isObject3D(value: unknown): value is Object3D {
  return typeof value === 'object' && value !== null && 'isObject3D' in value;
}
