// Shadow maps of WebGPURenderer that are drawn only when they change, on both of its backends.

import { Mesh, RenderTarget, type Light } from 'three';
import { describe, expect, it } from 'vitest';
import { ShadowUpdates } from '../../src/three/index.ts';
import { createRandom } from '../support/random.ts';
import { camera, createTown, differences, type Town } from '../support/shadow-towns.ts';
import { BACKENDS, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 128;
const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

describe.each(BACKENDS)('WebGPURenderer with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  /** A frame of the page: the renderer draws the map of a light once in each. */
  async function picture({ scene }: Town): Promise<Uint32Array> {
    const renderer = get();
    const target = new RenderTarget(EDGE, EDGE);
    await nextFrame();
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
    target.dispose();
    return new Uint32Array(pixels.slice().buffer);
  }

  it.runIf(isTested)(
    'shows the pictures of maps that are always drawn, and draws none of a still town',
    async () => {
      const towns = [createTown(5), createTown(5)] as const;
      const shadows = new ShadowUpdates(towns[0].scene, get(), [towns[0].group]);
      const random = createRandom(5);
      const step = async (change: (town: Town) => void): Promise<number> => {
        towns.forEach(change);
        return differences(await picture(towns[0]), await picture(towns[1]));
      };
      const due: Light[][] = [];
      for (let frame = 0; frame < 40; frame++) {
        const [k, x, z] = [random.below(70), random.between(-22, 22), random.between(-22, 22)];
        const kind = frame < 4 || frame % 4 === 3 ? -1 : random.below(5);
        const change = (town: Town): void => {
          const thing = town.group.children[k];
          if (kind === 0) thing.position.set(x, 2, z);
          if (kind === 1) thing.visible = !thing.visible;
          if (kind === 2) thing.removeFromParent();
          if (kind === 3) town.lights[k % 4].position.x += 1;
          if (kind === 4 && thing instanceof Mesh) thing.material = town.materials[k % 6];
        };
        expect([frame, kind, await step(change)]).toEqual([frame, kind, 0]);
        if (kind === -1 && frame > 3) due.push([...shadows.due]);
      }
      expect(due.filter(({ length }) => length === 0).length).toBeGreaterThan(4);
    },
    120_000,
  );
});
