import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hideFigures, OF_THE_MACHINE } from '../../scripts/picture-figures.mjs';
import { endPage, untilBuilt, untilFramesPass, usePages } from './support/open-page.ts';
import { drawSlowly } from './support/draw-slowly.ts';
import { doOverlap, type Rectangle } from './support/rectangles.ts';
import { until, untilSaid } from './support/waits.ts';
import { sampleFrom } from '../support/sampled.ts';

const openPage = usePages();

const WIDTH = 'document.documentElement.scrollWidth';

/** Sizes that one page takes in turn. On a phone the panel is closed when the page opens. */
const PHONES: [width: number, height: number][] = [
  [360, 740],
  [390, 844],
];
const DESKTOPS: [width: number, height: number][] = [
  [1280, 720],
  [3840, 2160],
];

const DEVICES = [
  { device: 'a phone', sizes: PHONES },
  { device: 'a desktop', sizes: DESKTOPS },
];

describe.each(DEVICES)('in a window of $device', ({ sizes }) => {
  let page: Page;

  beforeAll(async () => {
    // Few bodies and few pixels: only the layout is tested, and software rendering of the largest window takes long.
    ({ page } = await openPage('examples/fly-through.html?count=50&path=off', {
      viewport: { width: sizes[0][0], height: sizes[0][1] },
      deviceScaleFactor: 0.1,
    }));
    await untilBuilt(page);
  });

  afterAll(() => endPage(page));

  it.each(sampleFrom(sizes, 2, 1))(
    'at %i x %i nothing is wider than the window, and figures, panel and inset do not overlap',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      await untilFramesPass(page, 2);
      expect(await page.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
      const boxes = await Promise.all(
        ['#statistics', '#panel > .lil-gui', '#observer-view'].map((selector) => page.locator(selector).boundingBox()),
      );
      for (const [at, box] of boxes.entries()) {
        expect(box!.x).toBeGreaterThanOrEqual(0);
        expect(box!.x + box!.width).toBeLessThanOrEqual(width);
        expect(box!.y + box!.height).toBeLessThanOrEqual(height);
        for (const other of boxes.slice(at + 1)) expect(doOverlap(box!, other!)).toBe(false);
      }
      const { page: landing } = await openPage('index.html', { viewport: { width, height } });
      await landing.locator('.card').first().waitFor();
      expect(await landing.evaluate<number>(WIDTH)).toBeLessThanOrEqual(width);
      await endPage(landing);
    },
  );
});

/** Pages with figures over a picture. */
const WITH_FIGURES = [
  'bullets.html?rate=60',
  'contacts.html?bodies=1000',
  'drop-in.html?count=50&both=off&shadows=off&path=off',
  'fly-through.html?count=50&path=off',
  'lights.html?cars=0&people=0',
  'line-of-sight.html?pause=on',
  'picking.html?world=city&count=60&hover=off',
  'sensors.html?people=600&pause=on',
  'tiles.html?fly=off',
  'views.html?buildings=1000&pause=on',
];

/** Greatest share of the picture that figures may cover. */
const MAX_SHARE = 1 / 3;

describe('in a window of 640 x 420', () => {
  it.each(sampleFrom(WITH_FIGURES, 5, 0))(
    'the figures of %s cover at most a third of the picture; all fit where they fold',
    async (path) => {
      const { page } = await openPage(`examples/${path}`, {
        viewport: { width: 640, height: 420 },
        deviceScaleFactor: 0.1,
      });
      // The first figures have replaced the dashes.
      await page.waitForFunction(() => /\d/.test(document.querySelector<HTMLElement>('#statistics')!.innerText));
      // At one moment: figures change, and a longer one takes a line more.
      const seen = await page.evaluate(() => {
        const figures = document.querySelector('#statistics')!;
        const more = figures.querySelector<HTMLElement>('.more');
        const look = () => {
          const { width, height, bottom } = figures.getBoundingClientRect();
          const details = Array.from(figures.querySelectorAll('.detail')).filter((detail) => detail.checkVisibility());
          return { width, height, bottom, details: details.length, isExpanded: more?.getAttribute('aria-expanded') };
        };
        const { width, height } = document.querySelector('#camera-view')!.getBoundingClientRect();
        const folded = look();
        // The picking page has none before the first pick.
        if (!more?.checkVisibility()) return { share: (folded.width * folded.height) / (width * height) };
        more.click();
        const open = look();
        more.click();
        return { share: (folded.width * folded.height) / (width * height), folded, open, again: look() };
      });
      expect(seen.share).toBeLessThanOrEqual(MAX_SHARE);
      if (seen.folded !== undefined) {
        expect(seen.folded.details).toBe(0);
        expect(seen.open.details).toBeGreaterThan(0);
        expect(seen.open.bottom).toBeLessThanOrEqual(420);
        expect(seen.open.isExpanded).toBe('true');
        expect(seen.again).toEqual(seen.folded);
      }
      await endPage(page);
    },
  );
});

