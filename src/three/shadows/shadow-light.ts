/** One light whose shadow map is drawn only when it has to be: what its map depends on, besides the casters. */

import { Frustum, type Camera, type LightShadow, type Object3D, type PerspectiveCamera, type SpotLight } from 'three';
import { Values } from '../changes/container-changes.ts';
import { mayBeSeen, volumeOf, type ShadowCaster } from '../changes/light-volumes.ts';

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
    const frustum = isChanged || shadow.needsUpdate ? null : volumeOf(this.light, this.cube);
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

  private watchMap(map: LightShadow['map']): void {
    if (map === this.map) return;
    this.map?.removeEventListener('dispose', this.onDispose);
    map?.addEventListener('dispose', this.onDispose);
    this.map = map;
  }
}
