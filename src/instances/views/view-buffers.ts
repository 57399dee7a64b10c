/** The buffers of a view with a fixed capacity and fixed columns; replaced when these no longer fit. */

import { Matrix4, type InstancedBufferAttribute } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import type { AttributeColumns, InstancedAttribute } from '../store/attribute-columns.ts';
import type { DrawSlots } from './draw-slots.ts';
import type { LevelMesh } from '../levels/instance-levels.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import type { MatrixHistory } from './matrix-history.ts';
import type { StoredColumn } from '../store/instance-column.ts';
import type { SlotMatrices } from '../store/slot-matrices.ts';
import { createViewMesh, ViewColumn, ViewGeometry, type ViewMesh } from './view-mesh.ts';

/**
 * log2 of the slots in a block. 64 matrices are 4 kB, which a processor copies in about the time of one upload call.
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

/** What views need of their container. */
export interface ViewContext {
  readonly container: { readonly id: number };
  readonly store: InstanceStore;
  readonly attributes: AttributeColumns;
}

export class ViewBuffers {
  readonly mesh: ViewMesh;
  readonly matrices: SlotMatrices;
  /** World matrix of the container when the mesh was last handed out. */
  private readonly drawnWorld = new Matrix4();
  private readonly context: ViewContext;
  private readonly capacity: number;
  private readonly geometry: ViewGeometry;
  private readonly needsIdAttribute: boolean;
  private readonly slots: DrawSlots;
  /**
   * First the store's columns that the level draws, in the same order, then the geometry's, then the columns that nodes
   * have read.
   */
  private readonly columns: ViewColumn[];
  private readonly storedCount: number;
  private readonly ranges: UploadRanges;

  constructor(context: ViewContext, level: LevelMesh, slots: DrawSlots, capacity: number) {
    const { container, store, attributes } = context;
    this.context = context;
    this.slots = slots;
    this.capacity = capacity;
    this.needsIdAttribute = level.reads.needsIdAttribute;
    this.geometry = new ViewGeometry(level.geometry, capacity, this.needsIdAttribute ? attributes.ids : null);
    this.mesh = createViewMesh(container.id, this.geometry.geometry, level.material, (attribute) =>
      this.slotItems(attribute),
    );
    const stored = columnsFor(level, store).map((column) => new ViewColumn(column, capacity));
    for (const { source, target } of stored) Reflect.set(this.mesh, source.name, target);
    this.matrices = stored[0].target as SlotMatrices;
    this.storedCount = stored.length;
    this.columns = [...stored, ...this.geometry.columns];
    this.ranges = new UploadRanges(capacity);
  }

  /** Whether the buffers can hold `count` instances with the columns that these have now. */
  isFor(level: LevelMesh, count: number): boolean {
    const columns = columnsFor(level, this.context.store);
    return (
      count <= this.capacity &&
      level.geometry === this.geometry.source &&
      level.reads.needsIdAttribute === this.needsIdAttribute &&
      columns.length === this.storedCount &&
      columns.every((column, k) => this.columns[k].source === column) &&
      this.geometry.trySync()
    );
  }

  /** Called by nodes while the mesh is drawn for the first time: adds a column. */
  private slotItems(attribute: InstancedAttribute | null): InstancedBufferAttribute {
    const column = this.context.attributes.ofNode(attribute);
    for (const { source, target } of this.columns) if (source === column) return target as InstancedBufferAttribute;
    const added = new ViewColumn(column, this.capacity);
    const { idAt, count } = this.slots;
    added.copy(Uint32Array.from(idAt.subarray(0, count).keys()), count, idAt);
    this.columns.push(added);
    return added.target;
  }

  copy(slots: IndexList, idAt: Uint32Array): void {
    for (const column of this.columns) column.copy(slots.array, slots.length, idAt);
  }

  /** Schedules the upload of the listed slots. @param count Number of slots in use. */
  upload(slots: IndexList, count: number): void {
    for (let k = 0; k < slots.length; k++) this.ranges.mark(slots.array[k]);
    this.ranges.flush(this.columns, count);
  }

  /**
   * Corrects the renderer's copy of the matrices of the last frame, in which each changed slot still has the matrix of
   * another instance.
   */
  writePrevious(history: MatrixHistory, slots: DrawSlots, world: Matrix4): void {
    const { matrices, drawnWorld } = this;
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
   * Sets the number of slots to draw. WebGPURenderer does not read the morph texture of a mesh with a single instance:
   * then a second one is drawn too, with a matrix of zeros, which gives no pixels.
   */
  setCount(count: number): void {
    this.mesh.count = count;
    if (count !== 1 || this.mesh.morphTexture === null) return;
    this.mesh.count = 2;
    const second = this.mesh.instanceMatrix.array.subarray(MATRIX_STRIDE, 2 * MATRIX_STRIDE);
    if (second.every((element) => element === 0)) return;
    second.fill(0);
    this.ranges.mark(1);
    this.ranges.flush(this.columns, 2);
  }

  dispose(): void {
    this.mesh.dispose();
    this.geometry.dispose();
  }
}

/**
 * The columns of the store that a level draws. A shader for a geometry without morph targets does not compile if there
 * are influences.
 */
function columnsFor({ geometry }: LevelMesh, { columns, morph }: InstanceStore): readonly StoredColumn[] {
  const { position, normal, color } = geometry.morphAttributes;
  return morph === null || (position ?? normal ?? color) !== undefined
    ? columns
    : columns.filter((column) => column !== morph);
}

/**
 * The parts of a view's buffers that must be uploaded. One update range for each changed slot would cost more than the
 * copying it saves. So slots are marked in blocks, and neighbouring blocks become one range.
 */
class UploadRanges {
  /** By block: 1 if one of its slots has changed. */
  private readonly marks: Uint8Array;

  constructor(capacity: number) {
    this.marks = new Uint8Array((capacity >> BLOCK_BITS) + 1);
  }

  mark(slot: number): void {
    this.marks[slot >> BLOCK_BITS] = 1;
  }

  /** Adds an update range to all items for each marked part of the first `count` slots, and removes all marks. */
  flush(columns: readonly ViewColumn[], count: number): void {
    const { marks } = this;
    const blocks = Math.ceil(count / BLOCK);
    for (let block = 0; block < blocks; block++) {
      if (marks[block] === 0) continue;
      let end = block + 1;
      for (let ahead = end; ahead < blocks && ahead <= end + MAX_GAP; ahead++) if (marks[ahead] !== 0) end = ahead + 1;
      const from = block * BLOCK;
      const length = Math.min(end * BLOCK, count) - from;
      for (const { target } of columns) target.addUpdateRange(from * target.itemSize, length * target.itemSize);
      block = end;
    }
    marks.fill(0);
    for (const { target } of columns) {
      if (target.updateRanges.length > MAX_RANGES) {
        target.clearUpdateRanges();
        target.addUpdateRange(0, target.array.length);
      }
      target.needsUpdate = true;
    }
  }
}
