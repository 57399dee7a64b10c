/**
 * A Group whose children are bodies of an octree: renderers traverse only the children that each pass can see, and rays
 * test only the children that they come near. Otherwise it behaves as a plain Group, and every pixel of the picture is
 * the same.
 */

import {
  type AnimationClip,
  type Object3D,
  type Camera,
  type Frustum,
  type FrustumArray,
  type Intersection,
  type Object3DEventMap,
  type Raycaster,
  type Scene,
} from 'three';
import { containerOptions, resolveOptions, type OctreeOptions } from '../../octree/bodies/options.ts';
import { requireBoolean, throwType } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { Body, ReadOnlyOctree } from '../../three-math/octree.ts';
import { refusesBox } from '../bounds/material-traits.ts';
import { counterpartOf, describePlace, isObject3D, isWithin, nameOf, refuseProxy } from '../bounds/object-kinds.ts';
import { PassGroup } from '../passes/pass-container.ts';
import { isCastingRay } from '../passes/pass-hook.ts';
import {
  awaitRenderer,
  hasSceneCallback,
  needsAllObjects,
  scenesAbove,
  velocityNodeOf,
} from '../passes/pass-renderer.ts';
import { isWebGpuShadowPass } from '../passes/render-pass.ts';
import type { Pickable, RaycastOptions } from '../picking/pickable.ts';
import { canHit, filterOf } from '../picking/raycast-checks.ts';
import { GroupChildren } from './group-children.ts';
import { addHits, nearestHit, raycastTree } from './group-raycast.ts';
import { cullMembers } from './member-culling.ts';
import { movingParts, requireClips } from './moving-parts.ts';
import { SleepingChildren } from './sleeping-children.ts';
import { chooseLevels, computeFirstSpheres, groupOrderIn } from './traversal-effects.ts';

/** A child that leaves the region must still be drawn, so the region always grows. */
export interface OctreeGroupOptions extends Omit<OctreeOptions, 'outside'> {
  /** First value of `hasStaticChildren`: whether added children are static. Default false. */
  readonly hasStaticChildren?: boolean;
}

/** How `OctreeGroup.addTree` adds a tree. */
export interface AddTreeOptions {
  /**
   * Whether the tree is static: nothing in it moves by itself. See `OctreeGroup.setStatic`. Default: as it is; of a new
   * child `hasStaticChildren`. Not made static are what animations move (see `animations`), skinned meshes and their
   * bones.
   */
  readonly isStatic?: boolean;
  /**
   * Clips that move objects of the tree, such as `gltf.animations`. With `isStatic`, each object that a track names
   * stays watched, with all its descendants. So does what clips in the `animations` of an object name. Default: none.
   */
  readonly animations?: readonly AnimationClip[];
}

const TREE_OPTIONS: KnownOptions = ['isStatic', 'animations'];
const GROUP_OPTIONS: KnownOptions = /* @__PURE__ */ containerOptions('hasStaticChildren');

