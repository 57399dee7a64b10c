// CPU time of a frame with meshes that move, each with a material of its own, 500 geometries and a shadow: posed chunks
// compared with the group alone.

import { BoxGeometry, Color, DirectionalLight, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { byMajority } from '../support/by-majority.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { meanOfFastest, useTimedRenderer } from '../support/timed-renderer.ts';
import { nextFrame, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const { renderer, waitForDrawing } = useTimedRenderer();
const onWebGPU = useWebGPURenderer('WebGL', true);
const camera = new PerspectiveCamera(75, 1, 0.1, 650);
camera.position.z = 90;
const FRAMES = 60;

interface Town {
  readonly scene: Scene;
  readonly group: OctreeGroup;
  readonly meshes: readonly Mesh[];
}

function town(count: number): Town {
  const random = createRandom(1);
  const geometries = Array.from({ length: 500 }, () => new BoxGeometry(random.between(1, 3), 1, random.between(1, 3)));
  const meshes = Array.from({ length: count }, (_, k) => {
    const mesh = new Mesh(geometries[k % 500], new MeshStandardMaterial({ color: new Color(random.next(), 1, 0) }));
    mesh.position.set(random.between(-50, 50), random.between(-50, 50), random.between(-50, 50));
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
  const group = new OctreeGroup().add(...meshes);
  const sun = new DirectionalLight(0xffffff, 3);
  sun.position.set(0, 99, 20);
  sun.castShadow = true;
  Object.assign(sun.shadow.camera, { left: -90, right: 90, top: 90, bottom: -90, far: 300 });
  return { scene: new Scene().add(group, sun), group, meshes };
}

function move({ meshes }: Town, share: number, step: number): void {
  for (let k = 0; k < meshes.length; k += share) {
    meshes[k].position.x += 0.2 * Math.sin(step / 9 + k);
    meshes[k].rotation.y += 0.02;
  }
}

// Measured: 0.31, 0.22, 0.11 and 0.11; 0.23 of 300 meshes by WebGPURenderer, which draws a rectangle more, onto the
// canvas.
const TOWNS = [
  ['WebGLRenderer', 300, 1, 0.7],
  ['WebGLRenderer', 2000, 1, 0.4],
  ['WebGLRenderer', 2000, 10, 0.3],
  ['WebGPURenderer', 2000, 1, 0.3],
] as const;
it.each(sampleFrom(TOWNS, 2, 1))(
  '%s draws %i meshes of which one in %i moves in less than %f of the time of the group alone, in at most 4 calls',
  byMajority(async (kind, count, share, limit) => {
    const isWebGPU = kind === 'WebGPURenderer';
    const by = isWebGPU ? onWebGPU.get() : renderer;
    const towns = { alone: town(count), posed: town(count) };
    const batches = new StaticBatches(towns.posed.group, { posesMovers: true });
    for (let k = 0; k < 250; k++) {
      move(towns.posed, share, k);
      towns.posed.scene.updateMatrixWorld();
      await Promise.resolve();
    }
    const { posed, batched } = batches.report();
    expect([posed, batched]).toEqual([Math.ceil(count / share), count]);
    const times = { alone: [] as number[], posed: [] as number[] };
    let calls = 0;
    for (let frame = -20; frame < FRAMES; frame++)
      for (const name of ['alone', 'posed'] as const) {
        move(towns[name], share, frame);
        // In which WebGPURenderer draws each shadow map once.
        await (isWebGPU ? nextFrame() : Promise.resolve());
        by.info.reset();
        const start = performance.now();
        by.render(towns[name].scene, camera);
        if (frame >= 0) times[name].push(performance.now() - start);
        calls = isWebGPU ? onWebGPU.get().info.render.drawCalls : renderer.info.render.calls;
        if (!isWebGPU) waitForDrawing();
      }
    const [alone, own] = [times.alone, times.posed].map((all) => meanOfFastest(all, FRAMES / 4));
    console.log(
      `${kind}, ${count}, one in ${share} moves: alone ${alone.toFixed(2)}, posed ${own.toFixed(2)} ms, ${calls} calls`,
    );
    expect(calls - Number(isWebGPU)).toBeLessThanOrEqual(4);
    expect(own / alone).toBeLessThan(limit);
    batches.dispose();
  }),
);
