/** Whether the picture of a camera has changed, so that an application renders only the frames that differ. */

import {
  Color,
  Vector2,
  Vector4,
  VSMShadowMap,
  type ArrayCamera,
  type Camera,
  type Frustum,
  type Light,
  type LightShadow,
  type Object3D,
  type PerspectiveCamera,
  type RenderTarget,
  type Scene,
  type Texture,
} from 'three';
import { throwType } from '../../octree/input/input-checks.ts';
import { isObject3D, refuseProxy } from '../../three/bounds/object-kinds.ts';
import { CASTER, CASTS, RECEIVES, SHOWN, SPHERE } from '../../three/detector/change-bits.ts';
import { wordOf } from '../../three/detector/object-words.ts';
import { Sources } from './sources.ts';
import { Textures } from '../../three/detector/texture-record.ts';
import { hasSceneCallback } from '../../three/passes/pass-renderer.ts';
import { Values } from '../../three/detector/values.ts';
import { readCamera } from './container-changes.ts';
import { mayBeSeen, SceneChanges, type ChangeContainer, type SceneObjects } from './scene-changes.ts';
import { cubeOf, ShadowRegion, ViewVolume, type ShadowCaster } from './view-volume.ts';

/** What `ViewChanges` needs of a WebGLRenderer or a WebGPURenderer. */
export interface ViewRenderer {
  /** As in three. */
  getDrawingBufferSize(target: Vector2): Vector2;
  /** As in three. */
  getClearColor(target: Color): unknown;
  /** As in three. */
  getClearAlpha(): number;
  /** As in three. Its `type` decides which objects shadows depend on. */
  readonly shadowMap: object;
  /** The canvas: it is cleared when its size is set, also to the same value. */
  readonly domElement?: unknown;
  /** As in three. */
  getViewport?(target: Vector4): Vector4;
  /** As in three. */
  getScissor?(target: Vector4): Vector4;
  /** As in three. */
  getScissorTest?(): boolean;
  /** As in three. In WebGPURenderer it has a `frame`, the number of the frame of the page. */
  readonly info?: object;
  /** As in WebGPURenderer. */
  getMRT?(): unknown;
  /** As in WebGPURenderer. */
  getRenderObjectFunction?(): unknown;
  /** As in WebGPURenderer. */
  readonly contextNode?: {
    /** What it hands to the shader nodes. */
    getFlowContextData(): object;
  };
  /** As in WebGPURenderer. */
  readonly highPrecision?: boolean;
}

/** Settings of a renderer that change all pictures. */
const RENDERER_FIELDS = [
  'toneMapping',
  'toneMappingExposure',
  'autoClear',
  'autoClearColor',
  'autoClearDepth',
  'autoClearStencil',
  'opaque',
  'transparent',
  'drawingPipeline',
  'outputColorSpace',
  'sortObjects',
  'localClippingEnabled',
  'clippingPlanes',
  'transmissionResolutionScale',
];
/** Largest number of cameras that are remembered. Test: changes.test. */
const MAX_CAMERAS = 64;

/** What is known of one camera. */
interface CameraState {
  /** Whether something that it sees has changed since its last question. */
  isDue: boolean;
  /** Whether it saw an object of unknown changes: then that object may have gone. */
  sawUnknown: boolean;
  readonly snapshot: Values;
  /** Null sees everything: an ArrayCamera, whose cameras may look anywhere. */
  volume: ViewVolume | null;
  /** The render target of the last question. */
  target: RenderTarget | null;
  /** The frame of the page in which it was last told that its picture has changed: see `ViewRenderer.info`. */
  frame: number | undefined;
  /** The content of the render target is lost. */
  readonly onLost: () => void;
}

