/**
 * Finds geometries whose vertices or bounding sphere have changed. Each geometry is compared once per update, however many members share it.
 * Bounds depend on both: three culls by the bounding sphere, even if that is older than the vertices; a vertex box comes from the vertices.
 */

import type { BufferGeometry } from 'three';
import { boundingSphereOf, forgetSphere } from '../../bounds/vertex-sphere.ts';
import { VertexVersion } from '../../bounds/vertex-version.ts';
import type { Member } from '../member.ts';
import { SharedWatch, type WatchedResource } from './shared-watch.ts';

class WatchedGeometry implements WatchedResource {
  readonly members = new Set<Member>();
  private readonly geometry: BufferGeometry;
  private vertices!: VertexVersion;
  private morphs: unknown;
  /** Whether the geometry had a bounding sphere; see vertex-sphere.ts. */
  private hasSphere = false;
  /** Centre and radius of that sphere, or of the sphere that three would compute. */
  private readonly sphere = [0, 0, 0, 0];

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.store();
  }

  /** Whether the geometry has changed since the last call. */
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

export class GeometryWatch extends SharedWatch<BufferGeometry, WatchedGeometry> {
  protected override create(geometry: BufferGeometry): WatchedGeometry {
    return new WatchedGeometry(geometry);
  }

  /** Calls back for each member of each changed geometry. */
  visitChanged(visitor: (member: Member) => void): void {
    for (const watched of this.all) {
      if (watched.takeChange()) watched.members.forEach(visitor);
    }
  }
}
