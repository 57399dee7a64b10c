/** What a light with a shadow map sees. */

import {
  Matrix4,
  Vector3,
  type Frustum,
  type DirectionalLight,
  type Object3D,
  type PerspectiveCamera,
  type PointLight,
  type SpotLight,
} from 'three';
import { hasGeometry, hasOwnSphere } from '../bounds/object-kinds.ts';

export type ShadowCaster = DirectionalLight | SpotLight | PointLight;

/**
 * What its map shows: the frustum of the last drawing, or of a point light the cube around all six.
 *
 * @param cube Is written.
 */
export function volumeOf(light: ShadowCaster, cube: Frustum): Frustum {
  const { shadow } = light;
  if (!('isPointLight' in light)) return shadow.getFrustum();
  const { far, projectionMatrix } = shadow.camera as PerspectiveCamera;
  const { elements } = projectionMatrix;
  const scale = Math.min(1, Math.abs(elements[0]), Math.abs(elements[5])) / (far * (1 + 1e-6));
  // Maps the cube to that from -1 to 1, as the projection of an orthographic camera.
  const center = volumeOf_center.setFromMatrixPosition(light.matrixWorld).multiplyScalar(-scale);
  return cube.setFromProjectionMatrix(volumeOf_matrix.makeScale(scale, scale, scale).setPosition(center));
}
const volumeOf_center = /* @__PURE__ */ new Vector3();
const volumeOf_matrix = /* @__PURE__ */ new Matrix4();

/** Whether a renderer may draw an object in a frustum, by its own test. */
export function mayBeSeen(object: Object3D, frustum: Frustum): boolean {
  if (!object.frustumCulled) return true;
  // three computes missing spheres in the first pass.
  if (hasOwnSphere(object) ? object.boundingSphere === null : !hasGeometry(object) || !object.geometry.boundingSphere)
    return true;
  return object.intersectsFrustum(frustum);
}
