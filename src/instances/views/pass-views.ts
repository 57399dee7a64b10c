/** The views of one pass: an InstancedMesh for each level of detail, with the instances that the pass draws. */

import type { Camera, Frustum, FrustumArray, InstancedMesh, Material, Sphere } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { MinScreenSize } from '../../three/passes/min-screen-size.ts';
import { Snapshot } from '../../three/passes/snapshot.ts';
import { needsOrder, sortByDepth, type IdOrder } from './draw-order.ts';
import type { InstanceBodies } from '../bodies/instance-bodies.ts';
import type { DrawSource, InstanceLevels, LodCamera } from '../levels/instance-levels.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { InstanceView } from './instance-view.ts';
import { MatrixHistory } from './matrix-history.ts';
import type { AttributeColumns } from '../store/attribute-columns.ts';
import { copyDrawState } from './view-mesh.ts';

/**
 * Passes without a change after which instances are put in order. Some programs draw a scene several times in a frame,
 * with the same camera.
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
  private readonly key = new Snapshot();
  private readonly history: MatrixHistory;
  /** Passes since the last change of the instances. */
  private passesAtRest = 0;

  constructor(context: PassContext) {
    this.context = context;
    this.history = new MatrixHistory(context.store);
    this.views = context.levels.meshes.map((mesh) => new InstanceView(context, mesh));
  }

  /** What a camera sees. Its position chooses the levels, and the order of transparent instances. */
  ofCamera(frustum: Frustum | FrustumArray, isCulled: boolean, camera: Camera): InstancedMesh[] {
    const { container, levels, screenSize } = this.context;
    const isSorted = levels.meshes.map(({ material }) => container.sortObjects && isTransparent(material));
    const isInAnyOrder = !container.drawsInOrder && !needsOrder(Infinity, levels.meshes);
    const { elements } = camera.matrixWorld;
    const { zoom = 1 } = camera as { zoom?: number };
    if (this.isNew(frustum, false, isCulled, isInAnyOrder, screenSize.min, zoom, ...elements, ...isSorted)) {
      const isInOrder = this.findInstances(frustum, isCulled);
      this.assign(this.idsByLevel({ camera, memory: this.memory }), isInOrder, camera, isSorted);
    } else this.rest();
    return this.updatedMeshes();
  }

  /**
   * What a light sees.
   *
   * @param lod The level of all instances, or the camera that chooses the level of each.
   */
  ofShadow(frustum: Frustum | FrustumArray, isCulled: boolean, lod: LodCamera | number): InstancedMesh[] {
    // Levels and sizes may change with the camera while the frustum of the light stays the same.
    const followsCamera = typeof lod !== 'number' || this.context.screenSize.min > 0;
    if (this.isNew(frustum, followsCamera, isCulled, lod)) {
      const isInOrder = this.findInstances(frustum, isCulled);
      this.assign(typeof lod === 'number' ? this.allAtLevel(lod) : this.idsByLevel(lod), isInOrder, null, []);
    } else this.rest();
    return this.updatedMeshes();
  }

  /** All visible instances, at the first level. */
  allInstances(): InstancedMesh[] {
    this.context.store.listVisible(this.context.ids);
    this.assign(this.allAtLevel(0), true, null, []);
    return this.updatedMeshes();
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
  }

  /**
   * Whether what decides what the pass can see differs from the last call.
   *
   * @param isUnknown Whether it may differ in any case.
   */
  private isNew(frustum: Frustum | FrustumArray, isUnknown: boolean, ...rest: unknown[]): boolean {
    const { key, context } = this;
    const differs = key.take((values) => {
      values.push(context.bodies.version, ...rest);
      // An array of frusta is rare, and not compared.
      if (!('planes' in frustum)) return true;
      for (const { normal, constant } of frustum.planes) values.push(normal.x, normal.y, normal.z, constant);
      return isUnknown;
    });
    return differs || key.isUnknown;
  }

  /**
   * Lists the instances of the pass. Returns whether they must be drawn in the order of ids; then the list has that
   * order.
   */
  private findInstances(frustum: Frustum | FrustumArray, isCulled: boolean): boolean {
    const { container, store, bodies, ids, levels, order, screenSize } = this.context;
    this.passesAtRest = 0;
    if (isCulled) bodies.collectInFrustum(frustum, ids, screenSize);
    else store.listVisible(ids);
    const isInOrder = container.drawsInOrder || needsOrder(ids.length, levels.meshes);
    if (isInOrder) order.sort(ids, store.idEnd);
    return isInOrder;
  }

  /**
   * Called if the pass draws the same instances as the last time. Once they rest, they are put in order: that costs one
   * copy.
   */
  private rest(): void {
    this.passesAtRest++;
    if (this.passesAtRest === PASSES_TO_REST) for (const view of this.views) view.putInOrder(this.context.order);
  }

  private idsByLevel(lodCamera: LodCamera): readonly IndexList[] {
    const { levels, ids, store, container, levelIds } = this.context;
    if (levels.count === 1) return [ids];
    while (levelIds.length < levels.count) levelIds.push(new IndexList());
    levels.partition(ids, store, container.matrixWorld, lodCamera, levelIds);
    return levelIds;
  }

  /** A level beyond the last one means the last one. */
  private allAtLevel(level: number): readonly IndexList[] {
    const { levels, ids } = this.context;
    return levels.meshes.map((_, k) => (k === Math.min(level, levels.count - 1) ? ids : EMPTY));
  }

  /**
   * @param isSorted By level: whether to sort the instances by depth. Only if `isInOrder`; those at equal depths keep
   *   their order.
   */
  private assign(
    lists: readonly IndexList[],
    isInOrder: boolean,
    camera: Camera | null,
    isSorted: readonly boolean[],
  ): void {
    const { store, levels, container } = this.context;
    this.views.forEach((view, k) => {
      if (camera !== null && isSorted[k]) {
        const { geometry } = levels.meshes[k];
        if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
        const { center } = geometry.boundingSphere as Sphere;
        sortByDepth(lists[k], store, container.matrixWorld, center, camera);
      }
      view.assign(lists[k], isInOrder);
    });
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

function isTransparent(material: Material | Material[]): boolean {
  return Array.isArray(material) ? material.some(isTransparent) : material.transparent;
}
