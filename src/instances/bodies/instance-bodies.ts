/**
 * Keeps the visible instances as bodies of an octree. The store collects changes; `sync` applies them together before
 * the next query. The bodies are in world space until the container itself moves; then they stay where they are, and
 * queries are transformed (see bounds/body-space.ts). Rays are in instance-raycast.ts.
 */

import { Box3, Matrix4, Sphere, type Frustum, type FrustumArray, type Mesh, type Object3D } from 'three';
import { BitSet } from '../store/bit-set.ts';
import { createContainerOctree } from '../../three-math/container-octree.ts';
import type { ReadOnlyOctree } from '../../three-math/octree.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { BulkMove } from '../../tree/update/move.ts';
import { BodySpace } from '../../three/bounds/body-space.ts';
import type { MinScreenSize } from '../../three/passes/min-screen-size.ts';
import type { PassOcclusion } from '../../three/passes/pass-occlusion.ts';
import { frustaOf, isValidFrustum } from '../../three/passes/render-pass.ts';
import { InstanceBodyMap, NO_BODY_INDEX } from './instance-body-map.ts';
import { readBounds, requireBounds, requireWorld, type OctreeInstancesOptions } from '../instance-checks.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { LocalBounds } from './local-bounds.ts';

const INSTANCES_KEEPER =
  'the octree of an OctreeInstances is read-only; use setMatrixAt, addInstance or deleteInstance';

export class InstanceBodies {
  readonly octree: ReadOnlyOctree<number>;
  readonly space = new BodySpace();
  readonly map = new InstanceBodyMap();
  /** The bounds of an instance in its local space. */
  readonly local: LocalBounds;
  /** Changes whenever a pass may see other instances, or see them elsewhere. */
  version = 0;
  /** False while the matrix of the container or a vertex holds a NaN: then rays hit no instance, as in three. */
  isHittable = false;
  /**
   * Contains all bodies, in the container's local space; not tight. Renderers sort draw calls by its centre. NaN if the
   * container is flat.
   */
  readonly sortingSphere = new Sphere();
  /** Culls in place of the octree, and leaves out hidden instances. */
  declare culling: PassOcclusion | undefined;
  /** `version` at which the sphere was computed. */
  private sphereVersion = -1;

  /** Set while bodies and map are written. An error in between leaves it set: then all bodies are made anew. */
  private isHalfWritten = false;
  /** Whether the last `sync` succeeded. */
  private isSynced = false;
  readonly container: Object3D;
  readonly store: InstanceStore;
  /** One for each level of detail. */
  private readonly meshes: readonly Mesh[];
  /** For the bounds of many instances. */
  private buffer = new Float64Array(0);
  private readonly added = new IndexList();
  private readonly moved = new IndexList();
  private readonly removed = new IndexList();
  /** The ids in any of several frusta. Empty between calls. */
  private readonly union = new BitSet();

  constructor(container: Object3D, store: InstanceStore, meshes: readonly Mesh[], options: OctreeInstancesOptions) {
    // Instances must not be lost by leaving the region: it grows.
    const { bounds, ...octreeOptions } = options;
    this.octree = createContainerOctree({ ...octreeOptions, outside: 'grow' }, INSTANCES_KEEPER);
    this.local = new LocalBounds(readBounds(bounds));
    this.container = container;
    this.store = store;
    this.meshes = meshes;
  }

  /** Whether there are bounds to cull by. If not, every pass and every ray takes all visible instances. */
  get hasBounds(): boolean {
    return this.isSynced && this.local.kind !== null;
  }

  /**
   * Applies all changes to the octree, or none if it throws. The world matrix of the container must be up to date.
   * Cost: in proportion to the number of changed instances; if the bounds of a geometry have changed, all count as
   * changed.
   *
   * @throws {RangeError} If bounds reach beyond 2^50, or the container's matrix or a geometry holds a NaN.
   */
  sync(where: string): void {
    const wasSynced = this.isSynced;
    this.isSynced = this.isHittable = false;
    try {
      this.refresh(where);
      this.isSynced = true;
    } finally {
      if (!wasSynced || !this.isSynced) this.version++;
    }
  }

  private refresh(where: string): void {
    const { store, space, container } = this;
    if (this.local.refresh(where, container, this.meshes)) this.isHalfWritten = true;
    if (this.isHalfWritten) this.removeAll();
    this.isHittable = container.matrixWorld.elements.every(Number.isFinite);
    requireWorld(where, container);
    if (!space.isAt(container.matrixWorld)) {
      this.version++;
      if (!space.setWorld(container.matrixWorld) || this.octree.size === 0) {
        space.resetToWorld();
        store.markAllBodiesDirty();
      }
    }
    this.flushDirtyBodies(where);
    if (this.sphereVersion !== this.version) this.computeSortingSphere();
  }

  /**
   * Brings the bodies back to world space. They must be up to date. Moves every body if the container has moved since
   * the last time.
   */
  syncInWorld(where: string): void {
    if (this.space.isWorld) return;
    this.space.resetToWorld();
    this.store.markAllBodiesDirty();
    this.flushDirtyBodies(where);
  }

