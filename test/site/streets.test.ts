import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { StreetsProbe } from '../../examples/src/streets/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { ALL_PIXELS, figure, pictureOf, untilPicture, useTestPages } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';
import { until as untilRead } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const HOUSES = 500;
const ADDRESS = `examples/streets.html?houses=${HOUSES}&walk=off`;
const DESKTOP = { viewport: { width: 1100, height: 700 } };

const WINDOWS = sampleFrom(
  [
    [1280, 720],
    [390, 844],
    [640, 420],
  ],
  3,
  2,
);

const itLong = it.runIf(IS_LONG);

describe('the streets', () => {
  it('draw a part of the meshes in the frustum, as the same picture as all of them; the figures say so', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&observer=off`, { ...DESKTOP, ...ALL_PIXELS });
    await untilShown(page, 'occlusion');
    await untilSettled(page);
    const hidden = await probe(page);
    expect(hidden.houses).toBe(HOUSES);
    expect(hidden.reason).toBe('');
    expect(hidden.hidden).toBeGreaterThan(0.5 * hidden.inFrustum);
    expect(hidden.occluders).toBeGreaterThan(5);
    expect(await figure(page, 'hidden')).toBe(hidden.hidden);
    expect(await figure(page, 'occluders')).toBe(hidden.occluders);
    expect(await figure(page, 'in-frustum')).toBe(hidden.inFrustum);
    const picture = await pictureOf(page, '#camera-view');
    expect(picture.colours).toBeGreaterThan(1000);
    expect(await problemsOfAxe(page)).toEqual([]);
    await page.locator('#frustum').click();
    await untilShown(page, 'frustum');
    const all = await probe(page);
    expect([all.hidden, all.occluders]).toEqual([0, 0]);
    expect(all.reason).toContain('off');
    expect(all.figures.frustum!.draws).toBeGreaterThan(2 * all.figures.occlusion!.draws);
    expect(all.figures.frustum!.triangles).toBeGreaterThan(1.5 * all.figures.occlusion!.triangles);
    for (const mode of ['frustum', 'occlusion'] as const)
      expect(await figure(page, `${mode}-draws`)).toBe(all.figures[mode]!.draws);
    expect((await pictureOf(page, '#camera-view')).digest).toBe(picture.digest);
    await page.keyboard.press('Digit2');
    await untilShown(page, 'occlusion');
    expect((await pictureOf(page, '#camera-view')).digest).toBe(picture.digest);
    expect(problems).toEqual([]);
  });

  itLong('hide something in the first view of a phone', async () => {
    const { page } = await openPage('examples/streets.html?walk=off', {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 0.3,
      hasTouch: true,
      isMobile: true,
    });
    await untilShown(page, 'occlusion');
    const { reason } = await until(page, ({ hidden, inFrustum }) => hidden > 0.5 * inFrustum);
    expect(reason).toBe('');
  });

  itLong('show the depth buffer, and the houses from above in the colours of what has become of them', async () => {
    const { page, problems } = await openPage(ADDRESS, DESKTOP);
    await untilShown(page, 'occlusion');
    const { covered } = await until(page, (now) => now.covered > 0.2);
    expect(covered).toBeLessThan(0.95);
    await untilPicture(page, '#minimap-view', ({ colours }) => colours > 50);
    const map = await untilPicture(page, '#observer-view', ({ colours }) => colours > 10);
    await page.locator('#frustum').click();
    await untilShown(page, 'frustum');
    await until(page, (now) => now.covered === 0);
    await untilPicture(page, '#observer-view', ({ digest }) => digest !== map.digest);
    await page.keyboard.press('KeyO');
    expect(await page.locator('#observer-view').isVisible()).toBe(false);
    expect(await page.locator('#minimap-view').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('are walked by keys until a wall, by itself, and flown over', async () => {
    // Few pixels: a way of 14 m takes more than forty frames.
    const { page, problems } = await openPage(`${ADDRESS}&observer=off`, { ...DESKTOP, deviceScaleFactor: 0.25 });
    await untilShown(page, 'occlusion');
    const [x, y, z] = (await probe(page)).place;
    expect(y).toBeCloseTo(1.7, 1);
    await page.locator('#camera-view').focus();
    const hold = (): Promise<void> => page.keyboard.down('KeyD');
    await until(page, ({ place }) => place[2] > z + 5, hold);
    await hold();
    await page.waitForTimeout(500);
    await page.keyboard.up('KeyD');
    // The houses of an avenue stand 13 m from its middle.
    expect((await probe(page)).place[2] - z).toBeLessThan(13);
    await page.keyboard.press('KeyP');
    await until(page, ({ place }) => Math.abs(place[0] - x) + Math.abs(place[2] - z) > 14);
    await page.locator('#roofs').click();
    await until(page, ({ place }) => place[1] > 20);
    await page.keyboard.press('Digit5');
    await until(page, ({ place }) => place[1] > 80);
    await page.keyboard.press('Digit3');
    await until(page, ({ place }) => place[1] < 3);
    const { place } = await probe(page);
    await page.mouse.move(500, 300);
    await page.mouse.down();
    await page.mouse.move(560, 300, { steps: 3 });
    await page.mouse.up();
    expect(await page.getByLabel('walk by itself').isChecked()).toBe(false);
    expect(place[1]).toBeLessThan(3);
    expect(problems).toEqual([]);
  });

  itLong('are built anew with another number of houses', async () => {
    const { page } = await openPage(`${ADDRESS}&observer=off`, DESKTOP);
    await untilShown(page, 'occlusion');
    await page.locator('#panel select').selectOption('1,500 houses');
    await until(page, ({ houses, isBuilding, hidden }) => houses === 1500 && !isBuilding && hidden > 0);
  });

  it.each(WINDOWS)('at %i x %i nothing overlaps', async (width, height) => {
    const { page } = await openPage(ADDRESS, { viewport: { width, height } });
    await untilShown(page, 'occlusion');
    await expectTidyLayout(page, width, height);
    const views = [];
    for (const view of ['#observer-view', '#minimap-view']) {
      const box = (await page.locator(view).boundingBox())!;
      views.push(box);
      for (const selector of ['#statistics', '#panel > .lil-gui', 'footer'])
        expect(doOverlap(box, (await page.locator(selector).boundingBox())!)).toBe(false);
    }
    expect(doOverlap(views[0], views[1])).toBe(false);
  });
});

const probe = (page: Page): Promise<StreetsProbe> => page.evaluate(() => globalThis.streetsProbe!);

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (probe: StreetsProbe) => boolean, act?: () => Promise<void>): Promise<StreetsProbe> =>
  untilRead(page, () => page.evaluate(() => globalThis.streetsProbe), holds, act);

/** Waits until the city is drawn in a way, with its figures. */
async function untilShown(page: Page, mode: StreetsProbe['mode']): Promise<void> {
  await until(page, (now) => !now.isBuilding && now.mode === mode && now.figures[mode!] !== undefined);
  await untilReported(page);
}

/** The solid parts of the houses are found in slices: waits until these change no figure any more. */
async function untilSettled(page: Page): Promise<void> {
  for (let [last, equal] = ['', 0]; equal < 3;) {
    await untilReported(page);
    const { hidden, occluders, inFrustum } = await probe(page);
    const now = `${hidden} ${occluders} ${inFrustum}`;
    equal = now === last && (await figure(page, 'hidden')) === hidden ? equal + 1 : 0;
    last = now;
  }
}

async function untilReported(page: Page): Promise<void> {
  const { reports } = await probe(page);
  await until(page, (now) => now.reports > reports + 1);
}
