/**
 * `verify`: draws the picture of a frame a second time as plain three would, and compares. The hooks are public members
 * of three: a group whose `layers` are plain ones shows a pass all its children, and instances with `frustumCulled =
 * false` are all drawn.
 */

import {
  Layers,
  Raycaster,
  REVISION,
  Vector2,
  WebGLRenderTarget,
  type Camera,
  type LightShadow,
  type Object3D,
} from 'three';
import { OctreeInstances } from '../instances/octree-instances.ts';
import { isBetween, requireFunction, throwRange, throwType } from '../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../octree/input/known-options.ts';
import { isObject3D } from '../three/bounds/object-kinds.ts';
import { OctreeGroup } from '../three/group/octree-group.ts';
import type { MemberDrawing } from '../three/group/member-drawing.ts';
import type { PassOcclusion } from '../three/passes/pass-occlusion.ts';
import { isShown } from '../three/picking/pickable.ts';
import { warnOnce } from '../three/passes/warnings.ts';
import { explainDrawing } from './explain.ts';

/** Default share of the calls that compare. */
const DEFAULT_SHARE = 1 / 500;
/** Pixels of the small picture. WebGPU reads rows of multiples of 64 pixels. */
const WIDTH = 256;
const HEIGHT = 144;
/** Pixels that may differ: edges of triangles, whose vertices batches transform on the CPU. */
const MAX_PIXELS = 4;
/** Largest sum of the differences of the channels of a pixel that counts as equal. */
const MAX_SUM = 8;
/** Differing pixels through which rays look for objects. */
const MAX_RAYS = 32;
/** Objects that a report explains. */
const MAX_OBJECTS = 4;

/** What `verify` needs of a WebGLRenderer or a WebGPURenderer. */
export interface VerifiedRenderer {
  /** Draws a scene. */
  render(scene: Object3D, camera: Camera): unknown;
}

/** What it uses beside. */
interface FullRenderer extends VerifiedRenderer {
  autoClear: boolean;
  readonly xr?: { enabled: boolean };
  readonly info: { readonly render: Record<string, number> };
  readonly backend?: { readonly isWebGPUBackend?: boolean };
  getRenderTarget(): WebGLRenderTarget | null;
  getActiveCubeFace(): number;
  getActiveMipmapLevel(): number;
  setRenderTarget(target: WebGLRenderTarget | null, face?: number, level?: number): void;
  readRenderTargetPixelsAsync(...args: unknown[]): Promise<Uint8Array>;
}

/** How `verify` compares. */
export interface VerifyOptions {
  /** Share of the calls that compare: 1 for all. Default 1 / 500: once in some seconds. */
  readonly share?: number;
  /** Called with a difference, in place of a console warning. */
  readonly onDifference?: (difference: Difference) => void;
}

const OPTIONS: KnownOptions<VerifyOptions> = ['share', 'onDifference'];

/** A picture that differs from that of plain three. */
export interface Difference {
  /** Number of pixels that differ, of 256 x 144. */
  readonly pixels: number;
  /** The feature without which the picture is right, in words. */
  readonly feature: string;
  /** What should be seen at these pixels. */
  readonly objects: readonly Object3D[];
  /** All of it, as a text for a report. */
  readonly text: string;
}

const NOTHING: Promise<null> = /* @__PURE__ */ Promise.resolve(null);
/** By renderer: calls since the last comparison. */
const calls = /* @__PURE__ */ new WeakMap<object, number>();

/** The features that may be at fault, in the order in which they are switched off. */
const FEATURES = ['occlusion culling', 'batches', 'frustum culling'] as const;
type Feature = (typeof FEATURES)[number];

/**
 * Compares now and then what the containers of a scene draw with what plain three draws: for the time of development.
 * Call it after each `renderer.render(scene, camera)`. In one of 500 calls it draws the scene twice more into a small
 * target, once with all containers as plain groups. A difference is reported once, with the objects concerned, the
 * feature without which the picture is right, and the words for a report.
 *
 * Shadow maps are not drawn again: both pictures use those that there are. `minScreenSize` changes pictures by intent,
 * so it is off in both. Pixels that differ from one drawing to the next, by time or chance, are not compared. The state
 * of the renderer is as before, but callbacks such as `onBeforeRender` are called once more for each drawing.
 *
 * Cost: in a call that compares, two passes and two uploads of what is drawn only plainly; in others none.
 *
 * @param renderer The WebGLRenderer or WebGPURenderer that draws the scene.
 * @param scene The scene that it has just drawn.
 * @param camera The camera with which it has drawn it.
 * @param options How often it compares, and who gets a difference.
 * @returns The difference; null if there is none, or if this call compares nothing.
 * @throws {TypeError} If an argument is of another type, or an option is unknown.
 * @throws {RangeError} If the share is not from 0 to 1.
 *
 * @example
 * ```ts
 * import { verify } from 'scene-octree/debug-three';
 *
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera);
 *   void verify(renderer, scene, camera);
 * });
 * ```
 */
