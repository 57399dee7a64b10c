/**
 * Runs the random histories of all cases, and prints one line for each: what it ran, or the smallest history that goes wrong.
 * Argument: number of histories of a case. Runs as built JavaScript, because the test runner would take half as long again, and in
 * one process for all cases, because V8 needs about five seconds of CPU time to compile the code.
 */
import * as fc from 'fast-check';
import { HISTORY_CASES } from './history-cases.ts';
import { histories } from './operations.ts';
import { HistoryRunner } from './run-history.ts';

const LONGEST = 100;

/** One line of the output, as JSON. */
export interface HistoryReport {
  readonly case: number;
  readonly operations: number;
  /** Histories that ended with an octree in WebAssembly. */
  readonly inWasm: number;
  /** The smallest history that goes wrong, and how; null if all are right. */
  readonly failure: string | null;
}

for (const { case: number, options, seed } of HISTORY_CASES) {
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
  let failure: string | null = null;
  try {
    fc.assert(property, { seed, numRuns: Number(process.argv[2]) });
  } catch (error) {
    failure = String(error);
  }
  console.log(JSON.stringify({ case: number, operations, inWasm, failure } satisfies HistoryReport));
}
