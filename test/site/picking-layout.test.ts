import { beforeAll, describe, expect, it } from 'vitest';
import type { PickingWorld } from '../../examples/src/picking/picking-world.ts';
import { townPlan } from '../../examples/src/picking/town.ts';
import { litShare, useTestPages } from './support/open-page.ts';
import {
  build,
  drag,
  findPlace,
  openPicking,
  pickingProbe,
  untilDrawn,
  withSmallCanvas,
} from './support/picking-page.ts';
import { doOverlap } from './support/rectangles.ts';
import { untilSaid } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();

/** Few buildings, for a fast start. */
const COUNT = 60;
const HAMLET = `world=city&hover=off&count=${COUNT}`;

let hamlet: PickingWorld;

beforeAll(() => {
  hamlet = build(townPlan, COUNT);
});

const WINDOWS = [
  [360, 740],
  [390, 844],
  [640, 420],
  [1280, 720],
  [3840, 2160],
];

const itLong = it.runIf(IS_LONG);

describe.each(sampleFrom(WINDOWS, 5, 1))('at %i x %i', (width, height) => {
  it('record, selection, panel, buttons and side view do not overlap, and none is wider than the window', async () => {
    const { page, problems } = await openPicking(openPage, HAMLET, { viewport: { width, height } }, withSmallCanvas);
    const place = await findPlace(page, hamlet, true);
    await page.keyboard.down('Shift');
    await drag(page, { x: place.x - 50, y: place.y - 50 }, { x: place.x + 50, y: place.y + 50 });
    await page.keyboard.up('Shift');
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(() => globalThis.pickingProbe!.areEqual !== null);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const parts = ['#statistics', '#selection', '#panel > .lil-gui', '#modes', '#observer-view'];
    const boxes = await Promise.all(
      parts.map(async (part) => ({ part, ...(await page.locator(part).boundingBox())! })),
    );
    for (const [at, box] of boxes.entries()) {
      expect(Math.min(box.x, box.y), box.part).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, box.part).toBeLessThanOrEqual(width);
      expect(box.y + box.height, box.part).toBeLessThanOrEqual(height);
      const over = boxes.slice(at + 1).filter((other) => doOverlap(box, other));
      expect(over.map(({ part }) => `${box.part} lies over ${part}`)).toEqual([]);
    }
    const isCut = await page
      .locator('#statistics dd')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
      );
    expect(isCut).toEqual([]);
    const [figures] = boxes;
    if (height === 420) expect(figures.width * figures.height).toBeLessThanOrEqual((width * height) / 3);
    expect(problems).toEqual([]);
  });
});

describe('picking', () => {
  itLong('draws again after the graphics context was lost and restored, without another change', async () => {
    const { page, problems } = await openPicking(openPage, HAMLET);
    const before = await litShare(page, '#camera-view');
    await page.evaluate(() => {
      const extension = document.querySelector('canvas')!.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
      extension.loseContext();
      Object.assign(globalThis, { restoreContext: () => extension.restoreContext() });
    });
    await page.waitForFunction(() => document.body.classList.contains('context-lost'));
    expect(await page.locator('#lost').isVisible()).toBe(true);
    await page.evaluate(() => (globalThis as typeof globalThis & { restoreContext: () => void }).restoreContext());
    await page.waitForFunction(() => !document.body.classList.contains('context-lost'));
    await untilDrawn(page);
    const after = await litShare(page, '#camera-view');
    expect(before).toBeGreaterThan(0.001);
    expect(after).toBeCloseTo(before, 2);
    // Three.js logs both events to the console; any other message is an error of the page.
    expect(problems.filter((text) => !/context (lost|restored)/i.test(text))).toEqual([]);
  });

  itLong('shows the progress of a build, and cancels it on request', async () => {
    const { page } = await openPicking(openPage, HAMLET, { viewport: { width: 1000, height: 640 } });
    await page.evaluate(() => {
      const bar = document.querySelector('progress')!;
      const values: number[] = [];
      new MutationObserver(() => {
        values.push(bar.value);
        if (bar.value > 0.3) document.querySelector<HTMLButtonElement>('#progress button')!.click();
      }).observe(bar, { attributeFilter: ['value'] });
      Object.assign(globalThis, { values });
    });
    await page.locator('#panel select').nth(1).selectOption('100,000 buildings');
    await untilSaid(page, 'Stopped');
    const values = await page.evaluate(() => (globalThis as typeof globalThis & { values: number[] }).values);
    expect(values.length).toBeGreaterThan(3);
    expect([...values].sort((a, b) => a - b)).toEqual(values);
    expect((await pickingProbe(page)).total).toBe(COUNT);
  });

  it('switches from one world to another', async () => {
    const { page, problems } = await openPicking(openPage, HAMLET, { viewport: { width: 1000, height: 640 } });
    const place = await findPlace(page, hamlet, true);
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(() => globalThis.pickingProbe!.areEqual !== null);
    await page.locator('#panel select').first().selectOption('real cities');
    await page.waitForFunction(() => globalThis.pickingProbe!.total > 100_000);
    const { picked, boxes } = await pickingProbe(page);
    expect([picked, boxes]).toEqual([null, 0]);
    expect(await page.locator('[data-figure=kind]').innerText()).toContain('135,233 places');
    expect(problems).toEqual([]);
  });

  it('shows an error message without WebGL 2, or if the names of the places do not load', async () => {
    const { page, problems } = await openPage('examples/picking.html', undefined, (page) =>
      page.addInitScript(() => {
        Reflect.set(HTMLCanvasElement.prototype, 'getContext', () => null);
      }),
    );
    await page.locator('.missing').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('WebGL 2');
    expect(problems).toEqual([]);
    const { page: nameless } = await openPage('examples/picking.html?world=cities', undefined, (page) =>
      page.route('**/place-names-*.txt', (route) => route.fulfill({ status: 404 })),
    );
    await nameless.locator('.missing').waitFor();
    expect(await nameless.locator('.missing').innerText()).toContain('names of the places did not load');
  });
});

it('has no empty card: none while the town is built, and then a prompt without a button for more', async () => {
  const { page } = await openPage('examples/picking.html?world=city&hover=off&count=100000', {
    viewport: { width: 390, height: 844 },
  });
  // Read at once: the build may end before another look.
  const progress = await page.waitForFunction(() => {
    const [bar, card] = ['#progress', '#statistics'].map((selector) => document.querySelector(selector)!);
    return bar.checkVisibility() && { hasCard: card.checkVisibility() };
  });
  expect(await progress.jsonValue()).toEqual({ hasCard: false });
  const { page: hamletPage } = await openPicking(openPage, HAMLET, { viewport: { width: 390, height: 844 } });
  await hamletPage.locator('#statistics').waitFor();
  expect(await hamletPage.locator('#statistics').innerText()).toMatch(/^No pick yet\s+click one of/);
  expect(await hamletPage.locator('#statistics .more').isVisible()).toBe(false);
});
