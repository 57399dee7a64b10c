import { OrthographicCamera, Scene, WebGLRenderTarget } from 'three';
import { expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeHelper } from '../../src/three.ts';
import { useRenderer } from '../support/three-pictures.ts';

const EDGE = 64;
const renderer = useRenderer();

/** Looks along -z at x and y from 0 to 64, one pixel for each unit. Red, green, blue and opacity of each pixel. */
function pixelsOf(scene: Scene): Uint8Array {
  const camera = new OrthographicCamera(-0.5, EDGE - 0.5, EDGE - 0.5, -0.5, 1, 500);
  camera.position.z = 300;
  camera.updateMatrixWorld();
  const target = new WebGLRenderTarget(EDGE, EDGE);
  renderer.setRenderTarget(target);
  renderer.setClearColor(0x000000, 1);
  renderer.clear();
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * EDGE * EDGE);
  renderer.readRenderTargetPixels(target, 0, 0, EDGE, EDGE, pixels);
  target.dispose();
  return pixels;
}

function litPixels(scene: Scene): number {
  const pixels = pixelsOf(scene);
  return Array.from({ length: EDGE * EDGE }, (_, k) => pixels[4 * k] + pixels[4 * k + 1] + pixels[4 * k + 2]).filter(
    (sum) => sum > 30,
  ).length;
}

it('draws the lines of an octree: more after it has grown, none after it is removed', () => {
  const octree = new Octree<null>({ region: { min: { x: 0, y: 0, z: 0 }, edge: 64 }, leafCapacity: 1 });
  octree.insert({ center: { x: 5, y: 5, z: 5 }, radius: 1 }, null);
  const helper = new OctreeHelper(octree, { maxDepth: 3 });
  const scene = new Scene().add(helper);
  // The left and the lower edge of the root. The other two lie one pixel outside the picture.
  const atFirst = litPixels(scene);
  expect(atFirst).toBeGreaterThan(2 * EDGE - 5);
  expect(atFirst).toBeLessThan(2 * EDGE + 5);
  helper.coloring = (_, color) => {
    color.setRGB(1, 0.5, 0);
    return 1;
  };
  helper.update();
  const [red, green, blue] = pixelsOf(scene).subarray(4 * 10 * EDGE);
  expect([red > green, green > blue]).toEqual([true, true]);
  for (let k = 0; k < 400; k++)
    octree.insert({ center: { x: (k * 37) % 60, y: (k * 59) % 60, z: k % 60 }, radius: 1 }, null);
  helper.update();
  const grown = litPixels(scene);
  expect(grown).toBeGreaterThan(3 * atFirst);
  helper.maxDepth = 1;
  helper.update();
  expect(litPixels(scene)).toBeLessThan(grown);
  helper.minDepth = 99;
  helper.update();
  expect(litPixels(scene)).toBe(0);
  helper.dispose();
});
