/**
 * Draws the shadow map of a light only in frames in which it changes: the light has changed, or a caster that it sees.
 */

import { DirectionalLight, Object3D, PointLight, SpotLight, VSMShadowMap } from 'three';
import type { Camera, Frustum, Light, LightShadow, Scene, ShadowMapType } from 'three';
import { throwType } from '../../octree/input/input-checks.ts';
import { isObject3D } from '../../three/bounds/object-kinds.ts';
import * as bits from '../../three/detector/change-bits.ts';
import { mayBeSeen, SceneChanges, type ChangeContainer } from '../views/scene-changes.ts';
import type { ShadowCaster } from '../views/view-volume.ts';
import { PassProbe } from '../../three/passes/pass-hook.ts';
import { awaitRenderer, needsAllObjects, rendererOf, scenesAbove } from '../../three/passes/pass-renderer.ts';
import { isWebGpuShadowPass } from '../../three/passes/render-pass.ts';
import { Values } from '../../three/detector/values.ts';
import { ShadowLight, type CascadedNode } from './shadow-light.ts';

/** What `ShadowUpdates` needs of a WebGLRenderer or a WebGPURenderer. */
export interface ShadowRenderer {
  /** As in three. */
  readonly shadowMap: {
    /** The kind of the shadow maps. */
    readonly type: ShadowMapType;
    /** Whether WebGPURenderer lets light through transparent casters. */
    readonly transmitted?: boolean;
    /** Whether there are shadow maps. */
    readonly enabled?: boolean;
    /** Whether WebGLRenderer draws maps in each pass. */
    readonly autoUpdate?: boolean;
    /** Whether WebGLRenderer draws maps in the next pass. */
    readonly needsUpdate?: boolean;
  };
  /** Whether WebGLRenderer clips by the planes of materials. */
  readonly localClippingEnabled?: boolean;
}

/** What changes a shadow map. Of textures and fields of materials: see `CASTER`. */
const WANTS =
  bits.CASTS |
  bits.CALLS |
  bits.OWN_DEPTH |
  bits.KIND |
  bits.LAYERS |
  bits.PLACE |
  bits.GEOMETRY |
  bits.VERTICES |
  bits.ATTRIBUTES |
  bits.MATERIAL |
  bits.CASTER;

/** A property that stays true, whatever other code sets. */
const ALWAYS_TRUE = { get: () => true, set() {} };

/**
 * Draws the shadow map of a light only in frames in which it changes. By default three draws all shadow maps in every
 * frame, also those of a scene that stands still; often they are most of the draw calls.
 *
 *     const shadows = new ShadowUpdates(scene, renderer, [group]);
 *
 * From then on it sets `shadow.autoUpdate` to false, and `shadow.needsUpdate` in each pass in which a map changes. The
 * pictures are those of a scene whose maps are always drawn. It may draw a map without need, but does not leave out one
 * that has changed:
 *
 * - **Lights.** Directional, spot and point lights, wherever they are in the scene. A map is drawn if its light, its
 *   target, its shadow camera or a setting of its shadow that the map reads has changed, if the map is new or was
 *   disposed of, and if the type of shadow maps has changed or the context was lost. Of a CSMShadowNode each cascade
 *   has a map of its own; a move of its camera draws them all. Other lights with several maps (SunLight) are left to
 *   three.
 * - **Children of an OctreeGroup.** A map is drawn if a caster has changed where the light can see it, at the old place
 *   or the new one: moves, `visible`, `castShadow`, layers, materials and their fields, geometries and their vertices,
 *   levels of detail, children added and removed. If the group itself moves or is hidden, all maps are drawn.
 * - **Static children.** Report every change by `reportMove`, as for the group itself. Without a
 *   report, fields of materials and changed vertices of a geometry are found by the next update, all else, such as
 *   another geometry, after 256 updates at most.
 * - **What no value shows** counts as changed in each frame in which a light sees it: skinned, batched and morphing
 *   meshes, shader materials, node materials and materials with nodes, materials with an `onBeforeCompile`, own
 *   materials for shadow maps, callbacks, ClippingGroups, and textures of videos, canvases and render targets where
 *   they decide what is drawn. So do all casters outside of the groups, and children that the group does not cull.
 *   Declare by `setStill` what stands still.
 * - **Cameras.** If the layers of the camera choose the casters, or its place their levels of detail, a map is drawn
 *   for each camera that needs another one. With `minScreenSize`, all maps are drawn whenever the camera moves.
 *   LODs that are declared still keep following the camera. A pass without maps, as that of a Reflector, changes
 *   nothing.
 * - **Renderers.** If several draw the scene in turn, each draws all maps again, because it has maps of its own.
 *
 * Limits: render the scene as a whole, not a part of it with its lights. A scene has one child more, which draws
 * nothing and gets each pass. It cannot be hidden, and comes back if it is removed. A light that is cloned meanwhile
 * has `autoUpdate = false`, as its original has.
 *
 * @example
 * ```ts
 * import { OctreeGroup, ShadowUpdates } from 'scene-octree/three';
 *
 * const city = new OctreeGroup();
 * scene.add(city);
 * const shadows = new ShadowUpdates(scene, renderer, [city]);
 * // After a frame: the lights whose shadow maps it drew.
 * console.log(shadows.due.length);
 * ```
 */
