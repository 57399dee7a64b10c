import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { tunedConstants } from '../../scripts/constants.mjs';

/**
 * Tuned constants for which no test and no row is known yet. Add none: a new constant needs a test or a row.
 * `node scripts/constants.mjs --try NAME` halves and doubles a constant that names a test.
 */
const OPEN: readonly string[] = readFileSync('test/project/open-constants.txt', 'utf8').trim().split('\n');

const constants = tunedConstants();

it('a tuned constant names in its comment the test or the row of the benchmark that sees it halved or doubled', () => {
  expect(constants.length).toBeGreaterThan(100);
  const unnamed = constants.filter(({ tests }) => tests.length === 0).map(({ file, name }) => `${file} ${name}`);
  expect(unnamed.filter((one) => !OPEN.includes(one))).toEqual([]);
  // A constant that names a test now, or is gone, leaves the list.
  expect(OPEN.filter((one) => !unnamed.includes(one))).toEqual([]);
});

it('the tests that constants name exist', () => {
  const files = new Set(readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => basename(file)));
  const named = constants.flatMap(({ file, name, tests }) => tests.map((test) => ({ file, name, test })));
  expect(named.filter(({ test }) => test.endsWith('.test.ts') && !files.has(test))).toEqual([]);
});
