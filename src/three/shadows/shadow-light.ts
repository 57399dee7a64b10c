/** One light whose shadow map is drawn only when it has to be: what its map depends on, besides the casters. */

import { Frustum } from 'three';
import type { Camera, DirectionalLight, LightShadow, Object3D, PerspectiveCamera, SpotLight } from 'three';
import { mayBeSeen, volumeOf, type ShadowCaster } from '../changes/scene-changes.ts';
import { Snapshot } from '../passes/snapshot.ts';

/** `autoUpdate` of the shadows as it was before. */
const originals = /* @__PURE__ */ new WeakMap<LightShadow, boolean>();

/** A CSMShadowNode of three's addons: one directional light of several cascades, each with a map of its own. */
export interface CascadedNode {
  /** Null until the first material with its shadows is compiled. */
  readonly camera: Camera | null;
  /** One for each cascade, with its own shadow. The node places them in the middle of a pass. */
  readonly lights: readonly ShadowCaster[];
  readonly light: DirectionalLight;
  readonly breaks: readonly number[];
  readonly lightMargin: number;
}

export class ShadowLight {
  readonly light: ShadowCaster;
  readonly shadow: LightShadow;
  /** Whether it saw a caster of unknown changes in the last pass: then that caster may have gone. */
  private sawUnknown = true;
  /** `autoUpdate` as it was before. */
  private readonly autoUpdate: boolean;
  private readonly snapshot = new Snapshot();
  private map: LightShadow['map'] = null;
  private isMapLost = false;
  private readonly onDispose = (): void => void (this.isMapLost = true);
  private readonly cube = new Frustum();

  /** Of a cascade. */
  private readonly node: CascadedNode | null;

  constructor(light: ShadowCaster, node: CascadedNode | null = null) {
    this.light = light;
    this.node = node;
    this.shadow = light.shadow;
    // Another ShadowUpdates may have it too, for example that of the scene in which the light was before.
    this.autoUpdate = originals.get(this.shadow) ?? this.shadow.autoUpdate;
    originals.set(this.shadow, this.autoUpdate);
  }

  /** Gives the decision back to three. */
  dispose(): void {
    this.shadow.autoUpdate = this.autoUpdate;
    originals.delete(this.shadow);
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
    const isChanged = this.snapshot.take((values) => this.read(camera, values)) || this.isMapLost;
    this.isMapLost = false;
    this.watchMap(shadow.map);
    // The frustum of a map that is about to be drawn is not known yet.
    const frustum = isChanged || shadow.needsUpdate ? null : volumeOf(this.light, this.cube);
    const seesUnknown = unknown.some((object) => mayBeSeen(object, frustum));
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
    values.push(...own.projectionMatrix.elements);
    if (this.node !== null) readPlace(this.node, values);
    else {
      values.push(...light.matrixWorld.elements);
      if ('target' in light) values.push(...light.target.matrixWorld.elements);
    }
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

/** Adds what decides where a node places its cascades. Where they are now is the place of the last pass. */
function readPlace({ camera, light, breaks, lightMargin }: CascadedNode, values: unknown[]): void {
  const { parent, position, target } = light;
  values.push(camera, ...camera!.matrixWorld.elements, ...camera!.projectionMatrix.elements);
  values.push(...position, ...target.position, ...(parent?.matrixWorld.elements ?? []), ...breaks, lightMargin);
}
