/**
 * Finds members whose bounds source has changed: the vertices of a geometry, materials that start or stop moving
 * vertices, sizes of sprites; and rare changes of what else an object is drawn by.
 */

import type { BufferGeometry, Sprite } from 'three';
import { cullingSphereOf, refusesBox } from '../bounds/bounds-of.ts';
import { isSprite } from '../bounds/object-kinds.ts';
import { GeometryVersion } from '../bounds/vertex-bounds.ts';
import type { MaterialValue } from './bounds-source.ts';
import type { Member } from './member.ts';

/** A geometry, a material or a sprite. */
abstract class WatchedResource {
  /** The members that use it. */
  readonly members = new Set<Member>();
  /** Whether it has changed since the last call. */
  abstract takeChange(): boolean;
}

/** Resources of one kind: each is compared at most once per update, however many members share it. */
class SharedWatch<Resource> {
  /** The watch of a resource, with its current state and without members. */
  private readonly create: (resource: Resource) => WatchedResource;
  private readonly maxPerUpdate: number;
  private readonly byResource = new Map<Resource, WatchedResource>();
  /** All values of the map; null after a change. Reading an array takes half the time. */
  private list: readonly WatchedResource[] | null = null;
  /** Index of the first resource that the next update compares. */
  private first = 0;

  constructor(create: (resource: Resource) => WatchedResource, maxPerUpdate = Infinity) {
    this.create = create;
    this.maxPerUpdate = maxPerUpdate;
  }

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

  /** Compares the next resources, and calls back for each member of those that have changed. */
  visitChanged(visitor: (member: Member) => void): void {
    const all = (this.list ??= Array.from(this.byResource.values()));
    const end = Math.min(this.first + this.maxPerUpdate, all.length);
    for (let k = this.first; k < end; k++) if (all[k].takeChange()) all[k].members.forEach(visitor);
    this.first = end < all.length ? end : 0;
  }
}

class WatchedGeometry extends WatchedResource {
  private version: GeometryVersion;

  constructor(geometry: BufferGeometry) {
    super();
    this.version = new GeometryVersion(geometry);
  }

  override takeChange(): boolean {
    if (this.version.isCurrent) return false;
    this.version = new GeometryVersion(this.version.geometry);
    return true;
  }
}

/** A material or a sprite, of which one value matters. */
class WatchedValue extends WatchedResource {
  private readonly read: () => unknown;
  private value: unknown;

  constructor(read: () => unknown) {
    super();
    this.read = read;
    this.value = read();
  }

  override takeChange(): boolean {
    const before = this.value;
    this.value = this.read();
    return this.value !== before;
  }
}

/** Materials per update, about 0.1 microseconds each. Most scenes have fewer; the others take more than one update. */
const MATERIALS_PER_UPDATE = 512;

export class SourceWatch {
  private readonly geometries = new SharedWatch((geometry: BufferGeometry) => new WatchedGeometry(geometry));
  /**
   * The version of a material does not show whether it starts or stops moving vertices: three also compiles a material
   * for other reasons than `needsUpdate`. So all fields that matter are compared.
   */
  private readonly materials = new SharedWatch(
    (material: MaterialValue) => new WatchedValue(() => refusesBox(material)),
    MATERIALS_PER_UPDATE,
  );
  /** The radius of the culling sphere of a sprite depends on its `center`, which no other watch compares. */
  private readonly sprites = new SharedWatch(
    (sprite: Sprite) => new WatchedValue(() => cullingSphereOf(sprite)?.radius),
  );

  /** Watches the current source of a member's bounds. */
  add(member: Member): void {
    const { boundsSource } = member;
    if (member.watchedSource === boundsSource) return;
    this.remove(member);
    member.watchedSource = boundsSource;
    this.visitResources(member, (watch, resource) => watch.add(resource, member));
  }

  remove(member: Member): void {
    this.visitResources(member, (watch, resource) => watch.remove(resource, member));
    member.watchedSource = null;
  }

  visitChanged(visitor: (member: Member) => void): void {
    this.geometries.visitChanged(visitor);
    this.materials.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
  }

  private visitResources(
    { object, watchedSource }: Member,
    visitor: <Resource>(watch: SharedWatch<Resource>, resource: Resource) => void,
  ): void {
    for (const { geometry, materials } of watchedSource?.sources ?? []) {
      if (geometry) visitor(this.geometries, geometry);
      for (const material of materials) visitor(this.materials, material);
    }
    if (isSprite(object)) visitor(this.sprites, object);
  }
}

/**
 * Drawn objects per update, about 0.1 microseconds each. In a group with more objects, some changes are found some
 * updates later.
 */
const OBJECTS_PER_UPDATE = 2048;

/**
 * Finds rare changes that affect only objects at the edge of the view: materials for shadow maps
 * (`customDepthMaterial`, `customDistanceMaterial`), and draw callbacks that are set or removed. Each update compares
 * the next members, in a round robin, so that its cost has a bound.
 */
export class RareChangeWatch {
  readonly members = new Set<Member>();
  /** From the first member that the next update compares. A Set may change while it is iterated. */
  private rest = this.members.values();

  /** Compares the next members, and calls back for each that has changed. */
  visitChanged(visitor: (member: Member) => void): void {
    for (let count = 0; count < OBJECTS_PER_UPDATE;) {
      const { value: member, done } = this.rest.next();
      if (done) {
        this.rest = this.members.values();
        return;
      }
      if (!member.isUpToDate) visitor(member);
      count += member.compound?.drawn.length ?? 1;
    }
  }
}