/**
 * Tells whether the picture of a camera has changed since it was last asked, so that an application renders only the
 * frames that differ, and a page at rest costs no GPU time:
 *
 *     const changes = new ViewChanges(scene, renderer, [city, new InstanceChanges(trees)]);
 *     renderer.setAnimationLoop(() => {
 *       if (changes.changedIn(camera)) renderer.render(scene, camera);
 *     });
 *
 * It may say that a picture has changed when it has not, but not the other way round. What counts:
 *
 * - **The camera**: its place and projection; the size of the canvas or of a render target, its viewport and scissor,
 *   and that it was resized or disposed of meanwhile; the fields of the renderer such as `toneMapping`, and the fields
 *   of the scene: background, environment, fog.
 * - **Containers**, where the camera sees the old place or the new one, or where a shadow of it may fall: moves,
 *   `visible`, layers, `castShadow`, `receiveShadow`, `renderOrder`, materials and geometries with all their fields,
 *   children and instances added and removed, colours of instances. Static children as in `ShadowUpdates`.
 * - **Lights**: all their fields, wherever they are.
 * - **What no value shows** counts as changed whenever the camera sees it: objects outside of the containers, skinned,
 *   batched and morphing meshes, shader and node materials, callbacks, ClippingGroups, textures of videos, canvases and
 *   render targets. Declare what stands still by `setStill`, and call `redrawAll` after a change of it. A callback of
 *   the scene itself (`scene.onBeforeRender`) counts as a change until the scene is declared still.
 *
 * What a PMREMGenerator has made counts as still: call `redrawAll` after it has drawn into the same texture again. Call
 * it too after `setOpaqueSort` and `setTransparentSort`, which no renderer tells, and after a resize of an
 * OffscreenCanvas to its own size.
 *
 * Not known are post-processing, and effects of the application: ask by one boolean more, as in
 * `changes.changedIn(camera) || isHovering`.
 *
 * @example
 * ```ts
 * import { OctreeGroup, ViewChanges } from 'scene-octree/three';
 *
 * const city = new OctreeGroup();
 * scene.add(city);
 * const changes = new ViewChanges(scene, renderer, [city]);
 * renderer.setAnimationLoop(() => {
 *   if (changes.changedIn(camera)) renderer.render(scene, camera);
 * });
 * ```
 */
export class ViewChanges extends SceneChanges {
  private readonly renderer: ViewRenderer;
  private readonly cameras = new Map<Camera, CameraState>();
  private readonly shared = new Values();
  /** Of `scene.overrideMaterial`, and the textures of the scene and its lights. */
  private readonly override = new Sources();
  private readonly textures = new Textures();
  /** Whether a light of unknown volume saw a caster of unknown changes: then that caster may have gone. */
  private sawUnknown = false;
  private hasShadows = false;
  /** Sees each size that the canvas is given. Null where there is no document. */
  private readonly resizes: MutationObserver | null = null;

  /**
   * @param scene What is rendered.
   * @param renderer The renderer of the scene.
   * @param containers The containers whose changes are known. Their place below the scene may change.
   * @throws {TypeError} If the scene is no Object3D, the renderer has no `getDrawingBufferSize`, or a container is
   *   neither an OctreeGroup nor an InstanceChanges.
   */
  constructor(scene: Object3D, renderer: ViewRenderer, containers: readonly ChangeContainer[] = []) {
    if (typeof (renderer as ViewRenderer | null)?.getDrawingBufferSize !== 'function')
      throwType('ViewChanges', 'renderer', 'have getDrawingBufferSize', renderer, 'pass the renderer');
    super('ViewChanges', scene, containers, {
      shows: SHOWN,
      casts: CASTS,
      wants: ~(CASTER | SPHERE),
      isMaps: false,
    });
    this.renderer = renderer;
    const { domElement } = renderer;
    if (typeof HTMLCanvasElement === 'undefined' || !(domElement instanceof HTMLCanvasElement)) return;
    this.resizes = new MutationObserver(() => void (this.isAll = true));
    this.resizes.observe(domElement, { attributeFilter: ['width', 'height'] });
  }

  /**
   * Whether the picture of a camera may differ from that at the last question with the same camera; true for a new one.
   * Render the scene whenever it is true. Updates the matrices of the scene and of the camera, as `render` does: if
   * most frames change, set `scene.matrixWorldAutoUpdate` to false, and `render` does not update them again.
   *
   * @param target The render target of the picture; null for the canvas. Its size counts.
   * @throws {TypeError} If the camera is no Camera.
   */
  changedIn(camera: Camera, target: RenderTarget | null = null): boolean {
    if (!isObject3D(camera) || !('isCamera' in camera))
      throwType('ViewChanges.changedIn', 'camera', 'be a Camera', camera, 'pass the camera of render');
    refuseProxy('ViewChanges.changedIn', 'camera', camera);
    if (target !== null && (target as Partial<RenderTarget>).textures === undefined)
      throwType('ViewChanges.changedIn', 'target', 'be a render target or null', target, 'pass that of the renderer');
    this.scene.updateMatrixWorld();
    if (camera.parent === null) camera.updateMatrixWorld();
    this.findChanges();
    let state = this.cameras.get(camera);
    if (state === undefined) {
      if (this.cameras.size === MAX_CAMERAS) this.forgetCameras();
      const added: CameraState = {
        isDue: true,
        sawUnknown: false,
        snapshot: new Values(),
        volume: null,
        target: null,
        frame: undefined,
        onLost: () => void (added.isDue = true),
      };
      this.cameras.set(camera, (state = added));
    }
    const { cameras = [] } = camera as Partial<ArrayCamera>;
    const isNew = state.snapshot.take((values) => {
      this.readTarget(target, values);
      for (const each of [camera, ...cameras]) readCamera(each, values);
    });
    if (isNew) state.volume = cameras.length > 0 ? null : (state.volume ?? new ViewVolume()).set(cubeOf(camera));
    watchTarget(state, target);
    const isChanged = isNew || state.isDue;
    // In a frame of the page, WebGPURenderer draws each shadow map once for a camera. A second picture shows the old
    // one.
    const { frame } = (this.renderer.info ?? {}) as { frame?: number };
    const isSecond = frame !== undefined && frame === state.frame && this.hasShadows;
    if (isChanged) {
      state.isDue = isSecond;
      state.frame = frame;
    }
    return isChanged;
  }

