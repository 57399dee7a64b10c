import { execFileSync } from 'node:child_process';
import { build } from 'vite';
import { expect, it } from 'vitest';

/**
 * Runs a command of this folder, in a process of its own, because other tests share the heap. Returns what it prints.
 */
async function run(name: 'run' | 'load', options: readonly string[]): Promise<string[]> {
  const outDir = `node_modules/.cache/soak-test-${name}`;
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: `test/soak/${name}.ts`, outDir, emptyOutDir: true, target: 'es2022' },
  });
  const output = execFileSync(process.execPath, ['--expose-gc', `${outDir}/${name}.js`, ...options], {
    encoding: 'utf8',
  });
  return output.trim().split('\n');
}

const TICKS = 2000;

/** `npm run soak` runs 25,000 ticks of 4,000 bodies. */
it(`${TICKS} ticks of 300 bodies leave nothing behind`, async () => {
  // One object of 32 bytes that is kept in each tick would be 32 kB in 1,000 ticks.
  const size = ['--ticks', `${TICKS}`, '--bodies', '300', '--limit', '20', '--triangles', '0', '--seconds', '0'];
  expect(await run('run', size)).toHaveLength(2);
});

/** `npm run soak` runs 25,000 ticks. */
it(`${TICKS / 2} ticks of triangles among meshes that come and go leave nothing behind`, async () => {
  // The smallest geometry has more than a kilobyte, which would be 1,000 kB. Trees differ in size: up to 20 kB.
  const size = ['--ticks', '0', '--triangles', `${TICKS / 2}`, '--limit', '60', '--seconds', '0'];
  expect(await run('run', size)).toHaveLength(1);
});

/** `npm run load` runs all of it. */
it('a hundredth of the load gives the results of a loop, and of plain three', async () => {
  expect(await run('load', ['--scale', '0.01'])).toHaveLength(6);
});
