/** Timing and warm-up of sessions, on a machine that also does other work. */

import type { Session } from './scenarios/scenario.ts';

/** Milliseconds a round takes at least, approximately: its calls are repeated until then. */
const ROUND_MS = 12;
/** Milliseconds of warm-up in the measured session: enough to compile code that runs in every call. */
const WARM_UP_MS = 150;
const MIN_WARM_UP_CALLS = 2;
/**
 * Milliseconds of a warm-up session: enough to compile code that only a few bodies of a tick run, such as a change of
 * node.
 */
const WARM_UP_SESSION_MS = 1000;

/**
 * Milliseconds: the smaller of wall and CPU time. Other processes on the core lengthen the wall time, helper threads of
 * V8 the CPU time.
 */
function measure(work: () => void): number {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  work();
  const wallMs = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wallMs, (user + system) / 1000);
}

/** Milliseconds for `calls` calls. `prepare` is not included. */
function timeCalls(session: Session, calls: number): number {
  if (!session.prepare) {
    return measure(() => {
      for (let k = 0; k < calls; k++) session.call();
    });
  }
  let sum = 0;
  for (let k = 0; k < calls; k++) {
    session.prepare();
    sum += measure(() => session.call());
  }
  return sum;
}

/** Calls a session, which is then discarded, until its code is compiled. */
export function runWarmUpSession(session: Session): void {
  const begin = performance.now();
  while (performance.now() - begin < WARM_UP_SESSION_MS) timeCalls(session, session.minCalls);
}

/** Warms up and returns the number of calls per round, a multiple of `minCalls`. */
export function warmUp(session: Session): number {
  const begin = performance.now();
  let ms = 0;
  let calls = 0;
  while (calls < MIN_WARM_UP_CALLS || calls < session.minCalls || performance.now() - begin < WARM_UP_MS) {
    ms = timeCalls(session, 1);
    calls++;
  }
  const wanted = Math.max(session.minCalls, Math.ceil(ROUND_MS / Math.max(ms, ROUND_MS / 1e6)));
  // Some sessions restart from the initial scene every `minCalls` calls: a round holds complete sequences only.
  return Math.ceil(wanted / session.minCalls) * session.minCalls;
}

/** Milliseconds per operation: a query or a tick. */
export function measureRound(session: Session, calls: number): number {
  return timeCalls(session, calls) / calls / session.operationsPerCall;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
