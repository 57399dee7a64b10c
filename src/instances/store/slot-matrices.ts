/**
 * The matrices of a view by draw slot, and the clones of them in which WebGPURenderer keeps the matrices of the last
 * frame. It computes motion vectors from both. After it has drawn the mesh, it copies the matrices to each clone, and
 * gives the clone their version. It uploads a clone whose version has become greater.
 */

import { InstancedBufferAttribute } from 'three';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';

export class SlotMatrices extends InstancedBufferAttribute {
  /** The renderer's clones, with the matrices of the last frame. */
  readonly clones: InstancedBufferAttribute[] = [];
  /** Called when the renderer clones this attribute: from then on it needs the matrices of the last frame. */
  onRequest: () => void = () => undefined;
  /**
   * Matrices of the last frame, for a clone that the renderer has not made yet. Null if they equal the current ones.
   */
  private initial: Float32Array | null = null;

  constructor(capacity: number) {
    super(new Float32Array(capacity * MATRIX_STRIDE), MATRIX_STRIDE);
  }

  override clone(): this {
    const clone = new InstancedBufferAttribute((this.initial ?? (this.array as Float32Array)).slice(), MATRIX_STRIDE);
    this.clones.push(clone);
    // A clone has version 0. The matrices get a greater one, which the renderer gives to the clone together with the
    // matrices of this frame.
    if (this.initial !== null) this.needsUpdate = true;
    this.initial = null;
    this.onRequest();
    return clone as this;
  }

  /** The arrays in which the matrices of the last frame belong. */
  previousArrays(): Float32Array[] {
    if (this.clones.length > 0) return this.clones.map(({ array }) => array as Float32Array);
    this.initial ??= new Float32Array(this.array.length);
    return [this.initial];
  }

  /** Schedules the upload of the clones, after something else has written to them. */
  uploadPrevious(): void {
    if (this.clones.length === 0) return;
    // A greater version for the clones: they are uploaded before the mesh is drawn.
    this.needsUpdate = true;
    for (const clone of this.clones) clone.version = this.version;
    // A greater version for the matrices: the clones get it after the mesh was drawn, so they are uploaded again in the
    // next frame.
    this.needsUpdate = true;
  }
}
