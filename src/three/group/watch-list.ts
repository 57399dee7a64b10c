/** Members whose numbers are compared with those of the last time. Flat arrays by place: comparing is a walk through memory, and no more. */

import type { BufferGeometry, Object3D } from 'three';
import type { Member } from './member.ts';

export class WatchList {
  readonly members: Member[] = [];
  readonly objects: Object3D[] = [];
  /** What the bodies were made of. */
  readonly geometries: (BufferGeometry | null)[] = [];
  /** Numbers of each place, side by side. */
  lanes: Float64Array;
  readonly stride: number;

  /** @param stride Numbers a member. */
  constructor(stride: number) {
    this.stride = stride;
    this.lanes = new Float64Array(64 * stride);
  }

  /** Watches a member, in this list and no other, and lends the place of its numbers. */
  add(member: Member): number {
    if (member.watch !== this) {
      member.watch?.remove(member);
      member.watch = this;
      member.place = this.members.push(member) - 1;
      this.objects.push(member.object);
      this.reserve(this.members.length * this.stride);
    }
    this.geometries[member.place] = member.geometry;
    return member.place * this.stride;
  }

  remove(member: Member): void {
    const { place } = member;
    const { members, objects, geometries, lanes, stride } = this;
    const last = members.pop()!;
    const lastObject = objects.pop()!;
    const lastGeometry = geometries.pop()!;
    if (last !== member) {
      members[place] = last;
      objects[place] = lastObject;
      geometries[place] = lastGeometry;
      lanes.copyWithin(place * stride, last.place * stride, (last.place + 1) * stride);
      last.place = place;
    }
    member.watch = null;
    member.place = -1;
  }

  private reserve(length: number): void {
    if (length <= this.lanes.length) return;
    const { lanes } = this;
    (this.lanes = new Float64Array(2 * length)).set(lanes);
  }
}
