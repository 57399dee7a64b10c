// Prints the heap bytes that each call allocates after warm-up. It has to run as built JavaScript in a process of its own, with
// --expose-gc and with a young generation so large that no collection happens meanwhile.

import { Box3, Frustum, Matrix4, PerspectiveCamera, Ray, Sphere, Vector3 } from 'three';
import { IndexList, Octree } from '../../src/index.ts';
import { createRandom } from './random.ts';

const COUNT = 20_000;
const CALLS = 20_000;
const ROUNDS = 5;
const collectGarbage = (globalThis as { gc?: () => void }).gc!;
const random = createRandom(1);

/** An octree of boxes or spheres in a cube of edge 1000. */
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

/** Bytes per call: the minimum of the rounds, because in the others V8 may have allocated while it compiled. */
function bytesOf(query: () => void, calls = CALLS): number {
  let min = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < calls; k++) query();
    min = Math.min(min, (process.memoryUsage().heapUsed - before) / calls);
  }
  return min;
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
// One node with many bodies: with looseness 1 every body on a splitting plane of the root stays in the root.
const piled = new Octree({ looseness: 1, region: { min: { x: -512, y: -512, z: -512 }, edge: 1024 } });
piled.insertMany(Float64Array.from(Array.from({ length: 200 }, (_, k) => [2 * k - 200, -1, -1, 2 * k - 199, 1, 1]).flat()), { kind: 'box' });
bytes['collectPairs, piled'] = bytesOf(() => piled.collectPairs(list), 2000);
console.log(JSON.stringify(bytes));
