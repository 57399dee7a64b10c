// A small example alone in a page, what its scene holds, and what a frame draws.

import { Box3, Frustum, Matrix4, Sphere, type Vector3Tuple } from 'three';
import type { Object3D, PerspectiveCamera, Scene } from 'three';
import type { Page } from 'playwright';

declare global {
  /** The scene of the page, and the camera of its last frame. */
  var observed: { scene?: Scene; camera?: PerspectiveCamera };
}

/** Remembers the scene of a page: three tells it to its developer tools. Runs in the page before its scripts. */
export function observeScene(): void {
  globalThis.observed = {};
  const tools = Object.assign(new EventTarget(), {});
  Object.assign(globalThis, { __THREE_DEVTOOLS__: tools });
  tools.addEventListener('observe', (event) => {
    const { detail } = event as CustomEvent<Object3D & { isScene?: boolean }>;
    if (detail.isScene !== true) return;
    const scene = (globalThis.observed.scene ??= detail as Scene);
    scene.onBeforeRender = (_renderer, _scene, camera) => (globalThis.observed.camera = camera as PerspectiveCamera);
  });
}

/** The text that the example shows. */
export const outputOf = (page: Page): Promise<string> =>
  page.evaluate(() => document.querySelector('output')!.innerText);

/** The numbers in a text. */
export const numbersOf = (text: string): number[] => [...text.matchAll(/\d+/g)].map(([number]) => Number(number));

/** Draws the next frame, and returns the text it shows with the number of its draw calls. */
export function drawFrame(page: Page): Promise<{ text: string; calls: number }> {
  return page.evaluate(
    () =>
      new Promise<{ text: string; calls: number }>((resolve) => {
        // The frame of the example was requested before, so it is drawn between these two.
        requestAnimationFrame(() => Object.assign(globalThis.drawing!, { isOn: true, calls: 0 }));
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            globalThis.drawing!.isOn = false;
            resolve({ text: document.querySelector('output')!.innerText, calls: globalThis.drawing!.calls });
          }),
        );
      }),
  );
}

interface SeenBox {
  /** Bounds of the geometry. */
  readonly box: readonly [Vector3Tuple, Vector3Tuple];
  readonly matrix: readonly number[];
}

/** The meshes and points of the scene that the camera may draw, with the view of the last frame. */
async function readScene(page: Page): Promise<{ boxes: SeenBox[]; view: Matrix4 }> {
  const { boxes, projection, inverse } = await page.evaluate(() => {
    const { scene, camera } = globalThis.observed;
    const boxes: { box: [Vector3Tuple, Vector3Tuple]; matrix: number[] }[] = [];
    scene!.traverseVisible((object) => {
      const { geometry } = object as Partial<THREEMesh>;
      if (geometry === undefined) return;
      if (geometry.boundingBox === null) geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!;
      boxes.push({ box: [min.toArray(), max.toArray()], matrix: object.matrixWorld.toArray() });
    });
    return {
      boxes,
      projection: camera!.projectionMatrix.toArray(),
      inverse: camera!.matrixWorldInverse.toArray(),
    };
  });
  return { boxes, view: new Matrix4().fromArray(projection).multiply(new Matrix4().fromArray(inverse)) };
}
type THREEMesh = import('three').Mesh;

const boxOf = ({ box: [min, max], matrix }: SeenBox): Box3 =>
  new Box3().setFromArray([...min, ...max]).applyMatrix4(new Matrix4().fromArray(matrix));

/**
 * How many objects a pass has to draw at least, because their centre is in view, and at most, because the sphere around
 * them is: what three draws.
 */
export async function countInView(page: Page): Promise<{ all: number; atLeast: number; atMost: number }> {
  const { boxes, view } = await readScene(page);
  const frustum = new Frustum().setFromProjectionMatrix(view);
  let [atLeast, atMost] = [0, 0];
  for (const one of boxes) {
    const { center, radius } = boxOf(one).getBoundingSphere(new Sphere());
    atLeast += Number(frustum.containsPoint(center));
    atMost += Number(frustum.intersectsSphere(new Sphere(center, radius)));
  }
  return { all: boxes.length, atLeast, atMost };
}

/** How many boxes lie wholly behind a rectangle of the window. */
export async function countWithin(
  page: Page,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<number> {
  const { boxes, view } = await readScene(page);
  const { width, height } = page.viewportSize()!;
  const [left, right] = [from[0], to[0]].map((x) => (2 * x) / width - 1);
  const [top, bottom] = [from[1], to[1]].map((y) => 1 - (2 * y) / height);
  return boxes.filter((one) => {
    const { min, max } = boxOf(one);
    return [0, 1, 2, 3, 4, 5, 6, 7].every((corner) => {
      const place = min.clone();
      if (corner & 1) place.x = max.x;
      if (corner & 2) place.y = max.y;
      if (corner & 4) place.z = max.z;
      place.applyMatrix4(view);
      return place.x >= left && place.x <= right && place.y <= top && place.y >= bottom;
    });
  }).length;
}
