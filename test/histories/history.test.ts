import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HISTORY_CASES } from '../support/history-cases.ts';
import type { HistoryReport, HistoryWork } from '../support/history-process.ts';
import { ASKED, HISTORIES, OPERATIONS, PROCESSES, SEED } from '../support/history-profile.ts';
import { SCENE_CASES } from '../support/scene-cases.ts';

const WORK = 'node_modules/.cache/history';
/**
 * Limits of inlining in bytes: with a third of the default V8 compiles the code, nearly all of which runs rarely, in
 * two thirds of the time.
 */
const INLINING = ['--max-inlined-bytecode-size=150', '--max-inlined-bytecode-size-cumulative=200'];
const TIMEOUT = 1_800_000 * Math.ceil(HISTORIES / 5000);

/** What the processes run in turn, in the order of the tests. */
const JOBS = [
  ...HISTORY_CASES.map(({ name }) => name),
  'two runs',
  ...SCENE_CASES.map(({ name }) => name),
  'all functions',
];
const { replay } = ASKED ?? {};

const children: ChildProcess[] = [];
const lines: AsyncIterator<string>[] = [];

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'test/support/history-process.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' },
  });
  for (let part = 0; part < PROCESSES; part++) {
    const work: HistoryWork = { histories: HISTORIES, seed: SEED, part, parts: PROCESSES, ...(replay && { replay }) };
    const child = spawn(
      process.execPath,
      ['--max-semi-space-size=64', ...INLINING, `${WORK}/history-process.js`, JSON.stringify(work)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    lines.push(createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  }
});

afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.kill()) await once(child, 'exit');
});

/** Each process reports in the order of the tests. Skips the reports of tests that are filtered out. */
async function reportOf(name: string): Promise<HistoryReport> {
  const part = Math.max(0, JOBS.indexOf(name)) % PROCESSES;
  for (;;) {
    const { value } = (await lines[part].next()) as IteratorResult<string, undefined>;
    if (value === undefined) throw new Error('the process that runs the histories ended early');
    const report = JSON.parse(value) as HistoryReport;
    if (report.name === name) return report;
  }
}

describe.runIf(replay)('Octree, the history of a report', () => {
  it('equals brute force after every operation', { timeout: TIMEOUT }, async () => {
    expect((await reportOf('replay')).failure).toBeNull();
  });
});

describe.skipIf(replay)('Octree, any history', () => {
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

describe.skipIf(replay)('Octree, any scene', () => {
  it.each(SCENE_CASES.map(({ name }) => name))('equals brute force %s', { timeout: TIMEOUT }, async (name) => {
    expect((await reportOf(name)).failure).toBeNull();
  });
});

describe.skipIf(replay)('Random histories', () => {
  // Also of a function that is added later: its operation belongs into test/support/operations.ts.
  it('call every public function of scene-octree', { timeout: TIMEOUT }, async () => {
    expect((await reportOf('all functions')).failure).toBeNull();
  });
});
