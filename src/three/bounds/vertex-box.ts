/**
 * The box around the vertices of a geometry, in its local space. Cached here, not in `geometry.boundingBox`: a box there that is older than
 * the vertices would change the hits of `Mesh.raycast`.
 */

import { Box3, BufferGeometry, type BufferAttribute, type InterleavedBufferAttribute } from 'three';
import { versionOf } from './vertex-sphere.ts';

type Position = BufferAttribute | InterleavedBufferAttribute | undefined;

interface CachedBox {
  readonly box: Box3;
  position: BufferAttribute | InterleavedBufferAttribute;
  version: number;
  /** How often the vertices have changed. */
  changes: number;
}

/** Changes after which a geometry counts as animated: a box for each change costs more than the culling sphere that is used instead. */
const MAX_CHANGES = 8;

const cache = /* @__PURE__ */ new WeakMap<BufferGeometry, CachedBox>();

/** Number of vertices; 0 without positions. */
export function vertexCountOf(geometry: BufferGeometry): number {
  const position = geometry.attributes.position as Position;
  return position?.count ?? 0;
}

/**
 * The box around all vertices. Computed again after the position attribute was replaced or its `needsUpdate` set. Null if the positions are
 * not what is drawn (instanced geometries, positions on the GPU, geometries with their own `computeBoundingBox` such as fat lines), and for
 * vertices that have changed more than 8 times.
 */
export function vertexBoxOf(geometry: BufferGeometry): Box3 | null {
  const position = geometry.attributes.position as Position;
  if (position === undefined || typeof position.getX !== 'function' || 'isStorageBufferAttribute' in position) return null;
  if (geometry.computeBoundingBox !== BufferGeometry.prototype.computeBoundingBox || 'isInstancedBufferGeometry' in geometry) return null;
  const version = versionOf(position);
  let cached = cache.get(geometry);
  if (cached?.position === position && cached.version === version) return cached.box;
  if (cached === undefined) cache.set(geometry, (cached = { box: new Box3(), position, version, changes: 0 }));
  else cached.changes++;
  if (cached.changes > MAX_CHANGES) return null;
  cached.position = position;
  cached.version = version;
  // Typed for plain attributes, but it reads through getX, getY and getZ, which interleaved ones have too.
  cached.box.setFromBufferAttribute(position as BufferAttribute);
  return cached.box;
}
