// The picking page, and the same town in this process, to tell by three alone what the page should find.

import { Frustum, Matrix4, type Mesh, Object3D, PerspectiveCamera, Raycaster, Vector2 } from 'three';
import type { BrowserContextOptions, Page } from 'playwright';
import type { PickingWorld, WorldPlan } from '../../../examples/src/picking/picking-world.ts';
import type { PickingProbe } from '../../../examples/src/picking/probe.ts';
import type { OpenedPage, usePages } from './open-page.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const WINDOW = { width: 640, height: 420 };

export const pickingProbe = (page: Page): Promise<PickingProbe> => page.evaluate(() => globalThis.pickingProbe!);

/** Opens the page and waits for its first picture. */
export async function openPicking(openPage: ReturnType<typeof usePages>, query: string, options: BrowserContextOptions = { viewport: WINDOW }): Promise<OpenedPage> {
  const opened = await openPage(`examples/picking.html?${query}`, options);
  await untilDrawn(opened.page);
  return opened;
}

export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => globalThis.pickingProbe?.isBuilding === false && globalThis.pickingProbe.frames > 0 && !globalThis.pickingProbe.isStale);
}

export function build(plan: WorldPlan, count: number): PickingWorld {
  const work = plan.build(count);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** The page's camera, as it was in the last frame. */
export async function cameraOf(page: Page): Promise<PerspectiveCamera> {
  const { camera: { matrix, projection } } = await pickingProbe(page);
  const camera = new PerspectiveCamera();
  camera.matrixWorld.fromArray(matrix);
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  camera.projectionMatrix.fromArray(projection);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  return camera;
}

/** What three's own Raycaster hits first at a place of the window. */
export function hitAt(camera: PerspectiveCamera, objects: readonly Object3D[], { x, y }: Place): { readonly name: string; readonly distance: number; readonly object: Mesh } | undefined {
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2((2 * x) / WINDOW.width - 1, 1 - (2 * y) / WINDOW.height), camera);
  const [hit] = raycaster.intersectObjects([...objects], false);
  return hit && { name: hit.object.name, distance: hit.distance, object: hit.object as Mesh };
}

/** The volume behind a rectangle of the window. */
export function frustumUnder(camera: PerspectiveCamera, from: Place, to: Place): Frustum {
  const [left, right] = [from.x, to.x].sort((a, b) => a - b).map((x) => (2 * x) / WINDOW.width - 1);
  const [top, bottom] = [from.y, to.y].sort((a, b) => a - b).map((y) => 1 - (2 * y) / WINDOW.height);
  const crop = new Matrix4().makeScale(2 / (right - left), 2 / (top - bottom), 1).multiply(new Matrix4().makeTranslation(-(left + right) / 2, -(top + bottom) / 2, 0));
  return new Frustum().setFromProjectionMatrix(crop.multiply(camera.projectionMatrix).multiply(camera.matrixWorldInverse));
}
