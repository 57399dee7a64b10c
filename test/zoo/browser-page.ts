/** The page of `npm run zoo -- --browser`: runs tests of `test/browser` while a fault is on. */
import { attempt, closeSuites } from '../../scripts/mutation/attempt.ts';
import { beginFile, tests, type RegisteredTest } from '../../scripts/mutation/vitest.ts';
import { SLEEP } from '../../src/three/group/sleeping-children.ts';

const files = import.meta.glob('../browser/*.test.ts');
const loaded = new Map<string, readonly RegisteredTest[]>();
/** Of each test that passes without a fault: the faults whose code it runs. */
const reached = new Map<RegisteredTest, Set<string>>();
let plantedFault = '';
let reachedNow = new Set<string>();

SLEEP.maxObjects = 0;

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

/** Number of the tests in a file. */
async function countTests(file: string): Promise<number> {
  return (await testsOf(file)).length;
}

/** Returns the name and the error of a test that fails with a fault, but not without it; else null. */
async function runTest(fault: string, file: string, k: number): Promise<string | null> {
  const test = (await testsOf(file))[k];
  if (!(await canCatch(test, fault))) return null;
  const error = await failureOf(test, fault);
  if (error === null) return null;
  const again = await failureOf(test, '');
  if (again === null) return `${test.name}: ${error.message.split('\n')[0].slice(0, 100)}`;
  console.log(`fails without a fault: ${test.name}: ${again.message.slice(0, 200)}`);
  return null;
}
Object.assign(globalThis, { isPlanted, countTests, runTest });
