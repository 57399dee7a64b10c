// Runs the scenarios in the workers of the rivals, one worker at a time. The rivals alternate round by round, so that
// noise on the machine affects all of them.

import { median } from '../../../test/bench/measure.ts';
import type { Entry, Row } from '../../../test/bench/result.ts';
import { selectedScenarios } from './selected-scenarios.ts';
import type { Choice, PageCommand, WorkerReply } from './messages.ts';
import { type RivalName, RIVALS } from './names.ts';

/** After this time in one scenario a rival skips further rounds, except the first `MIN_ROUNDS`. */
const MAX_MS = 1000;
const MIN_ROUNDS = 3;

export interface Listeners {
  /** The running scenario, and the completed share of all scenarios. */
  readonly progress: (scenario: string, fraction: number) => void;
  readonly row: (row: Row) => void;
}

/** Runs all scenarios. Throws the signal's reason if it is aborted. */
export async function runBenchmark(choice: Choice, signal: AbortSignal, { progress, row }: Listeners): Promise<void> {
  const rivals = RIVALS.map((name) => new RivalWorker(name, signal));
  try {
    progress('', 0);
    await Promise.all(rivals.map((rival) => rival.send({ kind: 'begin', rival: rival.name, ...choice })));
    for (const [at, { name }] of selectedScenarios.entries()) {
      row(
        await runScenario(name, rivals, choice.rounds, (share) =>
          progress(name, (at + share) / selectedScenarios.length),
        ),
      );
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

  send(command: PageCommand): Promise<WorkerReply> {
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
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<WorkerReply>) => {
          if (data.kind === 'failed') fail(data.message);
          else end(() => resolve(data));
        },
        options,
      );
      // An empty transfer list.
      worker.postMessage(command, []);
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

async function runScenario(
  name: string,
  rivals: readonly RivalWorker[],
  rounds: number,
  onProgress: (share: number) => void,
): Promise<Row> {
  const active: RivalTimes[] = [];
  // Opening a scenario takes about as long as all its rounds.
  for (const [at, rival] of rivals.entries()) {
    onProgress((at / rivals.length) * 0.5);
    const reply = await rival.send({ kind: 'open', scenario: name });
    if (reply.kind === 'opened') active.push({ rival, times: [], spent: 0 });
  }
  for (let round = 0; round < rounds; round++) {
    onProgress(0.5 + (round / rounds) * 0.5);
    for (const one of active) if (one.spent < MAX_MS || round < MIN_ROUNDS) await runRound(one);
  }
  const entries: Record<string, Entry> = {};
  for (const { rival, times } of active) {
    const reply = await rival.send({ kind: 'close' });
    const verdict = reply.kind === 'closed' ? reply.verdict : null;
    entries[rival.name] = {
      value: median(times),
      fastest: Math.min(...times),
      wrong: verdict?.wrong ?? 0,
      checked: verdict?.checked ?? 0,
    };
  }
  return { scenario: name, unit: 'ms', entries };
}

async function runRound(one: RivalTimes): Promise<void> {
  const begin = performance.now();
  const reply = await one.rival.send({ kind: 'round' });
  one.spent += performance.now() - begin;
  if (reply.kind === 'measured') one.times.push(reply.ms);
}
