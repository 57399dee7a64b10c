/** Trees that are built ahead: in slices, in a worker, with progress and an end. */

import { BufferGeometry, Mesh, Sphere, SphereGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { afterEach, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup } from '../../src/three.ts';
import { intersectTriangles, prepareTriangles, TriangleScene, type TriangleStats } from '../../src/triangles/index.ts';

const { now } = clock;
afterEach(() => {
  clock.now = now;
});

function createScene(count: number): { scene: TriangleScene; meshes: Mesh[] } {
  const meshes = Array.from({ length: count }, (_, k) => {
    const mesh = new Mesh(new SphereGeometry(1, 40, 20));
    mesh.position.x = 3 * k;
    return mesh;
  });
  const group = new OctreeGroup().add(...meshes);
  group.updateMatrixWorld();
  return { scene: new TriangleScene(group, { MeshBVH }), meshes };
}

function costAt(scene: TriangleScene, x: number): TriangleStats {
  const stats = {} as TriangleStats;
  intersectTriangles(scene, new Sphere(new Vector3(x + 1, 0, 0), 0.2), { stats });
  return stats;
}

/** What a user does after vertices have moved. */
function changed(mesh: Mesh): void {
  mesh.geometry.attributes.position.needsUpdate = true;
  mesh.geometry.computeBoundingSphere();
  mesh.parent!.updateMatrixWorld();
}

it('builds the tree of each geometry, with progress, and with breaks when the budget is used up', async () => {
  const { scene } = createScene(6);
  let time = 0;
  clock.now = () => (time += 3);
  const parts: number[] = [];
  let breaks = 0;
  const Channel = globalThis.MessageChannel;
  vi.stubGlobal(
    'MessageChannel',
    class extends Channel {
      constructor() {
        super();
        breaks++;
      }
    },
  );
  await prepareTriangles(scene, { budget: 4, onProgress: (part) => parts.push(part) });
  vi.unstubAllGlobals();
  expect(parts).toEqual([1, 2, 3, 4, 5, 6].map((k) => k / 6));
  expect(breaks).toBeGreaterThan(2);
  for (let k = 0; k < 6; k++) expect(costAt(scene, 3 * k).nodesVisited).toBeGreaterThan(3);
  // Nothing is left to do.
  const again: number[] = [];
  await prepareTriangles(scene, { onProgress: (part) => again.push(part) });
  expect(again).toEqual([1]);
});

it('lets queries test all triangles meanwhile', async () => {
  const { scene } = createScene(3);
  let time = 0;
  clock.now = () => (time += 1000);
  const work = prepareTriangles(scene, { budget: 0 });
  const before = costAt(scene, 6);
  expect([before.nodesVisited, before.trianglesTested]).toEqual([0, 1520]);
  await work;
  expect(costAt(scene, 6).trianglesTested).toBeLessThan(300);
});

it('ends by a signal, and goes on later', async () => {
  const { scene } = createScene(4);
  const abort = new AbortController();
  const work = prepareTriangles(scene, {
    signal: abort.signal,
    onProgress: (part) => part >= 0.5 && abort.abort(new Error('enough')),
  });
  await expect(work).rejects.toThrow('enough');
  const rest: number[] = [];
  await prepareTriangles(scene, { onProgress: (part) => rest.push(part) });
  expect(rest).toEqual([0.5, 1]);
});

it('gives large geometries to a worker, as copies', async () => {
  const { scene, meshes } = createScene(2);
  const taken: BufferGeometry[] = [];
  const worker = {
    generate: async (geometry: BufferGeometry, options: object) => {
      taken.push(geometry);
      await Promise.resolve();
      return new MeshBVH(geometry, options);
    },
  };
  await prepareTriangles(scene, { worker, budget: 0.1 });
  expect(taken.length).toBe(2);
  for (const geometry of taken) {
    expect(meshes.some((mesh) => mesh.geometry.attributes.position.array === geometry.attributes.position.array)).toBe(
      false,
    );
    expect(meshes.some((mesh) => mesh.geometry.index!.array === geometry.index!.array)).toBe(false);
  }
  expect(costAt(scene, 3).nodesVisited).toBeGreaterThan(3);
  // A refit reads the geometry, not the copy.
  const { position } = meshes[1].geometry.attributes;
  for (let k = 0; k < position.count; k++) position.setX(k, position.getX(k) + 0.5);
  changed(meshes[1]);
  const contacts = intersectTriangles(scene, new Sphere(new Vector3(4.6, 0, 0), 0.2));
  expect(contacts.length).toBeGreaterThan(0);
});

it('leaves a geometry that changes while the worker builds to the next query', async () => {
  const { scene, meshes } = createScene(1);
  const worker = {
    generate: async (geometry: BufferGeometry, options: object) => {
      const tree = new MeshBVH(geometry, options);
      meshes[0].geometry.attributes.position.setX(0, 9);
      changed(meshes[0]);
      await Promise.resolve();
      intersectTriangles(scene, new Sphere(new Vector3(), 2));
      return tree;
    },
  };
  await prepareTriangles(scene, { worker, budget: 0.1 });
  expect(costAt(scene, 0).nodesVisited).toBeGreaterThan(3);
  expect(intersectTriangles(scene, new Sphere(new Vector3(8.9, 1, 0), 1)).length).toBeGreaterThan(0);
});

it('refuses other arguments', async () => {
  const { scene } = createScene(1);
  const group = new OctreeGroup();
  await expect(prepareTriangles({} as never)).rejects.toThrow('prepareTriangles: scene must be a TriangleScene');
  await expect(prepareTriangles(new TriangleScene(group))).rejects.toThrow('must have the option MeshBVH');
  await expect(prepareTriangles(scene, { budget: -1 })).rejects.toThrow('prepareTriangles: options.budget');
  await expect(prepareTriangles(scene, { worker: {} as never })).rejects.toThrow('options.worker must have the method');
  await expect(prepareTriangles(scene, { onProgress: 1 as never })).rejects.toThrow('options.onProgress must be a');
});

it.each([
  [0.5, 1],
  [1, 0],
])('gives a worker what takes longer than the budget, of 1,520 triangles with %d ms: %d', async (budget, expected) => {
  const { scene } = createScene(1);
  let calls = 0;
  const worker = {
    generate: (geometry: BufferGeometry, options: object) => {
      calls++;
      return Promise.resolve(new MeshBVH(geometry, options));
    },
  };
  await prepareTriangles(scene, { worker, budget });
  expect(calls).toBe(expected);
});

it('does not use the tree of vertices that have changed meanwhile', async () => {
  const { scene, meshes } = createScene(2);
  await prepareTriangles(scene);
  const { position } = meshes[0].geometry.attributes;
  for (let k = 0; k < position.count; k++) position.setY(k, position.getY(k) + 9);
  let found = -1;
  meshes[1].geometry.setIndex([...meshes[1].geometry.index!.array]);
  await prepareTriangles(scene, {
    worker: {
      generate: (geometry, options) => {
        changed(meshes[0]);
        found = intersectTriangles(scene, new Sphere(new Vector3(1, 9, 0), 0.2)).length;
        return Promise.resolve(new MeshBVH(geometry, options));
      },
    },
    budget: 0.1,
  });
  expect(found).toBeGreaterThan(0);
});
