import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoProbe } from '../../examples/src/shared/demo-probe.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import {
  ALL_PIXELS,
  endPage,
  figure,
  litShare,
  pictureOf,
  probe,
  untilBuilt,
  untilReportedAgain,
  usePages,
} from './support/open-page.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = usePages();

/** Large enough for the panel to be open. */
const WITH_PANEL = { viewport: { width: 760, height: 580 } };

const WORLDS = [
  ['cities', 'examples/fly-through.html?data=cities&count=2000&path=off'],
  ['city', 'examples/fly-through.html?data=city&count=2000&far=3000&path=off'],
];

const itLong = it.runIf(IS_LONG);

describe.each(sampleFrom(WORLDS, 2))('fly-through of the %s', (_name, address) => {
  it('draws both views, reports consistent figures that equal brute force, and logs no problems', async () => {
    const { page, problems } = await openPage(address);
    await untilBuilt(page);
    await untilReportedAgain(page);

    const report = await probe(page);
    expect(report.total).toBe(2000);
    expect(report.visible).toBeGreaterThan(20);
    expect(report.visible).toBeLessThan(2000);
    expect(report.visible + report.culled).toBe(report.total);
    expect(report.doAgree).toBe(true);
    expect(report.nodesVisited).toBeGreaterThan(0);
    expect(report.nodesVisited).toBeLessThanOrEqual(report.nodes);
    expect(report.nodesContained).toBeLessThanOrEqual(report.nodes);
    expect(report.tested).toBeLessThanOrEqual(report.total);
    expect(report.cells).toBeGreaterThan(0);
    expect(report.drawCalls).toBeGreaterThan(4);
    // A pillar has five faces of two triangles; the rest is ground, atmosphere and frustum.
    expect(report.triangles).toBeGreaterThan(report.visible * 10);

    expect((await figure(page, 'visible')) + (await figure(page, 'culled'))).toBe(await figure(page, 'total'));
    expect(await page.locator('[data-figure=agreement]').innerText()).toContain('equal');

    const [seen, observed] = [await litShare(page, '#camera-view'), await litShare(page, '#observer-view')];
    expect(await problemsOfAxe(page)).toEqual([]);
    await endPage(page);
    // The same view with a single body: ground, atmosphere and frustum have the same bright pixels.
    const { page: empty } = await openPage(address.replace('count=2000', 'count=1'));
    await untilBuilt(empty);
    expect(seen).toBeGreaterThan((await litShare(empty, '#camera-view')) + 0.002);
    expect(observed).toBeGreaterThan((await litShare(empty, '#observer-view')) + 0.002);
    expect(problems).toEqual([]);
    await endPage(empty);
  });
});

describe('flying', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage('examples/fly-through.html?count=1000&path=off', WITH_PANEL));
    await untilBuilt(page);
  });

  afterAll(() => endPage(page));

  it('draws ten triangles per visible body, and fewer bodies with a nearer far plane', async () => {
    await page.keyboard.press('KeyO');
    const [far, near] = [await seenUpTo(page, 6000), await seenUpTo(page, 500)];
    expect(far.visible).toBeGreaterThan(near.visible);
    expect(far.triangles - near.triangles).toBe((far.visible - near.visible) * 10);
    await seenUpTo(page, 3000);
    await page.keyboard.press('KeyO');
  });

  it('moves the camera while a key is down', async () => {
    const start = (await probe(page)).camera;
    await page.keyboard.down('KeyW');
    await hasMoved(page, start, 20);
    await page.keyboard.up('KeyW');
    const turning = (await probe(page)).camera;
    await page.keyboard.down('KeyE');
    await hasMoved(page, turning, 20);
    await page.keyboard.up('KeyE');
    expect(altitude(await probe(page))).toBeGreaterThan(
      Math.sqrt(turning.reduce((sum, value) => sum + value * value, 0)),
    );
  });

  itLong('turns the view by a drag', async () => {
    const { visible } = await probe(page);
    await page.mouse.move(300, 420);
    await page.mouse.down();
    await page.mouse.move(420, 440, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((before) => globalThis.demoProbe!.visible !== before, visible);
  });

  it('does not move while a field of the panel has the focus', async () => {
    await untilAtRest(page);
    await page.locator('#panel input[type=text], #panel input[type=number]').first().focus();
    const resting = (await probe(page)).camera;
    await page.keyboard.press('KeyW', { delay: 300 });
    await untilReportedAgain(page);
    expect((await probe(page)).camera).toEqual(resting);
    await page.locator('#camera-view').focus();
  });

  itLong('keeps the visible bodies of a frozen cull while the camera moves', async () => {
    await page.keyboard.press('KeyC');
    await untilReportedAgain(page);
    const before = await probe(page);
    await page.keyboard.down('KeyS');
    await hasMoved(page, before.camera, 20);
    await page.keyboard.up('KeyS');
    await untilReportedAgain(page);
    expect((await probe(page)).visible).toBe(before.visible);
    await page.keyboard.press('KeyC');
  });

  itLong('follows the automatic path on request, until the user steers', async () => {
    await untilAtRest(page);
    const start = (await probe(page)).camera;
    await page.keyboard.press('KeyP');
    await hasMoved(page, start, 1);
    await page.keyboard.press('KeyA', { delay: 400 });
    await untilAtRest(page);
  });
});

