/** Rays through the members of a group: all hits, as a plain Group gives them, or only the nearest, with early out. */

import type { Intersection, Object3D, Ray, Raycaster } from 'three';
import type { Body } from '../../three-math/octree.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { RaycastOptions } from '../picking/pickable.ts';
import { canHit, isInRange, filterOf } from '../picking/raycast-checks.ts';
import type { GroupChildren } from './group-children.ts';
import { HIT_WITHIN_BOUNDS } from './member-bodies.ts';
import type { Member } from './member.ts';

/**
 * Appends every hit of every member. The members come in the order of the children, so that equal distances sort as in
 * a plain Group.
 */
export function addHits(children: GroupChildren, where: string, raycaster: Raycaster, hits: Intersection[]): void {
  if (!canHit(where, raycaster)) return;
  children.restoreOrder();
  const { space, unculled, hitAnywhere } = children.bodies;
  const members = entered(children, space.rayOf(raycaster.ray), 0, raycaster.far * space.rayScale);
  for (const member of unculled) members.push(member);
  for (const member of hitAnywhere) members.push(member);
  members.sort((a, b) => a.order - b.order);
  for (const { object } of members) raycastTree(object, raycaster, hits);
}

/**
 * The nearest hit, or null. Of two hits at the same distance, the hit that a plain Group lists first.
 *
 * Two steps. First the octree visits bodies in the order in which the ray enters them, and stops at the first body
 * whose member is hit. The ray may enter further bodies before it reaches this hit, and these may have a nearer hit. So
 * the second step tests them too.
 *
 * @param options Its `filter` may move and remove objects.
 */
export function nearestHit(
  children: GroupChildren,
  where: string,
  raycaster: Raycaster,
  options: RaycastOptions,
): Intersection | null {
  const filter = filterOf(where, options);
  if (!canHit(where, raycaster)) return null;
  children.restoreOrder();
  const { octree, space, unculled, hitAnywhere, ordered } = children.bodies;
  let nearest: Intersection | null = null;
  let distance = Infinity;
  /** Order of the hit member when it was tested: `filter` may remove it. */
  let nearestOrder = Infinity;
  /** Whether the ray hits an accepted object of a member, not farther than the nearest hit so far. */
  const test = (member: Member): boolean => {
    const { order } = member;
    // A fresh array, because the `raycast` of an object may cast another ray.
    const hits: Intersection[] = [];
    raycastTree(member.object, raycaster, hits);
    let isHit = false;
    for (const hit of hits) {
      if (!(hit.distance <= distance) || !filter(hit.object, hit.instanceId, hit)) continue;
      isHit = true;
      if (hit.distance === distance && order >= nearestOrder) continue;
      nearest = hit;
      distance = hit.distance;
      nearestOrder = order;
    }
    return isHit;
  };
  for (const member of unculled) test(member);
  for (const member of hitAnywhere) test(member);
  const ray = space.rayOf(raycaster.ray);
  const { rayScale } = space;
  const far = Math.min(distance, raycaster.far) * rayScale;
  // A body that the filter has removed has the index -1.
  const bodyFilter = (body: Body<Object3D>): boolean => body.index >= 0 && test(ordered.memberAt(body.index));
  const first = isInRange(ray) ? octree.firstHit(ray, { far, mask: HIT_WITHIN_BOUNDS, filter: bodyFilter }) : null;
  if (first === null && isInRange(ray)) return nearest;
  for (const member of entered(children, ray, first?.distance ?? 0, Math.min(distance * rayScale, far)))
    if (member.body !== null && member.body !== first?.body) test(member);
  return nearest;
}

/**
 * The members whose bodies a ray enters between two distances in body space, the nearest first; all members with such
 * bodies, if the ray begins beyond the limit of the octree. A fresh array: raycasts may nest.
 */
function entered(children: GroupChildren, ray: Ray, near: number, far: number): Member[] {
  if (!isInRange(ray)) return children.allMembers.filter(({ body }) => body?.mask === HIT_WITHIN_BOUNDS);
  const { octree, ordered } = children.bodies;
  octree.collectRay(ray, entered_bodies, { near, far, mask: HIT_WITHIN_BOUNDS });
  const members: Member[] = [];
  for (let k = 0; k < entered_bodies.length; k++) members.push(ordered.memberAt(entered_bodies.array[k]));
  return members;
}
const entered_bodies = /* @__PURE__ */ new IndexList();

/**
 * Appends the hits of an object and its descendants, as `Raycaster.intersectObject` does, but does not sort them. An
 * object whose `raycast` is null is not hit: `raycast={null}` in react-three-fiber switches off its events.
 */
export function raycastTree(object: Object3D, raycaster: Raycaster, hits: Intersection[]): void {
  if (object.raycast !== null && object.layers.test(raycaster.layers)) {
    const isRecursive: unknown = object.raycast(raycaster, hits);
    if (isRecursive === false) return;
  }
  for (const child of object.children) raycastTree(child, raycaster, hits);
}
