import { execFileSync } from 'node:child_process';
import { build } from 'vite';
import { expect, it } from 'vitest';

const WORK = 'node_modules/.cache/soak-test';

/** `npm run soak` runs 25,000 ticks of 4,000 bodies. In a process of its own, because other tests share the heap. */
it('2,000 ticks of 300 bodies leave nothing behind', async () => {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'test/soak/run.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' },
  });
  // One object of 32 bytes that is kept in each tick would be 32 kB in 1,000 ticks.
  const size = ['--ticks', '2000', '--bodies', '300', '--limit', '20', '--seconds', '0'];
  const output = execFileSync(process.execPath, ['--expose-gc', `${WORK}/run.js`, ...size], { encoding: 'utf8' });
  expect(output.trim().split('\n')).toHaveLength(2);
});
