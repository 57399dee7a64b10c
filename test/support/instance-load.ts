/** 100,000 boxes in two scenes: as a `BatchedMesh` of three, which culls each instance, and as `OctreeInstances`. */

import { BatchedMesh, BoxGeometry, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';
import { OctreeInstances } from '../../src/three.ts';
import { randomMatrix } from './instance-twins.ts';
import { createRandom } from './random.ts';

export const COUNT = 100_000;
const REACH = 500;
/** Share of the instances that the camera sees, and its field of view in degrees. */
export const SHARES: [string, number][] = [
  ['1 %', 9],
  ['10 %', 29],
  ['50 %', 60],
];

export interface Load {
  readonly batched: Scene;
  readonly instanced: Scene;
}

export function createLoad(): Load {
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
  return { batched: new Scene().add(batch), instanced: new Scene().add(instances) };
}

/**
 * Measures the speed of `OctreeInstances` relative to `BatchedMesh`, by the fastest frame of each, and prints both
 * times. Slower frames were disturbed by other work.
 *
 * @param timeOf Returns the milliseconds of `renderer.render`. It waits until the drawing is done, which is not
 *   included.
 */
export async function measureGain(
  what: string,
  { batched, instanced }: Load,
  fov: number,
  isMoving: boolean,
  frames: number,
  timeOf: (scene: Scene, camera: PerspectiveCamera) => number | Promise<number>,
): Promise<number> {
  const camera = new PerspectiveCamera(fov, 1, 0.1, 5000);
  camera.position.x = -1.2 * REACH;
  camera.rotation.y = -Math.PI / 2;
  const best = { batched: Infinity, octree: Infinity };
  for (let frame = 0; frame < frames; frame++) {
    if (isMoving) {
      camera.position.x++;
      camera.rotation.y += 0.01;
    }
    const times = { batched: await timeOf(batched, camera), octree: await timeOf(instanced, camera) };
    // The first frame creates the buffers.
    if (frame === 0) continue;
    best.batched = Math.min(best.batched, times.batched);
    best.octree = Math.min(best.octree, times.octree);
  }
  const gain = best.batched / best.octree;
  const how = `${what} of ${COUNT} instances, camera ${isMoving ? 'moving' : 'still'}`;
  console.log(
    `${how}: BatchedMesh ${best.batched.toFixed(2)} ms, octree ${best.octree.toFixed(2)} ms, ${gain.toFixed(1)} times faster`,
  );
  return gain;
}
