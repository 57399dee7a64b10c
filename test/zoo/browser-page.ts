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

/** Number of the tests in a file. */
async function countTests(file: string): Promise<number> {
  return (await testsOf(file)).length;
}

/** What a test says of a fault: see `Verdict` in `browser-run.ts`. */
interface Verdict {
  readonly failure: string | null;
  readonly repeats: boolean;
  readonly isBroken: boolean;
}

/** Runs a test with a fault. The failure is one that it has with the fault, but not without it. */
async function runTest(fault: string, file: string, k: number): Promise<Verdict> {
  const test = (await testsOf(file))[k];
  if (!reached.has(test)) {
    const error = await failureOf(test, '');
    if (error !== null) return { failure: textOf(test, error), repeats: true, isBroken: true };
    reached.set(test, reachedNow);
  }
  const error = reached.get(test)!.has(fault) ? await failureOf(test, fault) : null;
  if (error === null) return { failure: null, repeats: true, isBroken: false };
  return { failure: textOf(test, error), repeats: (await failureOf(test, '')) === null, isBroken: false };
}

/** Runs a test once, with a fault or without one. Returns its failure, or null. */
async function runOnce(fault: string, file: string, k: number): Promise<string | null> {
  const test = (await testsOf(file))[k];
  const error = await failureOf(test, fault);
  return error === null ? null : textOf(test, error);
}

function textOf({ name }: RegisteredTest, { message }: Error): string {
  return `${name}: ${message.split('\n')[0].slice(0, 100)}`;
}
Object.assign(globalThis, { isPlanted, countTests, runTest, runOnce });
