import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { BatchProbe } from '../../examples/src/batch/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { figure, pictureOf, untilPicture, useTestPages } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';
import { until as untilRead, untilSaid, whileActing } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const HOUSES = 800;
const ADDRESS = `examples/batch.html?count=${HOUSES}&turn=off&movers=off`;
const DESKTOP = { viewport: { width: 1100, height: 700 } };

const WINDOWS = sampleFrom(
  [
    [1280, 720],
    [390, 844],
    [640, 420],
  ],
  3,
  0,
);

const itLong = it.runIf(IS_LONG);

describe('the city in batches', () => {
  it('is drawn in few calls, as the same picture as one by one and culled; the figures say so', async () => {
    const { page, problems } = await openPage(ADDRESS, DESKTOP);
    await untilShown(page, 'batched');
    const batched = await probe(page);
    expect([batched.houses, batched.batched, batched.alone]).toEqual([HOUSES, HOUSES, 0]);
    expect(batched.ranges).toBeGreaterThan(0);
    expect(await figure(page, 'ranges')).toBe(batched.ranges);
    expect(await figure(page, 'batched')).toBe(HOUSES);
    const picture = await pictureOf(page, '#camera-view');
    expect(picture.colours).toBeGreaterThan(1000);
    expect(await problemsOfAxe(page)).toEqual([]);
    const draws = { batched: batched.figures.batched!.draws, culled: 0, plain: 0 };
    for (const mode of ['culled', 'plain'] as const) {
      await page.locator(`#${mode}`).click();
      await untilShown(page, mode);
      const now = await probe(page);
      draws[mode] = now.figures[mode]!.draws;
      expect(now.ranges).toBe(0);
      // On the GPU are the geometries of the houses that a pass has drawn one by one, with indices of 16 bits. Where
      // the batches are built before the first frame these are three quarters: no camera and no light sees the others.
      const share = now.figures[mode]!.bytes / batched.figures.batched!.bytes;
      expect([mode, share > 0.7, share < 1]).toEqual([mode, true, true]);
      const { colours } = await pictureOf(page, '#camera-view');
      expect(colours / picture.colours).toBeGreaterThan(0.95);
      expect(colours / picture.colours).toBeLessThan(1.05);
    }
    // Ground, sky, trees and their shadows are the same in all.
    expect(draws.batched).toBeLessThan(40);
    expect(draws.culled).toBeGreaterThan(5 * draws.batched);
    expect(draws.plain).toBeGreaterThanOrEqual(draws.culled);
    for (const [mode, count] of Object.entries(draws)) expect(await figure(page, `${mode}-draws`)).toBe(count);
    await page.keyboard.press('Digit3');
    await untilShown(page, 'batched');
    expect((await probe(page)).batched).toBe(HOUSES);
    expect(problems).toEqual([]);
  });

  itLong('compares the three ways by one button', async () => {
    const { page } = await openPage(ADDRESS, DESKTOP);
    await untilShown(page, 'batched');
    await page.locator('#compare').click();
    await page.waitForFunction(() => Object.keys(globalThis.batchProbe!.figures).length === 3);
    await untilShown(page, 'batched');
    for (const mode of ['plain', 'culled', 'batched'])
      expect(await page.locator(`[data-figure=${mode}-time]`).innerText()).toMatch(/^[\d.]+ ms$/);
  });

  itLong('keeps the way in which it is drawn if the change to batches is cancelled', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&mode=culled&shadows=off`, DESKTOP);
    await untilShown(page, 'culled');
    await page.evaluate(() => {
      const bar = document.querySelector('progress')!;
      new MutationObserver(() => {
        // The batches are built, some are uploaded.
        if (bar.value > 0.85) document.querySelector<HTMLButtonElement>('#progress button')!.click();
      }).observe(bar, { attributeFilter: ['value'] });
    });
    await page.locator('#batched').click();
    await untilSaid(page, 'Stopped');
    const { mode, batched, ranges } = await untilShown(page, 'culled');
    expect([mode, batched, ranges]).toEqual(['culled', 0, 0]);
    expect(problems).toEqual([]);
  });

  it('keeps its houses: one is selected by a click, dragged, repainted, hidden, and comes back into its batch', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&shadows=off`, DESKTOP);
    await untilShown(page, 'batched');
    const { x, y } = await selectHouse(page);
    const [left, near] = (await probe(page)).place;
    expect(await page.locator('#house-name').innerText()).toMatch(/^House [\d,]+: \d storeys, /);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await whileActing(page, isAlone, () => page.mouse.move(x + 30, y + 10, { steps: 3 }));
    await page.mouse.up();
    const after = await probe(page);
    expect(Math.abs(after.place[0] - left) + Math.abs(after.place[1] - near)).toBeGreaterThan(0.5);
    await until(page, ({ alone }) => alone === 0);
    const { digest } = await pictureOf(page, '#camera-view');
    await whileActing(page, isAlone, () => page.locator('#repaint').click());
    await until(page, ({ alone }) => alone === 0);
    expect((await pictureOf(page, '#camera-view')).digest).not.toBe(digest);
    await page.keyboard.press('KeyH');
    await until(page, ({ hidden, alone }) => hidden === 1 && alone === 0);
    expect((await probe(page)).selected).toBe(-1);
    await page.locator('#show-all').click();
    await until(page, ({ hidden, alone }) => hidden === 0 && alone === 0);
    expect(problems).toEqual([]);
  });

  itLong('lights the house under the pointer in its batch', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&shadows=off`, DESKTOP);
    await untilShown(page, 'batched');
    const dark = await pictureOf(page, '#camera-view');
    for (const x of [620, 560, 520]) {
      await page.mouse.move(x, 440);
      await untilPicture(page, '#camera-view', ({ digest }) => digest !== dark.digest);
    }
    expect((await probe(page)).alone).toBe(0);
    await page.locator('#compare').hover();
    await untilPicture(page, '#camera-view', ({ digest }) => digest === dark.digest);
    expect(problems).toEqual([]);
  });

  itLong('sends a wave: houses leave their batches while they move, and come back', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&shadows=off`, DESKTOP);
    await untilShown(page, 'batched');
    const { figures, ranges } = await probe(page);
    await whileActing(
      page,
      () => globalThis.batchProbe!.alone > 10,
      () => page.locator('#wave').click(),
    );
    // Also those out of view.
    const calm = await until(page, ({ alone, batched }) => alone === 0 && batched === HOUSES);
    expect(calm.ranges).toBe(ranges);
    expect(calm.figures.batched!.draws).toBe(figures.batched!.draws);
    expect(problems).toEqual([]);
  });

  itLong('draws houses that move in few calls, too, and the same picture in each way', async () => {
    const { page, problems } = await openPage(ADDRESS.replace('movers=off', 'movers=on'), DESKTOP);
    const moving = Math.floor(HOUSES / 12);
    // They are built once they have moved for a while.
    const batched = await until(
      page,
      ({ posed, alone, mode }) => posed === moving && alone === 0 && mode === 'batched',
    );
    expect(batched.batched).toBe(HOUSES);
    expect(await figure(page, 'posed')).toBe(moving);
    const first = await pictureOf(page, '#camera-view');
    await until(page, ({ frames }) => frames > batched.frames + 2);
    expect((await pictureOf(page, '#camera-view')).digest).not.toBe(first.digest);
    expect((await probe(page)).figures.batched!.draws).toBeLessThan(45);
    await page.keyboard.press('KeyM');
    // They come to rest, and are drawn with the others.
    await until(page, ({ posed, alone, batched: all }) => posed === 0 && alone === 0 && all === HOUSES);
    const { colours } = await pictureOf(page, '#camera-view');
    await page.locator('#plain').click();
    await untilShown(page, 'plain');
    const plain = await pictureOf(page, '#camera-view');
    expect(plain.colours / colours).toBeGreaterThan(0.95);
    expect(plain.colours / colours).toBeLessThan(1.05);
    expect(problems).toEqual([]);
  });

  itLong('shows the draw ranges in colours, on the map and over the houses', async () => {
    const { page } = await openPage(ADDRESS, DESKTOP);
    await untilShown(page, 'batched');
    const camera = await pictureOf(page, '#camera-view');
    const map = await pictureOf(page, '#observer-view');
    expect((await pictureOf(page, '#camera-view')).digest).toBe(camera.digest);
    await page.keyboard.press('KeyR');
    await untilReported(page);
    expect((await pictureOf(page, '#camera-view')).digest).not.toBe(camera.digest);
    // Without batches there are no ranges.
    await page.locator('#culled').click();
    await untilShown(page, 'culled');
    expect((await pictureOf(page, '#observer-view')).colours).toBeLessThan(map.colours / 2);
  });

  itLong('builds another city, in which a house can be picked', async () => {
    const { page } = await openPage('examples/batch.html?count=300&turn=off&movers=off', DESKTOP);
    await untilShown(page, 'batched');
    await page.locator('#panel select').selectOption('3,000 houses');
    await until(page, ({ houses, isBuilding, batched }) => houses === 3000 && !isBuilding && batched === 3000);
    await selectHouse(page);
  });

  it.each(WINDOWS)('at %i x %i nothing overlaps', async (width, height) => {
    const { page } = await openPage(ADDRESS, { viewport: { width, height } });
    await untilShown(page, 'batched');
    await expectTidyLayout(page, width, height);
    const map = await page.locator('#observer-view').boundingBox();
    for (const selector of ['#statistics', '#panel > .lil-gui', 'footer'])
      expect(doOverlap(map!, (await page.locator(selector).boundingBox())!)).toBe(false);
  });
});

