import { Box3, Matrix4, OrthographicCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { afterAll, expect, it } from 'vitest';
import { BodySet } from '../../examples/src/shared/body-set.ts';
import { VisibleBodies } from '../../examples/src/fly-through/visible-bodies.ts';
import { IndexList } from '../../src/index.ts';

const SIZE = 60;

const renderer = new WebGLRenderer({ preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

/** Three pillars 10 wide and 40 high, side by side, seen from the front. */
const set = new BodySet(3);
for (const [body, x] of [-20, 0, 20].entries()) set.setUpright(body, x, -20, 0, 40, 10, 10);
const camera = new OrthographicCamera(-30, 30, 30, -30, 1, 200);
camera.position.z = 100;
camera.updateMatrixWorld();

/** Whether each of the three pillars is lit, by the pixel at its centre. */
function litPlaces(): boolean[] {
  const context = renderer.getContext();
  const pixel = new Uint8Array(4);
  return [10, 30, 50].map((x) => {
    context.readPixels(x, SIZE / 2, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    return pixel[0] > 20;
  });
}

/** Bounds of the pillar of the first body. */
function boxOf(bodies: BodySet): number[] {
  const { pillars } = new VisibleBodies(bodies, new IndexList(1), 'globe', {});
  pillars.addInstances(bodies.matrices);
  const { min, max } = pillars.getBoundingBoxAt(0, new Box3());
  return [...min, ...max].map((value) => Math.round(value * 1000) / 1000);
}

it('draws the pillars that the culling camera sees and no others', () => {
  const drawn = new VisibleBodies(set, new IndexList(3), 'city', {});
  drawn.pillars.addInstances(set.matrices);
  const scene = new Scene().add(drawn.pillars);
  const drawFrom = (left: number, right: number): boolean[] => {
    const culling = new OrthographicCamera(left, right, 30, -30, -100, 100);
    culling.updateMatrixWorld();
    drawn.setView(culling, Infinity, 1, 0);
    renderer.render(scene, camera);
    return litPlaces();
  };
  expect(drawFrom(-1000, -900)).toEqual([false, false, false]);
  expect(drawFrom(-14, 14)).toEqual([false, true, false]);
  expect(drawFrom(-14, 16)).toEqual([false, true, true]);
  expect(renderer.info.render.triangles).toBe(20);
  expect(drawFrom(-100, 100)).toEqual([true, true, true]);
  drawn.dispose();
});

it('draws the points of the list and no others in each frame, or all points', () => {
  const list = new IndexList(3);
  const drawn = new VisibleBodies(set, list, 'city', {});
  const scene = new Scene().add(drawn.points);
  drawn.setView(camera, Infinity, 4, 0);
  const drawAll = (...bodies: number[]): boolean[] => {
    list.array.set(bodies);
    drawn.show(bodies.length);
    renderer.render(scene, camera);
    return litPlaces();
  };
  expect(drawAll()).toEqual([false, false, false]);
  expect(drawAll(2, 0)).toEqual([true, false, true]);
  expect(drawAll(1)).toEqual([false, true, false]);
  expect(drawAll(0, 1, 2)).toEqual([true, true, true]);
  drawAll();
  scene.add(drawn.allPoints);
  renderer.render(scene, camera);
  expect(litPlaces()).toEqual([true, true, true]);
  drawn.dispose();
});

it('computes the exact box of a pillar, on flat ground and on a globe', () => {
  expect(boxOf(set)).toEqual([-25, -20, -5, -15, 20, 5]);
  const globe = new BodySet(1);
  globe.setOnGlobe(0, 100, new Vector3(1, 0, 0), 20, 4);
  expect(boxOf(globe)).toEqual([100, -2, -2, 120, 2, 2]);
  globe.setOnGlobe(0, 100, new Vector3(0, -1, 0), 20, 4);
  expect(boxOf(globe)).toEqual([-2, -120, -2, 2, -100, 2]);
  // A negative determinant would mirror the pillar and show its inner faces.
  globe.setOnGlobe(0, 100, new Vector3(0.6, 0.64, 0.48), 20, 4);
  expect(new Matrix4().fromArray(globe.matrices).determinant()).toBeCloseTo(320, 2);
});
