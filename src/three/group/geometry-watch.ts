/**
 * Notices geometries whose vertices or whose culling sphere have changed, each once, however many members share it. Three culls by the
 * sphere, whatever the vertices do meanwhile; bounds that are tighter than the sphere have to follow both.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import type { Member } from './member.ts';

class WatchedGeometry {
  readonly geometry: BufferGeometry;
  readonly members = new Set<Member>();
  private position: unknown;
  private version = 0;
  private readonly sphere = [0, 0, 0, 0];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.note();
  }

  get isChanged(): boolean {
    const { geometry, sphere } = this;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    if (position !== this.position || (position !== undefined && versionOf(position) !== this.version)) return true;
    if (geometry.boundingSphere === null) return true;
    const { center, radius } = geometry.boundingSphere;
    // A radius of NaN never is the same: its owner waits, and is told of.
    return center.x !== sphere[0] || center.y !== sphere[1] || center.z !== sphere[2] || radius !== sphere[3];
  }

  note(): void {
    const { geometry, sphere } = this;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    this.position = position;
    if (position !== undefined) this.version = versionOf(position);
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    geometry.boundingSphere!.center.toArray(sphere);
    sphere[3] = geometry.boundingSphere!.radius;
  }
}

export class GeometryWatch {
  private readonly watched = new Map<BufferGeometry, WatchedGeometry>();

  /** Watches what a member is made of now. */
  add(member: Member): void {
    const geometries = member.compound?.geometries ?? member.geometry;
    if (member.watchedGeometries === geometries) return;
    this.remove(member);
    member.watchedGeometries = geometries;
    for (const geometry of listOf(geometries)) {
      let watched = this.watched.get(geometry);
      if (watched === undefined) this.watched.set(geometry, (watched = new WatchedGeometry(geometry)));
      watched.members.add(member);
    }
  }

  remove(member: Member): void {
    for (const geometry of listOf(member.watchedGeometries)) {
      const watched = this.watched.get(geometry);
      watched?.members.delete(member);
      if (watched?.members.size === 0) this.watched.delete(geometry);
    }
    member.watchedGeometries = null;
  }

  visitChanged(visitor: (member: Member) => void): void {
    for (const watched of this.watched.values()) {
      if (!watched.isChanged) continue;
      watched.note();
      for (const member of watched.members) visitor(member);
    }
  }
}

function versionOf(position: BufferAttribute | InterleavedBufferAttribute): number {
  return 'data' in position ? position.data.version : position.version;
}

function listOf(geometries: BufferGeometry | readonly BufferGeometry[] | null): readonly BufferGeometry[] {
  if (geometries === null) return [];
  return 'length' in geometries ? geometries : [geometries];
}
