import { expect, it } from 'vitest';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'builds, merges and uploads 30,000 houses in tasks of less than 100 ms of CPU time',
  byMajority(async () => {
    const longest = await longestTaskOf('batch', openPage, async () => {
      const { page } = await openPage('examples/batch.html?count=30000&turn=off&movers=off&shadows=off', {
        viewport: { width: 900, height: 600 },
      });
      await page.waitForFunction(
        () => globalThis.batchProbe?.isBuilding === false && globalThis.batchProbe.batched > 0,
      );
      const { batched, figures } = await page.evaluate(() => globalThis.batchProbe!);
      expect(batched).toBe(30_000);
      expect(figures.batched!.draws).toBeLessThan(100);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);
