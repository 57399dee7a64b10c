/**
 * Finds members whose bounds source has changed: the vertices of a geometry, materials that start or stop moving
 * vertices, sizes of sprites.
 */

import type { BufferGeometry, Sprite } from 'three';
import { cullingSphereOf, refusesBox } from '../bounds/bounds-of.ts';
import { isSprite } from '../bounds/object-kinds.ts';
import { boundingSphereOf, forgetSphere, VertexVersion } from '../bounds/vertex-bounds.ts';
import type { MaterialValue } from './bounds-source.ts';
import type { Member } from './member.ts';

/** A geometry or a material. */
interface WatchedResource {
  /** The members that use it. */
  readonly members: Set<Member>;
  /** Whether it has changed since the last call. */
  takeChange(): boolean;
}

/** Geometries or materials: each is compared at most once per update, however many members share it. */
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

/**
 * Bounds depend on both sphere and vertices: three culls by the bounding sphere, even if that is older than the
 * vertices; a vertex box comes from the vertices.
 */
class WatchedGeometry implements WatchedResource {
  readonly members = new Set<Member>();
  private readonly geometry: BufferGeometry;
  private vertices!: VertexVersion;
  private morphs: unknown;
  /** Whether the geometry had a bounding sphere; see vertex-bounds.ts. */
  private hasSphere = false;
  /** Centre and radius of that sphere, or of the sphere that three would compute. */
  private readonly sphere = [0, 0, 0, 0];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.store();
  }

  takeChange(): boolean {
    const hasChanged = this.hasChanged();
    if (hasChanged) this.store();
    return hasChanged;
  }

  private hasChanged(): boolean {
    const { geometry, sphere } = this;
    const { boundingSphere } = geometry;
    if (!this.vertices.isOf(geometry) || geometry.morphAttributes.position !== this.morphs) return true;
    if (boundingSphere === null) return this.hasSphere;
    if (!this.hasSphere) {
      this.hasSphere = true;
      forgetSphere(geometry);
    }
    const { center, radius } = boundingSphere;
    // A NaN equals nothing: a broken geometry is reported in every update until it is repaired.
    return center.x !== sphere[0] || center.y !== sphere[1] || center.z !== sphere[2] || radius !== sphere[3];
  }

  private store(): void {
    const { geometry, sphere } = this;
    this.vertices = new VertexVersion(geometry);
    this.morphs = geometry.morphAttributes.position;
    this.hasSphere = geometry.boundingSphere !== null;
    const bounding = boundingSphereOf(geometry);
    bounding?.center.toArray(sphere);
    sphere[3] = bounding?.radius ?? NaN;
  }
}

/** Materials per update, about 0.1 microseconds each. Most scenes have fewer; the others take more than one update. */
const MATERIALS_PER_UPDATE = 512;

/**
 * The version of a material does not show whether it starts or stops moving vertices: three also compiles a material
 * for other reasons than `needsUpdate`. So all fields that matter are compared.
 */
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

/** The radius of the culling sphere of a sprite depends on its `center`, which no other watch compares. */
class WatchedSprite implements WatchedResource {
  readonly members = new Set<Member>();
  private readonly sprite: Sprite;
  private radius: number | undefined;

  constructor(sprite: Sprite) {
    this.sprite = sprite;
    this.takeChange();
  }

  takeChange(): boolean {
    const before = this.radius;
    this.radius = cullingSphereOf(this.sprite)?.radius;
    return this.radius !== before;
  }
}

export class SourceWatch {
  private readonly geometries = new SharedWatch((geometry: BufferGeometry) => new WatchedGeometry(geometry));
  private readonly materials = new SharedWatch(
    (material: MaterialValue) => new WatchedMaterial(material),
    MATERIALS_PER_UPDATE,
  );
  private readonly sprites = new SharedWatch((sprite: Sprite) => new WatchedSprite(sprite));

  /** Watches the current source of a member's bounds. */
  add(member: Member): void {
    const { boundsSource, object } = member;
    if (member.watchedSource === boundsSource) return;
    this.remove(member);
    member.watchedSource = boundsSource;
    boundsSource?.visitGeometries((geometry) => this.geometries.add(geometry, member));
    boundsSource?.visitMaterials((material) => this.materials.add(material, member));
    if (isSprite(object)) this.sprites.add(object, member);
  }

  remove(member: Member): void {
    const { watchedSource, object } = member;
    member.watchedSource = null;
    watchedSource?.visitGeometries((geometry) => this.geometries.remove(geometry, member));
    watchedSource?.visitMaterials((material) => this.materials.remove(material, member));
    if (isSprite(object)) this.sprites.remove(object, member);
  }

  visitChanged(visitor: (member: Member) => void): void {
    this.geometries.visitChanged(visitor);
    this.materials.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
  }
}
