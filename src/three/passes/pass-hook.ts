/**
 * How a container shows each render pass only what that pass can see. Uses public members of three only.
 *
 * three has no callback "which children for this pass?". But every renderer visits the objects of a scene in one fixed
 * order of calls, and each of these calls goes to a member that an object may override. A container therefore puts two
 * objects in place of its children: a probe (an LOD), which receives the camera, and a hook (a Mesh), which receives
 * the frustum and then hands out the visible objects.
 *
 *     the renderer calls or reads               overridden by   effect, and what it returns
 *     ---------------------------------------   -------------   ---------------------------------------------------
 *     1. container.layers.test(camera.layers)   ArmingLayers    arms the container; returns the result of plain layers
 *     2. container.children                     withPasses      armed: disarms, returns [probe, hook]; otherwise the
 *                                                               real children
 *     3.   probe.update(camera)                 PassProbe       stores the camera of the pass; WebGLShadowMap leaves
 *                                                               this call out
 *     4.   hook.intersectsFrustum(frustum)      PassHook        queries the octree, keeps the visible objects; returns
 *                                                               false, so that the hook itself is not drawn
 *     5.   hook.children                        PassHook        returns the visible objects, once; the renderer
 *                                                               traverses them
 *
 * Between 1 and 2, and between 3 and 5, a renderer runs no user code. So user code, which reads `children` without step
 * 1, finds the real children; a container that was armed by accident is disarmed by `disarm`, or in the next microtask.
 *
 * Each camera, shadow map, reflection and viewport makes these five calls with its own frustum. Where step 4 is left
 * out (a BundleGroup of WebGPURenderer, three before r186), step 5 returns all objects: nothing is culled, and nothing
 * is missing.
 *
 * three documents the members, but promises no order of calls. test/browser/passes.test.ts fails if a new three changes
 * it.
 */

import { BufferGeometry, Layers, LOD, Mesh, MeshBasicMaterial } from 'three';
import type { Camera, Frustum, FrustumArray, Intersection, Object3D, Raycaster } from 'three';

/** What a hook calls on its container: see `PassContainer`. */
interface HookOwner {
  visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[];
  allObjects(): Object3D[];
  raycastChildren(raycaster: Raycaster, hits: Intersection[]): void;
}

/**
 * Step 1: the layers of a container. They record that they were tested; the result is as for plain layers. Only the
 * layers that were tested last are armed: step 2 follows at once.
 */
export class ArmingLayers extends Layers {
  override test(layers: Layers): boolean {
    arm(this);
    return super.test(layers);
  }

  /** Whether the layers were tested last: then a renderer or a raycaster is about to read the children. */
  get isArmed(): boolean {
    return armed === this;
  }

  /** As `isArmed`. Disarms. */
  takeArmed(): boolean {
    if (armed !== this) return false;
    armed = null;
    return true;
  }
}
let armed: ArmingLayers | null = null;
let isDisarmQueued = false;
/** Whether the armed container is waiting for a raycaster. */
let isRayExpected = false;

/**
 * Arms layers until the next microtask, for code that tests the layers and then does not read the children. One
 * microtask at a time.
 */
function arm(layers: ArmingLayers): void {
  armed = layers;
  isRayExpected = false;
  if (isDisarmQueued) return;
  isDisarmQueued = true;
  // In Chromium it takes 15 ns, `queueMicrotask` 500.
  void Promise.resolve().then(() => {
    armed = null;
    isDisarmQueued = false;
  });
}

/**
 * For the `raycast` of a container whose hits come from its hook. A raycaster that is not recursive does not read the
 * children afterwards, but its caller may. Before it returns, it sorts the hits: so the sort disarms. (If it shares no
 * layer with the container, it has only tested the layers: see `arm`.)
 */
export function expectRay(hits: Intersection[]): void {
  isRayExpected = true;
  Object.defineProperty(hits, 'sort', {
    configurable: true,
    value(compare?: (a: Intersection, b: Intersection) => number) {
      armed = null;
      Reflect.deleteProperty(hits, 'sort');
      return hits.sort(compare);
    },
  });
}

/** Whether a raycaster reads the children of the container that was disarmed last. */
export function isCastingRay(): boolean {
  return isRayExpected;
}

/**
 * Layers of probes and hooks: every camera visits them. The layers of the visible objects decide which of them
 * are drawn.
 */
class AllLayers extends Layers {
  override test(): boolean {
    return true;
  }
}

/**
 * Step 3: an LOD that is not drawn. Renderers update every LOD that they visit, after all matrices and before they draw
 * shadow maps; only the shadow maps of WebGLRenderer leave it out. A clone does nothing.
 */
export class PassProbe extends LOD {
  readonly onPass: ((camera: Camera) => void) | undefined;

  constructor(onPass?: (camera: Camera) => void) {
    super();
    this.onPass = onPass;
    this.layers = new AllLayers();
  }

  override update(camera: Camera): void {
    this.onPass?.(camera);
  }
}

/**
 * The class Mesh with `children` as an accessor. Of the class: engines keep an object with an accessor of its own in a
 * slow form.
 */
function meshWithTakenChildren(): typeof TakenMesh {
  class MeshWithTakenChildren extends Mesh {}
  Object.defineProperty(MeshWithTakenChildren.prototype, 'children', {
    get(this: TakenMesh) {
      return this.takeChildren();
    },
    // The constructor of three assigns an array.
    set() {},
  });
  return MeshWithTakenChildren as unknown as typeof TakenMesh;
}
declare abstract class TakenMesh extends Mesh {
  /** Called for each read of `children`. */
  abstract takeChildren(): Object3D[];
}

/** Steps 4 and 5: a Mesh that is never drawn. It receives the frustum, and its children are the visible objects. */
export class PassHook extends /* @__PURE__ */ meshWithTakenChildren() {
  readonly probe = new PassProbe((camera) => (this.camera = camera));
  private readonly owner: HookOwner;
  /** Of the current pass, from step 3 to step 4 or 5. */
  private camera: Camera | null = null;
  /** The visible objects of the current pass: set in step 4, taken in step 5; null otherwise. */
  private visibleObjects: Object3D[] | null = null;

  constructor(owner: HookOwner) {
    super((hookGeometry ??= new BufferGeometry()), (hookMaterial ??= new MeshBasicMaterial({ visible: false })));
    this.owner = owner;
    this.layers = new AllLayers();
    // WebGLShadowMap calls `intersectsFrustum` only for objects that cast a shadow.
    this.castShadow = true;
  }

  /** Step 2: what a renderer or a raycaster visits. Forgets a pass that an error has ended. */
  begin(): Object3D[] {
    this.camera = this.visibleObjects = null;
    return [this.probe, this];
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    const { camera } = this;
    this.camera = null;
    this.visibleObjects = this.owner.visibleIn(frustum, camera);
    return false;
  }

  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    this.owner.raycastChildren(raycaster, hits);
    return false;
  }

  /** @internal Step 5. */
  override takeChildren(): Object3D[] {
    const children = this.visibleObjects ?? this.owner.allObjects();
    this.visibleObjects = null;
    return children;
  }
}
/** Of all hooks, because nothing draws them. */
let hookGeometry: BufferGeometry | undefined;
let hookMaterial: MeshBasicMaterial | undefined;
