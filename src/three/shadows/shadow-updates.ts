/**
 * Draws the shadow map of a light only in frames in which it changes: the light has changed, or a caster that it sees.
 */

import {
  DirectionalLight,
  Layers,
  LOD,
  PointLight,
  SpotLight,
  VSMShadowMap,
  type Camera,
  type Light,
  type LightShadow,
  type Object3D,
  type ShadowMapType,
} from 'three';
import { requireBoolean, throwType } from '../../octree/input/input-checks.ts';
import { isObject3D } from '../bounds/object-kinds.ts';
import { isLod } from '../bounds/object-traits.ts';
import { OctreeGroup } from '../group/octree-group.ts';
import { isWebGpuShadowPass } from '../passes/render-pass.ts';
import { CasterChanges } from './caster-changes.ts';
import { CASTS, isCaster, RECEIVES, Values } from './caster-values.ts';
import { ShadowLight, type ShadowCaster } from './shadow-light.ts';

/** What `ShadowUpdates` needs of a WebGLRenderer or a WebGPURenderer. */
export interface ShadowRenderer {
  /** As in three. */
  readonly shadowMap: {
    /** The kind of the shadow maps. */
    readonly type: ShadowMapType;
    /** Whether WebGPURenderer lets light through transparent casters. */
    readonly transmitted?: boolean;
  };
  /** Whether WebGLRenderer clips by the planes of materials. */
  readonly localClippingEnabled?: boolean;
}

/**
 * Learns of each pass, and of its camera: renderers update every LOD that they visit, after all matrices and before
 * they draw shadow maps. A clone does nothing.
 */
class CameraProbe extends LOD {
  private readonly onPass: ((camera: Camera) => void) | undefined;

  constructor(onPass?: (camera: Camera) => void) {
    super();
    this.onPass = onPass;
    this.layers.enableAll();
  }

  override update(camera: Camera): void {
    this.onPass?.(camera);
  }
}

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
 *   target, its shadow camera or a setting of its shadow has changed, if the map is new or was disposed of, and if the
 *   type of shadow maps has changed or the context was lost. Lights with several maps (SunLight, cascades by a
 *   `shadowNode`) are left to three.
 * - **Children of an OctreeGroup.** A map is drawn if a caster has changed where the light can see it, at the old place
 *   or the new one: moves, `visible`, `castShadow`, layers, materials and their fields, geometries and their vertices,
 *   levels of detail, children added and removed. If the group itself moves or is hidden, all maps are drawn.
 * - **Static children.** Report every change by `reportMove`, as for the group itself. Materials are compared all the
 *   same. Other changes that were not reported are found some frames later: 64 static members are compared per frame.
 * - **What no value shows** counts as changed in each frame in which a light sees it: skinned, batched and morphing
 *   meshes, shader materials, node materials, materials with an `onBeforeCompile`, own materials for shadow maps,
 *   callbacks, and textures of videos and canvases where they decide what is drawn. So do all casters outside of the
 *   groups, and children that the group does not cull. Declare those that stand still by `setStill`.
 * - **Cameras.** If the layers of the camera choose the casters, or its place their levels of detail, a map is drawn
 *   for each camera that needs another one. With `minScreenSize`, all maps are drawn whenever the camera moves.
 *
 * Limits: one renderer per scene, because a light has one map. Render the scene as a whole, not a part of it with its
 * lights. A scene has one invisible child more, which learns of each pass.
 */
export class ShadowUpdates {
  private readonly scene: Object3D;
  private readonly renderer: ShadowRenderer;
  private readonly groups = new Map<Object3D, CasterChanges>();
  private readonly probe = new CameraProbe((camera) => this.update(camera));
  private readonly stillObjects = new WeakSet();
  private readonly isStill = (object: Object3D): boolean => this.hasStillRoot(object);
  private readonly settings = new Values();
  private lights = new Map<LightShadow, ShadowLight>();
  /** The kinds of shadow that have one map, and volumes that are known. */
  private readonly kinds = [new DirectionalLight(), new SpotLight(), new PointLight()].map(
    ({ shadow }) => shadow.constructor,
  );
  private isAll = true;
  /** What the current update has found in the scene. */
  private found!: { lights: ShadowCaster[]; unknown: Object3D[]; groups: Set<Object3D> };
  private dueLights: Light[] = [];

  /**
   * @param scene What is rendered: the root of the lights and of the groups.
   * @param renderer The renderer of the scene.
   * @param groups The groups whose changes are known. Their place below the scene may change.
   * @throws {TypeError} If the scene is no Object3D, the renderer has no `shadowMap`, or a group is not an OctreeGroup.
   */
  constructor(scene: Object3D, renderer: ShadowRenderer, groups: readonly OctreeGroup[] = []) {
    if (!isObject3D(scene)) throwType('ShadowUpdates', 'scene', 'be an Object3D', scene, 'pass the scene');
    if (typeof (renderer as ShadowRenderer | null)?.shadowMap !== 'object')
      throwType('ShadowUpdates', 'renderer', 'have a shadowMap', renderer, 'pass a WebGLRenderer or WebGPURenderer');
    if (!Array.isArray(groups)) throwType('ShadowUpdates', 'groups', 'be an array', groups, 'pass [group]');
    for (const group of groups)
      if (!(group instanceof OctreeGroup))
        throwType('ShadowUpdates', 'groups', 'contain OctreeGroups only', group, 'leave it out');
    this.scene = scene;
    this.renderer = renderer;
    for (const group of groups) this.groups.set(group, new CasterChanges(group, this.isStill));
    scene.add(this.probe);
  }

