// `verify` finds planted faults of culling, batches and occlusion, names the feature and the object, and finds nothing
// in right scenes. With both renderers.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  RenderTarget,
  Scene,
  TorusGeometry,
  Vector3,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verify, type Difference, type VerifiedRenderer } from '../../src/debug-three/index.ts';
import { OcclusionCulling, OctreeGroup, OctreeInstances, StaticBatches } from '../../src/three.ts';
import { Detector } from '../../src/three/detector/detector.ts';
import { OrderedMembers } from '../../src/three/group/ordered-members.ts';
import { at } from '../support/instance-passes.ts';
import { plant, silence } from '../support/planted-faults.ts';
import { useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const box = new BoxGeometry(1.6, 1.6, 1.6);

/** A wall of 100 static boxes, one of which is named `victim`, that a camera sees. */
function wall(): {
  scene: Scene;
  group: OctreeGroup;
  camera: PerspectiveCamera;
  victim: Mesh;
  material: MeshLambertMaterial;
} {
  const group = new OctreeGroup({ hasStaticChildren: true });
  const material = new MeshLambertMaterial({ color: 0x66aa55 });
  for (let k = 0; k < 100; k++) {
    const mesh = new Mesh(box, material);
    mesh.position.set(2 * (k % 10) - 9, 2 * Math.floor(k / 10) - 9, 0);
    mesh.name = k === 55 ? 'victim' : `box ${k}`;
    group.add(mesh);
  }
  const scene = new Scene().add(group, new AmbientLight(0xffffff, 1));
  const sun = new DirectionalLight(0xffffff, 2);
  sun.castShadow = true;
  scene.add(sun);
  scene.background = new Color(0x334455);
  const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 100);
  camera.position.z = 20;
  return { scene, group, camera, victim: group.children[55] as Mesh, material };
}

interface Targeted {
  setRenderTarget(target: RenderTarget | null): void;
}

afterEach(() => void vi.restoreAllMocks());

const webgl = useRenderer();

describe.each([['WebGLRenderer', null], ...BACKENDS] as [string, boolean | null][])(
  'verify with %s',
  (name, forceWebGL) => {
    const { isTested, get }: { isTested: boolean; get: () => unknown } =
      forceWebGL === null ? { isTested: true, get: () => webgl } : useWebGPURenderer(name, forceWebGL);
    const test = it.runIf(isTested);
    // Off screen: WebGPU has no canvas here.
    const screen = new RenderTarget(64, 36);
    beforeEach(() => (isTested ? (get() as Targeted).setRenderTarget(screen) : undefined));

    const check = async (scene: Scene, camera: PerspectiveCamera): Promise<Difference | null> => {
      const renderer = get() as VerifiedRenderer;
      renderer.render(scene, camera);
      return verify(renderer, scene, camera, { share: 1, onDifference: () => undefined });
    };

    test('finds nothing in a right scene, and leaves the state as it was', async () => {
      const { scene, group, camera, material } = wall();
      const instances = new OctreeInstances(box, material, 30);
      for (let id = 0; id < 30; id++) instances.setMatrixAt(id, at(3 * id - 40, 0, -10));
      scene.add(instances);
      const renderer = get() as VerifiedRenderer &
        Targeted & {
          autoClear: boolean;
          info: { render: object };
          getRenderTarget(): RenderTarget | null;
        };
      expect(await check(scene, camera)).toBeNull();
      const batches = new StaticBatches(group).finish();
      const occlusion = new OcclusionCulling(group, camera, { minRemoved: 0 }).setOccluder(box, true);
      expect(await check(scene, camera)).toBeNull();
      const before = { ...renderer.info.render };
      const own = new RenderTarget(16, 16);
      renderer.setRenderTarget(own);
      renderer.autoClear = false;
      const { layers } = group;
      await verify(renderer, scene, camera, { share: 1 });
      expect([renderer.getRenderTarget(), renderer.autoClear, group.layers]).toEqual([own, false, layers]);
      expect(renderer.info.render).toEqual(before);
      expect([scene.matrixWorldAutoUpdate, instances.frustumCulled]).toEqual([true, true]);
      renderer.setRenderTarget(screen);
      renderer.autoClear = true;
      own.dispose();
      occlusion.dispose();
      batches.dispose();
    });

    test('finds nothing where the camera does not see a group, whose render order then does not count', async () => {
      const { scene, group, camera } = wall();
      group.layers.set(1);
      group.renderOrder = 1;
      const front = new MeshLambertMaterial({ color: 'red', depthTest: false, depthWrite: false });
      const cover = new Mesh(new BoxGeometry(9, 9, 1), front);
      cover.position.z = -5;
      cover.renderOrder = 1;
      scene.add(cover);
      expect(await check(scene, camera)).toBeNull();
    });

    test('finds a mesh that is culled by mistake', async () => {
      const { scene, camera, victim } = wall();
      plant<OrderedMembers>(
        OrderedMembers.prototype,
        'listMarked',
        (original) =>
          function (...args) {
            return (original.apply(this, args) as Mesh[]).filter((mesh) => mesh !== victim);
          },
      );
      const found = await check(scene, camera);
      expect(found?.feature).toBe('frustum culling');
      expect(found?.objects).toContain(victim);
      expect(found?.text).toContain('the Mesh "victim" is not drawn');
      expect(found?.pixels).toBeGreaterThan(20);
    });

    test('finds a batch that is out of date', async () => {
      const { scene, group, camera, victim } = wall();
      const batches = new StaticBatches(group).finish();
      expect(await check(scene, camera)).toBeNull();
      silence(-1);
      plant(Detector.prototype, 'isAsTold', () => () => true);
      victim.material = new MeshLambertMaterial({ color: 'red' });
      const found = await check(scene, camera);
      expect(found?.feature).toBe('batches');
      expect(found?.objects).toContain(victim);
      expect(found?.text).toContain('is drawn by batch');
      batches.dispose();
    });

    test('finds an occluder that hides too much', async () => {
      const { scene, group, camera, victim } = wall();
      const ring = new Mesh(new TorusGeometry(3, 0.5), new MeshLambertMaterial());
      ring.name = 'ring';
      ring.position.copy(new Vector3(0, 0, 8));
      group.add(ring);
      const occlusion = new OcclusionCulling(group, camera, { minRemoved: 0 }).setOccluder(ring, true);
      const found = await check(scene, camera);
      expect(found?.feature).toBe('occlusion culling');
      expect(found?.text).toContain('it is behind the Mesh "ring"');
      expect(found?.objects.length).toBeGreaterThan(0);
      expect(victim.visible).toBe(true);
      occlusion.dispose();
    });

    test('compares in a share of the calls, and warns once', async () => {
      const { scene, camera, victim } = wall();
      const renderer = get() as VerifiedRenderer;
      plant<OrderedMembers>(
        OrderedMembers.prototype,
        'listMarked',
        (original) =>
          function (...args) {
            return (original.apply(this, args) as Mesh[]).filter((mesh) => mesh !== victim);
          },
      );
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const results: boolean[] = [];
      for (let k = 0; k < 9; k++) {
        renderer.render(scene, camera);
        results.push((await verify(renderer, scene, camera, { share: 1 / 3 })) !== null);
      }
      expect(results.filter(Boolean).length).toBe(3);
      expect(warn.mock.calls.filter(([text]) => String(text).includes('frustum culling')).length).toBe(1);
    });
  },
);
