/** Things that many members share, such as geometries: each is compared once per update, however many members share it. */

import type { Member } from './member.ts';

export interface SharedThing {
  readonly members: Set<Member>;
}

export abstract class SharedWatch<Thing, Shared extends SharedThing> {
  private readonly byThing = new Map<Thing, Shared>();
  /** All values of the map; null after a change. Reading an array takes half the time. */
  private list: readonly Shared[] | null = null;

  /** Starts to watch a thing that a member depends on. */
  protected abstract create(thing: Thing): Shared;

  add(thing: Thing, member: Member): void {
    let shared = this.byThing.get(thing);
    if (shared === undefined) {
      this.byThing.set(thing, (shared = this.create(thing)));
      this.list = null;
    }
    shared.members.add(member);
  }

  /** Stops watching a thing that no member uses. */
  remove(thing: Thing, member: Member): void {
    const shared = this.byThing.get(thing);
    shared?.members.delete(member);
    if (shared?.members.size !== 0) return;
    this.byThing.delete(thing);
    this.list = null;
  }

  protected get all(): readonly Shared[] {
    return (this.list ??= Array.from(this.byThing.values()));
  }
}