export async function verify(
  renderer: VerifiedRenderer,
  scene: Object3D,
  camera: Camera,
  options: VerifyOptions = {},
): Promise<Difference | null> {
  const where = 'verify';
  if (typeof (renderer as VerifiedRenderer | null)?.render !== 'function')
    throwType(where, 'renderer', 'be a renderer', renderer, 'pass the one that draws the scene');
  if (!isObject3D(scene)) throwType(where, 'scene', 'be an Object3D', scene, 'pass the one that was just drawn');
  if ((camera as Camera | null)?.isCamera !== true)
    throwType(where, 'camera', 'be a Camera', camera, 'pass the one that you render with');
  requireOptions(where, options, OPTIONS);
  requireFunction(where, 'options.onDifference', options.onDifference);
  const { share = DEFAULT_SHARE, onDifference } = options;
  if (!isBetween(share, 0, 1)) throwRange(where, 'options.share', 'be from 0 to 1', share, 'leave it out for 1 / 500');
  const count = (calls.get(renderer) ?? 0) + 1;
  calls.set(renderer, count * share < 1 ? count : 0);
  if (count * share < 1) return NOTHING;
  const difference = await new Comparison(renderer as FullRenderer, scene, camera).find();
  if (difference === null) return null;
  if (onDifference === undefined) warnOnce(scene, difference.feature, difference.text);
  else onDifference(difference);
  return difference;
}

class Comparison {
  private readonly renderer: FullRenderer;
  private readonly scene: Object3D;
  private readonly camera: Camera;
  private readonly containers: (OctreeGroup | OctreeInstances)[] = [];
  private readonly shadows: LightShadow[] = [];

  constructor(renderer: FullRenderer, scene: Object3D, camera: Camera) {
    this.renderer = renderer;
    this.scene = scene;
    this.camera = camera;
    scene.traverse((object) => {
      if (object instanceof OctreeGroup || object instanceof OctreeInstances) this.containers.push(object);
      const { shadow } = object as { readonly shadow?: LightShadow };
      if ('isLight' in object && shadow) this.shadows.push(shadow);
    });
  }

  async find(): Promise<Difference | null> {
    const [plain, found] = await this.draw([new Set(FEATURES), new Set()]);
    if (differing(plain, found).length <= MAX_PIXELS) return null;
    // Again, with each feature off, and once more as it is: both pictures of a scene that does not change are equal.
    const off: ReadonlySet<Feature>[] = [new Set(FEATURES), new Set(FEATURES), new Set(), new Set()];
    for (const feature of FEATURES) off.push(new Set([feature]));
    const [expected, again, now, nowAgain, ...without] = await this.draw(off);
    const restless = new Set([...differing(expected, again), ...differing(now, nowAgain)]);
    const countOf = (a: Uint32Array, b: Uint32Array): number[] =>
      differing(a, b).filter((pixel) => !restless.has(pixel));
    const pixels = countOf(expected, now);
    if (pixels.length <= MAX_PIXELS) return null;
    const guilty = FEATURES.find((_, k) => countOf(expected, without[k]).length <= MAX_PIXELS);
    const feature = guilty ?? 'several features';
    const objects = this.objectsAt(pixels);
    const sentences = objects.map((object) => `${explainDrawing(object, this.camera).text}.`);
    const where = `three r${REVISION}, ${this.renderer.backend === undefined ? 'WebGLRenderer' : 'WebGPURenderer'}`;
    const text = [
      `scene-octree: ${pixels.length} of ${WIDTH * HEIGHT} pixels differ from those of plain three; without ${feature} they are equal.`,
      ...sentences,
      ...(guilty === 'occlusion culling' ? ['Are all boxes solid that setOccluder or auto has named?'] : []),
      `If your settings are right, please report it with this text and a scene that shows it (${where}).`,
    ].join(' ');
    return { pixels: pixels.length, feature, objects, text };
  }

