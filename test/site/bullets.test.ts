import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulletsFigures } from '../../examples/src/bullets/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { endPage, figure, litShare, usePages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';
import { IS_LONG } from '../support/sampled.ts';

const openPage = usePages();

const ADDRESS = 'examples/bullets.html';
/** Large enough for the panel to be open. */
const WITH_PANEL = { viewport: { width: 760, height: 600 } };

const itLong = it.runIf(IS_LONG);

describe('bullets', () => {
  it('fires, hits and moves targets, reports consistent figures, and logs no problems', async () => {
    // Paused: on a busy machine the seconds before the saving is known could be over at the first look.
    const { page, problems } = await openPage(`${ADDRESS}?rate=400&ticks=60&pause=on`);
    await untilReported(page);
    expect(await page.locator('[data-figure=saving]').innerText()).toBe('-');
    await page.keyboard.press('KeyP');
    const report = await until(
      page,
      ({ hits, on, seconds }) => hits > 20 && seconds > 3 && on.totals.nodesReused > 0 && on.totals.nodesExpired > 0,
    );
    expect(report.movingTargets).toBeGreaterThan(5);
    expect(report.alive + report.hits + report.missed).toBe(report.fired);
    expect(report.fired).toBe(Math.floor((report.steps * 400) / 60 + 1e-6));
    expect(report.off.totals.nodesCreated).toBeGreaterThan(report.on.totals.nodesCreated);
    expect(report.off.totals.nodesReused).toBe(0);
    expect(report.on.totals.bodiesOutside).toBe(report.missed);
    expect(report.crossed).toBeGreaterThanOrEqual(report.hits);
    expect(report.cells.used).toBeGreaterThan(10);
    expect(report.cells.countdown).toBeGreaterThan(0);

    // The page shows the values of the probe, or later ones.
    for (const [name, value] of [
      ['hits', report.hits],
      ['crossed', report.crossed],
      ['fired', report.fired],
      ['on-total-nodesCreated', report.on.totals.nodesCreated],
    ] as const) {
      expect(await figure(page, name)).toBeGreaterThanOrEqual(value);
    }
    expect(await page.locator('[data-figure=saving]').innerText()).toMatch(/^\d+(\.\d)?x$/);

    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
    await endPage(page);
  });

  itLong('draws bullets as bright pixels', async () => {
    // Slow, because the first bullet hits half a second after the first shot.
    const { page } = await openPage(`${ADDRESS}?rate=400&cells=off&pause=on&pace=0.3`);
    await untilReported(page);
    const still = await litShare(page, '#camera-view');
    await page.keyboard.press('KeyP');
    await until(page, ({ alive }) => alive > 300);
    await page.keyboard.press('KeyP');
    await untilReported(page);
    expect((await figures(page)).hits).toBe(0);
    expect(await litShare(page, '#camera-view')).toBeGreaterThan(still + 0.0005);
    await endPage(page);
  });
});

