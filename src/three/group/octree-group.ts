/**
 * A Group whose children are found by an octree: renderers walk only the children that each pass sees, rays ask only those they come
 * near. In all else it is a plain Group, and each frame is pixel for pixel that of one.
 */

import type { Camera, Frustum, FrustumArray, Intersection, Object3D, Object3DEventMap, Raycaster } from 'three';
import type { Octree } from '../../scene/octree.ts';
import { describe } from '../../scene/input-checks.ts';
import { nameOf } from '../bounds/bounds-of.ts';
import { ChildIndex } from './child-index.ts';
import { GroupRaycast } from './group-raycast.ts';
import { chooseLevels } from './lod-levels.ts';
import { PassGroup } from '../passes/pass-group.ts';
import type { Pickable } from '../picking/pickable.ts';
import { VisibleMembers } from './visible-members.ts';

/**
 * What becomes of a child:
 *
 * - It is shown by its bounds: those that three culls it by, or, if it has children (groups, LODs, meshes with children), those around
 *   all that is below it. What three itself would not leave out is always shown, with all that belongs to it: lights,
 *   `frustumCulled = false`, LODs with hysteresis, no vertices, skinned meshes and instances before their first pass and whenever their
 *   `boundingSphere` is set to null. The renderer then tests it as in a plain Group. So nothing is ever missing.
 * - Moved children, and those whose vertices have changed, are noticed in the next frame; a move that was only tried and taken back leaves
 *   nothing behind. `untrack` a child that stands still and it costs nothing at all; `moved` tells. Call it too where nobody notices: when
 *   a material that moves vertices, a `raycast` or an `intersectsFrustum` is exchanged, and when the matrices of a child that stands still
 *   were written by hand or by `updateMatrix`. In a scene with `matrixWorldAutoUpdate = false` it is the matrices of the group that have
 *   to be updated.
 * - Hidden children keep their place and are skipped by the renderer. Disposing of a geometry removes nothing: three would upload it
 *   again. Removed and re-parented children are neither shown nor hit from that moment on.
 * - A child may be added or removed at any time, in callbacks of a renderer too, and shows from the next pass on. So may those be that are
 *   written into `children`, or taken out, in place: their number tells. After a sort, or an exchange, add all of them again.
 */
export class OctreeGroup extends PassGroup implements Pickable {
  /**
   * Whether children that are added from now on are watched for moves, each frame, those with `static = true` excepted; default true.
   * Set it to false for a scene that stands still.
   */
  tracksChildren = true;

  /** Camera of the last pass that was no shadow map of WebGLRenderer: such a shadow map belongs to its picture. */
  private pictureCamera: Camera | null = null;

  private readonly index = new ChildIndex(this.children, (child) => this.tracksChildren && !child.static);
  private readonly seen = new VisibleMembers(this.index);
  private readonly rays = new GroupRaycast(this.index);

  constructor() {
    super();
    this.addEventListener('childadded', ({ child }) => this.index.add(child));
    this.addEventListener('childremoved', ({ child }) => this.index.remove(child));
  }

  /**
   * The octree behind the group, for questions in world units: what is near, in a box, nearest. The data of a body is the object.
   * It is as of the last time the matrices were updated, with what was added since. Do not write to it, and ask for it anew in each
   * frame: if the group itself has moved, this brings every body along, which nothing else needs.
   *
   * @throws {RangeError} If a child that was not bounded yet has a NaN in its matrix or geometry.
   */
  get octree(): Octree<Object3D> {
    this.settle();
    return this.index.worldOctree;
  }

  /** The objects of the group that its octree does not hold, as they cannot be bounded for long; in a fresh array, in the order of their adding. */
  get unbounded(): Object3D[] {
    this.settle();
    return Array.from(this.index.bodies.loose, ({ object }) => object);
  }

  /**
   * Adds a tree of objects, such as the scene of a glTF file, and gives each mesh in it a body of its own; additions to it are noticed.
   * Parts that depend on their place stay whole: meshes with children, LODs, groups with a render order, BundleGroups, ClippingGroups.
   */
  addTree(root: Object3D): this {
    if (root?.isObject3D && root !== this && root.parent !== this) this.add(root);
    this.requireChild('addTree', root);
    this.index.open(root);
    return this;
  }

