/** The matrices of a view by draw slot, and the renderer's copies of the last frame's, from which it computes motion vectors. */

import { InstancedBufferAttribute } from 'three';
import { MATRIX_STRIDE } from '../../bounds/matrix-stride.ts';

/** The matrices of a view. The renderer clones this attribute to keep the matrices of the last frame. */
export class SlotMatrices extends InstancedBufferAttribute {
  /** The renderer's clones. They hold the matrices of the last frame: the renderer copies the matrices to them after it has drawn the mesh. */
  readonly clones: InstancedBufferAttribute[] = [];
  /** Matrices of the last frame, for a clone that the renderer has not made yet. Null if they equal the current ones. */
  private initial: Float32Array | null = null;
  private requestListener: () => void = () => undefined;

  constructor(capacity: number) {
    super(new Float32Array(capacity * MATRIX_STRIDE), MATRIX_STRIDE);
  }

  /** @param listener Called when the renderer requests the matrices of the last frame, by a clone. */
  onRequest(listener: () => void): void {
    this.requestListener = listener;
  }

  override clone(): this {
    const clone = new InstancedBufferAttribute((this.initial ?? (this.array as Float32Array)).slice(), MATRIX_STRIDE);
    this.clones.push(clone);
    // The renderer uploads the matrices of this frame to the clone only if their version is a later one.
    if (this.initial !== null) this.needsUpdate = true;
    this.initial = null;
    this.requestListener();
    return clone as this;
  }

  /** The arrays in which the matrices of the last frame belong. */
  previousArrays(): Float32Array[] {
    if (this.clones.length > 0) return this.clones.map(({ array }) => array as Float32Array);
    this.initial ??= new Float32Array(this.array.length);
    return [this.initial];
  }

  /**
   * Schedules the upload of the clones. Afterwards the renderer gives them the version of this attribute, and uploads the matrices of the frame
   * only if that version is a later one.
   */
  uploadPrevious(): void {
    if (this.clones.length === 0) return;
    this.needsUpdate = true;
    for (const clone of this.clones) clone.version = this.version;
    this.needsUpdate = true;
  }
}
