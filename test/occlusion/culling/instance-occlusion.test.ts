// OcclusionCulling of an OctreeInstances: instances hide others of the same container.

import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OcclusionCulling, OctreeInstances } from '../../../src/three.ts';
import { perspective } from '../../support/occluded-scene.ts';
import { projectPass } from '../../support/pass-lists.ts';
import { nextTask } from '../../support/next-task.ts';

/** Instance 0 is a wall at z = 0; the others are small boxes behind it, but the last one stands before it. */
function row(count = 12) {
  const scene = new Scene();
  const material = new MeshBasicMaterial();
  const instances = new OctreeInstances(new BoxGeometry(1, 1, 1), material, count);
  scene.add(instances);
  instances.setMatrixAt(0, new Matrix4().makeScale(30, 30, 1));
  for (let id = 1; id < count; id++)
    instances.setMatrixAt(
      id,
      new Matrix4().makeTranslation(
        id === count - 1 ? 0 : 2 * id - 12,
        id === count - 1 ? 4 : 0,
        id === count - 1 ? 8 : -5 - id,
      ),
    );
  const camera = perspective();
  const occlusion = new OcclusionCulling(instances, camera, { minRemoved: 0 });
  const drawn = (by: PerspectiveCamera = camera): Vector3[] => {
    scene.updateMatrixWorld();
    by.updateMatrixWorld();
    Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [{}, scene]);
    return projectPass(scene, by).flatMap(({ object }) => {
      const mesh = object as InstancedMesh;
      return Array.from({ length: mesh.count }, (_, k) => {
        const matrix = new Matrix4();
        mesh.getMatrixAt(k, matrix);
        return new Vector3().setFromMatrixPosition(matrix);
      });
    });
  };
  return { scene, instances, material, camera, occlusion, drawn };
}

