// Opens pages of the site in the browser that serve-site.ts started.

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { DemoProbe } from '../../../examples/src/shared/demo-probe.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Everything the page complained about: exceptions, and errors and warnings in the console. */
  readonly problems: string[];
}

const SMALL = { viewport: { width: 480, height: 320 } };

let browser: Browser;

/** Call it once in a test file; the pages that it opens are closed with the file. */
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

/** The same, but a page closes with the test that opened it, also if that fails: one that goes on drawing slows down the others. */
export function useTestPages(): ReturnType<typeof usePages> {
  const openPage = usePages();
  return async (...args) => {
    const opened = await openPage(...args);
    onTestFinished(() => opened.page.close());
    return opened;
  };
}

/** Software rendering tells about its own speed when pixels are read back for a screenshot. */
const isAboutTheDriver = (text: string): boolean => text.includes('GPU stall due to ReadPixels') || text.includes('GL Driver Message');

export const probe = (page: Page): Promise<DemoProbe> => page.evaluate(() => globalThis.demoProbe!);

/** Waits for a built scene, and for figures that were reported after that. */
export async function untilBuilt(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.demoProbe?.isBuilding === false && globalThis.demoProbe.total > 0 && globalThis.demoProbe.doAgree !== null);
}

export async function untilFramesPass(page: Page, frames: number): Promise<void> {
  const last = (await probe(page)).frames + frames;
  await page.waitForFunction((wanted) => globalThis.demoProbe!.frames >= wanted, last);
}

/** Waits until the page has reported its figures anew, twice: the first ones may be from a frame that had begun before. */
export async function untilReportedAgain(page: Page): Promise<void> {
  const last = (await probe(page)).reports + 2;
  await page.waitForFunction((wanted) => globalThis.demoProbe!.reports >= wanted, last);
}

/** The figure on the page as a number. */
export async function figure(page: Page, name: string): Promise<number> {
  return Number((await page.locator(`[data-figure=${name}]`).innerText()).replaceAll(',', ''));
}

/** What lies over the pictures: without it only drawn pixels count. */
const WITHOUT_OVERLAYS = '#statistics, #panel, #touch, #toast, #strip, footer, .title, figcaption { opacity: 0 !important; }';

export interface Picture {
  /** Share of the pixels that have the warm light of bodies, 0 to 1; air, ground and sky are darker or blue. */
  readonly litShare: number;
  /** How many different ones there are. */
  readonly colours: number;
}

export const litShare = async (page: Page, selector: string): Promise<number> => (await pictureOf(page, selector)).litShare;

/** What is drawn in an element's place. */
export async function pictureOf(page: Page, selector: string): Promise<Picture> {
  const picture = await page.locator(selector).screenshot({ style: WITHOUT_OVERLAYS });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!);
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let lit = 0;
    for (let lane = 0; lane < data.length; lane += 4) if (data[lane] > 140 && data[lane] > data[lane + 2] + 40) lit++;
    return { litShare: lit / (data.length / 4), colours: new Set(new Uint32Array(data.buffer)).size };
  }, picture.toString('base64'));
}

/** By how many milliseconds the machine overruns slices of 8 ms in which a page does nothing: on shared cores a task waits for its turn. */
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
