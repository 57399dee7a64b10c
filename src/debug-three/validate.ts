/** `validate`: checks every structure of a container, and of the features that follow it, against one another. */

import type { Object3D } from 'three';
import { MAX_SLOTS } from '../batches/draw-states.ts';
import { MOVED } from '../batches/draw-states.ts';
import type { StaticBatches } from '../batches/static-batches.ts';
import { validate as validateOctree } from '../debug/validate.ts';
import { NO_BODY_INDEX } from '../instances/bodies/instance-body-map.ts';
import { OctreeInstances } from '../instances/octree-instances.ts';
import { GroupOccluders } from '../occlusion/culling/group-occluders.ts';
import type { OcclusionPass } from '../occlusion/culling/occlusion-pass.ts';
import { throwType } from '../octree/input/input-checks.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import { Detector } from '../three/detector/detector.ts';
import type { ResourceRecord, SharedResources } from '../three/detector/shared-resources.ts';
import { nameOf } from '../three/bounds/object-kinds.ts';
import { CHILDREN_PER_BLOCK } from '../three/group/child-order.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import { HIT_WITHIN_BOUNDS } from '../three/group/member-bodies.ts';
import type { BoundsState, Member, WatchState } from '../three/group/member.ts';
import { OctreeGroup } from '../three/group/octree-group.ts';

/** Adds a fault unless something holds. */
type Require = (isRight: boolean, about: Object3D | string, fault: string) => void;

/**
 * Checks all invariants of an `OctreeGroup` or an `OctreeInstances`: its octree, members and bodies, what is
 * known of their changes, the draw slots of passes, and those of the `StaticBatches` and the `OcclusionCulling` that
 * follow it. Describes each fault; [] if there is none. For tests, and
 * for reports. A group that sleeps has nothing to check.
 *
 * Cost: visits all objects once, and all nodes of the octree: about a rebuild.
 *
 * @param container The `OctreeGroup` or `OctreeInstances` that is checked.
 * @throws {TypeError} If the container is neither.
 *
 * @example
 * ```ts
 * import { validate } from 'scene-octree/debug-three';
 * import { OctreeGroup } from 'scene-octree/three';
 *
 * const group = new OctreeGroup();
 * console.log(validate(group)); // prints: []
 * ```
 */
export function validate(container: OctreeGroup | OctreeInstances): string[] {
  if (container instanceof OctreeInstances)
    return [...validateOctree(container.octree), ...instanceFaults(container), ...viewFaults(container)];
  if (!(container instanceof OctreeGroup))
    throwType(
      'validate',
      'container',
      'be an OctreeGroup or OctreeInstances',
      container,
      'pass what holds the objects',
    );
  const { awake } = container;
  if (awake === null) return [];
  const { bodies } = awake;
  const faults = [...validateOctree(bodies.octree), ...memberFaults(awake, false), ...detectorFaults(awake)];
  if (bodies.drawing !== null) faults.push(...batchFaults(awake, bodies.drawing.source as StaticBatches));
  if (bodies.culling !== undefined) faults.push(...occluderFaults(awake, bodies.culling as OcclusionPass));
  return faults;
}

function collect(check: (require: Require) => void): string[] {
  const faults: string[] = [];
  check((isRight, about, fault) => {
    if (!isRight) faults.push(`${typeof about === 'string' ? about : nameOf(about)}: ${fault}`);
  });
  return faults;
}

/**
 * @internal What contradicts the table of states in src/three/group/README.md: first of all a state that differs from
 *   what all
 * else says.
 *
 * @param isUpdated Whether an update has just ended: then nothing is due.
 */