export class ShadowUpdates extends SceneChanges {
  private readonly renderer: ShadowRenderer;
  /** Visited by all cameras, whatever other code does to the layers of the scene. */
  private readonly probe = new PassProbe((camera) => this.update(camera));
  private readonly settings = new Values();
  private lights = new Map<LightShadow, ShadowLight>();
  /** The kinds of shadow that have one map, and volumes that are known. */
  private readonly kinds = [new DirectionalLight(), new SpotLight(), new PointLight()].map(
    ({ shadow }) => shadow.constructor,
  );
  private dueLights: Light[] = [];
  private isDisposed = false;

  /**
   * @param scene What is rendered: the root of the lights and of the containers.
   * @param renderer The renderer of the scene.
   * @param containers The containers whose changes are known. Their place below the scene may change.
   * @throws {TypeError} If the scene is no Object3D, the renderer has no `shadowMap`, or a container is neither an
   *   OctreeGroup nor an InstanceChanges.
   * @throws {Error} If the scene has a ShadowUpdates already.
   */
  constructor(scene: Object3D, renderer: ShadowRenderer, containers: readonly ChangeContainer[] = []) {
    if (typeof (renderer as ShadowRenderer | null)?.shadowMap !== 'object')
      throwType('ShadowUpdates', 'renderer', 'have a shadowMap', renderer, 'pass the renderer');
    // Before `super`, which follows the containers.
    if (isObject3D(scene) && hasProbe(scene))
      throw new Error('ShadowUpdates: scene has one already; dispose it first.');
    super('ShadowUpdates', scene, containers, { shows: bits.CASTS, casts: bits.CASTS, wants: WANTS, isMaps: true });
    this.renderer = renderer;
    const { probe } = this;
    // Code that isolates an object hides all children of the scene, and shows those that it knows.
    Object.defineProperties(probe, { visible: ALWAYS_TRUE, autoUpdate: ALWAYS_TRUE });
    // `scene.clear()` removes it too. It comes back later, because code may remove children until none is left.
    probe.addEventListener('removed', () => {
      this.release();
      queueMicrotask(this.onRender);
    });
    this.addProbe();
    awaitRenderer(probe, this.onRender);
  }

  /**
   * The lights whose maps the last pass had to draw. A light whose map it could not draw, for example one on another
   * layer, stays in the list.
   */
  get due(): readonly Light[] {
    return this.dueLights;
  }

  /** Gives all shadow maps back to three: `autoUpdate` is as before, and the scene has no additional child. */
  override dispose(): void {
    super.dispose();
    this.isDisposed = true;
    this.probe.removeFromParent();
    this.release();
  }

  /** Brings the probe back that was removed without an event, as by `scene.children.length = 0`. */
  private readonly onRender = (): void => {
    if (!this.isDisposed && !hasProbe(this.scene)) this.addProbe();
  };

  /** Also where `add` of a scene is replaced, to put its objects into a group. */
  private addProbe(): void {
    const { scene, probe } = this;
    scene.add(probe);
    if (probe.parent !== scene) Object3D.prototype.add.call(scene, probe);
  }

