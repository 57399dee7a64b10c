import { expect, it } from 'vitest';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { useTimedPages } from './support/open-page.ts';
import { openPicking, pickingProbe, withSmallCanvas } from './support/picking-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'builds 100,000 meshes in tasks of less than 100 ms of CPU time',
  byMajority(async () => {
    const longest = await longestTaskOf('picking', openPage, async () => {
      const { page } = await openPicking(
        openPage,
        'world=city&count=100000&hover=off',
        { viewport: { width: 320, height: 240 } },
        withSmallCanvas,
      );
      expect((await pickingProbe(page)).total).toBe(100_000);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);
