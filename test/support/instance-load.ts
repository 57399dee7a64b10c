/** 100,000 boxes in two scenes: as a BatchedMesh of three, which culls each, and as OctreeInstances. */

import { BatchedMesh, BoxGeometry, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';
import { OctreeInstances } from '../../src/three/index.ts';
import { randomMatrix } from './instance-twins.ts';
import { createRandom } from './random.ts';

export const COUNT = 100_000;
const REACH = 500;
/** Shares that a camera sees, and its field of view for that. */
export const SHARES: [string, number][] = [['1 %', 9], ['10 %', 29], ['50 %', 60]];

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
 * How many times faster OctreeInstances are, by the best of some frames: the others were disturbed. Prints what was measured.
 *
 * @param timeOf Milliseconds of `renderer.render`; waits for the drawing, which is no part of this.
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
    // The first frame makes the buffers.
    if (frame === 0) continue;
    best.batched = Math.min(best.batched, times.batched);
    best.octree = Math.min(best.octree, times.octree);
  }
  const gain = best.batched / best.octree;
  const how = `${what} of ${COUNT} instances, camera ${isMoving ? 'moving' : 'still'}`;
  console.log(`${how}: BatchedMesh ${best.batched.toFixed(2)} ms, octree ${best.octree.toFixed(2)} ms, ${gain.toFixed(1)} times faster`);
  return gain;
}
