/**
 * The instances as bodies of an octree. Changes are noted by the store and brought here together, before the next question. As of the
 * children of a group, the bodies are in world space until the container moves as a whole; see body-space.
 */

import { Box3, Matrix4, Sphere, type Frustum, type FrustumArray, type Mesh, type Object3D, type Ray } from 'three';
import { Octree } from '../../scene/octree.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { BodySpace } from '../bounds/body-space.ts';
import { frustaOf, isValidFrustum } from '../passes/frusta.ts';
import { readBounds, type OctreeInstancesOptions } from './instance-options.ts';
import { InstanceShape } from './instance-shape.ts';
import type { InstanceStore } from './instance-store.ts';
import { minDistance } from '../picking/raycast-checks.ts';

const NO_BODY = 0xffffffff;

export class InstanceBodies {
  readonly octree: Octree<number>;
  readonly space = new BodySpace();
  /** Changes whenever instances may be seen otherwise than before. */
  version = 0;

  /** Around what all bodies are, in the container's own space: renderers sort by its centre what they draw. */
  readonly around = new Sphere();
  private aroundVersion = -1;

  private readonly store: InstanceStore;
  /** What is drawn for an instance, one mesh for each level of detail. */
  private readonly meshes: readonly Mesh[];
  private readonly shape: InstanceShape;
  private bodyOf = new Uint32Array(0);
  private idOf = new Uint32Array(0);
  /** Whether each body has the index of its instance, as long as none has come back; then indices need no turning into ids. */
  private isSame = true;
  private readonly bounds = new BoundsList();
  private readonly entering = new IndexList();
  private readonly moving = new IndexList();
  private readonly leaving = new IndexList();
  private readonly seen = new IndexList();
  /** By body, while the answers of several frusta are put together. */
  private marks = new Uint8Array(0);

  constructor(store: InstanceStore, meshes: readonly Mesh[], options: OctreeInstancesOptions) {
    // Instances are never lost: the region grows.
    this.octree = new Octree<number>({ ...options, outside: 'grow' });
    this.shape = new InstanceShape(readBounds(options.bounds));
    this.store = store;
    this.meshes = meshes;
  }

  /**
   * Brings the octree in step; the matrix of the container is up to date.
   *
   * @throws {RangeError} If bounds reach beyond 2^50, or the container's matrix or a geometry holds a NaN.
   */
  settle(where: string, container: Object3D): void {
    const { store, space } = this;
    if (this.shape.follow(where, container, this.meshes)) this.rebuild();
    if (!space.isAt(container.matrixWorld)) {
      this.version++;
      if (!space.update(container.matrixWorld) || this.octree.size === 0) {
        space.resetToWorld();
        store.noteAll();
      }
    }
    if (store.noted.length > 0) this.settleNoted(space.matrixOf(container));
    if (this.aroundVersion !== this.version) this.measure(container);
  }

  /** Has the octree, which is in step, in world units; that moves every body if the container has moved since the last time. */
  settleInWorld(container: Object3D): void {
    if (this.space.isWorld) return;
    this.space.resetToWorld();
    this.store.noteAll();
    this.settleNoted(container.matrixWorld);
  }

  /** Lists the ids of the instances that a frustum may see, each once, in tree order; all of them where it cannot be read. */
  collectSeen(frustum: Frustum | FrustumArray, list: IndexList): void {
    const frusta = frustaOf(frustum);
    if (this.shape.kind === null || !frusta.every(isValidFrustum)) {
      this.store.collectShown(list);
      return;
    }
    if (frusta.length === 1) {
      this.octree.collectFrustum(this.space.frustumOf(frusta[0]), list);
      this.turnToIds(list);
      return;
    }
    this.collectUnion(frusta, list);
    this.turnToIds(list);
  }

  /** Lists the ids of the instances whose bounds a world ray enters within a distance, the nearest first. */
  collectEntered(ray: Ray, far: number, list: IndexList): void {
    if (this.shape.kind === null) {
      this.store.collectShown(list);
      return;
    }
    const own = this.space.rayOf(ray);
    this.octree.collectRay(own, list, { far: far * this.space.rayScale });
    this.turnToIds(list);
  }

  /** The box that the octree tests an instance by, or around the sphere, in world units; empty if the instance cannot be bounded. */
  readBox(container: Object3D, id: number, target: Box3): Box3 {
    const { shape, store } = this;
    if (shape.kind === null) return target.makeEmpty();
    shape.write(container.matrixWorld, store.matrices, Uint32Array.of(id), 1, readBox_lanes);
    if (shape.kind === 'box') return target.set(target.min.fromArray(readBox_lanes, 0), target.max.fromArray(readBox_lanes, 3));
    return readBox_sphere.set(readBox_sphere.center.fromArray(readBox_lanes), readBox_lanes[3]).getBoundingBox(target);
  }

