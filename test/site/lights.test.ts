import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { LightsFigures } from '../../examples/src/lights/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { figure, pictureOf, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';

const openPage = useTestPages();
const SMALL = { viewport: { width: 760, height: 600 }, deviceScaleFactor: 0.3 };

describe('lights', () => {
  it('draws the maps of the lamps in whose light something moves, all of them when switched off, and logs no problems', async () => {
    const { page, problems } = await openPage('examples/lights.html', SMALL);
    // Two maps in every frame: that of the people, and of a lamp above the street of the cars.
    const { always, changed } = await until(page, (now) => now.always?.maps === 12 && (now.changed?.maps ?? 0) >= 2);
    expect(changed!.maps).toBeLessThanOrEqual(5);
    expect(changed!.shadowDraws).toBeLessThan(always!.shadowDraws * 0.7);
    expect(await figure(page, 'always-maps')).toBe(12);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(100);
    expect((await pictureOf(page, '#observer-view')).litShare).toBeGreaterThan(0.05);
    expect(await problemsOfAxe(page)).toEqual([]);
    await page.keyboard.press('KeyU');
    await until(page, ({ usesUpdates }) => !usesUpdates);
    await page.waitForFunction(() => document.querySelector('[data-figure=maps]')!.textContent === '12 of 12');
    expect(problems).toEqual([]);
  });

  it('draws no map of a town at rest, and no frame while it is paused', async () => {
    const { page } = await openPage('examples/lights.html?cars=0&people=0', SMALL);
    const { changed } = await until(page, (now) => now.changed?.maps === 0);
    expect(changed!.shadowDraws).toBe(0);
    await page.keyboard.press('KeyP');
    // A frame that began before may still be drawn. Afterwards none is, in more than eight.
    let [drawn, since] = [-1, 0];
    const read = () => page.evaluate(() => globalThis.lightsProbe);
    await untilRead(page, read, ({ frames, figures }) => {
      if (figures!.drawn !== drawn) [drawn, since] = [figures!.drawn, frames];
      return frames > since + 8;
    });
    // A turn of the view.
    await page.locator('#camera-view').focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((before) => globalThis.lightsProbe!.figures!.drawn > before, drawn);
  });
});

declare global {
  var lightsProbe: { readonly frames: number; readonly figures: LightsFigures | undefined } | undefined;
}

const until = (page: Page, test: (figures: LightsFigures) => boolean): Promise<LightsFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.lightsProbe?.figures), test);
