// The longest task of each page's main thread by its CPU time, from a trace of the browser. Other processes do not
// lengthen it, as they do a duration.

import type { Page } from 'playwright';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
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
 */
export async function recordTasks(page: Page): Promise<() => Promise<Map<string, number>>> {
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
    return longestTasks(events);
  };
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
