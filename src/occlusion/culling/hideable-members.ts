/**
 * Which members of a group must be drawn although all of their bounds are hidden (see `hideableFault`). A member is
 * checked when it gets bounds. All members are checked when a material becomes a reason, or is none any more. Some are
 * checked in each pass, in turn, to find other changes.
 */

import type { Material } from 'three';
import type { Member } from '../../three/group/member.ts';
import { materialsOf } from '../../three/picking/clipping.ts';
import { hideableFault, materialHideableFault, BREAKS_DEPTH, BREAKS_WEBGPU_DEPTH } from './occluder-rules.ts';

/** Members and materials that are looked at in a pass: about 0.1 ms. */
const MEMBERS_PER_PASS = 512;
const MATERIALS_PER_PASS = 1024;

export class HideableMembers {
  /** Bodies of the members that must be drawn. */
  readonly alwaysDrawn = new Set<number>();
  /** Bodies of the members because of which nothing may be hidden, by the fault of a material. */
  private readonly depthBreakers: Readonly<Record<string, Set<number>>> = {
    [BREAKS_DEPTH]: new Set(),
    [BREAKS_WEBGPU_DEPTH]: new Set(),
  };
  private readonly members = new Set<Member>();
  private nextMembers: Iterator<Member> | null = null;
  /** By material why it cannot be hidden, as the members with it were looked at; null if it can. */
  private materials = new Map<Material, string | null>();
  private nextMaterials: Iterator<[Material, string | null]> | null = null;
  /** The materials of the members since the turn began: the others are no longer in use. */
  private used = new Map<Material, string | null>();

  /**
   * Why nothing may be hidden, in words; null if something may.
   *
   * @param others Members some of which have no bodies. Every pass draws them, so their materials count too.
   */
  faultOn(isWebGPU: boolean, others: readonly Member[]): string | null {
    const { depthBreakers } = this;
    const faults = new Set<string | null>();
    for (const { body, object } of others)
      if (body === null)
        object.traverse((part) => {
          for (const material of materialsOf(part)) faults.add(materialHideableFault(material));
        });
    for (const fault of isWebGPU ? [BREAKS_DEPTH, BREAKS_WEBGPU_DEPTH] : [BREAKS_DEPTH])
      if (faults.has(fault) || depthBreakers[fault].size > 0) return fault;
    return null;
  }

  /** Looks at a member with a body. */
  add(member: Member): void {
    this.members.add(member);
    const { index } = member.body!;
    const { object, compound } = member;
    this.forget(index);
    for (const part of compound?.drawn ?? [object]) {
      for (const material of materialsOf(part)) {
        const fault = this.faultOf(material);
        if (fault === BREAKS_DEPTH || fault === BREAKS_WEBGPU_DEPTH) this.depthBreakers[fault].add(index);
      }
      if (hideableFault(part) !== null) this.alwaysDrawn.add(index);
    }
  }

  delete(member: Member): void {
    this.members.delete(member);
    this.forget(member.body!.index);
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
      if (done) {
        this.nextMembers = this.nextMaterials = null;
        this.materials = this.used;
        this.used = new Map();
        return;
      }
      this.add(value);
    }
  }

  private forget(body: number): void {
    this.alwaysDrawn.delete(body);
    this.depthBreakers[BREAKS_DEPTH].delete(body);
    this.depthBreakers[BREAKS_WEBGPU_DEPTH].delete(body);
  }

  private findsChangedMaterial(): boolean {
    this.nextMaterials ??= this.materials.entries();
    for (let k = Math.min(MATERIALS_PER_PASS, this.materials.size); k > 0; k--) {
      let next = this.nextMaterials.next();
      if (next.done) {
        this.nextMaterials = this.materials.entries();
        next = this.nextMaterials.next();
      }
      const [material, fault] = next.value as [Material, string | null];
      if (materialHideableFault(material) === fault) continue;
      this.nextMaterials = null;
      return true;
    }
    return false;
  }

  /** Why a material cannot be hidden; null if it can. Remembers it. */
  private faultOf(material: Material): string | null {
    let fault = this.materials.get(material);
    if (fault === undefined) {
      fault = materialHideableFault(material);
      this.materials.set(material, fault);
    }
    this.used.set(material, fault);
    return fault;
  }
}
