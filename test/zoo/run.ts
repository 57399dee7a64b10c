/**
 * `npm run zoo [name ...]`: plants each bug of the zoo alone into a build of the library, and runs the random histories
 * until they catch it. Prints after how many operations. Ends with 1 if a bug was not caught. With `--browser`: see
 * `browser-run.ts`.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { runInBrowser } from './browser-run.ts';
import { BUGS } from './bugs.ts';
import type { RaceReport } from './history-race.ts';
import { plantedFaultPlugin, type PlantedFault } from './planted-fault.ts';

/** Histories of each of the cases: those of `npm test`. */
const HISTORIES = 200;
/** A history that takes longer hangs. Seconds of CPU time: a busy machine catches nothing. */
const HANG = 20;
const OUT = `node_modules/.cache/zoo-bug-${process.pid}`;

interface Outcome {
  readonly operations: number;
  readonly seconds: number;
  readonly caughtBy: string | null;
}

async function buildWith(fault: PlantedFault): Promise<void> {
  const plugin = plantedFaultPlugin(fault);
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [plugin],
    build: { ssr: 'test/zoo/history-race.ts', outDir: OUT, emptyOutDir: true, target: 'es2022' },
  });
  if (plugin.planted.size !== fault.edits.length) throw new Error(`fault ${fault.name}: a file is not in the build`);
}

/** CPU seconds of a process, as far as they are known; where there is no /proc, those of the clock. */
function cpuSeconds(pid: number): number {
  if (!existsSync('/proc/self/stat')) return performance.now() / 1000;
  const path = `/proc/${pid}/stat`;
  const [user, system] = existsSync(path)
    ? readFileSync(path, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 13)
    : [];
  return (Number(user ?? 0) + Number(system ?? 0)) / 100;
}

async function race(): Promise<Outcome> {
  const child = spawn(process.execPath, [`${OUT}/history-race.js`, String(HISTORIES)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  let last: RaceReport = { operations: 0, seconds: 0, failure: null };
  let hangs = false;
  let begin = 0;
  const watch = setInterval(() => {
    if (child.exitCode !== null || cpuSeconds(child.pid!) - begin < HANG) return;
    hangs = true;
    child.kill('SIGKILL');
  }, 500);
  for await (const line of createInterface({ input: child.stdout })) {
    last = JSON.parse(line) as RaceReport;
    begin = cpuSeconds(child.pid!);
  }
  clearInterval(watch);
  const { operations, seconds } = last;
  const crash = errors === '' ? null : `the process ends: ${errors.trim().split('\n').at(-1)!.slice(0, 120)}`;
  return { operations, seconds, caughtBy: last.failure ?? (hangs ? 'a call does not return' : crash) };
}

const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
if (args.includes('--browser')) process.exit((await runInBrowser(names, args.includes('--anywhere'))) ? 0 : 1);
const chosen = names.length === 0 ? BUGS : BUGS.filter(({ name }) => names.includes(name));
let caught = 0;
for (const bug of chosen) {
  await buildWith(bug);
  const { operations, seconds, caughtBy } = await race();
  if (caughtBy !== null) caught++;
  console.log(
    `${bug.name.padEnd(34)} ${caughtBy === null ? 'NOT CAUGHT in' : 'after'} ${String(operations).padStart(6)} operations, ${seconds.toFixed(1)} s  ${caughtBy?.slice(0, 150) ?? ''}`,
  );
}
rmSync(OUT, { recursive: true, force: true });
console.log(`${caught} of ${chosen.length} caught`);
process.exitCode = caught === chosen.length ? 0 : 1;
