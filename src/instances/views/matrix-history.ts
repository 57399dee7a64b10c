/**
 * The matrices of the last frame, for motion vectors. WebGPURenderer keeps the matrices with which a mesh was drawn
 * last, by draw slot. Once an instance has moved to another slot, the matrix in its slot is that of another instance.
 * So a pass keeps all matrices by id, from the first frame on in which the renderer requests them, and views correct
 * the renderer's copy.
 */

import { Matrix4 } from 'three';
import { resized } from '../../math/typed-arrays.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import type { DrawSlots } from './draw-slots.ts';

export class MatrixHistory {
  isStarted = false;
  /** World matrix of the container in the last frame. */
  readonly world: Matrix4 = new Matrix4();

  private readonly store: InstanceStore;
  /** By id. */
  private matrices = new Float32Array(0);
  /** `store.takeTime()` in the last frame. */
  private time = 0;

  constructor(store: InstanceStore) {
    this.store = store;
  }

  /** Starts with the current matrices. */
  start(world: Matrix4): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.time = -1;
    this.advance(world);
  }

  /**
   * Call at the end of a frame: stores the current matrices for the next one. Cost: a step for each id if any instance
   * has changed.
   */
  advance(world: Matrix4): void {
    if (!this.isStarted) return;
    const { store } = this;
    const { matrices, idEnd, changedAt } = store;
    const now = store.takeTime();
    this.world.copy(world);
    if (this.matrices.length < matrices.length) this.matrices = resized(this.matrices, matrices.length);
    if (now === this.time) return;
    for (let id = 0; id < idEnd; id++) if (changedAt[id] > this.time) copyMatrix(matrices, id, this.matrices, id);
    this.time = now;
  }

  /**
   * Writes the matrices of the last frame to the changed slots. An instance that did not exist then has its current
   * matrix.
   *
   * @param drawnWorld The world matrix that the renderer uses as the container's of the last frame.
   */
  write(target: Float32Array, { changed, idAt }: DrawSlots, drawnWorld: Matrix4): void {
    const { store, matrices, time, world } = this;
    // The renderer multiplies by `drawnWorld`, but the matrices of the last frame belong to `world`.
    const correction =
      drawnWorld.equals(world) || drawnWorld.determinant() === 0
        ? null
        : write_correction.copy(drawnWorld).invert().multiply(world);
    for (let k = 0; k < changed.length; k++) {
      const slot = changed.array[k];
      const id = idAt[slot];
      copyMatrix(store.createdAt[id] > time ? store.matrices : matrices, id, target, slot);
      if (correction === null) continue;
      write_matrix
        .fromArray(target, slot * MATRIX_STRIDE)
        .premultiply(correction)
        .toArray(target, slot * MATRIX_STRIDE);
    }
  }
}
const write_correction = /* @__PURE__ */ new Matrix4();
const write_matrix = /* @__PURE__ */ new Matrix4();

function copyMatrix(from: Float32Array, id: number, to: Float32Array, slot: number): void {
  const begin = id * MATRIX_STRIDE;
  const at = slot * MATRIX_STRIDE;
  for (let element = 0; element < MATRIX_STRIDE; element++) to[at + element] = from[begin + element];
}
