/**
 * The keys of members, and what is known of their materials: see mergeable.ts. Follows changes of materials, and
 * forgets materials that are no longer used.
 */

import type { Color, Material, Object3D } from 'three';
import { clock } from '../math/clock.ts';
import type { Member } from '../three/group/member.ts';
import { fullTextOf, SharedMaterials, type ColoredMaterial, type SharedMaterial } from './colors.ts';
import { keyOf, MaterialTraits, showsOrder, type BatchKey, type MergeableMesh } from './mergeable.ts';
import { endsStep, runSteps } from './steps.ts';

/** Materials of which each update compares all fields with their white copies, in turn. About 2 microseconds each. */
const FULLY_CHECKED_PER_UPDATE = 128;
/**
 * Materials of which each update compares colour, version, transparency and the like, in turn. 50 to 150
 * nanoseconds each.
 */
const CHECKED_PER_UPDATE = 2048;
/**
 * The same while nothing is drawn from batches or built: then a change can only have meshes merged some frames later.
 */
const CHECKED_WHILE_IDLE = 64;
/** Number of keys and materials at which a sweep begins that forgets keys of materials in use too. */
const MIN_SWEPT = 64;
/** Updates between two other sweeps: half a second. */
const SWEEP_PAUSE = 30;

export class BatchKeys {
  private readonly keys = new Map<string, BatchKey>();
  private readonly traits = new Map<Material, MaterialTraits>();
  private readonly sharedMaterials: SharedMaterials | null;
  /** Ids of the opaque materials whose place in the order of drawing shows: WebGLRenderer draws in the order of ids. */
  private readonly orderedIds = new Set<number>();
  /** Whether these have changed since the last update. */
  private hasNewOrder = false;
  private readonly checked = roundOf(this.traits);
  private readonly compared = roundOf(this.traits);
  /** Materials of meshes that were removed, or that have left their batches, since the last sweep. */
  private readonly left = new Set<Material>();
  private updatesToSweep = 0;
  private sizeAfterSweep = 0;
  private sweepSteps: Iterator<void> | null = null;
  /** Found in use by the current sweep, or asked for since it began. */
  private readonly used = new Set<BatchKey | Material>();

  /** One object for all keys that are alike. */
  private readonly held = (key: BatchKey): BatchKey => {
    const { material, layout, castShadow, receiveShadow, layerMask, renderOrder } = key;
    const id = [material.id, layout, Number(castShadow), Number(receiveShadow), layerMask, renderOrder].join();
    const known = this.keys.get(id);
    if (known === undefined) this.keys.set(id, key);
    return known ?? key;
  };

  private readonly traitsOf = (material: Material): MaterialTraits => {
    let traits = this.traits.get(material);
    if (traits === undefined) {
      this.traits.set(material, (traits = new MaterialTraits(material, this.sharedOf)));
      if (traits.showsOrder) {
        this.orderedIds.add(material.id);
        this.hasNewOrder = true;
      }
    }
    if (this.sweepSteps !== null) this.used.add(material);
    return traits;
  };

  /** Whether no material whose place in the order of drawing shows is drawn between two others. By their ids. */
  private readonly areNeighbours = (id: number, other: number): boolean => {
    for (const ordered of this.orderedIds) if (ordered < id !== ordered < other) return false;
    return true;
  };

  /** What draws in place of a material; null if it draws itself. */
  private readonly sharedOf = (material: ColoredMaterial): SharedMaterial | null =>
    this.sharedMaterials?.of(material, this.areNeighbours) ?? null;

  /** @param mergesColors Whether materials that differ in colour only are drawn as one. */
  constructor(mergesColors: boolean) {
    this.sharedMaterials = mergesColors ? new SharedMaterials() : null;
  }

  /** Number of keys, materials and white copies that are held. */
  get size(): number {
    return this.keys.size + this.traits.size + (this.sharedMaterials?.size ?? 0);
  }

  /** The key of a member, always the same object; or the reason why it cannot be merged, in words. */
  of(member: Member): BatchKey | string {
    const key = keyOf(member, this.traitsOf, this.held);
    if (typeof key === 'string') return key;
    if (this.sweepSteps !== null) this.used.add(key);
    return key;
  }

  /** Whether the group has opaque materials whose place among the others shows. */
  get showsOrder(): boolean {
    return this.orderedIds.size > 0;
  }

  /** Finds materials whose place in the order of drawing shows. The member need not be mergeable. */
  noteOrder(member: Member): void {
    for (const material of materialsIn(member)) if (showsOrder(material)) this.traitsOf(material);
  }

  /** Number of materials that differ in any field, of those that are not drawn as one with others. */
  countDifferent(materials: Iterable<Material>): number {
    const different = new Set<unknown>();
    for (const material of materials)
      different.add(this.traitsOf(material).shared === null ? fullTextOf(material) : material);
    return different.size;
  }

  /** The colour to bake into the vertices of meshes with a material; null if the material draws it. */
  colorOf(material: Material): Color | null {
    return this.traitsOf(material).color;
  }

