/**
 * Which members of a group must be drawn although all of their bounds are hidden (see `hidingFault`). A member is
 * checked when it gets bounds. All members are checked when a material becomes a reason, or is none any more. Some are
 * checked in each pass, in turn, to find other changes.
 */

import type { Material, Object3D } from 'three';
import type { Member } from '../group/member.ts';
import { materialsOf } from '../picking/clipping.ts';
import { hidingFault, materialHidingFault } from './occluder-rules.ts';

/** Members and materials that are looked at in a pass: about 0.1 ms. */
const MEMBERS_PER_PASS = 512;
const MATERIALS_PER_PASS = 1024;

export class HideableMembers {
  /** Bodies of the members that must be drawn. */
  readonly alwaysDrawn = new Set<number>();
  private readonly members = new Set<Member>();
  private nextMembers: Iterator<Member> | null = null;
  /** Whether a material can be hidden, as the members with it were looked at. */
  private materials = new Map<Material, boolean>();
  private nextMaterials: Iterator<[Material, boolean]> | null = null;
  /** The materials of the members since the turn began: the others are no longer in use. */
  private used = new Map<Material, boolean>();

  /** Looks at a member with a body. */
  add(member: Member): void {
    this.members.add(member);
    const { index } = member.body!;
    if (this.mustDraw(member)) this.alwaysDrawn.add(index);
    else this.alwaysDrawn.delete(index);
  }

  delete(member: Member): void {
    this.members.delete(member);
    this.alwaysDrawn.delete(member.body!.index);
  }

  /** Call it once per pass. */
  update(): void {
    if (this.findsChangedMaterial()) {
      this.materials.clear();
      for (const member of this.members) this.add(member);
      return;
    }
    this.nextMembers ??= this.members.values();
    for (let k = 0; k < MEMBERS_PER_PASS; k++) {
      const { value, done } = this.nextMembers.next();
      if (done === true) {
        this.nextMembers = this.nextMaterials = null;
        this.materials = this.used;
        this.used = new Map();
        return;
      }
      this.add(value);
    }
  }

  private findsChangedMaterial(): boolean {
    this.nextMaterials ??= this.materials.entries();
    for (let k = Math.min(MATERIALS_PER_PASS, this.materials.size); k > 0; k--) {
      let next = this.nextMaterials.next();
      if (next.done === true) {
        this.nextMaterials = this.materials.entries();
        next = this.nextMaterials.next();
      }
      const [material, isHideable] = next.value as [Material, boolean];
      if ((materialHidingFault(material) === null) === isHideable) continue;
      this.nextMaterials = null;
      return true;
    }
    return false;
  }

  private mustDraw({ object, compound }: Member): boolean {
    const drawn: readonly Object3D[] = compound?.drawn ?? [object];
    let mustDraw = false;
    for (const part of drawn) {
      for (const material of materialsOf(part)) this.know(material);
      mustDraw ||= hidingFault(part) !== null;
    }
    return mustDraw;
  }

  private know(material: Material): void {
    let isHideable = this.materials.get(material);
    if (isHideable === undefined) {
      isHideable = materialHidingFault(material) === null;
      this.materials.set(material, isHideable);
    }
    this.used.set(material, isHideable);
  }
}
