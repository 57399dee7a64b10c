/**
 * The box around the vertices of a geometry, in its own space. Kept here and not in `geometry.boundingBox`, because a box there
 * changes what `Mesh.raycast` answers once the vertices have changed.
 */

import { Box3, BufferGeometry, type BufferAttribute, type InterleavedBufferAttribute } from 'three';

type Position = BufferAttribute | InterleavedBufferAttribute | undefined;

interface KnownBox {
  readonly box: Box3;
  position: BufferAttribute | InterleavedBufferAttribute;
  version: number;
  /** How often the vertices have changed. */
  changes: number;
}

/** Changes after which it is not worth while to measure once more. */
const MAX_CHANGES = 8;

const knownBoxes = /* @__PURE__ */ new WeakMap<BufferGeometry, KnownBox>();

/** How many vertices a geometry has that can be read. */
export function vertexCountOf(geometry: BufferGeometry): number {
  const position = geometry.attributes.position as Position;
  return position?.count ?? 0;
}

/**
 * The box around all vertices, computed again when the position attribute was replaced or its `needsUpdate` set. Null where the
 * positions do not tell the shape: geometries that measure themselves (fat lines), instanced ones and those that live on the GPU; and
 * for vertices that change again and again.
 */
export function vertexBoxOf(geometry: BufferGeometry): Box3 | null {
  const position = geometry.attributes.position as Position;
  if (position === undefined || typeof position.getX !== 'function') return null;
  if (geometry.computeBoundingBox !== BufferGeometry.prototype.computeBoundingBox || 'isInstancedBufferGeometry' in geometry) return null;
  const version = 'data' in position ? position.data.version : position.version;
  let known = knownBoxes.get(geometry);
  if (known?.position === position && known.version === version) return known.box;
  if (known === undefined) knownBoxes.set(geometry, (known = { box: new Box3(), position, version, changes: 0 }));
  else known.changes++;
  if (known.changes > MAX_CHANGES) return null;
  known.position = position;
  known.version = version;
  // Typed for plain attributes only, but it reads through getX, getY and getZ.
  known.box.setFromBufferAttribute(position as BufferAttribute);
  return known.box;
}
