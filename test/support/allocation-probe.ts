// Prints how many bytes of heap a call takes, once it is warm. Run compiled, by itself, with --expose-gc and a young generation too large to be collected meanwhile.

import { Box3, Frustum, Matrix4, PerspectiveCamera, Ray, Sphere, Vector3 } from 'three';
import { IndexList, Octree } from '../../src/index.ts';
import { createRandom } from './random.ts';

const COUNT = 20_000;
const CALLS = 20_000;
const ROUNDS = 5;
const collectGarbage = (globalThis as { gc?: () => void }).gc!;
const random = createRandom(1);

/** Boxes or spheres in a cube of 1000. */
function fill(kind: 'box' | 'sphere'): Octree {
  const octree = new Octree();
  const bounds = Array.from({ length: COUNT }, () => {
    const [x, y, z, size] = [random.between(0, 1000), random.between(0, 1000), random.between(0, 1000), random.between(0.5, 4)];
    return kind === 'box' ? [x - size, y - size, z - size, x + size, y + size, z + size] : [x, y, z, size];
  });
  octree.insertMany(Float64Array.from(bounds.flat()), { kind });
  octree.update();
  return octree;
}

/** The least of some rounds: in the others the engine may still have been at work on the code. */
function bytesOf(ask: () => void, calls = CALLS): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < calls; k++) ask();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}

const camera = new PerspectiveCamera(60, 1, 1, 800);
camera.position.set(500, 500, 500);
camera.updateMatrixWorld();
const frustum = new Frustum().setFromProjectionMatrix(new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
const ray = new Ray(new Vector3(0, 500, 500), new Vector3(1, 0.01, 0.02));
const box = new Box3(new Vector3(100, 100, 100), new Vector3(200, 200, 200));
const sphere = new Sphere(new Vector3(500, 500, 500), 60);
const point = new Vector3(300, 300, 300);
const list = new IndexList(COUNT);

const bytes: Record<string, number> = {};
for (const kind of ['box', 'sphere'] as const) {
  const octree = fill(kind);
  bytes[`collectFrustum, ${kind}`] = bytesOf(() => octree.collectFrustum(frustum, list));
  bytes[`collectRay, ${kind}`] = bytesOf(() => octree.collectRay(ray, list));
  bytes[`collectBox, ${kind}`] = bytesOf(() => octree.collectBox(box, list));
  bytes[`collectSphere, ${kind}`] = bytesOf(() => octree.collectSphere(sphere, list));
  bytes[`collectPoint, ${kind}`] = bytesOf(() => octree.collectPoint(point, list));
  bytes[`collectNearest, ${kind}`] = bytesOf(() => octree.collectNearest(point, 8, list));
  bytes[`collectPairs, ${kind}`] = bytesOf(() => octree.collectPairs(list), 200);
}
// One page of many: strict placement keeps all that lies on the planes of the root.
const piled = new Octree({ looseness: 1, region: { min: { x: -512, y: -512, z: -512 }, edge: 1024 } });
piled.insertMany(Float64Array.from(Array.from({ length: 200 }, (_, k) => [2 * k - 200, -1, -1, 2 * k - 199, 1, 1]).flat()), { kind: 'box' });
bytes['collectPairs, piled'] = bytesOf(() => piled.collectPairs(list), 2000);
console.log(JSON.stringify(bytes));
