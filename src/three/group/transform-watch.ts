/**
 * Notices members that were moved without a word: three's vectors do not tell when they are written, so the numbers that place each
 * watched member are compared with those of the last time. That is half of what three spends on computing their matrices anew, and
 * it is the memory that costs: three's vectors keep each number in a place of its own.
 *
 * Somebody may have moved a member, had its matrices computed, and moved it back: the numbers do not tell that the matrices are wrong, but
 * `matrixWorldNeedsUpdate` does. It is left set, as three itself sets it in every frame, and three clears it with each world matrix that it
 * computes; found clear, the matrices are computed anew.
 */

import { Object3D, type BufferGeometry, type Matrix4 } from 'three';
import { GeometryWatch } from './geometry-watch.ts';
import type { Member } from './member.ts';
import { SpriteWatch } from './sprite-watch.ts';
import { hasPlainMatrices } from '../bounds/object-traits.ts';
import { WatchList } from './watch-list.ts';

/** Numbers of a position, a quaternion and a scale. */
const PLACE_STRIDE = 10;
const MATRIX_STRIDE = 16;

export class TransformWatch {
  /** Direct children that three places by position, quaternion and scale. */
  private readonly placed = new WatchList(PLACE_STRIDE);
  /** All others: by their own matrix, if that is all that counts, or by their world matrix. */
  private readonly others = new WatchList(MATRIX_STRIDE);

  private readonly compounds = new Set<Member>();
  private readonly geometries = new GeometryWatch();
  private readonly sprites = new SpriteWatch();

  /** Takes note of where a member is, and watches it from now on. */
  add(member: Member): void {
    const { object } = member;
    this.geometries.add(member);
    this.sprites.add(member);
    if (member.compound !== null) {
      member.watch?.remove(member);
      this.compounds.add(member);
      return;
    }
    this.compounds.delete(member);
    const isPlain = !member.isDeep && hasPlainMatrices(object);
    if (!isPlain || !object.matrixAutoUpdate) {
      const at = this.others.add(member);
      this.others.lanes.set(isPlain ? object.matrix.elements : object.matrixWorld.elements, at);
      return;
    }
    const at = this.placed.add(member);
    const { lanes } = this.placed;
    object.position.toArray(lanes, at);
    object.quaternion.toArray(lanes, at + 3);
    object.scale.toArray(lanes, at + 7);
    object.matrixWorldNeedsUpdate = true;
  }

  remove(member: Member): void {
    member.watch?.remove(member);
    this.compounds.delete(member);
    this.geometries.remove(member);
    this.sprites.remove(member);
  }

  /**
   * Calls back for each member that has moved or changed its kind; brings the matrices of direct children up to date. Goes backwards,
   * because a child's own `updateMatrixWorld` may remove others: then it is one already visited that takes the place.
   *
   * @param isForced Whether three would compute all matrices anew: if not, one that was set by hand counts only if its owner says so.
   * @param fresh Objects whose matrices have just been computed with those of all below, and that are marked by their flag.
   */
  visitMoved(isForced: boolean, fresh: ReadonlySet<Object3D>, visitor: (member: Member) => void): void {
    this.visitPlaced(visitor);
    this.visitOthers(isForced, visitor);
    this.geometries.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
    for (const member of this.compounds) this.visitCompound(member, isForced, fresh.has(member.object), visitor);
  }

  private visitCompound(member: Member, isForced: boolean, isFresh: boolean, visitor: (member: Member) => void): void {
    const { compound, object, isDeep } = member;
    const isSame = compound !== null && compound.isSame;
    // What hangs in an opened tree has been brought up to date with that.
    const isStill = isSame && !isDeep && compound.places.isStill(isFresh);
    if (!isStill && !isDeep) object.updateMatrixWorld(isForced);
    if (!this.compounds.has(member)) return;
    if (!isSame || compound.isReshaped || (!isStill && compound.isMoved)) visitor(member);
    else if (!isStill || isFresh) compound.places.note();
  }

  /** `hasPlainMatrices` and `isBuiltOf` are written out: this runs for every child in every frame, and the calls would cost a quarter. */
  private visitPlaced(visitor: (member: Member) => void): void {
    const { members, objects, geometries, lanes } = this.placed;
    for (let k = objects.length - 1; k >= 0; k--) {
      if (k >= objects.length) continue;
      const object = objects[k];
      const at = k * PLACE_STRIDE;
      const { position, quaternion, scale } = object;
      const isAsNoted =
        lanes[at] === position.x &&
        lanes[at + 1] === position.y &&
        lanes[at + 2] === position.z &&
        lanes[at + 3] === quaternion.x &&
        lanes[at + 4] === quaternion.y &&
        lanes[at + 5] === quaternion.z &&
        lanes[at + 6] === quaternion.w &&
        lanes[at + 7] === scale.x &&
        lanes[at + 8] === scale.y &&
        lanes[at + 9] === scale.z &&
        object.matrixAutoUpdate &&
        object.matrixWorldAutoUpdate &&
        !object.pivot &&
        object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
        object.frustumCulled &&
        object.children.length === 0 &&
        (object as { geometry?: BufferGeometry | null }).geometry === geometries[k];
      if (isAsNoted && object.matrixWorldNeedsUpdate) continue;
      const member = members[k];
      object.updateMatrixWorld(true);
      if (isAsNoted) object.matrixWorldNeedsUpdate = true;
      else if (member.watch !== null) visitor(member);
    }
  }

  private visitOthers(isForced: boolean, visitor: (member: Member) => void): void {
    const { members, objects, geometries } = this.others;
    for (let k = objects.length - 1; k >= 0; k--) {
      if (k >= objects.length) continue;
      const member = members[k];
      const object = objects[k];
      const isPlain = !member.isDeep && hasPlainMatrices(object);
      const isHeard = !isPlain || isForced || object.matrixWorldNeedsUpdate;
      if (!isPlain && !member.isDeep) object.updateMatrixWorld(isForced);
      // What now goes by position, quaternion and scale belongs to the other list.
      const isOfList = !isPlain || !object.matrixAutoUpdate;
      if (isOfList && isBuiltOf(object, geometries[k]) && !(isHeard && this.isMoved(isPlain ? object.matrix : object.matrixWorld, k))) continue;
      if (isPlain) object.updateMatrixWorld(isHeard);
      if (member.watch !== null) visitor(member);
    }
  }

  private isMoved({ elements }: Matrix4, place: number): boolean {
    const { lanes } = this.others;
    const at = place * MATRIX_STRIDE;
    for (let lane = 0; lane < MATRIX_STRIDE; lane++) if (lanes[at + lane] !== elements[lane]) return true;
    return false;
  }
}

/** Whether an object still is what its body was made of. */
function isBuiltOf(object: Object3D, geometry: BufferGeometry | null): boolean {
  return object.frustumCulled && object.children.length === 0 && (object as { geometry?: BufferGeometry | null }).geometry === geometry;
}
