/** Queries of the instances by passes and by the user, in world units. Rays are in instance-raycast.ts. */

import { Sphere, type Box3, type Frustum, type FrustumArray } from 'three';
import { IndexList } from '../../../tree/storage/index-list.ts';
import { frustaOf, isValidFrustum } from '../../passes/render-pass.ts';
import type { MinScreenSize } from '../../passes/min-screen-size.ts';
import type { InstanceBodies } from './instance-bodies.ts';

export class InstanceQueries {
  private readonly bodies: InstanceBodies;
  /** The result of one frustum of several. */
  private readonly visible = new IndexList();
  /** By body: 1 if it is in the union of several frusta. All 0 between calls. */
  private marks = new Uint8Array(0);

  constructor(bodies: InstanceBodies) {
    this.bodies = bodies;
  }

  /**
   * Lists the ids of the visible instances that a frustum may see, each once, in tree order. A frustum with NaN sees
   * all.
   *
   * @param screenSize Leaves out what looks too small.
   */
  collectInFrustum(frustum: Frustum | FrustumArray, list: IndexList, screenSize: MinScreenSize): void {
    const { octree, space, map, store, hasBounds, linear, culling } = this.bodies;
    const frusta = frustaOf(frustum);
    if (!hasBounds || !frusta.every(isValidFrustum)) {
      store.listVisible(list);
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

  /**
   * The bounds of an instance, hidden or not; if they are a sphere, the box around it. Empty if instances have no
   * finite bounds.
   */
  readBox(id: number, target: Box3): Box3 {
    const { container, local, store } = this.bodies;
    if (local.kind === null) return target.makeEmpty();
    local.write(container.matrixWorld, store, Uint32Array.of(id), 1, readBox_bounds);
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
