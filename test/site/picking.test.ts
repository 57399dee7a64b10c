import { Box3, Vector3 } from 'three';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PickingWorld } from '../../examples/src/picking/picking-world.ts';
import { createPlacesPlan } from '../../examples/src/picking/places-world.ts';
import { townPlan } from '../../examples/src/picking/town.ts';
import { BruteForce } from '../../src/debug/reference/brute-force.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { endPage, litShare, usePages } from './support/open-page.ts';
import {
  build,
  cameraOf,
  drag,
  fetchFromSite,
  findPlace,
  frustumUnder,
  hitAt,
  openPicking,
  pickingProbe,
  type Place,
  textOf as text,
  untilDrawn,
  WINDOW,
} from './support/picking-page.ts';

const openPage = usePages();

const COUNT = 400;
const TOWN = `world=city&count=${COUNT}`;
let town: PickingWorld;

beforeAll(() => {
  town = build(townPlan, COUNT);
});

describe('a click', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    ({ page, problems } = await openPicking(openPage, `${TOWN}&side=off`));
  });

  afterAll(() => endPage(page));

  it("picks the first hit of three's Raycaster, and shows its name, distance, point and normal", async () => {
    const place = await findPlace(page, town, true);
    const expected = hitAt(page, await cameraOf(page), town, place)!;
    const before = await litShare(page, '#camera-view');
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(() => globalThis.pickingProbe!.picked !== null);
    const { picked } = await pickingProbe(page);
    expect(picked!.name).toBe(expected.object.name);
    expect(picked!.distance).toBeCloseTo(expected.distance, 6);
    expect(await text(page, 'name')).toBe(expected.object.name);
    expect(await text(page, 'kind')).toContain(town.factsOf(expected)[0][1]);
    expect(await text(page, 'distance')).toBe(
      `${expected.distance.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} m`,
    );
    const box = new Box3().setFromObject(expected.object).expandByScalar(0.1);
    const [x, y, z] = (await text(page, 'point')).split(', ').map((part) => Number(part.replaceAll(',', '')));
    expect(box.containsPoint(box.min.clone().set(x, y, z))).toBe(true);
    const normal = (await text(page, 'normal')).split(', ').map(Number);
    expect(Math.sqrt(normal.reduce((sum, part) => sum + part * part, 0))).toBeCloseTo(1, 1);
    expect(await text(page, 'cell')).toMatch(/^\d+ m wide, depth \d+$/);
    expect(await text(page, 'pickTime')).toMatch(/^\d+(\.\d+)? (\u00b5s|ms)$/);
    await untilDrawn(page);
    expect(await litShare(page, '#camera-view')).toBeGreaterThan(before);
  });

  it('draws the nodes that the ray enters, and the side view', async () => {
    expect(await page.locator('#observer-view').isVisible()).toBe(false);
    await page.keyboard.press('KeyO');
    const { boxes } = await pickingProbe(page);
    expect(boxes).toBeGreaterThan(2);
    expect(boxes).toBe(Number(await text(page, 'nodes')));
    expect(Number(await text(page, 'tested'))).toBeGreaterThan(0);
    expect(Number(await text(page, 'tested'))).toBeLessThan(COUNT / 4);
    await page.locator('#observer-view').waitFor();
    await untilDrawn(page);
    expect(await litShare(page, '#observer-view')).toBeGreaterThan(0.001);
  });

  it("compares with three's Raycaster: the hits are equal", async () => {
    await page.waitForFunction(() => globalThis.pickingProbe!.areEqual !== null);
    expect((await pickingProbe(page)).areEqual).toBe(true);
    expect(await text(page, 'agreement')).toMatch(/^\u2713 [1-9]\d* equal hit/);
    expect(await text(page, 'plainTime')).toMatch(/ms$/);
    expect(await text(page, 'gain')).toMatch(/x$/);
  });

  it('skips the comparison if it is switched off', async () => {
    await page.keyboard.press('KeyC');
    const place = await findPlace(page, town, true);
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(() => globalThis.pickingProbe!.areEqual === null);
    expect(await text(page, 'plainTime')).toBe('not compared');
    await page.keyboard.press('KeyC');
  });

  it('that hits no building shows "No hit"', async () => {
    const place = await findPlace(page, town, false);
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(
      () => globalThis.pickingProbe!.picked === null && globalThis.pickingProbe!.areEqual === true,
    );
    expect(await text(page, 'name')).toBe('No hit');
    expect(await text(page, 'agreement')).toContain('0 equal');
  });

  it('by the Enter key picks at the centre, and Escape clears the pick', async () => {
    const centre = { x: WINDOW.width / 2, y: WINDOW.height / 2 };
    await page.locator('#camera-view').focus();
    await page.keyboard.press('Enter');
    const expected = hitAt(page, await cameraOf(page), town, centre);
    await page.waitForFunction((name) => globalThis.pickingProbe!.picked?.name === name, expected?.object.name);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => globalThis.pickingProbe!.picked === null && globalThis.pickingProbe!.boxes === 0);
    expect(await text(page, 'name')).toBe('No pick yet');
  });

  it('that moves is a drag and turns the view', async () => {
    const before = (await pickingProbe(page)).camera.matrix;
    await page.mouse.move(400, 150);
    await page.mouse.down();
    await page.mouse.move(460, 160, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((last) => globalThis.pickingProbe!.camera.matrix.join() !== last, before.join());
    expect((await pickingProbe(page)).picked).toBeNull();
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a hovering mouse', () => {
  it('shows the name of the nearest building under it, and nothing once the highlight is switched off', async () => {
    const { page, problems } = await openPicking(openPage, TOWN);
    const place = await findPlace(page, town, true);
    const expected = hitAt(page, await cameraOf(page), town, place)!;
    await page.mouse.move(place.x, place.y);
    await page.waitForFunction((name) => globalThis.pickingProbe!.hovered === name, expected.object.name);
    expect(await page.locator('#name-tag').innerText()).toBe(expected.object.name);
    await page.keyboard.press('KeyH');
    await page.waitForFunction(() => globalThis.pickingProbe!.hovered === null);
    expect(await page.locator('#name-tag').isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await endPage(page);
  });
});

describe('a rectangle', () => {
  const [from, to] = [
    { x: 300, y: 110 },
    { x: 520, y: 215 },
  ];

  it('drawn with Shift selects exactly the buildings that brute force finds, lists them, and can be cleared', async () => {
    const { page, problems } = await openPicking(openPage, TOWN);
    const expected = await namesWithin(page, from, to);
    await page.keyboard.down('Shift');
    await drag(page, from, to);
    await page.keyboard.up('Shift');
    await page.waitForFunction(() => globalThis.pickingProbe!.selected.length > 0);
    const { selected } = await pickingProbe(page);
    expect(selected.length).toBeLessThan(COUNT);
    expect([...selected].sort()).toEqual(expected);
    expect(await page.locator('.selected-count').innerText()).toBe(`${expected.length} selected`);
    expect(selected).toContain(await page.locator('#selection li').first().innerText());
    await page.locator('#selection button').click();
    await page.waitForFunction(() => globalThis.pickingProbe!.selected.length === 0);
    expect(await page.locator('#selection').isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await endPage(page);
  });

  it('is drawn by a finger in the Select mode', async () => {
    const { page } = await openPicking(openPage, TOWN, { viewport: WINDOW, hasTouch: true });
    const before = (await pickingProbe(page)).camera.matrix;
    await page.locator('[data-mode=select]').click();
    expect(await page.locator('[data-mode=select]').getAttribute('aria-pressed')).toBe('true');
    await drag(page, from, to);
    await page.waitForFunction(() => globalThis.pickingProbe!.selected.length > 0);
    expect((await pickingProbe(page)).camera.matrix).toEqual(before);
    await endPage(page);
  });
});

describe('fingers', () => {
  it('pick by a tap, and zoom the view by a pinch', async () => {
    const { page, problems } = await openPicking(openPage, `${TOWN}&compare=off&side=off`, {
      viewport: WINDOW,
      hasTouch: true,
    });
    const touches = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Place[]) =>
      touches.send('Input.dispatchTouchEvent', { type, touchPoints });
    const place = await findPlace(page, town, true);
    const expected = hitAt(page, await cameraOf(page), town, place)!;
    await touch('touchStart', place);
    await touch('touchEnd');
    await page.waitForFunction((name) => globalThis.pickingProbe!.picked?.name === name, expected.object.name);
    const before = new Vector3().setFromMatrixPosition((await cameraOf(page)).matrixWorld);
    await touch('touchStart', { x: 300, y: 150 }, { x: 360, y: 150 });
    await touch('touchMove', { x: 280, y: 150 }, { x: 380, y: 150 });
    await touch('touchMove', { x: 240, y: 150 }, { x: 420, y: 150 });
    await touch('touchEnd');
    await page.waitForFunction((height) => globalThis.pickingProbe!.camera.matrix[13] < height * 0.6, before.y);
    expect((await pickingProbe(page)).picked!.name).toBe(expected.object.name);
    expect(problems).toEqual([]);
    await endPage(page);
  });
});

describe('in the world of real cities', () => {
  it("a click picks the first hit of three's Raycaster with equal hits, and a rectangle selects the places in it", async () => {
    fetchFromSite();
    const plan = createPlacesPlan();
    await plan.load();
    const cities = build(plan, 2000);
    const { page, problems } = await openPicking(openPage, 'world=cities&count=2000');
    const camera = await cameraOf(page);
    const place = await findPlace(page, cities, true);
    const expected = hitAt(page, camera, cities, place)!;
    await page.mouse.click(place.x, place.y);
    await page.waitForFunction(() => globalThis.pickingProbe!.areEqual !== null);
    const { picked, areEqual } = await pickingProbe(page);
    expect(areEqual).toBe(true);
    expect(picked!.name).toBe(cities.nameOf(expected));
    expect(picked!.distance).toBeCloseTo(expected.distance, 4);
    expect(await text(page, 'kind')).toBe(
      cities
        .factsOf(expected)
        .map(([, value]) => value)
        .join(', '),
    );
    expect(await text(page, 'kind')).toMatch(/^[A-Z].*, [\d,]+ people$/);

    const corners = [
      { x: place.x - 40, y: place.y - 30 },
      { x: place.x + 40, y: place.y + 30 },
    ] as const;
    await page.keyboard.down('Shift');
    await drag(page, ...corners);
    await page.keyboard.up('Shift');
    await page.waitForFunction((name) => globalThis.pickingProbe!.selected.includes(name), picked!.name);
    const { selected } = await pickingProbe(page);
    expect(selected.length).toBeLessThan(200);
    const volume = frustumUnder(camera, ...corners);
    const foot = new Vector3();
    const standing = Array.from({ length: 2000 }, (_, instanceId) => ({ object: cities.container, instanceId }))
      .filter((item) => volume.containsPoint(foot.setFromMatrixPosition(cities.shapeOf(item).matrix)))
      .map((item) => cities.nameOf(item));
    expect(standing.filter((name) => !selected.includes(name))).toEqual([]);
    expect(problems).toEqual([]);
    await endPage(page);
  });
});

async function namesWithin(page: Page, from: Place, to: Place): Promise<string[]> {
  const loop = new BruteForce();
  const box = new Box3();
  for (const [index, object] of town.plainObjects().entries()) {
    box.setFromObject(object);
    loop.setBox(index, [...box.min.toArray(), ...box.max.toArray()]);
  }
  const { planes } = frustumUnder(await cameraOf(page), from, to);
  return loop
    .frustum(
      planes.map(({ normal: { x, y, z }, constant }) => [x, y, z, constant] as const),
      { exact: true },
    )
    .map(({ index }) => town.plainObjects()[index].name)
    .sort();
}