const SMALL_WINDOWS = [
  { width: 390, height: 844 },
  { width: 640, height: 420 },
];

describe.each(sampleFrom(SMALL_WINDOWS, 2))('in a window of $width x $height', (viewport) => {
  it.each(sampleFrom(WITH_FIGURES, 5, 1))('no figure of %s lies under the button that shows more', async (path) => {
    const { page } = await openPage(`examples/${path}`, {
      viewport,
      deviceScaleFactor: 0.1,
    });
    await page.waitForFunction(() => /\d/.test(document.querySelector<HTMLElement>('#statistics')!.innerText));
    const covered = await page.evaluate(() => {
      const card = document.querySelector('#statistics')!;
      // Five digits, as with the full scene.
      for (const number of card.querySelectorAll('.headline b')) number.textContent = '88,888';
      const more = card.querySelector('.more')?.getBoundingClientRect();
      if (more === undefined || more.width === 0) return [];
      const texts = document.createNodeIterator(card, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const found: string[] = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (text.parentElement!.matches('.more')) continue;
        range.selectNodeContents(text);
        for (const { left, right, top, bottom } of range.getClientRects())
          if (left < more.right && right > more.left && top < more.bottom && bottom > more.top)
            found.push(text.textContent!);
      }
      return found;
    });
    expect(covered).toEqual([]);
    await endPage(page);
  });
});

const TOUCHED = ['contacts.html?bodies=1000', 'sensors.html?people=600&pause=on', 'lights.html?cars=0&people=0'];

describe('on a phone', () => {
  it.each(sampleFrom(TOUCHED, 3))(
    '%s says what a touch does, in text of at least 12 px, and what is touched is at least 44 px high',
    async (path) => {
      const { page } = await openPage(`examples/${path}`, {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 0.1,
        hasTouch: true,
        isMobile: true,
      });
      const hint = await page.locator('.help').getAttribute('data-touch');
      if (!path.includes('pause=on')) await untilSaid(page, hint!);
      await page.locator('.help summary').tap();
      expect(await page.locator('.help dt:visible').allInnerTexts()).not.toContain('P');
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('body *')]
          .filter(
            (one) =>
              one.checkVisibility() &&
              [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== ''),
          )
          .filter((one) => ![0, 12].includes(Math.min(12, parseFloat(getComputedStyle(one).fontSize))))
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      expect(small).toEqual([]);
      const low = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.title > a, summary, #panel .lil-title, #statistics .more')]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      expect(low).toEqual([]);
      await endPage(page);
    },
  );
});

describe('on a phone that draws slowly', () => {
  it.each(sampleFrom(['contacts', 'fly-through', 'drop-in'], 3, 1))(
    'no message of %s covers another, or what is touched',
    async (name) => {
      const { page } = await openPage(
        `examples/${name}.html`,
        { viewport: { width: 390, height: 844 }, deviceScaleFactor: 0.1, hasTouch: true, isMobile: true },
        (page) => page.addInitScript(drawSlowly),
      );
      // Read at once: both messages leave after some seconds.
      const shown = await page.waitForFunction(() => {
        const parts = ['#small-start', '#toast', '.title', '#statistics', '#change', 'footer, #strip', '#touch'];
        const seen = parts.flatMap((selector) => {
          const one = document.querySelector(selector);
          return one?.checkVisibility() ? [{ selector, box: one.getBoundingClientRect().toJSON() as Rectangle }] : [];
        });
        return seen[1]?.selector === '#toast' && seen;
      });
      const boxes = (await shown.jsonValue()) as { selector: string; box: Rectangle }[];
      const overlaps = boxes
        .slice(0, 2)
        .flatMap((message, k) => boxes.slice(k + 1).map((other) => [message, other] as const))
        .filter(([message, other]) => doOverlap(message.box, other.box));
      expect(overlaps.map(([message, other]) => `${message.selector} ${other.selector}`)).toEqual([]);
      await endPage(page);
    },
  );
});

describe('the pictures of the gallery', () => {
  it.each(sampleFrom(WITH_FIGURES, 5, 2))(
    'show no time and no rate of the machine that drew them: %s',
    async (path) => {
      const { page } = await openPage(`examples/${path}`, {
        viewport: { width: 1280, height: 720 },
        deviceScaleFactor: 0.1,
      });
      const shown = () => page.evaluate(() => document.querySelector<HTMLElement>('#statistics')!.innerText);
      const isOfMachine = /\d (ms|µs)|frames \/ s|less (processor )?time/;
      await page.waitForFunction(() => /\d/.test(document.querySelector<HTMLElement>('#statistics')!.innerText));
      // Pages of counts alone have no such figure before the first pick, or behind the button "more".
      if (!/^(picking|bullets)/.test(path)) await until(page, shown, (text) => isOfMachine.test(text));
      await page.evaluate(hideFigures, OF_THE_MACHINE);
      expect(await shown()).not.toMatch(isOfMachine);
      await endPage(page);
    },
  );
});
