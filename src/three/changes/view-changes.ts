/** Whether the picture of a camera has changed, so that an application renders only the frames that differ. */

import {
  Color,
  Frustum,
  Material,
  Matrix4,
  Vector2,
  type ArrayCamera,
  type Camera,
  type Light,
  type LightShadow,
  type Object3D,
  type RenderTarget,
  type Scene,
  type Vector4,
} from 'three';
import { throwType } from '../../octree/input/input-checks.ts';
import { isObject3D, isSprite } from '../bounds/object-kinds.ts';
import { isLod } from '../bounds/object-traits.ts';
import { hasCallback } from '../passes/pass-renderer.ts';
import { Snapshot } from '../passes/snapshot.ts';
import { DRAWN, readTexture } from './object-values.ts';
import {
  mayBeSeen,
  SceneChanges,
  volumeOf,
  type ChangeContainer,
  type SceneObjects,
  type ShadowCaster,
} from './scene-changes.ts';

/** What `ViewChanges` needs of a WebGLRenderer or a WebGPURenderer. */
export interface ViewRenderer {
  /** As in three. */
  getDrawingBufferSize(target: Vector2): Vector2;
  /** As in three. */
  getClearColor(target: Color): unknown;
  /** As in three. */
  getClearAlpha(): number;
  /** As in three. */
  readonly shadowMap: object;
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
  'outputColorSpace',
  'sortObjects',
  'localClippingEnabled',
  'clippingPlanes',
  'transmissionResolutionScale',
];
/** Largest number of cameras that are remembered. */
const MAX_CAMERAS = 64;

/** What is known of one camera. */
interface CameraState {
  /** Whether something that it sees has changed since its last question. */
  isDue: boolean;
  /** Whether it saw an object of unknown changes: then that object may have gone. */
  sawUnknown: boolean;
  readonly snapshot: Snapshot;
  /** Null sees everything: an ArrayCamera, whose cameras may look anywhere. */
  frustum: Frustum | null;
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
 * - **The camera**: its place and projection, the size of the canvas or of a render target, the fields of the renderer
 *   such as `toneMapping`, and the fields of the scene: background, environment, fog.
 * - **Containers**, where the camera sees the old place or the new one, and where a light with shadows does: moves,
 *   `visible`, layers, `castShadow`, `receiveShadow`, `renderOrder`, materials and geometries with all their fields,
 *   children and instances added and removed, colours of instances. Static children as in `ShadowUpdates`.
 * - **Lights**: all their fields, wherever they are.
 * - **What no value shows** counts as changed whenever the camera sees it: objects outside of the containers, skinned,
 *   batched and morphing meshes, shader and node materials, callbacks, ClippingGroups, textures of videos, canvases and
 *   render targets. Declare what stands still by `setStill`, and call `redrawAll` after a change of it. A callback of
 *   the scene itself (`scene.onBeforeRender`) counts as a change until the scene is declared still.
 *
 * Not known are post-processing, and effects of the application: ask by one boolean more, as in
 * `changes.changedIn(camera) || isHovering`.
 */
export class ViewChanges extends SceneChanges {
  private readonly renderer: ViewRenderer;
  private readonly cameras = new Map<Camera, CameraState>();
  private readonly shared = new Snapshot();
  private sawUnknown = false;

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
      shows: DRAWN,
      readMaterial,
      readMore: (object, values) => this.readMore(object, values),
    });
    this.renderer = renderer;
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
    this.scene.updateMatrixWorld();
    if (camera.parent === null) camera.updateMatrixWorld();
    this.findChanges();
    let state = this.cameras.get(camera);
    if (state === undefined) {
      if (this.cameras.size === MAX_CAMERAS) this.cameras.clear();
      state = { isDue: true, sawUnknown: false, snapshot: new Snapshot(), frustum: null };
      this.cameras.set(camera, state);
    }
    const { cameras = [] } = camera as Partial<ArrayCamera>;
    const isNew = state.snapshot.take((values) => {
      values.push(target, target?.width, target?.height);
      for (const each of [camera, ...cameras]) readCamera(each, values);
    });
    const { isDue } = state;
    state.isDue = false;
    if (!isNew) return isDue;
    const { coordinateSystem, reversedDepth, projectionMatrix, matrixWorldInverse } = camera;
    changedIn_matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse);
    state.frustum =
      cameras.length > 0
        ? null
        : (state.frustum ?? new Frustum()).setFromProjectionMatrix(changedIn_matrix, coordinateSystem, reversedDepth);
    return true;
  }

  /** Finds what has changed since the last question, and marks the cameras that see it. */
  private findChanges(): void {
    const found = this.findObjects();
    const isSharedNew = this.shared.take((values) => this.readShared(found, values) || found.isClipped);
    for (const [container, changes] of this.containers) changes.update(null, found.shown.has(container));
    const changed = Array.from(this.containers.values());
    const { unknown } = found;
    const sees = (frustum: Frustum | null): boolean => changed.some((each) => each.isSeenBy(frustum));
    const seesUnknown = (frustum: Frustum | null): boolean => unknown.some((object) => mayBeSeen(object, frustum));
    // A shadow may fall into any view.
    const volumes = found.lights.filter(({ castShadow, shadow }) => castShadow && shadow).map(knownVolumeOf);
    const seesUnknownCaster = volumes.some(seesUnknown);
    const isAll =
      this.isAll || isSharedNew || this.shared.isUnknown || this.sawUnknown || seesUnknownCaster || volumes.some(sees);
    this.isAll = false;
    this.sawUnknown = seesUnknownCaster;
    for (const state of this.cameras.values()) {
      const seesNow = seesUnknown(state.frustum);
      state.isDue ||= isAll || seesNow || state.sawUnknown || sees(state.frustum);
      state.sawUnknown = seesNow;
    }
    for (const changes of changed) changes.clear();
  }

  /** Adds what all cameras share. Returns whether it does not show all changes. */
  private readShared({ lights }: SceneObjects, values: unknown[]): boolean {
    const { renderer, scene, scope } = this;
    values.push(...renderer.getDrawingBufferSize(readShared_size), renderer.getClearAlpha(), renderer.shadowMap);
    const color = readShared_color;
    renderer.getClearColor(color);
    values.push(color.r, color.g, color.b);
    const { contextNode } = renderer;
    let isUnknown = readFields(renderer.shadowMap, values);
    for (const field of RENDERER_FIELDS)
      isUnknown = readValue((renderer as unknown as Fields)[field], values) || isUnknown;
    // It is a node in any case. With high precision it has two matrices, which do not change what is drawn.
    const isOwn = (key: string): boolean => !renderer.highPrecision || !key.startsWith('model');
    if (contextNode) isUnknown ||= Object.keys(contextNode.getFlowContextData()).some(isOwn);
    if ('isScene' in scene) {
      const { fog, overrideMaterial } = scene as Scene;
      isUnknown = readFields(scene, values) || isUnknown || hasCallback(scene as Scene);
      if (fog) readFields(fog, values);
      if (overrideMaterial) isUnknown = readMaterial(overrideMaterial, values) || isUnknown;
      isUnknown &&= !scope.isStill(scene);
    }
    for (const light of lights) isUnknown = readLight(light, values) || isUnknown;
    for (const container of this.containers.keys())
      for (let node: Object3D | null = container; node !== null; node = node.parent) this.readMore(node, values);
    return isUnknown;
  }

  /** See `ChangeScope.readMore`. */
  private readMore(object: Object3D, values: unknown[]): boolean {
    values.push(object, object.renderOrder, object.layers.mask);
    if (isSprite(object)) values.push(...object.center);
    const { instanceColor } = object as { instanceColor?: { version: number } | null };
    if (instanceColor) values.push(instanceColor, instanceColor.version);
    return isLod(object) && object.autoUpdate;
  }
}