  /** At most the distance at which a world ray enters the bounds of an instance. */
  minDistance(ray: Ray, id: number): number {
    // Accepting another instance may have removed this one.
    const body = this.bodyOf[id];
    if (this.shape.kind === null || body === NO_BODY) return 0;
    const own = this.space.rayOf(ray);
    return minDistance(own, this.octree.bodyAt(body).getBox(leastDistance_box)) / this.space.rayScale;
  }

  private measure(container: Object3D): void {
    this.aroundVersion = this.version;
    this.octree.walk(({ fitted }) => {
      measure_box.min.copy(fitted.min);
      measure_box.max.copy(fitted.max);
      measure_box.getBoundingSphere(this.around).applyMatrix4(measure_matrix.copy(this.space.matrixOf(container)).invert());
      return WalkSignal.Stop;
    });
  }

  /** Lists the bodies that any of the frusta touches, each once. */
  private collectUnion(frusta: readonly Frustum[], list: IndexList): void {
    const { seen, octree } = this;
    if (this.marks.length < this.idOf.length) this.marks = new Uint8Array(this.idOf.length);
    const { marks } = this;
    list.length = 0;
    for (const frustum of frusta) {
      octree.collectFrustum(this.space.frustumOf(frustum), seen);
      for (let k = 0; k < seen.length; k++) {
        const body = seen.array[k];
        if (marks[body] === 0) list.push(body);
        marks[body] = 1;
      }
    }
    for (let k = 0; k < list.length; k++) marks[list.array[k]] = 0;
  }

  private turnToIds(list: IndexList): void {
    if (this.isSame) return;
    const { array, length } = list;
    const { idOf } = this;
    for (let k = 0; k < length; k++) array[k] = idOf[array[k]];
  }

  /** Bodies of another kind, or none, are wanted. */
  private rebuild(): void {
    this.octree.clear();
    this.bodyOf.fill(NO_BODY);
    this.isSame = true;
    this.store.noteAll();
  }

  private settleNoted(space: Matrix4): void {
    const { store, shape, octree, entering, moving, leaving } = this;
    this.version++;
    this.sortNoted();
    if (shape.kind !== null) {
      const entered = this.bounds.of(shape, space, store, entering);
      const moved = this.bounds.of(shape, space, store, moving, entered.length);
      // Both are checked before anything changes.
      const ids = entering.array.slice(0, entering.length);
      const bodies = octree.insertMany(entered, { kind: shape.kind, data: ids });
      this.give(ids, bodies);
      octree.moveMany(this.bodiesOf(moving), moved);
    }
    octree.removeMany(this.bodiesOf(leaving));
    for (let k = 0; k < leaving.length; k++) this.bodyOf[leaving.array[k]] = NO_BODY;
    store.forgetNoted();
  }

  /** Parts the noted ids by what has to be done. */
  private sortNoted(): void {
    const { store, entering, moving, leaving } = this;
    this.reserve();
    const { noted } = store;
    entering.length = moving.length = leaving.length = 0;
    for (let k = 0; k < noted.length; k++) {
      const id = noted.array[k];
      if (!store.isShown(id)) {
        if (this.bodyOf[id] !== NO_BODY) leaving.push(id);
      } else if (this.bodyOf[id] === NO_BODY) entering.push(id);
      else moving.push(id);
    }
  }

  private give(ids: Uint32Array, bodies: Uint32Array): void {
    for (let k = 0; k < ids.length; k++) {
      if (ids[k] !== bodies[k]) this.isSame = false;
      this.bodyOf[ids[k]] = bodies[k];
      if (bodies[k] >= this.idOf.length) this.idOf = lengthened(this.idOf, 2 * bodies[k]);
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
    this.bodyOf = lengthened(this.bodyOf, capacity).fill(NO_BODY, from);
    if (this.idOf.length < capacity) this.idOf = lengthened(this.idOf, capacity);
  }
}
const readBox_lanes = /* @__PURE__ */ new Float64Array(6);
const readBox_sphere = /* @__PURE__ */ new Sphere();
const measure_box = /* @__PURE__ */ new Box3();
const measure_matrix = /* @__PURE__ */ new Matrix4();
const leastDistance_box = /* @__PURE__ */ new Box3();

/** Room for the bounds of many instances, kept for the next time. */
class BoundsList {
  private lanes = new Float64Array(0);

  /** Bounds of instances, behind the first `from` numbers. */
  of(shape: InstanceShape, space: Matrix4, store: InstanceStore, ids: IndexList, from: number = 0): Float64Array {
    const length = from + ids.length * shape.lanes;
    if (length > this.lanes.length) this.lanes = new Float64Array(2 * length);
    const bounds = this.lanes.subarray(from, length);
    shape.write(space, store.matrices, ids.array, ids.length, bounds);
    return bounds;
  }
}

function lengthened(from: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}
