/** Many instances of one mesh, found by an octree: each render pass draws just those that it sees, in one call. */

import {
  BufferGeometry, Matrix4, MeshBasicMaterial, Object3D, type Box3, type Camera, type Color, type Frustum, type FrustumArray, type Intersection, type JSONMeta,
  type Material, type Object3DEventMap, type Object3DJSON, type Raycaster, type Sphere,
} from 'three';
import type { Octree } from '../../scene/octree.ts';
import { describe, requireNotNegative } from '../../scene/input-checks.ts';
import { AttributeWatch, requireItems } from './attribute-watch.ts';
import { nameOf } from '../bounds/bounds-of.ts';
import {
  requireColor, requireGeometry, requireId, requireIds, requireMaterial, requireMatrices, requireMatrix, requireTarget, requireVisible, requireWorld,
} from './instance-checks.ts';
import { InstanceBodies } from './instance-bodies.ts';
import { InstanceDisplay } from './instance-display.ts';
import { InstanceExtent } from './instance-extent.ts';
import { InstanceLevels } from './instance-levels.ts';
import { requireOptions, type OctreeInstancesOptions } from './instance-options.ts';
import { InstanceRaycast, type InstanceFilter } from './instance-raycast.ts';
import { COLOR_STRIDE, InstanceStore, MATRIX_STRIDE } from './instance-store.ts';
import { allInstancesOf } from './instanced-mesh-of.ts';
import { PassObject } from '../passes/pass-object.ts';
import type { Pickable } from '../picking/pickable.ts';

const IDENTITY = /* @__PURE__ */ new Matrix4();

/**
 * Takes the role of an InstancedMesh with 1,000 to 1,000,000 instances.
 *
 * - Each pass (a camera, a shadow, a reflection) has an InstancedMesh of its own with the instances whose bounds it touches; they share
 *   geometry and material with the container. What has not changed since the last frame is neither copied nor uploaded.
 * - Changes may be made at any time and show from the next pass on; there is no `needsUpdate`. The cost is that of the changes.
 * - Instances of transparent materials are drawn from back to front (`sortObjects`), those of others in no certain order.
 * - Attributes by instance (InstancedBufferAttribute) of the geometry follow their instances, item k that of id k, or of as many ids as
 *   its `meshPerAttribute` says; `needsUpdate` and update ranges work as usual. They must have an item for each id before the next frame.
 * - Morph targets are those of all instances alike. Where a pass tells no frustum (a bundle group), all instances are drawn.
 * - Not a Mesh: code that looks for meshes leaves it alone, `WebGLRenderer.compile` too, and `Box3.setFromObject` cannot be precise.
 */
export class OctreeInstances extends PassObject implements Pickable {
  override readonly type = 'OctreeInstances';
  /** Read whenever a pass begins: both may be exchanged at any time. */
  geometry: BufferGeometry;
  material: Material | Material[];

  /** Of all instances, for geometries with morph targets. */
  morphTargetInfluences: number[] | undefined = undefined;
  /** Whether instances of transparent materials are drawn from back to front. */
  sortObjects = true;
  /**
   * Stands in for every camera when instances are chosen, but not when they are drawn: to freeze the choice and look at it from elsewhere,
   * or for a far plane of its own. Its matrices must be up to date. Null: each camera chooses for itself. Shadows always do.
   */
  cullingCamera: Camera | null = null;
  /** Level of detail of all instances in shadows; null for the level at which the camera sees each. */
  shadowLevel: number | null = null;

  private readonly store = new InstanceStore();
  private readonly levels = new InstanceLevels();
  private readonly bodies: InstanceBodies;
  private readonly display: InstanceDisplay;
  private readonly rays: InstanceRaycast;
  private readonly watch = new AttributeWatch();
  private readonly extent = new InstanceExtent(this.store);

  /**
   * @param count Instances to begin with, with the ids from 0 and without a transform.
   * @param options Those of the octree, and `bounds`.
   * @throws {TypeError} If the geometry, the material or an option is none.
   * @throws {RangeError} If the count is no whole number, or an option out of its range.
   */
  constructor(
    geometry: BufferGeometry = new BufferGeometry(),
    material: Material | Material[] = new MeshBasicMaterial(),
    count: number = 0,
    options: OctreeInstancesOptions = {},
  ) {
    super();
    requireGeometry('OctreeInstances', geometry);
    requireMaterial('OctreeInstances', material);
    requireOptions(options);
    this.bodies = new InstanceBodies(this.store, this.levels.meshes, options);
    this.display = new InstanceDisplay(this, this.store, this.bodies, this.levels);
    this.rays = new InstanceRaycast(this, this.store, this.bodies, this.levels);
    if (!Number.isInteger(count) || count < 0) {
      throw new RangeError(`OctreeInstances: count must be a whole number, 0 or more, but is ${describe(count)}; leave it out for 0.`);
    }
    this.geometry = geometry;
    this.material = material;
    this.store.reserve(count);
    for (let k = 0; k < count; k++) this.store.writeMatrix(this.store.allocate(), IDENTITY.elements, 0);
  }

