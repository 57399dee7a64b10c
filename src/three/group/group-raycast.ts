/** Rays through the members of a group: every hit, as a plain Group gives them, or only the nearest one with early out. */

import type { Intersection, Object3D, Ray, Raycaster } from 'three';
import type { Body } from '../../scene/body.ts';
import type { IntersectionRecord } from '../../scene/intersection-record.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { ChildIndex } from './child-index.ts';
import { HIT_WITHIN } from './member-bodies.ts';
import type { Member } from './member.ts';
import { canHit, requireFilter } from '../picking/raycast-checks.ts';

export class GroupRaycast {
  private readonly index: ChildIndex;
  private readonly bodies = new IndexList();
  /** QueryRunner on their way that call back. */
  private questions = 0;

  constructor(index: ChildIndex) {
    this.index = index;
  }

  /** Whether the octree is waiting for the answer of a callback; then it takes no tick. */
  get isAsking(): boolean {
    return this.questions > 0;
  }

  /** Adds every hit of every member to `hits`, member by member in the order of the children, so that ties sort as in a plain Group. */
  collect(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!canHit(where, raycaster)) return;
    const { index } = this;
    index.order();
    const members = this.entered(index.bodies.space.rayOf(raycaster.ray), 0, raycaster.far * index.bodies.space.rayScale);
    for (const member of index.bodies.loose) members.push(member);
    for (const member of index.bodies.hitBeside) members.push(member);
    members.sort(byOrder);
    for (const { object } of members) ask(object, raycaster, hits);
  }

  /**
   * The nearest hit, or null; of two at one distance the one that a plain Group lists first.
   *
   * The octree looks for the first body that the ray enters and whose member it hits, with early out. What is entered behind that
   * body may still be hit before it, as long as it is entered before the hit.
   *
   * @param filter Whether an object may be hit.
   */
  first(where: string, raycaster: Raycaster, filter: (object: Object3D) => boolean): Intersection | null {
    requireFilter(where, filter);
    if (!canHit(where, raycaster)) return null;
    const { index } = this;
    index.order();
    const nearest = new NearestHit(raycaster, filter);
    for (const member of index.bodies.loose) nearest.ask(member);
    for (const member of index.bodies.hitBeside) nearest.ask(member);
    const ray = index.bodies.space.rayOf(raycaster.ray);
    const { rayScale } = index.bodies.space;
    const far = Math.min(nearest.distance, raycaster.far) * rayScale;
    // The filter may remove the object it is called with, or others.
    const bodyFilter = (body: Body<Object3D>): boolean => body.index >= 0 && nearest.ask(index.bodies.roll.memberAt(body.index));
    const first = this.firstEntered(ray, far, bodyFilter);
    if (first === null) return nearest.hit;
    for (const member of this.entered(ray, first.distance, Math.min(nearest.distance * rayScale, far))) {
      if (member.body !== null && member.body !== first.body) nearest.ask(member);
    }
    return nearest.hit;
  }

  private firstEntered(ray: Ray, far: number, filter: (body: Body<Object3D>) => boolean): IntersectionRecord<Object3D> | null {
    this.questions++;
    try {
      return this.index.bodies.octree.firstHit(ray, { far, mask: HIT_WITHIN, filter });
    } finally {
      this.questions--;
    }
  }

  /** Members whose bodies a ray enters between two distances in their space, the nearest first; a fresh array, as rays may nest. */
  private entered(ray: Ray, near: number, far: number): Member[] {
    const { index, bodies } = this;
    const members: Member[] = [];
    index.bodies.octree.collectRay(ray, bodies, { near, far, mask: HIT_WITHIN });
    for (let k = 0; k < bodies.length; k++) members.push(index.bodies.roll.memberAt(bodies.array[k]));
    return members;
  }
}

function byOrder(a: Member, b: Member): number {
  return a.order - b.order;
}

/** The best hit of the members asked so far. */
class NearestHit {
  hit: Intersection | null = null;
  private readonly raycaster: Raycaster;
  private readonly filter: (object: Object3D) => boolean;
  private member: Member | null = null;

  constructor(raycaster: Raycaster, filter: (object: Object3D) => boolean) {
    this.raycaster = raycaster;
    this.filter = filter;
  }

  get distance(): number {
    return this.hit?.distance ?? Infinity;
  }

  /** Whether the member is hit, in an object that is accepted, no farther than all so far. */
  ask(member: Member): boolean {
    // Fresh, as what is asked may ask in turn.
    const hits: Intersection[] = [];
    ask(member.object, this.raycaster, hits);
    let isHit = false;
    for (const hit of hits) {
      if (!(hit.distance <= this.distance) || !this.filter(hit.object)) continue;
      isHit = true;
      if (hit.distance === this.distance && this.member !== null && member.order >= this.member.order) continue;
      this.hit = hit;
      this.member = member;
    }
    return isHit;
  }
}

/** Asks an object and everything below it, as `Raycaster.intersectObject` does, but without sorting after each. */
function ask(object: Object3D, raycaster: Raycaster, hits: Intersection[]): void {
  if (object.layers.test(raycaster.layers)) {
    const goesOn: unknown = object.raycast(raycaster, hits);
    if (goesOn === false) return;
  }
  for (const child of object.children) ask(child, raycaster, hits);
}
