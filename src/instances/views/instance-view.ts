/**
 * What one pass draws of one level of detail: an InstancedMesh that holds only the instances in the pass, and its
 * buffers, with a fixed capacity and fixed columns. They are replaced when these no longer fit.
 */

import { Matrix4, type InstancedBufferAttribute, type InstancedMesh } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import { capacityFor } from '../../three/passes/pass-registry.ts';
import { LastRenderer } from '../../three/passes/pass-renderer.ts';
import { Values } from '../../three/detector/values.ts';
import { instancedAttributesOf, type AttributeColumns, type InstancedAttribute } from '../store/attribute-columns.ts';
import type { SlotItems, StoredColumn } from '../store/instance-column.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import type { SlotMatrices } from '../store/slot-matrices.ts';
import type { DrawSource, LevelMesh } from '../levels/instance-levels.ts';
import { sortIds } from './draw-order.ts';
import { DrawSlots } from './draw-slots.ts';
import type { MatrixHistory } from './matrix-history.ts';
import { ViewColumn, ViewGeometry } from './view-columns.ts';
import { copyDrawState, createViewMesh, type ViewMesh } from './view-mesh.ts';

/**
 * log2 of the draw slots in a block. 64 matrices are 4 kB, which a processor copies in about the time of one upload
 * call. Test of this and the next two: test/instances/instances.test.ts.
 */
const BLOCK_BITS = 6;
const BLOCK = 1 << BLOCK_BITS;
/** Unchanged blocks between two changed ones that are uploaded too: cheaper than a second range. */
const MAX_GAP = 2;
/**
 * If an attribute has more update ranges, one range for the whole attribute replaces them: a view that is updated but
 * not drawn would collect ever more.
 */
const MAX_RANGES = 1024;

/** What a view reads of its container. */
export interface ViewedContainer extends DrawSource {
  readonly store: InstanceStore;
  readonly attributes: AttributeColumns;
}

export class InstanceView {
  private readonly container: ViewedContainer;
  private readonly level: LevelMesh;
  private readonly history: MatrixHistory;
  readonly slots = new DrawSlots();
  private isInOrder = true;
  buffers: ViewBuffers | null = null;
  /** What the buffers were made for, but for the number of instances. */
  private readonly sources = new Values();
  private readonly renderer = new LastRenderer();
  /** Time of the store up to which changes are copied. */
  syncedAt = 0;

  constructor(container: ViewedContainer, level: LevelMesh, history: MatrixHistory) {
    this.container = container;
    this.level = level;
    this.history = history;
  }

  /**
   * Chooses the instances that the view holds from now on.
   *
   * @param isInOrder Whether they must be drawn in the order of the list.
   */
  assign({ array, length }: IndexList, isInOrder: boolean): void {
    const { idEnd } = this.container.store;
    this.isInOrder = isInOrder;
    if (isInOrder) this.slots.assignInOrder(array, length, idEnd);
    else this.slots.assign(array, length, idEnd);
  }

  /** Puts the instances in the order of their ids. Does nothing if the last assignment was in a required order. */
  putInOrder(): void {
    if (this.isInOrder) return;
    const { slots } = this;
    const { idEnd } = this.container.store;
    const ids = slots.idAt.slice(0, slots.count);
    sortIds(ids, ids.length, idEnd);
    slots.assignInOrder(ids, ids.length, idEnd);
    this.isInOrder = true;
  }

  /** Brings the buffers up to date and returns the mesh to draw; null if the view holds no instance. */
  updatedMesh(): InstancedMesh | null {
    const { container, slots, level, history } = this;
    const { store, matrixWorld } = container;
    if (slots.count === 0) return null;
    const time = store.takeTime();
    const isOther = this.sources.take((values) => {
      values.push(level.geometry, needsIds(level), ...storedColumnsOf(level, store));
      for (const attribute of instancedAttributesOf(level.geometry)) values.push(...attribute);
    });
    if (this.buffers === null || isOther || slots.count > this.buffers.capacity) {
      this.dispose();
      this.buffers = new ViewBuffers(container, level, slots, history);
    } else this.copyChanged(this.buffers, time);
    this.buffers.writePrevious(history, matrixWorld);
    slots.changed.length = 0;
    this.syncedAt = time;
    this.buffers.updateCount();
    if (this.renderer.isOther(container)) this.buffers.uploadAll();
    copyDrawState(this.buffers.mesh, container, level);
    return this.buffers.mesh;
  }

  dispose(): void {
    this.buffers?.dispose();
    this.buffers = null;
  }

  /** Copies the slots that hold another instance than before, or whose instance has changed. */
  private copyChanged(buffers: ViewBuffers, time: number): void {
    const { changed, idAt, count } = this.slots;
    const { changedAt } = this.container.store;
    const { syncedAt } = this;
    let kept = 0;
    for (let k = 0; k < changed.length; k++) {
      const slot = changed.array[k];
      // An assignment may fill a slot and then free it again, when the view gets smaller.
      if (slot < count) changed.array[kept++] = slot;
    }
    changed.length = kept;
    if (time !== syncedAt)
      for (let slot = 0; slot < count; slot++) if (changedAt[idAt[slot]] > syncedAt) changed.push(slot);
    buffers.copy();
    if (changed.length > 0) buffers.upload(changed.array, changed.length, count);
  }
}

class ViewBuffers {
  readonly mesh: ViewMesh;
  /** Number of draw slots. */
  readonly capacity: number;
  private readonly slots: DrawSlots;
  private readonly geometry: ViewGeometry;
  /** The store's columns that the level draws, the matrices first; the geometry's; then those that nodes have read. */
  private readonly columns: ViewColumn[];
  readonly matrices: SlotMatrices;
  /** World matrix of the container when the mesh was last handed out. */
  private readonly drawnWorld = new Matrix4();
  /** By block of draw slots: 1 if one of them must be uploaded. */
  private readonly marks: Uint8Array;

