import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { HISTORY_CASES } from '../support/history-cases.ts';
import type { HistoryReport } from '../support/history-process.ts';

const WORK = 'node_modules/.cache/history';
/** `npm run test:long` runs eight times as many. npm sets this variable to the name of the script. A mode of Vitest does not reach the tests of a project. */
const IS_LONG = process.env.npm_lifecycle_event === 'test:long';
const HISTORIES = IS_LONG ? 3200 : 400;
const OPERATIONS = 200_000;
const TIMEOUT = IS_LONG ? 1_800_000 : 120_000;

describe('Octree, any history', () => {
  let operations = 0;
  let inWasm = 0;

  beforeAll(async () => {
    await build({ configFile: false, logLevel: 'error', build: { ssr: 'test/support/history-process.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' } });
  });

  it.each(HISTORY_CASES)('equals brute force after every operation: seed $seed, options $name', { timeout: TIMEOUT }, async (history) => {
    const { stdout } = await promisify(execFile)(process.execPath, [`${WORK}/history-process.js`, String(history.case), String(HISTORIES)]);
    const report = JSON.parse(stdout) as HistoryReport;
    operations += report.operations;
    inWasm += report.inWasm;
  });

  it(`was compared with brute force after at least ${OPERATIONS} operations`, () => {
    console.log(`${operations} operations, ${inWasm} histories in WebAssembly`);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(inWasm).toBeGreaterThan((HISTORIES * HISTORY_CASES.length) / 4);
  });
});