export function memberFaults(children: GroupChildren, isUpdated: boolean): string[] {
  const { bodies, pending } = children;
  const records = children.records;
  return collect((require) => {
    for (const [object, member] of records) {
      checkMember(children, object, member, require);
      if (!member.isDescendant) checkChild(children, member, isUpdated, require);
    }
    const { unculled, withoutSphere, hitAnywhere } = bodies;
    for (const [name, list] of Object.entries({ pending, unculled, withoutSphere, hitAnywhere }))
      for (const member of list)
        require(member.order >= 0 && records.get(member.object) === member, member.object, `gone, and in ${name}`);
    for (const member of [...withoutSphere, ...hitAnywhere])
      require(member.bounds === 'culled', member.object, 'in a list of culled members');
    for (const member of bodies.ordered.items)
      if (member !== null) require(records.get(member.object) === member, member.object, 'drawn, and has no record');
    require(!isUpdated || pending.size === 0, 'group', 'has pending members after an update');
  });
}

function checkMember(children: GroupChildren, object: Object3D, member: Member, require: Require): void {
  const { body, owner, isStatic, bounds } = member;
  const { bodies, pending } = children;
  const records = children.records;
  const isDue = pending.has(member);
  const derived = boundsStateOf(member, bodies.unculled);
  require(bounds === derived, object, `${bounds}, but should be ${derived}`);
  require(member.object === object && records.get(owner.object) === owner, object, 'not of its child');
  require((body !== null) === (bounds === 'culled'), object, `${bounds}, and has a body, or has none`);
  require(bodies.unculled.has(member) === (bounds === 'unculled'), object, `${bounds}, and drawn otherwise`);
  require(bounds !== 'new' || isDue, object, 'new, and no update computes its bounds');
  if (bounds === 'opened') {
    require(member.order < 0 && !isDue && member.compound === null, object, 'opened, and drawn as a whole');
    return;
  }
  require(bodies.ordered.items[member.order] === member, object, 'not at its order');
  require(owner.members.includes(member), object, 'not a part of its child');
  if (body === null) return;
  require(bodies.ordered.memberAt(body.index) === member, object, 'its body is of another member');
  require(isDue || body.isStatic === isStatic, object, 'its body is static, or not, other than the member');
  require(bodies.hitAnywhere.has(member) ===
    (body.mask !== HIT_WITHIN_BOUNDS), object, 'rays test it otherwise than its mask says');
}

function boundsStateOf(member: Member, unculled: ReadonlySet<Member>): BoundsState {
  const { tree } = member.owner;
  if (tree?.nodes[0] === member.object && tree.members[0] === null) return 'opened';
  if (member.body !== null) return 'culled';
  return unculled.has(member) ? 'unculled' : 'new';
}

/** What an update does with a child. */
function checkChild(children: GroupChildren, child: Member, isUpdated: boolean, require: Require): void {
  const { object, tree, watch, bounds } = child;
  const { pending, updater } = children;
  const isOpening = children.opening.has(child);
  const isDue = child.isDue || child.reported !== null;
  const block = updater.order.blockOf(child);
  const index = child.childOrder % CHILDREN_PER_BLOCK;
  const isVisited = block.childCounts[index] === -1;
  const derived: WatchState = block.isStatic(index) ? 'reported' : isVisited ? 'visited' : 'compared';
  require(watch === derived, object, `${watch}, but its block says ${derived}`);
  require(updater.order.items[child.childOrder] === child, object, 'not at its order');
  require(!isDue || watch === 'visited', object, 'due, and no update visits it');
  require(watch !== 'reported' || child.isAllStatic, object, 'watched, and no update looks at it');
  if (watch === 'compared') {
    require(bounds !== 'opened' && child.compound === null && !child.isStatic, object, 'compared as a leaf');
    require(bounds === 'culled' || pending.has(child), object, 'compared without bounds');
  }
  if (isUpdated) {
    require(!isDue && !isOpening, object, 'due after an update');
    require(!child.isAllStatic || watch === 'reported', object, 'static, and updates look at it');
  }
  if (tree === null || isOpening) return;
  const records = children.records;
  require(child.members.length === tree.members.filter((one) => one !== null).length, object, 'other parts');
  tree.members.forEach((member, node) => {
    if (member === null) return;
    require(tree.nodes[node] === member.object && member.node === node, member.object, 'other node');
    require(records.get(member.object) === member, member.object, 'not the record of its object');
    require(tree.isStatic(node) === member.isStatic, member.object, 'compared other than it is static');
  });
  const watched = tree.nodes.filter((_, node) => !tree.isStatic(node)).length;
  require(watched === tree.watchedCount, object, 'counts other nodes than are watched');
}

