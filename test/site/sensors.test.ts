import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { SensorsFigures } from '../../examples/src/sensors/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { figure, pictureOf, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';
import { sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
/** Few zones, and all walk, so that much happens. */
const ADDRESS = 'examples/sensors.html?people=600&walking=100&streets=off&zone=7';

const WINDOWS = sampleFrom(
  [
    [1280, 800],
    [390, 844],
    [844, 390],
  ],
  3,
  1,
);

describe('sensors', () => {
  it('counts who comes in, leaves and changes the band, the same as queries, and logs no problems', async () => {
    const { page, problems } = await openPage(ADDRESS, { viewport: { width: 760, height: 600 } });
    const { people, zones, inBand, doAgree } = await until(
      page,
      (now) => now.entered > 100 && now.left > 20 && now.changed > 10 && now.doAgree !== null,
    );
    expect([people, zones]).toEqual([600, 169]);
    expect(inBand.reduce((sum, count) => sum + count, 0)).toBe(600);
    expect(doAgree).toBe(true);
    expect(await figure(page, 'zones')).toBe(169);
    expect(await figure(page, 'walking')).toBe(600);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(50);
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('starts paused with reduced motion; a click sends the player', async () => {
    const { page } = await openPage(`${ADDRESS}&patrol=off`, {
      viewport: { width: 760, height: 600 },
      reducedMotion: 'reduce',
    });
    await until(page, ({ steps, player }) => steps === 1 && player[0] === 0);
    expect(await page.locator('#toast').innerText()).toContain('Press P');
    await page.keyboard.press('KeyP');
    await page.locator('#camera-view').click({ position: { x: 600, y: 340 } });
    await until(page, ({ player }) => Math.hypot(...player) > 5);
  });

  it.each(WINDOWS)('at %i x %i title, figures, panel and legend do not overlap', async (width, height) => {
    const { page } = await openPage(`${ADDRESS}&pause=on`, { viewport: { width, height } });
    await until(page, () => true);
    await expectTidyLayout(page, width, height);
  });
});

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (figures: SensorsFigures) => boolean): Promise<SensorsFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.sensorsProbe?.figures), holds);
