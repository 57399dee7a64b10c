import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { ViewsFigures } from '../../examples/src/views/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { figure, pictureOf, useTestPages, untilPicture } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';
import { until as untilRead } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const ADDRESS = 'examples/views.html?buildings=1000&far=300';

const WINDOWS = sampleFrom(
  [
    [1280, 800],
    [390, 844],
    [844, 390],
  ],
  3,
  2,
);

const itLong = it.runIf(IS_LONG);

describe('several views', () => {
  it('shows how many buildings each view sees, equal to a loop, with a picture of the overview, the camera and the minimap, and logs no problems', async () => {
    const { page, problems } = await openPage(ADDRESS, { viewport: { width: 760, height: 600 } });
    await until(page, ({ doAgree }) => doAgree === true);
    const { x, z } = await figures(page);
    await until(page, (now) => now.x !== x && now.z !== z);
    await untilPicture(page, '#camera-view', ({ colours }) => colours > 100);
    await untilPicture(page, '#observer-view', (picture) => picture.litShare > 0.05);
    // The minimap moves with the camera, whose frustum it shows.
    await untilPicture(page, '#minimap-view', (map) => map.colours > 20 && map.litShare > 0.01);
    await page.keyboard.press('KeyP');
    await untilReported(page, 2);
    const { seen, found, unseen, buildings, doAgree } = await figures(page);
    expect(Object.keys(seen)).toEqual(['camera', 'cascade-1', 'cascade-2', 'cascade-3', 'cascade-4', 'minimap']);
    for (const [name, count] of Object.entries(seen)) expect(await figure(page, name)).toBe(count);
    expect(await figure(page, 'sum')).toBe(found);
    expect(Object.values(seen).reduce((sum, one) => sum + one)).toBe(found);
    expect(await figure(page, 'unseen')).toBe(unseen);
    expect(unseen).toBeLessThan(buildings);
    expect(doAgree).toBe(true);
    expect(await page.locator('[data-figure=agreement]').innerText()).toBe('equal');
    // Means of many frames: digits even where the clock is coarser than one frame's time.
    for (const name of ['octree-time', 'loop-time', 'gain'])
      expect(await page.locator(`[data-figure=${name}]`).innerText()).toMatch(/^[\d.]*[1-9][\d.]*( µs| ms|x)$/);
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  itLong(
    'shows digits and a ratio where the clock has steps of 0.1 ms, as without cross-origin isolation',
    async () => {
      const { page } = await openPage(ADDRESS, { viewport: { width: 760, height: 600 } }, (page) =>
        page.addInitScript(() => {
          const exact = performance.now.bind(performance);
          performance.now = () => Math.floor(exact() * 10) / 10;
        }),
      );
      await page.waitForFunction(() =>
        ['octree-time', 'loop-time', 'gain'].every((name) =>
          /^[\d.]*[1-9][\d.]*( µs| ms|x)$/.test(document.querySelector(`[data-figure=${name}]`)!.textContent),
        ),
      );
    },
  );

  it('starts paused with reduced motion, with a picture, and goes on by a key', async () => {
    const { page } = await openPage(ADDRESS, { viewport: { width: 480, height: 320 }, reducedMotion: 'reduce' });
    await until(page, () => true);
    const { x, found } = await figures(page);
    expect(found).toBeGreaterThan(0);
    await untilReported(page, 1);
    expect((await figures(page)).x).toBe(x);
    expect(await page.locator('#toast').innerText()).toContain('Press P');
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.x !== x);
  });

  itLong('turns by the arrow keys', async () => {
    const { page } = await openPage(`${ADDRESS}&pause=on`);
    await until(page, () => true);
    // On a busy machine the first pictures of a paused page may still differ.
    let last = '';
    const comesToRest = async (): Promise<boolean> => last === (last = (await pictureOf(page, '#camera-view')).digest);
    await untilRead(page, comesToRest, (isSame) => isSame);
    await page.locator('#camera-view').focus();
    for (const key of ['ArrowLeft', 'ArrowUp']) {
      const before = await pictureOf(page, '#camera-view');
      await page.keyboard.press(key);
      await untilPicture(page, '#camera-view', ({ digest }) => digest !== before.digest);
    }
  });

  itLong('takes cascades, far plane and buildings from the settings, also while it is paused', async () => {
    const { page } = await openPage(`${ADDRESS}&pause=on&cascades=2`, { viewport: { width: 1000, height: 700 } });
    await until(page, ({ seen }) => Object.keys(seen).length === 4);
    const { found } = await figures(page);
    expect(await page.locator('[data-figure=cascade-3]').innerText()).toBe('-');
    await page.locator('#panel input[type=text]').first().fill('1');
    await page.keyboard.press('Enter');
    await until(page, ({ seen }) => Object.keys(seen).length === 3);
    await page.locator('#panel input[type=text]').nth(1).fill('1000');
    await page.keyboard.press('Enter');
    await until(page, (now) => now.found > found);
    await page.locator('#panel select').selectOption({ label: '5,000' });
    await until(page, ({ buildings, doAgree }) => buildings === 5000 && doAgree === true);
  });

  it.each(WINDOWS)(
    'at %i x %i title, figures, panel, legend and the two pictures do not overlap',
    async (width, height) => {
      const { page } = await openPage(`${ADDRESS}&pause=on`, { viewport: { width, height } });
      await until(page, () => true);
      await expectTidyLayout(page, width, height);
      const pictures = await Promise.all(
        ['#observer-view', '#minimap-view'].map((selector) => page.locator(selector).boundingBox()),
      );
      // On a phone the legend lies over the lower edge of the pictures.
      const others = await Promise.all(
        ['#statistics', '#panel > .lil-gui', ...(width > 700 ? ['footer'] : [])].map((selector) =>
          page.locator(selector).boundingBox(),
        ),
      );
      for (const [at, picture] of pictures.entries())
        for (const other of [...pictures.slice(at + 1), ...others]) expect(doOverlap(picture!, other!)).toBe(false);
    },
  );
});

const figures = (page: Page): Promise<ViewsFigures> => page.evaluate(() => globalThis.viewsProbe!.figures!);

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (figures: ViewsFigures) => boolean): Promise<ViewsFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.viewsProbe?.figures), holds);

/** Waits for a number of new reports. */
async function untilReported(page: Page, reports: number): Promise<void> {
  const wanted = (await page.evaluate(() => globalThis.viewsProbe!.reports)) + reports;
  await page.waitForFunction((least) => globalThis.viewsProbe!.reports >= least, wanted);
}
