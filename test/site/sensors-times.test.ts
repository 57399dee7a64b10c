import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();
const openSensors = (): ReturnType<typeof openPage> =>
  openPage('examples/sensors.html', { viewport: { width: 1000, height: 700 } });

async function figuresOf(page: Page) {
  await page.waitForFunction(
    () => globalThis.sensorsProbe?.figures !== undefined && globalThis.sensorsProbe.figures.steps > 60,
  );
  return page.evaluate(() => globalThis.sensorsProbe!.figures!);
}

it(
  'the sensors page starts with the case that pays: with many zones and few who walk, sensors take at most half of the time of queries',
  byMajority(async () => {
    let { page } = await openSensors();
    let figures = await figuresOf(page);
    // Other load on the machine lengthens single runs.
    for (let run = 0; run < 3 && figures.watchedTime >= figures.queriedTime / 2; run++) {
      await page.close();
      ({ page } = await openSensors());
      figures = await figuresOf(page);
    }
    const { people, walking, zones, doAgree, watchedTime, queriedTime } = figures;
    expect([people, walking, zones, doAgree]).toEqual([5000, 250, 2353, true]);
    console.log(`sensors ${watchedTime.toFixed(3)} ms, queries ${queriedTime.toFixed(3)} ms`);
    expect(watchedTime).toBeLessThan(queriedTime / 2);
    expect(await page.locator('[data-figure=gain]').innerText()).toMatch(/^[\d.]+x$/);
    expect(await page.locator('.hint').innerText()).toContain('Where all move');
  }),
);