  /**
   * Lists the ids of the visible instances that a frustum may see, each once, in any order. A frustum with NaN sees
   * all.
   *
   * @param screenSize Leaves out what looks too small.
   */
  collectInFrustum(frustum: Frustum | FrustumArray, list: IndexList, screenSize: MinScreenSize): void {
    const { octree, culling = octree, space, map, store, union } = this;
    const frusta = frustaOf(frustum);
    if (!this.hasBounds || !frusta.every(isValidFrustum)) {
      store.listVisible(list);
      return;
    }
    union.reserve(store.idEnd);
    for (const [cameraIndex, one] of frusta.entries()) {
      culling.collectFrustum(space.frustumOf(one), list, screenSize.optionsFor(cameraIndex, space));
      map.toIds(list);
      if (frusta.length > 1) for (const id of list) union.add(id);
    }
    if (frusta.length === 1) return;
    list.reserve(store.count);
    list.length = union.drain(list.array, store.idEnd);
  }

  /**
   * The bounds of an instance, hidden or not; if they are a sphere, the box around it. Empty if instances have no
   * finite bounds.
   */
  readBox(id: number, target: Box3): Box3 {
    if (this.local.kind === null) return target.makeEmpty();
    this.writeBox(this.container.matrixWorld, id, readBox_box);
    return target.set(target.min.fromArray(readBox_box), target.max.fromArray(readBox_box, 3));
  }

  /** As `readBox`, in the space to which the matrix transforms the container's local space: min, then max. */
  writeBox(matrix: Matrix4, id: number, target: Float64Array): void {
    this.local.writeBox(matrix, this.store, id, target);
  }

  /** From the box around all bounds; without instances the sphere stays as it is. */
  private computeSortingSphere(): void {
    this.sphereVersion = this.version;
    const box = computeSortingSphere_box.makeEmpty();
    this.octree.walk(({ fitted }) => {
      box.copy(fitted);
      return WalkSignal.Stop;
    });
    if (box.isEmpty()) return;
    box
      .getBoundingSphere(this.sortingSphere)
      .applyMatrix4(computeSortingSphere_matrix.copy(this.space.matrixOf(this.container)).invert());
  }

  /**
   * Removes all bodies, because their bounds have changed, and perhaps the kind of their bounds. The next flush inserts
   * them again.
   */
  private removeAll(): void {
    this.octree.internals.clear();
    this.map.clear();
    this.store.markAllBodiesDirty();
    this.isHalfWritten = false;
  }

  /** Checks all bounds before anything changes. If it throws, the ids stay dirty, and the next flush tries again. */
  private flushDirtyBodies(where: string): void {
    const { store, local, map, added, moved, removed } = this;
    // Not by the methods of the octree: they are read-only.
    const bodies = this.octree.internals.store;
    if (store.dirtyBodies.length === 0) return;
    this.version++;
    this.sortDirtyBodies();
    if (local.kind !== null) {
      const { stride } = local;
      const addedBounds = this.writeBounds(where, added, 0);
      const movedBounds = this.writeBounds(where, moved, addedBounds.length);
      const ids = added.array.slice(0, added.length);
      const isSphere = local.kind === 'sphere';
      const batch = { count: ids.length, stride, isSphere, isStatic: false, data: ids, masks: -1 };
      this.isHalfWritten = true;
      const indices = bodies.addMany(where, addedBounds, batch);
      bodies.moveMany(where, new BulkMove(map.bodiesOf(moved), movedBounds, stride));
      map.set(ids, indices);
    }
    bodies.removeMany(map.bodiesOf(removed));
    map.delete(removed);
    this.isHalfWritten = false;
    store.clearDirtyBodies();
  }

  /** Writes the bounds of instances to the buffer from the offset on. Valid until a call with a lower offset. */
  private writeBounds(where: string, ids: IndexList, offset: number): Float64Array {
    const { local, container } = this;
    const end = offset + ids.length * local.stride;
    if (end > this.buffer.length) this.buffer = new Float64Array(2 * end);
    const bounds = this.buffer.subarray(offset, end);
    local.write(this.space.matrixOf(container), this.store, ids.array, ids.length, bounds);
    requireBounds(where, container, bounds, local.stride, ids);
    return bounds;
  }

  /** Distributes the dirty ids over `added`, `moved` and `removed`. */
  private sortDirtyBodies(): void {
    const { store, map, added, moved, removed } = this;
    map.reserve(store.capacity);
    const { dirtyBodies } = store;
    const { bodyOf } = map;
    added.length = moved.length = removed.length = 0;
    for (let k = 0; k < dirtyBodies.length; k++) {
      const id = dirtyBodies.array[k];
      if (!store.isVisible(id)) {
        if (bodyOf[id] !== NO_BODY_INDEX) removed.push(id);
      } else if (bodyOf[id] === NO_BODY_INDEX) added.push(id);
      else moved.push(id);
    }
  }
}
const readBox_box = /* @__PURE__ */ new Float64Array(6);
const computeSortingSphere_box = /* @__PURE__ */ new Box3();
const computeSortingSphere_matrix = /* @__PURE__ */ new Matrix4();
