/**
 * Input validation of the calls for many bodies at once. A call is checked as a whole before the first body changes.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE, strideOf } from '../../math/sphere.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { BulkMove, CENTER_STRIDE } from '../../tree/update/move.ts';
import {
  isIntegerBetween,
  isMask,
  isObject,
  readMask,
  requireBoolean,
  requireCoordinate,
  requireFloats,
  requireMask,
  requireMemory,
  requireObject,
  throwRange,
  throwType,
} from '../input/input-checks.ts';
import { requireKnownOptions } from '../input/known-options.ts';
import { BULK_OPTIONS, type BulkOptions } from './options.ts';
import type { BodyStore, BulkInsert } from './body-store.ts';
import { AXES, requireFit, requireFlatBounds, requireFlatShape } from '../input/shapes.ts';

/** Checks the arguments of `insertMany`. */
export function readBulkInsert(where: string, bounds: FloatArray, options: BulkOptions<unknown>): BulkInsert {
  requireObject(where, 'options', options, "pass {kind: 'box'} or {kind: 'sphere'}");
  requireKnownOptions(where, options, BULK_OPTIONS);
  const { kind, data, mask, isStatic } = options;
  // The bounds are checked last: reading the other arguments may run code of the user, which may write to them.
  requireFloats(where, 'bounds', bounds, 'convert it');
  if (kind !== 'box' && kind !== 'sphere') throwType(where, 'options.kind', "be 'box' or 'sphere'", kind, 'name one');
  const isSphere = kind === 'sphere';
  const stride = strideOf(isSphere);
  const count = bounds.length / stride;
  if (!Number.isInteger(count)) {
    throw new RangeError(
      `${where}: bounds must hold ${stride} numbers per ${kind}, but has ${bounds.length} numbers; add the missing ones.`,
    );
  }
  const bulk = {
    count,
    stride,
    isSphere,
    isStatic: requireBoolean(where, 'options.isStatic', isStatic),
    data: data === undefined ? data : readData(where, data, count),
    masks:
      mask === undefined ? readMask(where, 'options.mask', mask) : readBulkMasks(where, 'options.mask', mask, count),
  };
  requireMemory(where, 'bounds', bounds);
  requireFlatBounds(where, bounds, stride);
  return bulk;
}

function readData(where: string, data: ArrayLike<unknown>, count: number): unknown[] {
  requireLength(where, 'options.data', data, count);
  if (Array.isArray(data)) return data.slice();
  const copy: unknown[] = [];
  for (let k = 0; k < count; k++) copy.push(data[k]);
  return copy;
}

/** Checks one mask for all of `count` bodies, or one per body. */
export function readBulkMasks(
  where: string,
  field: string,
  mask: number | ArrayLike<number>,
  count: number,
): number | Int32Array {
  if (typeof mask !== 'object' || mask === null) return requireMask(where, field, mask) | 0;
  requireLength(where, field, mask, count);
  const masks = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const one = mask[k];
    masks[k] = isMask(one) ? one : requireMask(where, `${field}[${k}]`, one);
  }
  return masks;
}

/**
 * Checks the arguments of `moveMany` as arrays. The elements are left to its checks, because a body that
 * stays within its fat bounds needs no check.
 */
export function readBulkMove(where: string, bodies: BodyStore, integers: Uint32Array, bounds: FloatArray): BulkMove {
  requireFloats(where, 'bounds', bounds, bounds instanceof Uint32Array ? 'pass the indices first' : 'convert it');
  const stride = integers.length === 0 ? BOX_STRIDE : bounds.length / integers.length;
  const isKnown = stride === BOX_STRIDE || stride === SPHERE_STRIDE || stride === CENTER_STRIDE;
  if (!isKnown || bounds.length !== stride * integers.length) {
    throw new RangeError(
      `${where}: bounds must hold 6 numbers (boxes), 4 (spheres) or 3 (centres) for each of ${integers.length} indices, but has ${bounds.length} numbers; add the missing ones.`,
    );
  }
  return new BulkMove(integers, bounds, stride, (k) => {
    if (!bodies.isAlive(integers[k])) throwIndex(where, `indices[${k}]`, integers[k]);
    if (stride === CENTER_STRIDE) requireFlatCenter(where, bodies, integers[k], bounds, k);
    else requireFlatShape(where, bounds, k * stride, stride);
  });
}

/** Checks centre `k` of a flat array, for the living body with this index. */
function requireFlatCenter(where: string, bodies: BodyStore, index: number, centers: FloatArray, k: number): void {
  const at = CENTER_STRIDE * k;
  for (let offset = 0; offset < CENTER_STRIDE; offset++)
    requireCoordinate(where, `bounds[${at + offset}], the ${AXES[offset]} of centre ${k},`, centers[at + offset]);
  const center = centers.subarray(at, at + CENTER_STRIDE);
  requireFit(where, `bounds[${at}] to bounds[${at + 2}]`, center, bodies.fitsAround(index, center));
}

/**
 * The numbers of an array, or of what is shaped like one: the array itself if it is a typed one of the wanted class,
 * otherwise a copy, so that each element is read once. `check` throws for a wrong element.
 */
export function readNumbers<Numbers extends Uint32Array | Float64Array>(
  where: string,
  field: string,
  list: ArrayLike<number>,
  Wanted: new (length: number) => Numbers,
  check: (where: string, field: string, value: unknown) => void,
): Numbers {
  const length = isObject(list) ? list.length : -1;
  if (!isIntegerBetween(length, 0, 2 ** 32 - 1))
    throwType(where, field, 'be an array', list, 'pass a Uint32Array or an array');
  if (ArrayBuffer.isView(list)) requireMemory(where, field, list);
  if (list instanceof Wanted) return list;
  const numbers = new Wanted(length);
  for (let k = 0; k < length; k++) {
    const value = list[k];
    check(where, `${field}[${k}]`, value);
    numbers[k] = value;
  }
  return numbers;
}

/** Reads indices of bodies, which may be unknown. */
export function readIndices(where: string, indices: ArrayLike<number>): Uint32Array {
  return readNumbers(where, 'indices', indices, Uint32Array, requireUint32);
}

/** The conversion to 32 bits would turn another number into a valid index. */
function requireUint32(where: string, field: string, index: unknown): void {
  if (typeof index !== 'number' || index >>> 0 !== index) throwIndex(where, field, index);
}

export function requireIndices(where: string, bodies: BodyStore, indices: Uint32Array): void {
  for (let k = 0; k < indices.length; k++)
    if (!bodies.isAlive(indices[k])) throwIndex(where, `indices[${k}]`, indices[k]);
}

export function requireIndex(where: string, bodies: BodyStore, index: number): void {
  if (!bodies.isAlive(index)) throwIndex(where, 'index', index);
}

export function throwIndex(where: string, field: string, index: unknown): never {
  if (typeof index !== 'number') throwType(where, field, 'be a number', index, 'pass the index of a body');
  const isId = Number.isSafeInteger(index) && index >= 2 ** 32;
  const remedy = isId ? 'of an id pass indexOfId' : 'its body was removed or never existed, leave it out';
  throwRange(where, field, 'be the index of a living body', index, remedy);
}

function requireLength(where: string, field: string, list: ArrayLike<unknown>, count: number): void {
  requireObject(where, field, list, 'pass an array with one element per body');
  const { length } = list;
  if (length !== count)
    throw new RangeError(
      `${where}: ${field} must have one element for each of ${count} bodies, but has ${length}; pass one per body.`,
    );
}
