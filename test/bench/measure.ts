/** Timing on machines that are shared with others. */

import type { Session } from './scenarios/scenario.ts';

/** A round repeats its calls until it takes about this long. */
const ROUND_MS = 12;
/** The compiler has seen enough after so long, however short a call is. */
const WARM_UP_MS = 150;
const FEWEST_WARM_UP_CALLS = 2;
/** But what few bodies of a tick call for, as a change of their place in an index, takes longer to be compiled. */
const REHEARSAL_MS = 1000;

/** Milliseconds: the smaller of wall and CPU time. Others on the core lengthen the one, helper threads of the engine the other. */
function clocked(work: () => void): number {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  work();
  const wallMs = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wallMs, (user + system) / 1000);
}

/** Milliseconds for `calls` calls, without what prepares them. */
function timeCalls(session: Session, calls: number): number {
  if (!session.prepare) {
    return clocked(() => {
      for (let k = 0; k < calls; k++) session.call();
    });
  }
  let sum = 0;
  for (let k = 0; k < calls; k++) {
    session.prepare();
    sum += clocked(() => session.call());
  }
  return sum;
}

/** Plays until all is compiled. */
export function playLong(session: Session): void {
  const begin = performance.now();
  while (performance.now() - begin < REHEARSAL_MS) timeCalls(session, session.least);
}

/** How many calls make a round. */
export function warmUp(session: Session): number {
  const begin = performance.now();
  let ms = 0;
  let calls = 0;
  while (calls < FEWEST_WARM_UP_CALLS || calls < session.least || performance.now() - begin < WARM_UP_MS) {
    ms = timeCalls(session, 1);
    calls++;
  }
  const wanted = Math.max(session.least, Math.ceil(ROUND_MS / Math.max(ms, ROUND_MS / 1e6)));
  // Whole turns of `least`: some sessions start anew after so many calls.
  return Math.ceil(wanted / session.least) * session.least;
}

/** Milliseconds a question or a tick. */
export function playRound(session: Session, calls: number): number {
  return timeCalls(session, calls) / calls / session.per;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
