/** The door for many bodies at once: everything is checked before the first body changes. */

import type { BodyStore } from './body-store.ts';
import { describe, requireBoolean, requireObject } from './input-checks.ts';
import { requireFlatBounds, requireFlatShape } from './shapes.ts';
import { isMask, readMask, type BulkOptions } from './options.ts';

const BOX_STRIDE = 6;
const SPHERE_STRIDE = 4;

export interface BulkInsert<T> {
  readonly count: number;
  readonly stride: number;
  readonly isSphere: boolean;
  readonly isStatic: boolean;
  readonly data: ArrayLike<T> | undefined;
  /** Categories of all bodies, or of each. */
  readonly masks: number | Int32Array;
}

export function readBulkInsert<T>(where: string, bounds: Float32Array | Float64Array, options: BulkOptions<T>): BulkInsert<T> {
  requireFloats(where, bounds);
  requireObject(where, 'options', options, "pass {kind: 'box'} or {kind: 'sphere'}");
  const { kind, data, mask, isStatic } = options;
  requireBoolean(where, 'options.isStatic', isStatic);
  if (kind !== 'box' && kind !== 'sphere') throw new TypeError(`${where}: options.kind must be 'box' or 'sphere', but is ${describe(kind)}; name one.`);
  const isSphere = kind === 'sphere';
  const stride = isSphere ? SPHERE_STRIDE : BOX_STRIDE;
  const count = bounds.length / stride;
  if (!Number.isInteger(count)) {
    throw new TypeError(`${where}: bounds must hold ${stride} numbers a ${kind}, but has ${bounds.length} numbers; a coordinate is missing, add it.`);
  }
  requireFlatBounds(where, bounds, stride);
  requireLength(where, 'options.data', data, count);
  return { count, stride, isSphere, isStatic: isStatic === true, data, masks: readMasks(where, mask, count) };
}

function readMasks(where: string, mask: number | ArrayLike<number> | undefined, count: number): number | Int32Array {
  if (typeof mask !== 'object' || mask === null) return readMask(where, 'options.mask', mask);
  requireLength(where, 'options.mask', mask, count);
  const masks = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const one = mask[k];
    masks[k] = isMask(one) ? one : readMask(where, `options.mask[${k}]`, one);
  }
  return masks;
}

export interface BulkMove {
  readonly indices: Uint32Array;
  readonly isSphere: boolean;
  /** Throws if the index or the bounds at a place of the batch are wrong. */
  readonly check: (place: number) => void;
}

/** Reads what kind of move it is: the numbers an index tell whether they are boxes or spheres. Each index and its bounds are left to `check`. */
export function readBulkMove<T>(where: string, store: BodyStore<T>, indices: ArrayLike<number>, bounds: Float32Array | Float64Array): BulkMove {
  requireArray(where, 'indices', indices);
  requireFloats(where, bounds);
  // Anything but whole numbers of 32 bits would be changed by the conversion.
  if (!(indices instanceof Uint32Array)) readIndices(where, store, indices);
  const whole = indices instanceof Uint32Array ? indices : Uint32Array.from(indices);
  const isSphere = bounds.length === SPHERE_STRIDE * whole.length;
  const stride = isSphere ? SPHERE_STRIDE : BOX_STRIDE;
  if (bounds.length !== stride * whole.length) {
    throw new TypeError(
      `${where}: bounds must hold 6 numbers (boxes) or 4 numbers (spheres) for each of ${whole.length} indices, but has ${bounds.length} numbers; a coordinate is missing, add it.`,
    );
  }
  const check = (place: number): void => {
    if (!store.isAlive(whole[place])) blameIndex(where, `indices[${place}]`, whole[place]);
    requireFlatShape(where, bounds, place * stride, stride);
  };
  return { indices: whole, isSphere, check };
}

export function readIndices<T>(where: string, store: BodyStore<T>, indices: ArrayLike<number>): void {
  requireArray(where, 'indices', indices);
  for (let k = 0; k < indices.length; k++) if (!store.isAlive(indices[k])) blameIndex(where, `indices[${k}]`, indices[k]);
}

export function readIndex<T>(where: string, store: BodyStore<T>, index: number): number {
  if (!store.isAlive(index)) blameIndex(where, 'index', index);
  return index;
}

function blameIndex(where: string, field: string, index: unknown): never {
  if (typeof index !== 'number') throw new TypeError(`${where}: ${field} must be a number, but is ${describe(index)}; pass the index of a body.`);
  throw new RangeError(`${where}: ${field} must be the index of a living body, but is ${index}; it was removed or never given out, drop it.`);
}

function requireArray(where: string, field: string, list: ArrayLike<number>): void {
  requireObject(where, field, list, 'pass a Uint32Array or an array');
  if (typeof list.length !== 'number') throw new TypeError(`${where}: ${field} must be an array, but is ${describe(list)}; pass a Uint32Array or an array.`);
}

function requireFloats(where: string, bounds: unknown): void {
  if (bounds instanceof Float64Array || bounds instanceof Float32Array) return;
  throw new TypeError(`${where}: bounds must be a Float32Array or a Float64Array, but is ${describe(bounds)}; convert it.`);
}

function requireLength(where: string, field: string, list: ArrayLike<unknown> | undefined, count: number): void {
  if (list === undefined) return;
  requireObject(where, field, list, 'pass an array with an entry for each body');
  if (list.length !== count) throw new RangeError(`${where}: ${field} must have an entry for each of ${count} bodies, but has ${list.length}; pass one each.`);
}
