/**
 * Queries of the instances by passes, by rays and by the user, in world units. Results are ids of visible instances.
 */

import { Box3, Sphere, Vector3, type Frustum, type FrustumArray, type Ray } from 'three';
import { IndexList } from '../../../tree/storage/index-list.ts';
import { frustaOf, isValidFrustum } from '../../passes/render-pass.ts';
import type { MinScreenSize } from '../../passes/min-screen-size.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import { NO_BODY_INDEX } from './instance-body-map.ts';
import type { InstanceStore } from '../store/instance-store.ts';

export class InstanceQueries {
  private readonly store: InstanceStore;
  private readonly bodies: InstanceBodies;
  /** The result of one frustum of several. */
  private readonly visible = new IndexList();
  /** By body: 1 if it is in the union of several frusta. All 0 between calls. */
  private marks = new Uint8Array(0);

  constructor(store: InstanceStore, bodies: InstanceBodies) {
    this.store = store;
    this.bodies = bodies;
  }

  /**
   * Lists the ids of the visible instances that a frustum may see, each once, in tree order. A frustum with NaN sees
   * all.
   *
   * @param screenSize Leaves out what looks too small.
   */
  collectInFrustum(frustum: Frustum | FrustumArray, list: IndexList, screenSize: MinScreenSize): void {
    const { octree, space, map, hasBounds, linear, culling } = this.bodies;
    const frusta = frustaOf(frustum);
    if (!hasBounds || !frusta.every(isValidFrustum)) {
      this.store.listVisible(list);
      return;
    }
    const options = screenSize.optionsFor(0, space);
    if (linear.isActive && frusta.length === 1 && options === undefined) {
      linear.collectFrustum(space.frustumOf(frusta[0]), list);
      return;
    }
    if (linear.isActive) this.bodies.requireOctree();
    if (frusta.length === 1) (culling ?? octree).collectFrustum(space.frustumOf(frusta[0]), list, options);
    else this.collectUnion(frusta, list, screenSize);
    map.toIds(list);
  }

  /** The ids of the visible instances whose bounds a ray enters within `far`, the nearest first, in a fresh array. */
  idsOnRay(ray: Ray, far: number): Uint32Array {
    const { octree, space, map, hasBounds, isHittable } = this.bodies;
    if (!isHittable) return new Uint32Array(0);
    if (!hasBounds) return this.store.visibleIds();
    this.bodies.requireOctree();
    const list = new IndexList();
    const own = space.rayOf(ray);
    octree.collectRay(own, list, { far: far * space.rayScale });
    map.toIds(list);
    return list.array.subarray(0, list.length);
  }

  /** A lower bound of the distance at which a ray can hit an instance: where it enters the bounds. */
  minHitDistance(ray: Ray, id: number): number {
    const { octree, space, map, hasBounds } = this.bodies;
    const body = map.bodyOf[id];
    if (!hasBounds || body === NO_BODY_INDEX) return 0;
    const own = space.rayOf(ray);
    return entryDistance(own, octree.getBoxAt(body, minHitDistance_box)) / space.rayScale;
  }

  /**
   * The bounds of an instance, hidden or not; if they are a sphere, the box around it. Empty if instances have no
   * finite bounds.
   */
  readBox(id: number, target: Box3): Box3 {
    const { container, local } = this.bodies;
    if (local.kind === null) return target.makeEmpty();
    local.write(container.matrixWorld, this.store, Uint32Array.of(id), 1, readBox_bounds);
    if (local.kind === 'box')
      return target.set(target.min.fromArray(readBox_bounds, 0), target.max.fromArray(readBox_bounds, 3));
    return readBox_sphere
      .set(readBox_sphere.center.fromArray(readBox_bounds), readBox_bounds[3])
      .getBoundingBox(target);
  }

  /** Lists the bodies that touch any of the frusta, each once. */
  private collectUnion(frusta: readonly Frustum[], list: IndexList, screenSize: MinScreenSize): void {
    const { octree, space, map } = this.bodies;
    const { visible } = this;
    if (this.marks.length < map.bodyEnd) this.marks = new Uint8Array(map.bodyEnd);
    const { marks } = this;
    list.length = 0;
    for (const [cameraIndex, frustum] of frusta.entries()) {
      octree.collectFrustum(space.frustumOf(frustum), visible, screenSize.optionsFor(cameraIndex, space));
      for (let k = 0; k < visible.length; k++) {
        const body = visible.array[k];
        if (marks[body] === 0) list.push(body);
        marks[body] = 1;
      }
    }
    for (let k = 0; k < list.length; k++) marks[list.array[k]] = 0;
  }
}
const readBox_bounds = /* @__PURE__ */ new Float64Array(6);
const readBox_sphere = /* @__PURE__ */ new Sphere();
const minHitDistance_box = /* @__PURE__ */ new Box3();

/**
 * Distance at which a ray enters a box. 0 if the ray starts inside, or if three's test misses the box although the
 * octree's test hits it (rounding).
 */
function entryDistance(ray: Ray, box: Box3): number {
  if (box.containsPoint(ray.origin)) return 0;
  const entry = ray.intersectBox(box, entryDistance_point);
  return entry === null ? 0 : entry.distanceTo(ray.origin);
}
const entryDistance_point = /* @__PURE__ */ new Vector3();
