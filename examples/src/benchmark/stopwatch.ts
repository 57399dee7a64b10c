// Timing where the clock may be coarse, as browsers make it for pages that are not isolated: a tenth of a millisecond.

import type { Session } from '../../../test/bench/scenarios/scenario.ts';

/** A round repeats its calls until it takes about this long, so that a coarse clock does not matter. */
const ROUND_MS = 10;
/** The compiler, which works aside, is done after so long even where all cores are busy. */
const WARM_UP_MS = 200;
/** With all that is prepared between the calls: the user waits. */
const MOST_WARM_UP_MS = 1500;

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

/** How many calls make a round: twice as many until they take long enough, in whole turns of `least`. */
export function warmUp(session: Session): number {
  const begin = performance.now();
  let calls = session.least;
  for (let sum = 0; ; ) {
    const ms = timeCalls(session, calls);
    sum += ms;
    const waited = performance.now() - begin;
    if ((ms >= ROUND_MS / 2 && sum >= WARM_UP_MS) || waited >= MOST_WARM_UP_MS) return calls;
    if (ms < ROUND_MS / 2) calls *= 2;
  }
}

/** Milliseconds a question or a tick. */
export const playRound = (session: Session, calls: number): number => timeCalls(session, calls) / calls / session.per;
