/**
 * Morph target influences as a column. Renderers read them from a texture with a row for each instance, as
 * InstancedMesh keeps them: the base influence, then one influence for each target.
 */

import { DataTexture, FloatType, RedFormat } from 'three';
import { SUM_ERROR32 } from '../../math/tolerances.ts';
import { resized } from '../../math/typed-arrays.ts';
import { StoredColumn, type SlotItems } from './instance-column.ts';

export class MorphColumn extends StoredColumn {
  /** Its data are `array`: a row for each id. The user may write to it, and sets `needsUpdate` afterwards. */
  readonly texture: DataTexture;
  /** By id: the result of `morphScaleOf` for its influences. */
  morphScales: Float32Array<ArrayBuffer>;
  constructor(targets: number, capacity: number) {
    super('morphTexture', targets + 1, capacity);
    this.morphScales = new Float32Array(capacity).fill(1);
    this.written = this.texture = new DataTexture(null, 1, 1, RedFormat, FloatType);
    this.setImage();
    for (let id = 0; id < capacity; id++) this.reset(id);
  }

  get targets(): number {
    return this.itemSize - 1;
  }

  /**
   * Writes the base influence, which is the weight of the geometry itself, then the influences of the targets. The base
   * influence is 1 minus their sum.
   *
   * @param isRelative Whether morph targets are offsets from the geometry (`morphTargetsRelative`): then the base
   *   influence is 1.
   */
  writeInfluences(id: number, influences: readonly number[], isRelative: boolean): void {
    const begin = id * this.itemSize;
    let base = 1;
    for (let k = 0; k < influences.length; k++) {
      this.array[begin + 1 + k] = influences[k];
      if (!isRelative) base -= influences[k];
    }
    this.array[begin] = base;
  }

  /** Computes the scale of an instance again. Returns whether it has changed. */
  updateMorphScale(id: number): boolean {
    const begin = id * this.itemSize + 1;
    const before = this.morphScales[id];
    this.morphScales[id] = morphScaleOf(this.array, begin, begin + this.targets);
    return this.morphScales[id] !== before;
  }

  override createSlots(capacity: number): SlotTexture {
    return new SlotTexture(this.itemSize, capacity);
  }

  override reserve(capacity: number): void {
    super.reserve(capacity);
    this.morphScales = resized(this.morphScales, capacity);
    this.setImage();
  }

  /** The shape of the geometry, without morphing. */
  override reset(id: number): void {
    super.reset(id);
    this.array[id * this.itemSize] = 1;
    this.morphScales[id] = 1;
  }

  override clone(count: number, capacity: number): MorphColumn {
    const column = new MorphColumn(this.targets, capacity);
    column.array.set(this.array.subarray(0, count * this.itemSize));
    column.morphScales.set(this.morphScales.subarray(0, count));
    return column;
  }

  private setImage(): void {
    this.texture.image = { data: this.array, width: this.itemSize, height: this.morphScales.length };
  }
}

/** The influences of the instances in a view: a row for each draw slot. */
export class SlotTexture extends DataTexture implements SlotItems {
  readonly array: Float32Array<ArrayBuffer>;
  readonly itemSize: number;

  constructor(itemSize: number, capacity: number) {
    const array = new Float32Array(itemSize * capacity);
    super(array, itemSize, capacity, RedFormat, FloatType);
    this.array = array;
    this.itemSize = itemSize;
    this.needsUpdate = true;
  }

  /**
   * Stores no ranges, so three uploads the whole texture: it supports ranges only for textures with four components.
   */
  override addUpdateRange(): void {}
}

/**
 * Factor by which morphing can enlarge a sphere around the geometry and all morph targets. A morphed vertex is a
 * weighted sum of its positions: weight w_k for target k, and 1 - sum(w_k) for the geometry, so the weights add up
 * to 1. Its distance from the centre is at most |1 - sum(w_k)| + sum(|w_k|) radii. That is 1 if no influence is
 * negative and they add up to at most 1. Relative targets give the same sum: a target is the geometry plus an offset.
 */
export function morphScaleOf(influences: ArrayLike<number>, begin: number, end: number): number {
  let sum = 0;
  let total = 0;
  for (let k = begin; k < end; k++) {
    sum += influences[k];
    total += Math.abs(influences[k]);
  }
  const scale = Math.abs(1 - sum) + total;
  // Influences that add up to 1 may add up to slightly more after rounding.
  return scale <= 1 + SUM_ERROR32 ? 1 : scale * (1 + SUM_ERROR32);
}
