// Every kind of render pass: OctreeInstances must give the picture of an InstancedMesh that draws all of its instances, to the last pixel.

import {
  AmbientLight, BoxGeometry, DirectionalLight, MeshLambertMaterial, OrthographicCamera,
} from 'three';
import { describe, expect, it } from 'vitest';
import { colorInstances, createInstanceTwins, scatterInstances, type InstanceTwins } from '../support/instance-twins.ts';
import { compare, createCamera, useRenderer, type Comparison } from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';

const REACH = 40;
const COUNT = 400;
const renderer = useRenderer();
const camera = createCamera();

/** One pass of the main camera. */
const once = (twin: Twin): void => renderer.render(twin.scene, camera);

function expectEqual({ differingPixels, drawnPixels }: Comparison): void {
  expect({ differingPixels, isDrawn: drawnPixels > 200 }).toEqual({ differingPixels: 0, isDrawn: true });
}

/** Coloured boxes in the light. */
function boxes(seed: number, count = COUNT): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({ geometry: new BoxGeometry(2, 1, 3), material: new MeshLambertMaterial() }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, count, REACH);
    colorInstances(instances, random, count);
  });
  twins.each(({ scene }) => scene.add(new DirectionalLight(0xffffff, 2), new AmbientLight(0xffffff, 0.5)));
  return twins;
}

/** How many instances the view of a camera has drawn, and in how many calls. */
function drawn(draw: () => void): { calls: number; instances: number } {
  renderer.info.reset();
  draw();
  return { calls: renderer.info.render.calls, instances: renderer.info.render.triangles / 12 };
}

describe('the picture of OctreeInstances is that of an InstancedMesh', () => {
  it('with colours, in one call that draws a part of the instances', () => {
    const twins = boxes(1);
    expectEqual(compare(renderer, twins, once));
    const { calls, instances } = drawn(() => once(twins.octree));
    expect(calls).toBe(1);
    expect(instances).toBeGreaterThan(10);
    expect(instances).toBeLessThan(COUNT / 3);
  });

  it('from twenty places, with an orthographic camera too', () => {
    const twins = boxes(2);
    const orthographic = new OrthographicCamera(-15, 15, 15, -15, 0, 80);
    for (let k = 0; k < 20; k++) {
      const view = k % 2 === 0 ? createCamera([k - 10, 3, 20 - 2 * k], [0, 0, 0]) : orthographic;
      if (k % 2 === 1) {
        orthographic.position.set(20 - k, k, 25);
        orthographic.lookAt(0, 0, 0);
        orthographic.updateMatrixWorld();
      }
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, view), 1));
    }
  });
});