  /** A pass begins. All matrices are up to date. */
  private update(camera: Camera): void {
    const { scene, probe } = this;
    const renderer = ('isScene' in scene ? (rendererOf(scene as Scene) as ShadowRenderer) : null) ?? this.renderer;
    awaitRenderer(probe, this.onRender);
    // In WebGPURenderer the shadow map itself is a pass of the scene.
    if (isWebGpuShadowPass(scene)) return;
    const { shadowMap, localClippingEnabled } = renderer;
    const { type, transmitted, enabled, autoUpdate, needsUpdate } = shadowMap;
    // The pass of a mirror. It draws no maps, so that the next pass of the camera finds those of its own levels.
    if (autoUpdate === false && needsUpdate !== true) return;
    // After the loss of a context, WebGLRenderer has another `shadowMap`. Each renderer draws maps of its own.
    const isNew = this.settings.take((values) => {
      values.push(renderer, shadowMap, type, transmitted, localClippingEnabled);
    });
    const { scope, containers } = this;
    const isBlurred = type === VSMShadowMap;
    scope.shows = isBlurred ? bits.CASTS | bits.RECEIVES : bits.CASTS;
    scope.wants = isBlurred ? WANTS | bits.RECEIVES : WANTS;
    const found = this.findObjects();
    const { lights, unknown, shown, isClipped } = found;
    const changed = Array.from(containers.values());
    this.dueLights = [];
    this.takeLights(enabled === false ? [] : lights);
    if (this.lights.size === 0) {
      for (const changes of changed) changes.skip();
      return;
    }
    const isAll = isNew || this.isAll || transmitted === true || isClipped || scenesAbove(probe).some(needsAllObjects);
    this.isAll = false;
    for (const [container, changes] of containers) changes.update(camera, shown.has(container));
    this.findOtherLevels(found, camera);
    const showsChange = (frustum: Frustum): boolean => isAll || changed.some((each) => each.isSeenBy(frustum));
    for (const state of this.lights.values()) {
      const { shadow, owner } = state;
      // The frustum of a map that is about to be drawn is not known yet.
      const frustum = state.takeChange(camera, isBlurred) || shadow.needsUpdate ? null : state.frustum;
      const seesUnknown = unknown.some((object) => mayBeSeen(object, frustum));
      const isDue = frustum === null || seesUnknown || state.sawUnknown || showsChange(frustum);
      state.sawUnknown = seesUnknown;
      if (!isDue) continue;
      shadow.needsUpdate = true;
      if (this.dueLights.at(-1) !== owner) this.dueLights.push(owner);
    }
    for (const changes of changed) changes.clear();
  }

  /** Takes the shadows of the lights that a pass has found, and gives back those of all others. */
  private takeLights(lights: readonly (Light & HasShadow)[]): void {
    const before = this.lights;
    this.lights = new Map();
    for (const light of lights) {
      if (!light.castShadow) continue;
      const node = light.shadow?.shadowNode;
      const cascades = node?.lights && node.camera ? node : null;
      for (const each of cascades?.lights ?? (node ? [] : [light as ShadowCaster])) {
        const { shadow } = each;
        if (!this.kinds.includes(shadow?.constructor) || this.lights.has(shadow)) continue;
        let state = before.get(shadow);
        if (state?.light === each) before.delete(shadow);
        else state = new ShadowLight(each, light, cascades);
        this.lights.set(shadow, state);
      }
    }
    // Hidden or removed lights: a light that comes back is drawn.
    for (const state of before.values()) state.dispose();
  }

  /** Leaves all maps to three until the next pass. */
  private release(): void {
    for (const light of this.lights.values()) light.dispose();
    this.lights.clear();
  }
}

function hasProbe(scene: Object3D): boolean {
  return scene.children.some((child) => (child as PassProbe).onPass !== undefined);
}

/** `shadowNode` of WebGPURenderer replaces the one map of a light. */
interface HasShadow {
  readonly shadow?: LightShadow & { readonly shadowNode?: CascadedNode | { readonly lights?: undefined } };
}
