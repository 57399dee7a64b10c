/**
 * The renderer of a pass, and what it does to all objects of the pass. Before a renderer draws, it passes itself to one
 * callback only: `scene.onBeforeRender`, which it calls after the update of the matrices and before the pass. So each
 * update of a container wraps this callback: until its next call, or for as long as the scene does not update its
 * matrices itself.
 */

import { Object3D, type Scene } from 'three';

type Callback = Scene['onBeforeRender'];

/** What the renderers have, some of it only one of them. */
interface PassRenderer {
  /** Of WebGLRenderer. */
  readonly capabilities?: { readonly precision?: string };
  /** Of WebGLRenderer: planes that clip the whole scene. */
  readonly clippingPlanes?: readonly object[];
  /** Changes the nodes of all materials. */
  readonly contextNode?: { getFlowContextData(): ContextData };
  readonly highPrecision?: boolean;
  /** Of WebGPURenderer: whether it draws opaque objects, and whether its canvas has a depth buffer. */
  readonly opaque?: boolean;
  readonly depth?: boolean;
  /** Chooses what is drawn. */
  readonly drawingPipeline?: object;
  /** Of WebGPURenderer: what draws, WebGPU or WebGL. */
  readonly backend?: { readonly isWebGPUBackend?: boolean };
  /** Whether it draws objects in another order than that of the scene. */
  readonly sortObjects?: boolean;
  /** The outputs of the pass. */
  getMRT?(): (ShaderNode & { get(name: string): ShaderNode | undefined }) | null;
  /** Draws each object, in place of the renderer. */
  getRenderObjectFunction?(): object | null;
  /** Null: the canvas. */
  getRenderTarget?(): { readonly depthBuffer: boolean } | null;
  /** Of WebGLRenderer: the attributes of its canvas. */
  getContextAttributes?(): { readonly depth?: boolean } | null;
}

/** What of a context node can move vertices, or change what is drawn. */
interface ContextData {
  readonly overrideNodes?: unknown;
  readonly getAttribute?: unknown;
  readonly modelViewMatrix?: unknown;
  readonly getOutput?: unknown;
  readonly getUV?: unknown;
}

interface ShaderNode {
  readonly type: string;
  readonly name?: string;
  readonly updateType?: string;
  getChildren(): ShaderNode[];
  traverse(visitor: (node: object) => void): void;
}

/** The node that computes motion vectors. three keeps for it the world matrix with which it drew each object last. */
export interface VelocityNode {
  /** Keeps the world matrix of an object. three calls it after it has drawn the object. */
  updateAfter(frame: { readonly object: Object3D }): void;
}

/** By scene: what has drawn it, or a scene below it, last. */
const renderers = /* @__PURE__ */ new WeakMap<Scene, PassRenderer>();
/** The wrappers that are still to be called, with the callback that each of them wraps. */
const waiting = /* @__PURE__ */ new WeakMap<Callback, Callback>();
/** What is called when the next render of a scene begins. */
const listeners = /* @__PURE__ */ new WeakMap<Scene, Set<() => void>>();

/**
 * Call in each update of a container. Finds out which renderer draws the passes until the next update.
 *
 * @param onRender Is called once, when the next render of a scene above begins. It may add children to the scene.
 */
export function awaitRenderer(container: Object3D, onRender?: () => void): void {
  for (const scene of scenesAbove(container)) {
    if (onRender !== undefined) listeners.set(scene, (listeners.get(scene) ?? new Set()).add(onRender));
    const callback = callbackOf(scene);
    if (waiting.has(callback)) continue;
    const isOwn = Object.hasOwn(scene, 'onBeforeRender');
    const wrapper: Callback = (...args) => {
      // A scene that does not update its matrices itself may be drawn by another renderer without an update before.
      if (scene.matrixWorldAutoUpdate) {
        waiting.delete(wrapper);
        if (callbackOf(scene) === wrapper)
          if (isOwn) scene.onBeforeRender = callback;
          else delete (scene as Partial<Scene>).onBeforeRender;
      }
      for (const each of [scene, ...scenesAbove(scene)]) renderers.set(each, args[0]);
      const called = listeners.get(scene) ?? [];
      listeners.delete(scene);
      for (const each of called) each();
      Reflect.apply(callback, scene, args);
    };
    waiting.set(wrapper, callback);
    scene.onBeforeRender = wrapper;
  }
}

/** The renderer of the passes until the next update of a container; undefined if it is not known. */
export function rendererOf(scene: Scene): PassRenderer | undefined {
  return renderers.get(scene);
}

/** Remembers which renderer drew a container last. */
export class LastRenderer {
  private last: PassRenderer | undefined;

