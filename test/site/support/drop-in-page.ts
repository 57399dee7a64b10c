// The drop-in page: its probe, its chart, and waiting for its first times.

import type { Page } from 'playwright';
import type { DropInProbe } from '../../../examples/src/drop-in/probe.ts';

export const probe = (page: Page): Promise<DropInProbe> => page.evaluate(() => globalThis.demoProbe as DropInProbe);

/** Waits for a forest and its first times. */
export const untilMeasured = (page: Page) =>
  page.waitForFunction(
    () => globalThis.demoProbe?.isBuilding === false && (globalThis.demoProbe as DropInProbe).octreeTime > 0,
  );

/** The moments in the lines of both groups. Read at once, because the page goes on. */
export async function momentsOf(page: Page): Promise<string[][]> {
  const lines = await page.evaluate(() =>
    ['plain', 'octree'].map((line) => document.querySelector(`[data-line=${line}]`)!.getAttribute('points') ?? ''),
  );
  return lines.map((points) =>
    points
      .split(' ')
      .filter((point) => point !== '')
      .map((point) => point.split(',')[0]),
  );
}
