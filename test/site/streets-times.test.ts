import { expect, it } from 'vitest';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'builds and uploads 1,500 houses in tasks of less than 100 ms of CPU time',
  byMajority(async () => {
    const longest = await longestTaskOf('streets', openPage, async () => {
      const { page } = await openPage('examples/streets.html?houses=1500&walk=off', {
        viewport: { width: 900, height: 600 },
      });
      await page.waitForFunction(
        () => globalThis.streetsProbe?.isBuilding === false && globalThis.streetsProbe.hidden > 0,
      );
      expect(await page.evaluate(() => globalThis.streetsProbe!.houses)).toBe(1500);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);
