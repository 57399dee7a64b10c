import { describe, expect, it } from 'vitest';
import { figure, litShare, probe, untilBuilt, untilFramesPass, usePages } from './support/open-page.ts';

const openPage = usePages();

/** The page without what lies over its pictures, so that only drawn pixels count. */
const HIDE_OVERLAYS = '#statistics, #panel, #touch, footer, .title, figcaption { visibility: hidden !important; }';

describe.each([
  ['cities', 'examples/fly-through.html?data=cities&count=2000&path=off'],
  ['city', 'examples/fly-through.html?data=city&count=2000&far=3000&path=off'],
])('fly-through of the %s', (_name, address) => {
  it('draws both views, tells figures that add up, equal to brute force, and complains about nothing', async () => {
    const { page, complaints } = await openPage(address);
    await untilBuilt(page);
    await untilFramesPass(page, 3);

    const told = await probe(page);
    expect(told.total).toBe(2000);
    expect(told.visible).toBeGreaterThan(20);
    expect(told.visible).toBeLessThan(2000);
    expect(told.visible + told.culled).toBe(told.total);
    expect(told.doAgree).toBe(true);
    expect(told.nodesVisited).toBeLessThanOrEqual(told.nodes);
    expect(told.nodesWhole).toBeLessThanOrEqual(told.nodesVisited);
    expect(told.tested).toBeLessThanOrEqual(told.total);
    expect(told.cells).toBeGreaterThan(0);
    expect(told.drawCalls).toBeGreaterThan(4);
    // Five faces of two triangles a pillar; the rest is ground, air and frustum.
    expect(told.triangles).toBeGreaterThan(told.visible * 10);

    expect(await figure(page, 'visible') + await figure(page, 'culled')).toBe(await figure(page, 'total'));
    expect(await page.locator('[data-figure=agreement]').innerText()).toContain('equal');

    await page.addStyleTag({ content: HIDE_OVERLAYS });
    expect(await litShare(page, '#camera-view')).toBeGreaterThan(0.002);
    expect(await litShare(page, '#observer-view')).toBeGreaterThan(0.002);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe('fly-through', () => {
  it('draws no more triangles than the visible bodies need when the far plane comes closer', async () => {
    const { page } = await openPage('examples/fly-through.html?count=2000&path=off&observer=off&far=500');
    await untilBuilt(page);
    await untilFramesPass(page, 2);
    const near = await probe(page);
    const { page: farPage } = await openPage('examples/fly-through.html?count=2000&path=off&observer=off&far=6000');
    await untilBuilt(farPage);
    await untilFramesPass(farPage, 2);
    const far = await probe(farPage);
    expect(far.visible).toBeGreaterThan(near.visible);
    expect(far.triangles - near.triangles).toBe((far.visible - near.visible) * 10);
    await page.close();
    await farPage.close();
  });

  it('moves the camera by keys and by dragging, but not while a field of the panel has the keys', async () => {
    const { page } = await openPage('examples/fly-through.html?count=1000&path=off', { viewport: { width: 1000, height: 640 } });
    await untilBuilt(page);
    const start = (await probe(page)).camera;

    await page.keyboard.down('KeyW');
    await page.waitForFunction((from) => Math.max(...globalThis.demoProbe!.camera.map((value, axis) => Math.abs(value - from[axis]))) > 20, start);
    await page.keyboard.up('KeyW');

    const visible = (await probe(page)).visible;
    await page.mouse.move(420, 300);
    await page.mouse.down();
    await page.mouse.move(620, 320, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((before) => globalThis.demoProbe!.visible !== before, visible);

    await page.waitForTimeout(1200);
    await page.locator('#panel input[type=text], #panel input[type=number]').first().focus();
    const resting = (await probe(page)).camera;
    await page.keyboard.press('KeyW', { delay: 400 });
    await untilFramesPass(page, 4);
    await page.waitForTimeout(300);
    expect((await probe(page)).camera).toEqual(resting);
    await page.close();
  });

  it('freezes the cull camera: the camera flies on, the visible bodies stay', async () => {
    const { page } = await openPage('examples/fly-through.html?count=1000&path=off');
    await untilBuilt(page);
    await page.keyboard.press('KeyC');
    await page.waitForTimeout(300);
    const before = await probe(page);
    await page.keyboard.press('KeyS', { delay: 500 });
    await page.waitForTimeout(300);
    const after = await probe(page);
    expect(after.camera).not.toEqual(before.camera);
    expect(after.visible).toBe(before.visible);
    await page.close();
  });

  it('flies by itself, and stands still where motion is not wanted', async () => {
    const address = 'examples/fly-through.html?count=1000';
    const { page } = await openPage(address);
    await untilBuilt(page);
    const start = (await probe(page)).camera;
    await page.waitForFunction((from) => globalThis.demoProbe!.camera.some((value, axis) => value !== from[axis]), start);
    const { page: stillPage } = await openPage(address, { viewport: { width: 640, height: 400 }, reducedMotion: 'reduce' });
    await untilBuilt(stillPage);
    const still = (await probe(stillPage)).camera;
    await untilFramesPass(stillPage, 5);
    await stillPage.waitForTimeout(300);
    expect((await probe(stillPage)).camera).toEqual(still);
    await page.close();
    await stillPage.close();
  });
});