describe('the settings', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(`${ADDRESS}?rate=300`, WITH_PANEL));
    await until(page, ({ on }) => on.totals.nodesExpired > 0);
  });

  afterAll(() => endPage(page));

  it('show the cells of the other octree, without countdowns, when lifespans are switched off', async () => {
    expect(await drawnSide(page)).toBe('with');
    await page.keyboard.press('KeyL');
    await until(page, ({ cells: { used, countdown, reused } }) => used > 10 && countdown === 0 && reused === 0);
    await until(page, ({ cells }) => cells.expired > 0);
    expect(await drawnSide(page)).toBe('without');
    await page.keyboard.press('KeyL');
    await until(page, ({ cells }) => cells.countdown > 0);
  });

  itLong('find hits by casts or by overlaps, and tell how many pass through a target', async () => {
    const text = page.locator('.crossings .headline');
    expect(await text.innerText()).toContain('of hits found by casts alone');
    await page.keyboard.press('KeyH');
    await until(page, ({ crossed, overlapped }) => crossed > overlapped && overlapped > 0);
    await untilReported(page);
    expect(await text.innerText()).toMatch(/^\d+(\.\d)? %\s+pass through a target$/);
    await page.keyboard.press('KeyH');
    await untilReported(page);
    expect(await text.innerText()).toContain('of hits found by casts alone');
  });

  itLong('show all cells, only changing cells, or none', async () => {
    await page.keyboard.press('KeyC');
    await until(page, ({ cells }) => cells.used === 0 && cells.countdown > 0);
    await page.keyboard.press('KeyC');
    await until(page, ({ cells }) => Object.values(cells).every((count) => count === 0));
    await page.keyboard.press('KeyC');
    await until(page, ({ cells }) => cells.used > 0);
  });

  it('pause and resume the simulation', async () => {
    await page.keyboard.press('KeyP');
    await untilReported(page);
    const { steps } = await figures(page);
    await untilReported(page);
    expect((await figures(page)).steps).toBe(steps);
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.steps > steps);
  });

  itLong('rebuild the octrees with all bullets when the looseness changes', async () => {
    await until(page, ({ missed, on }) => missed > 0 && on.totals.bodiesOutside === missed);
    await fill(page, 'looseness', 1);
    await until(page, ({ missed, on }) => on.totals.bodiesOutside < missed && on.totals.nodesCreated > 0);
    const after = await figures(page);
    expect(after.alive + after.hits + after.missed).toBe(after.fired);
  });

  itLong('stop the fire at a rate of 0', async () => {
    await fill(page, 'bullets', 0);
    await until(page, ({ alive }) => alive === 0);
    const { fired, hits, missed } = await figures(page);
    expect(hits + missed).toBe(fired);
  });
});

describe('the gun', () => {
  it('follows the pointer and the arrow keys; a drag turns the camera and keeps the aim', async () => {
    const { page } = await openPage(`${ADDRESS}?rate=60&patrol=off&cells=off`);
    await untilReported(page);
    const { camera } = await figures(page);
    await page.mouse.move(200, 240);
    await aimChanges(page, async () => page.mouse.move(280, 200));
    await aimChanges(page, async () => page.keyboard.press('ArrowLeft', { delay: 300 }));
    // OrbitControls computes the position anew in each frame, which changes the last bits.
    expect((await figures(page)).camera).toEqual(camera.map((value) => expect.closeTo(value, 9) as number));

    await untilReported(page);
    const { aim } = await figures(page);
    await page.mouse.down();
    await page.mouse.move(320, 210, { steps: 4 });
    await until(page, (now) => Math.abs(now.camera[0] - camera[0]) > 5);
    expect((await figures(page)).aim).toEqual(aim);
    await page.mouse.up();
    const far = await distance(page);
    await page.mouse.wheel(0, -600);
    await until(page, ({ camera }) => Math.hypot(...camera) < far * 0.95);
    const near = await distance(page);
    await page.keyboard.down('KeyS');
    await until(page, ({ camera }) => Math.hypot(...camera) > near * 1.05);
    await page.keyboard.up('KeyS');
    await endPage(page);
  });

  itLong('follows a finger on a phone', async () => {
    const { page } = await openPage(`${ADDRESS}?rate=60&patrol=off&cells=off`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await untilReported(page);
    await aimChanges(page, async () => page.touchscreen.tap(120, 420));
    await aimChanges(page, async () => page.touchscreen.tap(260, 520));
    await endPage(page);
  });
});

describe.each([
  [
    'small windows',
    [
      [360, 740],
      [390, 844],
      [844, 390],
    ],
  ],
  [
    'large windows',
    [
      [1280, 720],
      [3840, 2160],
    ],
  ],
] as const)('in %s', (_name, sizes) => {
  it('nothing is wider than the window, and title, figures, panel and legend do not overlap', async () => {
    const { page } = await openPage(`${ADDRESS}?rate=0&cells=off`, {
      viewport: { width: sizes[0][0], height: sizes[0][1] },
    });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await untilReported(page);
      await expectTidyLayout(page, width, height);
      expect(await page.locator('#statistics').evaluate((card) => card.scrollWidth - card.clientWidth)).toBe(0);
    }
    await endPage(page);
  });
});

