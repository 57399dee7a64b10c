import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { problemsOfAxe } from './support/accessibility.ts';
import { textCopiedBy } from './support/copied-text.ts';
import { useTestPages } from './support/open-page.ts';
import { clickOnceThereIs, untilSaid } from './support/waits.ts';
import { IS_LONG } from '../support/sampled.ts';

const openPage = useTestPages();
const ADDRESS = 'examples/tuning.html?bodies=300&rounds=3';
const SMALL = { viewport: { width: 760, height: 600 } };

const itLong = it.runIf(IS_LONG);

describe('the tuning page', () => {
  it('measures all options with equal results, recommends, and copies', async () => {
    const { page, problems } = await openPage(ADDRESS, SMALL);
    await page.locator('[data-figure=scene]', { hasText: '300 bodies' }).waitFor();
    expect(await page.locator('.plot').count()).toBe(18);
    // Says how long it takes, which depends on the rounds.
    const seconds = async () =>
      Number(/^Takes about (\d+) s on two cores/.exec(await page.locator('.summary').innerText())![1]);
    const [few] = [await seconds(), await page.locator('#rounds').selectOption('75')];
    expect(await seconds()).toBeGreaterThan(few + 10);
    await page.locator('#rounds').selectOption('3');
    await page.locator('#start').click();
    await page.locator('#progress').waitFor();
    await untilDone(page);
    expect(await page.locator('.summary').innerText()).toMatch(
      /^[\d,]+ results compared with the defaults, all equal\.$/,
    );
    expect(await page.locator('.verdict').innerText()).toMatch(
      /^(Keep the defaults\.|.*: a frame takes \d+ % less time\.)$/,
    );
    for (const option of ['looseness', 'leafCapacity', 'minCellSize']) {
      const section = page.locator(`[data-option=${option}]`);
      await section.locator('summary').click();
      await section.locator('tbody th').first().waitFor();
      const values = await section.locator('tbody th').allInnerTexts();
      expect(values.filter((value) => value.includes('default'))).toHaveLength(1);
      expect(values.filter((value) => value.includes('recommended'))).toHaveLength(1);
      expect(await section.locator('tbody td').filter({ hasText: /^-$/ }).count()).toBe(0);
      expect(await section.locator('.dot').count()).toBe(values.length * 5);
    }

    const copied = await textCopiedBy(page, () => page.locator('#copy').click());
    expect(copied).toMatch(/^const octree = new Octree\(.*\);$/);
    await untilSaid(page, 'Copied');

    // Another frame needs no new measurement of the options.
    await page.locator('#culls').fill('7');
    await page.locator('#culls').press('Enter');
    await untilDone(page);
    await page.waitForURL((url) => url.search === '?bodies=300&culls=7&rounds=3');
    expect(await page.locator('.verdict').innerText()).toMatch(/defaults|frame takes/);

    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await problemsOfAxe(page)).toEqual([]);
    }
    for (const [width, height] of [
      [360, 740],
      [390, 844],
      [1280, 800],
      [3840, 2160],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect(problems).toEqual([]);
  });

  itLong('stops on request, keeps what has been measured, and starts anew with another scene', async () => {
    const { page } = await openPage(`${ADDRESS}&motion=none`, SMALL);
    await clickOnceThereIs(page, '[data-option=looseness] .dot', '#progress button');
    await page.locator('#start').click();
    await untilDone(page);
    await untilSaid(page, 'Stopped');
    expect(await page.locator('.verdict').innerText()).toBe('Not measured completely.');
    expect(await page.locator('[data-option=looseness] .dot').count()).toBeGreaterThan(0);
    expect(await page.locator('[data-option=looseness] .plot.tick .caption').innerText()).toBe('No body moves.');
    await page.locator('#scene').selectOption('city');
    await page.waitForFunction(() => document.querySelectorAll('.dot').length === 0);
    expect(await page.locator('.verdict').innerText()).toBe('Not measured yet.');
    await page.locator('#start').click();
    await page.locator('[data-option=looseness] .dot').first().waitFor();
  });

  itLong('measures own bodies, and says what is wrong with a file', async () => {
    const { page } = await openPage(ADDRESS, SMALL);
    const header = {
      kind: 'sphere',
      count: 200,
      sections: [{ name: 'bounds', type: 'f32', byteOffset: 0, byteLength: 3200 }],
    };
    const spheres = Float32Array.from({ length: 800 }, (_, k) => (k % 4 === 3 ? 1 : (k * 37) % 101));
    const files = (text: string) => [
      { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) },
      { name: 'mine.bin', mimeType: '', buffer: Buffer.from(spheres.buffer) },
    ];
    await page.locator('#files').setInputFiles(files(JSON.stringify({ ...header, kind: 'cone' })));
    await untilSaid(page, 'mine.json: "kind" must be "box" or "sphere"');
    await page.locator('[data-figure=scene]', { hasText: '300 bodies' }).waitFor();
    await page.locator('#files').setInputFiles(files(JSON.stringify(header)).slice(1));
    await untilSaid(page, 'Choose the header with the .bin');
    await page.locator('#files').setInputFiles(files(JSON.stringify(header)));
    await page.locator('[data-figure=scene]', { hasText: '200 bodies' }).waitFor();
    expect(await page.locator('#bodies').isDisabled()).toBe(true);
    await page.locator('#start').click();
    await page.locator('[data-option=looseness] .dot').first().waitFor();
  });

  it('says so when results differ', async () => {
    const falsify =
      'const send = self.postMessage.bind(self);' +
      'self.postMessage = (report) => send(report.measurements ? { ...report, measurements: report.measurements.map((one) => ({ ...one, wrong: 1 })) } : report);';
    const { page } = await openPage(ADDRESS, SMALL, (page) =>
      page.route('**/measure-worker*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${falsify}${await response.text()}` });
      }),
    );
    await clickOnceThereIs(page, '.dot', '#progress button');
    await page.locator('#start').click();
    await untilDone(page);
    expect(await page.locator('.summary').innerText()).toMatch(/ \d+ differ\.$/);
  });

  it('shows an error message when the worker does not load', async () => {
    const { page } = await openPage(ADDRESS, SMALL, (page) =>
      page.route('**/measure-worker*', (route) => route.abort()),
    );
    await page.locator('.missing h1').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('did not load');
  });
});

const untilDone = (page: Page) => page.waitForFunction(() => !document.body.classList.contains('is-running'));