  /** Draws the scene some times, each time without some features, and reads the pictures. */
  private async draw(variants: readonly ReadonlySet<Feature>[]): Promise<Uint32Array[]> {
    const { renderer, scene, camera, shadows } = this;
    const targets = variants.map(() => new WebGLRenderTarget(WIDTH, HEIGHT));
    const { autoClear, xr, info } = renderer;
    const target = renderer.getRenderTarget();
    const face = renderer.getActiveCubeFace();
    const level = renderer.getActiveMipmapLevel();
    const isXr = xr?.enabled;
    const numbers = { ...info.render };
    const updates = shadows.map(({ autoUpdate, needsUpdate }) => ({ autoUpdate, needsUpdate }));
    const { matrixWorldAutoUpdate } = scene;
    try {
      renderer.autoClear = true;
      if (xr !== undefined) xr.enabled = false;
      scene.matrixWorldAutoUpdate = false;
      for (const shadow of shadows) shadow.autoUpdate = shadow.needsUpdate = false;
      for (const [k, off] of variants.entries()) {
        renderer.setRenderTarget(targets[k]);
        this.without(off, () => renderer.render(scene, camera));
      }
    } finally {
      renderer.autoClear = autoClear;
      if (xr !== undefined) xr.enabled = isXr!;
      scene.matrixWorldAutoUpdate = matrixWorldAutoUpdate;
      for (const [k, shadow] of shadows.entries()) Object.assign(shadow, updates[k]);
      renderer.setRenderTarget(target, face, level);
      for (const [name, value] of Object.entries(numbers)) if (typeof value === 'number') info.render[name] = value;
    }
    const pictures = await Promise.all(targets.map(async (each) => this.read(each)));
    for (const each of targets) each.dispose();
    return pictures;
  }

  private async read(target: WebGLRenderTarget): Promise<Uint32Array> {
    const { renderer } = this;
    const buffer = renderer.backend === undefined ? [new Uint8Array(WIDTH * HEIGHT * 4)] : [];
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, HEIGHT, ...buffer);
    return new Uint32Array(pixels.buffer, pixels.byteOffset, WIDTH * HEIGHT);
  }

  /** Calls a function while features are switched off. */
  private without(off: ReadonlySet<Feature>, call: () => void): void {
    const undo: (() => void)[] = [];
    for (const container of this.containers) {
      const { min } = container.screenSize;
      container.screenSize.min = 0;
      undo.push(() => (container.screenSize.min = min));
      const isSleeping = container instanceof OctreeGroup && container.awake === null;
      if (isSleeping) continue;
      const bodies: { culling: PassOcclusion | undefined; drawing?: MemberDrawing | null } =
        container instanceof OctreeGroup ? container.groupChildren.bodies : container.bodies;
      const { culling, drawing } = bodies;
      undo.push(() => (bodies.culling = culling));
      if (off.has('occlusion culling')) bodies.culling = undefined;
      if (drawing !== undefined) undo.push(() => (bodies.drawing = drawing));
      if (off.has('batches') && drawing !== undefined) bodies.drawing = null;
      if (off.has('frustum culling')) undo.push(showAll(container));
      if (container instanceof OctreeInstances) {
        // Passes keep their results until this changes.
        container.bodies.version++;
        undo.push(() => container.bodies.version++);
      }
    }
    try {
      call();
    } finally {
      for (let k = undo.length - 1; k >= 0; k--) undo[k]();
    }
  }

  /** The nearest visible objects at pixels of the picture that differ. */
  private objectsAt(pixels: readonly number[]): Object3D[] {
    const { camera, scene } = this;
    const raycaster = new Raycaster();
    const found = new Set<Object3D>();
    const step = Math.max(1, Math.floor(pixels.length / MAX_RAYS));
    this.without(new Set(FEATURES), () => {
      for (let k = 0; k < pixels.length && found.size < MAX_OBJECTS; k += step) {
        const x = (pixels[k] % WIDTH) + 0.5;
        const y = Math.floor(pixels[k] / WIDTH) + 0.5;
        // The first row of WebGPU is at the top.
        const up = this.renderer.backend?.isWebGPUBackend === true ? -1 : 1;
        raycaster.setFromCamera(new Vector2((2 * x) / WIDTH - 1, up * ((2 * y) / HEIGHT - 1)), camera);
        raycaster.layers.mask = camera.layers.mask;
        const hit = raycaster.intersectObject(scene).find(({ object }) => isShown(object));
        if (hit !== undefined && !(hit.object instanceof OctreeInstances)) found.add(hit.object);
      }
    });
    return Array.from(found);
  }
}

/** Has a container draw all that it holds. Returns what takes that back. */
function showAll(container: OctreeGroup | OctreeInstances): () => void {
  if (container instanceof OctreeInstances) {
    const { frustumCulled } = container;
    container.frustumCulled = false;
    return () => (container.frustumCulled = frustumCulled);
  }
  const { layers } = container;
  container.layers = new Layers();
  container.layers.mask = layers.mask;
  return () => (container.layers = layers);
}

/** The pixels that look different. */
function differing(a: Uint32Array, b: Uint32Array): number[] {
  const pixels: number[] = [];
  for (let k = 0; k < a.length; k++) {
    if (a[k] === b[k]) continue;
    let sum = 0;
    for (let shift = 0; shift < 32; shift += 8) sum += Math.abs(((a[k] >>> shift) & 255) - ((b[k] >>> shift) & 255));
    if (sum > MAX_SUM) pixels.push(k);
  }
  return pixels;
}
