// Motion vectors: the previous matrix of an instance must be its own, also after it has moved to another draw slot.

import {
  AmbientLight,
  BoxGeometry,
  FloatType,
  Matrix4,
  MeshBasicMaterial,
  RenderTarget,
  type PerspectiveCamera,
} from 'three';
import { mrt, output, velocity } from 'three/tsl';
import type { WebGPURenderer } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import {
  createInstanceTwins,
  scatterInstances,
  type Instances,
  type InstanceTwins,
} from '../support/instance-twins.ts';
import { createCamera } from '../support/three-pictures.ts';
import type { Random } from '../support/random.ts';
import { BACKENDS, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 96;
const REACH = 30;

/** The motion vectors of a frame: two numbers for each pixel. */
async function motionOf(
  renderer: WebGPURenderer,
  target: RenderTarget,
  twin: InstanceTwins['plain'],
  camera: PerspectiveCamera,
): Promise<Float32Array> {
  // The renderer counts a frame for each of the browser's, and takes what it has drawn in the frame before.
  await new Promise(requestAnimationFrame);
  renderer.setRenderTarget(target);
  renderer.setMRT(mrt({ output, velocity }));
  renderer.render(twin.scene, camera);
  renderer.setMRT(null);
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE, 1)) as Float32Array;
  return pixels.slice();
}

function createTarget(): RenderTarget {
  const target = new RenderTarget(EDGE, EDGE, { count: 2, type: FloatType });
  target.textures[0].name = 'output';
  target.textures[1].name = 'velocity';
  return target;
}

function shift(instances: Instances, random: Random, count: number, share: number): void {
  const matrix = new Matrix4();
  for (let id = 0; id < count; id++) {
    if (random.next() > share) continue;
    instances.getMatrixAt(id, matrix);
    matrix.elements[12] += random.between(-1, 1);
    matrix.elements[13] += random.between(-1, 1);
    instances.setMatrixAt(id, matrix);
  }
}

function boxes(count: number, seed: number): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({
    geometry: new BoxGeometry(2, 1, 3),
    material: new MeshBasicMaterial(),
  }));
  twins.change(seed, (instances, random) => scatterInstances(instances, random, count, REACH));
  twins.each(({ scene }) => scene.add(new AmbientLight()));
  return twins;
}

describe.each(BACKENDS)(
  'motion vectors of instances drawn by WebGPURenderer with the %s backend',
  (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    /**
     * Draws `frames` frames of both twins, each changed by `change`, and returns the greatest difference of a motion
     * vector in any of them.
     */
    async function compareMotion(
      twins: InstanceTwins,
      frames: number,
      change: (frame: number, cameras: readonly PerspectiveCamera[]) => void,
    ): Promise<number> {
      const renderer = get();
      const cameras = [createCamera(), createCamera()];
      const targets = [createTarget(), createTarget()];
      let worst = 0;
      let moving = 0;
      for (let frame = 0; frame < frames; frame++) {
        change(frame, cameras);
        for (const camera of cameras) camera.updateMatrixWorld();
        const plain = await motionOf(renderer, targets[0], twins.plain, cameras[0]);
        const octree = await motionOf(renderer, targets[1], twins.octree, cameras[1]);
        plain.forEach((value, k) => {
          // The background has no motion: three divides 0 by 0.
          if (k % 4 >= 2 || (Number.isNaN(value) && Number.isNaN(octree[k]))) return;
          if (value !== 0) moving++;
          const difference = Math.abs(value - octree[k]);
          worst = Math.max(worst, Number.isNaN(difference) ? Infinity : difference);
        });
      }
      for (const target of targets) target.dispose();
      renderer.setRenderTarget(null);
      expect(moving).toBeGreaterThan(1000);
      return worst;
    }

    it.runIf(isTested).each([[100], [3000]])(
      'are those of an InstancedMesh while the camera turns and some of %i instances move',
      async (count) => {
        const twins = boxes(count, 1);
        const worst = await compareMotion(twins, 5, (frame, cameras) => {
          twins.change(frame + 2, (instances, random) => shift(instances, random, count, 0.5));
          for (const camera of cameras) camera.rotation.y += 0.3;
        });
        expect(worst).toBe(0);
      },
    );

    it.runIf(isTested)(
      'are those of an InstancedMesh while the container moves and instances change between levels of detail',
      async () => {
        const twins = boxes(100, 7);
        // Another geometry of the same shape.
        for (const distance of [10, 15, 20, 25]) twins.instances.addLevel(new BoxGeometry(2, 1, 3), distance);
        const worst = await compareMotion(twins, 6, (frame, cameras) => {
          twins.change(frame + 2, (instances, random) => shift(instances, random, 100, 0.5));
          twins.each(({ group }) => {
            group.position.x = frame % 4;
            group.rotation.y = frame * 0.2;
          });
          for (const camera of cameras) camera.rotation.y += 0.3;
        });
        expect(worst).toBeLessThan(1e-4);
      },
    );

    it.runIf(isTested)('are 0 for an instance that has just been added, with an id that was in use', async () => {
      const { instances, octree } = boxes(20, 9);
      const [camera, target] = [createCamera(), createTarget()];
      for (let id = 0; id < 20; id++) instances.setMatrixAt(id, new Matrix4().makeTranslation(15, id - 10, 3));
      const moving = async (): Promise<number> =>
        (await motionOf(get(), target, octree, camera)).filter((value, k) => k % 4 < 2 && Math.abs(value) > 0).length;
      await moving();
      await moving();
      instances.deleteInstance(7).addInstance(new Matrix4().makeTranslation(15, 0, -3));
      expect(await moving()).toBe(0);
      target.dispose();
    });
  },
);
