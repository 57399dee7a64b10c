// The states of the members of a group, as the table in src/three/group/README.md has them, and what must hold in each.

import type { Object3D } from 'three';
import type { BoundsState, Member, WatchState } from '../../src/three/group/member.ts';
import type { OctreeGroup } from '../../src/three.ts';

/** The private fields of GroupChildren that the table is about. */
interface Fields {
  readonly records: ReadonlyMap<Object3D, Member>;
  readonly opening: ReadonlySet<Member>;
}

/**
 * What contradicts the table, in words: first of all a state that differs from what all else says.
 *
 * @param isUpdated Whether an update has just ended: then nothing is due.
 * @param seen Gets each state that a member, or a child, is in.
 */
export function stateFaults(group: OctreeGroup, isUpdated: boolean, seen: Set<string>): string[] {
  const children = group.groupChildren;
  const { records, opening } = children as unknown as Fields;
  const { bodies, pending, updater } = children;
  const faults: string[] = [];
  const require = (isRight: boolean, object: Object3D, fault: string): void => {
    if (!isRight) faults.push(`${object.name || object.type}: ${fault}`);
  };

  const boundsOf = (member: Member): BoundsState => {
    const { body, owner } = member;
    if (owner.tree?.nodes[0] === member.object && owner.tree.members[0] === null) return 'opened';
    if (body !== null) return 'culled';
    return bodies.unculled.has(member) ? 'unculled' : 'new';
  };
  for (const [object, member] of records) {
    const { body, owner, isStatic, bounds } = member;
    const isDue = pending.has(member);
    seen.add(bounds);
    require(bounds === boundsOf(member), object, `${bounds}, but should be ${boundsOf(member)}`);
    require(member.object === object && records.get(owner.object) === owner, object, 'not of its child');
    require((body !== null) === (bounds === 'culled'), object, `${bounds}, and has a body, or has none`);
    require(bodies.unculled.has(member) === (bounds === 'unculled'), object, `${bounds}, and drawn otherwise`);
    require(bounds !== 'new' || isDue, object, 'new, and no update computes its bounds');
    if (bounds === 'opened') {
      require(member.order < 0 && !isDue && member.compound === null, object, 'opened, and drawn as a whole');
      continue;
    }
    require(bodies.ordered.items[member.order] === member, object, 'not at its order');
    require(owner.members.includes(member), object, 'not a part of its child');
    if (body === null) continue;
    require(bodies.ordered.memberAt(body.index) === member, object, 'its body is of another member');
    require(isDue || body.isStatic === isStatic, object, 'its body is static, or not, other than the member');
    require(bodies.hitAnywhere.has(member) === (body.mask !== 1), object, 'rays test it otherwise than its mask says');
  }
  const { unculled, withoutSphere, hitAnywhere } = bodies;
  for (const [name, list] of Object.entries({ pending, unculled, withoutSphere, hitAnywhere }))
    for (const member of list)
      require(member.order >= 0 && records.get(member.object) === member, member.object, `gone, and in ${name}`);
  for (const member of [...withoutSphere, ...hitAnywhere])
    require(member.bounds === 'culled', member.object, 'in a list of culled members');

  for (const child of records.values()) {
    if (child.isDescendant) continue;
    const { object, tree, watch, bounds } = child;
    const isDue = child.isDue || child.reported !== null;
    const block = updater.order.blockOf(child);
    const index = child.childOrder % 256;
    const derived: WatchState = block.isStatic(index)
      ? 'reported'
      : block.childCounts[index] === -1
        ? 'visited'
        : 'compared';
    seen.add(watch);
    require(watch === derived, object, `${watch}, but its block says ${derived}`);
    require(updater.order.items[child.childOrder] === child, object, 'not at its order');
    require(!isDue || watch === 'visited', object, 'due, and no update visits it');
    require(watch !== 'reported' || child.isAllStatic, object, 'watched, and no update looks at it');
    if (watch === 'compared') {
      require(bounds !== 'opened' && child.compound === null && !child.isStatic, object, 'compared as a leaf');
      require(bounds === 'culled' || pending.has(child), object, 'compared without bounds');
    }
    if (isUpdated) {
      require(!isDue && !opening.has(child), object, 'due after an update');
      require(!child.isAllStatic || watch === 'reported', object, 'static, and updates look at it');
    }
    if (tree === null || opening.has(child)) continue;
    require(child.members.length === tree.members.filter((member) => member !== null).length, object, 'other parts');
    tree.members.forEach((member, node) => {
      if (member === null) return;
      require(tree.nodes[node] === member.object && member.node === node, member.object, 'other node');
      require(records.get(member.object) === member, member.object, 'not the record of its object');
      require(tree.isStatic(node) === member.isStatic, member.object, 'compared other than it is static');
    });
    const watched = tree.nodes.filter((_, node) => !tree.isStatic(node)).length;
    require(watched === tree.watchedCount, object, 'counts other nodes than are watched');
  }
  for (const member of bodies.ordered.items)
    if (member !== null) require(records.get(member.object) === member, member.object, 'drawn, and has no record');
  if (isUpdated) require(pending.size === 0, group, 'has pending members after an update');
  return faults;
}
