/**
 * Finds geometries whose vertices or bounding sphere have changed. Each geometry is compared once per update, however many members share it.
 * Bounds depend on both: three culls by the bounding sphere, even if that is older than the vertices; a vertex box comes from the vertices.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { boundingSphereOf, forgetSphere, versionOf } from '../bounds/vertex-sphere.ts';
import type { Member } from './member.ts';
import { SharedWatch, type SharedThing } from './shared-watch.ts';

class WatchedGeometry implements SharedThing {
  readonly members = new Set<Member>();
  private readonly geometry: BufferGeometry;
  private position: unknown;
  private version = 0;
  private morphs: unknown;
  /** Whether the geometry had a bounding sphere; see vertex-sphere.ts. */
  private hasSphere = false;
  /** Centre and radius of that sphere, or of the sphere that three would compute. */
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
    if (position !== this.position || versionOf(position) !== this.version || geometry.morphAttributes.position !== this.morphs) return true;
    if (boundingSphere === null) return this.hasSphere;
    if (!this.hasSphere) {
      this.hasSphere = true;
      forgetSphere(geometry);
    }
    const { center, radius } = boundingSphere;
    // A NaN equals nothing: a broken geometry is reported in every update until it is repaired.
    return center.x !== sphere[0] || center.y !== sphere[1] || center.z !== sphere[2] || radius !== sphere[3];
  }

  /** Stores the current state. */
  store(): void {
    const { geometry, sphere } = this;
    const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
    this.position = position;
    this.version = versionOf(position);
    this.morphs = geometry.morphAttributes.position;
    this.hasSphere = geometry.boundingSphere !== null;
    const bounding = boundingSphereOf(geometry);
    bounding?.center.toArray(sphere);
    sphere[3] = bounding?.radius ?? NaN;
  }
}

export class GeometryWatch extends SharedWatch<BufferGeometry, WatchedGeometry> {
  protected override create(geometry: BufferGeometry): WatchedGeometry {
    return new WatchedGeometry(geometry);
  }

  /** Calls back for each member of each changed geometry. */
  visitChanged(visitor: (member: Member) => void): void {
    for (const watched of this.all) {
      if (!watched.hasChanged()) continue;
      watched.store();
      for (const member of watched.members) visitor(member);
    }
  }
}
