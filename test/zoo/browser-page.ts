/** The page of `npm run zoo -- --browser`: runs tests of `test/browser` while a fault is on. */
import { attempt, closeSuites } from '../../scripts/mutation/attempt.ts';
import { beginFile, tests, type RegisteredTest } from '../../scripts/mutation/vitest.ts';
import { SLEEP } from '../../src/three/group/sleeping-children.ts';

const files = import.meta.glob('../browser/*.test.ts');
const state = globalThis as unknown as { isPlanted: typeof isPlanted; runTests: typeof runTests };
const loaded = new Map<string, readonly RegisteredTest[]>();
/** Of each test that passes without a fault: the faults whose code it runs. */
const reached = new Map<RegisteredTest, Set<string>>();
let plantedFault = '';
let reachedNow = new Set<string>();

SLEEP.maxObjects = 0;
state.isPlanted = isPlanted;

function isPlanted(fault: string): boolean {
  reachedNow.add(fault);
  return fault === plantedFault;
}

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

/** Runs a test with a fault, or without one. */
async function failureOf(test: RegisteredTest, fault: string): Promise<Error | null> {
  plantedFault = fault;
  reachedNow = new Set();
  const error = await attempt(test);
  await closeSuites();
  plantedFault = '';
  return error;
}

/** Whether a test runs the code of a fault, and passes without it. */
async function canCatch(test: RegisteredTest, fault: string): Promise<boolean> {
  if (!reached.has(test)) {
    const error = await failureOf(test, '');
    reached.set(test, error === null ? reachedNow : new Set());
    if (error !== null) console.log(`fails without a fault: ${test.name}: ${error.message.slice(0, 200)}`);
  }
  return reached.get(test)!.has(fault);
}

/** Runs the tests of a file until one fails with the fault, but not without it. Returns its name, or null. */
async function runTests(fault: string, file: string): Promise<string | null> {
  for (const test of await testsOf(file)) {
    if (!(await canCatch(test, fault))) continue;
    const error = await failureOf(test, fault);
    if (error === null) continue;
    const again = await failureOf(test, '');
    if (again === null) return `${test.name}: ${error.message.split('\n')[0].slice(0, 100)}`;
    console.log(`fails without a fault: ${test.name}: ${again.message.slice(0, 200)}`);
  }
  return null;
}
state.runTests = runTests;
