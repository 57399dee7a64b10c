/**
 * The keys of members, and what is known of their materials: see mergeable.ts. A material is looked at once, and again
 * when the detector of the group tells of a change; it is forgotten with the last member that uses it.
 */

import type { Material, Object3D } from 'three';
import type { Member } from '../three/group/member.ts';
import { keyOf, MaterialTraits, showsOrder, type BatchKey, type MergeableMesh } from './mergeable.ts';
import { SharedMaterials } from './shared-materials.ts';

/** Draws no materials as one. */
const ALONE = /* @__PURE__ */ new SharedMaterials(false, () => false);

export class BatchKeys {
  private readonly traits = new Map<Material, MaterialTraits>();
  readonly shared: SharedMaterials;
  /** Ids of the opaque materials whose place in the order of drawing shows: WebGLRenderer draws in the order of ids. */
  private readonly orderedIds = new Set<number>();
  /** Those of them that were noted since `keepOrder`. */
  private readonly notedIds = new Set<number>();
  private readonly isTold: (material: Material) => boolean;

  private readonly traitsOf = (material: Material): MaterialTraits => {
    const known = this.traits.get(material);
    if (known !== undefined) return known;
    // No change of it would be told.
    if (!this.isTold(material)) return new MaterialTraits(material, ALONE);
    const traits = new MaterialTraits(material, this.shared);
    this.traits.set(material, traits);
    return traits;
  };

  /** Whether no material whose place in the order of drawing shows is drawn between two others. By their ids. */
  readonly areNeighbours = (id: number, other: number): boolean => {
    for (const ordered of this.orderedIds) if (ordered < id !== ordered < other) return false;
    return true;
  };

  /**
   * @param mergesMaterials Whether materials that differ in the values of a palette only are drawn as one.
   * @param isTold Whether the detector tells what changes of a material.
   */
  constructor(mergesMaterials: boolean, isTold: (material: Material) => boolean) {
    this.isTold = isTold;
    this.shared = new SharedMaterials(mergesMaterials, this.areNeighbours);
  }

  /** The key of a member; or the reason why it cannot be merged, in words. */
  of(member: Member): BatchKey | string {
    return keyOf(member, this.traitsOf);
  }

  /** What is stored of a material; undefined if no mesh with it was checked. */
  known(material: Material): MaterialTraits | undefined {
    return this.traits.get(material);
  }

  /** The texel of a material in its palette; 0 if it has none. */
  texelOf(material: Material): number {
    const traits = this.traits.get(material);
    return traits?.hasPalette ? traits.shared!.palette!.texelOf(material) : 0;
  }

  /** Whether the group has opaque materials whose place in the order of drawing shows. */
  get showsOrder(): boolean {
    return this.orderedIds.size > 0;
  }

  /** Stores whether the place of a material in the order of drawing shows. Returns whether that has changed. */
  noteOrder(material: Material, counts = showsOrder(material)): boolean {
    const change = counts ? 'add' : 'delete';
    this.notedIds[change](material.id);
    if (counts === this.orderedIds.has(material.id)) return false;
    this.orderedIds[change](material.id);
    return true;
  }

  /** Forgets such places that were not noted since the last call. */
  keepOrder(): void {
    for (const id of this.orderedIds) if (!this.notedIds.has(id)) this.orderedIds.delete(id);
    this.notedIds.clear();
  }

  /** The materials that can no longer be drawn at the place of another one. */
  get displaced(): Material[] {
    return Array.from(this.traits.values())
      .filter(({ shared, material }) => shared?.draws(material) && !this.areNeighbours(shared.id, material.id))
      .map(({ material }) => material);
  }

  /** Forgets a material. */
  drop(material: Material): void {
    const shared = this.traits.get(material)?.shared;
    if (shared) this.shared.leave(shared, material);
    this.traits.delete(material);
  }

  dispose(): void {
    for (const material of this.traits.keys()) this.drop(material);
  }
}

/** Calls a function with each material of a member that is drawn. A list of all would double the time of updates. */
export function visitMaterials({ object, compound, body }: Member, visit: (material: Material) => void): void {
  const visitPart = (part: Object3D): void => {
    const { material } = part as Partial<MergeableMesh>;
    // An array may have gaps, for groups that are not drawn.
    for (const one of Array.isArray(material) ? material : [material]) if (one) visit(one);
  };
  if (body === null) object.traverse(visitPart);
  else (compound?.drawn ?? [object]).forEach(visitPart);
}