  /** Living instances, hidden ones included. */
  get instanceCount(): number {
    return this.store.count;
  }

  /** Instances for which there is room; it doubles when it is used up. */
  get capacity(): number {
    return this.store.capacity;
  }

  /**
   * The octree behind the instances, for questions in world units: what is near, in a box, nearest. The data of a body is the id of the
   * instance; hidden ones are not in it. Do not write to it, and ask for it anew in each frame: if the container itself has moved, this
   * brings every body along, which nothing else needs.
   */
  get octree(): Octree<number> {
    this.updateWorldMatrix(true, false);
    this.settle('OctreeInstances.octree');
    this.bodies.settleInWorld(this);
    return this.bodies.octree;
  }

  /** Adds an instance; returns its id, that of a deleted instance if there is one. */
  addInstance(matrix: Matrix4): number {
    requireMatrix('OctreeInstances.addInstance', this, matrix);
    const id = this.store.allocate();
    this.store.writeMatrix(id, matrix.elements, 0);
    return id;
  }

  /** Adds many instances, with sixteen numbers each, as in `Matrix4.elements`; returns their ids. */
  addInstances(matrices: ArrayLike<number>): Uint32Array {
    requireMatrices('OctreeInstances.addInstances', this, matrices);
    const { store } = this;
    const ids = new Uint32Array(matrices.length / MATRIX_STRIDE);
    store.reserve(ids.length);
    for (let k = 0; k < ids.length; k++) store.writeMatrix((ids[k] = store.allocate()), matrices, k * MATRIX_STRIDE);
    return ids;
  }

  deleteInstance(id: number): this {
    requireId('OctreeInstances.deleteInstance', this, this.store, id);
    this.store.release(id);
    return this;
  }

  /** Whether an id is that of a living instance. */
  has(id: number): boolean {
    return this.store.has(id);
  }

  setMatrixAt(id: number, matrix: Matrix4): this {
    requireId('OctreeInstances.setMatrixAt', this, this.store, id);
    requireMatrix('OctreeInstances.setMatrixAt', this, matrix);
    this.store.writeMatrix(id, matrix.elements, 0);
    return this;
  }

  getMatrixAt(id: number, target: Matrix4): Matrix4 {
    requireId('OctreeInstances.getMatrixAt', this, this.store, id);
    requireTarget('OctreeInstances.getMatrixAt', 'Matrix4', target);
    return target.fromArray(this.store.matrices, id * MATRIX_STRIDE);
  }

  /** Moves many instances at once, with sixteen numbers for each id. */
  setMatricesAt(ids: ArrayLike<number>, matrices: ArrayLike<number>): this {
    requireIds('OctreeInstances.setMatricesAt', this, this.store, ids);
    requireMatrices('OctreeInstances.setMatricesAt', this, matrices, ids.length);
    for (let k = 0; k < ids.length; k++) this.store.writeMatrix(ids[k], matrices, k * MATRIX_STRIDE);
    return this;
  }

  /** The box that the octree tests an instance by, in world units; a little larger than what is drawn. Empty if it cannot be bounded. */
  getBoundingBoxAt(id: number, target: Box3): Box3 {
    requireId('OctreeInstances.getBoundingBoxAt', this, this.store, id);
    requireTarget('OctreeInstances.getBoundingBoxAt', 'Box3', target);
    this.updateWorldMatrix(true, false);
    this.settle('OctreeInstances.getBoundingBoxAt');
    return this.bodies.readBox(this, id, target);
  }

  setColorAt(id: number, color: Color): this {
    requireId('OctreeInstances.setColorAt', this, this.store, id);
    requireColor('OctreeInstances.setColorAt', color);
    this.store.writeColor(id, color.r, color.g, color.b);
    return this;
  }

  /** White as long as nothing else was set. */
  getColorAt(id: number, target: Color): Color {
    requireId('OctreeInstances.getColorAt', this, this.store, id);
    requireTarget('OctreeInstances.getColorAt', 'Color', target);
    const { colors } = this.store;
    return colors === null ? target.setRGB(1, 1, 1) : target.fromArray(colors, id * COLOR_STRIDE);
  }

  /** Hidden instances are neither drawn nor hit, and cost nothing. */
  setVisibleAt(id: number, visible: boolean): this {
    requireId('OctreeInstances.setVisibleAt', this, this.store, id);
    requireVisible('OctreeInstances.setVisibleAt', visible);
    this.store.show(id, visible);
    return this;
  }

  getVisibleAt(id: number): boolean {
    requireId('OctreeInstances.getVisibleAt', this, this.store, id);
    return this.store.isShown(id);
  }

