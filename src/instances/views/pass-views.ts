/**
 * Which views a pass draws, by its kind: a camera, a shadow map, or a pass without a frustum; and which instances they
 * hold, in which order.
 */

import { Frustum, Matrix4, type Camera, type FrustumArray, type InstancedMesh, type Sphere } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import { fieldTraitsOf, refusesBox, SHOWS_ORDER, TRANSPARENT } from '../../three/bounds/material-traits.ts';
import type { MinScreenSize } from '../../three/passes/min-screen-size.ts';
import { PassRegistry } from '../../three/passes/pass-registry.ts';
import { needsAllObjects, scenesAbove } from '../../three/passes/pass-renderer.ts';
import { isWebGpuShadowPass } from '../../three/passes/render-pass.ts';
import { Values } from '../../three/detector/values.ts';
import type { InstanceBodies } from '../bodies/instance-bodies.ts';
import type { InstanceLevels, LodCamera } from '../levels/instance-levels.ts';
import { ALWAYS_IN_ORDER, sortByDepth, sortIds } from './draw-order.ts';
import { InstanceView, type ViewedContainer } from './instance-view.ts';
import { MatrixHistory } from './matrix-history.ts';

/**
 * Passes without a change after which instances are put in order. Some programs draw a scene several times in a frame,
 * with the same camera. Test: test/instances/draw-order.test.ts.
 */
const PASSES_TO_REST = 8;

/** What passes read of a container. */
export interface PassedContainer extends ViewedContainer {
  readonly bodies: InstanceBodies;
  readonly levels: InstanceLevels;
  readonly screenSize: MinScreenSize;
  /** The sphere around all instances, in local space. Cost: a step for each of them. */
  readonly boundingSphere: Sphere;
}

export class ViewSelection {
  private readonly container: PassedContainer;
  readonly passes: PassRegistry<PassViews>;
  /** The camera of the last pass that was not a shadow pass. It chooses the levels of detail in shadow passes. */
  private lodCamera: LodCamera | null = null;

  constructor(container: PassedContainer) {
    this.container = container;
    this.passes = new PassRegistry(() => new PassViews(container));
  }

  /**
   * @param camera Null for a shadow map of WebGLRenderer: its layers are not known here, and the renderer tests them on
   *   the returned meshes.
   */
  visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): InstancedMesh[] {
    const { passes, container } = this;
    const { levels, screenSize, cullingCamera } = container;
    if (camera !== null) passes.restartShadows();
    const isDrawn =
      camera === null
        ? container.castShadow || container.receiveShadow
        : (container.layers.mask & camera.layers.mask) !== 0;
    if (!isDrawn) return [];
    const views = camera === null ? passes.ofShadow(frustum) : passes.ofCamera(camera);
    const isShadow = camera === null || isWebGpuShadowPass(container);
    // The bounds cover the materials of the levels only, so nothing is culled if the scene or the renderer moves
    // vertices.
    const isCulled =
      container.frustumCulled &&
      !scenesAbove(container).some((scene) => refusesBox(scene.overrideMaterial) || needsAllObjects(scene));
    screenSize.begin(isShadow ? null : (cullingCamera ?? camera));
    if (isShadow) {
      const lod = levels.count === 1 ? 0 : (container.shadowLevel ?? this.lodCamera ?? 0);
      return views.meshesFor(frustum, isCulled, lod, null);
    }
    this.lodCamera = { camera, memory: views.memory };
    return views.meshesFor(
      cullingCamera === null ? frustum : frustumOf(cullingCamera),
      isCulled,
      this.lodCamera,
      camera,
    );
  }

  allInstances(): InstancedMesh[] {
    return this.passes.ofNoFrustum().meshesFor(null, false, 0, null);
  }

  dispose(): void {
    this.passes.dispose();
    this.lodCamera = null;
  }
}

/** Valid until the next call. */
function frustumOf({ projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth }: Camera): Frustum {
  const matrix = frustumOf_matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse);
  return frustumOf_frustum.setFromProjectionMatrix(matrix, coordinateSystem, reversedDepth);
}
const frustumOf_matrix = /* @__PURE__ */ new Matrix4();
const frustumOf_frustum = /* @__PURE__ */ new Frustum();

