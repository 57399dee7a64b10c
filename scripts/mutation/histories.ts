/** Short random histories of all cases as tests: they reach most of the core, and few mutants survive them. */
import * as fc from 'fast-check';
import { it } from 'vitest';
import { loadRayStreams } from '../../src/features/ray-bundles/cast-rays.ts';
import { HISTORY_CASES } from '../../test/support/history-cases.ts';
import { histories } from '../../test/support/operations.ts';
import { HistoryRunner } from '../../test/support/run-history.ts';

/** Number of histories of a case in one test. */
const HISTORIES = 20;
const IN_A_TEST = 4;

await loadRayStreams();
for (const { options, name, seed } of HISTORY_CASES)
  for (let k = 0; k < HISTORIES; k += IN_A_TEST)
    it(name, () => {
      for (const history of fc.sample(histories(80), { seed: seed + k, numRuns: IN_A_TEST })) {
        const runner = new HistoryRunner(options);
        try {
          runner.run(history);
        } finally {
          // The number of WebAssembly memories is limited.
          runner.twin.octree.clear();
        }
      }
    });
