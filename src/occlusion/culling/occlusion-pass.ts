/**
 * What a camera may see of the bodies of a container. The walk of `collectVisible` treats every occluder as solid. Then
 * the occluders in its result are checked: only they can have hidden something. If one is not solid in this pass, for
 * example because its material is transparent now, it is taken back, and the walk starts again.
 */

import { Matrix4, type Camera, type Object3D, type Scene } from 'three';
import { collectVisible, type VisibleStats, type WalkOptions } from '../visible/visible.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { refuseProxy } from '../../three/bounds/object-kinds.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { BodySpace } from '../../three/bounds/body-space.ts';
import type { FrustumLike } from '../../octree/input/query-shapes.ts';
import type { PassOcclusion, SizeOptions } from '../../three/passes/pass-occlusion.ts';
import {
  drawsWithDepth,
  objectCodeOf,
  rendererOf,
  scenesAbove,
  velocityNodeOf,
} from '../../three/passes/pass-renderer.ts';
import type { OccluderBodies } from './occluder-bodies.ts';

/** Walks in a pass. If the last one, too, has found an occluder that does not count, the pass is culled as without. */
const MAX_WALKS = 4;
/** Bodies that are always drawn, up to which they are not culled by the frustum: renderers do that. */
const MAX_UNCULLED = 64;
const NO_PASS = 'no pass yet';
/** Index of the element of a projection matrix that is 0 for orthographic cameras only. */
const PERSPECTIVE = 11;

export class OcclusionPass implements PassOcclusion {
  camera: Camera;
  enabled = true;
  readonly stats: VisibleStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  /** Why the last pass of the camera left nothing out, in words; empty if it could. */
  reason = NO_PASS;
  /** The result of the last pass of the camera. */
  readonly visible = new IndexList();
  readonly bodies: OccluderBodies;
  readonly options: WalkOptions;
  /** Bodies in the frustum that do not look too small, and by body whether it is one of them: 0 between passes. */
  private readonly candidates = new IndexList();
  private marks = new Uint8Array(0);
  /** The camera of the last pass, in the space of the bodies. */
  projection = new PassProjection();

  constructor(bodies: OccluderBodies, camera: Camera, options: WalkOptions) {
    this.bodies = bodies;
    this.camera = camera;
    this.options = options;
  }

  setCamera(camera: Camera): void {
    if (camera === this.camera) return;
    this.camera = camera;
    this.projection = new PassProjection();
    this.visible.length = 0;
    this.reason = NO_PASS;
  }

  collectFrustum(frustum: FrustumLike, list: IndexList, options?: SizeOptions): number {
    const { container, octree } = this.bodies;
    const { screenSize } = container;
    if (screenSize.isShadow || screenSize.camera !== this.camera || !this.collectVisible(frustum, list, options))
      return octree.collectFrustum(frustum, list, options);
    return list.length;
  }

  /** Returns false if the pass leaves nothing out, and the list is not what it sees. */
  collectVisible(frustum: FrustumLike, list: IndexList, options: SizeOptions | undefined): boolean {
    const { bodies, stats, camera } = this;
    bodies.beginPass(scenesAbove(bodies.container).some((scene) => rendererOf(scene)?.backend !== undefined));
    stats.isPaused = true;
    this.visible.length = 0;
    this.reason = this.enabled ? (passFault(camera, bodies) ?? '') : 'enabled is false';
    if (this.reason !== '') return false;
    bodies.update();
    this.projection.set(camera, bodies.space);
    try {
      if (options !== undefined) this.mark(frustum, options);
      if (!this.walk(options !== undefined, list)) return false;
    } finally {
      this.unmark();
    }
    if (stats.isPaused as boolean) {
      this.reason = 'switched off for some frames, because it removes too little, or nothing is an occluder';
      return options === undefined;
    }
    this.addAlwaysDrawn(frustum, options, list);
    this.visible.reserve(list.length);
    this.visible.array.set(list.array.subarray(0, list.length));
    this.visible.length = list.length;
    return true;
  }

  /**
   * Returns false if too many occluders do not count.
   *
   * @param isMarked Whether only bodies that are marked are drawn.
   */
  private walk(isMarked: boolean, list: IndexList): boolean {
    const { bodies, stats, projection, camera } = this;
    // Occluders that are still to be set would make it switch itself off.
    const options = bodies.due.size > 0 ? { ...this.options, stats, minRemoved: 0 } : { ...this.options, stats };
    for (let k = 0; k < MAX_WALKS; k++) {
      try {
        collectVisible(bodies.octree, projection, list, isMarked ? { ...options, filter: this.marked } : options);
      } catch (error) {
        // A projection that cannot be inverted, such as one with an extreme offset. A pass must not throw. Engines
        // throw one for memory, too.
        if (!(error instanceof RangeError)) throw error;
        const isView = error.message.startsWith('collectVisible: view');
        this.reason = isView ? 'the projection cannot be inverted' : 'memory ran out';
        return false;
      }
      if (stats.isPaused === true) return true;
      let isRight = true;
      for (let at = 0; at < list.length; at++) if (!bodies.refreshOccluder(list.array[at], camera)) isRight = false;
      if (isRight) return true;
    }
    this.reason = 'too many occluders have changed since the last pass';
    return false;
  }

