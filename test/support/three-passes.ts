/** Render passes over a group without a renderer: the children that a frustum sees. */

import {
  BoxGeometry,
  Frustum,
  Layers,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  type FrustumArray,
  type Object3D,
} from 'three';
import { OctreeGroup } from '../../src/three.ts';

export const geometry = new BoxGeometry();
/** Files share it: change a material of your own. */
export const material = new MeshBasicMaterial();
/** A cube of edge 1, named after its x. */
export const cube = (x: number, y = 0, z = 0): Mesh => {
  const mesh = new Mesh(geometry, material);
  mesh.position.set(x, y, z);
  mesh.name = `cube ${x}`;
  return mesh;
};

/** A frustum that sees x from -reach to reach, and all y and z within 1000. */
export function slab(reach: number): Frustum {
  const camera = new OrthographicCamera(-reach, reach, 1000, -1000, -1000, 1000);
  return new Frustum().setFromProjectionMatrix(camera.projectionMatrix);
}

/** The objects that a pass sees below a group. Reads the members in the order of a renderer. */
export function passOver(group: Object3D, frustum: Frustum | FrustumArray, layers = new Layers()): Object3D[] {
  group.layers.test(layers);
  return group.children.flatMap((child) => {
    child.layers.test(layers);
    return child.parent === group || child.parent !== null
      ? [child]
      : (child.intersectsFrustum(frustum), [...child.children]);
  });
}

export function namesSeen(group: Object3D, reach: number): string[] {
  return passOver(group, slab(reach)).map(({ name }) => name);
}

/** Cubes in a row, 10 apart. */
export function rowOfCubes(count: number): OctreeGroup {
  const group = new OctreeGroup();
  for (let k = 0; k < count; k++) group.add(cube(10 * k));
  group.updateMatrixWorld();
  return group;
}
