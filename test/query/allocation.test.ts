import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { build } from 'vite';

const WORK = 'node_modules/.cache/allocation';
/** A number that had to become an object takes 16 bytes; the clock of the heap itself is coarser than one. */
const LESS_THAN_A_NUMBER = 16;
/** All pairs of 20,000 bodies are asked for 200 times only. */
const FEW_CALLS = 200;
const COARSENESS = 20_000;

// Compiled and by itself: what the test runner loads is not what users run, and other tests would share the heap.
it('collect... allocates nothing once it is warm', { timeout: 120_000 }, async () => {
  await build({ configFile: false, logLevel: 'error', build: { ssr: 'test/support/allocation-probe.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' } });
  const wasteful = measure();
  // What the engine inlines differs from run to run, and a number passed to a call that it does not inline takes an object: only what repeats counts.
  const stillWasteful = wasteful.length === 0 ? [] : measure().filter((name) => wasteful.includes(name));
  expect(stillWasteful).toEqual([]);
});

/** Names of the questions that allocate. */
function measure(): string[] {
  const output = execFileSync(process.execPath, ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128', `${WORK}/allocation-probe.js`], { encoding: 'utf8' });
  const bytes = Object.entries(JSON.parse(output) as Record<string, number>);
  expect(bytes).toHaveLength(15);
  return bytes.filter(([name, perCall]) => perCall >= (name.startsWith('collectPairs') ? COARSENESS / FEW_CALLS : LESS_THAN_A_NUMBER)).map(([name]) => name);
}
