/** What one pass draws of one level of detail: an InstancedMesh that holds just the instances which the pass sees. */

import { InstancedBufferAttribute, InstancedMesh, type Mesh } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { COLOR_STRIDE, MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';
import { UploadRanges } from './upload-ranges.ts';
import { ViewGeometry } from './view-geometry.ts';
import { DrawSlots } from './draw-slots.ts';

/** Below this a larger view costs nothing. */
const MIN_CAPACITY = 64;

export class InstanceView {
  private readonly store: InstanceStore;
  /** Geometry and material of the level. */
  private readonly level: Mesh;
  private readonly seats = new DrawSlots();
  private built: BuiltView | null = null;
  /** Time of the store up to which changes are copied. */
  private syncedAt = 0;

  constructor(store: InstanceStore, level: Mesh) {
    this.store = store;
    this.level = level;
  }

  /**
   * Says which instances the view holds from now on.
   *
   * @param isInOrder Whether they must be drawn in the order of the list.
   */
  assign(ids: IndexList, isInOrder: boolean): void {
    const { seats, store } = this;
    if (isInOrder) seats.assignInOrder(ids.array, ids.length, store.limit);
    else seats.assign(ids.array, ids.length, store.limit);
  }

  /** What draws them as they are now; null if there are none. */
  draw(): InstancedMesh | null {
    const { store, seats, level } = this;
    const { clock } = store;
    if (this.built?.isFor(level, seats.count, store.colors !== null) !== true) this.rebuild();
    else this.copyChanged(this.built, clock);
    seats.changed.length = 0;
    this.syncedAt = clock;
    if (this.built === null || seats.count === 0) return null;
    this.built.mesh.count = seats.count;
    return this.built.mesh;
  }

  dispose(): void {
    this.built?.dispose();
    this.built = null;
  }

  private rebuild(): void {
    const { seats, store } = this;
    this.dispose();
    if (seats.count === 0) return;
    this.built = new BuiltView(this.level, store, capacityFor(seats.count));
    this.built.fill(seats);
  }

  private copyChanged(built: BuiltView, clock: number): void {
    const { changed, idAt, count } = this.seats;
    const { changedAt } = this.store;
    const { syncedAt } = this;
    let copies = 0;
    for (let k = 0; k < changed.length; k++) {
      const seat = changed.array[k];
      // Seats beyond the count were given back in the same assignment.
      if (seat >= count) continue;
      built.copy(idAt[seat], seat);
      copies++;
    }
    if (clock !== syncedAt) {
      for (let seat = 0; seat < count; seat++) {
        if (changedAt[idAt[seat]] <= syncedAt) continue;
        built.copy(idAt[seat], seat);
        copies++;
      }
    }
    if (copies > 0) built.upload(count);
  }
}

/** The buffers of a view, for a number of instances; replaced by others when they do not fit any more. */
class BuiltView {
  readonly mesh: InstancedMesh;
  private readonly store: InstanceStore;
  private readonly capacity: number;
  private readonly geometry: ViewGeometry;
  private readonly source: Mesh['geometry'];
  private readonly matrices: Float32Array;
  private readonly colors: Float32Array | null;
  private readonly attributes: InstancedBufferAttribute[];
  private readonly ranges: UploadRanges;

  constructor(level: Mesh, store: InstanceStore, capacity: number) {
    this.store = store;
    this.capacity = capacity;
    this.source = level.geometry;
    this.geometry = new ViewGeometry(level.geometry, capacity);
    this.mesh = new InstancedMesh(this.geometry.geometry, level.material, 0);
    this.matrices = new Float32Array(capacity * MATRIX_STRIDE);
    this.mesh.instanceMatrix = new InstancedBufferAttribute(this.matrices, MATRIX_STRIDE);
    this.colors = store.colors === null ? null : new Float32Array(capacity * COLOR_STRIDE);
    if (this.colors !== null) this.mesh.instanceColor = new InstancedBufferAttribute(this.colors, COLOR_STRIDE);
    this.attributes = [this.mesh.instanceMatrix, ...(this.mesh.instanceColor === null ? [] : [this.mesh.instanceColor]), ...this.geometry.attributes];
    this.ranges = new UploadRanges(capacity);
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.matrixWorldAutoUpdate = false;
  }

  isFor(level: Mesh, count: number, isColored: boolean): boolean {
    return count <= this.capacity && isColored === (this.colors !== null) && level.geometry === this.source && this.geometry.follow();
  }

  /** Copies all instances; new buffers are uploaded as a whole. */
  fill({ idAt, count }: DrawSlots): void {
    for (let seat = 0; seat < count; seat++) this.copy(idAt[seat], seat);
    this.ranges.clear();
  }

  /** Copies an instance into a seat. */
  copy(id: number, seat: number): void {
    const { matrices, colors, store } = this;
    const from = store.matrices;
    for (let lane = 0, a = id * MATRIX_STRIDE, b = seat * MATRIX_STRIDE; lane < MATRIX_STRIDE; lane++) matrices[b + lane] = from[a + lane];
    if (colors !== null && store.colors !== null) {
      for (let lane = 0; lane < COLOR_STRIDE; lane++) colors[seat * COLOR_STRIDE + lane] = store.colors[id * COLOR_STRIDE + lane];
    }
    this.geometry.copy(id, seat);
    this.ranges.mark(seat);
  }

  upload(count: number): void {
    this.ranges.flush(this.attributes, count);
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.dispose();
  }
}

/** The next power of two: a view that grows is built anew, which must not happen often. */
function capacityFor(count: number): number {
  return Math.max(MIN_CAPACITY, 2 ** (32 - Math.clz32(count - 1)));
}
