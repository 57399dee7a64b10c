/** The members of a group that a list of objects means. */

import type { Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { isObject3D, refuseProxy } from '../three/bounds/object-kinds.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import type { Member } from '../three/group/member.ts';

/** All members of a group, in no particular order. */
export function membersOf(group: OctreeGroup): Member[] {
  return upToDate(group).allMembers;
}

/** The children of a group. Opens trees that were added since the last update. */
function upToDate(group: OctreeGroup): GroupChildren {
  const { groupChildren } = group;
  groupChildren.updatePending(() => group.updateWorldMatrix(true, true));
  return groupChildren;
}

/**
 * The members that are among objects, above one of them, or below one that is no member itself. Throws before anything
 * changes if an object is not below the group.
 */
export function membersAmong(where: string, group: OctreeGroup, objects: Iterable<Object3D>): Set<Member> {
  if (ArrayBuffer.isView(objects) || typeof (objects as Iterable<Object3D> | null)?.[Symbol.iterator] !== 'function')
    throwType(where, 'objects', 'be objects in an array, or another iterable', objects, 'pass meshes of the group');
  const children = upToDate(group);
  const found = new Set<Member>();
  for (const object of objects) {
    if (!isObject3D(object)) throwType(where, 'objects', 'hold objects', object, 'pass meshes of the group');
    refuseProxy(where, 'an object', object);
    const above = memberAbove(where, group, object, children);
    if (above !== undefined) found.add(above);
    else
      object.traverse((each) => {
        const member = children.memberOf(each);
        if (member !== undefined) found.add(member);
      });
  }
  return found;
}

/** The member at an object or above it; undefined if there are only some below it. */
function memberAbove(where: string, group: OctreeGroup, object: Object3D, children: GroupChildren): Member | undefined {
  for (let node: Object3D | null = object; node !== group; node = node.parent) {
    if (node === null) throwType(where, 'objects', 'be below the group', object, 'add it to the group first');
    const member = children.memberOf(node);
    if (member !== undefined) return member;
  }
  return undefined;
}
