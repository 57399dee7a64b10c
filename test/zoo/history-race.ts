/**
 * Runs random histories of all cases in turn until one fails, and prints a line for each: the operations so far, and
 * the failure if there is one. Argument: number of histories of a case. No history is shrunk.
 */
import * as fc from 'fast-check';
import { loadRayStreams } from '../../src/features/ray-bundles/cast-rays.ts';
import { HISTORY_CASES } from '../support/history-cases.ts';
import { histories } from '../support/operations.ts';
import { HistoryRunner } from '../support/run-history.ts';

/** One line of the output, as JSON. */
export interface RaceReport {
  readonly operations: number;
  readonly seconds: number;
  /** Options of the octree and message of the error; null if the history has passed. */
  readonly failure: string | null;
}

const LONGEST = 100;
const ROUNDS = Number(process.argv[2]);
/** Histories that are drawn together. */
const DRAWN = 5;

await loadRayStreams();
const begin = performance.now();
let operations = 0;
let failure: string | null = null;

function print(): void {
  console.log(
    JSON.stringify({ operations, seconds: (performance.now() - begin) / 1000, failure } satisfies RaceReport),
  );
}

race: for (let round = 0; round < ROUNDS; round += DRAWN) {
  for (const { name, options, seed } of HISTORY_CASES) {
    for (const history of fc.sample(histories(LONGEST), { seed: seed + 100 * round, numRuns: DRAWN })) {
      const runner = new HistoryRunner(options);
      try {
        runner.run(history);
      } catch (error) {
        failure = `${name}: ${(error as Error).message.split('\n')[0]}`;
      }
      operations += failure === null ? history.length : runner.steps;
      if (failure === null) runner.end();
      print();
      if (failure !== null) break race;
    }
  }
}
