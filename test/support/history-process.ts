/**
 * Runs the random histories of one case and prints what it ran, or fails with the smallest history that goes wrong. Arguments: number of the case, number
 * of histories. Runs as built JavaScript in a process of its own: the test runner would take half as long again.
 */
import * as fc from 'fast-check';
import { HISTORY_CASES } from './history-cases.ts';
import { histories } from './operations.ts';
import { HistoryRunner } from './run-history.ts';

const LONGEST = 100;

export interface HistoryReport {
  readonly operations: number;
  /** Histories that ended with an octree in WebAssembly. */
  readonly inWasm: number;
}

const { options, seed } = HISTORY_CASES[Number(process.argv[2])];
let operations = 0;
let inWasm = 0;
const property = fc.property(histories(LONGEST), (history) => {
  operations += history.length;
  const runner = new HistoryRunner(options);
  const { octree } = runner.twin;
  try {
    runner.run(history);
    if (octree['store'].tree.wasm !== null) inWasm++;
  } finally {
    // Only 64 octrees have WebAssembly memory at a time.
    octree.clear();
  }
});
fc.assert(property, { seed, numRuns: Number(process.argv[3]) });
console.log(JSON.stringify({ operations, inWasm } satisfies HistoryReport));
