import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useTestPages } from './support/open-page.ts';
import { sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const DESKTOP = { viewport: { width: 900, height: 600 }, deviceScaleFactor: 0.25 };

interface Row {
  readonly name: string;
  readonly address: string;
  /** Whether the scene is complete. Runs in the page. */
  readonly isReady: () => boolean;
  /** The view that is clicked, and a sentence that some object in it gets. */
  readonly view: string;
  readonly sentence: RegExp;
}

const ROWS: readonly Row[] = [
  {
    name: 'Streets, from above',
    address: 'streets.html?houses=300&walk=off',
    isReady: () => (globalThis.streetsProbe?.hidden ?? 0) > 0 && !globalThis.streetsProbe!.isBuilding,
    view: '#observer-view',
    sentence: /^The Mesh "house \d+" is not drawn: (it is behind the Mesh "house \d+"|its bounds are outside)/,
  },
  {
    name: 'Batches',
    address: 'batch.html?count=60&turn=off&movers=off&shadows=off',
    isReady: () => globalThis.batchProbe?.batched === 60 && !globalThis.batchProbe.isBuilding,
    view: '#camera-view',
    sentence: /^The Mesh "house \d+" is drawn by /,
  },
  {
    name: 'Drop-in, whose group is in the scene only while it is drawn',
    address: 'drop-in.html?count=400&path=off&shadows=off&both=off',
    isReady: () => globalThis.demoProbe?.isBuilding === false && globalThis.demoProbe.visible > 0,
    view: '#camera-view',
    sentence: /^The Mesh "\w+" is drawn on its own/,
  },
  {
    name: 'React',
    address: 'react.html?count=100&path=off&octree=on',
    isReady: () => (globalThis.reactProbe?.octreeMoves ?? 0) > 3,
    view: '#camera-view',
    sentence: /^The Mesh "column \d+" is drawn on its own/,
  },
];

describe('Alt and a click', () => {
  it.each(sampleFrom(ROWS, 4))(
    'in $name says why an object is drawn, or not, and selects none',
    async ({ address, isReady, view, sentence }) => {
      const { page, problems } = await openPage(`examples/${address}`, DESKTOP);
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      await page.waitForFunction(isReady);
      expect(await sentenceIn(page, view, sentence)).toMatch(sentence);
      // Only the first click loads what explains.
      expect(loaded.filter((url) => /debug-three|explain/.test(url))).not.toEqual([]);
      const card = page.locator('.explain-card');
      const { x, y, width, height } = (await card.boundingBox())!;
      expect(Math.min(x, y, 900 - x - width, 600 - y - height)).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate(() => globalThis.batchProbe?.selected ?? -1)).toBe(-1);
      await page.keyboard.press('Escape');
      expect(await card.isVisible()).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  it('a long press of a finger does the same', async () => {
    const { page } = await openPage('examples/batch.html?count=60&turn=off&movers=off&shadows=off', {
      ...DESKTOP,
      hasTouch: true,
    });
    await page.waitForFunction(ROWS[1].isReady);
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 450, y: 300 }] });
    await page.locator('.explain-card').waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await page.locator('.explain-card').isVisible()).toBe(true);
    await page.locator('.explain-card button').tap();
    expect(await page.locator('.explain-card').isVisible()).toBe(false);
    await page.locator('.help summary').tap();
    expect(await page.locator('.help').innerText()).toContain('why an object is drawn, or not');
  });
});

/** Clicks at places of a view until a sentence is shown. Returns what was shown last. */
async function sentenceIn(page: Page, view: string, sentence: RegExp): Promise<string> {
  const { x, y, width, height } = (await page.locator(view).boundingBox())!;
  const text = page.locator('.explain-card p');
  for (let k = 0; k < 40; k++) {
    const [right, down] = [0.5 + 0.3 * Math.sin(2.4 * k) * (k / 40), 0.6 + 0.3 * Math.cos(2.4 * k) * (k / 40)];
    await page.keyboard.down('Alt');
    await page.mouse.click(x + width * right, y + height * down);
    await page.keyboard.up('Alt');
    await page.locator('.explain-card').waitFor();
    if (sentence.test(await text.innerText())) break;
  }
  return text.innerText();
}
