import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { build } from 'vite';
import { QUERY_SPECS } from '../support/queries.ts';

const WORK = 'node_modules/.cache/allocation';
/**
 * Size of a boxed double in bytes. A query that measures less than this per call allocates nothing; the rest is error
 * of the measurement.
 */
const BOXED_DOUBLE_BYTES = 16;
/** The query for all pairs of 20,000 bodies is slow, so it is called only this often. */
const PAIR_CALLS = 100;
/**
 * A further run starts only if all before have found the same allocation. Up to half of the runs box doubles in one
 * query or another, so three would still fail now and then.
 */
const RUNS = 8;
/** Error of a measurement, in bytes. */
const COARSENESS = 20_000;

// Compiled and in a process of its own: users run compiled code, and other tests would share the heap.
it(
  'collect..., has..., single hits, batches and contacts allocate nothing once they are warm',
  { timeout: 300_000 },
  async () => {
    await build({
      configFile: false,
      logLevel: 'error',
      build: { ssr: 'test/support/allocation-probe.ts', outDir: WORK, emptyOutDir: true, target: 'es2022' },
    });
    // V8 inlines different calls in each run, and boxes doubles in calls that it does not inline. Only an allocation in
    // all runs counts.
    let allocating = measure();
    for (let run = 1; run < RUNS && allocating.length > 0; run++) {
      const again = measure(allocating);
      allocating = allocating.filter((name) => again.includes(name));
    }
    expect(allocating).toEqual([]);
  },
);

/** Names of the queries that allocate. Measures at least the given ones, and all if there are none. */
function measure(names: readonly string[] = []): string[] {
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=128', `${WORK}/allocation-probe.js`, ...names],
    { encoding: 'utf8' },
  );
  const bytes = Object.entries(JSON.parse(output) as Record<string, number>);
  for (const name of names) expect(bytes.map(([measured]) => measured)).toContain(name);
  const expected = QUERY_SPECS.flatMap(({ methods: { indices, any } }) => [
    indices,
    ...(any === undefined ? [] : [any]),
  ]).flatMap((name) => [`${name}, box`, `${name}, sphere`]);
  const singles = ['firstHitIndex', 'firstHit with a target', 'castRays'].flatMap((name) => [
    `${name}, box`,
    `${name}, sphere`,
  ]);
  const excepting = ['collectBox', 'collectRay', 'collectNearest', 'firstHitIndex'].map((name) => `${name}, except`);
  if (names.length === 0)
    expect(bytes.map(([name]) => name).sort()).toEqual(
      [
        ...new Set(expected),
        ...singles,
        ...excepting,
        'collectPairs, piled',
        'sortByDistance',
        'assignBands',
        'update, contacts',
      ].sort(),
    );
  return bytes
    .filter(
      ([name, perCall]) =>
        perCall >=
        (/^(collectPairs|castRays|sortByDistance|assignBands)/.test(name)
          ? COARSENESS / PAIR_CALLS
          : BOXED_DOUBLE_BYTES),
    )
    .map(([name]) => name);
}
