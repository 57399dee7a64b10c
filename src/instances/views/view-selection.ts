/**
 * Selects the views that a render pass draws, by the kind of the pass: a camera, a shadow map, or a pass without a
 * frustum.
 */

import { Frustum, Matrix4, type Camera, type FrustumArray, type InstancedMesh } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import { refusesBox } from '../../three/bounds/bounds-of.ts';
import { needsAllObjects, scenesAbove } from '../../three/passes/pass-renderer.ts';
import { isWebGpuShadowPass } from '../../three/passes/render-pass.ts';
import { IdOrder } from './draw-order.ts';
import type { LodCamera } from '../levels/instance-levels.ts';
import { PassRegistry } from '../../three/passes/pass-registry.ts';
import { PassViews, type PassContext } from './pass-views.ts';

export class ViewSelection {
  private readonly context: PassContext;
  private readonly passes: PassRegistry<PassViews>;
  /** The camera of the last pass that was not a shadow pass. It chooses the levels of detail in shadow passes. */
  private lodCamera: LodCamera | null = null;
  private readonly frustum = new Frustum();

  constructor(parts: Omit<PassContext, 'ids' | 'levelIds' | 'order'>) {
    const context = { ...parts, ids: new IndexList(), levelIds: [], order: new IdOrder() };
    this.context = context;
    this.passes = new PassRegistry(() => new PassViews(context));
  }

  /**
   * @param camera Null for a shadow map of WebGLRenderer: its layers are not known here, and the renderer tests them on
   *   the returned meshes.
   */
  visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): InstancedMesh[] {
    const { passes } = this;
    const { container, levels, screenSize } = this.context;
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
    screenSize.begin(isShadow ? null : (container.cullingCamera ?? camera));
    if (isShadow) {
      const lod = levels.count === 1 ? 0 : (container.shadowLevel ?? this.lodCamera ?? 0);
      return views.meshesFor(frustum, isCulled, lod, null);
    }
    this.lodCamera = { camera, memory: views.memory };
    return views.meshesFor(this.cullingFrustum(frustum), isCulled, this.lodCamera, camera);
  }

  allInstances(): InstancedMesh[] {
    return this.passes.ofNoFrustum().meshesFor(null, false, 0, null);
  }

  dispose(): void {
    this.passes.dispose();
    this.lodCamera = null;
  }

  /** The frustum of `cullingCamera`, if there is one; otherwise the frustum of the pass. */
  private cullingFrustum(frustum: Frustum | FrustumArray): Frustum | FrustumArray {
    const { cullingCamera } = this.context.container;
    if (cullingCamera === null) return frustum;
    const { projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth } = cullingCamera;
    return this.frustum.setFromProjectionMatrix(
      cullingFrustum_matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse),
      coordinateSystem,
      reversedDepth,
    );
  }
}
const cullingFrustum_matrix = /* @__PURE__ */ new Matrix4();
