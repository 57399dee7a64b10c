/**
 * OctreeInstances: many instances of one mesh in an octree. Each render pass draws only the instances that it can see,
 * in one draw call per level of detail.
 */

import {
  BufferGeometry,
  type InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  type Box3,
  type Camera,
  type Frustum,
  type FrustumArray,
  type Intersection,
  type JSONMeta,
  type Material,
  type Object3DEventMap,
  type Raycaster,
  type Sphere,
  type Vector3,
} from 'three';
import {
  describe,
  isIntegerBetween,
  requireNotNegative,
  requireNumber,
  throwRange,
  throwType,
} from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import type { Body, ReadOnlyOctree } from '../three-math/octree.ts';
import { nameOf } from '../three/bounds/object-kinds.ts';
import type { InstanceContainer } from '../three/instance-container.ts';
import { warnOnce } from '../three/passes/warnings.ts';
import type { InstanceFilter, Pickable, RaycastOptions } from '../three/picking/pickable.ts';
import { ContainerBounds, instancedMeshByIdOf, visibleInstancesOf } from './instanced-mesh-of.ts';
import { NO_BODY_INDEX } from './bodies/instance-body-map.ts';
import { InstanceBodies } from './bodies/instance-bodies.ts';
import {
  INSTANCES_OPTIONS,
  requireGeometry,
  requireId,
  requireMaterial,
  requireNull,
  requireTarget,
  warnOfMissingItems,
  type OctreeInstancesOptions,
} from './instance-checks.ts';
import { EditableInstances } from './editable-instances.ts';
import { InstanceLevels, LevelMesh, MAX_LEVELS } from './levels/instance-levels.ts';
import { addHits, nearestHit } from './instance-raycast.ts';
import { AttributeColumns } from './store/attribute-columns.ts';
import { warnOfSlotReads } from './levels/shader-reads.ts';
import { ViewSelection } from './views/pass-views.ts';

/** 4 GB of matrices. Test: instances-bad-input.test. */
const MAX_COUNT = 2 ** 26;
const IDENTITY = /* @__PURE__ */ new Matrix4();

/**
 * Replaces an InstancedMesh with 1,000 to 1,000,000 instances.
 *
 * - Each pass (a camera, a shadow map, a reflection) draws an InstancedMesh of its own, which holds the instances whose
 *   bounds touch the frustum of the pass. These meshes share geometry and material with the container. Only what has
 *   changed since the last frame is copied and uploaded.
 * - Instances may be changed at any time. The next pass draws the change; there is no `needsUpdate`. Cost: in
 *   proportion to the number of changed instances.
 * - Instances with a transparent material are drawn from back to front (`sortObjects`), others in the order of their
 *   ids, as in an InstancedMesh; for passes with many instances see `drawsInOrder`.
 * - Instanced attributes of the geometry (InstancedBufferAttribute) follow their instances. Item k belongs to the
 *   instance with id k; with a `meshPerAttribute` of n, to the ids from n k on. `needsUpdate` and update ranges work as
 *   usual. An attribute must have an item for every instance; where it has none, it reads as 0, with one warning.
 * - A shader must not use `gl_InstanceID` as the id of an instance: it is the draw slot, which differs from pass to
 *   pass. A ShaderMaterial declares `attribute uint instanceId` and reads that. In node materials `instanceIndex` is
 *   the id, and instanced attributes follow their instances. If a `Fn` creates these nodes, read `instanceId` of
 *   scene-octree/tsl in it. A mistake that can be found causes one warning.
 * - All instances share the morph target influences of the container until the first `setMorphAt`. From then on each
 *   has its own, and instances without a call keep the shape of the geometry.
 * - A pass that has no frustum (in a bundle group, or before three r186) draws all visible instances.
 * - It has the flags of an InstancedMesh, `isMesh` and `isInstancedMesh`, for all code but a renderer in a pass: addons
 *   that look for meshes find it, and treat it as an InstancedMesh.
 *
 * @example
 * ```ts
 * import { OctreeInstances } from 'scene-octree/three';
 *
 * const trees = new OctreeInstances(geometry, material, 100_000); // was: new InstancedMesh(...)
 * for (let id = 0; id < 100_000; id++) trees.setMatrixAt(id, matrixOf(id));
 * scene.add(trees);
 * ```
 */
