/** Notices when the user has changed the attributes by instance of a geometry: by their version, as renderers do. */

import type { InstancedBufferAttribute, InterleavedBuffer, Mesh, Object3D } from 'three';
import { geometryName } from './instance-checks.ts';
import type { InstanceStore } from './instance-store.ts';
import { attributesByInstanceOf, idsPerItemOf } from './view-geometry.ts';

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
        if (known !== undefined) touch(source, 'data' in attribute ? attribute.data.stride : attribute.itemSize, idsPerItemOf(attribute), store);
        source.clearUpdateRanges();
      }
    }
  }
}

/** @param lanes Numbers an item. */
function touch({ updateRanges }: Source, lanes: number, idsPerItem: number, store: InstanceStore): void {
  const ranges = updateRanges.length > 0 ? updateRanges : [{ start: 0, count: Infinity }];
  for (const { start, count } of ranges) {
    const end = Math.min(Math.ceil((start + count) / lanes) * idsPerItem, store.limit);
    for (let id = Math.floor(start / lanes) * idsPerItem; id < end; id++) store.touch(id);
  }
}

/** @throws {RangeError} If an attribute by instance has no item for an instance. */
export function requireItems(where: string, container: Object3D, meshes: readonly Mesh[], store: InstanceStore): void {
  meshes.forEach(({ geometry }, level) => {
    for (const attribute of attributesByInstanceOf(geometry)) {
      const served = attribute.count * idsPerItemOf(attribute);
      for (let id = served; id < store.limit; id++) {
        if (!store.has(id)) continue;
        const name = Object.entries(geometry.attributes).find(([, one]) => one === attribute)?.[0];
        const what = `${where}: the attribute "${name}" in ${geometryName(container, level)} must have an item for each instance`;
        throw new RangeError(`${what}, but its items are for ${served} and there is an instance with the id ${id}; set a longer one.`);
      }
    }
  });
}
