/**
 * Leaves out of the passes of one camera what stands behind solid objects of the same container: houses of a street,
 * walls, hills.
 */

import type { BufferGeometry, Camera, Mesh, Object3D } from 'three';
import { readWalkOptions, type VisibleStats } from '../visible/visible.ts';
import { requireBoolean, requireFunction, throwType } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import { hasGeometry, isObject3D, refuseProxy } from '../../three/bounds/object-kinds.ts';
import type { OctreeGroup } from '../../three/group/octree-group.ts';
import type { InstanceContainer } from '../../three/instance-container.ts';
import type { PassOcclusion } from '../../three/passes/pass-occlusion.ts';
import { GroupOccluders } from './group-occluders.ts';
import { InstanceOccluders } from './instance-occluders.ts';
import type { OccluderBodies } from './occluder-bodies.ts';
import { NamedShapes, type SolidFinder } from './named-shapes.ts';
import type { SolidParts } from './solid-shape.ts';
import { OcclusionPass, requireCamera } from './occlusion-pass.ts';

/** How hidden objects are found. */
export interface OcclusionOptions {
  /**
   * Finds the solid parts of a mesh that was not named by `setOccluder`, in the local space of its geometry; null for
   * none. Called once for each geometry and `side` of the material, but not for a mesh that hides nothing because of
   * its material or draw callbacks; and again after each of the first eight changes of its vertices or its index: a
   * geometry that changes more often counts as animated, and hides nothing. A call is not interrupted: in a frame they
   * take 4 ms plus the longest. Default: only what was named is an occluder.
   */
  readonly auto?: SolidFinder;
  /** Cells in a row of the depth buffer, 16 to 2048. More cells find more, and cost more. Default 608 at 16 : 9. */
  readonly bufferWidth?: number;
  /** Occluders that look smaller than this part of the screen hide nothing. 0 to 1. Default 0.0005. */
  readonly minOccluderArea?: number;
  /**
   * Switches itself off for some frames, 64 at first and 256 at most, while it removes less than this share of what is
   * in the frustum, or takes too long for many objects. 0 never switches it off, 1 always. Default 0.6.
   */
  readonly minRemoved?: number;
}

const OPTIONS: KnownOptions<OcclusionOptions> = ['auto', 'bufferWidth', 'minOccluderArea', 'minRemoved'];

/** What `OcclusionCulling.report` returns. */
export interface OcclusionReport {
  /** Objects or instances that hide others, in passes that draw them. */
  occluders: number;
  /** Objects whose solid parts are not known yet. */
  waiting: number;
  /** Objects that are drawn wherever they are in view, because they could be seen in spite of what is before them. */
  alwaysDrawn: number;
  /**
   * Objects that hide nothing now, although they have solid parts, or for which `auto` was not called because of their
   * material, draw callbacks or animated vertices: their number, by the reason in words.
   */
  faults: Map<string, number>;
}

/** What a container holds: children of an OctreeGroup, ids of OctreeInstances. */
type Item<C> = C extends OctreeGroup ? Object3D : number;

const WHERE = 'OcclusionCulling';

