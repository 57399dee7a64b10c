import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import examples from '../../examples/examples.json';
import { untilBuilt, usePages } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';

const openPage = usePages();

const WIDTH = 'document.documentElement.scrollWidth';

describe('the landing page', () => {
  it('lists every page of the examples folder with links that load', async () => {
    const { page, problems } = await openPage('index.html');
    await page.locator('.card').first().waitFor();
    const slugs = readdirSync('examples').filter((file) => file.endsWith('.html')).map((file) => file.replace('.html', ''));
    expect(new Set(examples.map(({ slug }) => slug))).toEqual(new Set(slugs));
    const links = await page.locator('.card').evaluateAll((cards) => cards.map((card) => (card as HTMLAnchorElement).href));
    expect(links).toHaveLength(slugs.length);
    for (const link of links) expect((await page.request.get(link)).status()).toBe(200);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe.each([[360, 740], [390, 844], [1280, 720], [3840, 2160]])('at %i x %i', (width, height) => {
  it('nothing is wider than the window, and figures, panel and inset do not overlap', async () => {
    // Few bodies, because software rendering of the largest window is slow.
    const { page } = await openPage('examples/fly-through.html?count=50&path=off', { viewport: { width, height } });
    await untilBuilt(page);
    expect(await page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
    const boxes = await Promise.all(['#statistics', '#panel > .lil-gui', '#observer-view'].map((selector) => page.locator(selector).boundingBox()));
    for (const [at, box] of boxes.entries()) {
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      expect(box!.y + box!.height).toBeLessThanOrEqual(height);
      for (const other of boxes.slice(at + 1)) expect(doOverlap(box!, other!)).toBe(false);
    }
    await page.goto(new URL('../index.html', page.url()).href);
    await page.locator('.card').first().waitFor();
    expect(await page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
    await page.close();
  });
});
