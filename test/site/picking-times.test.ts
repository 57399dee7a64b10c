import { expect, it } from 'vitest';
import { overrunOf, useTimedPages } from './support/open-page.ts';
import { openPicking, pickingProbe, withSmallCanvas } from './support/picking-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'builds 100,000 meshes in slices of less than 100 ms',
  byMajority(async () => {
    let longest = Infinity;
    // On shared cores a slice includes the time it waits for a core. So the best of five runs counts, minus the overrun
    // of an idle page.
    for (let run = 0; run < 5 && longest >= 100; run++) {
      const { page } = await openPicking(
        openPage,
        'world=city&count=100000&hover=off',
        { viewport: { width: 320, height: 240 } },
        withSmallCanvas,
      );
      const { total, longestSlice } = await pickingProbe(page);
      expect(total).toBe(100_000);
      longest = Math.min(longest, longestSlice - (await overrunOf(page)));
    }
    expect(longest).toBeLessThan(100);
  }),
);
