// How OcclusionCulling finds solid parts by itself, works with batches, and ends.

import { Mesh, MeshBasicMaterial, Points, type BufferGeometry } from 'three';
import { Detector } from '../../../src/three/detector/detector.ts';
import { describe, expect, it, vi } from 'vitest';
import {
  OcclusionCulling,
  readOcclusionDepth,
  solidBoxesOf,
  StaticBatches,
  type OctreeGroup,
  type SolidFinder,
} from '../../../src/three.ts';
import { addBehind, occluded } from '../../support/occluded-scene.ts';
import { nextTask } from '../../support/next-task.ts';

const HIDDEN = ['wall'];
const BOTH = ['small', 'wall'];

describe('options.auto', () => {
  it('finds the solid parts once for each geometry, in slices, and again for other vertices', async () => {
    const found: BufferGeometry[] = [];
    const scene = occluded(
      {
        auto: (mesh) => {
          found.push(mesh.geometry);
          mesh.geometry.computeBoundingBox();
          return mesh.geometry.boundingBox!.max.x > 5 ? [mesh.geometry.boundingBox!.clone()] : null;
        },
      },
      false,
    );
    const { wall, small, group, drawn, occlusion } = scene;
    for (let k = 0; k < 5; k++) addBehind(scene, new Mesh(small.geometry, small.material));
    occlusion.finish();
    expect(drawn()).toEqual(HIDDEN);
    expect(found).toEqual([wall.geometry, small.geometry]);
    const { position } = wall.geometry.attributes;
    position.setX(0, position.getX(0) - 0.1);
    position.needsUpdate = true;
    group.reportMove(wall);
    await nextTask();
    drawn();
    await nextTask();
    drawn();
    expect(found).toHaveLength(3);
    expect(drawn()).toEqual(HIDDEN);
  });

  it('is asked again for a geometry whose first mesh is glass, and when glass becomes opaque', async () => {
    const auto = vi.fn(solidBoxesOf);
    const scene = occluded({ auto }, false);
    const { wall, group, drawn, occlusion } = scene;
    group.remove(wall);
    wall.geometry = wall.geometry.clone();
    const glass = new Mesh(wall.geometry, new MeshBasicMaterial({ transparent: true, opacity: 0.1 }));
    glass.name = 'wall';
    glass.position.copy(wall.position);
    group.add(glass);
    occlusion.finish();
    expect(drawn()).toEqual(BOTH);
    wall.name = '';
    group.add(wall);
    occlusion.finish();
    expect(drawn()).not.toContain('small');
    group.remove(wall);
    occlusion.finish();
    expect(drawn()).toEqual(BOTH);
    const calls = auto.mock.calls.length;
    glass.material.transparent = false;
    glass.material.needsUpdate = true;
    for (let k = 0; k < 2; k++) {
      await nextTask();
      drawn();
    }
    expect(drawn()).toEqual(HIDDEN);
    expect(auto.mock.calls).toHaveLength(calls);
  });

  it.each(['vertices', 'index'])(
    'is asked again for other %s of a mesh at rest that had no solid parts',
    async (what) => {
      const auto = vi.fn<SolidFinder>(({ geometry: { attributes, index } }) =>
        attributes.position.getX(0) === 10 && index!.count === 36 ? true : null,
      );
      const { wall, drawn, occlusion } = occluded({}, false);
      occlusion.dispose();
      const { position } = wall.geometry.attributes;
      const index = wall.geometry.index!;
      // Two other vertices are in the same corner, so the bounds stay the same.
      if (what === 'vertices') position.setX(0, 5);
      else wall.geometry.setIndex([...index.array].slice(0, 24));
      const again = new OcclusionCulling(wall.parent as OctreeGroup, occlusion.camera, {
        auto,
        minRemoved: 0,
      }).finish();
      expect(drawn()).toEqual(BOTH);
      const asked = auto.mock.calls.length;
      if (what === 'vertices') position.setX(0, 10).needsUpdate = true;
      else wall.geometry.setIndex(index);
      for (let k = 0; k < 3; k++) {
        await nextTask();
        drawn();
      }
      expect(drawn()).toEqual(HIDDEN);
      expect(auto.mock.calls.slice(asked)).toEqual([[wall]]);
      again.dispose();
    },
  );

  it('is not asked in each frame for vertices that are animated: these hide nothing after eight changes', async () => {
    const auto = vi.fn<SolidFinder>(() => true);
    const { wall, drawn, occlusion } = occluded({ auto }, false);
    auto.mockClear();
    const { position } = wall.geometry.attributes;
    for (let k = 1; k <= 12; k++) {
      position.setX(0, 10 - k / 100).needsUpdate = true;
      for (let frame = 0; frame < 2; frame++) {
        await nextTask();
        drawn();
      }
      expect(auto.mock.calls).toHaveLength(Math.min(k, 8));
      expect(drawn()).toEqual(k <= 8 ? HIDDEN : BOTH);
    }
    expect([...occlusion.report().faults]).toEqual([['animated vertices', 1]]);
  });

  it('reports the reasons of meshes for which it is not asked', () => {
    const scene = occluded({ auto: () => null }, false);
    const { group, small, occlusion } = scene;
    const glass = new MeshBasicMaterial({ transparent: true });
    addBehind(scene, new Mesh(small.geometry, glass));
    const called = new Mesh(small.geometry, small.material);
    Object.assign(called, { onBeforeRender: () => undefined });
    addBehind(scene, called);
    group.add(new Points(small.geometry));
    const named = new Mesh(small.geometry, glass);
    addBehind(scene, named);
    occlusion.setOccluder(named, null).finish();
    const { faults, occluders } = occlusion.report();
    expect(occluders).toBe(0);
    expect([...faults]).toEqual([
      ['transparent: drawn by distance', 1],
      ['draw callbacks', 1],
    ]);
    const without = occluded({}, false);
    addBehind(without, new Mesh(small.geometry, glass));
    expect(without.occlusion.finish().report().faults.size).toBe(0);
  });

  it('works for 4 ms in a frame, and does not switch itself off until it has ended', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const auto = vi.fn(() => {
      now += 1;
      return null;
    });
    const { group, drawn, occlusion, small } = occluded({ auto, minRemoved: 1 }, false);
    auto.mockClear();
    for (let k = 0; k < 100; k++) group.add(new Mesh(small.geometry.clone(), small.material));
    const calls: number[] = [];
    for (let frame = 0; frame < 40 && (frame === 0 || occlusion.isPreparing); frame++) {
      await nextTask();
      drawn();
      calls.push(auto.mock.calls.length);
    }
    clock.mockRestore();
    // Each call takes 1 ms, and none is begun after 4 ms.
    expect(calls[0]).toBe(5);
    expect(calls.at(-1)).toBe(100);
  });
});

