/**
 * Tests the mutants of instrumented sources, in one process: `npm run mutation`. Runs all tests without a mutant, and
 * notes which test reaches which mutants; then switches on one mutant after the other, and runs the tests that reach it
 * until one fails. A failure counts only if the same test passes right after it without the mutant: else what
 * mutants have left behind may be the reason, and a new process tries again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { attempt, closeSuites } from './attempt.ts';
import { tests } from './vitest.ts';

/** What the instrumented sources read. */
interface Switch {
  /** The mutant that is on. */
  on: number;
  /** Counts how often mutants are reached; null after the runs without mutants. */
  count: ((mutants: readonly number[]) => void) | null;
  /** Called where the mutant that is on is evaluated. */
  hit: (() => boolean) | null;
}

/** The runs without mutants, on disk for the next process. */
interface Baseline {
  /** CPU seconds of each test; -1 if it is left out. */
  readonly seconds: number[];
  /** Of each mutant the tests that reach it, and how often. */
  readonly reached: Record<number, [test: number, hits: number][]>;
}

interface Job {
  readonly mutants: readonly number[];
  readonly baseline: string;
  /** CPU seconds of tests for each mutant. */
  readonly secondsPerMutant: number;
  readonly longestTest: number;
}

/** A mutant counts as a loop if it is evaluated more often than without mutants by this factor. */
const LOOP = 100;

const state = globalThis as unknown as { mutationSwitch: Switch };
state.mutationSwitch ??= { on: -1, count: null, hit: null };
const active = state.mutationSwitch;
const job = JSON.parse(readFileSync(process.argv[2], 'utf8')) as Job;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function tell(message: object): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

async function runBaseline(): Promise<Baseline> {
  const seconds: number[] = [];
  const reached: Baseline['reached'] = {};
  for (const [index, test] of tests.entries()) {
    const hits = new Map<number, number>();
    active.count = (mutants) => {
      for (const mutant of mutants) hits.set(mutant, (hits.get(mutant) ?? 0) + 1);
    };
    const begin = cpuSeconds();
    const error = await attempt(test);
    await closeSuites();
    const time = cpuSeconds() - begin;
    const isLeftOut = error !== null || time > job.longestTest;
    seconds.push(isLeftOut ? -1 : time);
    if (isLeftOut) console.log(`left out: ${test.name}: ${error?.message.slice(0, 200) ?? `${time} s`}`);
    else for (const [mutant, count] of hits) (reached[mutant] ??= []).push([index, count]);
  }
  active.count = null;
  return { seconds, reached };
}

function readBaseline(): Baseline | null {
  try {
    return JSON.parse(readFileSync(job.baseline, 'utf8')) as Baseline;
  } catch {
    return null;
  }
}

// @ts-expect-error: the command makes this module.
const { loadTests } = (await import('virtual:tests')) as { loadTests: () => Promise<void> };
await loadTests();
let baseline = readBaseline();
if (baseline === null) {
  baseline = await runBaseline();
  writeFileSync(job.baseline, JSON.stringify(baseline));
  console.log(
    `${cpuSeconds().toFixed(0)} s; ${tests.length} tests, ${baseline.seconds.reduce((sum, s) => sum + Math.max(s, 0), 0).toFixed(1)} s of CPU time`,
  );
}
const { seconds, reached } = baseline;
/** Mutants that each test has caught: what has caught many is tried first. */
const caught = new Float64Array(tests.length);

type Status = 'caught' | 'survived' | 'unreached';

/** Tests with a small rank run first. */
function rank(test: number): number {
  return (seconds[test] + 0.0005) / (1 + caught[test]);
}

/** Null if a new process has to try again. */
async function testMutant(mutant: number): Promise<{ status: Status; by?: string } | null> {
  const hits = new Map(reached[mutant] ?? []);
  if (hits.size === 0) return { status: 'unreached' };
  let spent = 0;
  for (const index of [...hits.keys()].sort((a, b) => rank(a) - rank(b))) {
    if (spent > job.secondsPerMutant) break;
    spent += seconds[index];
    const test = tests[index];
    let rest = LOOP * hits.get(index)! + 10_000;
    let loops = false;
    active.hit = () => {
      if (--rest < 0) {
        loops = true;
        throw new Error('the mutant loops');
      }
      return true;
    };
    active.on = mutant;
    await tell({ test: test.name, limit: 5 + 20 * seconds[index] });
    const error = await attempt(test);
    await closeSuites();
    active.on = -1;
    if (error === null && !loops) continue;
    const again = await attempt(test);
    await closeSuites();
    if (again !== null) return null;
    caught[index]++;
    return { status: 'caught', by: `${test.name}: ${error?.message.slice(0, 150) ?? 'loops'}` };
  }
  return { status: 'survived' };
}

for (const mutant of job.mutants) {
  await tell({ mutant });
  const result = await testMutant(mutant);
  await tell({ mutant, result });
  // A new process for the rest.
  if (result === null) break;
}
process.exit(0);
