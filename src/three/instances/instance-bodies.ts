/**
 * The instances as bodies of an octree. The store collects changes; `sync` applies them together before the next query. The bodies are in world
 * space until the container itself moves; then they stay where they are, and queries are transformed instead (see bounds/body-space.ts).
 */

import { Box3, Matrix4, Sphere, Vector3, type Frustum, type FrustumArray, type Mesh, type Object3D, type Ray } from 'three';
import { Octree } from '../../main/octree.ts';
import { resized, withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { BodySpace } from '../bounds/body-space.ts';
import type { MinScreenSize } from '../passes/min-screen-size.ts';
import { frustaOf, isValidFrustum } from '../passes/frusta.ts';
import { requireBounds, requireWorld } from './instance-checks.ts';
import { readBounds, type OctreeInstancesOptions } from './instance-options.ts';
import type { InstanceStore } from './instance-store.ts';
import { LocalBounds } from './local-bounds.ts';

/** In place of a body index: the id has no body. */
const NO_BODY_INDEX = 0xffffffff;

export class InstanceBodies {
  readonly octree: Octree<number>;
  readonly space = new BodySpace();
  /** Changes whenever a pass may see other instances, or see them elsewhere. */
  version = 0;
  /** Whether the last `sync` succeeded. Otherwise there are no bounds to cull by: every pass and every ray takes all visible instances. */
  private isSynced = false;
  /** Whether rays can hit anything: as in three, they hit nothing of instances whose container or vertices hold a NaN. */
  private isHittable = false;

  /** Contains all bodies, in the container's local space; not tight. Renderers sort draw calls by its centre. */
  readonly sortingSphere = new Sphere();
  /** `version` at which the sphere was computed. */
  private sphereVersion = -1;

  private readonly store: InstanceStore;
  /** One for each level of detail. */
  private readonly meshes: readonly Mesh[];
  private readonly local: LocalBounds;
  /** Body index by id, or NO_BODY_INDEX. */
  private bodyOf = new Uint32Array(0);
  /** Id by body index. */
  private idOf = new Uint32Array(0);
  /** Whether every body so far has had the index of its instance: then query results need no mapping to ids. */
  private isIdentity = true;
  private readonly bounds = new BoundsBuffer();
  private readonly added = new IndexList();
  private readonly moved = new IndexList();
  private readonly removed = new IndexList();
  /** The result of one frustum of several. */
  private readonly visible = new IndexList();
  /** By body: 1 if it is in the union of several frusta. All 0 between calls. */
  private marks = new Uint8Array(0);

  constructor(store: InstanceStore, meshes: readonly Mesh[], options: OctreeInstancesOptions) {
    // Instances must not be lost by leaving the region: it grows.
    const { bounds, ...octreeOptions } = options;
    this.octree = new Octree<number>({ ...octreeOptions, outside: 'grow' });
    this.local = new LocalBounds(readBounds(bounds));
    this.store = store;
    this.meshes = meshes;
  }

  /**
   * Applies all changes to the octree, or none if it throws. The world matrix of the container must be up to date. Cost: that of the changes;
   * every instance counts as changed if the bounds of a geometry have changed.
   *
   * @throws {RangeError} If bounds reach beyond 2^50, or the container's matrix or a geometry holds a NaN.
   */
  sync(where: string, container: Object3D): void {
    const wasSynced = this.isSynced;
    this.isSynced = this.isHittable = false;
    try {
      this.update(where, container);
      this.isSynced = true;
    } finally {
      if (!wasSynced || !this.isSynced) this.version++;
    }
  }

  private update(where: string, container: Object3D): void {
    const { store, space } = this;
    if (this.local.update(where, container, this.meshes)) this.removeAll();
    this.isHittable = container.matrixWorld.elements.every(Number.isFinite);
    requireWorld(where, container);
    if (!space.isAt(container.matrixWorld)) {
      this.version++;
      if (!space.update(container.matrixWorld) || this.octree.size === 0) {
        space.resetToWorld();
        store.markAllBodiesDirty();
      }
    }
    if (store.dirtyBodies.length > 0) this.flushDirtyBodies(where, container);
    if (this.sphereVersion !== this.version) this.computeSortingSphere(container);
  }

  /** Brings the bodies, which are up to date, back to world space. Moves every body if the container has moved since the last time. */
  syncInWorld(where: string, container: Object3D): void {
    if (this.space.isWorld) return;
    this.space.resetToWorld();
    this.store.markAllBodiesDirty();
    this.flushDirtyBodies(where, container);
  }

  /**
   * Lists the ids of the visible instances that a frustum may see, each once, in tree order. A frustum with NaN sees all.
   *
   * @param screenSize Leaves out what looks too small.
   */
  collectInFrustum(frustum: Frustum | FrustumArray, list: IndexList, screenSize: MinScreenSize): void {
    const frusta = frustaOf(frustum);
    if (!this.hasBounds || !frusta.every(isValidFrustum)) {
      this.store.collectVisible(list);
      return;
    }
    if (frusta.length === 1) this.octree.collectFrustum(this.space.frustumOf(frusta[0]), list, screenSize.optionsFor(0, this.space));
    else this.collectUnion(frusta, list, screenSize);
    this.mapToIds(list);
  }

  /** Lists the ids of the visible instances whose bounds a world-space ray enters within `far`, the nearest first. */
  collectRay(ray: Ray, far: number, list: IndexList): void {
    if (!this.isHittable) {
      list.length = 0;
      return;
    }
    if (!this.hasBounds) {
      this.store.collectVisible(list);
      return;
    }
    const own = this.space.rayOf(ray);
    this.octree.collectRay(own, list, { far: far * this.space.rayScale });
    this.mapToIds(list);
  }

  /** The bounds of an instance in world units; if they are a sphere, the box around it. Empty if instances have no finite bounds. */
  readBox(container: Object3D, id: number, target: Box3): Box3 {
    const { local, store } = this;
    if (local.kind === null) return target.makeEmpty();
    local.write(container.matrixWorld, store, Uint32Array.of(id), 1, readBox_bounds);
    if (local.kind === 'box') return target.set(target.min.fromArray(readBox_bounds, 0), target.max.fromArray(readBox_bounds, 3));
    return readBox_sphere.set(readBox_sphere.center.fromArray(readBox_bounds), readBox_bounds[3]).getBoundingBox(target);
  }

  /** A lower bound of the world distance at which a ray can hit an instance: where it enters the bounds. */
  minHitDistance(ray: Ray, id: number): number {
    const body = this.bodyOf[id];
    if (!this.hasBounds || body === NO_BODY_INDEX) return 0;
    const own = this.space.rayOf(ray);
    return entryDistance(own, this.octree.bodyAt(body).getBox(minHitDistance_box)) / this.space.rayScale;
  }

  private get hasBounds(): boolean {
    return this.isSynced && this.local.kind !== null;
  }

  /** From the fitted box of the root; an empty octree leaves the sphere as it is. */
  private computeSortingSphere(container: Object3D): void {
    this.sphereVersion = this.version;
    this.octree.walk(({ fitted }) => {
      computeSortingSphere_box.min.copy(fitted.min);
      computeSortingSphere_box.max.copy(fitted.max);
      computeSortingSphere_box.getBoundingSphere(this.sortingSphere).applyMatrix4(computeSortingSphere_matrix.copy(this.space.matrixOf(container)).invert());
      return WalkSignal.Stop;
    });
  }

  /** Lists the bodies that touch any of the frusta, each once. */
  private collectUnion(frusta: readonly Frustum[], list: IndexList, screenSize: MinScreenSize): void {
    const { visible, octree } = this;
    if (this.marks.length < this.idOf.length) this.marks = new Uint8Array(this.idOf.length);
    const { marks } = this;
    list.length = 0;
    for (const [cameraIndex, frustum] of frusta.entries()) {
      octree.collectFrustum(this.space.frustumOf(frustum), visible, screenSize.optionsFor(cameraIndex, this.space));
      for (let k = 0; k < visible.length; k++) {
        const body = visible.array[k];
        if (marks[body] === 0) list.push(body);
        marks[body] = 1;
      }
    }
    for (let k = 0; k < list.length; k++) marks[list.array[k]] = 0;
  }

  /** Replaces body indices by ids. */
  private mapToIds(list: IndexList): void {
    if (this.isIdentity) return;
    const { array, length } = list;
    const { idOf } = this;
    for (let k = 0; k < length; k++) array[k] = idOf[array[k]];
  }

  /** The bounds have changed, and perhaps their kind: all bodies are inserted again by the next flush. */
  private removeAll(): void {
    this.octree.clear();
    this.bodyOf.fill(NO_BODY_INDEX);
    this.isIdentity = true;
    this.store.markAllBodiesDirty();
  }

  /** Checks all bounds before anything changes. If it throws, the ids stay dirty, and the next flush tries again. */
  private flushDirtyBodies(where: string, container: Object3D): void {
    const { store, local, octree, added, moved, removed } = this;
    this.version++;
    this.sortDirtyBodies();
    if (local.kind !== null) {
      const space = this.space.matrixOf(container);
      const addedBounds = this.bounds.write(local, space, store, added, 0);
      const movedBounds = this.bounds.write(local, space, store, moved, addedBounds.length);
      requireBounds(where, container, addedBounds, local.stride, added);
      requireBounds(where, container, movedBounds, local.stride, moved);
      const ids = added.array.slice(0, added.length);
      const bodies = octree.insertMany(addedBounds, { kind: local.kind, data: ids });
      octree.moveMany(this.bodiesOf(moved), movedBounds);
      this.recordBodies(ids, bodies);
    }
    octree.removeMany(this.bodiesOf(removed));
    for (let k = 0; k < removed.length; k++) this.bodyOf[removed.array[k]] = NO_BODY_INDEX;
    store.clearDirtyBodies();
  }

  /** Distributes the dirty ids over `added`, `moved` and `removed`. */
  private sortDirtyBodies(): void {
    const { store, added, moved, removed } = this;
    this.reserve();
    const { dirtyBodies } = store;
    added.length = moved.length = removed.length = 0;
    for (let k = 0; k < dirtyBodies.length; k++) {
      const id = dirtyBodies.array[k];
      if (!store.isVisible(id)) {
        if (this.bodyOf[id] !== NO_BODY_INDEX) removed.push(id);
      } else if (this.bodyOf[id] === NO_BODY_INDEX) added.push(id);
      else moved.push(id);
    }
  }

  private recordBodies(ids: Uint32Array, bodies: Uint32Array): void {
    for (let k = 0; k < ids.length; k++) {
      if (ids[k] !== bodies[k]) this.isIdentity = false;
      this.bodyOf[ids[k]] = bodies[k];
      this.idOf = withCapacity(this.idOf, bodies[k] + 1);
      this.idOf[bodies[k]] = ids[k];
    }
  }

  private bodiesOf(ids: IndexList): Uint32Array {
    const bodies = new Uint32Array(ids.length);
    for (let k = 0; k < ids.length; k++) bodies[k] = this.bodyOf[ids.array[k]];
    return bodies;
  }

  private reserve(): void {
    const { capacity } = this.store;
    if (capacity <= this.bodyOf.length) return;
    const from = this.bodyOf.length;
    this.bodyOf = resized(this.bodyOf, capacity).fill(NO_BODY_INDEX, from);
    if (this.idOf.length < capacity) this.idOf = resized(this.idOf, capacity);
  }
}
const readBox_bounds = /* @__PURE__ */ new Float64Array(6);
const readBox_sphere = /* @__PURE__ */ new Sphere();
const minHitDistance_box = /* @__PURE__ */ new Box3();
const computeSortingSphere_box = /* @__PURE__ */ new Box3();
const computeSortingSphere_matrix = /* @__PURE__ */ new Matrix4();

/** The bounds of many instances, in a buffer that is used again. */
class BoundsBuffer {
  private values = new Float64Array(0);

  /** Writes the bounds from the offset on. The returned part of the buffer is valid until a call with a lower offset. */
  write(local: LocalBounds, space: Matrix4, store: InstanceStore, ids: IndexList, offset: number): Float64Array {
    const length = offset + ids.length * local.stride;
    if (length > this.values.length) this.values = new Float64Array(2 * length);
    const bounds = this.values.subarray(offset, length);
    local.write(space, store, ids.array, ids.length, bounds);
    return bounds;
  }
}

/** Distance at which a ray enters a box. 0 if the ray starts inside, or if three's test misses the box although the octree's test hits it (rounding). */
function entryDistance(ray: Ray, box: Box3): number {
  if (box.containsPoint(ray.origin)) return 0;
  const entry = ray.intersectBox(box, entryDistance_point);
  return entry === null ? 0 : entry.distanceTo(ray.origin);
}
const entryDistance_point = /* @__PURE__ */ new Vector3();
