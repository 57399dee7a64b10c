// Opens pages of the site in the browser that serve-site.ts started.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { DemoProbe } from '../../../examples/src/shared/demo-probe.ts';
import { drawOnDemand } from '../../support/draw-on-demand.ts';
import { limitFrames, withoutAntialiasing, withoutEffects } from './cheap-frames.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Uncaught exceptions, and errors and warnings in the console. */
  readonly problems: string[];
}

export const SMALL = { viewport: { width: 480, height: 320 } };
/** For tests that count or compare pixels: all pixels of the window, with antialiasing. Other pages draw a quarter of the pixels, for speed. */
export const ALL_PIXELS = { deviceScaleFactor: 1 };

let browser: Browser;

/**
 * Call it once per test file. The pages are closed at the end of the file. They draw nothing, except for `pictureOf` and `whileDrawing`: all else of a page
 * is as it is with drawing, and software rendering would take most of the time.
 */
export function usePages(): (path: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>) => Promise<OpenedPage> {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserAddress'));
  });
  afterAll(() => browser.close());
  return async (path, options = SMALL, prepare) => {
    const context = await browser.newContext({ deviceScaleFactor: 0.5, ...options });
    for (const prepare of [drawOnDemand, limitFrames, withoutEffects]) await context.addInitScript(prepare);
    if (options.deviceScaleFactor !== ALL_PIXELS.deviceScaleFactor) await context.addInitScript(withoutAntialiasing);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isAboutTheDriver(message.text())) problems.push(message.text());
    });
    await prepare?.(page);
    await page.goto(inject('siteAddress') + path);
    return { page, problems };
  };
}

/** Like `usePages`, but closes a page at the end of its test, even if it fails: a page that goes on drawing slows down the others. */
export function useTestPages(): ReturnType<typeof usePages> {
  const openPage = usePages();
  return async (...args) => {
    const opened = await openPage(...args);
    onTestFinished(() => opened.page.close());
    return opened;
  };
}

/** Software rendering logs warnings about its speed when a screenshot reads pixels back. */
const isAboutTheDriver = (text: string): boolean => text.includes('GPU stall due to ReadPixels') || text.includes('GL Driver Message');

export const probe = (page: Page): Promise<DemoProbe> => page.evaluate(() => globalThis.demoProbe!);

/** Waits for a built scene and its first figures. */
export async function untilBuilt(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.demoProbe?.isBuilding === false && globalThis.demoProbe.total > 0 && globalThis.demoProbe.doAgree !== null);
}

export async function untilFramesPass(page: Page, frames: number): Promise<void> {
  const last = (await probe(page)).frames + frames;
  await page.waitForFunction((wanted) => globalThis.demoProbe!.frames >= wanted, last);
}

/** Waits for two new reports of figures: the first one may be from a frame that began before the call. */
export async function untilReportedAgain(page: Page): Promise<void> {
  const last = (await probe(page)).reports + 2;
  await page.waitForFunction((wanted) => globalThis.demoProbe!.reports >= wanted, last);
}

/** The figure on the page as a number. */
export async function figure(page: Page, name: string): Promise<number> {
  return Number((await page.locator(`[data-figure=${name}]`).innerText()).replaceAll(',', ''));
}

export interface Picture {
  /** Share of the pixels with the warm colour of bodies, 0 to 1; atmosphere, ground and sky are darker or blue. */
  readonly litShare: number;
  /** Number of different colours. */
  readonly colours: number;
  /** Equal for equal pixels. */
  readonly digest: string;
  /** Share of the pixels whose red, green and blue differ by at most 3 from the given colour, 0 to 1. */
  readonly colourShare: number;
}

export const litShare = async (page: Page, selector: string): Promise<number> => (await pictureOf(page, selector)).litShare;

/** Runs an action during which the page draws. Throws if it draws nothing. */
export async function whileDrawing<R>(page: Page, action: () => Promise<R>): Promise<R> {
  await page.evaluate(() => Object.assign(globalThis.drawing!, { isOn: true, calls: 0 }));
  const result = await action();
  const calls = await page.evaluate(() => Object.assign(globalThis.drawing!, { isOn: false }).calls);
  expect(calls).toBeGreaterThan(0);
  return result;
}

/**
 * Statistics of the pixels that the next frame draws at the place of an element, without the HTML over them. Reads the canvas in the frame that drew it,
 * which is cheaper than a screenshot. A page that draws only what has changed draws anew.
 */
export const pictureOf = (page: Page, selector: string, colour: readonly number[] = []): Promise<Picture> => whileDrawing(page, () => readPicture(page, selector, colour));

function readPicture(page: Page, selector: string, colour: readonly number[]): Promise<Picture> {
  return page.evaluate(async ({ at, colour }) => {
    const pixels = await new Promise<ImageData>((resolve, reject) => {
      dispatchEvent(new Event('resize'));
      let frames = 0;
      // The callback of the page was requested in the frame before, so it runs first; the drawn pixels last until the end of the frame. A page that rests
      // after a long frame draws in a later one.
      requestAnimationFrame(function read() {
        if (globalThis.drawing!.calls === 0 && ++frames < 100) return requestAnimationFrame(read);
        const canvas = document.querySelector('canvas')!;
        const { x, y, width, height } = document.querySelector(at)!.getBoundingClientRect();
        const scale = canvas.width / canvas.clientWidth;
        const [columns, rows] = [Math.round(width * scale), Math.round(height * scale)];
        const context = new OffscreenCanvas(columns, rows).getContext('2d', { willReadFrequently: true });
        if (context === null) return reject(new Error('no 2D context'));
        context.drawImage(canvas, Math.round(x * scale), Math.round(y * scale), columns, rows, 0, 0, columns, rows);
        resolve(context.getImageData(0, 0, columns, rows));
      });
    });
    const { data } = pixels;
    let [lit, alike] = [0, 0];
    for (let offset = 0; offset < data.length; offset += 4) {
      lit += Number(data[offset] > 140 && data[offset] > data[offset + 2] + 40);
      alike += Number(colour.every((value, k) => Math.abs(data[offset + k] - value) <= 3));
    }
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return { litShare: lit / (data.length / 4), colourShare: alike / (data.length / 4), colours: new Set(new Uint32Array(data.buffer)).size, digest: digest.join(' ') };
  }, { at: selector, colour });
}

/** Longest overrun, in milliseconds, of busy slices of 8 ms: the delay that shared cores add to any slice of a page. */
export const overrunOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let longest = 0;
    for (let slice = 0; slice < 40; slice++) {
      const start = performance.now();
      while (performance.now() - start < 8);
      longest = Math.max(longest, performance.now() - start - 8);
      await new Promise((resolve) => setTimeout(resolve));
    }
    return longest;
  });