  /**
   * Whether the pass that begins now is drawn by another renderer than that of the last call; false at the first. Each
   * renderer has buffers of its own, but the update ranges of an attribute are gone once one of them has uploaded it:
   * then the other must upload all of it.
   */
  isOther(container: Object3D): boolean {
    const { last } = this;
    for (const scene of scenesAbove(container)) this.last = rendererOf(scene) ?? this.last;
    return last !== undefined && last !== this.last;
  }
}

/** Whether the user has set `onBeforeRender` of a scene. */
export function hasSceneCallback(scene: Scene): boolean {
  const callback = callbackOf(scene);
  return (waiting.get(callback) ?? callback) !== Object3D.prototype.onBeforeRender;
}

/**
 * Whether a pass that begins now must get all objects. Either its context node may move vertices. Or it computes motion
 * vectors with another drawing pipeline than the standard one: those of three cull on the GPU, and keep the matrices of
 * the last frame by the index of an object among those that they got.
 */
export function needsAllObjects(scene: Scene): boolean {
  const renderer = renderers.get(scene);
  if (renderer === undefined) return false;
  const { contextNode, drawingPipeline, highPrecision } = renderer;
  const data = contextNode?.getFlowContextData();
  if (data?.overrideNodes || data?.getAttribute || (data?.modelViewMatrix && !highPrecision)) return true;
  return drawingPipeline !== undefined && isOfSubclass(drawingPipeline) && velocityNodeOf(scene) !== null;
}

/**
 * Why each object must be drawn, and by itself, in the pass that begins now: code in the renderer may be called for
 * it, or draw it in another way. In words; null if no code does.
 */
export function objectCodeOf(scene: Scene): string | null {
  const renderer = renderers.get(scene);
  if (renderer?.getRenderObjectFunction?.()) return 'a function of the renderer draws each object';
  const data = renderer?.contextNode?.getFlowContextData();
  if (data?.getOutput || data?.getUV) return 'a context node of the renderer changes what materials draw';
  const mrt = renderer?.getMRT?.();
  if (!mrt) return null;
  if (!sharedOutputs.has(mrt)) sharedOutputs.set(mrt, isSharedNode(mrt));
  return sharedOutputs.get(mrt) ? null : 'an output of the pass may read the object';
}
/**
 * By MRT node: whether all of its outputs are shared. Kept, because a test takes 50 us; renderers, too, read a node
 * once.
 */
const sharedOutputs = /* @__PURE__ */ new WeakMap<object, boolean>();

/**
 * Whether an output has the same value for an object and for a batch that draws it: it is computed from what the
 * material computes, normals and motion vectors. False for all other nodes: their functions cannot be inspected.
 */
function isSharedNode(node: ShaderNode): boolean {
  const { type, name, updateType } = node;
  if (type === 'VelocityNode' || (type === 'VarNode' && (name === 'normalView' || name === 'normalWorld'))) return true;
  if (type === 'UniformNode') return updateType !== 'object';
  return SHARED_NODES.test(type) && node.getChildren().every(isSharedNode);
}
const SHARED_NODES = /^(Const|Convert|Join|Math|MRT|Operator|Property|Screen|Split)Node$/;

/** Whether the pass that begins now draws opaque objects, and tests their depths. */
export function drawsWithDepth(scene: Scene): boolean {
  const renderer = renderers.get(scene);
  const target = renderer?.getRenderTarget?.() ?? null;
  const hasDepth = target?.depthBuffer ?? (renderer?.depth ?? renderer?.getContextAttributes?.()?.depth) !== false;
  return hasDepth && renderer?.opaque !== false;
}

/** The node that computes motion vectors in the pass that begins now; null if there is none. */
export function velocityNodeOf(scene: Scene): VelocityNode | null {
  let found: VelocityNode | null = null;
  renderers
    .get(scene)
    ?.getMRT?.()
    ?.get('velocity')
    ?.traverse((node) => {
      if ('previousModelWorldMatrix' in node) found = node as unknown as VelocityNode;
    });
  return found;
}

/**
 * The scenes above an object. A renderer reads the override material and the callbacks of the scene that it renders,
 * which may be any of them.
 */
export function scenesAbove(object: Object3D): Scene[] {
  const scenes: Scene[] = [];
  for (let node = object.parent; node !== null; node = node.parent) if ('isScene' in node) scenes.push(node as Scene);
  return scenes;
}

/** Whether the class of an object extends a class. The standard drawing pipeline extends none. */
function isOfSubclass(object: object): boolean {
  return Object.getPrototypeOf(Object.getPrototypeOf(object)) !== Object.prototype;
}

/** `onBeforeRender`, to be compared. */
function callbackOf(scene: Scene): Callback {
  return Reflect.get(scene, 'onBeforeRender');
}