/**
 * How it treats a child:
 *
 * - **Culling.** A child is drawn in the passes whose frustum touches its bounds. These are the box around its vertices
 *   or the sphere by which three culls it, the one with less volume (see `boundsOf`); for a child with children (a
 *   group, an LOD, a mesh with children), the bounds around all its descendants that are drawn. A child that three
 *   itself would not cull is drawn in every pass, with all its descendants: lights, `frustumCulled = false`, LODs with
 *   hysteresis, objects without vertices, and skinned and instanced meshes before their first pass and whenever their
 *   `boundingSphere` is null. The renderer tests such a child as in a plain Group. So no object is ever missing. A
 *   child with a NaN in its matrix or geometry, or with bounds beyond 2^50, is drawn in every pass too. The first one
 *   causes a console warning. It is culled again once its numbers are valid.
 * - **Changes.** The next frame finds moves, changed vertices, other materials, and materials that start or stop moving
 *   vertices. A move that is undone in the same frame has no effect. Matrices are computed in the order of the
 *   children, as in three, so helpers and objects that read or move others work as in a plain Group. In a scene with
 *   `matrixWorldAutoUpdate = false`, update the matrices of the group.
 * - **Draw callbacks** such as `onBeforeRender`, `customDepthMaterial` and `customDistanceMaterial` that are set later:
 *   2048 drawn objects are compared per update. A material that starts moving vertices: 512 materials. While a feature
 *   follows the changes of the group, they are found in the next frame too.
 * - **Changes that are not found.** Report them by `reportMove`: a new `raycast`; without such a feature, a new
 *   `intersectsFrustum`; a matrix that was written by hand or by `updateMatrix` while position, rotation and scale of
 *   the child stay the same.
 * - **Static children** (`addTree`, `setStatic`, `hasStaticChildren`), and static parts of a tree, are not compared in
 *   each frame while the group itself stands still; when it moves, their world matrices are recomputed, as in three.
 *   Report every change of a static child by `reportMove`. A change that was not reported is found in turn, after 256
 *   updates at most; the first move among these causes a console warning, and what is found moved twice is no longer
 *   static. `Object3D.static` is not read: three gives it another meaning.
 * - **The scene.** Nothing is culled while `scene.overrideMaterial` moves vertices, or a `contextNode` of
 *   WebGPURenderer or of the pass. If the scene has an `onBeforeRender`, each pass looks for children whose matrices,
 *   geometries or materials were changed in it, and draws them. Cost: in each pass a comparison of all children that
 *   are not static.
 * - **Small groups.** A group of up to 48 objects, static ones 24, sleeps: it has no bodies, and is updated, drawn and
 *   hit by rays as the plain Group that it is, which is faster for so few. So an OctreeGroup for each prefab costs what
 *   a Group costs. It wakes, for good, with more objects, and when something needs its bodies: `octree`, `unculled`,
 *   `raycastFirst`, `pick`, `pickWithin`, `minScreenSize`, static children beside others, batches, occlusion culling,
 *   changes and shadow updates.
 * - **Visibility.** Hidden children keep their bodies, and the renderer skips them. Disposing of a geometry removes
 *   nothing: three would upload it again.
 * - **Adding and removing.** Children may be added and removed at any time, also in callbacks of a renderer. An added
 *   child is drawn from the next pass on; a removed or re-parented child is neither drawn nor hit from then on.
 *   Children may also be written into the `children` array, or taken out of it, directly: a changed length is detected.
 *   After sorting the array or exchanging elements, add all children again.
 *
 * @example
 * ```ts
 * import { OctreeGroup, pick } from 'scene-octree/three';
 *
 * const group = new OctreeGroup(); // was: new Group()
 * for (const mesh of meshes) group.add(mesh);
 * group.addTree(gltf.scene, { isStatic: true });
 * scene.add(group);
 * canvas.addEventListener('click', (event) => console.log(pick(event, camera, canvas, group)?.object));
 * ```
 */
export class OctreeGroup extends PassGroup implements Pickable {
  private octreeOptions: OctreeOptions;
  private areChildrenStatic = false;
  private readonly sleeping = new SleepingChildren(this.children);
  /** @internal Null while the group sleeps: see sleeping-children.ts. */
  awake: GroupChildren | null = null;

  /**
   * @param options `hasStaticChildren`, and the options of the octree, except for `outside`: its region always grows.
   * @throws {TypeError} If an option is unknown, or has a wrong type.
   * @throws {RangeError} If a number is out of range.
   */
  constructor(options: OctreeGroupOptions = {}) {
    super();
    if (isObject3D(options) || Array.isArray(options))
      throwType('OctreeGroup', 'options', 'hold no objects', options, 'add them by add(...objects) or addTree(root)');
    requireOptions('OctreeGroup', options, GROUP_OPTIONS);
    requireBoolean('OctreeGroup', 'options.hasStaticChildren', options.hasStaticChildren);
    const { hasStaticChildren = false, ...octreeOptions } = options;
    this.areChildrenStatic = hasStaticChildren;
    this.octreeOptions = octreeOptions;
    resolveOptions(octreeOptions);
    this.addEventListener('childadded', onChildAdded);
    this.addEventListener('childremoved', onChildRemoved);
  }

