import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HISTORY_CASES } from '../support/history-cases.ts';
import type { HistoryReport } from '../support/history-process.ts';
import { IS_LONG } from '../support/sampled.ts';
import { SCENE_CASES } from '../support/scene-cases.ts';

const WORK = 'node_modules/.cache/history';
/** `npm run test:long` runs eight times as many. */
const HISTORIES = IS_LONG ? 1600 : 200;
const OPERATIONS = IS_LONG ? 700_000 : 90_000;
/**
 * Limits of inlining in bytes: with a third of the default V8 compiles the code, nearly all of which runs rarely, in
 * two thirds of the time.
 */
const INLINING = ['--max-inlined-bytecode-size=150', '--max-inlined-bytecode-size-cumulative=200'];
const TIMEOUT = 1_800_000;

let child: ChildProcess;
let lines: AsyncIterator<string>;

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'test/support/history-process.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' },
  });
  child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', ...INLINING, `${WORK}/history-process.js`, String(HISTORIES)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
});

afterAll(async () => {
  if (child.exitCode === null && child.kill()) await once(child, 'exit');
});

/** The process reports in the order of the tests. Skips the reports of tests that are filtered out. */
async function reportOf(name: string): Promise<HistoryReport> {
  for (;;) {
    const { value } = (await lines.next()) as IteratorResult<string, undefined>;
    if (value === undefined) throw new Error('the process that runs the histories ended early');
    const report = JSON.parse(value) as HistoryReport;
    if (report.name === name) return report;
  }
}

describe('Octree, any history', () => {
  let operations = 0;
  let inWasm = 0;

  it.each(HISTORY_CASES)(
    'equals brute force after every operation: seed $seed, options $name',
    { timeout: TIMEOUT },
    async ({ name }) => {
      const report = await reportOf(name);
      expect(report.failure).toBeNull();
      operations += report.operations;
      inWasm += report.inWasm;
    },
  );

  it(`was compared with brute force after at least ${OPERATIONS} operations`, () => {
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(inWasm).toBeGreaterThan((HISTORIES * HISTORY_CASES.length) / 4);
  });

  it('H1 two runs of a history give the same results in the same order: seed 77', { timeout: TIMEOUT }, async () => {
    expect((await reportOf('two runs')).failure).toBeNull();
  });
});

describe('Octree, any scene', () => {
  it.each(SCENE_CASES.map(({ name }) => name))('equals brute force %s', { timeout: TIMEOUT }, async (name) => {
    expect((await reportOf(name)).failure).toBeNull();
  });
});
