/**
 * A list of members with stored numbers, which each update compares. All data of the comparison are in arrays by watch index, so that it reads
 * memory in sequence.
 */

import type { BufferGeometry, Object3D } from 'three';
import type { Member, MemberList } from './member.ts';

export class WatchList implements MemberList {
  readonly members: Member[] = [];
  readonly objects: Object3D[] = [];
  /** The geometries that the bodies were made from. */
  readonly geometries: (BufferGeometry | null)[] = [];
  /** The stored numbers, `stride` per member. */
  values: Float64Array;
  readonly stride: number;

  /** @param stride Numbers per member. */
  constructor(stride: number) {
    this.stride = stride;
    this.values = new Float64Array(64 * stride);
  }

  /** Moves a member into this list, if it is not in it. Returns the offset of its numbers in `values`. */
  add(member: Member): number {
    if (member.watchList !== this) {
      member.watchList?.remove(member);
      member.watchList = this;
      member.watchIndex = this.members.push(member) - 1;
      this.objects.push(member.object);
      this.reserve(this.members.length * this.stride);
    }
    this.geometries[member.watchIndex] = member.geometry;
    return member.watchIndex * this.stride;
  }

  /** Removes a member of this list; the last one takes its index. */
  remove(member: Member): void {
    const { watchIndex } = member;
    const { members, objects, geometries, values, stride } = this;
    const last = members.pop()!;
    const lastObject = objects.pop()!;
    const lastGeometry = geometries.pop()!;
    if (last !== member) {
      members[watchIndex] = last;
      objects[watchIndex] = lastObject;
      geometries[watchIndex] = lastGeometry;
      values.copyWithin(watchIndex * stride, last.watchIndex * stride, (last.watchIndex + 1) * stride);
      last.watchIndex = watchIndex;
    }
    member.watchList = null;
    member.watchIndex = -1;
  }

  private reserve(length: number): void {
    if (length <= this.values.length) return;
    const { values } = this;
    (this.values = new Float64Array(2 * length)).set(values);
  }
}