  /**
   * The lights whose maps the last pass had to draw. Those that it could not draw, such as lights on other layers,
   * stay.
   */
  get due(): readonly Light[] {
    return this.dueLights;
  }

  /**
   * Declares that an object and its descendants do not change, as far as no value shows: casters outside of the groups,
   * and shapes that shaders or skeletons could change. Call `redrawAll` after a change. A light that was declared still
   * keeps its map, and its `autoUpdate` is left to you.
   *
   * @throws {TypeError} If the object is no Object3D, or `isStill` no boolean.
   */
  setStill(object: Object3D, isStill = true): this {
    if (!isObject3D(object)) throwType('ShadowUpdates.setStill', 'object', 'be an Object3D', object, 'pass one');
    requireBoolean('ShadowUpdates.setStill', 'isStill', isStill);
    if (isStill) this.stillObjects.add(object);
    else this.stillObjects.delete(object);
    return this.redrawAll();
  }

  /** Has the next pass draw all maps: after a change that cannot be found. */
  redrawAll(): this {
    this.isAll = true;
    return this;
  }

  /** Gives all shadow maps back to three: `autoUpdate` is as before, and the scene has no additional child. */
  dispose(): void {
    this.probe.removeFromParent();
    for (const light of this.lights.values()) light.dispose();
    for (const changes of this.groups.values()) changes.dispose();
    this.lights.clear();
  }

  /** A pass begins. All matrices are up to date. */
  private update(camera: Camera): void {
    // In WebGPURenderer the shadow map itself is a pass of the scene.
    if (isWebGpuShadowPass(this.scene)) return;
    const { shadowMap, localClippingEnabled } = this.renderer;
    const { type, transmitted } = shadowMap;
    // After the loss of a context, WebGLRenderer has another `shadowMap`.
    const isNew = this.settings.take((values) => {
      values.push(shadowMap, type, transmitted, localClippingEnabled);
      return false;
    });
    const isAll = isNew || this.isAll || transmitted === true;
    this.isAll = false;
    const casting = type === VSMShadowMap ? CASTS | RECEIVES : CASTS;
    this.found = { lights: [], unknown: [], groups: new Set() };
    this.collect(this.scene, casting, false);
    const { lights, unknown, groups } = this.found;
    for (const [group, changes] of this.groups) {
      changes.casting = casting;
      changes.update(camera, groups.has(group));
    }
    const changed = Array.from(this.groups.values());
    const before = this.lights;
    this.lights = new Map();
    this.dueLights = [];
    for (const light of lights) {
      const { shadow } = light;
      const state = before.get(shadow) ?? new ShadowLight(light);
      before.delete(shadow);
      this.lights.set(shadow, state);
      const isSeen = (frustum: Parameters<CasterChanges['isSeenBy']>[0]): boolean =>
        isAll || changed.some((each) => each.isSeenBy(frustum));
      if (state.update(camera, isSeen, unknown)) this.dueLights.push(light);
    }
    // Hidden or removed lights: a light that comes back is drawn.
    for (const state of before.values()) state.dispose();
    for (const changes of changed) changes.clear();
  }

  /** Collects the lights at and below an object, and the casters whose changes are unknown. */
  private collect(object: Object3D, casting: number, isStill: boolean): void {
    const isStillHere = isStill || this.stillObjects.has(object);
    const changes = this.groups.get(object);
    if (changes !== undefined) {
      this.found.groups.add(object);
      const { bodies, pending } = changes.group.groupChildren;
      for (const member of bodies.unculled)
        if (member.object.visible && !member.hasHiddenAncestor) this.collect(member.object, casting, isStillHere);
      // They have been added, or moved, since the last update of the group.
      for (const member of pending)
        if (member.object.visible && !member.hasHiddenAncestor) this.collect(member.object, casting, false);
      return;
    }
    const { found } = this;
    if (isShadowLight(object)) {
      if (object.castShadow && !isStillHere && this.isKnownShadow(object.shadow) && !found.lights.includes(object))
        found.lights.push(object);
    } else if (!isStillHere) {
      // A container that is not among the groups: what it shows depends on the pass.
      const isContainer = object.layers.test !== Layers.prototype.test && !('isGroup' in object);
      if (isContainer ? object.castShadow : isCaster(object, casting)) found.unknown.push(object);
    }
    // A level that is hidden now may be shown later in this pass.
    for (const child of object.children) if (child.visible || isLod(object)) this.collect(child, casting, isStillHere);
  }

  private isKnownShadow(shadow: LightShadow): boolean {
    return this.kinds.includes(shadow.constructor) && !(shadow as { shadowNode?: object }).shadowNode;
  }

  private hasStillRoot(object: Object3D): boolean {
    for (let node: Object3D | null = object; node !== null; node = node.parent)
      if (this.stillObjects.has(node)) return true;
    return false;
  }
}

function isShadowLight(object: Object3D): object is ShadowCaster {
  return 'isDirectionalLight' in object || 'isSpotLight' in object || 'isPointLight' in object;
}
