/**
 * Finds geometries whose vertices or bounding sphere have changed. Each geometry is compared once per update, however many members share it.
 * Bounds depend on both: three culls by the bounding sphere, even if that is older than the vertices; a vertex box comes from the vertices.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { boundingSphereOf, forgetSphere, versionOf } from '../bounds/vertex-sphere.ts';
import type { Member } from './member.ts';

class WatchedGeometry {
  readonly geometry: BufferGeometry;
  readonly members = new Set<Member>();
  private position: unknown;
  private version = 0;
  /** Whether the geometry had a bounding sphere; see vertex-sphere.ts. */
  private hasSphere = false;
  /** Centre and radius of that sphere, or of the one that three was going to compute. */
  private readonly sphere = [0, 0, 0, 0];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.store();
  }

  /** Whether the geometry has changed since the last `store`. */
  hasChanged(): boolean {
    const { geometry, sphere } = this;
    const { boundingSphere } = geometry;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    if (position !== this.position || versionOf(position) !== this.version) return true;
    if (boundingSphere === null) return this.hasSphere;
    if (!this.hasSphere) {
      this.hasSphere = true;
      forgetSphere(geometry);
    }
    const { center, radius } = boundingSphere;
    // A NaN equals nothing: a broken geometry is reported in every update until it is repaired.
    return center.x !== sphere[0] || center.y !== sphere[1] || center.z !== sphere[2] || radius !== sphere[3];
  }

  /** Stores the present state. */
  store(): void {
    const { geometry, sphere } = this;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    this.position = position;
    this.version = versionOf(position);
    this.hasSphere = geometry.boundingSphere !== null;
    const bounding = boundingSphereOf(geometry);
    bounding?.center.toArray(sphere);
    sphere[3] = bounding?.radius ?? NaN;
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
      if (!watched.hasChanged()) continue;
      watched.store();
      for (const member of watched.members) visitor(member);
    }
  }
}

function listOf(geometries: BufferGeometry | readonly BufferGeometry[] | null): readonly BufferGeometry[] {
  if (geometries === null) return [];
  return 'length' in geometries ? geometries : [geometries];
}
