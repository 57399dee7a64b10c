// Passes over meshes that are drawn from batches: effects that change objects between two passes, mirrors, cube and
// array cameras, layers, and groups that are mirrored or far away. The picture must be that of a plain Group.

import {
  ArrayCamera,
  CubeCamera,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshNormalMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  SphereGeometry,
  Vector2,
  Vector4,
  WebGLCubeRenderTarget,
  type Camera,
  type Material,
  type Object3D,
} from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { describe, expect, it } from 'vitest';
import { batchedTown, chunksOf, meshesOf, TOWN_KINDS, type BatchedTown } from '../support/batched-town.ts';
import { countFar, expectNear } from '../support/near-pictures.ts';
import { IS_LONG } from '../support/sampled.ts';
import { directional, point, type ShadowLight } from '../support/shadow-lights.ts';
import { aim, createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import type { Twin } from '../support/three-scenes.ts';

const EDGE = 128;
const renderer = useRenderer();
const camera = createCamera([0, 6, -32], [0, 0, 0], 90);

type Draw = (twin: Twin) => void;
const draw: Draw = ({ scene }) => renderer.render(scene, camera);

/** Draws both, three frames each, and compares each frame. */
async function expectSame({ twins }: BatchedTown, drawOne: Draw = draw): Promise<void> {
  for (let frame = 0; frame < 3; frame++) {
    const [plain, octree] = [twins.plain, twins.octree].map((twin) => readPicture(renderer, () => drawOne(twin)));
    expectNear(plain, octree);
    // The next frame is another task.
    await Promise.resolve();
  }
}

function compose(twin: Twin, prepare: (composer: EffectComposer) => void): void {
  const target = renderer.getRenderTarget();
  const composer = new EffectComposer(renderer);
  composer.setSize(EDGE, EDGE);
  composer.renderToScreen = false;
  composer.addPass(new RenderPass(twin.scene, camera));
  prepare(composer);
  composer.render(0.02);
  renderer.setRenderTarget(target);
  const quad = new FullScreenQuad(new MeshBasicMaterial({ map: composer.readBuffer.texture }));
  quad.render(renderer);
  quad.dispose();
  composer.dispose();
}

const outline: Draw = (twin) =>
  compose(twin, (composer) => {
    const chosen = meshesOf(twin).filter((_, k) => k % 10 === 0);
    const pass = new OutlinePass(new Vector2(EDGE, EDGE), twin.scene, camera, chosen);
    pass.edgeStrength = 8;
    composer.addPass(pass);
  });

const addMirror = (parent: Object3D, y: number, angle: number): void => {
  const mirror = new Reflector(new PlaneGeometry(60, 60), {
    textureWidth: EDGE,
    textureHeight: EDGE,
    multisample: 0,
  });
  mirror.rotation.x = angle;
  mirror.position.y = y;
  parent.add(mirror);
};

const drawFar =
  (eye: Camera): Draw =>
  ({ scene }) =>
    renderer.render(scene, eye);

describe.each(TOWN_KINDS)('%s meshes', (kind) => {
  function finished(seed: number, lights: readonly (() => ShadowLight)[] = [directional]): BatchedTown {
    const town = batchedTown(seed, 300, lights, kind);
    expect(town.batches.finish().report()).toMatchObject({ batched: 300, chunks: chunksOf(kind) });
    return town;
  }

  describe.runIf(IS_LONG || kind === 'merged')('effects that change objects between passes', () => {
    it('OutlinePass, which hides all but some', async () => {
      const town = finished(2);
      await expectSame(town, outline);
      // The group may have found some hidden for a render.
      await Promise.resolve();
      town.twins.octree.scene.updateMatrixWorld();
      expect(town.batches.report()).toMatchObject({ batched: 300, out: 0 });
      const [without, with_] = [draw, outline].map((each) => readPicture(renderer, () => each(town.twins.octree)));
      expect(countFar(without, with_)).toBeGreaterThan(50);
    });

    it('a selective bloom, which makes all but some black for a pass', async () => {
      const black = new MeshBasicMaterial({ color: 0 });
      const town = finished(3);
      await expectSame(town, (twin) => {
        const chosen = meshesOf(twin).filter((_, k) => k % 3 > 0);
        const before = chosen.map(({ material }) => material);
        for (const mesh of chosen) mesh.material = black;
        renderer.render(twin.scene, camera);
        chosen.forEach((mesh, k) => (mesh.material = before[k]));
        renderer.autoClear = false;
        renderer.clearDepth();
        renderer.setViewport(0, 0, EDGE / 2, EDGE);
        renderer.render(twin.scene, camera);
        renderer.setViewport(0, 0, EDGE, EDGE);
        renderer.autoClear = true;
      });
    });

    it.each<[string, Material]>([
      ['normals', new MeshNormalMaterial()],
      ['depths', new MeshDepthMaterial()],
      [
        'a transparent material',
        new MeshBasicMaterial({ color: 0xffaa55, transparent: true, opacity: 0.3, depthWrite: false }),
      ],
      ['wires', new MeshBasicMaterial({ color: 0xffffff, wireframe: true })],
    ])('a pass with an override material of %s before the picture', async (_, override) => {
      const town = finished(4);
      await expectSame(town, ({ scene }) => {
        scene.overrideMaterial = override;
        renderer.render(scene, camera);
        scene.overrideMaterial = null;
        renderer.autoClear = false;
        renderer.clearDepth();
        renderer.setViewport(0, 0, EDGE / 2, EDGE);
        renderer.render(scene, camera);
        renderer.setViewport(0, 0, EDGE, EDGE);
        renderer.autoClear = true;
      });
    });
  });

  describe.runIf(IS_LONG || kind === 'instanced')('passes of other cameras', () => {
    it('a Reflector beside the group, and one in it', async () => {
      const town = finished(5);
      town.twins.each(({ scene, group }) => {
        addMirror(scene, -6, -Math.PI / 2);
        addMirror(group, 9, Math.PI / 2);
      });
      await expectSame(town);
    });

    it('a Reflector while the batches are built, and while meshes leave them', async () => {
      const town = batchedTown(6, 1500, [directional], kind);
      town.twins.each(({ scene }) => addMirror(scene, -6, -Math.PI / 2));
      for (let round = 0; round < 4; round++) {
        await expectSame(town);
        town.change((meshes) => meshes.forEach((mesh, k) => (mesh.visible = k % 4 !== round)), false);
      }
      town.batches.finish();
      await expectSame(town);
    });

    it('a CubeCamera', async () => {
      const town = finished(7);
      const cubes = new Map(
        [town.twins.plain, town.twins.octree].map(({ scene }) => {
          const target = new WebGLCubeRenderTarget(64);
          const sphere = new Mesh(new SphereGeometry(6, 24, 16), new MeshBasicMaterial({ envMap: target.texture }));
          scene.add(sphere);
          return [scene, { cube: new CubeCamera(0.1, 90, target), sphere }] as const;
        }),
      );
      await expectSame(town, ({ scene }) => {
        const { cube, sphere } = cubes.get(scene)!;
        sphere.visible = false;
        cube.update(renderer, scene);
        sphere.visible = true;
        renderer.render(scene, camera);
      });
    });

    it('an ArrayCamera, and two cameras in a frame', async () => {
      const town = finished(8, [directional, point]);
      const eyes = [0, 1, 2, 3].map((k) => {
        const eye = new PerspectiveCamera(50, 1, 0.1, 90);
        aim(eye, [30 * Math.cos(1.5 * k), 5, 30 * Math.sin(1.5 * k)], [0, 0, 0]);
        Object.assign(eye, { viewport: new Vector4((k % 2) * 64, k < 2 ? 0 : 64, 64, 64) });
        return eye;
      });
      await expectSame(town, ({ scene }) => renderer.render(scene, new ArrayCamera(eyes)));
      await expectSame(town, ({ scene }) => {
        renderer.render(scene, eyes[1]);
        renderer.autoClear = false;
        renderer.clearDepth();
        renderer.render(scene, camera);
        renderer.autoClear = true;
      });
    });

    it('the layers of the camera', async () => {
      const town = finished(9);
      town.change((meshes) => meshes.forEach((mesh, k) => mesh.layers.set(k % 3)), false);
      await expectSame(town);
      town.batches.finish();
      expect(town.batches.report().batched).toBeGreaterThan(200);
      const own = camera.clone();
      town.twins.each(({ scene }) => scene.traverse((object) => 'isLight' in object && object.layers.enableAll()));
      for (const mask of [1, 2, 5, 7]) {
        own.layers.mask = mask;
        await expectSame(town, ({ scene }) => renderer.render(scene, own));
      }
    });
  });

  describe('groups', () => {
    it.each<[string, (group: Object3D) => void]>([
      ['mirrored', (group) => void group.scale.set(-1, 1, 1)],
      ['mirrored in all axes, and stretched', (group) => void group.scale.set(-1, -1.5, -0.7)],
      ['turned', (group) => void group.rotation.set(0.5, 1, 0.2)],
    ])('%s, before the build and after it', async (_, change) => {
      const town = batchedTown(10, 300, [directional], kind);
      town.twins.each(({ group }) => change(group));
      town.batches.finish();
      await expectSame(town);
      town.twins.each(({ group }) => void (group.scale.x *= -1));
      await expectSame(town);
      expect(town.batches.report().batched).toBe(300);
    });

    it('1e7 from the origin', async () => {
      const town = batchedTown(11, 300, [], kind);
      const far = camera.clone();
      far.position.add({ x: 1e7, y: -1e7, z: 1e7 });
      town.twins.each(({ group }) => void group.position.set(1e7, -1e7, 1e7));
      await expectSame(town, drawFar(far));
      town.batches.finish();
      await expectSame(town, drawFar(far));
      expect(town.batches.report()).toMatchObject({ batched: 300 });
    });

    it('whose meshes are 1e7 from the origin', async () => {
      const town = batchedTown(12, 300, [], kind);
      const far = camera.clone();
      far.position.add({ x: 1e7, y: -1e7, z: 1e7 });
      town.change((meshes) => meshes.forEach((mesh) => mesh.position.add({ x: 1e7, y: -1e7, z: 1e7 })));
      town.batches.finish();
      await expectSame(town, ({ scene }) => renderer.render(scene, far));
      expect(town.batches.report()).toMatchObject({ batched: 300 });
    });
  });
});
