/** The page of `npm run zoo -- --browser`: runs tests of `test/browser` while a fault is on. */
import { attempt, closeSuites } from '../../scripts/mutation/attempt.ts';
import { beginFile, tests, type RegisteredTest } from '../../scripts/mutation/vitest.ts';
import { SLEEP } from '../../src/three/group/sleeping-children.ts';

const files = import.meta.glob('../browser/*.test.ts');
const state = globalThis as unknown as { plantedFault: string; runTests: typeof runTests };
const loaded = new Map<string, readonly RegisteredTest[]>();
/** Tests that fail without a fault. */
const broken = new Set<RegisteredTest>();

SLEEP.maxObjects = 0;
state.plantedFault = '';

async function testsOf(file: string): Promise<readonly RegisteredTest[]> {
  let own = loaded.get(file);
  if (own !== undefined) return own;
  const first = tests.length;
  beginFile(file);
  await files[`../browser/${file}.test.ts`]();
  own = tests.slice(first);
  loaded.set(file, own);
  return own;
}

/** Runs the tests of a file until one fails with the fault, but not without it. Returns its name, or null. */
async function runTests(fault: string, file: string): Promise<string | null> {
  for (const test of await testsOf(file)) {
    if (broken.has(test)) continue;
    state.plantedFault = fault;
    const error = await attempt(test);
    await closeSuites();
    state.plantedFault = '';
    if (error === null) continue;
    const again = await attempt(test);
    await closeSuites();
    if (again === null) return `${test.name}: ${error.message.split('\n')[0].slice(0, 100)}`;
    broken.add(test);
    console.log(`fails without a fault: ${test.name}: ${again.message.slice(0, 200)}`);
  }
  return null;
}
state.runTests = runTests;
