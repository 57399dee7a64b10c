// What the page calls a mesh.

import type { Object3D } from 'three';

/** The name of a mesh, and of the thing that it is a part of. */
export function nameOf(object: Object3D | null): string {
  if (object === null) return 'nothing';
  const { parent } = object;
  return parent === null || parent.name === '' || parent.name === object.name
    ? object.name
    : `${object.name} of ${parent.name}`;
}
