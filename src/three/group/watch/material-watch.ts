/**
 * Finds materials that start or stop moving vertices. The version of a material does not show this: three also compiles a material for other reasons
 * than `needsUpdate`. So all fields that matter are compared, once for all members that share the material.
 */

import { refusesBox } from '../../bounds/bounds-of.ts';
import type { Member } from '../member.ts';
import type { MaterialValue } from '../bounds-source.ts';
import { SharedWatch, type WatchedResource } from './shared-watch.ts';

/** Materials per update, about 0.1 microseconds each. Most scenes have fewer; the others take more than one update. */
const MATERIALS_PER_UPDATE = 512;

class WatchedMaterial implements WatchedResource {
  readonly members = new Set<Member>();
  private readonly material: MaterialValue;
  private refusesBox: boolean;

  constructor(material: MaterialValue) {
    this.material = material;
    this.refusesBox = refusesBox(material);
  }

  /** Whether it allows a box now and did not in the last call, or the other way round. */
  takeChange(): boolean {
    const before = this.refusesBox;
    this.refusesBox = refusesBox(this.material);
    return this.refusesBox !== before;
  }
}

export class MaterialWatch extends SharedWatch<MaterialValue, WatchedMaterial> {
  /** Index of the first material that the next update compares. */
  private first = 0;

  protected override create(material: MaterialValue): WatchedMaterial {
    return new WatchedMaterial(material);
  }

  /** Compares the next materials, and calls back for each member of those that have changed. */
  visitChanged(visitor: (member: Member) => void): void {
    const { all } = this;
    const end = Math.min(this.first + MATERIALS_PER_UPDATE, all.length);
    for (let k = this.first; k < end; k++) if (all[k].takeChange()) all[k].members.forEach(visitor);
    this.first = end < all.length ? end : 0;
  }
}
