/** What one pass draws of one level of detail: an InstancedMesh that holds only the instances in the pass. */

import { InstancedMesh, Matrix4, type Mesh } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { IdOrder } from './draw-order.ts';
import { DrawSlots } from './draw-slots.ts';
import type { SlotItems } from './instance-column.ts';
import { MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';
import type { MatrixHistory } from './matrix-history.ts';
import type { SlotMatrices } from './slot-matrices.ts';
import { UploadRanges } from './upload-ranges.ts';
import { ViewColumn } from './view-column.ts';
import { ViewGeometry } from './view-geometry.ts';

/** Draw slots: 64 matrices are 4 kB, too little to be worth a smaller buffer. */
const MIN_CAPACITY = 64;

export class InstanceView {
  private readonly store: InstanceStore;
  /** Has the geometry and the material of the level. */
  private readonly level: Mesh;
  private readonly slots = new DrawSlots();
  private readonly ids = new IndexList(0);
  private isInOrder = true;
  private buffers: ViewBuffers | null = null;
  /** Time of the store up to which changes are copied. */
  private syncedAt = 0;

  constructor(store: InstanceStore, level: Mesh) {
    this.store = store;
    this.level = level;
  }

  /**
   * Chooses the instances that the view holds from now on.
   *
   * @param isInOrder Whether they must be drawn in the order of the list.
   */
  assign(ids: IndexList, isInOrder: boolean): void {
    const { slots, store } = this;
    this.isInOrder = isInOrder;
    if (isInOrder) slots.assignInOrder(ids.array, ids.length, store.limit);
    else slots.assign(ids.array, ids.length, store.limit);
  }

  /** Gives the instances of the view, unless they are in some order, that of their ids. */
  putInOrder(order: IdOrder): void {
    if (this.isInOrder) return;
    const { slots, store, ids } = this;
    ids.length = 0;
    ids.reserve(slots.count);
    ids.array.set(slots.idAt.subarray(0, slots.count));
    ids.length = slots.count;
    order.sort(ids, store.limit);
    this.assign(ids, true);
  }

  /**
   * Brings the buffers up to date. Returns the mesh to draw; null if the view holds no instance.
   *
   * @param world World matrix of the container.
   */
  sync(history: MatrixHistory, world: Matrix4): InstancedMesh | null {
    const { store, slots, level } = this;
    const { clock } = store;
    if (this.buffers?.isFor(level, slots.count) !== true) this.rebuild(history);
    else this.copyChanged(this.buffers, clock);
    if (slots.count > 0) this.buffers?.writePrevious(history, slots, world);
    slots.changed.length = 0;
    this.syncedAt = clock;
    if (this.buffers === null || slots.count === 0) return null;
    this.buffers.setCount(slots.count);
    return this.buffers.mesh;
  }

  dispose(): void {
    this.buffers?.dispose();
    this.buffers = null;
  }

  /** New buffers are uploaded entirely: no ranges. */
  private rebuild(history: MatrixHistory): void {
    const { slots, store } = this;
    const { changed, count } = slots;
    this.dispose();
    if (count === 0) return;
    const buffers = new ViewBuffers(this.level, store, capacityFor(count));
    buffers.matrices.watch(() => history.start(buffers.mesh.matrixWorld));
    this.buffers = buffers;
    changed.length = 0;
    for (let slot = 0; slot < count; slot++) changed.push(slot);
    buffers.copy(changed, slots.idAt);
  }

  /** Copies the slots that have got another instance, and those whose instance has changed. */
  private copyChanged(buffers: ViewBuffers, clock: number): void {
    const { changed, idAt, count } = this.slots;
    const { changedAt } = this.store;
    const { syncedAt } = this;
    let kept = 0;
    for (let k = 0; k < changed.length; k++) {
      const slot = changed.array[k];
      // An assignment may fill a slot and then free it again, when the view gets smaller.
      if (slot < count) changed.array[kept++] = slot;
    }
    changed.length = kept;
    if (clock !== syncedAt) for (let slot = 0; slot < count; slot++) if (changedAt[idAt[slot]] > syncedAt) changed.push(slot);
    if (changed.length === 0) return;
    buffers.copy(changed, idAt);
    buffers.upload(changed, count);
  }
}

/** The buffers of a view with a fixed capacity and fixed columns; replaced when these no longer fit. */
class ViewBuffers {
  readonly mesh: InstancedMesh;
  readonly matrices: SlotMatrices;
  /** World matrix of the container when the mesh was last handed out. */
  private readonly drawnWorld = new Matrix4();
  private readonly store: InstanceStore;
  private readonly capacity: number;
  private readonly geometry: ViewGeometry;
  private readonly source: Mesh['geometry'];
  /** The columns of the store, in the same order, then the columns of the geometry. */
  private readonly columns: readonly ViewColumn[];
  private readonly storedCount: number;
  private readonly targets: readonly SlotItems[];
  private readonly ranges: UploadRanges;

  constructor(level: Mesh, store: InstanceStore, capacity: number) {
    this.store = store;
    this.capacity = capacity;
    this.source = level.geometry;
    this.geometry = new ViewGeometry(level.geometry, capacity);
    this.mesh = new InstancedMesh(this.geometry.geometry, level.material, 0);
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.matrixWorldAutoUpdate = false;
    const stored = store.columns.map((column) => new ViewColumn(column, capacity));
    for (const { source, target } of stored) Reflect.set(this.mesh, source.name, target);
    this.matrices = stored[0].target as SlotMatrices;
    this.storedCount = stored.length;
    this.columns = [...stored, ...this.geometry.columns];
    this.targets = this.columns.map(({ target }) => target);
    this.ranges = new UploadRanges(capacity);
  }

  /** Whether the buffers can hold `count` instances with the columns that these have now. */
  isFor(level: Mesh, count: number): boolean {
    return count <= this.capacity && this.hasColumnsOfStore() && level.geometry === this.source && this.geometry.sync();
  }

  copy(slots: IndexList, idAt: Uint32Array): void {
    for (const column of this.columns) column.copy(slots.array, slots.length, idAt);
  }

  /** Schedules the upload of the listed ones of the first `count` slots. */
  upload(slots: IndexList, count: number): void {
    for (let k = 0; k < slots.length; k++) this.ranges.mark(slots.array[k]);
    this.ranges.flush(this.targets, count);
  }

  /** Corrects the renderer's copy of the matrices of the last frame, in which a changed slot has those of another instance. */
  writePrevious(history: MatrixHistory, { changed, idAt, count }: DrawSlots, world: Matrix4): void {
    const { matrices, drawnWorld } = this;
    if (history.isStarted) {
      // A renderer that has not drawn the mesh so far takes the present world matrix for that of the last frame.
      if (matrices.clones.length === 0) drawnWorld.copy(world);
      if (matrices.clones.length === 0 || !drawnWorld.equals(history.world)) {
        changed.length = 0;
        for (let slot = 0; slot < count; slot++) changed.push(slot);
      }
      if (changed.length > 0) {
        for (const target of matrices.previousArrays()) history.write(target, changed.array, changed.length, idAt, drawnWorld);
        matrices.uploadPrevious();
      }
    }
    drawnWorld.copy(world);
  }

  /**
   * Sets the number of slots to draw. WebGPURenderer does not read the morph texture of a mesh with a single instance: then a second one is
   * drawn too, with a matrix of zeros, which gives no pixels.
   */
  setCount(count: number): void {
    this.mesh.count = count;
    if (count !== 1 || this.mesh.morphTexture === null) return;
    this.mesh.count = 2;
    const second = this.mesh.instanceMatrix.array.subarray(MATRIX_STRIDE, 2 * MATRIX_STRIDE);
    if (second.every((element) => element === 0)) return;
    second.fill(0);
    this.ranges.mark(1);
    this.ranges.flush(this.targets, 2);
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.dispose();
  }

  private hasColumnsOfStore(): boolean {
    const { columns } = this.store;
    if (columns.length !== this.storedCount) return false;
    for (let k = 0; k < columns.length; k++) if (this.columns[k].source !== columns[k]) return false;
    return true;
  }
}

/** The next power of two: each growth replaces all buffers, so it must be rare. */
function capacityFor(count: number): number {
  return Math.max(MIN_CAPACITY, 2 ** (32 - Math.clz32(count - 1)));
}
