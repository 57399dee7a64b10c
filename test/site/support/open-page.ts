// Opens pages of the site in the browser that serve-site.ts started.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { DemoProbe } from '../../../examples/src/shared/demo-probe.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Uncaught exceptions, and errors and warnings in the console. */
  readonly problems: string[];
}

const SMALL = { viewport: { width: 480, height: 320 } };

let browser: Browser;

/** Call it once per test file. The pages are closed at the end of the file. */
export function usePages(): (path: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>) => Promise<OpenedPage> {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browserAddress'));
  });
  afterAll(() => browser.close());
  return async (path, options = SMALL, prepare) => {
    const context = await browser.newContext(options);
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

/** Hides the HTML over the canvas, so that only drawn pixels count. */
const WITHOUT_OVERLAYS = '#statistics, #panel, #touch, #toast, #strip, footer, .title, figcaption { opacity: 0 !important; }';

export interface Picture {
  /** Share of the pixels with the warm colour of bodies, 0 to 1; atmosphere, ground and sky are darker or blue. */
  readonly litShare: number;
  /** Number of different colours. */
  readonly colours: number;
}

export const litShare = async (page: Page, selector: string): Promise<number> => (await pictureOf(page, selector)).litShare;

/** Statistics of the pixels drawn at the place of an element. */
export async function pictureOf(page: Page, selector: string): Promise<Picture> {
  const picture = await page.locator(selector).screenshot({ style: WITHOUT_OVERLAYS });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let lit = 0;
    for (let offset = 0; offset < data.length; offset += 4) if (data[offset] > 140 && data[offset] > data[offset + 2] + 40) lit++;
    return { litShare: lit / (data.length / 4), colours: new Set(new Uint32Array(data.buffer)).size };
  }, picture.toString('base64'));
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