/**
 * Occlusion culling: leaves out of the passes of a camera what stands behind occluders, which are solid objects of the
 * same container. In a street that is nearly everything. It needs no GPU feature and no extra pass, and works with
 * WebGLRenderer and WebGPURenderer, in the same frame.
 *
 *     const occlusion = new OcclusionCulling(group, camera);
 *     occlusion.setOccluder(house, new Box3(min, max));
 *
 * The pixels are the same as without it, if each occluder is solid: what is drawn must cover its boxes, seen from
 * everywhere outside the object, without windows or missing walls. The bounds of a tree are no wall, so nothing is an
 * occluder by itself.
 *
 * - **Passes.** Only those of `camera`, a perspective camera. Shadow maps, reflections, cube cameras, other cameras,
 *   rays and queries are as without. So are passes with an ArrayCamera (XR), an `overrideMaterial`, motion vectors,
 *   clipping planes of the renderer, `renderer.opaque` false, no depth buffer, a camera that mirrors, and containers
 *   inside a ClippingGroup or without a scene. So are passes in which code of a WebGPURenderer may ask for each object:
 *   `setRenderObjectFunction` (`OutlineNode`), outputs of an MRT but for what materials compute and normals, a
 *   `contextNode` with `getOutput` or `getUV`. So are all while a
 *   material in the container writes farther depths over nearer ones (`AlwaysDepth` with `depthWrite`), or depths
 *   without opaque colours (`colorWrite` false): then things behind a wall can be seen. On the WebGPU backend a
 *   material without `depthTest` writes farther depths, too, unless its `depthWrite` is false. Objects elsewhere must
 *   not.
 * - **Occluders.** In each pass an occluder counts only if the pass draws it, opaque and whole: visible, on a layer of
 *   the camera, a plain mesh without children, one material without transparency, alpha test, clipping planes, stencil,
 *   depth tricks, shader nodes or code that moves vertices; no morph targets, no levels of detail, no draw callbacks.
 *   What cannot be told is no occluder. Where it is drawn counts: boxes follow the matrix of the mesh.
 * - **Turned meshes** hide as those that are not turned. Where a matrix shears, a smaller box inside the solid one
 *   hides.
 * - **What is hidden** is not drawn, has no draw callbacks, and its levels of detail are not chosen. Objects that could
 *   be seen all the same are always drawn: lines, points and sprites, skinned and morphing meshes, instanced meshes,
 *   materials without the usual depth test or with code that moves vertices, draw callbacks, an `occlusionTest`, a
 *   `renderOrder`, also that of a Group above that three hands down to it. A change of one of these is found by the
 *   next update of an OctreeGroup; that of a static child that is not reported, after 256 updates at most. The guide
 *   *Culling a big scene* has the table. Code that clears the depth while a pass draws is not known: what is drawn
 *   after it needs a `renderOrder`, transparent objects too.
 * - **Changed materials.** What three compiles into a shader, such as `transparent`, needs `needsUpdate` after a
 *   change, as without culling: an object that was hidden before is compiled with the changed value, others are not.
 * - **Depth buffers** have steps: surfaces that are closer together than a step flicker, also without culling. Of
 *   these, the farther one may be left out.
 * - **Cost.** Without occluders, and from above, where it switches itself off, that of frustum culling. Otherwise the
 *   walk of `collectVisible`, and a comparison of each occluder in the result: far less than what a renderer needs for
 *   a mesh that it draws. A container has one OcclusionCulling at most; a clone of it has none.
 *
 * @example
 * ```ts
 * import { OcclusionCulling, OctreeGroup, solidBoxesOf } from 'scene-octree/three';
 *
 * const city = new OctreeGroup().addTree(gltf.scene, { isStatic: true });
 * const occlusion = new OcclusionCulling(city, camera, { auto: solidBoxesOf });
 * // After a frame:
 * console.log(occlusion.visible.length, occlusion.reason);
 * ```
 */
export class OcclusionCulling<C extends OctreeGroup | InstanceContainer = OctreeGroup | InstanceContainer> {
  private readonly container: C;
  private readonly shapes: NamedShapes;
  private readonly bodies: OccluderBodies;
  /** @internal */
  readonly pass: OcclusionPass;

  /**
   * @param container The container whose hidden objects are left out.
   * @param camera The camera that renders the picture. Reflections and cube cameras have cameras of their own.
   * @throws {TypeError} If an argument is of another type, or an option is unknown.
   * @throws {RangeError} If an option is out of its range.
   * @throws {Error} If the container has an OcclusionCulling already.
   */
  constructor(container: C, camera: Camera, options: OcclusionOptions = {}) {
    refuseProxy(WHERE, 'container', container);
    if (!isGroup(container) && !isInstances(container))
      throwType(WHERE, 'container', 'be an OctreeGroup or OctreeInstances', container, 'create one');
    requireCamera(WHERE, camera);
    requireOptions(WHERE, options, OPTIONS);
    requireFunction(WHERE, 'options.auto', options.auto);
    readWalkOptions(WHERE, options);
    const { auto, ...walk } = options;
    this.container = container;
    const owner = ownerOf(container);
    if (owner.culling) throw new Error(`${WHERE}: container has an OcclusionCulling already; dispose it first.`);
    this.shapes = new NamedShapes(auto ?? null);
    this.bodies = isGroup(container)
      ? new GroupOccluders(container, this.shapes)
      : new InstanceOccluders(container, this.shapes);
    this.pass = new OcclusionPass(this.bodies, camera, walk);
    owner.culling = this.pass;
  }

  /** The camera in whose passes hidden objects are left out. @throws {TypeError} If set to something else. */
  get camera(): Camera {
    return this.pass.camera;
  }

  set camera(camera: Camera) {
    requireCamera(`${WHERE}.camera`, camera);
    this.pass.setCamera(camera);
  }

  /**
   * Whether hidden objects are left out. While it is false, passes draw what is in their frustum, and prepare nothing:
   * `isPreparing` stays as it is.
   *
   * @throws {TypeError} If set to something else.
   */
  get enabled(): boolean {
    return this.pass.enabled;
  }

  set enabled(enabled: boolean) {
    this.pass.enabled = requireBoolean(`${WHERE}.enabled`, 'it', enabled);
  }