  /** Watches a child, and all of its tree, for moves; children are watched from the start unless `tracksChildren` says otherwise. */
  track(child: Object3D): this {
    this.requireChild('track', child);
    this.index.setTracked(child, true);
    return this;
  }

  /** Leaves a child, and all of its tree, unwatched: it costs nothing as long as it stands still. Call `moved` when it does not. */
  untrack(child: Object3D): this {
    this.requireChild('untrack', child);
    this.index.setTracked(child, false);
    return this;
  }

  /**
   * Takes the matrices and bounds of a child, or of an object below it, anew: it was moved while untracked, or its vertices, material
   * or raycast have changed.
   */
  moved(object: Object3D): this {
    let child = object;
    while (child?.parent && child.parent !== this) child = child.parent;
    this.requireChild('moved', child);
    this.index.moved(object, child);
    return this;
  }

  /**
   * As in three. Untracked children that were not reported are left alone, whatever `force` says: three forces in every frame.
   *
   * @throws {RangeError} If a child has a NaN in its matrix or geometry.
   */
  override updateMatrixWorld(force?: boolean): void {
    this.disarm();
    const isForced = this.forcesChildren(force);
    super.updateWorldMatrix(false, false, force);
    this.index.update(this.matrixWorld, isForced);
    if (!this.rays.isAsking) this.index.bodies.octree.update();
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean, force?: boolean): void {
    const isForced = this.forcesChildren(force);
    super.updateWorldMatrix(updateParents, false, force);
    if (updateChildren) this.index.update(this.matrixWorld, isForced);
  }

  protected override raycastChildren(raycaster: Raycaster, hits: Intersection[]): void {
    if ((raycaster as { firstHitOnly?: boolean }).firstHitOnly === true) {
      const hit = this.raycastFirst(raycaster);
      if (hit !== null) hits.push(hit);
    } else {
      this.settle();
      this.rays.collect('OctreeGroup.raycast', raycaster, hits);
    }
  }

  /**
   * The nearest hit that `raycaster.intersectObject(this)` would give, or null, without looking for the others.
   *
   * @param filter Whether an object may be hit; what it refuses does not hide what is behind.
   */
  raycastFirst(raycaster: Raycaster, filter: (object: Object3D) => boolean = () => true): Intersection | null {
    this.settle();
    return this.rays.first('OctreeGroup.raycastFirst', raycaster, filter);
  }

  override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
    if (!(source instanceof OctreeGroup)) return super.copy(source, recursive);
    const originals = source.disarm();
    const before = this.disarm().length;
    this.tracksChildren = source.tracksChildren;
    super.copy(source, recursive);
    this.disarm()
      .slice(before)
      .forEach((clone, k) => {
        if (source.index.isOpen(originals[k])) this.index.open(clone);
        this.index.setTracked(clone, source.index.isTracked(originals[k]));
      });
    return this;
  }

  protected override visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[] {
    // A group inside an opened tree has a render order of 0, which would take the place of the render order of this group.
    const isContained = this.renderOrder !== 0;
    const visible = this.seen.in(frustum, isContained) ?? this.disarm();
    if (camera !== null) {
      this.pictureCamera = camera;
      return visible;
    }
    const { hasLod } = this.index.bodies;
    if (this.pictureCamera === null || hasLod.size === 0) return visible;
    // The pass of the camera may have culled them, and a shadow map chooses no levels.
    for (const object of visible) if (isContained || hasLod.has(object)) chooseLevels(object, this.pictureCamera);
    return visible;
  }

  /** Whether three would compute the matrices of all children anew: whoever computes its own passes that on. */
  private forcesChildren(force: boolean | undefined): boolean {
    return force === true || this.matrixAutoUpdate || this.matrixWorldNeedsUpdate;
  }

  /** Takes the bounds that wait, so that questions work before the first frame. */
  private settle(): void {
    this.disarm();
    this.index.reconcile();
    if (this.index.isWaiting) this.updateWorldMatrix(true, true);
  }

  private requireChild(name: string, child: Object3D): void {
    if (child?.parent === this) return;
    const what = child?.isObject3D ? nameOf(child) : describe(child);
    throw new TypeError(`OctreeGroup.${name}: the object must be a child of this group, but is ${what}; add it first.`);
  }
}
