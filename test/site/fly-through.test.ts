import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoProbe } from '../../examples/src/shared/demo-probe.ts';
import { figure, litShare, pictureOf, probe, untilBuilt, untilReportedAgain, usePages } from './support/open-page.ts';

const openPage = usePages();

/** Large enough for the panel to be open. */
const WITH_PANEL = { viewport: { width: 760, height: 580 } };

describe.each([
  ['cities', 'examples/fly-through.html?data=cities&count=2000&path=off'],
  ['city', 'examples/fly-through.html?data=city&count=2000&far=3000&path=off'],
])('fly-through of the %s', (_name, address) => {
  it('draws both views, tells figures that add up, equal to brute force, and complains about nothing', async () => {
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
    // Five faces of two triangles a pillar; the rest is ground, air and frustum.
    expect(report.triangles).toBeGreaterThan(report.visible * 10);

    expect(await figure(page, 'visible') + await figure(page, 'culled')).toBe(await figure(page, 'total'));
    expect(await page.locator('[data-figure=agreement]').innerText()).toContain('equal');

    const [seen, observed] = [await litShare(page, '#camera-view'), await litShare(page, '#observer-view')];
    await page.close();
    // The same place with a single body: ground, air and frustum light up as much as before.
    const { page: empty } = await openPage(address.replace('count=2000', 'count=1'));
    await untilBuilt(empty);
    expect(seen).toBeGreaterThan(await litShare(empty, '#camera-view') + 0.002);
    expect(observed).toBeGreaterThan(await litShare(empty, '#observer-view') + 0.002);
    expect(problems).toEqual([]);
    await empty.close();
  });
});

describe('flying', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage('examples/fly-through.html?count=1000&path=off', WITH_PANEL));
    await untilBuilt(page);
  });

  afterAll(() => page.close());

  it('draws ten triangles a visible body, and fewer when the far plane comes closer', async () => {
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
    expect(altitude(await probe(page))).toBeGreaterThan(Math.sqrt(turning.reduce((sum, value) => sum + value * value, 0)));
  });

  it('looks elsewhere when dragged', async () => {
    const { visible } = await probe(page);
    await page.mouse.move(300, 420);
    await page.mouse.down();
    await page.mouse.move(420, 440, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((before) => globalThis.demoProbe!.visible !== before, visible);
  });

  it('stands still while a field of the panel has the keys', async () => {
    await untilAtRest(page);
    await page.locator('#panel input[type=text], #panel input[type=number]').first().focus();
    const resting = (await probe(page)).camera;
    await page.keyboard.press('KeyW', { delay: 300 });
    await untilReportedAgain(page);
    expect((await probe(page)).camera).toEqual(resting);
    await page.locator('#camera-view').focus();
  });

  it('keeps the visible bodies of a frozen cull while the camera flies on', async () => {
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

  it('flies by itself on request, until somebody steers', async () => {
    await untilAtRest(page);
    const start = (await probe(page)).camera;
    await page.keyboard.press('KeyP');
    await hasMoved(page, start, 1);
    await page.keyboard.press('KeyA', { delay: 400 });
    await untilAtRest(page);
  });
});

describe('the whole world', () => {
  it('is shown from far away with every cell of the octree, beside what the camera sees', async () => {
    const { page, problems } = await openPage('examples/fly-through.html?count=2000&far=1500&path=off', { viewport: { width: 760, height: 580 }, reducedMotion: 'reduce' });
    await untilBuilt(page);
    await untilReportedAgain(page);
    const inFlight = await probe(page);
    expect([inFlight.wholeCells, await page.locator('#observer-view strong:visible').innerText()]).toEqual([0, 'Observer']);
    await page.locator('#whole').click();
    await untilReportedAgain(page);
    const report = await probe(page);
    expect(report.wholeCells).toBe(report.nodes);
    expect([report.camera, report.doAgree]).toEqual([inFlight.camera, true]);
    const picture = await pictureOf(page, '#camera-view');
    expect(picture.litShare).toBeGreaterThan(0.007);
    // Many faint lines over each other make twice the colours that the globe has without them.
    expect(picture.colours).toBeGreaterThan(18_000);
    expect(await page.locator('#whole').getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('#observer-view strong:visible').innerText()).toBe('Camera');

    // A drag turns the world, not the flyer.
    const before = await page.locator('#camera-view').screenshot();
    await page.mouse.move(300, 420);
    await page.mouse.down();
    await page.mouse.move(420, 440, { steps: 3 });
    await page.mouse.up();
    await untilReportedAgain(page);
    expect((await page.locator('#camera-view').screenshot()).equals(before)).toBe(false);
    expect((await probe(page)).visible).toBe(report.visible);

    await page.locator('#camera-view').focus();
    await page.keyboard.press('KeyV');
    await untilReportedAgain(page);
    expect((await probe(page)).wholeCells).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});

describe('on a phone', () => {
  it('the stick and the buttons on the screen move the camera', async () => {
    const { page } = await openPage('examples/fly-through.html?count=100&path=off', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await untilBuilt(page);
    for (const [selector, dx, dy] of [['.rise', 0, 0], ['.stick', 0, -30]] as const) {
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
    await page.close();
  });
});

describe('where motion is not wanted', () => {
  it('the automatic path does not start by itself', async () => {
    const { page } = await openPage('examples/fly-through.html?count=1000', { viewport: { width: 480, height: 320 }, reducedMotion: 'reduce' });
    await untilBuilt(page);
    const still = (await probe(page)).camera;
    await untilReportedAgain(page);
    await untilReportedAgain(page);
    expect((await probe(page)).camera).toEqual(still);
    await page.close();
  });
});

const altitude = ({ camera: [x, y, z] }: DemoProbe): number => Math.sqrt(x * x + y * y + z * z);

/** Waits until the camera is further than `least` from the start along an axis. */
const hasMoved = (page: Page, start: DemoProbe['camera'], least: number) =>
  page.waitForFunction(([from, far]) => globalThis.demoProbe!.camera.some((value, axis) => Math.abs(value - from[axis]) > far), [start, least] as const);

/** Sets the far plane in the panel. */
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
  for (let before = '', now = ' '; before !== now; ) {
    before = now;
    await untilReportedAgain(page);
    now = (await probe(page)).camera.join();
  }
}
