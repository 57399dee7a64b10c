/** What is drawn of a container in each kind of pass: by a camera, in a shadow, or where nothing is known of the pass. */

import { Frustum, Matrix4, type Camera, type FrustumArray, type InstancedMesh, type Object3D, type Scene } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import type { InstanceLevels } from './instance-levels.ts';
import { InstancePasses } from './instance-passes.ts';
import type { InstanceStore } from './instance-store.ts';
import { PassViews, type Eye } from './pass-views.ts';
import type { Wearer } from './draw-state.ts';

export interface DisplayedContainer extends Wearer {
  readonly shadowLevel: number | null;
  readonly cullingCamera: Camera | null;
}

export class InstanceDisplay {
  private readonly container: DisplayedContainer;
  private readonly levels: InstanceLevels;
  private readonly passes: InstancePasses;
  /** The last camera that was no light's: shadows show the levels that it shows. */
  private main: Eye | null = null;
  private readonly frustum = new Frustum();

  constructor(container: DisplayedContainer, store: InstanceStore, bodies: InstanceBodies, levels: InstanceLevels) {
    this.container = container;
    this.levels = levels;
    const stock = { container, store, bodies, levels, lists: [], seen: new IndexList() };
    this.passes = new InstancePasses(() => new PassViews(stock));
  }

  /** @param camera Null in the shadows of WebGLRenderer, which ask for what casts them only. */
  shownTo(frustum: Frustum | FrustumArray, camera: Camera | null): InstancedMesh[] {
    const { container, passes, levels } = this;
    if (camera !== null) passes.restartShadows();
    const isWanted = camera === null ? container.castShadow || container.receiveShadow : (container.layers.mask & camera.layers.mask) !== 0;
    if (!isWanted) return [];
    const views = camera === null ? passes.ofShadow(frustum) : passes.ofCamera(camera);
    if (camera !== null && !isShadowPass(container)) {
      this.main = { camera, memory: views.memory };
      return views.showCamera(this.chosen(frustum), camera);
    }
    return views.showShadow(frustum, levels.count === 1 ? 0 : (container.shadowLevel ?? this.main ?? 0));
  }

  shownToAll(): InstancedMesh[] {
    return this.passes.ofAll().showAll();
  }

  dispose(): void {
    this.passes.dispose();
    this.main = null;
  }

  /** The frustum of the camera that stands in for others, if there is one. */
  private chosen(frustum: Frustum | FrustumArray): Frustum | FrustumArray {
    const { cullingCamera } = this.container;
    if (cullingCamera === null) return frustum;
    const { projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth } = cullingCamera;
    return this.frustum.setFromProjectionMatrix(chosen_matrix.multiplyMatrices(projectionMatrix, matrixWorldInverse), coordinateSystem, reversedDepth);
  }
}
const chosen_matrix = /* @__PURE__ */ new Matrix4();

/** Whether WebGPURenderer is drawing a shadow: it renders the scene as for any camera, with a material for all. */
function isShadowPass(object: Object3D): boolean {
  let root = object;
  while (root.parent !== null) root = root.parent;
  const { overrideMaterial } = root as Partial<Scene>;
  return overrideMaterial !== null && overrideMaterial !== undefined && 'isShadowPassMaterial' in overrideMaterial;
}
