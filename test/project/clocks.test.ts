import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { byMajority } from '../support/by-majority.ts';

/** Folders of tests that `npm test` does not run, and those that read sources. */
const OTHERS = /^(bench|browser|package|project|site)\//;
const READS_CLOCK = /performance\.now\(|Date\.now\(|hrtime|cpuUsage/;

describe('the tests that npm test runs', () => {
  // They must pass on a slow machine. Tests that compare times run alone, in `npm run test:long`.
  it('read no clock', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.test.ts') && !OTHERS.test(path));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => READS_CLOCK.test(readFileSync(join('test', file), 'utf8')))).toEqual([]);
  });
});

describe('the tests of queries in WebAssembly', () => {
  // Files share a process, and 64 octrees of it at most have such memory: else queries would run in JavaScript, unseen.
  it('free the memories that other files have left, or load modules of their own', () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.test.ts') && !OTHERS.test(path))
      .filter((path) => /\bsimdFrom\b|\btraversalOf\b/.test(readFileSync(join('test', path), 'utf8')));
    expect(files.length).toBeGreaterThan(20);
    const frees = /beforeAll\(freeMemories\)|vi\.resetModules\(\)/;
    expect(files.filter((file) => !frees.test(readFileSync(join('test', file), 'utf8')))).toEqual([]);
  });
});

describe('the sources', () => {
  // So a test drives batches, solid boxes and changes a step at a time, and every history depends on its seed only.
  it('read the time in one file, and draw no random numbers', () => {
    const reads =
      /performance\.now|\bDate\b|Math\.random|getRandomValues|randomUUID|requestIdleCallback|setTimeout|setInterval/;
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => reads.test(withoutComments(readFileSync(join('src', file), 'utf8'))))).toEqual([
      join('math', 'clock.ts'),
    ]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

describe('a comparison of times', () => {
  it.each([
    ['holds', '+', true],
    ['holds if it has held once more often than not', '-+--+++', true],
    ['fails if it has failed three times more often', '--+--', false],
  ])('%s: %s', async (_name, outcomes, holds) => {
    let runs = 0;
    const compare = byMajority(() => {
      if (outcomes[runs++] === '-') throw new Error('slower');
    }, 0);
    if (holds) await compare();
    else await expect(compare()).rejects.toThrow('slower');
    expect(runs).toBe(outcomes.length);
  });
});
