/** What an octree has written into lists, as plain arrays and as text. */
import type { IndexList, Sensor } from '../../src/index.ts';

export function indicesOf({ array, length }: IndexList): number[] {
  return Array.from(array.subarray(0, length));
}

/** Two indices a pair, each pair as `a+b`. */
export function pairsOf({ array, length }: IndexList): string[] {
  return Array.from({ length: length / 2 }, (_, k) => `${array[2 * k]}+${array[2 * k + 1]}`);
}

/** The three lists of a sensor, as text. */
export function listsOf({ entered, left, inside }: Sensor<number>): string {
  return `+${indicesOf(entered).join(' ')} -${indicesOf(left).join(' ')} =${indicesOf(inside).join(' ')}`;
}