  /**
   * Whether children that are added from now on are static: not compared in every frame to find moves. Children that
   * were added before are not affected. Default false. Set it to true for a scene that stands still.
   */
  get hasStaticChildren(): boolean {
    return this.areChildrenStatic;
  }

  set hasStaticChildren(areStatic: boolean) {
    // While the group sleeps, all children are static, or none.
    if (this.awake === null && areStatic !== this.areChildrenStatic && this.disarm().length > 0) this.wake();
    this.areChildrenStatic = areStatic;
  }

  /** @internal Wakes the group. */
  get groupChildren(): GroupChildren {
    return this.awake ?? this.wake();
  }

  /**
   * The octree of the children, for queries in world units: objects in a box, or with the function `nearest` those near
   * a point. The data of a body is the object. Its bounds belong to the last matrix update; children added since then
   * are included. It is read-only: writes throw an Error. Do not keep it in a variable from frame to frame: reading the
   * property applies pending changes, and moves all bodies to world space if the group has moved. Cost: in that case a
   * move of every body; drawing and rays do not need it.
   */
  get octree(): ReadOnlyOctree<Object3D> {
    this.updatePending();
    return this.groupChildren.worldOctree;
  }

  /**
   * The body of an object in `octree`, or of the object above it that is culled as a whole: its bounds, and what a
   * query near the object leaves out (`except`). Null if it is unculled, or a Group of `addTree`, whose meshes have
   * bodies of their own. Do not keep it from frame to frame; cost as of `octree`.
   *
   * @throws {TypeError} If it is neither a child of this group nor below one.
   */
  bodyOf(object: Object3D): Body<Object3D> | null {
    this.requireChild('bodyOf', object, 'a child of this group or below one');
    void this.octree; // brings the bodies up to date, and to world units
    return this.groupChildren.bodyOf(object);
  }

  /**
   * The objects that are not culled: three itself would not cull them by their bounds (lights, `frustumCulled = false`,
   * ...), or their bounds hold a NaN or reach beyond 2^50. Every pass draws them, every ray tests them, and they are
   * not in the octree. A new array, in the order in which they were found to be unculled.
   */
  get unculled(): Object3D[] {
    this.updatePending();
    return Array.from(this.groupChildren.bodies.unculled, ({ object }) => object);
  }

  /**
   * Adds a tree of objects, such as the scene of a glTF file, and gives each mesh in it a body of its own. Objects that
   * are added to the tree later get one too. Objects that must be traversed together with their descendants get one
   * body: meshes with children, LODs, groups with a render order, BundleGroups, ClippingGroups.
   *
   * Cost: the next update visits the tree and inserts its bodies; whenever objects are added to the tree or removed, it
   * visits the tree again (0.3 us a node of 5,000, 1 us of 50,000). After that an update compares each object of the
   * tree with its last state, and computes the matrices of what has moved; a static tree costs next to nothing.
   *
   * @throws {TypeError} If `root` is not an Object3D, or is this group, or an option is unknown or has a wrong type.
   * @throws {Error} If the name of a track has no property, as three does.
   */
  addTree(root: Object3D, options: AddTreeOptions = {}): this {
    requireOptions('OctreeGroup.addTree', options, TREE_OPTIONS);
    const { isStatic, animations = [] } = options;
    requireBoolean('OctreeGroup.addTree', 'options.isStatic', isStatic);
    requireClips('OctreeGroup.addTree', animations);
    if (!isObject3D(root) || isWithin(this, root))
      throwType('OctreeGroup.addTree', 'root', 'be an Object3D that does not hold the group', root, 'pass gltf.scene');
    this.refuseProxies('addTree', root);
    const moving = isStatic === true ? movingParts(root, animations) : [];
    if (root.parent !== this) this.add(root);
    if (this.awake === null) this.sleeping.trees.add(root);
    else this.awake.openAtUpdate(root);
    if (isStatic !== undefined) this.setStatic(root, isStatic);
    for (const part of moving) this.setStatic(part, false);
    return this;
  }

