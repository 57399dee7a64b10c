// Shadow maps of WebGPURenderer that are drawn only when they change, on both of its backends.

import { DirectionalLight, RenderTarget, type Camera, type LightShadow } from 'three';
import { CSMShadowNode } from 'three/addons/csm/CSMShadowNode.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { InstanceChanges, ShadowUpdates } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import { changesOf } from '../support/shadow-histories.ts';
import { camera, createFullTown, createTown, differences, type Town } from '../support/shadow-towns.ts';
import { createCamera } from '../support/three-pictures.ts';
import { BACKENDS, hasWebGPU, nextFrame, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 128;
afterEach(() => void vi.restoreAllMocks());

describe.each(BACKENDS)('WebGPURenderer with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  const frames = (forceWebGL && hasWebGPU ? 60 : 200) / (IS_LONG ? 1 : 10);

  /** A frame of the page: the renderer draws the map of a light once in each. */
  async function picture({ scene }: Town, view: Camera = camera): Promise<Uint32Array> {
    const renderer = get();
    const target = new RenderTarget(EDGE, EDGE);
    await nextFrame();
    renderer.setRenderTarget(target);
    renderer.render(scene, view);
    const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
    target.dispose();
    return new Uint32Array(pixels.slice().buffer);
  }

  it.runIf(isTested)(
    `shows the pictures of maps that are always drawn in ${frames} random frames, and draws none of a town at rest`,
    async () => {
      // Batches of both towns are built in the same frames: their edges differ from those of single meshes.
      vi.spyOn(clock, 'now').mockReturnValue(0);
      const towns = [createFullTown(5), createFullTown(5)] as const;
      const [{ group, houses, trees }] = towns;
      const shadows = new ShadowUpdates(towns[0].scene, get(), [group, houses, new InstanceChanges(trees)]);
      const random = createRandom(5);
      let stillFrames = 0;
      let kept = 0;
      for (let frame = 0; frame < frames; frame++) {
        const changes = frame < 4 ? [] : changesOf(random);
        towns.forEach((town) => changes.forEach((change) => change(town)));
        expect([frame, differences(await picture(towns[0]), await picture(towns[1]))]).toEqual([frame, 0]);
        if (changes.length > 0 || frame < 5) continue;
        stillFrames++;
        kept += Number(shadows.due.length === 0);
      }
      // After a change of a camera or a level the next frame may draw too.
      expect(kept).toBeGreaterThan(0.5 * stillFrames);
      shadows.dispose();
      for (const town of towns) expect(town.lights.map(({ shadow }) => shadow.autoUpdate)).toEqual(Array(4).fill(true));
    },
    400_000,
  );

  it.runIf(isTested && (IS_LONG || forceWebGL))(
    'draws the cascades of a CSMShadowNode that change, and all of them when the camera or the light moves',
    async () => {
      const view = createCamera([0, 20, 40], [0, 0, 0], 120);
      const towns = [createTown(6), createTown(6)] as const;
      const nodes = towns.map(({ scene, lights }) => {
        scene.remove(...lights);
        const light = new DirectionalLight(0xffffff, 2);
        light.position.set(10, 20, 10);
        light.castShadow = true;
        light.shadow.mapSize.set(128, 128);
        const node = new CSMShadowNode(light, { cascades: 3, maxFar: 90, lightMargin: 40 });
        (light.shadow as { shadowNode?: object }).shadowNode = node;
        scene.add(light, light.target);
        return { light, node };
      });
      const shadows = new ShadowUpdates(towns[0].scene, get(), [towns[0].group]);
      const [{ light, node }] = nodes;
      const shadowsOf = (): LightShadow[] => node.lights.map(({ shadow }) => shadow as LightShadow);
      /** Returns the numbers of the cascades that were drawn. */
      const step = async (change: (town: Town, k: number) => void = () => {}): Promise<number[]> => {
        towns.forEach(change);
        const drawn = new Set<object>();
        const stops = shadowsOf().map((shadow) => {
          const spy = vi.spyOn(shadow, 'updateMatrices');
          return () => {
            if (spy.mock.calls.length > 0) drawn.add(shadow);
            spy.mockRestore();
          };
        });
        expect(differences(await picture(towns[0], view), await picture(towns[1], view))).toBe(0);
        stops.forEach((stop) => stop());
        return shadowsOf().flatMap((shadow, k) => (drawn.has(shadow) ? [k] : []));
      };
      const settle = async (): Promise<void> => {
        for (let k = 0; k < 4; k++) await step();
        expect(await step()).toEqual([]);
        expect(shadows.due).toEqual([]);
      };
      await settle();
      // Near the camera, and far from it.
      expect(await step(({ group }) => group.children[2].position.set(0, 14, 32))).toContain(0);
      expect(shadows.due).toEqual([light]);
      await settle();
      const far = await step(({ group }) => group.children[3].position.set(0, 3, -20));
      await settle();
      const moved = await step(({ group }) => void (group.children[3].position.x += 1));
      expect(far.length).toBeGreaterThan(0);
      expect(moved.length).toBeLessThan(3);
      await settle();
      for (let k = 0; k < 3; k++) {
        view.position.x += 0.7;
        view.updateMatrixWorld();
        expect(await step()).toEqual([0, 1, 2]);
      }
      await settle();
      expect(await step((_, k) => void (nodes[k].light.position.x += 4))).toEqual([0, 1, 2]);
      await settle();
      expect(await step((_, k) => void (nodes[k].light.target.position.z += 4))).toEqual([0, 1, 2]);
      await settle();
      expect(await step((_, k) => void (nodes[k].node.lightMargin = 50))).toEqual([0, 1, 2]);
      await settle();
      const wider = await step((_, k) => {
        nodes[k].node.maxFar = 60;
        nodes[k].node.updateFrustums();
      });
      expect(wider).toEqual([0, 1, 2]);
      await settle();
      shadows.dispose();
      expect(shadowsOf().map(({ autoUpdate }) => autoUpdate)).toEqual([true, true, true]);
      expect(await step()).toEqual([0, 1, 2]);
    },
    200_000,
  );
});
