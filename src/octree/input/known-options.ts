/** Checks the names of options. An unknown name is an error, because a misspelt option would do nothing. */

import { describe, isArray, isObject, throwType } from './input-checks.ts';

/**
 * The names of all options of a function: the compiler refuses a name that `Options` does not have. An array: to
 * compare its names in turn costs less than to look one up in an object.
 */
export type KnownOptions<Options = Record<string, unknown>> = readonly (keyof Options & string)[];

/** Checks that options are an object with known names. */
export function requireOptions(where: string, options: object, known: KnownOptions): void {
  // An array would pass as options: it has a method `filter`.
  if (!isObject(options) || isArray(options))
    throwType(where, 'options', 'be an object', options, isArray(options) ? 'pass {} before it' : remedyOf(known));
  requireKnownOptions(where, options, known);
}

/**
 * Throws a TypeError for the first option that has no known name. Inherited options count too. Allocates nothing unless
 * it throws.
 */
export function requireKnownOptions(where: string, options: object, known: KnownOptions): void {
  for (const name in options) if (!isKnown(name, known)) throwUnknown(where, options, name, known);
}

function isKnown(name: string, known: KnownOptions): boolean {
  for (let k = 0; k < known.length; k++) if (known[k] === name) return true;
  return false;
}

function throwUnknown(where: string, options: object, name: string, known: KnownOptions): never {
  if (describe(options) !== describe({})) throwType(where, 'options', 'be a plain object', options, remedyOf(known));
  const value = describe((options as Record<string, unknown>)[name]);
  throw new TypeError(`${where}: unknown option ${name}, which is ${value}; use ${known.join(', ')}.`);
}

function remedyOf(known: KnownOptions): string {
  return `pass {}, or one with ${known.join(', ')}`;
}
