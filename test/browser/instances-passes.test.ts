// Shadows of OctreeInstances, and several cameras in a frame: the picture must be that of an InstancedMesh with the
// same instances.

import {
  ArrayCamera,
  BasicShadowMap,
  Color,
  CubeCamera,
  DoubleSide,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  PCFShadowMap,
  PlaneGeometry,
  Scene,
  SphereGeometry,
  Vector4,
  VSMShadowMap,
  WebGLCubeRenderTarget,
  type ShadowMapType,
} from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { describe, expect, it } from 'vitest';
import { createBoxes, scatterInstances, type InstanceTwins } from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { addShadowLights, directional, point, spot, type ShadowLight } from '../support/shadow-lights.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';

const REACH = 40;
const COUNT = 400;
const renderer = useRenderer();
const other = useRenderer();
const camera = createCamera();

/** One pass of the main camera. */
const once = (twin: Twin): void => renderer.render(twin.scene, camera);

/** Draw calls of a frame. */
function callsOf(draw: () => void): number {
  renderer.info.reset();
  draw();
  return renderer.info.render.calls;
}

/** Shadow casters, most of them off the screen, and a floor that shows their shadows. */
function shadows(seed: number, createLights: () => ShadowLight[], count = 150): InstanceTwins {
  const twins = createBoxes(seed, count, REACH);
  twins.change(seed, (instances) => (instances.castShadow = instances.receiveShadow = true));
  twins.each(({ scene }) => addShadowLights(scene, createLights()));
  return twins;
}

