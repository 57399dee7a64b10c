// Opens the picking page, and computes the expected picks with three alone, from the same world built in this process.

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse, type ParsedPath } from 'node:path';
import { Frustum, type Intersection, Matrix4, PerspectiveCamera, Raycaster, Vector2 } from 'three';
import type { BrowserContextOptions, Page } from 'playwright';
import { vi } from 'vitest';
import type { PickingWorld, WorldPlan } from '../../../examples/src/picking/picking-world.ts';
import type { PickingProbe } from '../../../examples/src/picking/probe.ts';
import type { OpenedPage, usePages } from './open-page.ts';
import { OUT_DIR } from './site-files.ts';

const ASSETS = `${OUT_DIR}/assets`;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const WINDOW = { width: 640, height: 420 };

export const pickingProbe = (page: Page): Promise<PickingProbe> => page.evaluate(() => globalThis.pickingProbe!);

/** Opens the page and waits for its first picture. */
export async function openPicking(
  openPage: ReturnType<typeof usePages>,
  query: string,
  options: BrowserContextOptions = { viewport: WINDOW },
  prepare?: (page: Page) => Promise<unknown>,
): Promise<OpenedPage> {
  const opened = await openPage(`examples/picking.html?${query}`, options, prepare);
  await untilDrawn(opened.page);
  return opened;
}

export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      globalThis.pickingProbe?.isBuilding === false &&
      globalThis.pickingProbe.frames > 0 &&
      !globalThis.pickingProbe.isStale,
  );
}

export function build(plan: WorldPlan, count: number): PickingWorld {
  const work = plan.build(count);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Shrinks the canvas for layout tests, because software rendering of a large window is slow. */
export const withSmallCanvas = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style');
      style.textContent = '.demo canvas { width: 160px; height: 90px; }';
      document.head.append(style);
    });
  });

/** Replaces `fetch` in this process, so that plans load the files of the built site. */
export function fetchFromSite(): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const { name } = parse(address);
    // A script of the site may have the same name.
    const isWanted = ({ name: asset, ext }: ParsedPath): boolean =>
      ext !== '.js' && asset.startsWith(name.replace('@', ''));
    const file = readdirSync(ASSETS).find((asset) => isWanted(parse(asset)));
    return new Response(await readFile(`${ASSETS}/${file}`));
  });
}

/** The page's camera in the last frame. */
export async function cameraOf(page: Page): Promise<PerspectiveCamera> {
  const {
    camera: { matrix, projection },
  } = await pickingProbe(page);
  const camera = new PerspectiveCamera();
  camera.matrixWorld.fromArray(matrix);
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  camera.projectionMatrix.fromArray(projection);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  return camera;
}

/** First hit of three's own Raycaster at a place of the window, above the ground. */
export function hitAt(
  page: Page,
  camera: PerspectiveCamera,
  world: PickingWorld,
  { x, y }: Place,
): Intersection | undefined {
  const { width, height } = page.viewportSize()!;
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), camera);
  raycaster.far = world.groundDistance(raycaster.ray);
  return raycaster.intersectObjects([...world.plainObjects()], false)[0];
}

/** A place of the view, not covered by HTML, where three's Raycaster hits an item, or hits none. */
export async function findPlace(page: Page, world: PickingWorld, isHit: boolean): Promise<Place> {
  const camera = await cameraOf(page);
  const free = await page.evaluate(() => {
    const places: Place[] = [];
    for (let y = innerHeight * 0.6; y > innerHeight * 0.2; y -= innerHeight / 70) {
      for (let x = innerWidth * 0.3; x < innerWidth; x += innerWidth / 90)
        if (document.elementFromPoint(x, y)?.id === 'camera-view') places.push({ x, y });
    }
    return places;
  });
  const place = free.find((one) => (hitAt(page, camera, world, one) !== undefined) === isHit);
  if (place === undefined) throw new Error('findPlace: no such place in the view');
  return place;
}

/** The frustum behind a rectangle of the window. */
export function frustumUnder(camera: PerspectiveCamera, from: Place, to: Place): Frustum {
  const [left, right] = [from.x, to.x].sort((a, b) => a - b).map((x) => (2 * x) / WINDOW.width - 1);
  const [top, bottom] = [from.y, to.y].sort((a, b) => a - b).map((y) => 1 - (2 * y) / WINDOW.height);
  const crop = new Matrix4()
    .makeScale(2 / (right - left), 2 / (top - bottom), 1)
    .multiply(new Matrix4().makeTranslation(-(left + right) / 2, -(top + bottom) / 2, 0));
  return new Frustum().setFromProjectionMatrix(
    crop.multiply(camera.projectionMatrix).multiply(camera.matrixWorldInverse),
  );
}

/** Text of a figure of the record. */
export const textOf = (page: Page, name: string): Promise<string> => page.locator(`[data-figure=${name}]`).innerText();

/** Drags the mouse from one place to another. */
export async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}