/** Whether a house is drawn on its own: until it has rested for 30 updates. */
const isAlone = (): boolean => globalThis.batchProbe!.alone === 1;

const probe = (page: Page): Promise<BatchProbe> => page.evaluate(() => globalThis.batchProbe!);

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (probe: BatchProbe) => boolean): Promise<BatchProbe> =>
  untilRead(page, () => page.evaluate(() => globalThis.batchProbe), holds);

/** Waits until the city is drawn in a way, with its figures. */
const untilShown = (page: Page, mode: BatchProbe['mode']): Promise<BatchProbe> =>
  until(page, (now) => !now.isBuilding && now.mode === mode && now.figures[mode!] !== undefined);

async function untilReported(page: Page): Promise<void> {
  const { reports } = await probe(page);
  await until(page, (now) => now.reports > reports + 1);
}

/** Clicks where houses may be until one is selected. Returns the place of the click. */
async function selectHouse(page: Page): Promise<{ x: number; y: number }> {
  for (const [x, y] of [
    [620, 420],
    [560, 460],
    [700, 440],
    [640, 500],
    [520, 400],
  ]) {
    const { frames } = await probe(page);
    await page.mouse.click(x, y);
    // The figures are those of the last frame, which may have begun before the click.
    const { selected } = await until(page, (now) => now.selected >= 0 || now.frames > frames + 2);
    if (selected >= 0) return { x, y };
  }
  throw new Error('no house was selected');
}