describe('shadows of OctreeInstances, with casters off the screen, are those of an InstancedMesh', () => {
  const lights: [string, () => ShadowLight[]][] = [
    ['directional', () => [directional()]],
    ['spot', () => [spot()]],
    ['point', () => [point()]],
    ['all three', () => [directional(), spot(), point()]],
  ];
  it.each(lights)('%s', (_, createLights) => {
    const twins = shadows(20, createLights);
    expectEqual(compare(renderer, twins, once));
    twins.change(21, (instances, random) => scatterInstances(instances, random, 150, REACH));
    expectEqual(compare(renderer, twins, once));
    twins.change(21, (instances) => (instances.castShadow = false));
    expectEqual(compare(renderer, twins, once));
  });

  it.each([
    ['basic', BasicShadowMap],
    ['VSM', VSMShadowMap],
  ] as [string, ShadowMapType][])('of type %s', (_, type) => {
    renderer.shadowMap.type = type;
    expectEqual(
      compare(
        renderer,
        shadows(22, () => [directional(), spot()]),
        once,
      ),
    );
    renderer.shadowMap.type = PCFShadowMap;
  });

  it('have the shape that customDepthMaterial gives them', () => {
    const twins = shadows(25, () => [directional(), spot()]);
    twins.change(26, (instances) => {
      const material = new MeshDepthMaterial();
      material.onBeforeCompile = (shader) => {
        shader.vertexShader = shader.vertexShader.replace(
          '#include <begin_vertex>',
          '#include <begin_vertex>\ntransformed *= 2.0;',
        );
      };
      instances.customDepthMaterial = material;
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('fall from casters that the camera does not see', () => {
    const twins = shadows(23, () => [directional()]);
    expect(callsOf(() => once(twins.octree))).toBe(3);
    twins.change(24, (instances) => (instances.receiveShadow = false));
    expectEqual(compare(renderer, twins, once));
    twins.change(24, (instances) => (instances.receiveShadow = true));
    const without = shadows(23, () => [directional()]);
    without.mesh.castShadow = false;
    expect(compare(renderer, { ...twins, plain: without.plain }, once).differingPixels).toBeGreaterThan(100);
  });
});

describe('several cameras in a frame see OctreeInstances as they see an InstancedMesh', () => {
  it('two viewports', () => {
    const views = [camera, createCamera([0, 5, 0], [-1, 0, 0])];
    const result = compare(renderer, createBoxes(30, COUNT, REACH), ({ scene }) => {
      renderer.setScissorTest(true);
      views.forEach((view, k) => {
        renderer.getRenderTarget()!.viewport.set(64 * k, 0, 64, 128);
        renderer.getRenderTarget()!.scissor.set(64 * k, 0, 64, 128);
        renderer.setRenderTarget(renderer.getRenderTarget());
        renderer.render(scene, view);
      });
      renderer.setScissorTest(false);
    });
    expectEqual(result);
  });

  it('an ArrayCamera', () => {
    const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
    parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
    const array = new ArrayCamera(parts);
    expectEqual(compare(renderer, createBoxes(31, COUNT, REACH), ({ scene }) => renderer.render(scene, array)));
  });

  it('a CubeCamera for a mirror, in the callback of another object, with shadows', () => {
    const twins = shadows(32, () => [directional(), point()]);
    const reflection = new WebGLCubeRenderTarget(64);
    const eyes = new CubeCamera(0.1, 60, reflection);
    twins.each(({ scene }) => {
      const mirror = new Mesh(new SphereGeometry(3, 16, 12), new MeshBasicMaterial({ envMap: reflection.texture }));
      mirror.position.set(9, 0, 0);
      mirror.onBeforeRender = () => {
        mirror.visible = false;
        eyes.update(renderer, scene);
        mirror.visible = true;
      };
      scene.add(mirror);
    });
    expectEqual(compare(renderer, twins, once));
  });

  it('a Reflector, which renders the scene while it is being rendered', () => {
    const twins = createBoxes(33, COUNT, REACH);
    twins.each(({ scene }) => {
      const reflector = new Reflector(new PlaneGeometry(60, 60), { textureWidth: 128, textureHeight: 128 });
      reflector.rotation.x = -Math.PI / 2;
      reflector.position.set(20, -6, 0);
      scene.add(reflector);
    });
    const result = compare(renderer, twins, once);
    expectEqual(result);
    expect(result.calls[1]).toBe(3);
  });

  it('a camera that renders in the callback of the instances themselves', () => {
    const other = createCamera([0, 5, 0], [-1, 0, 0]);
    let depth = 0;
    const twins = createBoxes(34, COUNT, REACH);
    twins.each(({ scene, group }) => {
      group.children[0].onBeforeRender = () => {
        if (depth > 0) return;
        depth++;
        const target = renderer.getRenderTarget();
        renderer.render(scene, other);
        renderer.setRenderTarget(target);
        depth--;
      };
    });
    expectEqual(compare(renderer, twins, once));
  });
});

it('levels of detail are drawn by distance, each in one draw call; shadows show shadowLevel', () => {
  const twins = shadows(40, () => [directional()], 800);
  twins.instances
    .addLevel(new SphereGeometry(1, 8, 6), 20)
    .addLevel(new PlaneGeometry(1, 1), 30, 0.1, new MeshBasicMaterial({ side: DoubleSide }));
  expect(callsOf(() => once(twins.octree))).toBe(1 + 3 + 3);
  twins.instances.shadowLevel = 2;
  expect(callsOf(() => once(twins.octree))).toBe(1 + 3 + 1);
  twins.instances.shadowLevel = 0;
  // Level 0 is the boxes: the same shadows as without levels.
  const { differingPixels } = compare(renderer, twins, ({ scene, group }) => {
    group.children[0].layers.set(5);
    renderer.render(scene, camera);
  });
  expect(differingPixels).toBe(0);
});

const SECOND_SCENES: readonly [string, boolean][] = [
  ['the scene', false],
  ['a scene above it', true],
];
it.each(sampleFrom(SECOND_SCENES, 2, 1))(
  'each of two renderers draws all that has changed since its own last frame: the second %s',
  (_, isAbove) => {
    const twins = shadows(60, () => [directional()], 1500);
    twins.each(({ scene }) => new Scene().add(scene));
    const random = createRandom(61);
    // It sees all: few of many slots change.
    const view = createCamera([100, 20, 0], [0, 0, 0], 200);
    for (let frame = 0; frame < 30; frame++) {
      twins.change(100 + frame, (instances, own) => {
        const id = own.below(1500);
        instances.setMatrixAt(id, new Matrix4().makeTranslation(30, own.between(-20, 20), own.between(-20, 20)));
        instances.setColorAt(id, new Color(own.below(2 ** 24)));
      });
      const drawer = random.pick([renderer, other]);
      const draw = ({ scene }: Twin): void => drawer.render(isAbove && drawer === other ? scene.parent! : scene, view);
      expectEqual(compare(drawer, twins, draw, 1));
    }
  },
);
