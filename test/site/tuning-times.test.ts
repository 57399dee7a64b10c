import { expect, it } from 'vitest';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'the tuning page stays responsive while it measures, and takes about as long as it says',
  byMajority(async () => {
    const longest = await longestTaskOf('tuning', openPage, async () => {
      const { page } = await openPage('examples/tuning.html?bodies=300&rounds=3', {
        viewport: { width: 760, height: 600 },
      });
      await page.locator('[data-figure=scene]', { hasText: '300 bodies' }).waitFor();
      const seconds = Number(/^Takes about (\d+) s on two cores/.exec(await page.locator('.summary').innerText())![1]);
      const begun = performance.now();
      await page.locator('#start').click();
      await page.locator('#progress').waitFor();
      await page.waitForFunction(() => !document.body.classList.contains('is-running'));
      // It must not promise a tenth of the truth, nor ten times as much.
      const share = (performance.now() - begun) / 1000 / seconds;
      expect(share).toBeGreaterThan(0.1);
      expect(share).toBeLessThan(10);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);