/** A member that is watched is compared as a leaf or as a tree, and each of its resources counts it. */
function detectorFaults({ bodies }: GroupChildren): string[] {
  const { detector } = bodies;
  if (!(detector instanceof Detector)) return [];
  const objects = detector.objects;
  const trees = detector.trees;
  return collect((require) => {
    const watched = new Set<number>();
    for (const member of bodies.detectedMembers()) {
      const { object, watchedSource, body } = member;
      const { index } = body!;
      const compared = objects[index] ?? null;
      const count = Number(compared !== null) + Number(trees.has(member));
      require(count === Number(watchedSource !== null), object, `is compared ${count} times`);
      require(compared === null || compared === object, object, 'is compared as another object');
      if (watchedSource !== null) watched.add(index);
    }
    objects.forEach((object, body) =>
      require(object === null || watched.has(body), `body ${body}`, 'is compared, and gone'),
    );
    for (const { object, body } of [...trees.keys(), ...detector.unknown, ...detector.unknownCasters])
      require(body !== null && watched.has(body.index), object, 'is in a list of the detector, and gone');
    checkResources('geometries', detector.geometries, watched, require);
    checkResources('materials', detector.materials, watched, require);
    checkResources('arrays', detector.arrays, watched, require);
  });
}

/** The users of each resource are the bodies that have its number. */
function checkResources<Resource extends object>(
  name: string,
  resources: SharedResources<Resource, ResourceRecord>,
  watched: ReadonlySet<number>,
  require: Require,
): void {
  const all = resources.all;
  const users = all.map(() => 0);
  resources.firsts.forEach((first, body) => {
    if (first === 0) return;
    require(watched.has(body), `body ${body}`, `uses one of the ${name}, and is gone`);
    for (const number of resources.numbersOf(body)) users[number]++;
  });
  for (const [number, shared] of all.entries()) {
    if (shared !== null) require(resources.numbers.get(shared.resource) === number, name, 'other number');
    require((shared?.users ?? 0) ===
      users[number], name, `${number} counts ${shared?.users} users, not ${users[number]}`);
  }
}

/** What contradicts the table of states in src/batches/README.md. */
function batchFaults({ allMembers }: GroupChildren, { members, isBuilding }: StaticBatches): string[] {
  const { states, chunks } = members;
  return collect((require) => {
    const slots = new Map<Member, number>();
    for (const [number, chunk] of chunks.entries()) {
      if (chunk === null) continue;
      const used = chunk.members.filter((member) => member !== null);
      require(chunk.usedCount ===
        used.length, `batch ${number}`, `counts ${chunk.usedCount} meshes, not ${used.length}`);
      for (const member of used) slots.set(member, (slots.get(member) ?? 0) + 1);
    }
    let placed = 0;
    for (const member of allMembers) {
      const { object } = member;
      const state = states.of(member);
      const address = states.addressOf(member);
      const lists = [states.waiting, states.resting, states.posed, states.refused].filter((list) =>
        list.has(member),
      ).length;
      require(lists === Number(state !== 'alone' && state !== 'placed'), object, `${state}, and in ${lists} lists`);
      const hasSlot = address >= 0;
      const draws = state === 'placed' || state === 'rebuilding' || state === 'posed';
      require(hasSlot || !draws, object, `${state}, and has no slot`);
      require(!hasSlot || draws || state === 'resting', object, `${state}, and has a slot`);
      const isMoved = states.resting.get(member)?.isMoved === true;
      require(isMoved === (states.placedAt(member) === MOVED), object, `${state}, and marked as moved, or not marked`);
      // While a batch is placed, step by step, its members are those of two.
      const count = slots.get(member) ?? 0;
      require(isBuilding || count === Number(hasSlot), object, `${state}, and in ${count} slots`);
      if (!hasSlot) continue;
      const chunk = members.slots.chunkAt(address);
      const slot = address % MAX_SLOTS;
      require(chunk.members[slot] === member, object, 'its slot is of another mesh');
      const isDrawn = draws && members.isShown(member) && !chunk.returning.has(slot);
      require(isDrawn === (chunk.bodyOfSlot[slot] === member.body?.index), object, `${state}, and drawn otherwise`);
      require(!isDrawn || !chunk.blocked.has(slot), object, `${state}, and its slot is blocked`);
      if (isDrawn) placed++;
    }
    const count = members.slots.placedCount;
    require(placed === count, 'batches', `count ${count} placed meshes, not ${placed}`);
  });
}

