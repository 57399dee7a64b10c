/** Rays through the members of a group: every hit, as a plain Group gives them, or only the nearest one with early out. */

import { Box3, type Intersection, type Object3D, type Ray, type Raycaster } from 'three';
import { IndexList } from '../tree/index-list.ts';
import { HIT_WITHIN, type ChildIndex } from './child-index.ts';
import type { Member } from './member.ts';
import { isAnswerable, leastDistance } from './ray-entry.ts';

export class GroupRaycast {
  private readonly index: ChildIndex;
  private readonly bodies = new IndexList();

  constructor(index: ChildIndex) {
    this.index = index;
  }

  /** Adds every hit of every member to `hits`, member by member in the order of the children, so that ties sort as in a plain Group. */
  collect(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!isAnswerable(where, raycaster)) return;
    const { index } = this;
    index.order();
    const members = [...index.loose, ...index.hitBeside, ...this.entered(index.space.rayOf(raycaster.ray), raycaster.far)];
    members.sort((a, b) => a.order - b.order);
    for (const member of members) ask(member.object, raycaster, hits);
  }

  /**
   * The nearest hit, or null; of two at one distance the one that a plain Group lists first. Asks members in the order in which the
   * ray enters their bounds, and none that it enters behind the best hit.
   *
   * @param accepts Whether an object may be hit.
   */
  first(where: string, raycaster: Raycaster, accepts: (object: Object3D) => boolean): Intersection | null {
    if (!isAnswerable(where, raycaster)) return null;
    const { index } = this;
    index.order();
    const nearest = new NearestHit(raycaster, accepts);
    for (const member of [...index.loose, ...index.hitBeside]) nearest.ask(member);
    const ray = index.space.rayOf(raycaster.ray);
    const { rayScale } = index.space;
    for (const member of this.entered(ray, Math.min(nearest.distance, raycaster.far))) {
      // What was accepted may have been removed for it.
      if (member.body === null) continue;
      if (leastDistance(ray, member.body.getBox(first_box)) > nearest.distance * rayScale) break;
      nearest.ask(member);
    }
    return nearest.hit;
  }

  /** Members whose bodies a ray in their space enters within a world distance, the nearest first; a fresh array, as rays may nest. */
  private entered(ray: Ray, far: number): Member[] {
    const { index, bodies } = this;
    index.octree.collectRay(ray, bodies, { far: far * index.space.rayScale, mask: HIT_WITHIN });
    return Array.from({ length: bodies.length }, (_, k) => index.roll.memberAt(bodies.array[k]));
  }
}
const first_box = /* @__PURE__ */ new Box3();

/** The best hit of the members asked so far. */
class NearestHit {
  hit: Intersection | null = null;
  private readonly raycaster: Raycaster;
  private readonly accepts: (object: Object3D) => boolean;
  private readonly hits: Intersection[] = [];
  private member: Member | null = null;

  constructor(raycaster: Raycaster, accepts: (object: Object3D) => boolean) {
    this.raycaster = raycaster;
    this.accepts = accepts;
  }

  get distance(): number {
    return this.hit?.distance ?? Infinity;
  }

  ask(member: Member): void {
    this.hits.length = 0;
    ask(member.object, this.raycaster, this.hits);
    for (const hit of this.hits) {
      if (!(hit.distance <= this.distance) || !this.accepts(hit.object)) continue;
      if (hit.distance === this.distance && this.member !== null && member.order >= this.member.order) continue;
      this.hit = hit;
      this.member = member;
    }
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
