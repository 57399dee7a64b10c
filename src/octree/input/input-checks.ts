/**
 * Checks of values that come from the user, whatever they belong to. A wrong type throws a TypeError, a wrong value a RangeError; the sentence
 * names the function (`where`), the field, the value and the remedy.
 */

import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';

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
  if (!isObject(value)) throw new TypeError(`${where}: ${field} must be an object, but is ${describe(value)}; ${remedy}.`);
}

/** An optional boolean. */
export function requireBoolean(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new TypeError(`${where}: ${field} must be true or false, but is ${describe(value)}; pass one of them, or leave it out.`);
}

/** An optional function. */
export function requireFunction(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${where}: ${field} must be a function, but is ${describe(value)}; leave it out for none.`);
}

/** A number that is neither NaN nor infinite. */
export function requireFinite(where: string, field: string, value: unknown, remedy: string): number {
  if (typeof value !== 'number') throw new TypeError(`${where}: ${field} must be a number, but is ${describe(value)}; ${remedy}.`);
  if (!isFiniteNumber(value)) throw new RangeError(`${where}: ${field} must be finite, but is ${value}; ${remedy}.`);
  return value;
}

/** A number from 0 to Infinity. */
export function requireNotNegative(where: string, field: string, value: unknown, remedy: string): number {
  if (typeof value !== 'number') throw new TypeError(`${where}: ${field} must be a number, but is ${describe(value)}; ${remedy}.`);
  if (!(value >= 0)) throw new RangeError(`${where}: ${field} must be 0 or more, but is ${value}; ${remedy}.`);
  return value;
}

/** A finite number within the limit of coordinates. */
export function requireCoordinate(where: string, field: string, value: unknown): number {
  const coordinate = requireFinite(where, field, value, 'check the bounds it was computed from');
  if (!isCoordinate(coordinate)) {
    throw new RangeError(`${where}: ${field} must lie within +-${LIMIT_TEXT}, but is ${coordinate}; scale the scene down.`);
  }
  return coordinate;
}
