/** The mesh that a view draws, and its geometry. */

import { BufferGeometry, InstancedMesh, type InstancedBufferAttribute, type Material } from 'three';
import type { SlotSource } from '../levels/instance-nodes.ts';
import {
  attributeColumnsOf,
  isInstanced,
  type AttributeColumn,
  type InstancedAttribute,
} from '../store/attribute-column.ts';
import type { InstanceColumn } from '../store/instance-column.ts';
import type { IdColumn } from '../store/node-columns.ts';
import { ViewColumn } from './view-column.ts';

/** @param id That of the container: all its views are drawn in its place. */
export function createViewMesh(
  id: number,
  geometry: BufferGeometry,
  material: Material | Material[],
  source: SlotSource,
): ViewMesh {
  // three defines `id` so that it cannot be changed. An object derived from the mesh can have another.
  return Object.create(new ViewMesh(geometry, material, source), { id: { value: id } }) as ViewMesh;
}

/**
 * The mesh that a view draws. Nodes of materials read the data of the instances from it, by draw slot.
 *
 * Renderers draw objects at equal depth in the order of `id`, which is the order of their creation. A view is created
 * when a pass first needs it, and again when it grows. So a mesh with an id of its own would be drawn after all objects
 * of the scene, and in an order that changes.
 */
export class ViewMesh extends InstancedMesh implements SlotSource {
  private readonly source: SlotSource;

  constructor(geometry: BufferGeometry, material: Material | Material[], source: SlotSource) {
    super(geometry, material, 0);
    this.source = source;
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
  }

  slotItems(attribute: InstancedAttribute | null): InstancedBufferAttribute {
    return this.source.slotItems(attribute);
  }
}

/**
 * The geometry that a view draws. Without instanced attributes it is the user's geometry itself. Otherwise it is a
 * geometry of the view that shares everything with the user's, except the instanced attributes: these hold one item for
 * each draw slot. One of them may be the ids.
 */
export class ViewGeometry {
  readonly geometry: BufferGeometry;
  /** One for each instanced attribute, and one for the ids. */
  readonly columns: readonly ViewColumn<InstancedBufferAttribute>[];

  private readonly source: BufferGeometry;
  private readonly attributes: readonly AttributeColumn[];
  private readonly ids: IdColumn | null;
  /**
   * Renderers hold the buffers of shared attributes for the geometry of the view, so disposing of the user's geometry
   * must dispose of it, too.
   */
  private readonly onSourceDispose = (): void => this.geometry.dispose();

  /**
   * @param ids Null if the geometry needs no ids. If the user's geometry has an attribute of this name, that one is
   *   drawn instead.
   */
  constructor(source: BufferGeometry, capacity: number, ids: IdColumn | null) {
    this.source = source;
    this.attributes = attributeColumnsOf(source);
    this.ids = ids === null || ids.name in source.attributes ? null : ids;
    const columns: InstanceColumn<InstancedBufferAttribute>[] =
      this.ids === null ? [...this.attributes] : [...this.attributes, this.ids];
    this.columns = columns.map((column) => new ViewColumn(column, capacity));
    this.geometry = this.columns.length === 0 ? source : new BufferGeometry();
    if (this.geometry !== source) source.addEventListener('dispose', this.onSourceDispose);
    this.trySync();
  }

  /**
   * Copies changes of the user's geometry. Returns false, and copies nothing, if its instanced attributes were
   * replaced: the view needs new buffers.
   */
  trySync(): boolean {
    const { source, geometry, attributes, columns } = this;
    const names = Object.keys(source.attributes).filter((name) => isInstanced(source.attributes[name]));
    if (
      names.length !== attributes.length ||
      attributes.some(({ name, attribute }) => source.attributes[name] !== attribute)
    )
      return false;
    if (geometry === source) return true;
    for (const [name, attribute] of Object.entries(source.attributes))
      if (!isInstanced(attribute)) geometry.attributes[name] = attribute;
    for (const column of columns) geometry.attributes[column.source.name] = column.target;
    for (const name of Object.keys(geometry.attributes))
      if (!(name in source.attributes) && name !== this.ids?.name) geometry.deleteAttribute(name);
    geometry.index = source.index;
    geometry.groups = source.groups;
    geometry.morphAttributes = source.morphAttributes;
    geometry.morphTargetsRelative = source.morphTargetsRelative;
    geometry.boundingSphere = source.boundingSphere;
    geometry.boundingBox = source.boundingBox;
    Object.assign(geometry.drawRange, source.drawRange);
    return true;
  }

  dispose(): void {
    const { geometry, source, columns } = this;
    if (geometry === source) return;
    source.removeEventListener('dispose', this.onSourceDispose);
    // A renderer frees all attributes of a disposed geometry. The user's are still in use: take them out first.
    geometry.index = null;
    geometry.morphAttributes = {};
    geometry.attributes = {};
    for (const column of columns) geometry.setAttribute(column.source.name, column.target);
    geometry.dispose();
  }
}
