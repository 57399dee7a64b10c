/**
 * The change detector of a group that no feature follows: finds members whose bounds may have changed, static
 * ones in turn. Either their source has changed: the vertices of a geometry, a material that starts or stops moving
 * vertices, the size of a sprite. Or they have got draw callbacks or materials for shadow maps, or lost them.
 */

import type { BufferGeometry, Sprite } from 'three';
import { cullingSphereOf } from '../bounds/bounds-of.ts';
import { refusesBox } from '../bounds/material-traits.ts';
import { isSprite } from '../bounds/object-kinds.ts';
import { isCulledByThree } from '../bounds/object-traits.ts';
import { GeometryVersion } from '../bounds/vertex-bounds.ts';
import type { ChangeDetector, DetectorHost, OnChanged } from '../detector/change-detector.ts';
import { SharedResources, type ResourceRecord } from '../detector/shared-resources.ts';
import type { MaterialValue } from './bounds-source.ts';
import type { Member } from './member.ts';

class WatchedGeometry implements ResourceRecord {
  private version: GeometryVersion;

  constructor(geometry: BufferGeometry) {
    this.version = new GeometryVersion(geometry);
  }

  takeChange(): number {
    if (this.version.isCurrent) return 0;
    this.version = new GeometryVersion(this.version.geometry);
    return 1;
  }
}

/** A material or a sprite, of which one value matters. */
class WatchedValue implements ResourceRecord {
  private readonly read: () => unknown;
  private value: unknown;

  constructor(read: () => unknown) {
    this.read = read;
    this.value = read();
  }

  takeChange(): number {
    const before = this.value;
    this.value = this.read();
    return this.value === before ? 0 : 1;
  }
}

/**
 * Materials per update, about 0.1 microseconds each. Most scenes have fewer; the others take more than one update.
 * Test: turns.test.
 */
const MATERIALS_PER_UPDATE = 512;
/**
 * Drawn objects of which one update compares callbacks and materials for shadow maps, about 0.1 microseconds each. In a
 * group with more objects, such a change is found some updates later. Test: turns.test.
 */
const OBJECTS_PER_UPDATE = 2048;

/** The resources that bounds come from, by the bodies that use them. */
class WatchedSources {
  private readonly geometries: SharedResources<BufferGeometry, ResourceRecord>;
  private readonly materials: SharedResources<MaterialValue, ResourceRecord>;
  private readonly sprites: SharedResources<Sprite, ResourceRecord>;

  /** @param perUpdate Resources of a kind that an update compares, at least. */
  constructor(perUpdate: number) {
    this.geometries = new SharedResources((geometry) => new WatchedGeometry(geometry), perUpdate);
    // The version of a material does not show whether it starts or stops moving vertices: three also compiles a
    // material for other reasons than `needsUpdate`. So all fields that matter are compared.
    this.materials = new SharedResources(
      (material) => new WatchedValue(() => refusesBox(material)),
      Math.min(perUpdate, MATERIALS_PER_UPDATE),
    );
    // The radius of the culling sphere of a sprite depends on its `center`, which nothing else compares.
    this.sprites = new SharedResources((sprite) => new WatchedValue(() => cullingSphereOf(sprite)?.radius), perUpdate);
  }

  get all(): readonly Pick<SharedResources<object, ResourceRecord>, 'compareNext' | 'remove' | 'visitChanged'>[] {
    return [this.geometries, this.materials, this.sprites];
  }

  add({ object, boundsSource }: Member, body: number): void {
    for (const { geometry, materials } of boundsSource!.sources) {
      if (geometry) this.geometries.add(geometry, body);
      for (const material of materials) this.materials.add(material, body);
    }
    if (isSprite(object)) this.sprites.add(object, body);
  }
}

export class SourceDetector implements ChangeDetector<Member> {
  readonly staticPerUpdate = 0;
  readonly needsMoves = false;
  private readonly watched = new WatchedSources(Infinity);
  /** Of static members: compared in turn. */
  private readonly inTurn = new WatchedSources(0);
  private readonly resources = [...this.watched.all, ...this.inTurn.all];
  private readonly members = new Set<Member>();
  /** From the first member whose callbacks the next update compares. A Set may change while it is iterated. */
  private rest = this.members.values();
  private readonly host: Pick<DetectorHost<Member>, 'memberAt'>;

  constructor(host: Pick<DetectorHost<Member>, 'memberAt'>) {
    this.host = host;
  }

  add(member: Member): void {
    const { boundsSource, isStatic } = member;
    if (member.watchedSource === boundsSource) return;
    this.remove(member);
    (isStatic ? this.inTurn : this.watched).add(member, member.body!.index);
    if (!isStatic) this.members.add(member);
    // Last: without memory the next update tries again.
    member.watchedSource = boundsSource;
  }

  remove(member: Member): void {
    for (const resources of this.resources) resources.remove(member.body!.index);
    this.members.delete(member);
    member.watchedSource = null;
  }

  reported(member: Member): void {
    if (member.watchedSource === null) return;
    for (const resources of this.resources) resources.compareNext(member.body!.index);
  }

  compare(member: Member, onChanged: OnChanged<Member>): void {
    if (!member.isUpToDate || (member.compound === null && !isCulledByThree(member.object))) onChanged(member);
  }

  visitChanged(onChanged: OnChanged<Member>): void {
    for (const resources of this.resources) resources.visitChanged((body) => onChanged(this.host.memberAt(body)));
    for (let count = 0; count < OBJECTS_PER_UPDATE;) {
      const { value: member, done } = this.rest.next();
      if (done) {
        this.rest = this.members.values();
        return;
      }
      if (!member.isUpToDate) onChanged(member);
      count += member.compound?.drawn.length ?? 1;
    }
  }
}