  /**
   * Makes a child, or an object of a tree that was added by `addTree`, static or not, with all its descendants: a
   * static tree but for its crane, a tree that moves but for its walls. A static object does not move by itself: report
   * its moves by `reportMove`. The moves of all others are found in the next frame; a static object below one moves
   * with it. The default for a new child is `hasStaticChildren`, for an object that is added to a tree what its parent
   * is. An object below a mesh that is culled as a whole (see `addTree`) stands for that mesh.
   *
   * Cost: the next update recomputes the bounds of what changes, once. After that a static object costs next to nothing
   * per frame while the group itself, and what is above the object, stand still. A tree that is static in part costs
   * some nanoseconds per static object.
   *
   * @throws {TypeError} If the object is neither a child of this group nor in a tree of it, or `isStatic` is no
   *   boolean.
   */
  setStatic(object: Object3D, isStatic = true): this {
    const child = this.requireNode('setStatic', object);
    requireBoolean('OctreeGroup.setStatic', 'isStatic', isStatic);
    if (this.awake !== null || isStatic !== this.areChildrenStatic)
      this.groupChildren.setStatic(object, child, isStatic);
    return this;
  }

  /** Whether an object is static. @throws {TypeError} If it is neither a child of this group nor in a tree of it. */
  isStatic(object: Object3D): boolean {
    const child = this.requireNode('isStatic', object);
    return this.awake?.isStatic(object, child) ?? this.areChildrenStatic;
  }

  /**
   * Reports a change of a child, or of a descendant of a child: a move or another change while it is static, or another
   * `raycast`. Its matrices and bounds, and those of all below it, are recomputed at the next update of the matrices,
   * so report the object that was moved, not its children.
   *
   * @throws {TypeError} If the object is neither a child of this group nor below one.
   */
  reportMove(object: Object3D): this {
    const child = this.requireChild('reportMove', object, 'a child of this group or below one');
    this.awake?.reportMove(object, child);
    return this;
  }

  /**
   * As in three, but while the group stands still it does not update static children, except new ones and those
   * reported by `reportMove`. Not even if `force` is true, because three passes true in every frame.
   */
  override updateMatrixWorld(force?: boolean): void {
    this.disarm();
    if (this.sleeps) {
      super.updateMatrixWorld(force);
      this.sleeping.updated();
      return;
    }
    awaitRenderer(this);
    const isForced = this.forcesChildren(force);
    super.updateWorldMatrix(false, false, force);
    this.groupChildren.updateMembers(this.matrixWorld, isForced, false);
    const { areBoundsOld, octree } = this.groupChildren.bodies;
    const { internals } = octree;
    // Otherwise no bounds are computed, or the caller is a callback of a query.
    if ((!areBoundsOld || internals.store.pending > 0) && !internals.runner.isRunning) internals.updateWithoutCounts();
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean, force?: boolean): void {
    if (updateChildren && this.sleeps) {
      super.updateWorldMatrix(updateParents, true, force);
      this.sleeping.updated();
      return;
    }
    const isForced = this.forcesChildren(force);
    super.updateWorldMatrix(updateParents, false, force);
    if (updateChildren) this.groupChildren.updateMembers(this.matrixWorld, isForced, true);
  }

  /** @internal */
  protected override traversed(children: Object3D[]): Object3D[] {
    return this.awake !== null || this.screenSize.min > 0 || isCastingRay() ? super.traversed(children) : children;
  }

  /** @internal */
  override raycastChildren(raycaster: Raycaster, hits: Intersection[]): void {
    this.addHits('OctreeGroup.raycast', raycaster, hits);
  }

  /**
   * The first hit of `raycaster.intersectObject(this)`, or null. Faster, because it does not compute the others. Of two
   * hits at equal distances, the hit of the earlier child.
   *
   * @param options A `filter`, which is called with the object, the id of an instance, if it has one, and the hit.
   * @throws {TypeError} If the raycaster is not a Raycaster, or the filter not a function, or an option is unknown.
   * @throws {RangeError} If the ray has no direction or holds a NaN.
   */
  raycastFirst(raycaster: Raycaster, options: RaycastOptions = {}): Intersection | null {
    this.updatePending();
    return nearestHit(this.groupChildren, 'OctreeGroup.raycastFirst', raycaster, options);
  }

