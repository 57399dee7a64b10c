import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { DropInProbe } from '../../examples/src/drop-in/probe.ts';
import { countDifferent } from '../../examples/src/drop-in/compare-pixels.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { momentsOf, probe, untilMeasured } from './support/drop-in-page.ts';
import {
  ALL_PIXELS,
  pictureOf,
  SMALL,
  untilFramesPass,
  untilReportedAgain,
  useTestPages,
  whileDrawing,
} from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';
import { until } from './support/waits.ts';
import { IS_LONG } from '../support/sampled.ts';

const openPage = useTestPages();
const SMALL_FOREST = 'examples/drop-in.html?count=3000&path=off';

const itLong = it.runIf(IS_LONG);

describe('the drop-in page', () => {
  it('draws identical pixels with both groups, while birds fly, and logs no problems', async () => {
    const { page, problems } = await openPage(SMALL_FOREST, { ...SMALL, ...ALL_PIXELS });
    await untilMeasured(page);
    const report = await probe(page);
    expect(report.total).toBe(3000);
    expect(report.visible).toBeGreaterThan(50);
    expect(report.visible).toBeLessThan(600);
    expect(report.tested).toBeLessThan(600);
    // The octree tests a body by its box or its sphere, whichever is tighter, so it may draw fewer meshes than three.
    expect(report.octreeDrawCalls).toBeGreaterThan(report.visible);
    expect(report.octreeDrawCalls).toBeLessThanOrEqual(report.plainDrawCalls);
    expect(report.octreeDrawCalls).toBeGreaterThan(report.plainDrawCalls * 0.9);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(200);

    await compare(page);
    expect(await probe(page)).toMatchObject({ pixels: 480 * 320, differentPixels: 0, doAgree: true });
    expect(await page.locator('[data-figure=pixels]').innerText()).toBe('0 of 153,600 differ');
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  itLong('draws the same pixels if all but the birds are static', async () => {
    const { page } = await openPage('examples/drop-in.html?count=1500&path=off&shadows=off');
    await untilMeasured(page);
    await page.locator('#is-static').check();
    await page.waitForFunction(() => globalThis.demoProbe!.isBuilding);
    await untilMeasured(page);
    await untilFramesPass(page, 10);
    await compare(page);
    expect(await probe(page)).toMatchObject({ total: 1500, differentPixels: 0 });
  });

  itLong('draws the Group or the OctreeGroup, and measures only that one on request', async () => {
    const { page } = await openPage(`${SMALL_FOREST}&both=off`);
    await untilMeasured(page);
    const [plain, octree] = await momentsOf(page);
    expect([plain.length, octree.length > 0]).toEqual([0, true]);
    const { drawCalls, octreeDrawCalls, plainDrawCalls } = await probe(page);
    expect([drawCalls, plainDrawCalls]).toEqual([octreeDrawCalls, 0]);
    await page.locator('#uses-octree').uncheck();
    await page.waitForFunction(() => (globalThis.demoProbe as DropInProbe).plainDrawCalls > 0);
    await untilReportedAgain(page);
    const after = await probe(page);
    expect(after.drawCalls).toBe(after.plainDrawCalls);
    await page.keyboard.press('KeyO');
    expect(await page.locator('#uses-octree').isChecked()).toBe(true);
  });

  itLong('plots each frame, a very long one too, below the top of the axis', async () => {
    const { page } = await openPage(SMALL_FOREST, SMALL, (page) =>
      page.addInitScript(() => {
        // Every 7th look at the clock comes 400 ms late.
        const exact = performance.now.bind(performance);
        let [calls, late] = [0, 0];
        performance.now = () => exact() + (late += ++calls % 7 === 0 ? 400 : 0);
      }),
    );
    await untilMeasured(page);
    const longest = () =>
      page.evaluate(() => {
        const top = Number.parseFloat(document.querySelector('.plot .top')!.textContent);
        const heights = [...document.querySelectorAll('.plot polyline')].flatMap((line) =>
          (line.getAttribute('points') ?? '')
            .split(' ')
            .flatMap((point) => (point === '' ? [] : [Number(point.split(',')[1])])),
        );
        return { top, highest: Math.min(...heights) };
      });
    await until(page, longest, ({ top }) => top >= 400);
    expect((await longest()).highest).toBeGreaterThanOrEqual(0);
    expect((await longest()).highest).toBeLessThan(25);
  });

  it('moves the camera along its path, stops it on request, and turns the view by a drag', async () => {
    const { page } = await openPage('examples/drop-in.html?count=1000&both=off&shadows=off');
    await untilMeasured(page);
    const start = (await probe(page)).camera;
    await page.waitForFunction(([x]) => globalThis.demoProbe!.camera[0] !== x, start);
    await page.keyboard.press('KeyP');
    await untilReportedAgain(page);
    const standing = await probe(page);
    await page.mouse.move(300, 240);
    await page.mouse.down();
    await page.mouse.move(60, 240, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((before) => globalThis.demoProbe!.visible !== before, standing.visible);
    expect((await probe(page)).camera).toEqual(standing.camera);
  });

  itLong('does not move the camera with reduced motion', async () => {
    const { page } = await openPage('examples/drop-in.html?count=500', {
      viewport: { width: 480, height: 320 },
      reducedMotion: 'reduce',
    });
    await untilMeasured(page);
    const { camera } = await probe(page);
    await untilReportedAgain(page);
    expect((await probe(page)).camera).toEqual(camera);
  });

  itLong('draws again after the graphics context was lost and restored', async () => {
    const { page, problems } = await openPage(`${SMALL_FOREST}&shadows=on`);
    await untilMeasured(page);
    await page.evaluate(() => {
      const extension = document.querySelector('canvas')!.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
      extension.loseContext();
      setTimeout(() => extension.restoreContext(), 500);
    });
    await page.locator('#lost').waitFor({ state: 'visible' });
    await page.locator('#lost').waitFor({ state: 'hidden' });
    await untilFramesPass(page, 3);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(200);
    expect(problems.filter((text) => !/context (lost|restored)/i.test(text))).toEqual([]);
  });
});

describe('the layout of the drop-in page', () => {
  it('is never wider than the window, and figures, panel and strip do not overlap, from 360 pixels to 4K', async () => {
    const { page } = await openPage('examples/drop-in.html?count=50&both=off&shadows=off&path=off', {
      viewport: { width: 360, height: 740 },
    });
    await untilMeasured(page);
    for (const [width, height] of [
      [360, 740],
      [390, 844],
      [1280, 720],
      [3840, 2160],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const boxes = await Promise.all(
        ['#statistics', '#panel > .lil-gui', '#strip'].map(
          async (selector) => (await page.locator(selector).boundingBox())!,
        ),
      );
      expect(
        boxes.filter((box) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height),
      ).toEqual([]);
      expect(boxes.filter((box, at) => boxes.slice(at + 1).some((other) => doOverlap(box, other)))).toEqual([]);
    }
  });
});

describe('countDifferent', () => {
  it('counts a pixel once, whichever of its components differ', () => {
    const picture = new Uint16Array(16);
    expect(countDifferent(picture, picture.slice())).toBe(0);
    expect(countDifferent(picture, picture.slice().fill(1, 3, 6))).toBe(2);
    expect(countDifferent(picture, picture.slice().fill(1))).toBe(4);
  });
});

/** Compares the images of both groups. */
const compare = (page: Page) =>
  whileDrawing(page, async () => {
    await page.locator('#compare').click();
    await page.waitForFunction(() => (globalThis.demoProbe as DropInProbe).pixels > 0);
  });
