// ViewChanges and ShadowUpdates with WebGPURenderer, on both of its backends: what only this renderer has.

import { BufferAttribute, Mesh, RenderTarget } from 'three';
import { describe, expect, it } from 'vitest';
import { ShadowUpdates, ViewChanges } from '../../src/three.ts';
import { boxes, createTown, differences, leafOf, type Town } from '../support/shadow-towns.ts';
import { createCamera } from '../support/three-pictures.ts';
import { BACKENDS, nextFrame, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const EDGE = 64;

describe.each(BACKENDS)('WebGPURenderer with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  const camera = createCamera([0, 45, 45], [0, 0, 0], 200);

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

  function watch(town: Town): ViewChanges {
    const views = new ViewChanges(town.scene, get() as never, [town.group]);
    for (const child of town.scene.children) if (child instanceof Mesh) views.setStill(child);
    return views;
  }

  it.runIf(isTested)('shows the last shadow after two pictures of one camera in one frame of the page', async () => {
    for (const withUpdates of [false, true]) {
      const towns = [createTown(1, 20), createTown(1, 20)] as const;
      const views = watch(towns[0]);
      const target = new RenderTarget(EDGE, EDGE);
      get().setRenderTarget(target);
      const shadows = withUpdates ? new ShadowUpdates(towns[0].scene, get(), [towns[0].group]) : null;
      const renderChanged = (): boolean => {
        const isTold = views.changedIn(camera);
        if (isTold) get().render(towns[0].scene, camera);
        return isTold;
      };
      for (let k = 0; k < 4; k++) {
        await nextFrame();
        renderChanged();
      }
      await nextFrame();
      for (const x of [8, 12]) {
        for (const town of towns) leafOf(town, 0).position.set(x, 6, -12);
        expect(renderChanged()).toBe(true);
      }
      const read = async (): Promise<Uint32Array> => {
        const pixels = (await get().readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
        return new Uint32Array(pixels.slice().buffer);
      };
      const second = await read();
      let frames = 0;
      do await nextFrame();
      while (renderChanged() && ++frames < 5);
      expect(frames).toBeLessThan(4);
      const last = await read();
      const plain = await picture(towns[1]);
      // As in three, the second picture has the shadow of the first.
      expect(differences(second, plain)).toBeGreaterThan(0);
      expect(differences(last, plain)).toBe(0);
      shadows?.dispose();
      target.dispose();
    }
  });

  it.runIf(isTested)('tells of settings of the renderer, and of attributes that change their names', async () => {
    const renderer = get();
    const town = createTown(1, 20);
    const glass = leafOf(town, 1).material;
    const { uv } = boxes[0].attributes;
    const colored = leafOf(town, 2);
    colored.geometry = boxes[0].clone();
    colored.geometry.setAttribute('other', new BufferAttribute(new Float32Array(uv.count * 3), 3));
    colored.material = colored.material.clone();
    colored.material.vertexColors = true;
    colored.geometry.setAttribute('color', new BufferAttribute(new Float32Array(uv.count * 3).fill(1), 3));
    glass.transparent = true;
    const views = watch(town);
    let before = await picture(town);
    for (let k = 0; k < 3; k++) {
      views.changedIn(camera);
      before = await picture(town);
    }
    const changes: Record<string, () => void> = {
      opaque: () => void (renderer.opaque = false),
      'opaque again': () => void (renderer.opaque = true),
      transparent: () => void (renderer.transparent = false),
      'transparent again': () => void (renderer.transparent = true),
      'swapped names': () => {
        const { color, other } = colored.geometry.attributes;
        colored.geometry.setAttribute('color', other).setAttribute('other', color);
      },
    };
    for (const [change, apply] of Object.entries(changes)) {
      expect([change, views.changedIn(camera)]).toEqual([change, false]);
      apply();
      const isTold = views.changedIn(camera);
      const now = await picture(town);
      expect([change, isTold, differences(before, now) > 0]).toEqual([change, true, true]);
      before = now;
    }
  });
});