/** The views of one pass, one for each level of detail. */
class PassViews {
  /** Frame of the pass, as `PassRegistry` counts them. */
  frame = 0;
  readonly memory: LodCamera['memory'] = { lastLevels: new Uint32Array(0) };

  private readonly container: PassedContainer;
  readonly views: InstanceView[];
  /** All that decides what the pass can see. While it is unchanged, the same slots are drawn, without a query. */
  private readonly passState = new Values();
  /** Whether the views hold what `passState` says: not after an error. */
  private isFilled = false;
  private readonly history: MatrixHistory;
  /** Passes since the last change of the instances. */
  private passesAtRest = 0;

  constructor(container: PassedContainer) {
    this.container = container;
    this.history = new MatrixHistory(container.store);
    this.views = container.levels.meshes.map((mesh) => new InstanceView(container, mesh, this.history));
  }

  /**
   * The meshes that draw what a pass sees, with the instances that they hold then.
   *
   * @param frustum Null: all visible instances.
   * @param lod The level of all instances, or the camera that chooses the level of each.
   * @param camera Sorts transparent instances. Null in shadow maps.
   */
  meshesFor(
    frustum: Frustum | FrustumArray | null,
    isCulled: boolean,
    lod: LodCamera | number,
    camera: Camera | null,
  ): InstancedMesh[] {
    const { container, views } = this;
    const { levels, screenSize, bodies, store, matrixWorld } = container;
    const { meshes } = levels;
    const traits = meshes.map(({ material }) => fieldTraitsOf(material));
    const isSorted = traits.map((word) => camera !== null && container.sortObjects && (word & TRANSPARENT) !== 0);
    traits.push(...scenesAbove(container).map(({ overrideMaterial }) => fieldTraitsOf(overrideMaterial)));
    const keepsOrder = container.drawsInOrder || traits.some((word) => (word & SHOWS_ORDER) !== 0);
    // In a shadow map, levels and sizes may change with the camera while the frustum of the light stays the same.
    const followsCamera = camera === null && (typeof lod !== 'number' || screenSize.min > 0);
    const isOther = this.passState.take((values) => {
      values.push(bodies.version, isCulled, keepsOrder, screenSize.min, ...isSorted);
      if (camera === null) values.push(lod);
      else values.push((camera as { zoom?: number }).zoom, ...camera.matrixWorld.elements);
      // An array of frusta is rare, and not compared.
      if (frustum === null || !('planes' in frustum)) return true;
      for (const { normal, constant } of frustum.planes) values.push(normal.x, normal.y, normal.z, constant);
      return followsCamera;
    });
    const isFresh = !this.isFilled;
    this.isFilled = false;
    // After an error the buffers hold a part of the changes.
    if (isFresh) this.dispose();
    if (isOther || this.passState.isUnknown || isFresh) {
      this.passesAtRest = 0;
      const ids = meshesFor_ids;
      if (frustum !== null && isCulled) bodies.collectInFrustum(frustum, ids, screenSize);
      else store.listVisible(ids);
      // Exporters, and other code that draws nothing, find them in the order of an InstancedMesh.
      const isInOrder = frustum === null || keepsOrder || ids.length <= ALWAYS_IN_ORDER;
      if (isInOrder) sortIds(ids.array, ids.length, store.idEnd);
      const lists = levels.listsOf(ids, store, matrixWorld, lod);
      views.forEach((view, k) => {
        if (camera !== null && isSorted[k]) sortByDepth(lists[k], store, matrixWorld, meshes[k], camera);
        view.assign(lists[k], isInOrder);
      });
    } else if (++this.passesAtRest === PASSES_TO_REST) for (const view of views) view.putInOrder();
    const drawn = views.map((view) => view.updatedMesh()).filter((mesh) => mesh !== null);
    // Renderers draw objects at equal depth in the order of this list: the far levels first.
    if (isSorted.includes(true)) drawn.reverse();
    // A NaN would disturb the order of all objects.
    const { sortingSphere } = bodies;
    const sphere = Number.isNaN(sortingSphere.center.x) ? container.boundingSphere : sortingSphere;
    for (const mesh of drawn) mesh.boundingSphere = sphere;
    this.history.advance(matrixWorld);
    this.isFilled = true;
    return drawn;
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
  }
}
/** In use while the views of one pass are filled. */
const meshesFor_ids = /* @__PURE__ */ new IndexList();
