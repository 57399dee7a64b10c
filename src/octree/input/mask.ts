/** Checks of category masks. */

import { ALL_CATEGORIES } from '../../tree/layout.ts';
import { describe } from './input-checks.ts';

/** Checks a mask that may be left out, and returns it as a signed integer of 32 bits. */
export function readMask(where: string, field: string, mask: unknown): number {
  return mask === undefined ? ALL_CATEGORIES : requireMask(where, field, mask, 'leave it out for all ones');
}

/** Checks a mask and returns it as a signed integer of 32 bits. */
export function requireMask(where: string, field: string, mask: unknown, remedy = 'pass -1 for all ones'): number {
  if (typeof mask !== 'number') throw new TypeError(`${where}: ${field} must be a number of 32 bits, but is ${describe(mask)}; ${remedy}.`);
  if (!isMask(mask)) throw new RangeError(`${where}: ${field} must be an integer of 32 bits, but is ${mask}; ${remedy}.`);
  return mask | 0;
}

/** Whether a number is an integer of 32 bits, signed or unsigned. */
export function isMask(mask: number): boolean {
  return Number.isInteger(mask) && mask >= -(2 ** 31) && mask < 2 ** 32;
}
