/** How many random histories run: in `npm test`, in `npm run test:long`, and in `npm run histories`. */
import { availableParallelism } from 'node:os';
import { HISTORY_CASES } from './history-cases.ts';
import type { HistoryWork } from './history-process.ts';
import { IS_LONG } from './sampled.ts';

/** What `npm run histories` asks for (scripts/histories.mjs). */
interface Asked {
  readonly operations: number;
  readonly seed: number;
  readonly replay: HistoryWork['replay'] | null;
}

/** Null in the normal runs. */
export const ASKED = process.env.HISTORIES === undefined ? null : (JSON.parse(process.env.HISTORIES) as Asked);

/** Mean number of operations in a history, and a little less. */
const MEAN_LENGTH = 42;

/** Least number of operations on octrees. */
export const OPERATIONS = ASKED?.operations ?? (IS_LONG ? 700_000 : 5000);
/** Histories of each case. Those of `npm test` are the first of the many that `npm run test:long` runs. */
export const HISTORIES =
  ASKED === null ? (IS_LONG ? 1600 : 12) : Math.ceil(ASKED.operations / (MEAN_LENGTH * HISTORY_CASES.length));
/**
 * Processes that share the cases. `npm test` has one: other tests run beside it. In `npm run test:long` one would run
 * for longer than all other tests in Node together.
 */
export const PROCESSES =
  ASKED === null ? (IS_LONG ? 2 : 1) : ASKED.replay !== null ? 1 : Math.min(availableParallelism(), 11);
/** Added to all seeds. */
export const SEED = ASKED === null ? 0 : 1_000_000 * ASKED.seed;

/** Operations on octrees for which `npm run histories` plays each history of containers once more. */
const PER_REPETITION = 400_000;

/** Seeds of histories of containers: 1 to `count`; in `npm run histories` others, and more. */
export function seedsOf(count: number): number[] {
  const all = ASKED === null ? count : count * Math.max(1, Math.ceil(ASKED.operations / PER_REPETITION));
  return Array.from({ length: all }, (_, k) => SEED + k + 1);
}