  /**
   * Follows changes of materials: of their colours, and of what decides how their meshes are merged.
   *
   * @param forgotten Called for a material whose meshes need new keys.
   * @param recolored Called for a material whose meshes need other vertex colours.
   * @param isIdle Whether nothing is drawn from batches or built.
   */
  update(
    forgotten: (traits: MaterialTraits) => void,
    recolored: (traits: MaterialTraits) => void,
    isIdle: boolean,
  ): void {
    for (const traits of nextOf(this.traits, this.checked, isIdle ? CHECKED_WHILE_IDLE : CHECKED_PER_UPDATE))
      if (!traits.isCurrent) this.forget(traits, forgotten);
      else if (traits.takeNewColor()) recolored(traits);
    if (this.sharedMaterials === null) return;
    for (const traits of nextOf(this.traits, this.compared, FULLY_CHECKED_PER_UPDATE))
      if (!traits.isLikeCopy) this.forget(traits, forgotten);
    if (!this.hasNewOrder) return;
    this.hasNewOrder = false;
    for (const traits of this.traits.values()) {
      const { shared, material } = traits;
      if (shared !== null && !this.areNeighbours(shared.id, material.id)) this.forget(traits, forgotten);
    }
  }

  /** A member is removed: the next sweep may forget its materials. */
  remove(member: Member): void {
    for (const material of materialsIn(member)) this.leave(material);
  }

  /** A mesh with a material has left its batch: the next sweep may forget the material. */
  leave(material: Material): void {
    if (this.traits.has(material)) this.left.add(material);
  }

  /**
   * Forgets keys and materials that are no longer used, in slices. A sweep begins some updates after a mesh has left,
   * or once the number of keys and materials has doubled.
   *
   * @param members All members.
   * @param keys The keys of members that wait, and of what is built.
   * @param deadline Time at which to stop; the rest is left to the next call.
   */
  sweep(members: () => readonly Member[], keys: Iterable<BatchKey | null>, deadline: number): void {
    if (this.sweepSteps === null) {
      const isLarge = this.size >= Math.max(MIN_SWEPT, 2 * this.sizeAfterSweep);
      if (!isLarge && (--this.updatesToSweep > 0 || this.left.size === 0)) return;
      this.updatesToSweep = SWEEP_PAUSE;
      this.sweepSteps = this.sweepIn(members(), keys, isLarge);
    }
    if (clock.now() < deadline && runSteps(this.sweepSteps, deadline)) this.sweepSteps = null;
  }

  dispose(): void {
    this.sharedMaterials?.keepOnly(new Set(), new Set());
    this.traits.clear();
    this.keys.clear();
    this.left.clear();
    this.orderedIds.clear();
    this.sweepSteps = null;
  }

  private forget(traits: MaterialTraits, forgotten: (traits: MaterialTraits) => void): void {
    const { material } = traits;
    this.drop(material);
    if (showsOrder(material)) this.traitsOf(material);
    forgotten(traits);
  }

  private drop(material: Material): void {
    this.traits.delete(material);
    this.orderedIds.delete(material.id);
  }

  private *sweepIn(members: readonly Member[], keys: Iterable<BatchKey | null>, isLarge: boolean): Generator<void> {
    const { used } = this;
    const left = new Set(this.left);
    this.left.clear();
    for (const member of members) {
      if (endsStep()) yield;
      for (const material of materialsIn(member)) {
        used.add(material);
        left.delete(material);
      }
      // Most materials that a mesh has left have other meshes.
      if (left.size > 0 || isLarge) continue;
      used.clear();
      return;
    }
    const drawing = new Set<Material>();
    for (const key of keys) {
      if (endsStep()) yield;
      if (key === null) continue;
      used.add(key);
      drawing.add(key.material);
    }
    for (const material of this.traits.keys()) if (!used.has(material)) this.drop(material);
    for (const [id, key] of this.keys) if (!used.has(key)) this.keys.delete(id);
    for (const traits of this.traits.values()) traits.lastKey = null;
    for (const { material } of this.keys.values()) drawing.add(material);
    this.sharedMaterials?.keepOnly(new Set(Array.from(this.traits.values(), ({ shared }) => shared)), drawing);
    used.clear();
    this.sizeAfterSweep = this.size;
  }
}

/** The materials with which a member is drawn. */
function materialsIn({ object, compound, body }: Member): Material[] {
  const parts: Object3D[] = [];
  if (body === null) object.traverse((part) => void parts.push(part));
  else parts.push(...(compound?.drawn ?? [object]));
  // An array of materials may have gaps, for groups that are not drawn.
  return parts.flatMap((part) => (part as Partial<MergeableMesh>).material ?? []).filter(Boolean);
}

/** Goes round the traits without an end. It follows insertions and deletions. */
function* roundOf(all: ReadonlyMap<Material, MaterialTraits>): Generator<MaterialTraits, never> {
  for (;;) for (const traits of all.values()) yield traits;
}

/** The next of a round, none twice. */
function* nextOf(
  all: ReadonlyMap<Material, MaterialTraits>,
  round: Generator<MaterialTraits, never>,
  count: number,
): Generator<MaterialTraits> {
  // An empty round has no next item.
  for (let left = Math.min(count, all.size); left > 0 && all.size > 0; left--) yield round.next().value;
}
