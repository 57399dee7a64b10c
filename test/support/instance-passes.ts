/** Render passes over `OctreeInstances` without a renderer: the views for a camera or for a light. */

import {
  BoxGeometry,
  Color,
  Frustum,
  Layers,
  Matrix4,
  MeshBasicMaterial,
  type Camera,
  type FrustumArray,
  type InstancedMesh,
  type LOD,
  type Object3D,
} from 'three';
import { OctreeInstances } from '../../src/three.ts';
import { slab } from './three-passes.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

export function at(x: number, y = 0, z = 0): Matrix4 {
  return new Matrix4().makeTranslation(x, y, z);
}

/** Cubes of edge 1 with the ids from 0, 10 apart along x. */
export function rowOfInstances(count: number): OctreeInstances {
  const instances = new OctreeInstances(geometry, material, count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(10 * id));
  instances.name = 'row';
  instances.castShadow = true;
  instances.updateMatrixWorld();
  return instances;
}

export function frustumOf(camera: Camera): Frustum {
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
}

/**
 * The views that a pass draws. Reads the members in the order of a renderer. Without a camera it is a shadow pass of
 * `WebGLRenderer`.
 */
export function viewsOf(
  instances: Object3D,
  frustum: Frustum | FrustumArray,
  camera: Camera | null = null,
): InstancedMesh[] {
  instances.layers.test(new Layers());
  return instances.children.flatMap((child) => {
    if (child.parent !== null) return [];
    if ('isLOD' in child && camera !== null) (child as LOD).update(camera);
    // Shadow maps ask only what casts a shadow. A mesh in the frustum would be drawn.
    const isAsked = 'isMesh' in child && (camera !== null || child.castShadow);
    if (isAsked && child.intersectsFrustum(frustum)) throw new Error('draws the hook');
    return [...child.children] as InstancedMesh[];
  });
}

export function viewsOfCamera(instances: Object3D, camera: Camera): InstancedMesh[] {
  camera.updateMatrixWorld();
  return viewsOf(instances, frustumOf(camera), camera);
}

/** Matrices of the drawn instances. */
export function drawnMatrices(views: readonly InstancedMesh[]): Matrix4[] {
  return views.flatMap((view) =>
    Array.from({ length: view.count }, (_, slot) => new Matrix4().fromArray(view.instanceMatrix.array, 16 * slot)),
  );
}

export function drawnColors(views: readonly InstancedMesh[]): Color[] {
  return views.flatMap((view) => Array.from({ length: view.count }, (_, slot) => colorAt(view, slot)));
}

function colorAt({ instanceColor }: InstancedMesh, slot: number): Color {
  return instanceColor === null ? new Color(1, 1, 1) : new Color().fromArray(instanceColor.array, 3 * slot);
}

/** Positions of the drawn instances along x, ascending. */
export function drawnPlaces(views: readonly InstancedMesh[]): number[] {
  return drawnMatrices(views)
    .map(({ elements }) => elements[12])
    .sort((a, b) => a - b);
}

/** The places of the instances that a pass draws whose camera sees from -reach to reach. */
export function drawnWithin(instances: OctreeInstances, reach: number): number[] {
  return drawnPlaces(viewsOf(instances, slab(reach)));
}
