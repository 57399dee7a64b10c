import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { ContactsFigures } from '../../examples/src/contacts/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { figure, pictureOf, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';
import { sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const ADDRESS = 'examples/contacts.html?balls=1500';

const WINDOWS = sampleFrom(
  [
    [1280, 800],
    [390, 844],
    [844, 390],
  ],
  3,
  0,
);

describe('contacts', () => {
  it('counts pairs that begin and end, the same as all pairs from scratch, and logs no problems', async () => {
    const { page, problems } = await openPage(ADDRESS);
    const { began, ended, touching, doAgree, bodies } = await until(
      page,
      (now) => now.began > 200 && now.ended > 100 && now.replaced > 5 && now.doAgree !== null,
    );
    expect(began - ended).toBe(touching);
    expect(doAgree).toBe(true);
    expect(bodies).toBe(1504);
    expect(await figure(page, 'began')).toBeGreaterThanOrEqual(began);
    expect(await page.locator('[data-figure=agreement]').innerText()).toBe('the same pairs');
    expect((await pictureOf(page, '#camera-view')).litShare).toBeGreaterThan(0.0005);
    expect(problems).toEqual([]);
  });

  it('pauses and resumes, starts paused with reduced motion, and a click pushes balls away', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&stirrers=0&replaced=0`, {
      viewport: { width: 760, height: 600 },
      reducedMotion: 'reduce',
    });
    await until(page, ({ steps }) => steps === 0);
    expect(await page.locator('#toast').innerText()).toContain('Press P');
    await page.keyboard.press('KeyP');
    const { began } = await until(page, ({ steps, moving }) => steps > 0 && moving < 100);
    await page.locator('#camera-view').click({ position: { x: 515, y: 310 } });
    await until(page, (now) => now.began > began + 10);
    await page.keyboard.press('KeyP');
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each(WINDOWS)('at %i x %i title, figures, panel and legend do not overlap', async (width, height) => {
    const { page } = await openPage(`${ADDRESS}&pause=on`, { viewport: { width, height } });
    await until(page, () => true);
    await expectTidyLayout(page, width, height);
  });
});

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (figures: ContactsFigures) => boolean): Promise<ContactsFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.contactsProbe?.figures), holds);