  private addAlwaysDrawn(frustum: FrustumLike, options: SizeOptions | undefined, list: IndexList): void {
    const { candidates } = this;
    const { alwaysDrawn, octree } = this.bodies;
    if (alwaysDrawn.size === 0) return;
    let length = 0;
    for (let k = 0; k < list.length; k++) if (!alwaysDrawn.has(list.array[k])) list.array[length++] = list.array[k];
    list.length = length;
    if (options === undefined && alwaysDrawn.size <= MAX_UNCULLED) {
      for (const body of alwaysDrawn) list.push(body);
      return;
    }
    octree.collectFrustum(frustum, candidates, options);
    const { array } = candidates;
    for (let k = 0; k < candidates.length; k++) if (alwaysDrawn.has(array[k])) list.push(array[k]);
    candidates.length = 0;
  }

  /** As a set of indices: a function would get a handle for each body. */
  private readonly marked = { has: (index: number): boolean => this.marks[index] === 1 };

  private mark(frustum: FrustumLike, options: SizeOptions): void {
    const { candidates } = this;
    this.bodies.octree.collectFrustum(frustum, candidates, options);
    const { array, length } = candidates;
    let end = 0;
    for (let k = 0; k < length; k++) end = Math.max(end, array[k] + 1);
    this.marks = withCapacity(this.marks, end);
    for (let k = 0; k < length; k++) this.marks[array[k]] = 1;
  }

  private unmark(): void {
    const { array, length } = this.candidates;
    for (let k = 0; k < length; k++) this.marks[array[k]] = 0;
    this.candidates.length = 0;
  }
}

export function requireCamera(where: string, camera: Camera): void {
  if ((camera as Camera | null)?.isCamera !== true)
    throwType(where, 'camera', 'be a Camera', camera, 'pass the camera that you render with');
  refuseProxy(where, 'camera', camera);
}

/** Why nothing can be left out in a pass, in words; null if something can. */
function passFault(camera: Camera, bodies: OccluderBodies): string | null {
  const { container } = bodies;
  if ('cameras' in camera) return 'an array of cameras';
  if (camera.projectionMatrix.elements[PERSPECTIVE] === 0) return 'an orthographic camera';
  if (isMirroring(camera)) return 'the camera mirrors: back faces are drawn';
  const scenes = scenesAbove(container);
  if (scenes.length === 0) return 'the container is not in a scene';
  for (const scene of scenes) {
    const sceneWide = sceneFault(scene);
    if (sceneWide !== null) return sceneWide;
  }
  const fault = bodies.faultOn(scenes.some((scene) => rendererOf(scene)?.backend?.isWebGPUBackend === true));
  if (fault !== null) return fault;
  for (let node: Object3D | null = container; node !== null; node = node.parent)
    if ((node as { isClippingGroup?: boolean }).isClippingGroup === true) return 'in a ClippingGroup';
  return null;
}

/**
 * Whether a camera turns left into right, so that renderers draw the back faces in place of the front faces. Renderers
 * turn faces for mirrored objects only.
 */
function isMirroring({ projectionMatrix, matrixWorldInverse }: Camera): boolean {
  const [a, b, , c, d, e, , f, g, h, , i] = isMirroring_matrix.multiplyMatrices(
    projectionMatrix,
    matrixWorldInverse,
  ).elements;
  // The rows of x, y and w: their determinant is negative, because w grows away from the camera.
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) > 0;
}
const isMirroring_matrix = /* @__PURE__ */ new Matrix4();

function sceneFault(scene: Scene): string | null {
  if (scene.overrideMaterial !== null) return 'the scene overrides the materials';
  const renderer = rendererOf(scene);
  if (renderer === undefined) return 'the renderer is not known';
  if (renderer.clippingPlanes?.length) return 'the renderer clips';
  if (!drawsWithDepth(scene)) return 'the pass draws no opaque objects, or has no depth buffer';
  // three takes the matrix with which it drew an object last for that of the last frame.
  return velocityNodeOf(scene) === null ? objectCodeOf(scene) : 'the pass computes motion vectors';
}

/** The camera of a pass, in the space of the bodies: one object for each camera, by which the walk knows it again. */
class PassProjection {
  projectionMatrix = new Matrix4();
  matrixWorldInverse = new Matrix4();
  coordinateSystem = 2000;
  reversedDepth = false;
  private readonly own = new Matrix4();

  set(camera: Camera, space: BodySpace): void {
    this.projectionMatrix = camera.projectionMatrix;
    this.coordinateSystem = camera.coordinateSystem;
    this.reversedDepth = camera.reversedDepth;
    this.matrixWorldInverse = space.isWorld
      ? camera.matrixWorldInverse
      : this.own.multiplyMatrices(camera.matrixWorldInverse, space.toWorld);
  }
}