  /** The cost of the last pass of the camera. Overwritten in each of them. */
  get stats(): Readonly<VisibleStats> {
    return this.pass.stats;
  }

  /** Why the last pass of the camera left nothing out, in words; empty if it did. */
  get reason(): string {
    return this.pass.reason;
  }

  /** Whether solid parts are being computed, a slice in each frame. */
  get isPreparing(): boolean {
    return this.bodies.due.size > 0;
  }

  /**
   * What the last pass of the camera did not leave out, in a fresh array: objects, or ids of instances. Empty if
   * `reason` is not. Objects that are drawn in every pass are not in it.
   */
  get visible(): Item<C>[] {
    return this.itemsOf(() => true);
  }

  /** The occluders among `visible`. Occluders that look small were not used. */
  get occluders(): Item<C>[] {
    return this.itemsOf((body) => this.bodies.isOccluderAt(body));
  }

  /**
   * Says which part of an object is solid. It holds for the vertices and the index that it has now: after they have
   * changed it hides nothing, except with `true`.
   *
   * @param target A mesh, before or after it is added, or a geometry, for all meshes or instances with it. The boxes of
   *   a mesh take precedence over those of its geometry.
   * @param boxes In the local space of the geometry: a Box3, an OBB, or several; `true`: all of the box around the
   *   vertices; null: nothing, also where `auto` would find something.
   * @throws {TypeError} If the target is neither, or the boxes are of another type.
   * @throws {RangeError} If a box is empty, has a number that is not finite, or leaves the box around the vertices.
   */
  setOccluder(target: Object3D | BufferGeometry, boxes: SolidParts | null): this {
    const where = `${WHERE}.setOccluder`;
    const isGeometry = typeof target === 'object' && target !== null && 'isBufferGeometry' in target;
    const isMesh = !isGeometry && isObject3D(target) && 'isMesh' in target && hasGeometry(target);
    const takesMeshes = isGroup(this.container);
    if (!isGeometry && !(isMesh && takesMeshes)) {
      const expected = takesMeshes ? 'be a mesh or a geometry' : 'be a geometry';
      throwType(where, 'target', expected, target, 'pass what holds the vertices');
    }
    refuseProxy(where, 'target', target);
    const geometry = isGeometry ? target : (target as unknown as Mesh).geometry;
    this.shapes.name(where, target, boxes, geometry);
    if (!this.isDisposed) this.bodies.restart(target);
    return this;
  }

  /** Computes all solid parts now, and not in slices. Call it behind a loading screen. */
  finish(): this {
    if (this.isDisposed) return this;
    do {
      this.container.updateWorldMatrix(true, true);
      // Applies what has changed.
      void this.container.octree;
      this.bodies.run(Infinity);
    } while (!this.bodies.hasAll);
    return this;
  }

  /** Which occluders there are, and why others hide nothing. Cost: looks at all of them. */
  report(): OcclusionReport {
    const faults = new Map<string, number>();
    const { bodies } = this;
    if (this.isDisposed) return { occluders: 0, waiting: 0, alwaysDrawn: 0, faults };
    const occluders = bodies.addFaults(faults);
    return { occluders, waiting: bodies.due.size, alwaysDrawn: bodies.alwaysDrawn.size, faults };
  }

  /** From now on all passes draw what is in their frustum, `finish` does nothing, and `report` is empty. */
  dispose(): void {
    if (this.isDisposed) return;
    ownerOf(this.container).culling = undefined;
    this.bodies.dispose();
    this.pass.visible.length = 0;
    this.pass.reason = 'dispose was called';
  }

  private get isDisposed(): boolean {
    return ownerOf(this.container).culling !== this.pass;
  }

  private itemsOf(filter: (body: number) => boolean): Item<C>[] {
    const items = Array.from(this.pass.visible)
      .filter(filter)
      .map((body) => this.bodies.itemAt(body));
    return items.filter((item) => item !== undefined) as Item<C>[];
  }
}

/** Where a container looks for its occlusion culling. */
function ownerOf(container: OctreeGroup | InstanceContainer): { culling: PassOcclusion | undefined } {
  return isGroup(container) ? container.groupChildren.bodies : container.bodies;
}

type ContainerLike = (Object3D & { readonly groupChildren?: unknown; readonly cullingCamera?: unknown }) | null;

// By their fields: an import of the classes would add both to every bundle.
function isGroup(container: ContainerLike): container is OctreeGroup {
  return container?.groupChildren !== undefined;
}

function isInstances(container: ContainerLike): container is InstanceContainer {
  return container?.cullingCamera !== undefined;
}
