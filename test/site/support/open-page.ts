// Opens pages of the site in the browser that serve-site.ts started.

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright';
import { afterAll, afterEach, expect, inject, onTestFinished, type TestContext } from 'vitest';
import type { DemoProbe } from '../../../examples/src/shared/demo-probe.ts';
import { drawOnDemand } from '../../support/draw-on-demand.ts';
import { limitFrames, withoutAntialiasing, withoutEffects } from './cheap-frames.ts';
import { EMPTY_PAGE } from './site-files.ts';
import { describePage, PATIENCE_MS, until } from './waits.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Uncaught exceptions, and errors and warnings in the console. */
  readonly problems: string[];
}

export const SMALL = { viewport: { width: 480, height: 320 } };
/**
 * For tests that count or compare pixels: all pixels of the window, with antialiasing. Other pages draw a quarter of
 * the pixels, for speed.
 */
export const ALL_PIXELS = { deviceScaleFactor: 1 };
/** Time between two reports of figures. */
const REPORT_MS = 250;

let browser: Promise<Browser> | undefined;
const connect = (): Promise<Browser> => (browser ??= chromium.connect(inject('browserAddress')));

/** Prepares a context. @param stepMs See `limitFrames`. */
async function createContext(options: BrowserContextOptions, stepMs: number): Promise<BrowserContext> {
  const context = await (await connect()).newContext({ deviceScaleFactor: 0.5, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  for (const prepare of [drawOnDemand, withoutEffects]) await context.addInitScript(prepare);
  await context.addInitScript(limitFrames, stepMs);
  if (options.deviceScaleFactor !== ALL_PIXELS.deviceScaleFactor) await context.addInitScript(withoutAntialiasing);
  return context;
}

/**
 * A context for many pages, of all files of this process. They share the cache of files and of compiled scripts. They
 * share no state, because the pages of the site store nothing.
 */
interface Shared {
  readonly context: Promise<BrowserContext>;
  readonly inUse: Set<Page>;
  /**
   * Pages that have ended. A page that is opened in one of them needs no new process, and compiles no script again:
   * half of the CPU time of opening a page.
   */
  readonly ended: Page[];
}

const sharedContexts = new Map<string, Shared>();
/** The contexts to which pages return. */
const owners = new WeakMap<Page, Shared>();

/** A page with these options and nothing in it. What is set for a page alone is no reason for another context. */
async function takePage(
  { viewport, reducedMotion, colorScheme, ...options }: BrowserContextOptions,
  isPrepared: boolean,
): Promise<Page> {
  const key = JSON.stringify(options);
  let shared = sharedContexts.get(key);
  if (shared === undefined)
    sharedContexts.set(key, (shared = { context: createContext(options, REPORT_MS), inUse: new Set(), ended: [] }));
  const page = (isPrepared ? undefined : shared.ended.pop()) ?? (await (await shared.context).newPage());
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ reducedMotion: reducedMotion ?? 'no-preference', colorScheme: colorScheme ?? 'light' });
  // Touches and what `prepare` does to a page cannot be undone.
  if (isPrepared || options.hasTouch) return page;
  owners.set(page, shared);
  shared.inUse.add(page);
  return page;
}

/** Ends a page, or closes it if it cannot be used again. Nothing goes on in it. */
export async function endPage(page: Page): Promise<void> {
  const shared = owners.get(page);
  if (shared === undefined) return page.close();
  if (!shared.inUse.delete(page)) return;
  for (const event of ['pageerror', 'console', 'request']) page.removeAllListeners(event);
  await page.goto(`${inject('siteAddress')}${EMPTY_PAGE}`);
  shared.ended.push(page);
}

type OpenPage = (
  path: string,
  options?: BrowserContextOptions,
  prepare?: (page: Page) => Promise<unknown>,
) => Promise<OpenedPage>;

/**
 * Opens pages that draw nothing, except for `pictureOf` and `whileDrawing`: all else of a page is as it is with
 * drawing, and software rendering would take most of the time.
 */
async function open(page: Page, path: string, prepare?: (page: Page) => Promise<unknown>): Promise<OpenedPage> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isAboutTheDriver(message.text()))
      problems.push(message.text());
  });
  await prepare?.(page);
  await page.goto(inject('siteAddress') + path);
  return { page, problems };
}

/** Opens pages that last until `endPage`, or until the end of the file. */
export function usePages(): OpenPage {
  const pages: Page[] = [];
  let areReusable = true;
  afterEach(async (context) => {
    if (!hasFailed(context)) return;
    areReusable = false;
    for (const page of pages) await describeIn(context, page);
  });
  afterAll(() => Promise.all(pages.map(areReusable ? endPage : closePage)));
  return async (path, options = SMALL, prepare) => {
    const page = await takePage(options, prepare !== undefined);
    pages.push(page);
    return open(page, path, prepare);
  };
}

