/** Detects changes of the vertices of a geometry: another position attribute, or `needsUpdate` of the same one. */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';

type Position = BufferAttribute | InterleavedBufferAttribute;

/** The attribute with the vertices. Undefined if there is none, which the types of three leave out. */
export function positionOf({ attributes }: BufferGeometry): Position | undefined {
  return attributes.position;
}

/** The position attribute of a geometry, and its version, when this was created. Equal versions mean equal vertices, as they do to a renderer. */
export class VertexVersion {
  private readonly position: Position | undefined;
  private readonly version: number;

  constructor(geometry: BufferGeometry) {
    this.position = positionOf(geometry);
    this.version = versionOf(this.position);
  }

  /** Whether the geometry still has the same vertices. */
  isOf(geometry: BufferGeometry): boolean {
    const position = positionOf(geometry);
    return position === this.position && versionOf(position) === this.version;
  }
}

/** How often `needsUpdate` of the attribute was set. Interleaved attributes share the version of their buffer. */
function versionOf(position: Position | undefined): number {
  if (position === undefined) return 0;
  return 'data' in position ? position.data.version : position.version;
}
