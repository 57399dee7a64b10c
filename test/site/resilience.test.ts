import { describe, expect, it } from 'vitest';
import { endPage, litShare, probe, untilBuilt, untilFramesPass, usePages } from './support/open-page.ts';
import { untilSaid } from './support/waits.ts';
import { IS_LONG } from '../support/sampled.ts';

const openPage = usePages();
const SMALL_SCENE = 'examples/fly-through.html?count=1000&path=off';

const itLong = it.runIf(IS_LONG);

describe('fly-through', () => {
  it('draws again after the graphics context was lost and restored', async () => {
    const { page, problems } = await openPage(SMALL_SCENE);
    await untilBuilt(page);
    await untilFramesPass(page, 2);
    const before = await litShare(page, '#camera-view');
    await page.evaluate(() => {
      const context = document.querySelector('canvas')!.getContext('webgl2')!;
      const extension = context.getExtension('WEBGL_lose_context')!;
      extension.loseContext();
      Object.assign(globalThis, { restoreContext: () => extension.restoreContext() });
    });
    await page.waitForFunction(() => document.body.classList.contains('context-lost'));
    expect(await page.locator('#lost').isVisible()).toBe(true);
    await untilFramesPass(page, 2);
    await page.evaluate(() => (globalThis as typeof globalThis & { restoreContext: () => void }).restoreContext());
    await page.waitForFunction(() => !document.body.classList.contains('context-lost'));
    await untilFramesPass(page, 3);
    const after = await litShare(page, '#camera-view');
    expect(before).toBeGreaterThan(0.001);
    expect(after).toBeGreaterThan(before * 0.8);
    expect((await probe(page)).doAgree).toBe(true);
    // Three.js logs both events to the console; any other message is an error of the page.
    expect(problems.filter((text) => !/context (lost|restored)/i.test(text))).toEqual([]);
    await endPage(page);
  });

  it('shows an error message without WebGL 2', async () => {
    const { page, problems } = await openPage(SMALL_SCENE, undefined, (page) =>
      page.addInitScript(() => {
        const original = Reflect.get(HTMLCanvasElement.prototype, 'getContext') as (...args: unknown[]) => unknown;
        Reflect.set(
          HTMLCanvasElement.prototype,
          'getContext',
          function getContext(this: HTMLCanvasElement, ...args: unknown[]) {
            return args[0] === 'webgl2' ? null : Reflect.apply(original, this, args);
          },
        );
      }),
    );
    await page.locator('.missing').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('WebGL 2');
    expect(await page.locator('canvas').count()).toBe(0);
    expect(problems).toEqual([]);
    await endPage(page);
  });

  it('shows an error message when the places do not load', async () => {
    const { page } = await openPage(SMALL_SCENE, undefined, (page) =>
      page.route('**/places-*.bin', (route) => route.fulfill({ status: 404 })),
    );
    await page.locator('.missing').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('places did not load');
    await endPage(page);
  });

  itLong('cancels a build on request and keeps the previous scene', async () => {
    const { page } = await openPage(SMALL_SCENE, { viewport: { width: 1000, height: 640 } });
    await untilBuilt(page);
    // A script in the page clicks the button, because the build may end before a click from the test arrives.
    await page.evaluate(() => {
      const bar = document.querySelector('progress')!;
      new MutationObserver(() => {
        if (bar.value > 0.2) document.querySelector<HTMLButtonElement>('#progress button')!.click();
      }).observe(bar, { attributeFilter: ['value'] });
    });
    await page.locator('#panel select').first().selectOption('generated city');
    await untilSaid(page, 'Stopped');
    await untilFramesPass(page, 2);
    expect(await page.locator('#progress').isVisible()).toBe(false);
    expect((await probe(page)).total).toBe(1000);
    await endPage(page);
  });
});
