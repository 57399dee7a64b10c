/**
 * `npm run histories -- [--operations N] [--seed N]`: runs random histories of octrees and of containers, with other
 * seeds than the tests. `--replay '{"case":3,"seed":1003,"path":"12:0:1"}'` runs one history of an octree again: case,
 * seed and path stand in the report of a fault.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** The histories of containers, which `npm test` and `npm run test:long` run with their own seeds. */
const FILES = [
  'test/histories/history.test.ts',
  'test/histories/occlusion-history.test.ts',
  'test/three/group/any-history.test.ts',
  'test/batches/any-changes.test.ts',
  'test/changes/views/change-histories.test.ts',
];

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '2000000' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
  },
});
const profile = {
  operations: Number(values.operations),
  seed: Number(values.seed),
  replay: JSON.parse(values.replay ?? 'null'),
};
console.log(`Histories of ${profile.operations} operations, seed ${profile.seed}.`);
const { status } = spawnSync(
  // npx would hide the name of the script, by which tests try all (test/support/sampled.ts).
  'node_modules/.bin/vitest',
  ['run', '--project', 'histories', '--project', 'long*', ...(values.replay ? [FILES[0]] : FILES)],
  {
    stdio: 'inherit',
    env: { ...process.env, HISTORIES: JSON.stringify(profile) },
  },
);
process.exitCode = status ?? 1;
