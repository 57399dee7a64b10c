import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { TilesFigures } from '../../examples/src/tiles/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { pictureOf, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';

const openPage = useTestPages();
const LARGE = { viewport: { width: 900, height: 600 } };

describe('tiles', () => {
  it('shows the city after its first tile and without holes, names a house that is clicked, and logs no problems', async () => {
    const { page, problems } = await openPage('examples/tiles.html?line=open&fly=off', LARGE);
    const { firstBytes, wholeBytes, bytes, houses, holed, draws } = await untilLoaded(page);
    expect(firstBytes).toBeGreaterThan(20_000);
    expect(firstBytes).toBeLessThan(250_000);
    expect(bytes).toBeLessThan(0.7 * wholeBytes);
    expect(houses).toBeGreaterThan(10_000);
    expect(holed).toBe(0);
    expect(draws).toBeGreaterThan(10);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(200);
    expect(await problemsOfAxe(page)).toEqual([]);

    await page.mouse.click(450, 480);
    const { picked } = await until(page, (figures) => figures.picked !== null);
    expect(picked).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \d+b?$/);
    expect(await page.locator('#house').innerText()).toMatch(new RegExp(`^${picked} house \\d+$`));
    // The sky.
    await page.mouse.click(450, 60);
    await page.locator('#house').waitFor({ state: 'hidden' });
    // The renderer of tiles says that it does not know all of 3D Tiles 1.1.
    expect(problems.filter((text) => !text.includes('tiles versions at 1.1'))).toEqual([]);
  });

  it('loads no faster than the line, and anew when another line is chosen', async () => {
    const { page } = await openPage('examples/tiles.html?line=slow&fly=off');
    const slow = await until(page, ({ bytes, firstBytes }) => firstBytes > 0 && bytes > firstBytes);
    const elapsed = await page.evaluate(() => performance.now());
    expect((8 * slow.bytes) / 5000).toBeLessThan(elapsed);
    expect(slow.wholeMilliseconds).toBeCloseTo((8 * slow.wholeBytes) / 5000);
    await page.keyboard.press('Digit2');
    await until(page, ({ wholeMilliseconds }) => wholeMilliseconds < slow.wholeMilliseconds / 9);
    expect(await page.locator('#fast').getAttribute('aria-pressed')).toBe('true');
    await untilLoaded(page);
  });

  it('keeps to its memory on a flight, and leaves no hole', async () => {
    const { page } = await openPage('examples/tiles.html?line=fast&memory=4');
    const start = await untilLoaded(page);
    const { frames, holed, memory } = await until(page, (figures) => figures.frames > start.frames + 40);
    expect(frames).toBeGreaterThan(40);
    expect(holed).toBe(0);
    expect(memory).toBeLessThan(4.3 * 2 ** 20);
  });

  it('can be cancelled, and says how to go on', async () => {
    const { page } = await openPage('examples/tiles.html?line=slow', LARGE);
    await page.locator('#progress button').click();
    await page.getByText('Choose a line to go on').waitFor();
    await page.locator('#fast').click();
    await untilLoaded(page);
  });
});

/** Waits until all is loaded that the view needs. */
const untilLoaded = (page: Page): Promise<TilesFigures> =>
  until(page, ({ shown, loading }) => shown > 3 && loading === 0);

const until = (page: Page, test: (figures: TilesFigures) => boolean): Promise<TilesFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.tilesProbe?.figures), test);
