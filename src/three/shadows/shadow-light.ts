/** One light whose shadow map is drawn only when it has to be: what its map depends on, besides the casters. */

import {
  Frustum,
  Matrix4,
  Vector3,
  type Camera,
  type DirectionalLight,
  type LightShadow,
  type Object3D,
  type PerspectiveCamera,
  type PointLight,
  type SpotLight,
} from 'three';
import { hasGeometry, hasOwnSphere } from '../bounds/object-kinds.ts';
import { Values } from '../changes/container-changes.ts';

export type ShadowCaster = DirectionalLight | SpotLight | PointLight;

export class ShadowLight {
  readonly light: ShadowCaster;
  readonly shadow: LightShadow;
  /** Whether it saw a caster of unknown changes in the last pass: then that caster may have gone. */
  private sawUnknown = true;
  /** `autoUpdate` as it was before. */
  private readonly autoUpdate: boolean;
  private readonly values = new Values();
  private map: LightShadow['map'] = null;
  private isMapLost = false;
  private readonly onDispose = (): void => void (this.isMapLost = true);
  private readonly cube = new Frustum();

  constructor(light: ShadowCaster) {
    this.light = light;
    this.shadow = light.shadow;
    this.autoUpdate = this.shadow.autoUpdate;
  }

  /** Gives the decision back to three. */
  dispose(): void {
    this.shadow.autoUpdate = this.autoUpdate;
    this.watchMap(null);
  }

  /**
   * Decides whether the map has to be drawn in a pass that begins now.
   *
   * @param camera The camera of the pass, whose layers choose the casters.
   * @param isSeen Whether a frustum sees casters that have changed.
   * @param unknown Casters whose changes are unknown.
   */
  update(camera: Camera, isSeen: (frustum: Frustum) => boolean, unknown: readonly Object3D[]): boolean {
    const { shadow } = this;
    shadow.autoUpdate = false;
    const isChanged = this.values.take((values) => this.read(camera, values)) || this.isMapLost;
    this.isMapLost = false;
    this.watchMap(shadow.map);
    // The frustum of a map that is about to be drawn is not known yet.
    const frustum = isChanged || shadow.needsUpdate ? null : this.frustum();
    const seesUnknown = unknown.some((object) => frustum === null || mayBeSeen(object, frustum));
    if (frustum === null || seesUnknown || this.sawUnknown || isSeen(frustum)) shadow.needsUpdate = true;
    this.sawUnknown = seesUnknown;
    return shadow.needsUpdate;
  }

  private read(camera: Camera, values: unknown[]): void {
    const { light, shadow } = this;
    const { camera: own, mapSize } = shadow;
    // As in three: the layers of the light, if it has any of its own.
    const layers = (own.layers.mask & ~1) === 0 ? camera.layers : own.layers;
    values.push(layers.mask, own, own.coordinateSystem, own.reversedDepth, ...own.up);
    values.push(...own.projectionMatrix.elements, ...light.matrixWorld.elements);
    if ('target' in light) values.push(...light.target.matrixWorld.elements);
    const { near, far } = own as PerspectiveCamera;
    values.push(near, far, (light as SpotLight).distance, (light as SpotLight).angle);
    const { focus, aspect } = shadow as LightShadow & { focus?: number; aspect?: number };
    values.push(focus, aspect, ...mapSize, shadow.map, shadow.mapType);
    values.push(shadow.bias, shadow.normalBias, shadow.radius, shadow.blurSamples);
  }

  /** What the map shows: the frustum of the last drawing, or of a point light the cube around all six. */
  private frustum(): Frustum {
    const { light, shadow, cube } = this;
    if (!('isPointLight' in light)) return shadow.getFrustum();
    const { far, projectionMatrix } = shadow.camera as PerspectiveCamera;
    const { elements } = projectionMatrix;
    const scale = Math.min(1, Math.abs(elements[0]), Math.abs(elements[5])) / (far * (1 + 1e-6));
    // Maps the cube to that from -1 to 1, as the projection of an orthographic camera.
    const center = frustum_center.setFromMatrixPosition(light.matrixWorld).multiplyScalar(-scale);
    return cube.setFromProjectionMatrix(frustum_matrix.makeScale(scale, scale, scale).setPosition(center));
  }

  private watchMap(map: LightShadow['map']): void {
    if (map === this.map) return;
    this.map?.removeEventListener('dispose', this.onDispose);
    map?.addEventListener('dispose', this.onDispose);
    this.map = map;
  }
}

const frustum_center = /* @__PURE__ */ new Vector3();
const frustum_matrix = /* @__PURE__ */ new Matrix4();

/** Whether a renderer may draw an object in a frustum, by its own test. */
function mayBeSeen(object: Object3D, frustum: Frustum): boolean {
  if (!object.frustumCulled) return true;
  // three computes missing spheres in the first pass.
  if (hasOwnSphere(object) ? object.boundingSphere === null : !hasGeometry(object) || !object.geometry.boundingSphere)
    return true;
  return object.intersectsFrustum(frustum);
}