/**
 * One page for the tests of a block, which is opened by the first of them. A test that fails leaves it as it is, maybe
 * with keys down: the next one gets another.
 */
export function useSharedPage(...values: Parameters<OpenPage>): () => Promise<OpenedPage> {
  const openPage = usePages();
  let shared: Promise<OpenedPage> | undefined;
  afterEach((context) => {
    if (hasFailed(context)) shared = undefined;
  });
  return () => (shared ??= openPage(...values));
}

/** Opens pages that end with their test, even if it fails: a page that goes on slows down the others. */
export const useTestPages =
  (): OpenPage =>
  async (path, options = SMALL, prepare) => {
    const page = await takePage(options, prepare !== undefined);
    onTestFinished(async (context) => {
      if (!hasFailed(context)) return endPage(page);
      await describeIn(context, page);
      await closePage(page);
    });
    return open(page, path, prepare);
  };

const hasFailed = ({ task }: TestContext): boolean => task.result?.state === 'fail';

/** Adds what a page shows to the error of a test. */
async function describeIn({ task }: TestContext, page: Page): Promise<void> {
  const error = task.result?.errors?.at(-1);
  if (error === undefined || page.isClosed()) return;
  error.message += `\nThe page shows ${await describePage(page)}`;
  // Vitest prints no error of a test that passes at its second attempt.
  console.error(`${task.name}: ${error.message}`);
}

/**
 * Ends a page that was in a test that failed. It is not used again: keys and buttons that the test has pressed are
 * still held, and a test that has timed out goes on with its page.
 */
async function closePage(page: Page): Promise<void> {
  owners.get(page)?.inUse.delete(page);
  await page.close();
}

/**
 * For tests that measure times: opens pages that know no script and no file from before, in true time, and closes them
 * at the end of their test.
 */
export const useTimedPages =
  (): OpenPage =>
  async (path, options = SMALL, prepare) => {
    const context = await createContext(options, 0);
    onTestFinished(() => context.close());
    return open(await context.newPage(), path, prepare);
  };

/** Software rendering logs warnings about its speed when a screenshot reads pixels back. */
const isAboutTheDriver = (text: string): boolean =>
  text.includes('GPU stall due to ReadPixels') || text.includes('GL Driver Message');

export const probe = (page: Page): Promise<DemoProbe> => page.evaluate(() => globalThis.demoProbe!);

/** Waits for a built scene and its first figures. */
export async function untilBuilt(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      globalThis.demoProbe?.isBuilding === false &&
      globalThis.demoProbe.total > 0 &&
      globalThis.demoProbe.doAgree !== null,
  );
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

export const litShare = async (page: Page, selector: string): Promise<number> =>
  (await pictureOf(page, selector)).litShare;

/** Runs an action during which the page draws. Throws if it draws nothing. */
export async function whileDrawing<R>(page: Page, action: () => Promise<R>): Promise<R> {
  await page.evaluate(() => Object.assign(globalThis.drawing!, { isOn: true, calls: 0 }));
  const result = await action();
  const calls = await page.evaluate(() => Object.assign(globalThis.drawing!, { isOn: false }).calls);
  expect(calls).toBeGreaterThan(0);
  return result;
}

/**
 * Statistics of the pixels that the next frame draws at the place of an element, without the HTML over them. Reads the
 * canvas in the frame that drew it, which is cheaper than a screenshot. A page that draws only what has changed draws
 * anew.
 */
export const pictureOf = (page: Page, selector: string, colour: readonly number[] = []): Promise<Picture> =>
  whileDrawing(page, () => readPicture(page, selector, colour));

/**
 * Waits for a picture of which a condition holds. Of a page that builds in slices, or whose figures come before its
 * frame, the first picture may be one of what was there before.
 */
export const untilPicture = (page: Page, selector: string, holds: (picture: Picture) => boolean): Promise<Picture> =>
  until(page, () => pictureOf(page, selector), holds);

function readPicture(page: Page, selector: string, colour: readonly number[]): Promise<Picture> {
  return page.evaluate(
    async ({ at, colour }) => {
      const pixels = await new Promise<ImageData>((resolve, reject) => {
        dispatchEvent(new Event('resize'));
        let frames = 0;
        // The callback of the page was requested in the frame before, so it runs first; the drawn pixels last until the
        // end of the frame. A page that rests after a long frame draws in a later one.
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
      return {
        litShare: lit / (data.length / 4),
        colourShare: alike / (data.length / 4),
        colours: new Set(new Uint32Array(data.buffer)).size,
        digest: digest.join(' '),
      };
    },
    { at: selector, colour },
  );
}
