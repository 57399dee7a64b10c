/**
 * What tests import from `vitest` while mutants are tested: the same functions, but `it` only registers a test, so that
 * a worker can run any test at any time, thousands of times in one process (`worker.ts`).
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  chai,
  customMatchers,
} from '@vitest/expect';
import { fn, restoreAllMocks, spyOn } from '@vitest/spy';

type Callback = (...values: never[]) => unknown;
type HookName = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';

/** A `describe`, or a file. */
export interface Suite {
  readonly parent: Suite | null;
  readonly hooks: Record<HookName, (() => unknown)[]>;
}

export interface RegisteredTest {
  readonly name: string;
  readonly suite: Suite;
  readonly run: () => unknown;
}

export const tests: RegisteredTest[] = [];
let suite = newSuite(null);
let file = '';
/** What `onTestFinished` was given by the test that runs. */
export const finishers: (() => unknown)[] = [];

function newSuite(parent: Suite | null): Suite {
  return { parent, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } };
}

/** Tests that are registered next belong to a file. Hooks of the set-up files are in the suite around all files. */
export function beginFile(name: string): void {
  file = name;
  suite = newSuite(root);
}
const root = suite;

type Register = (run: () => unknown) => void;

// What comes after a test runs in the reverse order.
export const beforeAll: Register = (run) => void suite.hooks.beforeAll.push(run);
export const beforeEach: Register = (run) => void suite.hooks.beforeEach.push(run);
export const afterAll: Register = (run) => void suite.hooks.afterAll.unshift(run);
export const afterEach: Register = (run) => void suite.hooks.afterEach.unshift(run);
export function onTestFinished(run: () => unknown): void {
  finishers.push(run);
}

function callbackOf(values: readonly unknown[]): Callback {
  return values.find((value) => typeof value === 'function') as Callback;
}

function register(name: string, ...values: unknown[]): void {
  const run = callbackOf(values);
  tests.push({ name: `${file} > ${tests.length} ${name}`, suite, run: () => run() });
}

function group(_name: string, ...values: unknown[]): void {
  const parent = suite;
  suite = newSuite(parent);
  callbackOf(values)();
  suite = parent;
}

interface Registration {
  (name: string, ...values: unknown[]): void;
}

/** `it.each` and `describe.each`. */
function each(one: Registration): (rows: readonly unknown[]) => Registration {
  return (rows) =>
    (name, ...values) => {
      const run = callbackOf(values) as (...row: unknown[]) => unknown;
      for (const row of rows)
        one(`${name} ${String(Array.isArray(row) ? row[0] : row)}`, () => run(...(Array.isArray(row) ? row : [row])));
    };
}

interface Forms extends Registration {
  readonly each: ReturnType<typeof each>;
  readonly skip: Registration;
  readonly runIf: (condition: boolean) => Forms;
  readonly skipIf: (condition: boolean) => Forms;
}

function skip(): void {}

function withForms(one: Registration): Forms {
  const forms: Forms = Object.assign((name: string, ...values: unknown[]) => one(name, ...values), {
    each: each(one),
    skip,
    runIf: (condition: boolean) => (condition ? forms : withForms(skip)),
    skipIf: (condition: boolean) => (condition ? withForms(skip) : forms),
  });
  return forms;
}

export const it = withForms(register);
export const test = it;
export const describe = withForms(group);

for (const plugin of [JestExtend, JestChaiExpect, ChaiStyleAssertions, JestAsymmetricMatchers]) chai.use(plugin);
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT],
  {
    unreachable: (message = '') => chai.assert.fail(`not to be reached ${message}`),
    fail: (message = '') => chai.assert.fail(message),
  },
);
(chai.expect as unknown as { extend(target: object, matchers: object): void }).extend(expect, customMatchers);

/** A check of types only. */
export function expectTypeOf(): unknown {
  const anything: unknown = new Proxy(() => anything, { get: () => anything });
  return anything;
}

/** By name what globals were before they were replaced. */
const globals = new Map<string, PropertyDescriptor | undefined>();

function stubGlobal(name: string, value: unknown): void {
  if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
}

function unstubAllGlobals(): void {
  for (const [name, before] of globals)
    if (before === undefined) delete (globalThis as Record<string, unknown>)[name];
    else Object.defineProperty(globalThis, name, before);
  globals.clear();
}

/** What replaces modules is missing: tests that need it fail without a mutant, and are left out. */
export const vi = { fn, spyOn, restoreAllMocks, stubGlobal, unstubAllGlobals };
