/** Notices when the user has changed the attributes by instance of a geometry: by their version, as renderers do. */

import type { InstancedBufferAttribute, InterleavedBuffer, Mesh } from 'three';
import type { InstanceStore } from './instance-store.ts';
import { attributesByInstanceOf } from './view-geometry.ts';

/** What holds the numbers and their version. */
type Source = InstancedBufferAttribute | InterleavedBuffer;

export class AttributeWatch {
  private readonly versions = new WeakMap<Source, number>();

  /** Tells the store which instances have changed, and clears the update ranges, as uploading would. */
  follow(meshes: readonly Mesh[], store: InstanceStore): void {
    for (const { geometry } of meshes) {
      for (const attribute of attributesByInstanceOf(geometry)) {
        const source = 'data' in attribute ? attribute.data : attribute;
        const known = this.versions.get(source);
        if (known === source.version) continue;
        this.versions.set(source, source.version);
        if (known !== undefined) touch(source, 'data' in attribute ? attribute.data.stride : attribute.itemSize, store);
        source.clearUpdateRanges();
      }
    }
  }
}

/** @param lanes Numbers an instance. */
function touch({ updateRanges }: Source, lanes: number, store: InstanceStore): void {
  const ranges = updateRanges.length > 0 ? updateRanges : [{ start: 0, count: store.limit * lanes }];
  for (const { start, count } of ranges) {
    const end = Math.min(Math.ceil((start + count) / lanes), store.limit);
    for (let id = Math.floor(start / lanes); id < end; id++) store.touch(id);
  }
}
