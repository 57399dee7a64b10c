/** What one pass draws of one level of detail: an InstancedMesh that holds only the instances in the pass. */

import type { InstancedMesh, Matrix4 } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import { Snapshot } from '../../three/passes/snapshot.ts';
import type { IdOrder } from './draw-order.ts';
import { DrawSlots } from './draw-slots.ts';
import type { LevelMesh } from '../levels/instance-levels.ts';
import type { MatrixHistory } from './matrix-history.ts';
import { addSources, ViewBuffers, type ViewContext } from './view-buffers.ts';

export class InstanceView {
  private readonly context: ViewContext;
  private readonly level: LevelMesh;
  private readonly slots = new DrawSlots();
  private readonly ids = new IndexList(0);
  private isInOrder = true;
  private buffers: ViewBuffers | null = null;
  /** What the buffers were made for. */
  private readonly sources = new Snapshot();
  private isCopying = false;
  /** Time of the store up to which changes are copied. */
  private syncedAt = 0;

  constructor(context: ViewContext, level: LevelMesh) {
    this.context = context;
    this.level = level;
  }

  /**
   * Chooses the instances that the view holds from now on.
   *
   * @param isInOrder Whether they must be drawn in the order of the list.
   */
  assign(ids: IndexList, isInOrder: boolean): void {
    const { idEnd } = this.context.store;
    this.isInOrder = isInOrder;
    if (isInOrder) this.slots.assignInOrder(ids.array, ids.length, idEnd);
    else this.slots.assign(ids.array, ids.length, idEnd);
  }

  /** Puts the instances in the order of their ids. Does nothing if the last assignment was in a required order. */
  putInOrder(order: IdOrder): void {
    if (this.isInOrder) return;
    const { slots, ids } = this;
    ids.length = 0;
    ids.reserve(slots.count);
    ids.array.set(slots.idAt.subarray(0, slots.count));
    ids.length = slots.count;
    order.sort(ids, this.context.store.idEnd);
    this.assign(ids, true);
  }

  /**
   * Brings the buffers up to date and returns the mesh to draw; null if the view holds no instance.
   *
   * @param world World matrix of the container.
   */
  updatedMesh(history: MatrixHistory, world: Matrix4): InstancedMesh | null {
    const { context, slots, level } = this;
    if (slots.count === 0) return null;
    const time = context.store.takeTime();
    const isOther = this.sources.take((values) => addSources(values, context, level)) || this.isCopying;
    // True after an error: then the buffers hold a part of the changes.
    this.isCopying = true;
    if (this.buffers === null || isOther || slots.count > this.buffers.capacity) {
      this.dispose();
      this.buffers = new ViewBuffers(context, level, slots, history);
    } else this.copyChanged(this.buffers, time);
    this.buffers.writePrevious(history, world);
    slots.changed.length = 0;
    this.syncedAt = time;
    this.buffers.updateCount();
    this.isCopying = false;
    return this.buffers.mesh;
  }

  dispose(): void {
    this.buffers?.dispose();
    this.buffers = null;
  }

  /** Copies the slots that hold another instance than before, or whose instance has changed. */
  private copyChanged(buffers: ViewBuffers, time: number): void {
    const { changed, idAt, count } = this.slots;
    const { changedAt } = this.context.store;
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