  /** Copies all slots. The buffers are uploaded as a whole, so no update ranges are set. */
  constructor({ id, store, attributes }: ViewedContainer, level: LevelMesh, slots: DrawSlots, history: MatrixHistory) {
    const capacity = capacityFor(slots.count);
    this.capacity = capacity;
    this.slots = slots;
    this.marks = new Uint8Array((capacity >> BLOCK_BITS) + 1);
    this.geometry = new ViewGeometry(level.geometry, capacity, needsIds(level) ? attributes.ids : null);
    this.mesh = createViewMesh(id, this.geometry.geometry, level.material, (attribute) =>
      this.slotItems(attributes, attribute),
    );
    const stored = storedColumnsOf(level, store).map((column) => new ViewColumn(column, capacity));
    for (const { source, target } of stored) Reflect.set(this.mesh, source.name, target);
    this.matrices = stored[0].target as SlotMatrices;
    this.matrices.onRequest = () => history.start(this.mesh.matrixWorld);
    this.columns = [...stored, ...this.geometry.columns];
    slots.changeAll();
    this.copy();
  }

  /** Copies the changed slots, and the user's geometry. */
  copy(): void {
    const { idAt, changed } = this.slots;
    this.geometry.sync();
    for (const column of this.columns) column.copy(changed.array, changed.length, idAt);
  }

  /** Called by nodes while the mesh is drawn for the first time: adds a column. */
  private slotItems(attributes: AttributeColumns, attribute: InstancedAttribute | null): InstancedBufferAttribute {
    const column = attributes.ofNode(attribute);
    for (const { source, target } of this.columns) if (source === column) return target as InstancedBufferAttribute;
    const added = new ViewColumn(column, this.capacity);
    const { idAt, count } = this.slots;
    added.copy(Uint32Array.from(idAt.subarray(0, count).keys()), count, idAt);
    this.columns.push(added);
    return added.target;
  }

  /**
   * Schedules the upload of the listed slots. One update range for each would cost more than the copying it saves, so
   * slots are marked in blocks, and neighbouring blocks become one range.
   *
   * @param count Number of slots in use.
   */
  upload(slots: ArrayLike<number>, length: number, count: number): void {
    const { marks, columns } = this;
    for (let k = 0; k < length; k++) marks[slots[k] >> BLOCK_BITS] = 1;
    const blocks = Math.ceil(count / BLOCK);
    for (let block = 0; block < blocks; block++) {
      if (marks[block] === 0) continue;
      let end = block + 1;
      for (let ahead = end; ahead < blocks && ahead <= end + MAX_GAP; ahead++) if (marks[ahead] !== 0) end = ahead + 1;
      const from = block * BLOCK;
      const items = Math.min(end * BLOCK, count) - from;
      for (const { target } of columns) target.addUpdateRange(from * target.itemSize, items * target.itemSize);
      block = end;
    }
    marks.fill(0);
    for (const { target } of columns) {
      if (target.updateRanges.length > MAX_RANGES) uploadWhole(target);
      target.needsUpdate = true;
    }
  }

  /** Has the next upload take all slots, whatever has changed. */
  uploadAll(): void {
    for (const { target } of this.columns) uploadWhole(target);
  }

  /**
   * Corrects the renderer's copy of the matrices of the last frame, in which each changed slot still has the matrix of
   * another instance.
   */
  writePrevious(history: MatrixHistory, world: Matrix4): void {
    const { matrices, drawnWorld, slots } = this;
    if (history.isStarted) {
      // For a mesh that it has not drawn yet, the renderer takes the current world matrix for the last one.
      if (matrices.clones.length === 0) drawnWorld.copy(world);
      if (matrices.clones.length === 0 || !drawnWorld.equals(history.world)) slots.changeAll();
      if (slots.changed.length > 0) {
        for (const target of matrices.previousArrays()) history.write(target, slots, drawnWorld);
        matrices.uploadPrevious();
      }
    }
    drawnWorld.copy(world);
  }

  /**
   * Draws the slots in use. WebGPURenderer does not read the morph texture of a mesh with a single instance: then a
   * second one is drawn too, with a matrix of zeros, which gives no pixels.
   */
  updateCount(): void {
    const { mesh, slots } = this;
    mesh.count = slots.count;
    if (slots.count !== 1 || mesh.morphTexture === null) return;
    mesh.count = 2;
    const second = mesh.instanceMatrix.array.subarray(MATRIX_STRIDE, 2 * MATRIX_STRIDE);
    if (second.every((element) => element === 0)) return;
    second.fill(0);
    this.upload([1], 1, 2);
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.dispose();
  }
}

function uploadWhole(target: SlotItems): void {
  target.clearUpdateRanges();
  target.addUpdateRange(0, target.array.length);
}

/** Whether a view needs ids as an attribute of its geometry. If the user's has one of this name, that one is drawn. */
function needsIds({ reads, geometry }: LevelMesh): boolean {
  return reads.needsIdAttribute && !('instanceId' in geometry.attributes);
}

/**
 * The columns of the store that a level draws. A shader for a geometry without morph targets does not compile if there
 * are influences.
 */
function storedColumnsOf({ geometry }: LevelMesh, { columns, morph }: InstanceStore): readonly StoredColumn[] {
  const { position, normal, color } = geometry.morphAttributes;
  return morph === null || (position ?? normal ?? color) !== undefined
    ? columns
    : columns.filter((column) => column !== morph);
}
