/** Resources that many members share (geometries, materials, textures): one record of each, and who uses it. */

/** What is known of a resource. */
export interface ResourceRecord {
  /** What has changed since the last call, as bits; 0 if nothing has. */
  takeChange(): number;
}

/** A record with the members that use its resource. */
interface Shared<Resource, Rec, User> {
  readonly resource: Resource;
  readonly record: Rec;
  readonly users: Set<User>;
}

/** Resources of one kind. Each is compared at most once per update, however many members share it. */
export class SharedResources<Resource extends object, Rec extends ResourceRecord, User> {
  /** The record of a resource, with its current state. */
  private readonly create: (resource: Resource) => Rec;
  private readonly maxPerUpdate: number;
  private readonly byResource = new Map<Resource, Shared<Resource, Rec, User>>();
  /** All values of the map; null after a change. Reading an array takes half the time. */
  private list: readonly Shared<Resource, Rec, User>[] | null = null;
  /** Index of the first resource that the next update compares. */
  private first = 0;

  constructor(create: (resource: Resource) => Rec, maxPerUpdate: number) {
    this.create = create;
    this.maxPerUpdate = maxPerUpdate;
  }

  get(resource: Resource): Rec | undefined {
    return this.byResource.get(resource)?.record;
  }

  add(resource: Resource, user: User): void {
    let shared = this.byResource.get(resource);
    if (shared === undefined) {
      this.byResource.set(resource, (shared = { resource, record: this.create(resource), users: new Set() }));
      this.list = null;
    }
    shared.users.add(user);
  }

  /** Removes a user of a resource, and the record with the last user. */
  remove(resource: Resource, user: User): void {
    const shared = this.byResource.get(resource);
    shared?.users.delete(user);
    if (shared?.users.size !== 0) return;
    this.byResource.delete(resource);
    this.list = null;
  }

  /** Compares the next resources, or all, and calls back for each that has changed. */
  visitChanged(
    visitor: (resource: Resource, users: ReadonlySet<User>, bits: number) => void,
    isComplete = false,
  ): void {
    const all = (this.list ??= Array.from(this.byResource.values()));
    const end = isComplete ? all.length : Math.min(this.first + this.maxPerUpdate, all.length);
    for (let k = isComplete ? 0 : this.first; k < end; k++) {
      const { resource, record, users } = all[k];
      const bits = record.takeChange();
      if (bits !== 0) visitor(resource, users, bits);
    }
    this.first = end < all.length ? end : 0;
  }
}
