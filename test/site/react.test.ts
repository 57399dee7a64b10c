import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { ReactProbe } from '../../examples/src/react.tsx';
import { problemsOfAxe } from './support/accessibility.ts';
import { SMALL, useTestPages } from './support/open-page.ts';
import { doOverlap } from './support/rectangles.ts';

const openPage = useTestPages();
const probe = (page: Page): Promise<ReactProbe> => page.evaluate(() => globalThis.reactProbe!);

describe('the React page', () => {
  it('measures the group, then the OctreeGroup, whose children are not asked one by one', async () => {
    const { page, problems } = await openPage('examples/react.html?count=800&path=off');
    await page.waitForFunction(() => (globalThis.reactProbe?.octreeMoves ?? 0) > 8);
    const { plainTested, octreeTested, usesOctree, hovered, near } = await probe(page);
    expect({ plainTested, octreeTested, usesOctree }).toEqual({ plainTested: 800, octreeTested: 2, usesOctree: true });
    expect(hovered).toBeGreaterThanOrEqual(0);
    expect(near).toBeGreaterThan(5);
    expect(await page.locator('[data-figure=total]').innerText()).toBe('800');
    await page.waitForFunction(() => /\dx$/.test(document.querySelector('[data-figure=gain]')!.textContent));
    await page.locator('#uses-octree').uncheck();
    await page.waitForFunction(() => !globalThis.reactProbe!.usesOctree);
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('follows a phone that is turned: the canvas fills the window, and the picture is not stretched', async () => {
    const { page } = await openPage('examples/react.html?count=50&path=off&octree=on', {
      ...SMALL,
      viewport: { width: 390, height: 844 },
    });
    const canvasSize = (): Promise<number[]> =>
      page.evaluate(() => {
        const { clientWidth, clientHeight, width, height } = document.querySelector('canvas')!;
        return [clientWidth, clientHeight, width / devicePixelRatio, height / devicePixelRatio].map(Math.round);
      });
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction(
        ([right, bottom]) => {
          const { clientWidth, clientHeight } = document.querySelector('canvas')!;
          return clientWidth === right && clientHeight === bottom;
        },
        [width, height],
      );
      const [shownWidth, shownHeight, drawnWidth, drawnHeight] = await canvasSize();
      expect([shownWidth, shownHeight]).toEqual([width, height]);
      expect(drawnWidth / drawnHeight).toBeCloseTo(width / height, 1);
    }
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])('fits into $width x $height: nothing overlaps', async (viewport) => {
    const { page } = await openPage('examples/react.html?count=50&path=off&octree=on', {
      ...SMALL,
      viewport,
      deviceScaleFactor: 0.1,
    });
    await page.waitForFunction(() => (globalThis.reactProbe?.frames ?? 0) > 0);
    const boxes = await Promise.all(
      ['#statistics', '#change', '.title'].map((selector) => page.locator(selector).boundingBox()),
    );
    for (const [at, box] of boxes.entries()) {
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(viewport.width);
      expect(box!.y + box!.height).toBeLessThanOrEqual(viewport.height);
      for (const other of boxes.slice(at + 1)) expect(doOverlap(box!, other!)).toBe(false);
    }
  });
});
