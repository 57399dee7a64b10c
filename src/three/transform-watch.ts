/**
 * Notices members that were moved without a word: three's vectors do not tell when they are written, so the numbers that place each
 * watched member are compared with those of the last time. That is a third of what three spends on computing their matrices anew.
 */

import type { BufferGeometry, Object3D } from 'three';
import type { Member } from './member.ts';
import { hasPlainMatrices } from './steady-bounds.ts';

/** Enough for a matrix; position, quaternion and scale need ten. */
const LANES = 16;

export class TransformWatch {
  readonly members: Member[] = [];
  private lanes = new Float64Array(64 * LANES);

  has(member: Member): boolean {
    return member.place >= 0;
  }

  /** Takes note of where a member is, and watches it from now on. */
  add(member: Member): void {
    if (member.place < 0) {
      member.place = this.members.push(member) - 1;
      this.reserve(this.members.length * LANES);
    }
    this.note(member);
  }

  remove(member: Member): void {
    const { place } = member;
    if (place < 0) return;
    const last = this.members.pop()!;
    if (last !== member) {
      this.members[place] = last;
      this.lanes.copyWithin(place * LANES, last.place * LANES, last.place * LANES + LANES);
      last.place = place;
    }
    member.place = -1;
  }

  /** Calls back for each member that has moved or changed its kind; brings the matrices of direct children up to date. */
  visitMoved(visitor: (member: Member) => void): void {
    const { members } = this;
    for (let place = 0; place < members.length; place++) {
      const member = members[place];
      const { object } = member;
      const isPlain = !member.isDeep && hasPlainMatrices(object);
      if (!isPlain && !member.isDeep) object.updateMatrixWorld(true);
      const isAsNoted = isPlain ? this.isPlacedAsNoted(object, place * LANES) : this.isMatrixAsNoted(object.matrixWorld.elements, place * LANES);
      if (isAsNoted && isBuiltAsNoted(member)) continue;
      if (isPlain) object.updateMatrixWorld(true);
      visitor(member);
    }
  }

  private note(member: Member): void {
    const { object } = member;
    const at = member.place * LANES;
    if (member.isDeep || !hasPlainMatrices(object)) this.lanes.set(object.matrixWorld.elements, at);
    else if (!object.matrixAutoUpdate) this.lanes.set(object.matrix.elements, at);
    else {
      object.position.toArray(this.lanes, at);
      object.quaternion.toArray(this.lanes, at + 3);
      object.scale.toArray(this.lanes, at + 7);
    }
  }

  private isPlacedAsNoted(object: Object3D, at: number): boolean {
    if (!object.matrixAutoUpdate) return this.isMatrixAsNoted(object.matrix.elements, at);
    const { lanes } = this;
    const { position, quaternion, scale } = object;
    return (
      lanes[at] === position.x &&
      lanes[at + 1] === position.y &&
      lanes[at + 2] === position.z &&
      lanes[at + 3] === quaternion.x &&
      lanes[at + 4] === quaternion.y &&
      lanes[at + 5] === quaternion.z &&
      lanes[at + 6] === quaternion.w &&
      lanes[at + 7] === scale.x &&
      lanes[at + 8] === scale.y &&
      lanes[at + 9] === scale.z
    );
  }

  private isMatrixAsNoted(elements: readonly number[], at: number): boolean {
    const { lanes } = this;
    for (let lane = 0; lane < LANES; lane++) if (lanes[at + lane] !== elements[lane]) return false;
    return true;
  }

  private reserve(length: number): void {
    if (length <= this.lanes.length) return;
    const { lanes } = this;
    (this.lanes = new Float64Array(2 * length)).set(lanes);
  }
}

/** Whether a member still is what its body was made for. */
function isBuiltAsNoted({ object, geometry }: Member): boolean {
  return object.frustumCulled && object.children.length === 0 && (geometry === null || geometry === (object as { geometry?: BufferGeometry }).geometry);
}
