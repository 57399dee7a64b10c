/** The mesh that a view draws, its draw state, its geometry, and the columns that are copied to its draw slots. */

import {
  BufferGeometry,
  InstancedMesh,
  Object3D,
  type InstancedBufferAttribute,
  type Material,
  type TypedArray,
} from 'three';
import type { DrawSource, LevelMesh } from '../levels/instance-levels.ts';
import type { SlotSource } from '../levels/instance-nodes.ts';
import { attributeColumnsOf, isInstanced, type AttributeColumn, type IdColumn } from '../store/attribute-columns.ts';
import { StoredColumn, type InstanceColumn, type SlotItems } from '../store/instance-column.ts';

/**
 * `morphTargetInfluences` of a view with a morph texture. The shader reads the texture. WebGPURenderer still needs an
 * array, and fails if it is not empty.
 */
const NO_INFLUENCES: number[] = [];
const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;

/** The mesh that a view draws. Nodes of materials read the data of the instances from it, by draw slot. */
export type ViewMesh = InstancedMesh & SlotSource;

/**
 * Creates the mesh of a view. Renderers draw objects at equal depth in the order of `id`, which is the order of their
 * creation. A view is created when a pass first needs it, and again when it grows. So a mesh with an id of its own
 * would be drawn after all objects of the scene, and in an order that changes.
 *
 * @param id That of the container: all its views are drawn in its place.
 */
export function createViewMesh(
  id: number,
  geometry: BufferGeometry,
  material: Material | Material[],
  slotItems: SlotSource['slotItems'],
): ViewMesh {
  const mesh = Object.assign(new InstancedMesh(geometry, material, 0), {
    slotItems,
    frustumCulled: false,
    matrixAutoUpdate: false,
    matrixWorldAutoUpdate: false,
  });
  // three defines `id` so that it cannot be changed. An object derived from the mesh can have another.
  return Object.create(mesh, { id: { value: id } }) as ViewMesh;
}

/**
 * Copies the container's draw state (materials, shadows, layers, render order) to a view, so that a renderer draws the
 * view as the container. Called for every view in every pass. Cost: about 15 assignments.
 */
export function copyDrawState(view: InstancedMesh, container: DrawSource, level: LevelMesh): void {
  view.name = container.name;
  view.userData = container.userData;
  view.material = level.material;
  view.customDepthMaterial = container.customDepthMaterial;
  view.customDistanceMaterial = container.customDistanceMaterial;
  view.morphTargetInfluences = view.morphTexture === null ? container.morphTargetInfluences : NO_INFLUENCES;
  view.castShadow = container.castShadow;
  view.receiveShadow = container.receiveShadow;
  view.renderOrder = container.renderOrder;
  view.matrixWorld = container.matrixWorld;
  // Copies only the mask, because a test of the container's own Layers object arms the container (pass-hook.ts).
  view.layers.mask = container.layers.mask;
  for (let k = 0; k < CALLBACKS.length; k++) copyCallback(view, container, CALLBACKS[k], level.reads.hasIdNodes);
}

/**
 * three's MeshletDrawingPipeline and VisibilityBufferDrawingPipeline draw meshes in batches, but only meshes without
 * callbacks of their own. So a view has own callbacks only if the container has. Exception: in a batch, nodes cannot
 * read the id of an instance. So a view with such nodes always has callbacks, which keep it out of batches.
 */
function copyCallback(
  view: InstancedMesh,
  container: DrawSource,
  name: (typeof CALLBACKS)[number],
  hasIdNodes: boolean,
): void {
  const isSet = hasIdNodes || container[name] !== Object3D.prototype[name];
  if (isSet === (view[name] !== Object3D.prototype[name])) return;
  // Reads the callback of the container when it is called.
  if (isSet) Reflect.set(view, name, (...args: unknown[]) => Reflect.apply(container[name], container, args));
  else Reflect.deleteProperty(view, name);
}

/**
 * The geometry that a view draws. Without instanced attributes it is the user's geometry itself. Otherwise it is a
 * geometry of the view that shares everything with the user's, except the instanced attributes: these hold one item for
 * each draw slot. One of them may be the ids.
 */
export class ViewGeometry {
  readonly geometry: BufferGeometry;
  /** The user's geometry. */
  readonly source: BufferGeometry;
  /** One for each instanced attribute, and one for the ids. */
  readonly columns: readonly ViewColumn<InstancedBufferAttribute>[];

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

/** Copies one column of the instances to the draw slots of a view. */
export class ViewColumn<Slots extends SlotItems = SlotItems> {
  readonly source: InstanceColumn<Slots>;
  /** What the view draws: one item for each draw slot. */
  readonly target: Slots;

  constructor(source: InstanceColumn<Slots>, capacity: number) {
    this.source = source;
    this.target = source.createSlots(capacity);
  }

  /** Copies the item of instance `idAt[slot]` to each of the first `count` slots in `slots`. */
  copy(slots: Uint32Array, count: number, idAt: Uint32Array): void {
    const { array: from, itemSize, stride, offset, idsPerItem } = this.source;
    const to = this.target.array;
    if (this.source instanceof StoredColumn && this.source.name === 'instanceMatrix') {
      copyMatrices(from, to, slots, count, idAt);
      return;
    }
    for (let k = 0; k < count; k++) {
      const slot = slots[k];
      const id = idAt[slot];
      const begin = offset + stride * (idsPerItem === 1 ? id : Math.floor(id / idsPerItem));
      const at = slot * itemSize;
      // An attribute that is too short reads as 0. `warnOfMissingItems` warns of it.
      if (begin + itemSize > from.length) to.fill(0, at, at + itemSize);
      else for (let component = 0; component < itemSize; component++) to[at + component] = from[begin + component];
    }
  }
}

/**
 * Copies two Float32 numbers at a time, as one Float64, in half the time. Some engines change NaN values in such a
 * copy, but matrices hold none.
 */
function copyMatrices(from: TypedArray, to: TypedArray, slots: Uint32Array, count: number, idAt: Uint32Array): void {
  const source = new Float64Array(from.buffer);
  const target = new Float64Array(to.buffer);
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const begin = 8 * idAt[slot];
    const at = 8 * slot;
    target[at] = source[begin];
    target[at + 1] = source[begin + 1];
    target[at + 2] = source[begin + 2];
    target[at + 3] = source[begin + 3];
    target[at + 4] = source[begin + 4];
    target[at + 5] = source[begin + 5];
    target[at + 6] = source[begin + 6];
    target[at + 7] = source[begin + 7];
  }
}
