/** Leads the processes of the rivals: one works at a time, round by round in turn, so that a noisy minute hits them all alike. */

import { fork, type ChildProcess } from 'node:child_process';
import { median } from './measure.ts';
import type { Order, Report } from './messages.ts';
import type { Entry, Row } from './result.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** A rival that has played this long in one scenario sits out further rounds, but not the first few. */
const MOST_MS = 2500;
const FEWEST_ROUNDS = 3;

export class RivalProcess {
  readonly name: string;
  private readonly child: ChildProcess;

  constructor(name: string, script: string, args: readonly string[]) {
    this.name = name;
    this.child = fork(script, ['--play', name, ...args], { execArgv: ['--expose-gc', '--max-old-space-size=8192'] });
  }

  next(): Promise<Report> {
    const { child, name } = this;
    return new Promise((resolve, reject) => {
      const gone = (code: number | null): void => reject(new Error(`the process of ${name} ended with ${code}`));
      child.once('exit', gone);
      child.once('message', (report) => {
        child.off('exit', gone);
        resolve(report as Report);
      });
    });
  }

  ask(order: Order): Promise<Report> {
    const report = this.next();
    this.child.send(order);
    return report;
  }

  end(): void {
    this.child.disconnect();
  }
}

export async function playScenario({ name, unit }: Scenario, rivals: readonly RivalProcess[], rounds: number): Promise<Row> {
  const entries: Record<string, Entry> = {};
  const players: { rival: RivalProcess; times: number[]; spent: number }[] = [];
  for (const rival of rivals) {
    const report = await rival.ask({ kind: 'open', scenario: name });
    if (report.kind === 'counted') entries[rival.name] = { value: report.value, fastest: report.value, wrong: 0, asked: 0 };
    if (report.kind === 'opened') players.push({ rival, times: [], spent: 0 });
  }
  for (let round = 0; round < rounds; round++) {
    for (const player of players) {
      if (player.spent > MOST_MS && round >= FEWEST_ROUNDS) continue;
      const begin = performance.now();
      const report = await player.rival.ask({ kind: 'round' });
      player.spent += performance.now() - begin;
      if (report.kind === 'played') player.times.push(report.ms);
    }
  }
  for (const { rival, times } of players) {
    const report = await rival.ask({ kind: 'close' });
    const verdict = report.kind === 'closed' ? report.verdict : null;
    entries[rival.name] = { value: median(times), fastest: Math.min(...times), wrong: verdict?.wrong ?? 0, asked: verdict?.asked ?? 0 };
  }
  return { scenario: name, unit, entries };
}
