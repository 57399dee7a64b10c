import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPage, untilBuilt, untilFramesPass, usePages } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';

const openPage = usePages();

const WIDTH = 'document.documentElement.scrollWidth';

/** Sizes that one page takes in turn. On a phone the panel is closed when the page opens. */
const PHONES: [width: number, height: number][] = [
  [360, 740],
  [390, 844],
];
const DESKTOPS: [width: number, height: number][] = [
  [1280, 720],
  [3840, 2160],
];

describe.each([
  { device: 'a phone', sizes: PHONES },
  { device: 'a desktop', sizes: DESKTOPS },
])('in a window of $device', ({ sizes }) => {
  let page: Page;

  beforeAll(async () => {
    // Few bodies and few pixels: only the layout is tested, and software rendering of the largest window takes long.
    ({ page } = await openPage('examples/fly-through.html?count=50&path=off', {
      viewport: { width: sizes[0][0], height: sizes[0][1] },
      deviceScaleFactor: 0.1,
    }));
    await untilBuilt(page);
  });

  afterAll(() => endPage(page));

  it.each(sizes)(
    'at %i x %i nothing is wider than the window, and figures, panel and inset do not overlap',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await untilFramesPass(page, 2);
      expect(await page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
      const boxes = await Promise.all(
        ['#statistics', '#panel > .lil-gui', '#observer-view'].map((selector) => page.locator(selector).boundingBox()),
      );
      for (const [at, box] of boxes.entries()) {
        expect(box!.x).toBeGreaterThanOrEqual(0);
        expect(box!.x + box!.width).toBeLessThanOrEqual(width);
        expect(box!.y + box!.height).toBeLessThanOrEqual(height);
        for (const other of boxes.slice(at + 1)) expect(doOverlap(box!, other!)).toBe(false);
      }
      const { page: landing } = await openPage('index.html', { viewport: { width, height } });
      await landing.locator('.card').first().waitFor();
      expect(await landing.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
      await endPage(landing);
    },
  );
});
