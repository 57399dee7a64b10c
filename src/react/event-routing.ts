/**
 * Events of the children of an `<OctreeGroup>`. react-three-fiber keeps a list of all objects with handlers, and casts
 * a ray at each of them for each event. Here the list holds two proxies in place of all children of a group. Their rays
 * go through the octree of the group. fiber does everything after the ray: order, bubbling, hover, capture.
 *
 * Invariant: a child is out of the list only if its hits come through the octree, so a child that returns to the list
 * costs time but no event.
 */

import { applyProps, type Instance } from '@react-three/fiber';
import { Object3D, type Intersection, type Raycaster } from 'three';
import type { OctreeGroup } from '../three.ts';

/** For a pointer move, fiber tests only objects with one of these handlers. */
const HOVER_HANDLERS = ['onPointerMove', 'onPointerOver', 'onPointerEnter', 'onPointerOut', 'onPointerLeave'] as const;
/** No event has this name. fiber takes it for a handler, and so looks again whether the object belongs in its list. */
const UNUSED_HANDLER = 'onPointerRouted';

/** Which children of a group get their events through the octree. */
export class EventRouting {
  readonly group: OctreeGroup;
  /**
   * By element that was taken out of the list: how many were taken before it. This is the order of the list, in which
   * fiber reports hits at equal distances.
   */
  private readonly routed = new Map<Instance<Object3D>, number>();
  private taken = 0;
  /** fiber's list when it was last read, to find out whether it has changed. */
  private list: readonly Object3D[] = [];
  private length = 0;
  private last: Object3D | undefined = undefined;

  constructor(group: OctreeGroup) {
    this.group = group;
  }

  /**
   * Takes the descendants of the group out of fiber's list, and forgets unmounted elements: fiber replaces its list
   * when it unmounts one. Call it once per frame. Cost: nothing if the list has not changed since, otherwise in
   * proportion to its length and to the number of children with handlers.
   */
  takeFrom(list: readonly Object3D[]): void {
    if (list === this.list && list.length === this.length && list.at(-1) === this.last) return;
    for (const element of this.routed.keys()) if (element.parent === null) this.routed.delete(element);
    for (const object of list.slice()) this.take(object);
    this.list = list;
    this.length = list.length;
    this.last = list.at(-1);
  }

  /**
   * As `take`, of a child that was added: fiber searches its list from the start for each change, so it is cheaper to
   * take a child at once. One that fiber has moved, or made anew for new args, keeps its place.
   */
  takeAdded(child: Object3D): void {
    const element = elementOf(child);
    if (element && this.routed.has(element) && !element.root.getState().internal.interaction.includes(child)) return;
    this.take(child);
  }

  /** Takes an object out of fiber's list, if the group finds all its hits. */
  private take(object: Object3D): void {
    const element = elementOf(object);
    if (
      element === undefined ||
      element.eventCount === 0 ||
      element.root !== elementOf(this.group)?.root ||
      !this.isRoutable(object, element)
    )
      return;
    this.routed.set(element, this.taken++);
    relist(element, false);
  }

  /** Takes over from the routing of a group that this group replaces, with the same children. */
  adopt({ routed, taken }: EventRouting): void {
    for (const [element, rank] of routed) this.routed.set(element, rank);
    this.taken = taken;
  }

  /**
   * Puts elements that now have `onPointerMissed` back into fiber's list. Cost: in proportion to the number of children
   * with handlers.
   */
  relistMissHandlers(): void {
    for (const element of this.routed.keys()) {
      if (element.parent !== null && element.handlers.onPointerMissed === undefined) continue;
      this.routed.delete(element);
      if (element.parent !== null) relist(element, true);
    }
  }

  /**
   * Appends the hits of children that get their events through the octree.
   *
   * @param hasHoverHandlers True: only children with handlers of pointer moves. False: only children without.
   */
  raycast(raycaster: Raycaster, hits: Intersection[], hasHoverHandlers: boolean): void {
    const found = this.group
      .raycastAll(raycaster)
      .map((hit) => ({ hit, rank: this.rankOf(hit.object, hasHoverHandlers) }));
    found.sort((a, b) => a.hit.distance - b.hit.distance || a.rank - b.rank);
    for (const { hit, rank } of found) if (rank !== Infinity) hits.push(hit);
  }

  /**
   * Whether the group finds all hits of an object. It does not if an ancestor of the object below the group has a
   * `raycast` of its own, which may hide its descendants. fiber calls `onPointerMissed` for objects in its list only,
   * so objects with this handler stay there.
   */
  private isRoutable(object: Object3D, { handlers }: Instance<Object3D>): boolean {
    if (handlers.onPointerMissed !== undefined) return false;
    let ancestor = object.parent;
    while (ancestor !== null && ancestor !== this.group && ancestor.raycast === Object3D.prototype.raycast)
      ancestor = ancestor.parent;
    return ancestor === this.group;
  }

  /**
   * The smallest rank in fiber's list of the elements at or above an object that get their events through the octree;
   * Infinity if there is none.
   */
  private rankOf(object: Object3D, hasHoverHandlers: boolean): number {
    let rank = Infinity;
    for (let at: Object3D | null = object; at !== null && at !== this.group; at = at.parent) {
      const element = elementOf(at);
      if (element === undefined || element.eventCount === 0) continue;
      if (HOVER_HANDLERS.some((name) => element.handlers[name] !== undefined) === hasHoverHandlers)
        rank = Math.min(rank, this.routed.get(element) ?? Infinity);
    }
    return rank;
  }
}

/**
 * A proxy: it is in fiber's list in place of the children of a group. It is attached to the group, but is not a child
 * of it: it is in no scene, and no event names it. A group has two proxies. One has a handler of pointer moves. The
 * other has only `onClick`, so fiber does not test it when the pointer moves.
 */
export class EventProxy extends Object3D {
  routing: EventRouting | null = null;
  /** The routing of its last group. fiber makes a new group for new options, and then attaches the proxy to it. */
  last: EventRouting | null = null;
  private readonly hasHoverHandlers: boolean;

  constructor(hasHoverHandlers = false) {
    super();
    this.hasHoverHandlers = hasHoverHandlers;
  }

  override raycast(raycaster: Raycaster, hits: Intersection[]): void {
    this.routing?.raycast(raycaster, hits, this.hasHoverHandlers);
  }
}

/**
 * Takes an object out of fiber's list, or puts it back. `applyProps` takes out an object whose number of handlers has
 * changed, and lists it again unless its `raycast` is null. The last call restores the handlers.
 */
function relist(element: Instance<Object3D>, isListed: boolean): void {
  const object: { raycast?: Object3D['raycast'] | null } = element.object;
  const own = Object.hasOwn(object, 'raycast') ? object.raycast : undefined;
  const { onUpdate } = element.props;
  // applyProps calls onUpdate, but nothing of the element changes.
  if (onUpdate !== undefined) delete element.props.onUpdate;
  if (!isListed) object.raycast = null;
  applyProps(object, { [UNUSED_HANDLER]: noop });
  applyProps(object, { [UNUSED_HANDLER]: undefined });
  if (!isListed && own === undefined) delete object.raycast;
  else if (!isListed) object.raycast = own!;
  if (onUpdate !== undefined) element.props.onUpdate = onUpdate;
}

function noop(): void {}

/**
 * The element of an object: the record that react-three-fiber keeps of each object made by JSX, in the field `__r3f`,
 * which is part of its public type `Instance`. Undefined for an object that was made by hand.
 */
function elementOf(object: Object3D): Instance<Object3D> | undefined {
  const { __r3f: element } = object as Instance<Object3D>['object'];
  return element;
}