describe('in other environments', () => {
  itLong('draws again after the graphics context was lost and restored', async () => {
    const { page, problems } = await openPage(`${ADDRESS}?rate=300`);
    await until(page, ({ hits }) => hits > 0);
    await page.evaluate(() => {
      const extension = document.querySelector('canvas')!.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
      extension.loseContext();
      Object.assign(globalThis, { restoreContext: () => extension.restoreContext() });
    });
    await page.waitForFunction(() => document.body.classList.contains('context-lost'));
    expect(await page.locator('#lost').isVisible()).toBe(true);
    await page.evaluate(() => (globalThis as typeof globalThis & { restoreContext: () => void }).restoreContext());
    await page.waitForFunction(() => !document.body.classList.contains('context-lost'));
    await untilReported(page);
    expect(await litShare(page, '#camera-view')).toBeGreaterThan(0.002);
    // Three.js logs both events to the console, and deletes objects of the lost context; any other message is an error
    // of the page.
    expect(problems.filter((text) => !/context (lost|restored)|does not belong to this context/i.test(text))).toEqual(
      [],
    );
    await endPage(page);
  });

  it('shows an error message without WebGL 2', async () => {
    const { page, problems } = await openPage(ADDRESS, undefined, (page) =>
      page.addInitScript(() => {
        Reflect.set(HTMLCanvasElement.prototype, 'getContext', () => null);
      }),
    );
    await page.locator('.missing').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('WebGL 2');
    expect(problems).toEqual([]);
    await endPage(page);
  });

  it('starts paused with reduced motion', async () => {
    const { page } = await openPage(`${ADDRESS}?rate=60`, {
      viewport: { width: 480, height: 320 },
      reducedMotion: 'reduce',
    });
    await untilReported(page);
    expect((await figures(page)).steps).toBe(0);
    expect(await page.locator('#toast').innerText()).toContain('Press P');
    await page.keyboard.press('KeyP');
    await until(page, ({ steps }) => steps > 0);
    await endPage(page);
  });
});

const figures = (page: Page): Promise<BulletsFigures> => page.evaluate(() => globalThis.bulletsProbe!.figures!);

/** Waits until a condition holds for the figures of the page. */
const until = (page: Page, holds: (figures: BulletsFigures) => boolean): Promise<BulletsFigures> =>
  untilRead(page, () => page.evaluate(() => globalThis.bulletsProbe?.figures), holds);

/** Waits for two new reports of figures: the first one may be from a frame that began before the call. */
async function untilReported(page: Page): Promise<void> {
  const last = await page.evaluate(() => globalThis.bulletsProbe?.reports ?? 0);
  await page.waitForFunction((wanted) => (globalThis.bulletsProbe?.reports ?? 0) >= wanted, last + 2);
}

/** Runs an action and waits until the aim of the gun has changed. */
async function aimChanges(page: Page, act: () => Promise<void>): Promise<void> {
  await untilReported(page);
  const { aim } = await figures(page);
  await act();
  await until(page, (now) => Math.abs(now.aim[0] - aim[0]) + Math.abs(now.aim[1] - aim[1]) > 2);
}

const distance = async (page: Page): Promise<number> => Math.hypot(...(await figures(page)).camera);

/** The label of the octree whose cells are drawn. */
const drawnSide = async (page: Page): Promise<string> => {
  await untilReported(page);
  return page.locator('.story:not(.crossings) .is-drawing').innerText();
};

async function fill(page: Page, name: string, value: number): Promise<void> {
  const field = page.locator('.lil-controller', { hasText: name }).locator('input');
  await field.fill(String(value));
  await field.press('Enter');
  await page.locator('#camera-view').focus();
  await untilReported(page);
}
