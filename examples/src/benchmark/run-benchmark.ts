// Leads the workers of the rivals: one works at a time, round by round in turn, so that a noisy second hits them all alike.

import { median } from '../../../test/bench/measure.ts';
import type { Entry, Row } from '../../../test/bench/result.ts';
import { chosenScenarios } from './chosen-scenarios.ts';
import type { Choice, PageOrder, WorkerReport } from './messages.ts';
import { type RivalName, RIVALS } from './names.ts';

const ROUNDS = 7;
/** A rival that has played this long in one scenario sits out further rounds, but not the first few. */
const MAX_MS = 1000;
const MIN_ROUNDS = 3;

export interface Listeners {
  /** What is being played, and which share of all is done. */
  readonly progress: (scenario: string, fraction: number) => void;
  readonly row: (row: Row) => void;
}

/** Plays all scenarios; throws the signal's reason once that is aborted. */
export async function runBenchmark(choice: Choice, signal: AbortSignal, { progress, row }: Listeners): Promise<void> {
  const rivals = RIVALS.map((name) => new RivalWorker(name, signal));
  try {
    progress('', 0);
    await Promise.all(rivals.map((rival) => rival.send({ kind: 'begin', rival: rival.name, ...choice })));
    for (const [at, { name }] of chosenScenarios.entries()) {
      row(await runScenario(name, rivals, (share) => progress(name, (at + share) / chosenScenarios.length)));
    }
  } finally {
    for (const rival of rivals) rival.end();
  }
}

class RivalWorker {
  readonly name: RivalName;
  private readonly worker = new Worker(new URL('rival-worker.ts', import.meta.url), { type: 'module' });
  private readonly signal: AbortSignal;

  constructor(name: RivalName, signal: AbortSignal) {
    this.name = name;
    this.signal = signal;
  }

  send(order: PageOrder): Promise<WorkerReport> {
    const { worker, signal, name } = this;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const end = (finish: () => void): void => {
        done.abort();
        finish();
      };
      const options = { signal: done.signal };
      const fail = (message: string): void => end(() => reject(new Error(`${name}: ${message}`)));
      signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)), options);
      worker.addEventListener('error', ({ message }) => fail(message || 'its worker did not load'), options);
      worker.addEventListener('message', ({ data }: MessageEvent<WorkerReport>) => {
        if (data.kind === 'failed') fail(data.message);
        else end(() => resolve(data));
      }, options);
      // Nothing is transferred.
      worker.postMessage(order, []);
    });
  }

  end(): void {
    this.worker.terminate();
  }
}

interface RivalTimes {
  readonly rival: RivalWorker;
  readonly times: number[];
  spent: number;
}

async function runScenario(name: string, rivals: readonly RivalWorker[], onProgress: (share: number) => void): Promise<Row> {
  const active: RivalTimes[] = [];
  // Making ready takes about as long as all rounds together.
  for (const [at, rival] of rivals.entries()) {
    onProgress((at / rivals.length) * 0.5);
    const report = await rival.send({ kind: 'open', scenario: name });
    if (report.kind === 'opened') active.push({ rival, times: [], spent: 0 });
  }
  for (let round = 0; round < ROUNDS; round++) {
    onProgress(0.5 + (round / ROUNDS) * 0.5);
    for (const one of active) if (one.spent < MAX_MS || round < MIN_ROUNDS) await runRound(one);
  }
  const entries: Record<string, Entry> = {};
  for (const { rival, times } of active) {
    const report = await rival.send({ kind: 'close' });
    const verdict = report.kind === 'closed' ? report.verdict : null;
    entries[rival.name] = { value: median(times), fastest: Math.min(...times), wrong: verdict?.wrong ?? 0, checked: verdict?.checked ?? 0 };
  }
  return { scenario: name, unit: 'ms', entries };
}

async function runRound(one: RivalTimes): Promise<void> {
  const begin = performance.now();
  const report = await one.rival.send({ kind: 'round' });
  one.spent += performance.now() - begin;
  if (report.kind === 'measured') one.times.push(report.ms);
}
