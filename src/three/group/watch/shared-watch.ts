/** Geometries and materials, which many members may share: each is compared at most once per update, however many members share it. */

import type { Member } from '../member.ts';

/** A watched geometry or material. */
export interface WatchedResource {
  /** The members that use it. */
  readonly members: Set<Member>;
}

export abstract class SharedWatch<Resource, Watched extends WatchedResource> {
  private readonly byResource = new Map<Resource, Watched>();
  /** All values of the map; null after a change. Reading an array takes half the time. */
  private list: readonly Watched[] | null = null;

  /** The watch of a resource, with its current state and without members. */
  protected abstract create(resource: Resource): Watched;

  add(resource: Resource, member: Member): void {
    let watched = this.byResource.get(resource);
    if (watched === undefined) {
      this.byResource.set(resource, (watched = this.create(resource)));
      this.list = null;
    }
    watched.members.add(member);
  }

  /** Stops watching a resource that no member uses. */
  remove(resource: Resource, member: Member): void {
    const watched = this.byResource.get(resource);
    watched?.members.delete(member);
    if (watched?.members.size !== 0) return;
    this.byResource.delete(resource);
    this.list = null;
  }

  protected get all(): readonly Watched[] {
    return (this.list ??= Array.from(this.byResource.values()));
  }
}
