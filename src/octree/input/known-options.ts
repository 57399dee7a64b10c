/** Checks the names of options. An unknown name is an error, because a misspelt option would do nothing. */

import { describe, isArray, isObject, throwType } from './input-checks.ts';

/**
 * The names of all options of a function. An array: to compare its names in turn costs less than to look one up in an
 * object.
 */
export type KnownOptions = readonly string[];

/** Checks that options are an object with known names. */
export function requireOptions(where: string, options: object, known: KnownOptions): void {
  // An array would pass as options: it has a method `filter`.
  if (!isObject(options) || isArray(options))
    throwType(where, 'options', 'be an object', options, isArray(options) ? 'pass {} before it' : 'pass {}');
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

/** Whether an option is a maximum distance. Each query has at most one, which is meant by the names of the others. */
function isMaxDistance(name: string): boolean {
  return /^(far|maxDistance|within|distance|radius)$/.test(name);
}

function throwUnknown(where: string, options: object, name: string, known: KnownOptions): never {
  const distances = known.map((other) =>
    isMaxDistance(name) && isMaxDistance(other) ? 0 : editDistance(name.toLowerCase(), other.toLowerCase()),
  );
  const nearest = Math.min(...distances);
  // A name that differs in more than half of its letters is not a misspelling.
  const remedy =
    nearest <= name.length / 2 ? `did you mean ${known[distances.indexOf(nearest)]}?` : `use ${known.join(', ')}.`;
  throw new TypeError(
    `${where}: unknown option ${name}, which is ${describe((options as Record<string, unknown>)[name])}; ${remedy}`,
  );
}

/** Number of letters to insert, remove or replace to get from one text to the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, k) => k);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let k = 1; k <= to.length; k++)
      next.push(Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + Number(from[i - 1] !== to[k - 1])));
    row = next;
  }
  return row[to.length];
}
