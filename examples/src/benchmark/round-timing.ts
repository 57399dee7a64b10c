// Times rounds of calls with a coarse clock: browsers give pages that are not cross-origin isolated a resolution of 0.1
// ms.

import type { Session } from '../../../test/bench/scenarios/scenario.ts';

/** Approximate duration of a round, long enough for a coarse clock. */
const ROUND_MS = 10;
/**
 * Default of two minimum times of the warm-up, in milliseconds: of all its calls, and of its last calls, in which no
 * round is faster than before. The engine compiles in the background, which may be late when all cores are busy.
 */
export const WARM_UP_MS = 120;
/** A round counts as faster below this share of the best time; smaller differences may be noise. */
const FASTER = 0.9;
/** Maximum time of the warm-up, preparation of the calls included, because the user waits. */
const MAX_WARM_UP_MS = 1500;

/** Milliseconds for a number of calls, without their preparation. */
function timeCalls(session: Session, calls: number): number {
  if (!session.prepare) {
    const start = performance.now();
    for (let k = 0; k < calls; k++) session.call();
    return performance.now() - start;
  }
  let sum = 0;
  for (let k = 0; k < calls; k++) {
    session.prepare();
    const start = performance.now();
    session.call();
    sum += performance.now() - start;
  }
  return sum;
}

/**
 * Warms up the session. Returns the number of calls per round: `minCalls`, doubled until the calls take at least half
 * of `ROUND_MS`.
 */
export function warmUp(session: Session, minMs = WARM_UP_MS): number {
  const begin = performance.now();
  let calls = session.minCalls;
  let best = Infinity;
  let [spentMs, steady] = [0, 0];
  while (performance.now() - begin < MAX_WARM_UP_MS) {
    const ms = timeCalls(session, calls);
    spentMs += ms;
    steady = ms / calls < best * FASTER ? 0 : steady + ms;
    best = Math.min(best, ms / calls);
    if (ms < ROUND_MS / 2) calls *= 2;
    else if (spentMs >= minMs && steady >= minMs) break;
  }
  return calls;
}

/** Milliseconds per query or tick. */
export const runRound = (session: Session, calls: number): number =>
  timeCalls(session, calls) / calls / session.operationsPerCall;
