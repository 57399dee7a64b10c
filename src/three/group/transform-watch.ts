/**
 * Finds watched members that have moved, and brings the matrices of the children up to date. Vectors of three do not report changes. So each
 * update compares the position, rotation and scale of each member with those of the last update. That takes half the time in which three
 * recomputes all matrices. Most of it is memory access, because the engine keeps each number of a vector in a heap object of its own.
 *
 * Other code may move a member, compute its matrices, and move it back (a trial move). Then the local transform is unchanged, but the matrices
 * are wrong. `matrixWorldNeedsUpdate` shows this: the watch leaves the flag set, and three clears it whenever it computes the world matrix. If
 * the flag is clear in the next update, the watch recomputes the matrices. three itself sets the flag in every frame, so a set flag has no
 * other effect.
 */

import { Object3D, type BufferGeometry } from 'three';
import { hasPlainMatrices } from '../bounds/object-traits.ts';
import { GeometryWatch } from './geometry-watch.ts';
import type { Member } from './member.ts';
import { SpriteWatch } from './sprite-watch.ts';
import { equalsLocalTransform, equalsMatrix, LOCAL_TRANSFORM_STRIDE, MATRIX_STRIDE, storeLocalTransform } from './transform-values.ts';
import { WatchList } from './watch-list.ts';

export class TransformWatch {
  /** Children whose matrices three computes from their local transform. */
  private readonly byTransform = new WatchList(LOCAL_TRANSFORM_STRIDE);
  /** All other members without a compound. Compares `matrix`, if three computes `matrixWorld` from that and the parent alone; otherwise `matrixWorld`. */
  private readonly byMatrix = new WatchList(MATRIX_STRIDE);

  private readonly compounds = new Set<Member>();
  private readonly geometries = new GeometryWatch();
  private readonly sprites = new SpriteWatch();

  /** Watches a member from its present state on. */
  add(member: Member): void {
    const { object } = member;
    this.geometries.add(member);
    this.sprites.add(member);
    if (member.compound !== null) {
      member.watchList?.remove(member);
      this.compounds.add(member);
      return;
    }
    this.compounds.delete(member);
    const isPlain = !member.isDescendant && hasPlainMatrices(object);
    if (!isPlain || !object.matrixAutoUpdate) {
      const offset = this.byMatrix.add(member);
      this.byMatrix.values.set(isPlain ? object.matrix.elements : object.matrixWorld.elements, offset);
      return;
    }
    const offset = this.byTransform.add(member);
    storeLocalTransform(object, this.byTransform.values, offset);
    object.matrixWorldNeedsUpdate = true;
  }

  remove(member: Member): void {
    member.watchList?.remove(member);
    this.compounds.delete(member);
    this.geometries.remove(member);
    this.sprites.remove(member);
  }

  /**
   * Calls back for each member that has moved, or that consists of other objects or geometries than before. Brings the matrices of children
   * up to date. Goes through the lists backwards: the `updateMatrixWorld` of a child may remove members, and then a member that was visited
   * already takes the free index.
   *
   * @param isForced Whether three would recompute all matrices. If not, a matrix that was written by hand counts only if
   *   `matrixWorldNeedsUpdate` is set.
   * @param fresh Objects whose matrices, and those of all their descendants, have just been computed.
   */
  visitMoved(isForced: boolean, fresh: ReadonlySet<Object3D>, visitor: (member: Member) => void): void {
    this.visitByTransform(visitor);
    this.visitByMatrix(isForced, visitor);
    this.geometries.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
    for (const member of this.compounds) this.visitCompound(member, isForced, fresh.has(member.object), visitor);
  }

  private visitCompound(member: Member, isForced: boolean, isFresh: boolean, visitor: (member: Member) => void): void {
    const { compound, object, isDescendant } = member;
    const isSame = compound !== null && compound.hasSameStructure;
    // The matrices in an opened tree have been updated with its root, so a descendant is always compared by its matrices.
    const isUpToDate = isSame && !isDescendant && compound.transforms.areUpToDate(isFresh);
    if (!isUpToDate && !isDescendant) object.updateMatrixWorld(isForced);
    // The update may have removed the member.
    if (!this.compounds.has(member)) return;
    if (!isSame || compound.hasNewSphere || (!isUpToDate && compound.isMoved)) visitor(member);
    else if (!isUpToDate || isFresh) compound.transforms.store();
  }

  /** `hasPlainMatrices` and `isBuiltOf` are inlined by hand: this runs for every child in every update, and the calls would cost a quarter more. */
  private visitByTransform(visitor: (member: Member) => void): void {
    const { members, objects, geometries, values } = this.byTransform;
    for (let k = objects.length - 1; k >= 0; k--) {
      if (k >= objects.length) continue;
      const object = objects[k];
      const isUnchanged =
        equalsLocalTransform(object, values, k * LOCAL_TRANSFORM_STRIDE) &&
        object.matrixAutoUpdate &&
        object.matrixWorldAutoUpdate &&
        !object.pivot &&
        object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
        object.frustumCulled &&
        object.children.length === 0 &&
        (object as { geometry?: BufferGeometry | null }).geometry === geometries[k];
      if (isUnchanged && object.matrixWorldNeedsUpdate) continue;
      const member = members[k];
      object.updateMatrixWorld(true);
      if (isUnchanged) object.matrixWorldNeedsUpdate = true;
      else if (member.watchList !== null) visitor(member);
    }
  }

  private visitByMatrix(isForced: boolean, visitor: (member: Member) => void): void {
    const { members, objects, geometries } = this.byMatrix;
    for (let k = objects.length - 1; k >= 0; k--) {
      if (k >= objects.length) continue;
      const member = members[k];
      const object = objects[k];
      const isPlain = !member.isDescendant && hasPlainMatrices(object);
      // three reads a matrix that was written by hand only if it is forced to, or if the flag is set.
      const isRead = !isPlain || isForced || object.matrixWorldNeedsUpdate;
      if (!isPlain && !member.isDescendant) object.updateMatrixWorld(isForced);
      // A child that three places by its local transform from now on belongs to the other list.
      const isInRightList = !isPlain || !object.matrixAutoUpdate;
      const { elements } = isPlain ? object.matrix : object.matrixWorld;
      if (isInRightList && isBuiltOf(object, geometries[k]) && !(isRead && !equalsMatrix(elements, this.byMatrix.values, k * MATRIX_STRIDE))) continue;
      if (isPlain) object.updateMatrixWorld(isRead);
      if (member.watchList !== null) visitor(member);
    }
  }
}

/** Whether the bounds of an object still come from this geometry. */
function isBuiltOf(object: Object3D, geometry: BufferGeometry | null): boolean {
  return object.frustumCulled && object.children.length === 0 && (object as { geometry?: BufferGeometry | null }).geometry === geometry;
}