describe('instances', () => {
  it('hide others once their geometry is named, in the passes of the camera', () => {
    const { instances, occlusion, drawn, camera } = row();
    expect(drawn()).toHaveLength(12);
    occlusion.setOccluder(instances.geometry, true).finish();
    expect(drawn()).toHaveLength(2);
    expect(occlusion.visible.sort((a, b) => a - b)).toEqual([0, 11]);
    expect(occlusion.occluders).toContain(0);
    expect(drawn(camera.clone())).toHaveLength(12);
    expect(drawn()).toHaveLength(2);
    expect(instances.octree.size).toBe(12);
    occlusion.dispose();
    expect(drawn()).toHaveLength(12);
    expect(occlusion.visible).toEqual([]);
    expect(occlusion.setOccluder(instances.geometry, true).finish().report()).toEqual({
      occluders: 0,
      waiting: 0,
      alwaysDrawn: 0,
      faults: new Map(),
    });
    const again = new OcclusionCulling(instances, camera, { minRemoved: 0 });
    expect(drawn()).toHaveLength(12);
    expect(again.report().occluders).toBe(0);
  });

  it('hide where they are drawn: moved, removed, hidden, added, and with the container', async () => {
    const { instances, occlusion, drawn, camera } = row();
    /** What has changed hides again from the second frame on. */
    const settle = async (): Promise<void> => {
      await nextTask();
      drawn();
      await nextTask();
    };
    occlusion.setOccluder(instances.geometry, true).finish();
    expect(drawn()).toHaveLength(2);
    instances.setMatrixAt(0, new Matrix4().makeScale(30, 30, 1).setPosition(60, 0, 0));
    expect(drawn()).toHaveLength(11);
    instances.setMatrixAt(0, new Matrix4().makeScale(30, 30, 1));
    await settle();
    expect(drawn()).toHaveLength(2);
    instances.setVisibleAt(0, false);
    expect(drawn()).toHaveLength(11);
    instances.setVisibleAt(0, true);
    await settle();
    expect(drawn()).toHaveLength(2);
    instances.deleteInstance(0);
    expect(drawn()).toHaveLength(11);
    instances.addInstance(new Matrix4().makeScale(30, 30, 1));
    await settle();
    expect(drawn()).toHaveLength(2);
    instances.position.set(5, 6, 7);
    instances.rotation.y = 0.3;
    expect(drawn().length).toBeGreaterThan(0);
    instances.updateMatrixWorld();
    camera.position.set(0, 0, 20).applyMatrix4(instances.matrixWorld);
    camera.quaternion.copy(instances.quaternion);
    await settle();
    expect(drawn()).toHaveLength(2);
  });

  it.each<[string, (parts: ReturnType<typeof row>) => void]>([
    ['transparent', ({ material }) => (material.transparent = true)],
    ['clipped', ({ material }) => (material.clippingPlanes = [{} as never])],
    ['without depth', ({ material }) => (material.depthWrite = false)],
    ['seen through walls', ({ material }) => (material.depthTest = false)],
    ['of several levels', ({ instances }) => instances.addLevel(new BoxGeometry(1, 1, 1), 5)],
    ['of a draw range', ({ instances }) => instances.geometry.setDrawRange(0, 6)],
    ['of another geometry', ({ instances }) => (instances.geometry = new BoxGeometry(0.5, 1, 1))],
    [
      'morphing',
      ({ instances }) => {
        instances.geometry.morphAttributes.position = [instances.geometry.attributes.position.clone()];
      },
    ],
    ['drawn with callbacks', ({ instances }) => (instances.onBeforeRender = () => undefined)],
    ['of a render order', ({ instances }) => (instances.renderOrder = 1)],
    ['culled by another camera', ({ instances }) => (instances.cullingCamera = perspective(0, 0, 20))],
    ['not culled', ({ instances }) => (instances.frustumCulled = false)],
    ['without a name', ({ occlusion, instances }) => occlusion.setOccluder(instances.geometry, null)],
  ])('that are %s hide nothing in that very frame', (_, change) => {
    const parts = row();
    const { instances, occlusion, drawn } = parts;
    occlusion.setOccluder(instances.geometry, true).finish();
    expect(drawn()).toHaveLength(2);
    change(parts);
    expect(drawn()).toHaveLength(12);
  });

  it('that look too small are neither drawn nor hide', () => {
    const { instances, occlusion, drawn, camera } = row();
    occlusion.setOccluder(instances.geometry, true).finish();
    expect(drawn()).toHaveLength(2);
    instances.minScreenSize = 0.2;
    expect(drawn()).toHaveLength(1);
    camera.position.z = 150;
    instances.minScreenSize = 0.9;
    expect(drawn()).toEqual([]);
    expect(occlusion.report().faults.size).toBe(0);
  });

  it('wait once each, however often they move before their turn', async () => {
    const { instances, occlusion, drawn } = row(200);
    occlusion.setOccluder(instances.geometry, true).finish();
    // The wall would hide all others.
    instances.setVisibleAt(0, false);
    drawn();
    // No update has time for more than a few.
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    const matrix = new Matrix4();
    for (let frame = 0; frame < 40; frame++) {
      for (let id = 0; id < 200; id++) {
        instances.getMatrixAt(id, matrix);
        matrix.elements[13] += frame % 2 === 0 ? 0.1 : -0.1;
        instances.setMatrixAt(id, matrix);
      }
      await nextTask();
      drawn();
    }
    clock.mockRestore();
    expect(occlusion.report().waiting).toBeGreaterThan(0);
    expect(occlusion.report().waiting).toBeLessThanOrEqual(occlusion.visible.length);
    occlusion.finish();
    expect(occlusion.report().waiting).toBe(0);
  });

  it('find their solid parts by options.auto', () => {
    const { scene, instances, camera, occlusion, drawn } = row();
    occlusion.dispose();
    const group = new Group();
    scene.add(group.add(instances));
    const other = new OcclusionCulling(instances, camera, { minRemoved: 0, auto: () => true }).finish();
    expect(drawn()).toHaveLength(2);
    expect(other.report()).toMatchObject({ occluders: 12, waiting: 0, alwaysDrawn: 0 });
  });

  it('hide nothing after eight changes of their vertices, and the report says why', async () => {
    const { instances, camera, occlusion, drawn } = row();
    occlusion.dispose();
    const auto = vi.fn(() => true as const);
    const other = new OcclusionCulling(instances, camera, { minRemoved: 0, auto }).finish();
    for (let k = 1; k <= 10; k++) {
      instances.geometry.attributes.position.needsUpdate = true;
      await nextTask();
      drawn();
      other.finish();
      expect(other.report().occluders).toBe(k <= 8 ? 12 : 0);
    }
    expect(auto).toHaveBeenCalledTimes(9);
    expect([...other.report().faults]).toEqual([['animated vertices', 12]]);
  });

  it('refuse objects as targets', () => {
    const { instances, occlusion } = row();
    expect(() => occlusion.setOccluder(instances, true)).toThrow(
      'OcclusionCulling.setOccluder: target must be a geometry',
    );
  });
});