function readCamera(camera: Camera & { readonly viewport?: Vector4 }, values: unknown[]): void {
  const { coordinateSystem, reversedDepth, projectionMatrix, matrixWorld, layers, viewport } = camera;
  values.push(...matrixWorld.elements, ...projectionMatrix.elements, layers.mask, coordinateSystem, reversedDepth);
  if (viewport) values.push(...viewport);
}

/** What a light with shadows sees; null if that is not known: several maps, or a `shadowNode`. */
function knownVolumeOf(light: Light): Frustum | null {
  const { shadow } = light as ShadowCaster;
  const isPoint = 'isPointLight' in light;
  const hasOneMap = isPoint || 'isDirectionalLight' in light || 'isSpotLight' in light;
  if (!hasOneMap || (!isPoint && shadow.getViewportCount() > 1) || (shadow as { shadowNode?: object }).shadowNode)
    return null;
  if (!isPoint) shadow.updateMatrices(light);
  return volumeOf(light as ShadowCaster, new Frustum());
}
const changedIn_matrix = /* @__PURE__ */ new Matrix4();
const readShared_size = /* @__PURE__ */ new Vector2();
const readShared_color = /* @__PURE__ */ new Color();

/** An object of three with all its fields. */
type Fields = Record<string, unknown>;

/**
 * Adds the values of all fields of an object of three: numbers, and the numbers of colours, vectors, matrices and
 * textures. Of any other object it adds which one it is.
 *
 * @returns Whether they do not show all changes.
 */
function readFields(owner: object, values: unknown[]): boolean {
  let isUnknown = false;
  for (const [key, value] of Object.entries(owner))
    if (key !== 'children' && typeof value !== 'function') isUnknown = readValue(value, values) || isUnknown;
  return isUnknown;
}

/** As `readFields`, for the value of one field. */
function readValue(value: unknown, values: unknown[]): boolean {
  if (typeof value !== 'object' || value === null) values.push(value);
  else if (Array.isArray(value))
    for (const item of value as (Fields | null)[]) {
      const { normal, constant } = (item ?? {}) as { normal?: Iterable<number>; constant?: number };
      if (normal) values.push(...normal, constant);
      else values.push(item);
    }
  else if ('isTexture' in value) return readTexture(value as never, values);
  else if ('toArray' in value) (value as Color).toArray(values as number[], values.length);
  else values.push(value);
  // Shader nodes may depend on time.
  return typeof value === 'object' && value !== null && 'isNode' in value;
}

/** Adds the values of a material. Returns whether they do not show all changes. */
function readMaterial(material: Material, values: unknown[]): boolean {
  values.push(material);
  const { prototype } = Material;
  return (
    readFields(material, values) ||
    'isShaderMaterial' in material ||
    'isNodeMaterial' in material ||
    material.onBeforeCompile !== prototype.onBeforeCompile ||
    material.onBeforeRender !== prototype.onBeforeRender
  );
}

function readLight(
  light: Light & { readonly shadow?: LightShadow; readonly target?: Object3D },
  values: unknown[],
): boolean {
  const { shadow, target } = light;
  values.push(light, light.layers.mask);
  const isUnknown = readFields(light, values);
  if (target) values.push(...target.matrixWorld.elements);
  if (light.castShadow && shadow) {
    readFields(shadow, values);
    values.push(...shadow.camera.projectionMatrix.elements, shadow.camera.layers.mask);
  }
  return isUnknown;
}