describe('with batches', () => {
  it('hidden meshes leave their ranges', async () => {
    const scene = occluded();
    const { group, small, drawn, occlusion } = scene;
    group.hasStaticChildren = true;
    const material = new MeshBasicMaterial();
    for (let k = 0; k < 40; k++) {
      const mesh = new Mesh(small.geometry.clone(), material);
      // No face in one plane with the small one, which has another material.
      mesh.position.set((k % 8) - 4, (k >> 3) - 2, k < 20 ? -10 : 5).addScalar(0.05);
      group.add(mesh);
    }
    const batches = new StaticBatches(group).finish();
    occlusion.finish();
    expect(batches.report().batched).toBe(40);
    const indices = (): number => batches.ranges.reduce((sum, { count }) => sum + count, 0);
    await nextTask();
    drawn();
    expect(indices()).toBe(20 * 36);
    occlusion.dispose();
    drawn();
    expect(indices()).toBe(40 * 36);
  });
});

describe('dispose', () => {
  it('leaves no trace', () => {
    const { group, drawn, occlusion, camera } = occluded();
    expect(drawn()).toEqual(HIDDEN);
    const { bodies } = group.groupChildren;
    expect(bodies.detector).toBeInstanceOf(Detector);
    occlusion.dispose();
    expect(bodies.detector).not.toBeInstanceOf(Detector);
    expect(bodies.culling).toBe(undefined);
    expect(drawn()).toEqual(BOTH);
    expect(occlusion.finish().reason).toBe('dispose was called');
    const again = new OcclusionCulling(group, camera, { minRemoved: 0 });
    occlusion.dispose();
    again.finish();
    expect(bodies.culling).not.toBe(undefined);
    // What the first one named is forgotten.
    expect(drawn()).toEqual(BOTH);
    expect(again.report().occluders).toBe(0);
    again.dispose();
  });

  it('ends what the other methods do: nothing is an occluder, waits or is reported', () => {
    const { group, wall, small, drawn, occlusion, camera } = occluded({ auto: () => true });
    small.renderOrder = 1;
    drawn();
    expect(occlusion.report().alwaysDrawn).toBe(1);
    occlusion.dispose();
    expect(occlusion.setOccluder(wall, true).isPreparing).toBe(false);
    expect(occlusion.finish().report()).toEqual({ occluders: 0, waiting: 0, alwaysDrawn: 0, faults: new Map() });
    expect([occlusion.visible, occlusion.occluders]).toEqual([[], []]);
    const again = new OcclusionCulling(group, camera, { minRemoved: 0 });
    expect(drawn()).toEqual(BOTH);
    again.dispose();
    expect(() => occlusion.setOccluder(wall, [])).toThrow(RangeError);
  });

  it('a clone of a group has none', () => {
    const { group } = occluded();
    expect(group.clone().groupChildren.bodies.culling).toBe(undefined);
  });
});

it('draws all while enabled is false, and hides the same as before afterwards', () => {
  const { drawn, occlusion } = occluded();
  expect([drawn(), occlusion.reason, occlusion.enabled]).toEqual([HIDDEN, '', true]);
  occlusion.enabled = false;
  expect([drawn(), occlusion.reason, occlusion.visible]).toEqual([BOTH, 'enabled is false', []]);
  expect(() => (occlusion.enabled = 1 as never)).toThrow(/OcclusionCulling.enabled: it must be true or false/);
  occlusion.enabled = true;
  expect([drawn(), occlusion.reason]).toEqual([HIDDEN, '']);
});

it('has nothing to show between a new camera and its first pass', () => {
  const { drawn, occlusion, camera } = occluded();
  expect(drawn()).toEqual(HIDDEN);
  expect(readOcclusionDepth(occlusion).cells.some((cell) => cell > 0)).toBe(true);
  occlusion.camera = camera.clone();
  expect([occlusion.reason, occlusion.visible]).toEqual(['no pass yet', []]);
  expect(readOcclusionDepth(occlusion).width).toBe(0);
  expect(drawn(occlusion.camera)).toEqual(HIDDEN);
  expect(readOcclusionDepth(occlusion).width).toBeGreaterThan(0);
});
