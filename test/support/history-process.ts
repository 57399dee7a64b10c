/**
 * Runs the random histories of all cases, then the cases of seeded scenes, and prints one line for each: what it ran,
 * and the failure if there was one. Argument: what to run, as JSON. Runs as built JavaScript, because the test runner
 * would take half as long again, and in one process for many cases, because V8 needs about five seconds of CPU time to
 * compile the code.
 */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { OctreeOptions } from '../../src/index.ts';
import { loadRayStreams } from '../../src/features/ray-bundles/cast-rays.ts';
import { SizeLimit } from '../../src/octree/queries/frustum-query.ts';
import { countCalls } from './called-functions.ts';
import { fingerprint } from './fingerprint.ts';
import { HISTORY_CASES } from './history-cases.ts';
import { histories, type Operation } from './operations.ts';
import { HistoryRunner } from './run-history.ts';
import { SCENE_CASES } from './scene-cases.ts';
import { traversalOf } from './wasm.ts';

const LONGEST = 100;

// The walk that skips small nodes follows long results only. Here it also follows short ones, half of them.
SizeLimit.prototype.isSkippingFaster = (_tree, { length }) => length % 2 === 0;

/** The argument, as JSON. */
export interface HistoryWork {
  /** Number of histories of a case. */
  readonly histories: number;
  /** Added to the seed of each case. */
  readonly seed: number;
  /** This process runs each case whose number, divided by `parts`, leaves `part`. */
  readonly part: number;
  readonly parts: number;
  /** Runs one history alone: what fast-check has printed of it. */
  readonly replay?: { readonly case: number; readonly seed: number; readonly path: string };
}

/** One line of the output, as JSON. */
export interface HistoryReport {
  /** What was run: the name of a case. */
  readonly name: string;
  readonly operations: number;
  /** Histories that ended with an octree in WebAssembly. */
  readonly inWasm: number;
  /** How it goes wrong, with the smallest history that does; null if all is right. */
  readonly failure: string | null;
}

let operations = 0;
let inWasm = 0;

function report(name: string, run: () => void): void {
  [operations, inWasm] = [0, 0];
  let failure: string | null = null;
  try {
    run();
  } catch (error) {
    failure = String(error);
  }
  console.log(JSON.stringify({ name, operations, inWasm, failure } satisfies HistoryReport));
}

/** Runs `numRuns` random histories, or the one at `path`. Throws the smallest one for which `run` throws. */
function check(
  longest: number,
  seed: number,
  numRuns: number,
  run: (history: readonly Operation[]) => void,
  path?: string,
): void {
  fc.assert(fc.property(histories(longest), run), { seed, numRuns, ...(path !== undefined && { path }) });
}

function runCase(options: OctreeOptions, seed: number, numRuns: number, path?: string): void {
  const run = (history: readonly Operation[]): void => {
    operations += history.length;
    const runner = new HistoryRunner(options);
    const { octree } = runner.twin;
    try {
      runner.run(history);
      if (traversalOf(octree) !== null) inWasm++;
    } finally {
      runner.end();
    }
  };
  try {
    check(LONGEST, seed, numRuns, run, path);
  } catch (error) {
    const number = HISTORY_CASES.findIndex((each) => each.options === options);
    throw new Error(`case ${number}: ${(error as Error).message}`, { cause: error });
  }
}

const work = JSON.parse(process.argv[2]) as HistoryWork;
const { replay } = work;
let jobs = 0;
/** Whether the next job is one of this process. */
const isMine = (): boolean => replay === undefined && jobs++ % work.parts === work.part;

const expectAllCalled = countCalls();

// Before the histories: nothing is loaded while they run.
await loadRayStreams();

if (replay !== undefined)
  report('replay', () => runCase(HISTORY_CASES[replay.case].options, replay.seed, 1, replay.path));

for (const { name, options, seed } of HISTORY_CASES)
  if (isMine()) report(name, () => runCase(options, seed + work.seed, work.histories));

if (isMine())
  report('two runs', () =>
    check(60, 77, Math.min(60, 2 * work.histories), (history) => {
      const [first, second] = [0, 1].map(() => {
        const runner = new HistoryRunner({ leafCapacity: 2 });
        runner.run(history);
        return runner.twin.octree;
      });
      if (fingerprint(second) !== fingerprint(first))
        throw new Error('the second run gives other results, or another order');
      if (!isDeepStrictEqual(second.statistics, first.statistics))
        throw new Error(
          `the second run gives ${JSON.stringify(second.statistics)}, the first ${JSON.stringify(first.statistics)}`,
        );
    }),
  );

for (const { name, run } of SCENE_CASES) if (isMine()) report(name, run);

if (isMine()) report('all functions', expectAllCalled);