describe('the view of the whole world', () => {
  it('shows every cell of the octree, and the view of the camera in the inset', async () => {
    const { page, problems } = await openPage('examples/fly-through.html?count=2000&far=1500&path=off', {
      viewport: { width: 760, height: 580 },
      reducedMotion: 'reduce',
      ...ALL_PIXELS,
    });
    await untilBuilt(page);
    await untilReportedAgain(page);
    const inFlight = await probe(page);
    expect([inFlight.wholeCells, await page.locator('#observer-view strong:visible').innerText()]).toEqual([
      0,
      'Observer',
    ]);
    await page.locator('#whole').click();
    await untilReportedAgain(page);
    const report = await probe(page);
    expect(report.wholeCells).toBe(report.nodes);
    expect([report.camera, report.doAgree]).toEqual([inFlight.camera, true]);
    const picture = await pictureOf(page, '#camera-view');
    expect(picture.litShare).toBeGreaterThan(0.007);
    // The many overlapping faint lines double the number of colours.
    expect(picture.colours).toBeGreaterThan(18_000);
    expect(await page.locator('#whole').getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('#observer-view strong:visible').innerText()).toBe('Camera');

    // A drag turns the overview, not the flyer.
    const before = await pictureOf(page, '#camera-view');
    await page.mouse.move(300, 420);
    await page.mouse.down();
    await page.mouse.move(420, 440, { steps: 3 });
    await page.mouse.up();
    await untilReportedAgain(page);
    expect((await pictureOf(page, '#camera-view')).digest).not.toBe(before.digest);
    expect((await probe(page)).visible).toBe(report.visible);

    await page.locator('#camera-view').focus();
    await page.keyboard.press('KeyV');
    await untilReportedAgain(page);
    expect((await probe(page)).wholeCells).toBe(0);
    expect(problems).toEqual([]);
    await endPage(page);
  });
});

describe('on a phone', () => {
  itLong('the on-screen stick and buttons move the camera', async () => {
    const { page } = await openPage('examples/fly-through.html?count=100&path=off', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await untilBuilt(page);
    for (const [selector, dx, dy] of [
      ['.rise', 0, 0],
      ['.stick', 0, -30],
    ] as const) {
      await untilAtRest(page);
      const start = (await probe(page)).camera;
      const box = (await page.locator(selector).boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + dx, y + dy);
      await hasMoved(page, start, 20);
      await page.mouse.up();
    }
    await untilAtRest(page);
    await endPage(page);
  });
});

describe('with reduced motion', () => {
  itLong('the automatic path does not start', async () => {
    const { page } = await openPage('examples/fly-through.html?count=1000', {
      viewport: { width: 480, height: 320 },
      reducedMotion: 'reduce',
    });
    await untilBuilt(page);
    const still = (await probe(page)).camera;
    await untilReportedAgain(page);
    await untilReportedAgain(page);
    expect((await probe(page)).camera).toEqual(still);
    await endPage(page);
  });
});

const altitude = ({ camera: [x, y, z] }: DemoProbe): number => Math.sqrt(x * x + y * y + z * z);

/** Waits until the camera is further than `distance` from the start along an axis. */
const hasMoved = (page: Page, start: DemoProbe['camera'], distance: number) =>
  page.waitForFunction(
    ([from, far]) => globalThis.demoProbe!.camera.some((value, axis) => Math.abs(value - from[axis]) > far),
    [start, distance] as const,
  );

/** Sets the far plane in the panel and returns the next figures. */
async function seenUpTo(page: Page, far: number): Promise<DemoProbe> {
  const field = page.locator('.lil-controller', { hasText: 'far plane' }).locator('input');
  await field.fill(String(far));
  await field.press('Enter');
  await page.locator('#camera-view').focus();
  await untilReportedAgain(page);
  return probe(page);
}

/** Waits until two readings of the camera are equal. */
async function untilAtRest(page: Page): Promise<void> {
  for (let before = '', now = ' '; before !== now;) {
    before = now;
    await untilReportedAgain(page);
    now = (await probe(page)).camera.join();
  }
}
