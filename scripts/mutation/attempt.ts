/** Runs registered tests with their hooks, in Node or in a browser. */
import { finishers, type RegisteredTest, type Suite } from './vitest.ts';

/** Suites whose `beforeAll` has run, the last one first. */
const open: Suite[] = [];

function outward(suite: Suite | null): Suite[] {
  return suite === null ? [] : [suite, ...outward(suite.parent)];
}

function inward(suite: Suite | null): Suite[] {
  return suite === null ? [] : [...inward(suite.parent), suite];
}

async function runAll(hooks: readonly (() => unknown)[]): Promise<void> {
  for (const hook of hooks) await hook();
}

/** Ends a promise that is never settled. */
async function within<T>(seconds: number, promise: T | Promise<T>): Promise<T> {
  if (!(promise instanceof Promise)) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the test does not end')), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Runs a test with its hooks. Returns what it throws, or null. */
export async function attempt({ suite, run }: RegisteredTest): Promise<Error | null> {
  let error: Error | null = null;
  const fail = (thrown: unknown): void => void (error ??= thrown instanceof Error ? thrown : new Error('no error'));
  try {
    for (const outer of inward(suite))
      if (!open.includes(outer)) {
        open.unshift(outer);
        await within(60, runAll(outer.hooks.beforeAll));
      }
    for (const outer of inward(suite)) await runAll(outer.hooks.beforeEach);
    await within(60, run());
  } catch (thrown) {
    fail(thrown);
  }
  const after = [...finishers, ...outward(suite).flatMap(({ hooks }) => hooks.afterEach)];
  finishers.length = 0;
  for (const hook of after)
    try {
      await hook();
    } catch (thrown) {
      fail(thrown);
    }
  return error;
}

/** After each test; lets the engine collect garbage, of which WebAssembly memories are the scarcest. */
export async function closeSuites(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  for (const { hooks } of open.splice(0))
    try {
      await runAll(hooks.afterAll);
    } catch {
      // A mutant may break the tidying up, too.
    }
}
