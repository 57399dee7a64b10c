/**
 * Checks of values that come from the user, whatever they belong to. A wrong type throws a TypeError, a wrong value
 * a RangeError; the sentence names the function (`where`), the field, the value and the remedy.
 */

import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';

/** The limit of coordinates as error sentences print it. */
export const LIMIT_TEXT = '2^50';

/** A value as error sentences print it. */
export function describe(value: unknown): string {
  // A text may be a whole file.
  if (typeof value === 'string') return `the string "${value.length > 40 ? `${value.slice(0, 40)}...` : value}"`;
  if (typeof value === 'bigint') return `the BigInt ${value}`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : describeInstance(value);
  if (typeof value === 'function') return 'a function';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** An object by its class, unless that has no name or a shortened one. */
function describeInstance(value: object): string {
  let name: unknown;
  try {
    name = value.constructor.name;
  } catch {
    // It has no constructor, or is a proxy that throws.
  }
  if (typeof name !== 'string' || name === 'Object' || name.length < 3) return 'an object';
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Throws for a value of a wrong type. `expected` follows "must" in the sentence. */
export function throwType(where: string, field: string, expected: string, value: unknown, remedy: string): never {
  throw new TypeError(`${where}: ${field} must ${expected}, but is ${describe(value)}; ${remedy}.`);
}

/** Throws for a value of the right type, but out of range. */
export function throwRange(where: string, field: string, expected: string, value: unknown, remedy: string): never {
  // A text is printed as it is: it may describe a value already.
  const shown = typeof value === 'string' ? value : describe(value);
  throw new RangeError(`${where}: ${field} must ${expected}, but is ${shown}; ${remedy}.`);
}

export function isArray(value: unknown): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is a number that is neither NaN nor infinite. */
export function isFiniteNumber(value: unknown): boolean {
  return typeof value === 'number' && value - value === 0;
}

/** Whether a value is a finite number from 0. */
export function isSize(value: unknown): boolean {
  return isBetween(value, 0, Number.MAX_VALUE);
}

/** Whether a value is a number from min to max. NaN fails both comparisons. */
export function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

/** Whether a value is a number within the limit of coordinates. Calls nothing: it runs for each number of a query. */
export function isCoordinate(value: unknown): boolean {
  return typeof value === 'number' && value <= COORDINATE_LIMIT && value >= -COORDINATE_LIMIT;
}

export function requireObject(where: string, field: string, value: unknown, remedy: string): void {
  if (!isObject(value)) throwType(where, field, 'be an object', value, remedy);
}

/** Flat numbers of a user. */
export function requireFloats(where: string, field: string, value: unknown, remedy: string): void {
  if (!(value instanceof Float64Array || value instanceof Float32Array))
    throwType(where, field, 'be a Float32Array or a Float64Array', value, remedy);
  requireMemory(where, field, value);
}

/** Throws for a typed array whose memory was transferred to another thread: its length is 0. */
export function requireMemory(where: string, field: string, array: ArrayBufferView): void {
  if (array.byteLength > 0) return;
  try {
    array.buffer.slice(0, 0);
  } catch {
    throw new TypeError(
      `${where}: ${field} must have memory, but its buffer was transferred; pass a new array, or transfer a copy.`,
    );
  }
}

/** Checks an optional boolean; returns whether it is true. */
export function requireBoolean(where: string, field: string, value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean')
    throwType(where, field, 'be true or false', value, 'pass one of them, or leave it out');
  return value === true;
}

/** An optional function. */
export function requireFunction(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throwType(where, field, 'be a function', value, 'leave it out for none');
}

/** A number that has passed its check: `isFine`. */
export function requireNumber(
  where: string,
  field: string,
  expected: string,
  value: unknown,
  isFine: boolean,
  remedy: string,
): number {
  if (typeof value !== 'number') throwType(where, field, 'be a number', value, remedy);
  if (!isFine) throwRange(where, field, expected, value, remedy);
  return value;
}

/** A number that is neither NaN nor infinite. */
export function requireFinite(where: string, field: string, value: unknown, remedy: string): number {
  return requireNumber(where, field, 'be finite', value, isFiniteNumber(value), remedy);
}

/** A number from 0 to Infinity. */
export function requireNotNegative(where: string, field: string, value: unknown, remedy: string): number {
  return requireNumber(where, field, 'be 0 or more', value, isBetween(value, 0, Infinity), remedy);
}

/** A finite number from 0. */
export function requireFiniteNotNegative(where: string, field: string, value: unknown, remedy: string): number {
  requireFinite(where, field, value, remedy);
  return requireNotNegative(where, field, value, remedy);
}

/** A finite number within the limit of coordinates. */
export function requireCoordinate(where: string, field: string, value: unknown): number {
  requireFinite(where, field, value, 'check the bounds it was computed from');
  return requireNumber(where, field, `lie within +-${LIMIT_TEXT}`, value, isCoordinate(value), 'scale the scene down');
}

/** Checks the mask of a query, which may be left out, and returns it as a signed integer of 32 bits. */
export function readMask(where: string, field: string, mask: unknown): number {
  return readBodyMask(where, field, mask) | 0;
}

/** As `readMask`, for a body: returns the mask as it was set. */
export function readBodyMask(where: string, field: string, mask: unknown): number {
  return mask === undefined ? ALL_CATEGORIES : requireMask(where, field, mask, 'leave it out for all ones');
}

/** Checks a mask and returns it. */
export function requireMask(where: string, field: string, mask: unknown, remedy = 'pass -1 for all ones'): number {
  return requireNumber(where, field, 'be an integer of 32 bits', mask, isMask(mask), remedy);
}

/** Whether a value is an integer from min to max. */
export function isIntegerBetween(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && isBetween(value, min, max);
}

/** Whether a value is an integer of 32 bits, signed or unsigned. */
export function isMask(mask: unknown): boolean {
  return isIntegerBetween(mask, -(2 ** 31), 2 ** 32 - 1);
}
