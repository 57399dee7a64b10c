import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { SightFigures } from '../../examples/src/line-of-sight/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { figure, pictureOf, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';
import { sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const ADDRESS = 'examples/line-of-sight.html?watchers=40&people=400&fan=32';

const WINDOWS = sampleFrom(
  [
    [1280, 800],
    [390, 844],
    [844, 390],
  ],
  3,
  1,
);

describe('line of sight', () => {
  it('casts the rays of all watchers, with equal hits in both ways, and logs no problems', async () => {
    const { page, problems } = await openPage(ADDRESS, { viewport: { width: 760, height: 600 } });
    const { rays, fanRays, people, doAgree } = await until(
      page,
      (now) => now.steps > 5 && now.seen > 0 && now.doAgree !== null,
    );
    expect(fanRays).toBe(40 * 32);
    expect(rays).toBeGreaterThan(fanRays);
    expect(people).toBe(400);
    expect(doAgree).toBe(true);
    expect(await figure(page, 'fan-rays')).toBe(fanRays);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(100);
    expect(await page.locator('.is-drawing').innerText()).toBe('one call');
    await page.keyboard.press('KeyB');
    await page.locator('.is-drawing', { hasText: 'single calls' }).waitFor();
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('starts paused with reduced motion, with a picture, and goes on by a key', async () => {
    const { page } = await openPage(ADDRESS, { viewport: { width: 480, height: 320 }, reducedMotion: 'reduce' });
    await until(page, ({ steps, rays }) => steps === 1 && rays > 0);
    expect(await page.locator('#toast').innerText()).toContain('Press P');
    await page.keyboard.press('KeyP');
    await until(page, ({ steps }) => steps > 1);
  });

  it.each(WINDOWS)('at %i x %i title, figures, panel and legend do not overlap', async (width, height) => {
    const { page } = await openPage(`${ADDRESS}&pause=on`, { viewport: { width, height } });
    await until(page, () => true);
    await expectTidyLayout(page, width, height);
  });
});

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (figures: SightFigures) => boolean): Promise<SightFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.sightProbe?.figures), holds);
