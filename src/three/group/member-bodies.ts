/** The bodies of members: which have one, with what bounds, and what else is to be known of them by passes and rays. */

import { Sphere, type Box3, type Mesh, type Object3D } from 'three';
import { Octree } from '../../scene/octree.ts';
import { BodySpace } from '../bounds/body-space.ts';
import { ObjectBounds } from '../bounds/bounds-of.ts';
import { Compound } from './compound.ts';
import { growByFloat32Error } from '../bounds/float32-error.ts';
import { UnculledMembers } from './unculled-members.ts';
import { OrderedMembers } from './ordered-members.ts';
import type { Member } from './member.ts';
import { isPlainLeaf } from '../bounds/object-traits.ts';
import { TransformWatch } from './transform-watch.ts';

/** Categories of bodies: a ray hits them within their bounds only, or possibly beside them. */
export const HIT_WITHIN = 1;
export const HIT_BESIDE = 2;

export class MemberBodies {
  readonly octree = new Octree<Object3D>();
  readonly space = new BodySpace();
  readonly roll = new OrderedMembers();
  readonly watch = new TransformWatch();
  /** Members without a body; they are always shown. */
  readonly loose = new UnculledMembers();
  /** Members with a body that a ray may hit beside it. */
  readonly hitBeside = new Set<Member>();
  /** Objects in which levels of detail have to be chosen, as far as they may be left out of a pass. */
  readonly hasLod = new Set<Object3D>();

  private readonly bounds = new ObjectBounds();

  /**
   * Gives a member the body it should have now, or none, and watches it if it is tracked.
   *
   * @throws {RangeError} If its matrix or its geometry holds a NaN.
   */
  settle(member: Member, isTracked: boolean): void {
    const { object } = member;
    const bounds = this.boundsOf(member);
    if (bounds === null) {
      this.drop(member);
      this.loose.add(member);
      return;
    }
    growByFloat32Error(this.bounds);
    const mask = (member.compound ?? member).isHitWithinBounds ? HIT_WITHIN : HIT_BESIDE;
    if (member.body?.mask !== mask || member.body.isStatic === isTracked) {
      this.drop(member);
      member.body = this.octree.insert(bounds, object, { mask, isStatic: !isTracked });
      this.roll.setBody(member, member.body.index);
      if (mask === HIT_BESIDE) this.hitBeside.add(member);
    } else if (bounds instanceof Sphere) member.body.setSphere(bounds);
    else member.body.setBox(bounds);
    this.loose.delete(member, true);
    member.geometry = (object as Partial<Mesh>).geometry ?? null;
    if (member.compound?.hasLod) this.hasLod.add(object);
    if (isTracked) this.watch.add(member);
  }

  /** Takes the body of a member away, if it has one. */
  drop(member: Member): void {
    this.watch.remove(member);
    this.hitBeside.delete(member);
    this.hasLod.delete(member.object);
    if (member.body === null) return;
    this.roll.dropBody(member.body.index);
    member.body.remove();
    member.body = null;
  }

  private boundsOf(member: Member): Box3 | Sphere | null {
    const { object } = member;
    if (isPlainLeaf(object)) {
      member.compound = null;
      return this.space.boundsOf(object, this.bounds);
    }
    if (!member.compound?.isSame) member.compound = Compound.of(object, member.isDeep);
    return member.compound?.boundsIn(this.space, this.bounds) ?? null;
  }
}
