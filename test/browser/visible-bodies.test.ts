import { OrthographicCamera, Scene, WebGLRenderer } from 'three';
import { afterAll, expect, it } from 'vitest';
import { BodySet } from '../../examples/src/shared/body-set.ts';
import { VisibleBodies } from '../../examples/src/shared/visible-bodies.ts';
import { IndexList } from '../../src/index.ts';

const SIZE = 60;

const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

/** Three pillars 10 wide and 40 high, side by side, seen from the front. */
const set = new BodySet(3, { height: 0.5, width: 0.5 });
for (const [body, x] of [-20, 0, 20].entries()) {
  set.setLook(body, x, -20, 0, 40, 10, 10);
  set.setBoundsUpright(body);
}
const camera = new OrthographicCamera(-30, 30, 30, -30, 1, 200);
camera.position.z = 100;
camera.updateMatrixWorld();

/** Which of the three places is lit, by the pixel in the middle of each. */
function litPlaces(): boolean[] {
  const context = renderer.getContext();
  const pixel = new Uint8Array(4);
  return [10, 30, 50].map((x) => {
    context.readPixels(x, SIZE / 2, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    return pixel[0] > 20;
  });
}

it('draws the bodies of the list and no others, from frame to frame', () => {
  const list = new IndexList(3);
  const drawn = new VisibleBodies(set, list, 'city');
  const scene = new Scene().add(drawn.pillars);
  const drawAll = (...bodies: number[]) => {
    list.array.set(bodies);
    drawn.show(bodies.length);
    renderer.render(scene, camera);
    return litPlaces();
  };
  expect(drawAll()).toEqual([false, false, false]);
  expect(drawAll(2, 0)).toEqual([true, false, true]);
  expect(renderer.info.render.triangles).toBe(20);
  expect(drawAll(1)).toEqual([false, true, false]);
  expect(drawAll(0, 1, 2)).toEqual([true, true, true]);
  expect(drawAll()).toEqual([false, false, false]);
  drawn.dispose();
});

it('keeps bounds that hold the pillar it draws', () => {
  expect([...set.bounds.subarray(0, 6)]).toEqual([-25, -20, -5, -15, 20, 5]);
});
