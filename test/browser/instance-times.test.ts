// What a frame costs the processor: 100,000 boxes as a BatchedMesh of three, which culls each, and as OctreeInstances.

import { BatchedMesh, BoxGeometry, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';
import { expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three/index.ts';
import { randomMatrix } from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import { useRenderer } from '../support/three-pictures.ts';

const COUNT = 100_000;
const REACH = 500;
const renderer = useRenderer();
renderer.setSize(64, 64, false);

const [batched, instanced] = createScenes();

function createScenes(): Scene[] {
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  const batch = new BatchedMesh(COUNT, 24, 36, material);
  const box = batch.addGeometry(geometry);
  const instances = new OctreeInstances(geometry, material, COUNT);
  const random = createRandom(1);
  for (let id = 0; id < COUNT; id++) {
    const matrix = randomMatrix(random, REACH);
    batch.setMatrixAt(batch.addInstance(box), matrix);
    instances.setMatrixAt(id, matrix);
  }
  return [new Scene().add(batch), new Scene().add(instances)];
}

/** Milliseconds of `renderer.render`, without the drawing itself. */
function timeOf(scene: Scene, camera: PerspectiveCamera): number {
  const start = performance.now();
  renderer.render(scene, camera);
  const time = performance.now() - start;
  renderer.getContext().finish();
  return time;
}

it.each([
  ['1 %', 9, 12],
  ['10 %', 29, 8],
  ['50 %', 60, 6],
])('renders %s of 100,000 instances at a fraction of the time of a BatchedMesh', (share, fov, frames) => {
  for (const isMoving of [false, true]) {
    const camera = new PerspectiveCamera(fov, 1, 0.1, 5000);
    camera.position.x = -1.2 * REACH;
    camera.rotation.y = -Math.PI / 2;
    const best = { batched: Infinity, octree: Infinity };
    for (let frame = 0; frame < frames; frame++) {
      if (isMoving) {
        camera.position.x++;
        camera.rotation.y += 0.01;
      }
      const times = { batched: timeOf(batched, camera), octree: timeOf(instanced, camera) };
      // The first frame makes the buffers.
      if (frame === 0) continue;
      best.batched = Math.min(best.batched, times.batched);
      best.octree = Math.min(best.octree, times.octree);
    }
    const ratio = best.batched / best.octree;
    const what = `${share} of ${COUNT} instances, camera ${isMoving ? 'moving' : 'still'}`;
    console.log(`${what}: BatchedMesh ${best.batched.toFixed(2)} ms, octree ${best.octree.toFixed(2)} ms, ${ratio.toFixed(1)} times faster`);
    expect(ratio).toBeGreaterThan(3);
  }
});
