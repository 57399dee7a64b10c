/**
 * Runs one scenario in all rival processes. Only one process works at a time, and the rivals take turns within each
 * round, so that a period in which the machine is busy slows all of them alike.
 */

import { median } from './measure.ts';
import type { Entry, Row } from './result.ts';
import type { RivalProcess } from './rival-process.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * Milliseconds a rival may spend in the rounds of one scenario. After that it skips further rounds, but never the first
 * `MIN_ROUNDS`.
 */
const MAX_MS = 2500;
const MIN_ROUNDS = 3;

export async function runScenario(
  { name, unit }: Scenario,
  rivals: readonly RivalProcess[],
  rounds: number,
): Promise<Row> {
  const entries: Record<string, Entry> = {};
  const active: { rival: RivalProcess; times: number[]; spent: number }[] = [];
  for (const rival of rivals) {
    const reply = await rival.send({ kind: 'open', scenario: name });
    if (reply.kind === 'counted')
      entries[rival.name] = { value: reply.value, fastest: reply.value, wrong: 0, checked: 0 };
    if (reply.kind === 'opened') active.push({ rival, times: [], spent: 0 });
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of active) {
      if (one.spent > MAX_MS && round >= MIN_ROUNDS) continue;
      const begin = performance.now();
      const reply = await one.rival.send({ kind: 'round' });
      one.spent += performance.now() - begin;
      if (reply.kind === 'measured') one.times.push(reply.ms);
    }
  }
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
  return { scenario: name, unit, entries };
}
