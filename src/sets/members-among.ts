/** The members of a group that a list of objects, or a set of bodies, means. */

import type { Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { BodySet } from '../save/body-set.ts';
import { isObject3D, refuseProxy } from '../three/bounds/object-kinds.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import type { Member } from '../three/group/member.ts';

/** A set of members: those with a body by its index. A body without a member counts as nothing. */
export interface MemberSet {
  readonly bodies: BodySet;
  readonly unculled: ReadonlySet<Member>;
}

/**
 * The members that are among objects, above one of them, or below one that is no member itself. Throws before anything
 * changes if an object is not below the group.
 */
export function membersAmong(where: string, group: OctreeGroup, objects: Iterable<Object3D> | BodySet): MemberSet {
  const unculled = new Set<Member>();
  if (objects instanceof BodySet) return { bodies: objects, unculled };
  if (ArrayBuffer.isView(objects) || typeof (objects as Iterable<Object3D> | null)?.[Symbol.iterator] !== 'function')
    throwType(where, 'objects', 'be objects in an array, or a BodySet', objects, 'pass [object]');
  const { groupChildren: children } = group;
  const bodies = new BodySet();
  const add = (member: Member): unknown =>
    member.body === null ? unculled.add(member) : bodies.add(member.body.index);
  for (const object of objects) {
    if (!isObject3D(object)) throwType(where, 'objects', 'hold objects of three', object, 'pass object of a hit');
    refuseProxy(where, 'an object', object);
    const above = memberAbove(where, group, object);
    if (above !== undefined) add(above);
    else
      object.traverse((each) => {
        const member = children.memberOf(each);
        if (member !== undefined) add(member);
      });
  }
  return { bodies, unculled };
}

/** The member at an object or above it; undefined if there are only some below it. */
function memberAbove(where: string, group: OctreeGroup, object: Object3D): Member | undefined {
  for (let node: Object3D | null = object; node !== group; node = node.parent) {
    if (node === null) throwType(where, 'objects', 'be below the group', object, 'add it to the group first');
    const member = group.groupChildren.memberOf(node);
    if (member !== undefined) return member;
  }
  return undefined;
}
