// Few instances that all move: passes test them one by one, and the octree is brought up to date when it is needed.

import {
  BoxGeometry,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnMatrices, drawnPlaces, rowOfInstances, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { randomMatrix } from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import { slab } from '../support/three-passes.ts';

const material = new MeshBasicMaterial();
const REACH = 40;

/** Two containers with the same instances. A ray in each frame keeps the octree of the second up to date. */
function twinsOf(geometry: BufferGeometry, count: number): [OctreeInstances, OctreeInstances] {
  return [new OctreeInstances(geometry, material, count), new OctreeInstances(geometry, material, count)];
}

function moveAll(instances: OctreeInstances, seed: number): void {
  const random = createRandom(seed);
  for (let id = 0; id < instances.capacity; id++) {
    const matrix = randomMatrix(random, REACH);
    if (instances.has(id)) instances.setMatrixAt(id, matrix);
  }
}

/** The first frame without a query; null for none in ten. */
function firstLinearFrame(count: number, passes: number): number | null {
  const instances = new OctreeInstances(new BoxGeometry(), material, count);
  const query = vi.spyOn(instances.bodies.octree, 'collectFrustum');
  const cameras = Array.from({ length: passes }, () => new PerspectiveCamera());
  for (let frame = 1; frame <= 10; frame++) {
    for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(frame));
    instances.updateMatrixWorld();
    query.mockClear();
    for (const camera of cameras) viewsOfCamera(instances, camera);
    if (query.mock.calls.length === 0) return frame;
  }
  return null;
}

describe('instances that all move', () => {
  it.each([
    ['boxes', new BoxGeometry(1, 1, 4)],
    ['spheres', new SphereGeometry(2, 8, 6)],
  ])('are drawn as in an octree where planes cut them, contain them all, or miss them: %s', (_, geometry) => {
    const [linear, reference] = twinsOf(geometry, 20);
    const camera = new PerspectiveCamera(50, 1, 1, 100);
    const counts = new Set<number>();
    for (let frame = 0; frame < 150; frame++) {
      for (const instances of [linear, reference]) {
        const random = createRandom(frame);
        for (let id = 0; id < 20; id++) instances.setMatrixAt(id, randomMatrix(random, 3));
        instances.updateMatrixWorld();
      }
      camera.position.set(-3 - 0.1 * frame, 0, 20);
      new Raycaster(new Vector3(), new Vector3(0, 1, 0)).intersectObject(reference);
      const [drawn, expected] = [linear, reference].map((instances) => drawnPlaces(viewsOfCamera(instances, camera)));
      expect(drawn).toEqual(expected);
      counts.add(expected.length);
    }
    expect([counts.has(0), counts.has(20)]).toEqual([true, true]);
    expect(counts.size).toBeGreaterThan(8);
  });

  it.each([
    ['boxes', new BoxGeometry(1, 1, 4)],
    ['spheres', new SphereGeometry(2, 8, 6)],
  ])('are drawn, hit and found as in an octree: %s', (_, geometry) => {
    const [linear, reference] = twinsOf(geometry, 300);
    const query = vi.spyOn(linear.octree, 'collectFrustum');
    const camera = new PerspectiveCamera(50, 1, 1, 100);
    const random = createRandom(7);
    let visible = 0;
    for (let frame = 0; frame < 60; frame++) {
      const id = random.below(300);
      for (const instances of [linear, reference]) {
        moveAll(instances, frame);
        if (frame % 7 === 3 && instances.has(id)) instances.deleteInstance(id);
        if (frame % 7 === 5) instances.addInstance(at(0, 0, -5));
        if (frame % 7 === 6 && instances.has(id)) instances.setVisibleAt(id, frame % 2 === 0);
        instances.rotation.y = frame > 20 ? 0.1 * frame : 0;
        instances.scale.x = frame > 40 ? 2 : 1;
        instances.updateMatrixWorld();
      }
      camera.rotation.y = frame;
      new Raycaster(new Vector3(), new Vector3(0, 1, 0)).intersectObject(reference);
      const [drawn, expected] = [linear, reference].map((instances) =>
        drawnMatrices(viewsOfCamera(instances, camera)).map(({ elements }) => elements),
      );
      visible += expected.length;
      expect(drawn).toEqual(expected);
      if (frame % 25 !== 24) continue;
      const raycaster = new Raycaster(new Vector3(0, 0, 60), new Vector3(0, 0, -1));
      const [hits, expectedHits] = [linear, reference].map((instances) =>
        raycaster.intersectObject(instances).map(({ instanceId, distance }) => [instanceId, distance]),
      );
      expect(hits).toEqual(expectedHits);
    }
    expect(visible).toBeGreaterThan(1000);
    // Each ray keeps the octree up to date for some frames.
    expect(query.mock.calls.length).toBeLessThan(30);
    for (const { octree } of [linear, reference]) validate(octree);
    expect(linear.octree.size).toBe(reference.octree.size);
  });

  it('are culled without the octree from the third frame on, with up to 4096 of them and three passes in a frame', () => {
    const first = [firstLinearFrame(2, 1), firstLinearFrame(2, 3), firstLinearFrame(2, 4)];
    expect([...first, firstLinearFrame(4096, 1), firstLinearFrame(4097, 1)]).toEqual([3, 5, null, 3, null]);
  });

  it('are in the octree again after 16 passes without a move', () => {
    const instances = rowOfInstances(10);
    for (let frame = 0; frame < 20; frame++) {
      for (let id = 0; id < 10; id++) instances.setMatrixAt(id, at(10 * id + frame));
      instances.updateMatrixWorld();
    }
    const query = vi.spyOn(instances.bodies.octree, 'collectFrustum');
    let passes = 0;
    for (; query.mock.calls.length === 0; passes++) viewsOf(instances, slab(25 + (passes % 2)));
    expect(passes).toBe(16);
  });

  it('are in the octree again once they rest', () => {
    const instances = rowOfInstances(100);
    const { octree } = instances;
    for (let frame = 0; frame < 20; frame++) {
      for (let id = 0; id < 100; id++) instances.setMatrixAt(id, at(10 * id + frame));
      instances.updateMatrixWorld();
      expect(drawnPlaces(viewsOf(instances, slab(25)))[0]).toBe(frame);
    }
    const query = vi.spyOn(octree, 'collectFrustum');
    for (let frame = 0; frame < 20; frame++) {
      instances.updateMatrixWorld();
      expect(drawnPlaces(viewsOf(instances, slab(25 + (frame % 2)))).length).toBe(1);
    }
    expect(query.mock.calls.length).toBeGreaterThan(5);
    expect(octree.size).toBe(100);
  });

  it('throw for bounds out of range, and draw all until they are corrected', () => {
    const instances = rowOfInstances(20);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (let frame = 0; frame < 10; frame++) {
      for (let id = 0; id < 20; id++) instances.setMatrixAt(id, at(id === 19 && frame === 8 ? 2 ** 50 : 10 * id));
      instances.updateMatrixWorld();
      expect(drawnPlaces(viewsOf(instances, slab(25))).length).toBe(frame === 8 ? 20 : 3);
      if (frame === 8) expect(() => instances.octree).toThrow('2^50');
    }
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    expect(instances.octree.size).toBe(20);
  });
});
