/** What one pass draws of one level of detail: an InstancedMesh that holds only the instances in the pass. */

import type { InstancedMesh, Matrix4 } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { IdOrder } from './draw-order.ts';
import { DrawSlots } from './draw-slots.ts';
import type { LevelMesh } from '../levels/instance-levels.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import type { MatrixHistory } from './matrix-history.ts';
import { ViewBuffers, type ViewContext } from './view-buffers.ts';

/** Draw slots: 64 matrices are 4 kB, too little to be worth a smaller buffer. */
const MIN_CAPACITY = 64;

export class InstanceView {
  private readonly context: ViewContext;
  private readonly store: InstanceStore;
  private readonly level: LevelMesh;
  private readonly slots = new DrawSlots();
  private readonly ids = new IndexList(0);
  private isInOrder = true;
  private buffers: ViewBuffers | null = null;
  /** Time of the store up to which changes are copied. */
  private syncedAt = 0;

  constructor(context: ViewContext, level: LevelMesh) {
    this.context = context;
    this.store = context.store;
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
    if (isInOrder) slots.assignInOrder(ids.array, ids.length, store.idEnd);
    else slots.assign(ids.array, ids.length, store.idEnd);
  }

  /** Puts the instances in the order of their ids. Does nothing if the last assignment was in a required order. */
  putInOrder(order: IdOrder): void {
    if (this.isInOrder) return;
    const { slots, store, ids } = this;
    ids.length = 0;
    ids.reserve(slots.count);
    ids.array.set(slots.idAt.subarray(0, slots.count));
    ids.length = slots.count;
    order.sort(ids, store.idEnd);
    this.assign(ids, true);
  }

  /**
   * Brings the buffers up to date and returns the mesh to draw; null if the view holds no instance.
   *
   * @param world World matrix of the container.
   */
  updatedMesh(history: MatrixHistory, world: Matrix4): InstancedMesh | null {
    const { store, slots, level } = this;
    const time = store.takeTime();
    if (this.buffers?.isFor(level, slots.count) !== true) this.rebuild(history);
    else this.copyChanged(this.buffers, time);
    if (slots.count > 0) this.buffers?.writePrevious(history, slots, world);
    slots.changed.length = 0;
    this.syncedAt = time;
    if (this.buffers === null || slots.count === 0) return null;
    this.buffers.setCount(slots.count);
    return this.buffers.mesh;
  }

  dispose(): void {
    this.buffers?.dispose();
    this.buffers = null;
  }

  /** Creates new buffers. They are uploaded as a whole, so no update ranges are set. */
  private rebuild(history: MatrixHistory): void {
    const { slots } = this;
    this.dispose();
    if (slots.count === 0) return;
    const buffers = new ViewBuffers(this.context, this.level, slots, capacityFor(slots.count));
    buffers.matrices.onRequest = () => history.start(buffers.mesh.matrixWorld);
    this.buffers = buffers;
    slots.changeAll();
    buffers.copy(slots.changed, slots.idAt);
  }

  /** Copies the slots that hold another instance than before, or whose instance has changed. */
  private copyChanged(buffers: ViewBuffers, time: number): void {
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
    if (time !== syncedAt)
      for (let slot = 0; slot < count; slot++) if (changedAt[idAt[slot]] > syncedAt) changed.push(slot);
    if (changed.length === 0) return;
    buffers.copy(changed, idAt);
    buffers.upload(changed, count);
  }
}

/** The next power of two: each growth replaces all buffers, so it must be rare. */
function capacityFor(count: number): number {
  return Math.max(MIN_CAPACITY, 2 ** (32 - Math.clz32(count - 1)));
}