  override dispose(): void {
    super.dispose();
    this.resizes?.disconnect();
    this.forgetCameras();
  }

  private forgetCameras(): void {
    for (const state of this.cameras.values()) watchTarget(state, null);
    this.cameras.clear();
  }

  /** Finds what has changed since the last question, and marks the cameras that see it. */
  private findChanges(): void {
    if ((this.resizes?.takeRecords().length ?? 0) > 0) this.isAll = true;
    const { renderer, scope } = this;
    const isBlurred = (renderer.shadowMap as { readonly type?: number }).type === VSMShadowMap;
    scope.casts = isBlurred ? CASTS | RECEIVES : CASTS;
    const found = this.findObjects();
    const isSharedNew = this.shared.take((values) => this.readShared(found, values) || found.isClipped);
    for (const [container, changes] of this.containers) changes.update(null, found.shown.has(container));
    const changed = Array.from(this.containers.values());
    const { unknown } = found;
    const sees = (frustum: Frustum | null): boolean => changed.some((each) => each.isSeenBy(frustum));
    const casters = unknown.filter((object) => (wordOf(object, true) & scope.casts) !== 0);
    let isAll = this.isAll || isSharedNew || this.shared.isUnknown || this.sawUnknown;
    this.isAll = this.sawUnknown = this.hasShadows = false;
    const shadows: ViewVolume[] = [];
    const unknownShadows: ViewVolume[] = [];
    for (const light of found.lights as ShadowCaster[]) {
      if (!light.castShadow || !light.shadow) continue;
      this.hasShadows = true;
      if (hasKnownVolume(light)) {
        const region = new ShadowRegion(light, isBlurred);
        for (const changes of changed) changes.addShadowsTo(region);
        if (region.volume !== null) shadows.push(region.volume);
        if (casters.some((object) => mayBeSeen(object, region.whole.frustum))) unknownShadows.push(region.whole);
      } else {
        this.sawUnknown ||= casters.length > 0;
        isAll ||= this.sawUnknown || sees(null);
      }
    }
    for (const state of this.cameras.values()) {
      const { volume } = state;
      const frustum = volume === null ? null : volume.frustum;
      const meets = (shadow: ViewVolume): boolean => volume === null || volume.meets(shadow);
      const seesNow = unknown.some((object) => mayBeSeen(object, frustum)) || unknownShadows.some(meets);
      state.isDue ||= isAll || seesNow || state.sawUnknown || sees(frustum) || shadows.some(meets);
      state.sawUnknown = seesNow;
    }
    for (const changes of changed) changes.clear();
  }

  /** Adds what decides which part of a canvas or a render target is drawn. */
  private readTarget(target: RenderTarget | null, values: Values): void {
    const { renderer } = this;
    values.push(target);
    if (target !== null)
      values.push(target.width, target.height, target.scissorTest, ...target.viewport, ...target.scissor);
    else {
      const area = readTarget_area;
      for (const read of ['getViewport', 'getScissor'] as const)
        if (renderer[read]) values.push(...renderer[read](area));
      values.push(renderer.domElement, renderer.getScissorTest?.());
    }
  }

