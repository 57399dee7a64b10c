/** Notices when the user has changed the attributes by instance of a geometry: by their version, as renderers do. */

import type { InstancedBufferAttribute, Mesh } from 'three';
import type { InstanceStore } from './instance-store.ts';
import { instancedAttributesOf } from './view-geometry.ts';

export class AttributeWatch {
  private readonly versions = new WeakMap<InstancedBufferAttribute, number>();

  /** Tells the store which instances have changed, and clears the update ranges, as uploading would. */
  follow(meshes: readonly Mesh[], store: InstanceStore): void {
    for (const { geometry } of meshes) {
      for (const attribute of instancedAttributesOf(geometry)) {
        const known = this.versions.get(attribute);
        if (known === attribute.version) continue;
        this.versions.set(attribute, attribute.version);
        if (known !== undefined) touch(attribute, store);
        attribute.clearUpdateRanges();
      }
    }
  }
}

function touch({ updateRanges, itemSize }: InstancedBufferAttribute, store: InstanceStore): void {
  const ranges = updateRanges.length > 0 ? updateRanges : [{ start: 0, count: store.limit * itemSize }];
  for (const { start, count } of ranges) {
    const end = Math.min(Math.ceil((start + count) / itemSize), store.limit);
    for (let id = Math.floor(start / itemSize); id < end; id++) store.touch(id);
  }
}
