/** Every field of every argument of every public function, for tests that spoil one of them. */

import { targets, type Target } from './public-calls.ts';
import { errorOf } from './rejects.ts';

/** Where a value stands: the fields that lead to it, the number of the argument first. */
export type Path = readonly (string | number)[];

/** Fields that a call writes, and functions that it keeps, are no input. */
const NO_INPUT = /^stats$|^CustomVolume$/;

/** An object that the caller has written down, as opposed to an instance of a class of the library. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

/** Every field of every argument, as it is or, with `asArrayLike`, with objects in place of arrays. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (!isPlain(value)) return [];
  const keys = Object.keys(value).filter((key) => !NO_INPUT.test(key));
  if (path.length > 0 && 'length' in value && !Array.isArray(value) && !keys.includes('length')) keys.push('length');
  return keys.flatMap((key) => [...(path.length > 0 ? [[...path, key]] : []), ...pathsOf(value[key], [...path, key])]);
}

/** A target with arguments of its own; with `areArrayLike` its arrays are objects with a length. */
export function targetAt(number: number, areArrayLike: boolean): Target {
  const target = targets()[number];
  if (!areArrayLike) return target;
  const convert = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, convert(each)] as const);
    if (Array.isArray(value) && value.length > 0) entries.push(['length', value.length]);
    return Array.isArray(value) && value.length === 0 ? value : Object.fromEntries(entries);
  };
  return { ...target, arguments: target.arguments.map(convert) };
}

/** Makes a field an accessor. */
export function define(target: Target, path: Path, get: (value: unknown) => unknown): void {
  let owner = target.arguments as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) owner = owner[key] as Record<string, unknown>;
  const key = path.at(-1)!;
  const value = owner[key];
  Object.defineProperty(owner, key, { get: () => get(value), enumerable: true });
}

export interface Case {
  readonly number: number;
  readonly areArrayLike: boolean;
  readonly name: string;
  readonly paths: readonly Path[];
}

/** All calls with fields, as they are and with array-likes where the function takes these. */
export const CASES: readonly Case[] = targets().flatMap(({ name }, number) =>
  [false, true].flatMap((areArrayLike) => {
    const target = targetAt(number, areArrayLike);
    const paths = NO_INPUT.test(name) ? [] : pathsOf(target.arguments);
    const isNew = !areArrayLike || paths.some((path) => path.at(-1) === 'length');
    if (paths.length === 0 || !isNew) return [];
    if (errorOf(() => target.call(...(target.arguments as never[]))) !== undefined) return [];
    return [{ number, areArrayLike, name: `${number} ${name}${areArrayLike ? ' (array-likes)' : ''}`, paths }];
  }),
);

/** A copy of what the caller has written down; bodies, lists and arrays for results are the same. */
export function copyOf(value: unknown): unknown {
  if (!isPlain(value) || (Array.isArray(value) && value.length === 0)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}
