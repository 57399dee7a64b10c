// Timing where the clock may be coarse, as browsers make it for pages that are not isolated: a tenth of a millisecond.

import type { Session } from '../../../test/bench/scenarios/scenario.ts';

/** A round repeats its calls until it takes about this long, so that a coarse clock does not matter. */
const ROUND_MS = 10;
/** At least so long, and until nothing has become faster for so long: the compiler works aside, and waits where all cores are busy. */
const WARM_UP_MS = 120;
const STEADY_MS = 120;
/** A tenth less is faster; anything else may be chance. */
const FASTER = 0.9;
/** With all that is prepared between the calls: the user waits. */
const MAX_WARM_UP_MS = 1500;

/** Milliseconds for so many calls, without what prepares them. */
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

/** How many calls make a round: twice as many until they take long enough, in multiples of `minCalls`. */
export function warmUp(session: Session): number {
  const begin = performance.now();
  let calls = session.minCalls;
  let best = Infinity;
  let [played, steady] = [0, 0];
  while (performance.now() - begin < MAX_WARM_UP_MS) {
    const ms = timeCalls(session, calls);
    played += ms;
    steady = ms / calls < best * FASTER ? 0 : steady + ms;
    best = Math.min(best, ms / calls);
    if (ms < ROUND_MS / 2) calls *= 2;
    else if (played >= WARM_UP_MS && steady >= STEADY_MS) break;
  }
  return calls;
}

/** Milliseconds a question or a tick. */
export const runRound = (session: Session, calls: number): number => timeCalls(session, calls) / calls / session.operationsPerCall;
