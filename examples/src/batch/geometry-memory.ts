// Counts the bytes of the geometries of houses that are on the GPU: three uploads one when its mesh is drawn on its
// own, and frees it when it is disposed of.

import type { BufferAttribute, BufferGeometry } from 'three';

export class GeometryMemory {
  /** On the GPU now. */
  bytes = 0;
  private readonly uploaded = new Set<BufferGeometry>();

  /** Whether a geometry is on the GPU. */
  has(geometry: BufferGeometry): boolean {
    return this.uploaded.has(geometry);
  }

  add(geometry: BufferGeometry): void {
    const { index, attributes } = geometry;
    const size = Object.values(attributes).reduce((sum, { array }) => sum + array.byteLength, index!.array.byteLength);
    (attributes.position as BufferAttribute).onUpload(() => {
      if (this.uploaded.has(geometry)) return;
      this.uploaded.add(geometry);
      this.bytes += size;
    });
    geometry.addEventListener('dispose', () => {
      if (!this.uploaded.delete(geometry)) return;
      this.bytes -= size;
    });
  }
}
