/**
 * The bounding sphere that three is going to compute for a geometry without one. three does so when it first tests the object against a frustum, and
 * keeps it although the vertices change. So the sphere is kept here, not in `geometry.boundingSphere`: set too early, it would not fit the
 * vertices that are drawn first.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Sphere } from 'three';

interface CachedSphere {
  readonly sphere: Sphere | null;
  readonly position: unknown;
  readonly version: number;
}

const cache = /* @__PURE__ */ new WeakMap<BufferGeometry, CachedSphere>();

/** The bounding sphere of a geometry, or the one that three would compute now. Null if three computes none. Must not be changed. */
export function boundingSphereOf(geometry: BufferGeometry): Sphere | null {
  if (geometry.boundingSphere !== null) {
    forgetSphere(geometry);
    return geometry.boundingSphere;
  }
  const position = geometry.attributes.position as BufferAttribute | InterleavedBufferAttribute | undefined;
  const version = versionOf(position);
  const cached = cache.get(geometry);
  if (cached?.position === position && cached?.version === version) return cached.sphere;
  geometry.computeBoundingSphere();
  const sphere = geometry.boundingSphere as Sphere | null;
  geometry.boundingSphere = null;
  cache.set(geometry, { sphere, position, version });
  return sphere;
}

/** To be called once the geometry has a sphere: if that is set to null again, a new one has to be computed. */
export function forgetSphere(geometry: BufferGeometry): void {
  cache.delete(geometry);
}

/** How often `needsUpdate` of the positions was set; 0 without positions. */
export function versionOf(position: BufferAttribute | InterleavedBufferAttribute | undefined): number {
  if (position === undefined) return 0;
  return 'data' in position ? position.data.version : position.version;
}
