/** Notices sprites that three culls by another sphere: it is as large as their `center` is off, and where they stand does not tell. */

import { cullingSphereOf, isSprite } from '../bounds/bounds-of.ts';
import type { Member } from './member.ts';

export class SpriteWatch {
  /** Radius by which each was culled; null for none. */
  private readonly radii = new Map<Member, number | null>();

  /** Watches a member as it is now, if it is a sprite by itself. */
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
