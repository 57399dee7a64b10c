import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { FairFigures } from '../../examples/src/fair/readout.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { expectTidyLayout } from './support/layout.ts';
import { ALL_PIXELS, figure, pictureOf, useSharedPage, useTestPages } from './support/open-page.ts';
import { until as untilRead } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
/** A small fair that stands still, until the key P. Each person takes time of each step. */
const ADDRESS = 'examples/fair.html?stalls=6&people=1&stop=on';
const WITH_PEOPLE = ADDRESS.replace('people=1', 'people=12');
/** For what takes many seconds. */
const LATER = { seconds: 0.5 };
const DESKTOP = { viewport: { width: 1100, height: 700 } };
/** Height of the floor of a gondola below the axis that it hangs from. */
const GONDOLA_FLOOR = 2.62;
/**
 * For tests that do not let it go on: the next one finds it at its beginning. A fair takes 4 s of CPU time to open. The
 * settings are folded on the phone.
 */
const standingFair = useSharedPage(ADDRESS, DESKTOP);
const standingFairOnPhone = useSharedPage(ADDRESS, { viewport: { width: 390, height: 844 } });
/** Middle of the front door, and distance of a person whom it stops. */
const [DOOR, BODY] = [-14, 0.32];
/** Height of the eyes above the feet; metres per second of a person who walks; most steps of a frame. */
const [EYES, SPEED, STEPS_PER_FRAME] = [1.6, 3.6, 4];
const WINDOWS = [
  [1280, 720, standingFair],
  [390, 844, standingFairOnPhone],
  [640, 420, standingFairOnPhone],
] as const;

const itLong = it.runIf(IS_LONG);

