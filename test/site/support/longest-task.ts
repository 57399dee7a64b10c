// The longest task of each page's main thread by its CPU time, from a trace of the browser. Unlike a duration, it has
// no time in which the task waits for a core or for the GPU.

import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { useTimedPages } from './open-page.ts';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of its begin and duration, in microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly url?: string } };
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

/**
 * Records the tasks of all pages that are opened until the returned function is called. That resolves to milliseconds,
 * by the name of the page. The end of a trace may take five seconds, so one trace for many pages is cheaper than one
 * for each.
 *
 * @param page Must stay open until the end.
 * @param options Without `withFrames`, tasks with a frame do not count.
 */
async function recordTasks(page: Page, { withFrames = true } = {}): Promise<() => Promise<Map<string, number>>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  return async () => {
    const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await done;
    return longestTasks(withFrames ? events : withoutFrames(events));
  };
}

/** A task of a page may take less than this many milliseconds. */
export const MAX_TASK = 100;

/**
 * CPU time in milliseconds of the longest task of each page that a function opens, by the name of the page.
 *
 * @param options See `recordTasks`.
 */
export async function longestTasksIn(
  openPage: ReturnType<typeof useTimedPages>,
  visit: () => Promise<void>,
  options?: Parameters<typeof recordTasks>[1],
): Promise<Map<string, number>> {
  const { page } = await openPage('index.html');
  const stop = await recordTasks(page, options);
  let longest: Map<string, number>;
  // The browser records one trace at a time: also after an error the next one can begin.
  try {
    await visit();
  } finally {
    longest = await stop();
    await page.close();
  }
  return longest;
}

/**
 * The longest task of a page that builds a large scene, without its frames, which take as long as three needs for the
 * scene. The least of some runs counts, because a busy machine slows down a core, too.
 *
 * @param name Of the page.
 * @param visit Opens the page and uses it.
 */
export async function longestTaskOf(
  name: string,
  openPage: ReturnType<typeof useTimedPages>,
  visit: () => Promise<void>,
): Promise<number> {
  let longest = Infinity;
  for (let run = 0; run < 4 && longest >= MAX_TASK; run++)
    longest = Math.min(longest, (await longestTasksIn(openPage, visit, { withFrames: false })).get(name)!);
  // Fails if the trace has no task of the page.
  expect(longest).toBeGreaterThan(1);
  console.log(`${name}: longest task ${longest.toFixed(0)} ms of CPU`);
  return longest;
}

/** Leaves out the tasks in which a frame begins. */
function withoutFrames(events: readonly TraceEvent[]): TraceEvent[] {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame');
  return events.filter(
    ({ name, pid, tid, ts, dur = 0 }) =>
      name !== 'RunTask' ||
      !frames.some((frame) => frame.pid === pid && frame.tid === tid && frame.ts >= ts && frame.ts <= ts + dur),
  );
}

function longestTasks(events: readonly TraceEvent[]): Map<string, number> {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const pages = new Map<string, string>();
  for (const event of events) {
    const name = event.name === 'CommitLoad' ? /([\w-]+)\.html/.exec(event.args.data?.url ?? '')?.[1] : undefined;
    if (name !== undefined) pages.set(threadOf(event), name);
  }
  const longest = new Map<string, number>();
  for (const event of events) {
    const page = event.name === 'RunTask' ? pages.get(threadOf(event)) : undefined;
    if (page !== undefined) longest.set(page, Math.max(longest.get(page) ?? 0, (event.tdur ?? 0) / 1000));
  }
  return longest;
}
