/**
 * Finds geometries whose vertices or bounding sphere have changed. Each geometry is compared once per update, however many members share it.
 * Bounds depend on both: three culls by the bounding sphere, even if that is older than the vertices; a vertex box comes from the vertices.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import type { Member } from './member.ts';

class WatchedGeometry {
  readonly geometry: BufferGeometry;
  readonly members = new Set<Member>();
  private position: unknown;
  private version = 0;
  /** Centre and radius. */
  private readonly sphere = [0, 0, 0, 0];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.store();
  }

  get isChanged(): boolean {
    const { geometry, sphere } = this;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    if (position !== this.position || (position !== undefined && versionOf(position) !== this.version)) return true;
    if (geometry.boundingSphere === null) return true;
    const { center, radius } = geometry.boundingSphere;
    // A NaN equals nothing: a broken geometry is reported in every update until it is repaired.
    return center.x !== sphere[0] || center.y !== sphere[1] || center.z !== sphere[2] || radius !== sphere[3];
  }

  /** Stores the present state. */
  store(): void {
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

  /** Watches the geometries that the bounds of a member come from now. */
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

  /** Calls back for each member of each changed geometry. */
  visitChanged(visitor: (member: Member) => void): void {
    for (const watched of this.watched.values()) {
      if (!watched.isChanged) continue;
      watched.store();
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