describe('the fair', () => {
  it('draws thousands of meshes; the figures say what a query of the person costs', async () => {
    const { page, problems } = await openPage('examples/fair.html?stalls=60&people=60&stop=on', {
      ...DESKTOP,
      ...ALL_PIXELS,
    });
    // By its frames alone.
    const { meshes, people, longestSlice } = await until(page, walked, { seconds: 0 });
    expect(meshes).toBeGreaterThan(4000);
    expect(people).toBe(60);
    expect(longestSlice).toBeGreaterThan(0);
    const { meshesTested } = await figures(page);
    expect(meshesTested).toBeLessThan(40);
    expect(await figure(page, 'meshes')).toBe(meshes);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(1000);
    expect(await problemsOfAxe(page)).toEqual([]);
    await page.keyboard.press('Digit3');
    // Both queries of a step go through all meshes.
    await until(page, (now) => now.meshesTested === 2 * meshes);
    const time = page.locator('[data-figure=loop-time]');
    await untilRead(
      page,
      () => time.innerText(),
      (text) => /\d/.test(text),
    );
    expect(problems).toEqual([]);
  });

  it('goes on by its frames alone: a few whole steps in each, after which the camera is placed', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&view=first`, DESKTOP);
    const read = (): Promise<FairFigures & { frames: number }> =>
      page.evaluate(() => ({ ...globalThis.fairProbe!.advance(0)!, frames: globalThis.fairProbe!.frames }));
    await untilRead(
      page,
      () => advance(page, 0),
      ({ ground, steps }) => ground !== 'nothing' && steps > 0,
    );
    const before = await read();
    expect(before.seconds).toBe(0);
    await page.keyboard.press('KeyP');
    await page.locator('#camera-view').focus();
    const walk = (): Promise<void> => page.keyboard.down('KeyW');
    await untilRead(page, read, ({ feet, seconds }) => feet[2] < before.feet[2] - 0.5 && seconds > 0, walk);
    await page.keyboard.up('KeyW');
    const after = await read();
    const steps = after.steps - before.steps;
    const moved = 60 * (after.seconds - before.seconds);
    expect(moved).toBeCloseTo(Math.round(moved), 6);
    expect(moved).toBeLessThan(steps + 0.5);
    expect(steps).toBeLessThanOrEqual(STEPS_PER_FRAME * (after.frames - before.frames));
    expect(before.feet[2] - after.feet[2]).toBeLessThan((steps * SPEED) / 60 + 0.01);
    for (const { eye, feet } of [before, after]) {
      expect(eye[0]).toBeCloseTo(feet[0], 9);
      expect(eye[1]).toBeCloseTo(feet[1] + EYES, 9);
      expect(eye[2]).toBeCloseTo(feet[2], 9);
    }
    expect(problems).toEqual([]);
  });

  itLong('carries a person on a lift up to the deck; of a merged copy the lift leaves without her', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&place=lift`, DESKTOP);
    await until(page, ({ ground }) => ground !== 'nothing');
    // The gate behind the lift stops her.
    await hold(page, 'KeyW', ({ ground, feet }) => ground === 'lift floor of lift 1' && feet[2] < -17);
    await page.keyboard.press('KeyP');
    const { feet, lifts, ground } = await until(page, (now) => now.lifts[0] > 3, LATER);
    expect(ground).toBe('lift floor of lift 1');
    expect(feet[1]).toBeCloseTo(lifts[0] + 0.14, 3);
    await until(page, (now) => now.feet[1] > 6.9, LATER);
    // A copy is merged while the lift is up.
    await page.keyboard.press('KeyP');
    await page.keyboard.press('Digit2');
    await until(page, ({ isBuilding, way, ground: on }) => way === 'merged' && !isBuilding && on === 'merged copy');
    const { feet: top } = await figures(page);
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.lifts[0] < 3, LATER);
    expect((await figures(page)).feet[1]).toBeCloseTo(top[1], 3);
    expect(top[1]).toBeGreaterThan(5);
    expect(problems).toEqual([]);
  });

  itLong('carries a person in a gondola, in one that is stretched, and in one that is mirrored', async () => {
    const { page } = await openPage(`${ADDRESS}&place=gondola`, DESKTOP);
    for (const name of ['gondola 1', 'stretched gondola', 'mirrored gondola']) {
      const place = page.locator('#panel .lil-controller', { hasText: 'go to' }).locator('select');
      await place.selectOption(name.replace(' 1', ''));
      const before = await until(page, ({ ground }) => ground === `floor of ${name}`);
      await page.keyboard.press('KeyP');
      const after = await until(page, ({ seconds }) => seconds > before.seconds + 5, LATER);
      await page.keyboard.press('KeyP');
      const at = before.gondolas.findIndex(
        ([x, y]) => Math.abs(x - before.feet[0]) < 1.2 && Math.abs(y - GONDOLA_FLOOR - before.feet[1]) < 0.1,
      );
      const [x, y] = after.gondolas[at];
      expect(after.ground).toBe(`floor of ${name}`);
      expect(after.feet[1]).toBeCloseTo(y - GONDOLA_FLOOR, 3);
      expect(after.feet[0] - x).toBeCloseTo(before.feet[0] - before.gondolas[at][0], 3);
      // Wherever the wheel was.
      expect(Math.hypot(x - before.gondolas[at][0], y - before.gondolas[at][1])).toBeGreaterThan(1.2);
    }
  });

  itLong('has doors that stop a person while they are closed; those of a merged copy stay as they were', async () => {
    const { page } = await openPage(`${ADDRESS}&place=doors`, DESKTOP);
    const { door } = await until(page, ({ ground }) => ground !== 'nothing');
    expect(door).toBe(0);
    await hold(page, 'KeyW', ({ feet }) => feet[2] < DOOR + 2 * BODY);
    const { seconds, steps: begun } = await figures(page);
    await hold(page, 'KeyW', ({ steps }) => steps > begun + 40);
    const stopped = await figures(page);
    expect(stopped.seconds).toBe(seconds);
    expect(stopped.feet[2]).toBeGreaterThan(DOOR + BODY);
    // A copy is merged while the door is open.
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.door > 1.12);
    await page.keyboard.press('KeyP');
    await page.keyboard.press('Digit2');
    await until(page, ({ isBuilding, way, ground }) => way === 'merged' && !isBuilding && ground === 'merged copy');
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.door < 0.01);
    await page.keyboard.press('KeyP');
    await hold(page, 'KeyW', ({ feet }) => feet[2] < DOOR - 2 * BODY);
  });

  itLong('has balls that bounce, and people who stay on it', async () => {
    const { page } = await openPage(WITH_PEOPLE, DESKTOP);
    await until(page, ({ ground }) => ground !== 'nothing');
    await page.keyboard.press('KeyP');
    await page.keyboard.press('KeyF');
    await page.mouse.click(700, 500);
    const { ball, thrown } = await until(page, ({ bounces }) => bounces > 5);
    expect(thrown).toBe(2);
    expect(ball[1]).toBeGreaterThan(0.13);
    const { lost, people } = await until(page, ({ seconds }) => seconds > 6, LATER);
    expect([people, lost]).toEqual([12, 0]);
  });

  it('measures the gap between two meshes, also while one of them moves', async () => {
    const { page, problems } = await openPage(`${ADDRESS}&place=wheel&measure=on&view=first`, DESKTOP);
    await until(page, ({ ground }) => ground !== 'nothing');
    // Frames place the camera through which a click looks.
    const { frames } = await page.evaluate(() => globalThis.fairProbe!);
    await page.waitForFunction((before) => globalThis.fairProbe!.frames > before, frames);
    // The back of the gondola in the middle of the picture, and the platform in front of it.
    const { width, height } = DESKTOP.viewport;
    await page.mouse.click(width / 2, 0.44 * height);
    await page.mouse.click(width / 2, 0.63 * height);
    const { measured, gap } = await until(page, (now) => now.gap !== null);
    expect(measured).toEqual(['back of gondola 1', 'boards of platform of the wheel']);
    // 0.97 m behind the middle of the gondola and 1.2 m before it, 0.08 m higher.
    expect(gap).toBeCloseTo(Math.sqrt(2.17 ** 2 + 0.08 ** 2), 6);
    expect(Number((await page.locator('#tape-label').innerText()).replace(' m', ''))).toBeCloseTo(gap!, 2);
    await page.keyboard.press('KeyP');
    await until(page, (now) => now.gap! > gap! + 0.02);
    expect(problems).toEqual([]);
  });

  it('lists which things intersect, and leads to them', async () => {
    const { page } = await standingFair();
    await until(page, ({ ground }) => ground !== 'nothing');
    await page.keyboard.press('KeyC');
    const { clashes, feet } = await until(page, (now) => now.clashes > 0 && !now.isBuilding);
    expect(await figure(page, 'clashes')).toBe(clashes);
    expect(await page.locator('#clash-list li').count()).toBe(Math.min(60, clashes));
    await page.locator('#clash-list button').first().click();
    await until(page, (now) => Math.abs(now.feet[0] - feet[0]) + Math.abs(now.feet[2] - feet[2]) > 3);
    await page.keyboard.press('KeyC');
    await until(page, (now) => now.clashes === 0);
  });

  it('is walked by the stick, and jumps', async () => {
    const { page } = await standingFairOnPhone();
    const { feet } = await until(page, ({ ground }) => ground !== 'nothing');
    const { x, y, width, height } = (await page.locator('.stick').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 6);
    await until(page, (now) => now.feet[2] < feet[2] - 1);
    await page.mouse.up();
    await page.keyboard.down('Space');
    await until(page, (now) => now.ground === 'nothing');
    await page.keyboard.up('Space');
    await until(page, (now) => now.ground !== 'nothing');
  });

  it.each(sampleFrom(WINDOWS, 3, 1))('at %i x %i nothing overlaps', async (width, height, openFair) => {
    const { page } = await openFair();
    await page.setViewportSize({ width, height });
    await until(page, ({ ground }) => ground !== 'nothing');
    await expectTidyLayout(page, width, height);
  });
});

/** The figures of a built fair, some seconds of its own time later. */
const advance = (page: Page, seconds: number): Promise<FairFigures | undefined> =>
  page.evaluate((time) => globalThis.fairProbe?.advance(time), seconds);

const figures = async (page: Page): Promise<FairFigures> => (await advance(page, 0))!;

/** In the first step the person may still be above the ground, with no triangle near. */
const walked = ({ steps, trianglesTested }: FairFigures): boolean => steps > 0 && trianglesTested > 0;

/**
 * Waits until a condition holds for the figures of a built fair.
 *
 * @param seconds Own time of the fair between two looks, beside that of its frames: these drop steps under load, and
 *   what takes 16 s of the fair would take minutes.
 */
const until = (
  page: Page,
  holds: (figures: FairFigures) => boolean,
  { act, seconds = 0.1 }: { act?: () => Promise<void>; seconds?: number } = {},
): Promise<FairFigures> => untilRead(page, () => advance(page, seconds), holds, act);

/** Holds a key until a condition holds. */
async function hold(page: Page, key: string, holds: (figures: FairFigures) => boolean): Promise<void> {
  await page.locator('#camera-view').focus();
  await until(page, holds, { act: () => page.keyboard.down(key) });
  await page.keyboard.up(key);
}