/** Occluders belong to bodies of the group, and lists hold bodies that are alive. */
function occluderFaults(children: GroupChildren, { bodies }: OcclusionPass): string[] {
  if (!(bodies instanceof GroupOccluders)) return [];
  const { store } = bodies.octree.internals;
  return collect((require) => {
    bodies.occluders.forEach((occluder, body) => {
      if (occluder === undefined) return;
      const { member } = occluder;
      require(member.body?.index === body, member.object, `is an occluder as body ${body}`);
      require(children.memberOf(member.object) === member, member.object, 'is an occluder, and gone');
    });
    for (const body of bodies.alwaysDrawn) require(store.isAlive(body), `body ${body}`, 'is always drawn, and is dead');
    for (const { object, body } of bodies.due) require(body !== null, object, 'is to be an occluder, and has no body');
  });
}

/** Each visible instance has one body, and each body an instance. The changes must be applied. */
function instanceFaults({ store, bodies }: OctreeInstances): string[] {
  const { octree, map } = bodies;
  return collect((require) => {
    if (!bodies.hasBounds) {
      require(octree.size === 0, 'bodies', 'are in the octree without bounds');
      return;
    }
    let visible = 0;
    for (let id = 0; id < store.idEnd; id++) {
      const body = map.bodyOf[id];
      const isVisible = store.isVisible(id);
      if (isVisible) visible++;
      const hasBody = body !== NO_BODY_INDEX;
      require(isVisible === hasBody, `instance ${id}`, isVisible ? 'has no body' : 'is hidden, and has a body');
      if (hasBody) require(octree.dataAt(body) === id, `instance ${id}`, `its body ${body} is of another instance`);
    }
    require(octree.size === visible, 'octree', `has ${octree.size} bodies for ${visible} visible instances`);
  });
}

/** The draw slots of each pass hold different instances, each with its matrix of when the pass was last drawn. */
function viewFaults(container: OctreeInstances): string[] {
  const { store } = container;
  const passes = container.views.passes;
  return collect((require) => {
    for (const one of [...passes.cameras.values(), ...passes.shadows.values()].flat())
      for (const [level, view] of one.views.entries()) {
        const { count, idAt } = view.slots;
        const ids = idAt.subarray(0, count);
        const about = `level ${level} of a pass`;
        require(new Set(ids).size === count, about, 'draws an instance twice');
        const drawn = view.buffers?.matrices.array;
        if (drawn === undefined) continue;
        ids.forEach((id, slot) => {
          require(id < store.idEnd, about, `draws instance ${id}, of ${store.idEnd}`);
          if (store.changedAt[id] > view.syncedAt) return;
          for (let k = 0; k < MATRIX_STRIDE; k++)
            require(drawn[slot * MATRIX_STRIDE + k] ===
              store.matrices[id * MATRIX_STRIDE + k], `instance ${id}`, 'is drawn with another matrix');
        });
      }
  });
}
