/** What is known of a geometry: the vertices and the sphere that bounds come from, and all else that is drawn of it. */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { attributeVersionOf, GeometryVersion } from '../bounds/vertex-bounds.ts';
import { ATTRIBUTES, SPHERE, UNKNOWN, VERTICES } from './change-bits.ts';
import type { ResourceRecord } from './shared-resources.ts';
import { Values } from './values.ts';

export class GeometryRecord implements ResourceRecord {
  /** Whether it may be drawn in another way without a change of a value: its vertices are on the GPU. */
  isUnknown = false;
  /** Whether it has morph targets. */
  isMorphing = false;
  /** Whether members use it, or have used it, whose changes are not reported. */
  isWatched = false;
  private version: GeometryVersion;
  private readonly values = new Values();
  /** For `hasUsualChange`: the index, if there is one, and the attributes, and the sum of their versions. */
  private buffers: readonly (BufferAttribute | InterleavedBufferAttribute | null)[] = [];
  private versions = 0;
  private drawStart = 0;
  private drawCount = 0;

  constructor(geometry: BufferGeometry) {
    this.version = new GeometryVersion(geometry);
    this.readAttributes();
  }

  get isUnknownCaster(): boolean {
    return this.isUnknown;
  }

  /**
   * Whether anything has changed that code usually changes: vertices, numbers in buffers, the index, the draw range.
   * Takes a fraction of the time of `takeChange`.
   */
  get hasUsualChange(): boolean {
    const { version, buffers } = this;
    const { index, drawRange } = version.geometry;
    return (
      !version.isCurrent ||
      index !== buffers[0] ||
      drawRange.start !== this.drawStart ||
      drawRange.count !== this.drawCount ||
      this.sumOfVersions() !== this.versions
    );
  }

  takeChange(): number {
    const { version, isUnknown, isMorphing } = this;
    let bits = this.readAttributes() ? ATTRIBUTES : 0;
    if (isUnknown !== this.isUnknown || isMorphing !== this.isMorphing) bits |= UNKNOWN;
    if (version.isCurrent) return bits;
    if (!version.hasSameVertices) bits |= VERTICES;
    this.version = new GeometryVersion(version.geometry);
    return bits | SPHERE;
  }

  /**
   * Returns whether anything has changed since the last call. By hand: it reads hundreds of geometries in each update.
   */
  private readAttributes(): boolean {
    const { values } = this;
    const geometry = this.version.geometry as BufferGeometry & { indirect?: unknown; instanceCount?: number };
    const { attributes, index, drawRange, groups, morphAttributes, indirect } = geometry;
    values.next(index);
    values.next(index?.version);
    values.next(drawRange.start);
    values.next(drawRange.count);
    values.next(geometry.instanceCount);
    values.next(indirect);
    for (const name in attributes) {
      const attribute = attributes[name];
      values.next(name);
      values.next(attribute);
      values.next(attributeVersionOf(attribute));
    }
    for (const { start, count, materialIndex } of groups) {
      values.next(start);
      values.next(count);
      values.next(materialIndex);
    }
    for (const name in morphAttributes) values.next(name);
    if (!values.end()) return false;
    this.isUnknown =
      !!indirect ||
      Object.values(attributes).some((each) => 'isStorageBufferAttribute' in each || 'isGLBufferAttribute' in each);
    this.isMorphing = Object.keys(morphAttributes).length > 0;
    this.buffers = [index, ...Object.values(attributes)];
    this.versions = this.sumOfVersions();
    this.drawStart = drawRange.start;
    this.drawCount = drawRange.count;
    return true;
  }

  private sumOfVersions(): number {
    let sum = 0;
    for (const buffer of this.buffers) sum += attributeVersionOf(buffer ?? undefined);
    return sum;
  }
}
