/** Finds sprites whose culling sphere has changed: its radius depends on the `center` of the sprite, which no other watch compares. */

import { cullingSphereOf } from '../../bounds/bounds-of.ts';
import { isSprite } from '../../bounds/object-kinds.ts';
import type { Member } from '../member.ts';

export class SpriteWatch {
  /** Radius of the culling sphere when the body was made; null without a sphere. */
  private readonly radii = new Map<Member, number | null>();

  /** Watches a member from its current state on, if it is a single sprite. A compound compares the spheres of its sprites itself. */
  add(member: Member): void {
    if (!isSprite(member.object)) return;
    if (member.compound === null) this.radii.set(member, radiusOf(member));
    else this.radii.delete(member);
  }

  remove(member: Member): void {
    this.radii.delete(member);
  }

  visitChanged(visitor: (member: Member) => void): void {
    for (const [member, radius] of this.radii) if (radiusOf(member) !== radius) visitor(member);
  }
}

function radiusOf({ object }: Member): number | null {
  return cullingSphereOf(object)?.radius ?? null;
}
