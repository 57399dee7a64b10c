import { expect, it } from 'vitest';
import { useTimedPages } from './support/open-page.ts';

const openPage = useTimedPages();

it('the sensors page starts with the case that pays: with many zones and few who walk, sensors take at most half of the time of queries', async () => {
  const { page } = await openPage('examples/sensors.html', { viewport: { width: 1000, height: 700 } });
  await page.waitForFunction(
    () => globalThis.sensorsProbe?.figures !== undefined && globalThis.sensorsProbe.figures.steps > 60,
  );
  const { people, walking, zones, doAgree, watchedTime, queriedTime } = await page.evaluate(
    () => globalThis.sensorsProbe!.figures!,
  );
  expect([people, walking, zones, doAgree]).toEqual([5000, 250, 2353, true]);
  console.log(`sensors ${watchedTime.toFixed(3)} ms, queries ${queriedTime.toFixed(3)} ms`);
  expect(watchedTime).toBeLessThan(queriedTime / 2);
  expect(await page.locator('[data-figure=gain]').innerText()).toMatch(/^[\d.]+x$/);
  expect(await page.locator('.hint').innerText()).toContain('Where all move');
});