  /**
   * Adds a level of detail: another geometry, and material if given, for instances that are at least so far from the camera. Rays hit
   * the level of the distance from their origin.
   *
   * @param distance World units, divided by the zoom of the camera.
   * @param hysteresis Part of the distance by which the camera must come nearer before the level is left again, against flicker.
   * @throws {RangeError} If the distance is negative, the hysteresis not between 0 and 1, or there are sixteen levels already.
   */
  addLevel(geometry: BufferGeometry, distance: number, hysteresis: number = 0, material: Material | Material[] | null = null): this {
    const where = 'OctreeInstances.addLevel';
    requireGeometry(where, geometry);
    if (material !== null) requireMaterial(where, material);
    requireNotNegative(where, 'distance', distance, 'pass world units');
    requireNotNegative(where, 'hysteresis', hysteresis, 'pass a part of the distance, such as 0.1');
    if (hysteresis > 1) throw new RangeError(`${where}: hysteresis must be at most 1, but is ${hysteresis}; pass a part of the distance, such as 0.1.`);
    if (this.levels.isFull) throw new RangeError(`${where}: ${nameOf(this)} must not have more than ${this.levels.count} levels; leave some out.`);
    this.display.dispose();
    this.levels.add(geometry, distance, hysteresis, material);
    return this;
  }

  /**
   * As in three; the octree follows, too.
   *
   * @throws {RangeError} If the matrix of the container or a vertex holds a NaN, or an attribute by instance is too short for all ids.
   */
  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    this.settle('OctreeInstances.updateMatrixWorld');
    requireItems('OctreeInstances.updateMatrixWorld', this, this.levels.meshes, this.store);
    this.bodies.octree.update();
  }

  /**
   * Hits instances as those of an InstancedMesh are hit, with `instanceId` and the container as `object`; only the nearest, and faster,
   * if `raycaster.firstHitOnly` is set, as with three-mesh-bvh. Works before the first frame.
   *
   * @throws {RangeError} If the ray has no direction.
   */
  override raycast(raycaster: Raycaster, hits: Intersection[]): void {
    if ((raycaster as { firstHitOnly?: boolean }).firstHitOnly === true) {
      const hit = this.raycastFirst(raycaster);
      if (hit !== null) hits.push(hit);
    } else {
      this.settle('OctreeInstances.raycast');
      this.rays.collect('OctreeInstances.raycast', raycaster, hits);
    }
  }

  /**
   * The nearest hit that `raycaster.intersectObject(this)` would give, or null, without looking for the others.
   *
   * @param filter Whether an instance may be hit, given the container and its id; what it refuses does not hide what is behind.
   */
  raycastFirst(raycaster: Raycaster, filter: InstanceFilter = () => true): Intersection | null {
    this.settle('OctreeInstances.raycastFirst');
    return this.rays.first('OctreeInstances.raycastFirst', raycaster, filter);
  }

  /** Around the instances that show, in the space of the container. Never stale, but computed anew after each change: as many steps as there are instances. */
  get boundingBox(): Box3 {
    this.canSettle();
    return this.extent.boxOf(this);
  }

  /** As `boundingBox`. */
  get boundingSphere(): Sphere {
    this.canSettle();
    return this.extent.sphereOf(this);
  }

  /** Copies instances with their ids, and levels; geometry and materials are shared. */
  override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
    super.copy(source, recursive);
    if (!(source instanceof OctreeInstances)) return this;
    this.display.dispose();
    this.geometry = source.geometry;
    this.material = Array.isArray(source.material) ? [...source.material] : source.material;
    this.morphTargetInfluences = source.morphTargetInfluences?.slice();
    this.sortObjects = source.sortObjects;
    this.cullingCamera = source.cullingCamera;
    this.shadowLevel = source.shadowLevel;
    this.store.copy(source.store);
    this.levels.copy(source.levels);
    return this;
  }

  /** As an InstancedMesh of the first level, which ObjectLoader reads; hidden and deleted instances have no size in it. */
  override toJSON(meta?: JSONMeta): Object3DJSON {
    const mesh = allInstancesOf(this, this.store);
    this.disarm();
    Object3D.prototype.copy.call(mesh, this, false);
    mesh.uuid = this.uuid;
    mesh.children = this.children;
    return mesh.toJSON(meta);
  }

  /** Frees what views have on the graphics card, as InstancedMesh does; geometry and material are the user's. Drawn again, it makes them anew. */
  override dispose(): void {
    super.dispose();
    this.display.dispose();
  }

  protected override visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[] {
    return this.canSettle() ? this.display.shownTo(frustum, camera) : this.display.shownToAll();
  }

  protected override unculled(): Object3D[] {
    this.canSettle();
    return this.display.shownToAll();
  }

  /** Brings everything in step with what was changed since the last time. */
  private settle(where: string): void {
    this.disarm();
    requireGeometry(where, this.geometry);
    requireMaterial(where, this.material);
    this.levels.follow(this);
    this.watch.follow(this.levels.meshes, this.store);
    requireWorld(where, this);
    this.bodies.settle(where, this);
  }

  /** As `settle`; false, and all are shown, where that would throw: renderers must not be interrupted. The next update of the matrices throws. */
  private canSettle(): boolean {
    try {
      this.settle('OctreeInstances');
      return true;
    } catch {
      return false;
    }
  }
}