  /** Adds what all cameras share. Returns whether it does not show all changes. */
  private readShared({ lights }: SceneObjects, values: Values): boolean {
    const { renderer, scene, scope } = this;
    values.push(...renderer.getDrawingBufferSize(readShared_size), renderer.getClearAlpha(), renderer.shadowMap);
    const color = readShared_color;
    renderer.getClearColor(color);
    values.push(color.r, color.g, color.b);
    const { contextNode } = renderer;
    const { textures } = this;
    textures.update++;
    let isUnknown = readFields(renderer.shadowMap, values, textures);
    values.push(renderer.getMRT?.(), renderer.getRenderObjectFunction?.());
    for (const field of RENDERER_FIELDS)
      isUnknown = readValue((renderer as unknown as Fields)[field], values, textures) || isUnknown;
    // It is a node in any case. With high precision it has two matrices, which do not change what is drawn.
    const isOwn = (key: string): boolean => !renderer.highPrecision || !key.startsWith('model');
    if (contextNode) isUnknown ||= Object.keys(contextNode.getFlowContextData()).some(isOwn);
    if ('isScene' in scene) {
      const { fog, overrideMaterial } = scene as Scene;
      isUnknown = readFields(scene, values, textures) || isUnknown || hasSceneCallback(scene as Scene);
      if (fog) readFields(fog, values, textures);
      if (overrideMaterial) {
        values.push(this.override.takeChanges([{ material: overrideMaterial }]) === 0 ? null : {});
        isUnknown ||= this.override.isUnknown;
      }
      isUnknown &&= !scope.isStill(scene);
    }
    for (const light of lights) isUnknown = readLight(light, values, textures) || isUnknown;
    for (const container of this.containers.keys())
      for (let node: Object3D | null = container; node !== null; node = node.parent)
        values.push(node, node.renderOrder, node.layers.mask);
    return isUnknown;
  }
}

/** Finds out whether the render target of a camera is disposed of, as each change of its size does. */
function watchTarget(state: CameraState, target: RenderTarget | null): void {
  if (target === state.target) return;
  state.target?.removeEventListener('dispose', state.onLost);
  target?.addEventListener('dispose', state.onLost);
  state.target = target;
}

/** Whether it is known what a light with shadows sees: not of several maps, and not of a `shadowNode`. */
function hasKnownVolume(light: ShadowCaster): boolean {
  const shadow: LightShadow & { readonly shadowNode?: object | null } = light.shadow;
  if (shadow.shadowNode) return false;
  if ('isPointLight' in light) return true;
  return ('isDirectionalLight' in light || 'isSpotLight' in light) && shadow.getViewportCount() === 1;
}
const readTarget_area = /* @__PURE__ */ new Vector4();
const readShared_size = /* @__PURE__ */ new Vector2();
const readShared_color = /* @__PURE__ */ new Color();

/** Fields that are not compared: children, which are visited anyway, and what renderers write into a shadow. */
const IGNORED = ['children', 'mapPass', 'matrix'];

/** An object of three with all its fields. */
type Fields = Record<string, unknown>;

/**
 * Adds the values of all fields of an object of three: numbers, and the numbers of colours, vectors, matrices and
 * textures. Of any other object it adds which one it is.
 *
 * @returns Whether they do not show all changes.
 */
function readFields(owner: object, values: Values, textures: Textures): boolean {
  let isUnknown = false;
  for (const [key, value] of Object.entries(owner))
    if (!IGNORED.includes(key) && typeof value !== 'function')
      isUnknown = readValue(value, values, textures) || isUnknown;
  return isUnknown;
}

/** As `readFields`, for the value of one field. */
function readValue(value: unknown, values: Values, textures: Textures): boolean {
  if (typeof value !== 'object' || value === null) values.push(value);
  else if (Array.isArray(value))
    for (const item of value as (Fields | null)[]) {
      const { normal, constant } = (item ?? {}) as { normal?: Iterable<number>; constant?: number };
      if (normal) values.push(...normal, constant);
      else values.push(item);
    }
  else if ('isTexture' in value) {
    const record = textures.recordOf(value as Texture);
    values.push(value, record.changes);
    return record.isUnknown;
  } else if ('toArray' in value && !('isNode' in value)) values.push(...(value as Color).toArray());
  else values.push(value);
  // Shader nodes may depend on time.
  return typeof value === 'object' && value !== null && 'isNode' in value;
}

function readLight(
  light: Light & { readonly shadow?: LightShadow; readonly target?: Object3D },
  values: Values,
  textures: Textures,
): boolean {
  const { shadow, target } = light;
  values.push(light, light.layers.mask);
  const isUnknown = readFields(light, values, textures);
  if (target) values.push(...target.matrixWorld.elements);
  if (light.castShadow && shadow) {
    readFields(shadow, values, textures);
    const { up, layers, projectionMatrix, near, far } = shadow.camera as PerspectiveCamera;
    values.push(...up, layers.mask, near, far, ...projectionMatrix.elements);
  }
  return isUnknown;
}
