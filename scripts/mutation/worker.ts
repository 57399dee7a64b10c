/**
 * Tests the mutants of instrumented sources, in one process: `npm run mutation`. Runs all tests without a mutant, and
 * notes which test reaches which mutants; then switches on one mutant after the other, and runs the tests that reach it
 * until one fails. A failure counts only if the same test passes right after it without the mutant: else what
 * mutants have left behind may be the reason, and a new process tries again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { attempt, closeSuites } from './attempt.ts';
import { tests } from './vitest.ts';

/** What the instrumented sources read. */
interface Switch {
  /** The mutant that is on. */
  on: number;
  /** How often each mutant was reached. */
  readonly counts: Float64Array;
  /** Called where the mutant that is on is evaluated. */
  hit: (() => boolean) | null;
}

/** The runs without mutants, on disk for the next process. */
interface Baseline {
  /** CPU seconds of each test; -1 if it is left out. */
  readonly seconds: number[];
  /** Of each mutant the tests that reach it, and how often. */
  readonly reached: Record<number, [test: number, hits: number][]>;
  /** Mutants that are evaluated while files are loaded. */
  readonly loaded: number[];
}

interface Job {
  /** Number of all mutants. */
  readonly count: number;
  readonly mutants: readonly number[];
  readonly baseline: string;
  /** How many mutants each test has caught, on disk for the next process. */
  readonly caught: string;
  /** CPU seconds of tests for each mutant. */
  readonly secondsPerMutant: number;
  readonly longestTest: number;
}

/** Tests that reach nearly everything: they are tried early, although they take longer than others. */
const BROAD = /^test\/octree\/golden/;
/** A mutant counts as a loop if it is evaluated more often than without mutants by this factor. */
const LOOP = 100;

const state = globalThis as unknown as { mutationSwitch: Switch };
const job = JSON.parse(readFileSync(process.argv[2], 'utf8')) as Job;
const active: Switch = { on: -1, counts: new Float64Array(job.count), hit: null };
state.mutationSwitch = active;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function tell(message: object): Promise<void> {
  return new Promise((resolve) => process.send!(message, () => resolve()));
}

/** Mutants that were reached since the last call, and how often. */
function takeCounts(): [mutant: number, hits: number][] {
  const taken = [...active.counts.entries()].filter(([, hits]) => hits > 0);
  active.counts.fill(0);
  return taken;
}

async function runBaseline(): Promise<Baseline> {
  const loaded = takeCounts().map(([mutant]) => mutant);
  const seconds: number[] = [];
  const reached: Baseline['reached'] = {};
  for (const [index, test] of tests.entries()) {
    const begin = cpuSeconds();
    const error = await attempt(test);
    await closeSuites();
    const time = cpuSeconds() - begin;
    const isLeftOut = error !== null || time > job.longestTest;
    seconds.push(isLeftOut ? -1 : time);
    if (isLeftOut) console.log(`left out: ${test.name}: ${error?.message.slice(0, 200) ?? `${time} s`}`);
    else for (const [mutant, hits] of takeCounts()) (reached[mutant] ??= []).push([index, hits]);
    active.counts.fill(0);
  }
  return { seconds, reached, loaded };
}

function readIfThere(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

// @ts-expect-error: the command makes this module.
const { loadTests } = (await import('virtual:tests')) as { loadTests: () => Promise<void> };
await loadTests();
let baseline = readIfThere(job.baseline) as Baseline | null;
if (baseline === null) {
  baseline = await runBaseline();
  writeFileSync(job.baseline, JSON.stringify(baseline));
  console.log(
    `${cpuSeconds().toFixed(0)} s; ${tests.length} tests, ${baseline.seconds.reduce((sum, s) => sum + Math.max(s, 0), 0).toFixed(1)} s of CPU time`,
  );
}
const { seconds, reached, loaded } = baseline;
/** Mutants that each test has caught: what has caught many is tried first. */
const caught = (readIfThere(job.caught) as number[] | null) ?? tests.map(({ name }) => (BROAD.test(name) ? 50 : 0));

type Status = 'caught' | 'survived' | 'unreached' | 'static';

/** Tests with a small rank run first. */
function rank(test: number): number {
  return (seconds[test] + 0.0005) / (1 + caught[test]);
}

/** Null if a new process has to try again. */
async function testMutant(mutant: number): Promise<{ status: Status; by?: string } | null> {
  const hits = new Map(reached[mutant] ?? []);
  if (hits.size === 0) return { status: loaded.includes(mutant) ? 'static' : 'unreached' };
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
    await tell({ test: test.name, limit: 1 + 20 * seconds[index] });
    const error = await attempt(test);
    await closeSuites();
    active.on = -1;
    if (error === null && !loops) continue;
    const again = await attempt(test);
    await closeSuites();
    if (again !== null) return null;
    caught[index]++;
    writeFileSync(job.caught, JSON.stringify(caught));
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
