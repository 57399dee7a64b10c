/**
 * Detects changes of instanced attributes by the version of their buffer, as renderers do, and marks the changed
 * instances.
 */

import type { Mesh, Object3D } from 'three';
import { attributeColumnsOf, type AttributeColumn } from './store/attribute-column.ts';
import { warnOnce } from '../passes/warnings.ts';
import { geometryName } from './instance-checks.ts';
import type { InstanceStore } from './store/instance-store.ts';

export class AttributeWatch {
  private readonly versions = new WeakMap<AttributeColumn['buffer'], number>();

  /**
   * Marks the instances whose items have changed since the last call, and clears the update ranges, as an upload does.
   *
   * @param others The columns of attributes that belong to no geometry.
   */
  sync(meshes: readonly Mesh[], others: Iterable<AttributeColumn>, store: InstanceStore): void {
    for (const { geometry } of meshes)
      for (const column of attributeColumnsOf(geometry)) this.syncColumn(column, store);
    for (const column of others) this.syncColumn(column, store);
  }

  private syncColumn(column: AttributeColumn, store: InstanceStore): void {
    const { buffer } = column;
    const version = this.versions.get(buffer);
    if (version === buffer.version) return;
    this.versions.set(buffer, buffer.version);
    // A buffer that is new here needs no marks: the views have copied it less than a frame ago, or copy it in this
    // frame.
    if (version !== undefined) markChanged(column, store);
    buffer.clearUpdateRanges();
  }
}

/** Without update ranges every item counts as changed. */
function markChanged({ buffer, stride, idsPerItem }: AttributeColumn, store: InstanceStore): void {
  const ranges = buffer.updateRanges.length > 0 ? buffer.updateRanges : [{ start: 0, count: Infinity }];
  for (const { start, count } of ranges) {
    const end = Math.min(Math.ceil((start + count) / stride) * idsPerItem, store.idEnd);
    for (let id = Math.floor(start / stride) * idsPerItem; id < end; id++) store.markChanged(id);
  }
}

/** Warns once of each instanced attribute that has no item for an existing instance. Views draw 0 in its place. */
export function warnOfMissingItems(container: Object3D, meshes: readonly Mesh[], store: InstanceStore): void {
  meshes.forEach(({ geometry }, level) => {
    for (const { name, idCount } of attributeColumnsOf(geometry)) {
      for (let id = idCount; id < store.idEnd; id++) {
        if (!store.has(id)) continue;
        const what = `OctreeInstances: the attribute "${name}" in ${geometryName(container, level)} must have an item for each instance`;
        const why = `but has items for ${idCount} ids only, and there is an instance with id ${id}`;
        warnOnce(
          container,
          `attribute ${name} ${level}`,
          `${what}, ${why}; set a longer attribute. Missing items read as 0.`,
        );
        break;
      }
    }
  });
}
