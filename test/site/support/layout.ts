// What every demo page keeps in any window.

import type { Page } from 'playwright';
import { expect } from 'vitest';
import { doOverlap } from './rectangles.ts';

/** Nothing is wider than the window, and title, figures, panel and legend are in it and do not overlap. */
export async function expectTidyLayout(page: Page, width: number, height: number): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  const boxes = await Promise.all(
    ['.title', '#statistics', '#panel > .lil-gui', 'footer'].map((selector) => page.locator(selector).boundingBox()),
  );
  for (const [at, box] of boxes.entries()) {
    expect(box!.x).toBeGreaterThanOrEqual(0);
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width).toBeLessThanOrEqual(width);
    expect(box!.y + box!.height).toBeLessThanOrEqual(height);
    for (const other of boxes.slice(at + 1)) expect(doOverlap(box!, other!)).toBe(false);
  }
}
