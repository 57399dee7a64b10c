// The states of the members of a group, as the table in src/three/group/README.md has them, and what must hold in each.

import type { Object3D } from 'three';
import type { ChildState, Member } from '../../src/three/group/member.ts';
import type { OctreeGroup } from '../../src/three.ts';

export type BoundsState = 'new' | 'culled' | 'unculled';
export type WatchState = 'reported' | 'compared' | 'visited';

/** The private fields of GroupChildren that the table is about. */
interface Fields {
  readonly states: ReadonlyMap<Object3D, ChildState>;
  readonly members: ReadonlyMap<Object3D, Member>;
  readonly opening: ReadonlySet<ChildState>;
}

/**
 * What contradicts the table, in words.
 *
 * @param isUpdated Whether an update has just ended: then nothing is due.
 * @param seen Gets each state that a member, or a child, is in.
 */
export function stateFaults(group: OctreeGroup, isUpdated: boolean, seen: Set<string>): string[] {
  const children = group.groupChildren;
  const { states, members, opening } = children as unknown as Fields;
  const { bodies, pending, updater } = children;
  const unculled = new Set(bodies.unculled);
  const faults: string[] = [];
  const require = (isRight: boolean, object: Object3D, fault: string): void => {
    if (!isRight) faults.push(`${object.name || object.type}: ${fault}`);
  };
  const watchOf = (state: ChildState): WatchState => {
    const block = updater.order.blockOf(state);
    const index = state.order % 256;
    if (block.nodes[index] === undefined) return 'reported';
    return block.isCompared(index) ? 'compared' : 'visited';
  };

  for (const [object, member] of members) {
    const { body, owner, isStatic } = member;
    const isDue = pending.has(member);
    const state: BoundsState = body !== null ? 'culled' : unculled.has(member) ? 'unculled' : 'new';
    seen.add(state);
    require(member.object === object && bodies.ordered.items[member.order] === member, object, 'not at its order');
    require(states.get(owner.child) === owner && owner.members.includes(member), object, 'not of its child');
    require(state !== 'new' || isDue, object, 'new, and no update computes its bounds');
    require(!(body !== null && unculled.has(member)), object, 'culled, and drawn in every pass');
    if (body === null) continue;
    require(bodies.ordered.memberAt(body.index) === member, object, 'its body is of another member');
    require(isDue || body.isStatic === isStatic, object, 'its body is static, or not, other than the member');
    require(bodies.hitAnywhere.has(member) === (body.mask !== 1), object, 'rays test it otherwise than its mask says');
  }
  const lists = { pending, unculled, withoutSphere: bodies.withoutSphere, hitAnywhere: bodies.hitAnywhere };
  for (const [name, list] of Object.entries(lists))
    for (const member of list)
      require(member.order >= 0 && members.get(member.object) === member, member.object, `gone, and in ${name}`);
  for (const member of [...bodies.withoutSphere, ...bodies.hitAnywhere])
    require(member.body !== null, member.object, 'in a list of culled members');

  for (const [child, state] of states) {
    const { tree, ownMember } = state;
    const isDue = state.isDue || state.reported !== null;
    const watch = watchOf(state);
    seen.add(watch);
    require(state.child === child && updater.order.items[state.order] === state, child, 'not at its order');
    require(!isDue || watch === 'visited', child, 'due, and no update visits it');
    require(watch !== 'reported' || state.isPassedOver, child, 'watched, and no update looks at it');
    if (watch === 'compared') {
      const isLeaf = tree === null && ownMember !== null && ownMember.compound === null;
      require(isLeaf && !state.isStatic, child, 'compared as a leaf');
      require(ownMember?.body !== null || pending.has(ownMember), child, 'compared without bounds');
    }
    if (isUpdated) {
      require(!isDue && !opening.has(state), child, 'due after an update');
      require(!state.isPassedOver || watch === 'reported', child, 'static, and updates look at it');
    }
    if (tree === null || opening.has(state)) {
      for (const member of state.members) require(tree !== null || member.isStatic === state.isStatic, child, 'static');
      continue;
    }
    require(state.members.length === tree.members.filter((member) => member !== null).length, child, 'other parts');
    tree.members.forEach((member, node) => {
      if (member === null) return;
      require(tree.nodes[node] === member.object && members.get(member.object) === member, member.object, 'other node');
      require(tree.isPassedOver(node) === member.isStatic, member.object, 'compared other than it is static');
    });
    const watched = tree.nodes.filter((_, node) => !tree.isPassedOver(node)).length;
    require(watched === tree.watchedCount, child, 'counts other nodes than are watched');
  }
  if (isUpdated) require(pending.size === 0, group, 'has pending members after an update');
  return faults;
}
