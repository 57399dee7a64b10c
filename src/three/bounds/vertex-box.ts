/**
 * The box around the vertices of a geometry, in its local space. Cached here, not in `geometry.boundingBox`: a box there that is older than
 * the vertices would change the hits of `Mesh.raycast`.
 */

import { Box3, BufferGeometry, type BufferAttribute } from 'three';
import { positionOf, VertexVersion } from './vertex-version.ts';

interface CachedBox {
  readonly box: Box3;
  vertices: VertexVersion;
  /** How often the vertices have changed. */
  changes: number;
}

/** Changes after which a geometry counts as animated: a box for each change costs more than the culling sphere that is used instead. */
const MAX_CHANGES = 8;

const cache = /* @__PURE__ */ new WeakMap<BufferGeometry, CachedBox>();

/** Number of vertices; 0 without positions. */
export function vertexCountOf(geometry: BufferGeometry): number {
  return positionOf(geometry)?.count ?? 0;
}

/**
 * The box around all vertices. Computed again after the position attribute was replaced or its `needsUpdate` set. Null if the positions are
 * not what is drawn (instanced geometries, positions on the GPU, geometries with their own `computeBoundingBox` such as fat lines), and for
 * vertices that have changed more than 8 times.
 */
export function vertexBoxOf(geometry: BufferGeometry): Box3 | null {
  const position = positionOf(geometry);
  if (position === undefined || typeof position.getX !== 'function' || 'isStorageBufferAttribute' in position) return null;
  if (geometry.computeBoundingBox !== BufferGeometry.prototype.computeBoundingBox || 'isInstancedBufferGeometry' in geometry) return null;
  let cached = cache.get(geometry);
  if (cached?.vertices.isOf(geometry)) return cached.box;
  if (cached === undefined) cache.set(geometry, (cached = { box: new Box3(), vertices: new VertexVersion(geometry), changes: 0 }));
  else cached.changes++;
  if (cached.changes > MAX_CHANGES) return null;
  cached.vertices = new VertexVersion(geometry);
  // Typed for plain attributes, but it reads through getX, getY and getZ, which interleaved ones have too.
  cached.box.setFromBufferAttribute(position as BufferAttribute);
  return cached.box;
}
