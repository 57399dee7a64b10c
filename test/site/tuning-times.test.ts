import { expect, it } from 'vitest';
import { overrunOf, useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'the tuning page stays responsive while it measures, and takes about as long as it says',
  byMajority(async () => {
    const { page } = await openPage(
      'examples/tuning.html?bodies=300&rounds=3',
      { viewport: { width: 760, height: 600 } },
      (page) =>
        page.addInitScript(() => {
          Object.assign(globalThis, { tasks: [] });
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) (Reflect.get(globalThis, 'tasks') as number[]).push(duration);
          }).observe({ type: 'longtask' });
        }),
    );
    await page.locator('[data-figure=scene]', { hasText: '300 bodies' }).waitFor();
    const seconds = Number(/^Takes about (\d+) s on two cores/.exec(await page.locator('.summary').innerText())![1]);
    let longest = Infinity;
    // On shared cores a task includes the time it waits for a core: so the best of three runs counts, minus the overrun
    // of an idle page.
    for (let run = 0; run < 3 && longest >= 100; run++) {
      await page.evaluate(() => Reflect.set(globalThis, 'tasks', []));
      const begun = performance.now();
      await page.locator('#start').click();
      await page.locator('#progress').waitFor();
      await page.waitForFunction(() => !document.body.classList.contains('is-running'));
      // It must not promise a tenth of the truth, nor ten times as much.
      const share = (performance.now() - begun) / 1000 / seconds;
      expect(share).toBeGreaterThan(0.1);
      expect(share).toBeLessThan(10);
      longest =
        Math.max(0, ...(await page.evaluate(() => Reflect.get(globalThis, 'tasks') as number[]))) -
        (await overrunOf(page));
    }
    expect(longest).toBeLessThan(100);
  }),
);
