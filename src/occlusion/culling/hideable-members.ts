/**
 * Which members of a group must be drawn although all of their bounds are hidden (see `hideableFault`). A member is
 * checked when it gets a body, and when the detector of the group tells of a change.
 */

import type { Member } from '../../three/group/member.ts';
import { materialsOf } from '../../three/picking/clipping.ts';
import { hideableFault, materialHideableFault, BREAKS_DEPTH, BREAKS_WEBGPU_DEPTH } from './occluder-rules.ts';

export class HideableMembers {
  /** Bodies of the members that must be drawn. */
  readonly alwaysDrawn = new Set<number>();
  /** Bodies of the members because of which nothing may be hidden, by the fault of a material. */
  private readonly depthBreakers: Readonly<Partial<Record<string, Set<number>>>> = {
    [BREAKS_DEPTH]: new Set(),
    [BREAKS_WEBGPU_DEPTH]: new Set(),
  };

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
      if (faults.has(fault) || depthBreakers[fault]!.size > 0) return fault;
    return null;
  }

  /** Looks at a member with a body. If that throws, by code of the user, the member is always drawn. */
  add({ object, compound, body }: Member): void {
    const { index } = body!;
    this.alwaysDrawn.add(index);
    const parts = compound?.drawn ?? [object];
    const faults = parts.flatMap((part) => materialsOf(part).map(materialHideableFault));
    const isHideable = parts.every((part) => hideableFault(part) === null);
    this.delete(index);
    for (const fault of faults) this.depthBreakers[fault!]?.add(index);
    if (!isHideable) this.alwaysDrawn.add(index);
  }

  delete(body: number): void {
    this.alwaysDrawn.delete(body);
    for (const bodies of Object.values(this.depthBreakers)) bodies!.delete(body);
  }
}
