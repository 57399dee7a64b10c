/**
 * The bounding sphere that three is going to compute for a geometry without one. three does so when it first tests the object against a frustum, and
 * keeps it although the vertices change. So the sphere is kept here, not in `geometry.boundingSphere`: set too early, it would not fit the
 * vertices that are drawn first.
 */

import type { BufferGeometry, Sphere } from 'three';
import { VertexVersion } from './vertex-version.ts';

interface CachedSphere {
  readonly sphere: Sphere | null;
  readonly vertices: VertexVersion;
}

const cache = /* @__PURE__ */ new WeakMap<BufferGeometry, CachedSphere>();

/** The bounding sphere of a geometry, or the sphere that three would compute now. Null if three computes none. Must not be changed. */
export function boundingSphereOf(geometry: BufferGeometry): Sphere | null {
  if (geometry.boundingSphere !== null) {
    forgetSphere(geometry);
    return geometry.boundingSphere;
  }
  const cached = cache.get(geometry);
  if (cached?.vertices.isOf(geometry)) return cached.sphere;
  geometry.computeBoundingSphere();
  const sphere = geometry.boundingSphere as Sphere | null;
  geometry.boundingSphere = null;
  cache.set(geometry, { sphere, vertices: new VertexVersion(geometry) });
  return sphere;
}

/** Call it once the geometry has a sphere. If that is set to null later, a new one is computed. */
export function forgetSphere(geometry: BufferGeometry): void {
  cache.delete(geometry);
}
