/** One light whose shadow map is drawn only when it has to be: what its map depends on, besides the casters. */

import {
  Frustum,
  Plane,
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
import { Values } from './caster-values.ts';

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
  private readonly center = new Vector3();

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

  private read(camera: Camera, values: unknown[]): boolean {
    const { light, shadow } = this;
    const { camera: own, mapSize } = shadow;
    // As in three: the layers of the light, if it has any of its own.
    const layers = (own.layers.mask & ~1) === 0 ? camera.layers : own.layers;
    values.push(layers.mask, own, own.coordinateSystem, own.reversedDepth, own.up.x, own.up.y, own.up.z);
    values.push(...own.projectionMatrix.elements, ...light.matrixWorld.elements);
    if ('target' in light) values.push(...light.target.matrixWorld.elements);
    const { near, far } = own as PerspectiveCamera;
    values.push(near, far, (light as SpotLight).distance, (light as SpotLight).angle);
    const { focus, aspect } = shadow as LightShadow & { focus?: number; aspect?: number };
    values.push(focus, aspect, mapSize.x, mapSize.y, shadow.map, shadow.mapType);
    values.push(shadow.bias, shadow.normalBias, shadow.radius, shadow.blurSamples);
    return false;
  }

  /** What the map shows: the frustum of the last drawing, or of a point light the cube around all six. */
  private frustum(): Frustum {
    const { light, shadow, cube, center } = this;
    if (!('isPointLight' in light)) return shadow.getFrustum();
    const { far, projectionMatrix } = shadow.camera as PerspectiveCamera;
    const { elements } = projectionMatrix;
    const half = far * Math.max(1, 1 / Math.abs(elements[0]), 1 / Math.abs(elements[5])) * (1 + 1e-6);
    center.setFromMatrixPosition(light.matrixWorld);
    cube.planes.forEach((plane, k) => setSide(plane, center, half, k >> 1, k % 2 === 0 ? 1 : -1));
    return cube;
  }

  private watchMap(map: LightShadow['map']): void {
    if (map === this.map) return;
    this.map?.removeEventListener('dispose', this.onDispose);
    map?.addEventListener('dispose', this.onDispose);
    this.map = map;
  }
}

/** A side of a cube: the points with sign * (point - center)[axis] + half >= 0. */
function setSide(plane: Plane, center: Vector3, half: number, axis: number, sign: number): void {
  plane.normal.set(0, 0, 0).setComponent(axis, sign);
  plane.constant = half - sign * center.getComponent(axis);
}

/** Whether a renderer may draw an object in a frustum, by its own test. */
function mayBeSeen(object: Object3D, frustum: Frustum): boolean {
  if (!object.frustumCulled) return true;
  // three computes missing spheres in the first pass.
  if (hasOwnSphere(object) ? object.boundingSphere === null : !hasGeometry(object) || !object.geometry.boundingSphere)
    return true;
  return object.intersectsFrustum(frustum);
}
