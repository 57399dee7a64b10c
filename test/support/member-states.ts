// The states of the members of a group, as the table in src/three/group/README.md has them.

import { memberFaults } from '../../src/debug-three/validate.ts';
import type { OctreeGroup } from '../../src/three.ts';

/**
 * What contradicts the table, in words.
 *
 * @param isUpdated Whether an update has just ended: then nothing is due.
 * @param seen Gets each state that a member, or a child, is in.
 */
export function stateFaults(group: OctreeGroup, isUpdated: boolean, seen: Set<string>): string[] {
  const children = group.groupChildren;
  for (const member of children.records.values()) {
    seen.add(member.bounds);
    if (!member.isDescendant) seen.add(member.watch);
  }
  return memberFaults(children, isUpdated);
}
