/** The views of one pass: an InstancedMesh for each level of detail, with the instances that the pass draws. */

import type { Camera, Frustum, FrustumArray, InstancedMesh } from 'three';
import { fieldTraitsOf, TRANSPARENT } from '../../three/bounds/material-traits.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { MinScreenSize } from '../../three/passes/min-screen-size.ts';
import { Snapshot } from '../../three/passes/snapshot.ts';
import { ALWAYS_IN_ORDER, SHOWS_ORDER, sortByDepth, type IdOrder } from './draw-order.ts';
import type { InstanceBodies } from '../bodies/instance-bodies.ts';
import type { DrawSource, InstanceLevels, LodCamera } from '../levels/instance-levels.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { InstanceView } from './instance-view.ts';
import { MatrixHistory } from './matrix-history.ts';
import type { AttributeColumns } from '../store/attribute-columns.ts';
import { copyDrawState } from './view-mesh.ts';

/**
 * Passes without a change after which instances are put in order. Some programs draw a scene several times in a frame,
 * with the same camera. Held by test/instances/draw-order.test.ts.
 */
const PASSES_TO_REST = 8;

/** What all passes of a container share. */
export interface PassContext {
  readonly container: DrawSource;
  readonly store: InstanceStore;
  readonly bodies: InstanceBodies;
  readonly levels: InstanceLevels;
  readonly attributes: AttributeColumns;
  readonly screenSize: MinScreenSize;
  /** Scratch lists, in use while the views of one pass are filled: all ids in the pass, and the ids of each level. */
  readonly ids: IndexList;
  readonly levelIds: IndexList[];
  readonly order: IdOrder;
}

export class PassViews {
  /** Frame of the pass, as `PassRegistry` counts them. */
  frame = 0;
  readonly memory: LodCamera['memory'] = { lastLevels: new Uint8Array(0) };

  private readonly context: PassContext;
  private readonly views: InstanceView[];
  /** All that decides what the pass can see. While it is unchanged, the same slots are drawn, without a query. */
  private readonly passState = new Snapshot();
  private readonly history: MatrixHistory;
  /** Whether the views hold what `passState` says: not after an error. */
  private isFilled = false;
  /** Passes since the last change of the instances. */
  private passesAtRest = 0;

  constructor(context: PassContext) {
    this.context = context;
    this.history = new MatrixHistory(context.store);
    this.views = context.levels.meshes.map((mesh) => new InstanceView(context, mesh));
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
    const { container, levels, screenSize, bodies, store, ids, order } = this.context;
    const { meshes } = levels;
    const traits = meshes.map(({ material }) => fieldTraitsOf(material));
    const isSorted = traits.map((word) => camera !== null && container.sortObjects && (word & TRANSPARENT) !== 0);
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
    if (isOther || this.passState.isUnknown || !this.isFilled) {
      this.isFilled = false;
      this.passesAtRest = 0;
      if (frustum !== null && isCulled) bodies.collectInFrustum(frustum, ids, screenSize);
      else store.listVisible(ids);
      // Exporters, and other code that draws nothing, find them in the order of an InstancedMesh.
      const isInOrder = frustum === null || keepsOrder || ids.length <= ALWAYS_IN_ORDER;
      if (isInOrder) order.sort(ids, store.idEnd);
      const lists = this.idsByLevel(lod);
      this.views.forEach((view, k) => {
        if (camera !== null && isSorted[k]) sortByDepth(lists[k], store, container.matrixWorld, meshes[k], camera);
        view.assign(lists[k], isInOrder);
      });
      this.isFilled = true;
    } else if (++this.passesAtRest === PASSES_TO_REST) for (const view of this.views) view.putInOrder(order);
    return this.updatedMeshes();
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
  }

  /** The ids of the pass by level. A level beyond the last one means the last one. */
  private idsByLevel(lod: LodCamera | number): readonly IndexList[] {
    const { levels, ids, store, container, levelIds } = this.context;
    if (levels.count === 1) return [ids];
    if (typeof lod === 'number')
      return levels.meshes.map((_, k) => (k === Math.min(lod, levels.count - 1) ? ids : EMPTY));
    while (levelIds.length < levels.count) levelIds.push(new IndexList());
    levels.partition(ids, store, container.matrixWorld, lod, levelIds);
    return levelIds;
  }

  /** Brings the views up to date. Returns the meshes of views that hold an instance. */
  private updatedMeshes(): InstancedMesh[] {
    const { container, levels, bodies } = this.context;
    const meshes: InstancedMesh[] = [];
    this.views.forEach((view, k) => {
      const mesh = view.updatedMesh(this.history, container.matrixWorld);
      if (mesh === null) return;
      copyDrawState(mesh, container, levels.meshes[k]);
      mesh.boundingSphere = bodies.sortingSphere;
      meshes.push(mesh);
    });
    this.history.advance(container.matrixWorld);
    return meshes;
  }
}
const EMPTY = /* @__PURE__ */ new IndexList(0);
