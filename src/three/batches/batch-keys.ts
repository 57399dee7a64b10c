/**
 * The keys of members, and what is known of their materials: see mergeable.ts. Follows changes of materials, and
 * forgets materials that are no longer used.
 */

import type { Color, Material } from 'three';
import type { Member } from '../group/member.ts';
import { WhiteMaterials } from './colors.ts';
import { keyOf, MaterialTraits, type BatchKey, type MergeableMesh } from './mergeable.ts';

/**
 * Materials that are compared with the copies that draw in their place, in each update, in turn. About 10 microseconds
 * each.
 */
const TEXTS_PER_UPDATE = 8;
/**
 * Materials of which each update compares colour, version, transparency and the like, in turn. 50 to 150
 * nanoseconds each.
 */
const CHECKED_PER_UPDATE = 1024;
/**
 * The same while nothing is drawn from batches or built: then a change can only have meshes merged some frames later.
 */
const CHECKED_WHILE_IDLE = 64;
/** Fewest keys and materials at which a sweep begins. */
const MIN_SWEPT = 64;
/** Members that one step of a sweep visits. */
const STEP = 256;

export class BatchKeys {
  private readonly keys = new Map<string, BatchKey>();
  private readonly traits = new Map<Material, MaterialTraits>();
  private readonly whites: WhiteMaterials | null;
  private readonly checked = roundOf(this.traits);
  private readonly compared = roundOf(this.traits);
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
    if (traits === undefined) this.traits.set(material, (traits = new MaterialTraits(material, this.whites)));
    if (this.sweepSteps !== null) this.used.add(material);
    return traits;
  };

  /** @param mergesColors Whether materials that differ in colour only are drawn as one. */
  constructor(mergesColors: boolean) {
    this.whites = mergesColors ? new WhiteMaterials() : null;
  }

  /** Number of keys, materials and white copies that are held. */
  get size(): number {
    return this.keys.size + this.traits.size + (this.whites?.size ?? 0);
  }

  /** The key of a member, always the same object; or the reason why it cannot be merged, in words. */
  of(member: Member): BatchKey | string {
    const key = keyOf(member, this.traitsOf, this.held);
    if (typeof key === 'string') return key;
    if (this.sweepSteps !== null) this.used.add(key);
    return key;
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
    if (this.whites === null) return;
    for (const traits of nextOf(this.traits, this.compared, TEXTS_PER_UPDATE))
      if (!traits.isLikeCopy) this.forget(traits, forgotten);
  }

  /**
   * Forgets keys and materials that are no longer used, in slices. A sweep begins once their number has doubled.
   *
   * @param members All members.
   * @param keys The keys of members that wait, and of what is built.
   * @param deadline Time at which to stop; the rest is left to the next call.
   */
  sweep(members: () => readonly Member[], keys: Iterable<BatchKey | null>, deadline: number): void {
    if (this.sweepSteps === null) {
      if (this.size < Math.max(MIN_SWEPT, 2 * this.sizeAfterSweep)) return;
      this.sweepSteps = this.sweepIn(members(), keys);
    }
    while (this.sweepSteps !== null && performance.now() < deadline)
      if (this.sweepSteps.next().done) this.sweepSteps = null;
  }

  dispose(): void {
    this.whites?.keepOnly(() => false);
  }

  private forget(traits: MaterialTraits, forgotten: (traits: MaterialTraits) => void): void {
    this.traits.delete(traits.material);
    forgotten(traits);
  }

  private *sweepIn(members: readonly Member[], keys: Iterable<BatchKey | null>): Generator<void> {
    const { used } = this;
    for (const [k, { object }] of members.entries()) {
      if (k % STEP === 0) yield;
      used.add((object as MergeableMesh).material);
    }
    const drawing = new Set<Material>();
    let k = 0;
    for (const key of keys) {
      if (++k % STEP === 0) yield;
      if (key === null) continue;
      used.add(key);
      drawing.add(key.material);
    }
    for (const material of this.traits.keys()) if (!used.has(material)) this.traits.delete(material);
    for (const [id, key] of this.keys) if (!used.has(key)) this.keys.delete(id);
    for (const traits of this.traits.values()) traits.lastKey = null;
    for (const { material } of this.keys.values()) drawing.add(material);
    this.whites?.keepOnly((white) => drawing.has(white));
    used.clear();
    this.sizeAfterSweep = this.size;
  }
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
