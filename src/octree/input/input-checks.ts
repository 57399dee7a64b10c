/**
 * Checks of values that come from the user, whatever they belong to. A wrong type throws a TypeError, a wrong value a RangeError; the sentence
 * names the function (`where`), the field, the value and the remedy.
 */

import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';

/** The limit of coordinates as error sentences print it. */
export const LIMIT_TEXT = '2^50';

/** A value as error sentences print it. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `the string "${value}"`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value === 'function') return 'a function';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A vector as error sentences print it; without the sign of -0. */
export function describeVector(vector: Float64Array): string {
  return `(${Array.from(vector, (value) => value + 0).join(', ')})`;
}

/** Throws for a value of a wrong type. `expected` follows "must" in the sentence. */
export function throwType(where: string, field: string, expected: string, value: unknown, remedy: string): never {
  throw new TypeError(`${where}: ${field} must ${expected}, but is ${describe(value)}; ${remedy}.`);
}

/** Throws for a value of the right type, but out of range. */
export function throwRange(where: string, field: string, expected: string, value: string | number, remedy: string): never {
  throw new RangeError(`${where}: ${field} must ${expected}, but is ${value}; ${remedy}.`);
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is a number that is neither NaN nor infinite. */
export function isFiniteNumber(value: unknown): boolean {
  return typeof value === 'number' && value - value === 0;
}

/** Whether a value is a number within the limit of coordinates. NaN fails both comparisons. */
export function isCoordinate(value: unknown): boolean {
  return typeof value === 'number' && value <= COORDINATE_LIMIT && value >= -COORDINATE_LIMIT;
}

export function requireObject(where: string, field: string, value: unknown, remedy: string): void {
  if (!isObject(value)) throwType(where, field, 'be an object', value, remedy);
}

/** An optional boolean. */
export function requireBoolean(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return;
  throwType(where, field, 'be true or false', value, 'pass one of them, or leave it out');
}

/** An optional function. */
export function requireFunction(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throwType(where, field, 'be a function', value, 'leave it out for none');
}

export function requireNumber(where: string, field: string, value: unknown, remedy: string): number {
  if (typeof value !== 'number') throwType(where, field, 'be a number', value, remedy);
  return value;
}

/** A number that is neither NaN nor infinite. */
export function requireFinite(where: string, field: string, value: unknown, remedy: string): number {
  const number = requireNumber(where, field, value, remedy);
  if (!isFiniteNumber(number)) throwRange(where, field, 'be finite', number, remedy);
  return number;
}

/** A number from 0 to Infinity. */
export function requireNotNegative(where: string, field: string, value: unknown, remedy: string): number {
  const number = requireNumber(where, field, value, remedy);
  if (!(number >= 0)) throwRange(where, field, 'be 0 or more', number, remedy);
  return number;
}

/** A finite number within the limit of coordinates. */
export function requireCoordinate(where: string, field: string, value: unknown): number {
  const coordinate = requireFinite(where, field, value, 'check the bounds it was computed from');
  if (!isCoordinate(coordinate)) {
    throwRange(where, field, `lie within +-${LIMIT_TEXT}`, coordinate, 'scale the scene down');
  }
  return coordinate;
}

/** Checks a mask that may be left out, and returns it as a signed integer of 32 bits. */
export function readMask(where: string, field: string, mask: unknown): number {
  return mask === undefined ? ALL_CATEGORIES : requireMask(where, field, mask, 'leave it out for all ones');
}

/** Checks a mask and returns it as a signed integer of 32 bits. */
export function requireMask(where: string, field: string, mask: unknown, remedy = 'pass -1 for all ones'): number {
  if (typeof mask !== 'number') throwType(where, field, 'be a number of 32 bits', mask, remedy);
  if (!isMask(mask)) throwRange(where, field, 'be an integer of 32 bits', mask, remedy);
  return mask | 0;
}

/** Whether a number is an integer of 32 bits, signed or unsigned. */
export function isMask(mask: number): boolean {
  return Number.isInteger(mask) && mask >= -(2 ** 31) && mask < 2 ** 32;
}
