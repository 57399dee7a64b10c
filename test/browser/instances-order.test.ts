// Instances that overlap at equal depth, and instances of materials that do not write depth, show the order in which
// they are drawn.

import { Color, Matrix4, MeshBasicMaterial, PlaneGeometry, type Camera, type MeshBasicMaterialParameters } from 'three';
import { describe, expect, it } from 'vitest';
import { createInstanceTwins, type InstanceTwins } from '../support/instance-twins.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, expectEqualPictures, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 400;
/** From left to right, and back. */
const cameras = [-12, 0, 12, -3].map((x) => createCamera([x, 0, 20], [x, 0, 0]));

/** Overlapping squares in one plane, each with its own colour. */
function squares(seed: number, parameters: MeshBasicMaterialParameters = {}): InstanceTwins {
  const twins = createInstanceTwins(COUNT, () => ({
    geometry: new PlaneGeometry(4, 4),
    material: new MeshBasicMaterial(parameters),
  }));
  twins.change(seed, (instances, random) => {
    for (let id = 0; id < COUNT; id++) {
      instances.setMatrixAt(id, new Matrix4().makeTranslation(random.between(-30, 30), random.between(-10, 10), 0));
      instances.setColorAt(id, new Color(random.below(2 ** 24)));
    }
  });
  return twins;
}

const MATERIALS: [string, MeshBasicMaterialParameters][] = [
  ['plain', {}],
  ['without depth', { depthWrite: false }],
];

describe('overlapping instances look like those of an InstancedMesh, while the camera moves and instances change', () => {
  const renderer = useRenderer();

  it.each(MATERIALS)('drawn by WebGLRenderer, with a material that is %s', (_, parameters) => {
    const twins = squares(1, parameters);
    for (const [k, camera] of cameras.entries()) {
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1));
      twins.change(k, (instances, random) => {
        for (let step = 0; step < 40; step++)
          instances.setMatrixAt(
            random.below(COUNT),
            new Matrix4().makeTranslation(random.between(-30, 30), random.between(-10, 10), 0),
          );
      });
    }
    expect(twins.instances.drawsInOrder).toBe(false);
  });

  describe.each(BACKENDS)('drawn by WebGPURenderer with the %s backend', (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    it.runIf(isTested).each(MATERIALS)('with a material that is %s', async (_, parameters) => {
      const twins = squares(2, parameters);
      for (const camera of cameras as readonly Camera[]) await expectEqualPictures(get(), twins, camera);
    });
  });
});