  /**
   * Every hit of `raycaster.intersectObject(this)`, nearest first. Two differences: a filter, and a raycaster with
   * `firstHitOnly` leaves out the farther hits of each object only, not the hits of the other objects.
   *
   * @param options A `filter`, which is called after the triangles of the object were tested. Cost: as without it.
   * @throws {TypeError} If the filter is not a function, or an option is unknown.
   */
  raycastAll(raycaster: Raycaster, options: RaycastOptions = {}): Intersection[] {
    const where = 'OctreeGroup.raycastAll';
    const filter = filterOf(where, options);
    const hits: Intersection[] = [];
    this.addHits(where, raycaster, hits);
    return hits.filter((hit) => filter(hit.object, hit.instanceId, hit)).sort((a, b) => a.distance - b.distance);
  }

  /**
   * As in three. Copies the options too, also the options of the octree; a copied child is static if the original is.
   */
  override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
    if (!(source instanceof OctreeGroup)) return super.copy(source, recursive);
    const originals = source.disarm();
    const before = this.disarm().length;
    this.hasStaticChildren = source.hasStaticChildren;
    this.octreeOptions = source.octreeOptions;
    this.awake?.useOptions(this.octreeOptions);
    super.copy(source, recursive);
    this.disarm()
      .slice(before)
      .forEach((clone, k) => {
        if (source.isOpen(originals[k])) this.addTree(clone);
        this.setStatic(clone, source.isStatic(originals[k]));
        for (const object of source.awake?.otherThanParents(originals[k]) ?? []) {
          const counterpart = counterpartOf(object, originals[k], clone);
          if (counterpart) this.setStatic(counterpart, source.isStatic(object));
        }
      });
    return this;
  }

  /** @internal */
  override visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[] {
    // three sorts by the render order of the nearest Group above an object. A part that is listed without its tree
    // would get the render order of this group, in place of the 0 of the Groups in the tree.
    const keepsTrees = groupOrderIn(this, camera) !== 0;
    this.screenSize.begin(isWebGpuShadowPass(this) ? null : camera);
    this.groupChildren.followRule.passes += this.screenSize.min > 0 ? Infinity : 1;
    const scenes = scenesAbove(this);
    for (const follower of this.groupChildren.bodies.followers) follower.beginPass?.();
    const found =
      !this.groupChildren.bodies.areBoundsOld && this.canCull(scenes)
        ? cullMembers(this.groupChildren, frustum, keepsTrees, this.screenSize, camera)
        : null;
    const visible = found ?? this.disarm();
    this.groupChildren.bodies.drawnCallbacks.record(keepsTrees ? null : found);
    if (camera !== null) {
      for (const scene of scenes) this.groupChildren.updater.previousMatrices.beginPass(velocityNodeOf(scene));
      computeFirstSpheres(this.groupChildren.bodies.withoutSphere, camera);
      return visible;
    }
    const { objectsWithLod } = this.groupChildren.bodies;
    const { camera: lodCamera } = this.screenSize;
    if (lodCamera === null || objectsWithLod.size === 0) return visible;
    // Renderers choose no levels in a shadow pass, and the camera pass has chosen none for the objects that it culled.
    for (const object of visible) if (keepsTrees || objectsWithLod.has(object)) chooseLevels(object, lodCamera);
    return visible;
  }

  /** @internal Whether the bounds of the bodies are right in a pass that begins now. */
  canCull(scenes: readonly Scene[]): boolean {
    // A body may have a box that is tighter than the sphere by which three culls. It holds for the materials of the
    // object only: scene and renderer may move vertices out of it.
    if (scenes.some((scene) => refusesBox(scene.overrideMaterial) || needsAllObjects(scene))) return false;
    // three calls `onBeforeRender` between the update of the matrices and the pass.
    return !scenes.some(hasSceneCallback) || this.groupChildren.findChangedByOthers(this.matrixWorld);
  }

  /**
   * Whether three would recompute the matrices of all children. It does so whenever it computes the matrix of the
   * parent.
   */
  private forcesChildren(force: boolean | undefined): boolean {
    return force === true || this.matrixAutoUpdate || this.matrixWorldNeedsUpdate;
  }

  /** Whether the group sleeps. A group that is no longer small is woken first. */
  private get sleeps(): boolean {
    if (this.awake === null && (this.screenSize.min > 0 || !this.sleeping.maySleep(this.areChildrenStatic)))
      this.wake();
    return this.awake === null;
  }

  /** Begins to keep the children as bodies. The matrices that are computed stay as they are. */
  private wake(): GroupChildren {
    const { sleeping } = this;
    const children = new GroupChildren(this.disarm(), () => this.areChildrenStatic, this.octreeOptions);
    this.awake = children;
    awaitRenderer(this);
    children.reconcile();
    if (sleeping.isUpdated) children.adoptMatrices(this.matrixWorld, sleeping.added);
    for (const root of sleeping.trees) children.openAtUpdate(root);
    sleeping.added.clear();
    sleeping.trees.clear();
    return children;
  }

  /** @internal */
  childAdded(child: Object3D): void {
    if (this.awake !== null) {
      this.awake.add(child);
      return;
    }
    this.sleeping.add(child);
    if (!this.sleeping.maySleep(this.areChildrenStatic)) this.wake();
  }

  /** @internal */
  childRemoved(child: Object3D): void {
    if (this.awake !== null) this.awake.remove(child);
    else this.sleeping.remove(child);
  }

  private isOpen(child: Object3D): boolean {
    return this.awake?.isOpen(child) ?? this.sleeping.trees.has(child);
  }

  /** Adds every hit of every child, in the order of the children. */
  private addHits(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!this.sleeps) {
      this.updatePending();
      addHits(this.groupChildren, where, raycaster, hits);
    } else if (canHit(where, raycaster)) {
      const { isUpdated, added } = this.sleeping;
      if (!isUpdated) this.updateWorldMatrix(true, true);
      for (const child of added) child.updateWorldMatrix(false, true);
      added.clear();
      for (const child of this.disarm()) raycastTree(child, raycaster, hits);
    }
  }

  /** Computes pending bounds, so that queries work before the first frame. */
  private updatePending(): void {
    this.disarm();
    this.groupChildren.updatePending(() => this.updateWorldMatrix(true, true));
  }

  private refuseProxies(name: string, object: Object3D): void {
    const where = `OctreeGroup.${name}`;
    refuseProxy(where, 'the group', this);
    refuseProxy(where, 'the object', object);
  }

  /** The child that an object is or is below. */
  private requireChild(name: string, object: Object3D, allowed: string): Object3D {
    let child = object;
    while (child?.parent && child.parent !== this) child = child.parent;
    if (child?.parent === this) return child;
    this.refuseProxies(name, object);
    const remedy = isObject3D(object) ? 'add it first' : 'pass the object, as of group.getObjectByName';
    const place = describePlace(object);
    throw new TypeError(`OctreeGroup.${name}: the object must be ${allowed}, but is ${place}; ${remedy}.`);
  }

  /** As `requireChild`, for an object that may be static by itself. */
  private requireNode(name: string, object: Object3D): Object3D {
    const child = this.requireChild(name, object, 'a child of this group, or in a tree of addTree');
    if (child === object || this.isOpen(child)) return child;
    throw new TypeError(
      `OctreeGroup.${name}: ${nameOf(object)} is below ${nameOf(child)}, which is culled as a whole; pass that, or add it by addTree.`,
    );
  }
}

/** Throws for what is no `OctreeGroup`, or a proxy of one. */
export function requireGroup(where: string, group: OctreeGroup, remedy: string): void {
  if (!(group instanceof OctreeGroup)) throwType(where, 'group', 'be an OctreeGroup', group, remedy);
  refuseProxy(where, 'group', group);
}

// Functions of all groups: a closure for each group would take memory.
type ChildEvent = { readonly target: Object3D; readonly child: Object3D };
function onChildAdded({ target, child }: ChildEvent): void {
  (target as OctreeGroup).childAdded(child);
}
function onChildRemoved({ target, child }: ChildEvent): void {
  (target as OctreeGroup).childRemoved(child);
}
