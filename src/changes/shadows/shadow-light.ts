/** One light whose shadow map is drawn only when it has to be: what the map reads, beside the casters. */

import { Frustum } from 'three';
import type { Camera, DirectionalLight, Light, LightShadow, PerspectiveCamera, SpotLight } from 'three';
import { volumeOf, type ShadowCaster } from '../views/view-volume.ts';
import { Values } from '../../three/detector/values.ts';

/** A shadow whose `autoUpdate` is set here. */
interface TakenShadow {
  /** `autoUpdate` as it was before. */
  readonly autoUpdate: boolean;
  /** Number of the ShadowLights that have it. */
  users: number;
}

/** Several ShadowUpdates may have a light, for example the one of the scene in which the light was before. */
const takenShadows = /* @__PURE__ */ new WeakMap<LightShadow, TakenShadow>();

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
  /** The light of the scene: of a cascade the one that has its node, otherwise the same. */
  readonly owner: Light;
  readonly shadow: LightShadow;
  /** Whether it saw a caster of unknown changes in the last pass: then that caster may have gone. */
  sawUnknown = true;
  private readonly taken: TakenShadow;
  private readonly snapshot = new Values();
  private map: LightShadow['map'] = null;
  private isMapLost = false;
  private readonly onDispose = (): void => void (this.isMapLost = true);
  private readonly cube = new Frustum();

  /** Of a cascade. */
  private readonly node: CascadedNode | null;

  constructor(light: ShadowCaster, owner: Light, node: CascadedNode | null) {
    this.light = light;
    this.owner = owner;
    this.node = node;
    this.shadow = light.shadow;
    this.taken = takenShadows.get(this.shadow) ?? { autoUpdate: this.shadow.autoUpdate, users: 0 };
    this.taken.users++;
    takenShadows.set(this.shadow, this.taken);
  }

  /** Gives the decision back to three, until the next pass of another ShadowUpdates that has the light. */
  dispose(): void {
    this.shadow.autoUpdate = this.taken.autoUpdate;
    if (--this.taken.users === 0) takenShadows.delete(this.shadow);
    this.watchMap(null);
  }

  /**
   * Whether what the map reads has changed since the last pass, beside the casters, or the map is lost.
   *
   * @param camera The camera of the pass that begins now, whose layers choose the casters.
   * @param isBlurred Whether the map itself is blurred, as of the type VSM.
   */
  takeChange(camera: Camera, isBlurred: boolean): boolean {
    const { shadow, isMapLost } = this;
    shadow.autoUpdate = false;
    this.isMapLost = false;
    this.watchMap(shadow.map);
    return this.snapshot.take((values) => this.read(camera, isBlurred, values)) || isMapLost;
  }

  /** What the map of the last drawing shows. Valid until the next call. */
  get frustum(): Frustum {
    return volumeOf(this.light, this.cube);
  }

  /** Adds what the map reads. `bias`, `normalBias` and `intensity` are read by the materials that look up the map. */
  private read(camera: Camera, isBlurred: boolean, values: Values): void {
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
    if (isBlurred) values.push(shadow.radius, shadow.blurSamples);
  }

  private watchMap(map: LightShadow['map']): void {
    if (map === this.map) return;
    this.map?.removeEventListener('dispose', this.onDispose);
    map?.addEventListener('dispose', this.onDispose);
    this.map = map;
  }
}

/** Adds what decides where a node places its cascades. Where they are now is the place of the last pass. */
function readPlace({ camera, light, breaks, lightMargin }: CascadedNode, values: Values): void {
  const { parent, position, target } = light;
  values.push(camera, ...camera!.matrixWorld.elements, ...camera!.projectionMatrix.elements);
  values.push(...position, ...target.position, ...(parent?.matrixWorld.elements ?? []), ...breaks, lightMargin);
}