export class OctreeInstances<
  G extends BufferGeometry = BufferGeometry,
  M extends Material | Material[] = Material | Material[],
>
  extends EditableInstances
  implements InstanceContainer, Pickable
{
  override readonly type = 'OctreeInstances';
  /** Read in each pass: geometry and material may be replaced at any time. */
  geometry: G;
  /** Read in each pass, as `geometry`. */
  material: M;

  /** Shared by all instances, until `setMorphAt` is called. */
  morphTargetInfluences: number[] | undefined = undefined;
  /** Whether instances with a transparent material are drawn from back to front. Default true. */
  sortObjects = true;
  /**
   * Whether every pass draws its instances in the order of their ids, as an InstancedMesh does. False, the default,
   * allows an exception: a pass with more than 4096 instances draws them in any order while they change, for example
   * while its camera turns. This shows only where instances overlap at exactly equal depths, because the exception is
   * made for opaque materials only, which test and write depth. The cost of true is in the guide Instances.
   */
  drawsInOrder = false;
  /**
   * Whether vertex shaders get the attribute `uint instanceId`, for WebGLRenderer. A material whose vertex shader or
   * `onBeforeCompile` mentions it gets it in any case. Default false.
   */
  providesInstanceId = false;
  /**
   * A camera whose frustum culls the instances in the passes of all cameras. For example to freeze the culled set and
   * look at it from elsewhere, or to cull with another far plane. Its matrices must be up to date. Shadow passes ignore
   * it. Default null: each camera culls by its own.
   */
  cullingCamera: Camera | null = null;

  /** @internal */
  readonly levels = new InstanceLevels();
  /** @internal */
  readonly attributes = new AttributeColumns(this.store);
  /** @internal */
  readonly bodies: InstanceBodies;
  /** @internal */
  readonly views: ViewSelection;
  private readonly ownBounds = new ContainerBounds(this.store);
  private lodInShadows: number | null = null;

  /**
   * @param count Number of instances to create, with the ids from 0 and identity matrices.
   * @param options The options of the octree, and `bounds`.
   * @throws {TypeError} If geometry, material or an option is of the wrong type.
   * @throws {RangeError} If the count is not an integer from 0 to 2^26, or an option is out of its range.
   */
  constructor(
    geometry: G = new BufferGeometry() as G,
    material: M = new MeshBasicMaterial() as Material as M,
    count: number = 0,
    options: OctreeInstancesOptions = {},
  ) {
    super();
    requireGeometry('OctreeInstances', geometry);
    requireMaterial('OctreeInstances', material);
    requireOptions('OctreeInstances', options, INSTANCES_OPTIONS);
    this.bodies = new InstanceBodies(this, this.store, this.levels.meshes, options);
    this.views = new ViewSelection(this);
    if (!isIntegerBetween(count, 0, MAX_COUNT))
      throwRange(
        'OctreeInstances',
        'count',
        `be an integer from 0 to ${MAX_COUNT}`,
        describe(count),
        'leave it out for 0',
      );
    this.geometry = geometry;
    this.material = material;
    this.store.reserve(count);
    for (let k = 0; k < count; k++) this.store.writeMatrix(this.store.allocate(), IDENTITY.elements, 0);
  }

  /**
   * True, as for a Mesh; false for a renderer in a pass, which would draw the container beside what the pass sees. A
   * renderer has tested the layers just before (see pass-hook.ts). Its type is that of code outside of passes, so that
   * the compiler takes the container for an InstancedMesh.
   */
  get isMesh(): true {
    return !this.arming.isArmed as true;
  }

  /** True, as for an InstancedMesh; false for a renderer in a pass, see `isMesh`. */
  get isInstancedMesh(): true {
    return this.isMesh;
  }

  /**
   * Level of detail of all instances in shadow passes; a number beyond the last level means the last. Default null:
   * each has the level at which the camera sees it.
   *
   * @throws {TypeError} If it is set to what is neither a number nor null.
   * @throws {RangeError} If it is set to a number that is not an integer from 0.
   */
  get shadowLevel(): number | null {
    return this.lodInShadows;
  }

  set shadowLevel(level: number | null) {
    if (level !== null) {
      const isLevel = isIntegerBetween(level, 0, Infinity);
      const remedy = 'pass 0 for the finest, or null for the level that the camera sees';
      requireNumber('OctreeInstances', 'shadowLevel', 'be an integer from 0', level, isLevel, remedy);
    }
    this.lodInShadows = level;
  }

  /**
   * The octree of the visible instances, for queries in world units. The data of a body is the id of its instance.
   * It is read-only: writes throw an Error. Do not keep it in a variable from frame to frame: reading the property
   * applies pending changes, and moves all bodies to world space if the container has moved. Cost: in that case a move
   * of every body; drawing and rays do not need it.
   *
   * @throws {RangeError} If a matrix or a geometry holds a NaN, or bounds reach beyond 2^50.
   */
  get octree(): ReadOnlyOctree<number> {
    this.updateWorldMatrix(true, false);
    this.sync('OctreeInstances.octree');
    this.bodies.syncInWorld('OctreeInstances.octree');
    return this.bodies.octree;
  }

  /**
   * The body of an instance in `octree`: its bounds, and what a query near the instance leaves out (`except`). Null if
   * the instance is hidden. Do not keep it from frame to frame; cost as of `octree`.
   *
   * @throws {RangeError} If there is no instance with this id.
   */
  bodyOf(id: number): Body<number> | null {
    requireId('OctreeInstances.bodyOf', this, id);
    const { octree } = this;
    const index = this.bodies.map.bodyOf[id];
    return index === undefined || index === NO_BODY_INDEX ? null : octree.bodyAt(index);
  }

  /**
   * The box with which the octree tests an instance, in world units. If the bounds are a sphere, the box around it.
   * Slightly larger than what is drawn. Empty if the geometry has no finite bounds.
   */
  getBoundingBoxAt(id: number, target: Box3): Box3 {
    requireId('OctreeInstances.getBoundingBoxAt', this, id);
    requireTarget('OctreeInstances.getBoundingBoxAt', 'Box3', target);
    this.updateWorldMatrix(true, false);
    this.sync('OctreeInstances.getBoundingBoxAt');
    return this.bodies.readBox(id, target);
  }

  /**
   * Adds a level of detail: another geometry, and material if given, for instances at this distance from the camera or
   * farther. Rays hit the level that belongs to the distance from their origin.
   *
   * @param distance World units, divided by the zoom of the camera.
   * @param hysteresis 0 to 1. Prevents flicker: an instance leaves the level only when the camera is closer than
   *   `distance * (1 - hysteresis)`.
   * @throws {RangeError} If the distance is negative, the hysteresis is not within 0 and 1, or there are 16 levels
   *   already.
   */
  addLevel(
    geometry: BufferGeometry,
    distance: number,
    hysteresis: number = 0,
    material: Material | Material[] | null = null,
  ): this {
    const where = 'OctreeInstances.addLevel';
    requireGeometry(where, geometry);
    if (material !== null) requireMaterial(where, material);
    requireNotNegative(where, 'distance', distance, 'pass world units');
    requireNotNegative(where, 'hysteresis', hysteresis, 'pass a fraction of the distance, such as 0.1');
    if (hysteresis > 1)
      throwRange(where, 'hysteresis', 'be at most 1', hysteresis, 'pass a fraction of the distance, such as 0.1');
    if (this.levels.count === MAX_LEVELS)
      throw new RangeError(`${where}: ${nameOf(this)} must not have more than ${MAX_LEVELS} levels; leave some out.`);
    this.views.dispose();
    this.levels.add(new LevelMesh(geometry, distance, hysteresis, material));
    return this;
  }

  /**
   * As in three. Also applies all changes to the octree and runs its `update`. Without finite bounds within +-2^50 (a
   * NaN in the matrix of the container or in a vertex) there is one warning, and every pass draws all instances until
   * the numbers are corrected.
   *
   * @throws {TypeError} If `geometry` or `material` was set to something else.
   */
  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    this.syncOrWarn('OctreeInstances.updateMatrixWorld');
    warnOfMissingItems(this, this.levels.meshes, this.store.idEnd);
    warnOfSlotReads(this, this.levels.meshes);
    this.bodies.octree.internals.updateWithoutCounts();
  }

  /**
   * Adds the hits that an InstancedMesh would report, with `instanceId` and with the container as `object`. Works
   * before the first frame.
   *
   * @throws {RangeError} If the ray has no direction or holds a NaN.
   */
  override raycast(raycaster: Raycaster, hits: Intersection[]): void {
    this.disarm();
    this.syncOrWarn('OctreeInstances.raycast');
    addHits('OctreeInstances.raycast', this, raycaster, hits);
  }

  /**
   * The nearest hit of `raycaster.intersectObject(this, false)`, or null; of two at equal distances, the one with the
   * lower id. Cost: triangle tests only of the instances whose bounds the ray enters before the nearest hit.
   *
   * @param options A `filter`, which is called with the container, an id and the hit.
   * @throws {TypeError} If the raycaster is not a Raycaster, or the filter not a function, or an option is unknown.
   * @throws {RangeError} If the ray has no direction or holds a NaN.
   */
  raycastFirst(raycaster: Raycaster, options: RaycastOptions<InstanceFilter> = {}): Intersection | null {
    this.syncOrWarn('OctreeInstances.raycastFirst');
    return nearestHit('OctreeInstances.raycastFirst', this, raycaster, options);
  }

  /**
   * Around all visible instances, in the local space of the container. Always up to date; the first read after a change
   * visits every instance.
   */
  get boundingBox(): Box3 {
    this.trySync();
    return this.ownBounds.of(this).box;
  }

  /**
   * @param box Null, which code for an InstancedMesh assigns to have the box computed again. Does nothing.
   * @throws {TypeError} If it is not null.
   */
  set boundingBox(box: null) {
    requireNull('boundingBox', box);
  }

  /** The sphere around all instances that are drawn, in the space of the container: always up to date. */
  get boundingSphere(): Sphere {
    this.trySync();
    return this.ownBounds.of(this).sphere;
  }

  /** Takes null only, which changes nothing: for code that is written for an InstancedMesh. */
  set boundingSphere(sphere: null) {
    requireNull('boundingSphere', sphere);
  }

  /** Does nothing: `boundingBox` is always up to date. For code that is written for an InstancedMesh. */
  computeBoundingBox(): void {}

  /** Does nothing: `boundingSphere` is always up to date. For code that is written for an InstancedMesh. */
  computeBoundingSphere(): void {}

  /** Does nothing, as that of an InstancedMesh. */
  updateMorphTargets(): void {}

  /**
   * The place of a vertex in the space of an instance, as that of an InstancedMesh: morphed by the shared influences.
   */
  getVertexPosition(index: number, target: Vector3): Vector3 {
    return Mesh.prototype.getVertexPosition.call(this, index, target);
  }

  /**
   * Copies the instances with their ids, and the levels, in place of those before. Geometries and materials are shared
   * with the source; options of the constructor are not copied, so a clone has the default ones. Cost: a copy of every
   * instance.
   *
   * @throws {TypeError} If the source is an InstancedMesh: its matrices go to `addInstances`.
   */
  override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
    // Otherwise this would copy its place only.
    if ('isInstancedMesh' in source && !(source instanceof OctreeInstances)) {
      const remedy = 'use addInstances(mesh.instanceMatrix.array)';
      throwType('OctreeInstances.copy', 'source', 'be an OctreeInstances', source, remedy);
    }
    super.copy(source, recursive);
    if (!(source instanceof OctreeInstances) || source === this) return this;
    this.views.dispose();
    this.geometry = source.geometry as G;
    this.material = (Array.isArray(source.material) ? [...source.material] : source.material) as M;
    this.morphTargetInfluences = source.morphTargetInfluences?.slice();
    this.sortObjects = source.sortObjects;
    this.drawsInOrder = source.drawsInOrder;
    this.providesInstanceId = source.providesInstanceId;
    this.cullingCamera = source.cullingCamera;
    this.lodInShadows = source.lodInShadows;
    this.store.copy(source.store);
    this.levels.copy(source.levels);
    return this;
  }

  /**
   * Saves an InstancedMesh of the first level, which ObjectLoader reads. Hidden and deleted instances have a matrix of
   * zeros in it.
   */
  override toJSON(meta?: JSONMeta): ReturnType<InstancedMesh['toJSON']> {
    const mesh = placeAs(this, instancedMeshByIdOf(this, this.store));
    this.disarm();
    mesh.uuid = this.uuid;
    mesh.children = this.children;
    return mesh.toJSON(meta);
  }

  /**
   * A new InstancedMesh with the visible instances, in the order of their ids, and the place of the container. For
   * exporters, and for code that needs a mesh of its own. It shares geometry (of the first level) and material with the
   * container. Instanced attributes of the geometry fit only if every id is in use and visible. Cost: a copy of every
   * instance.
   */
  toInstancedMesh(): InstancedMesh {
    return placeAs(this, visibleInstancesOf(this, this.store));
  }

  /**
   * Frees the GPU buffers of all views; the next pass creates new ones. Geometry and material belong to the caller, as
   * with InstancedMesh.
   */
  override dispose(): void {
    super.dispose();
    this.views.dispose();
  }

  /** @internal */
  override visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[] {
    return this.trySync() ? this.views.visibleIn(frustum, camera) : this.views.allInstances();
  }

  /** @internal */
  override allObjects(): Object3D[] {
    this.trySync();
    return this.views.allInstances();
  }

  /** Applies all changes since the last call: of the container's fields, of instanced attributes and of instances. */
  private sync(where: string): void {
    this.disarm();
    requireGeometry(where, this.geometry);
    requireMaterial(where, this.material);
    this.levels.sync(this);
    this.store.syncColumns();
    this.attributes.sync(this.levels.meshes);
    this.bodies.sync(where);
  }

  /**
   * As `sync`, but only warns of numbers that an InstancedMesh draws without an error. Without bounds, passes and rays
   * take all instances.
   */
  private syncOrWarn(where: string): void {
    try {
      this.sync(where);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      warnOnce(this, 'bounds', `${error.message.replace(/\.?$/, '.')} Until then every pass draws all its instances.`);
    }
  }

  /**
   * @internal As `syncOrWarn`, but returns false instead of throwing, because a pass must not throw. The next
   *   updateMatrixWorld throws.
   */
  trySync(): boolean {
    try {
      this.syncOrWarn('OctreeInstances');
      return true;
    } catch {
      return false;
    }
  }
}

/** Gives a mesh the place, name, shadows and user data of a container. */
function placeAs(container: Object3D, mesh: InstancedMesh): InstancedMesh {
  Object3D.prototype.copy.call(mesh, container, false);
  return mesh;
}
