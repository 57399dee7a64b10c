/** Distances of meshes equal a loop over all pairs of triangles, under all kinds of matrices. */

import {
  BatchedMesh,
  Box3,
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { Octree, type Body } from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import {
  distanceBetween,
  intersectMeshPairs,
  intersectMeshPairsAsync,
  TriangleScene,
  type MeshDistance,
  type QueriedMesh,
  type TriangleStats,
} from '../../src/triangles/index.ts';
import { BruteForceTriangles, type ReferenceDistance } from '../../src/debug/reference/triangles.ts';
import { IS_LONG } from '../support/sampled.ts';
import { createTriangleScene, TRIANGLE_SCENES, type TriangleSceneName } from '../support/triangle-scenes.ts';

const COUNT = IS_LONG ? 60 : 16;
const MESH = { MeshBVH };

const flat = ({ face, position, other, distance }: MeshDistance): ReferenceDistance => ({
  face,
  otherFace: other.face,
  position: [...position],
  otherPosition: [...other.position],
  distance,
});

const fields = (hit: MeshDistance | null): unknown[] =>
  hit === null ? [] : [hit.distance, hit.object, hit.instanceId, hit.other.object, hit.other.instanceId];

/** A box of edge 1 around x. */
const boxAt = (x: number): Mesh => new Mesh(new BoxGeometry().translate(x, 0, 0));
function sceneOf(...meshes: Mesh[]): { readonly group: OctreeGroup; readonly scene: TriangleScene<never> } {
  const group = new OctreeGroup().add(...meshes);
  group.updateMatrixWorld();
  return { group, scene: new TriangleScene(group, MESH) as never };
}

describe.each(Object.keys(TRIANGLE_SCENES) as TriangleSceneName[])('%s', (name) => {
  const { meshes, extent } = createTriangleScene(name, COUNT, 3);
  const reference = new BruteForceTriangles(
    meshes.map(({ geometry, matrixWorld }) => ({ geometry, matrix: matrixWorld.elements })),
  );
  /** By the loop: of each pair. */
  const distances = meshes.map((_, a) => meshes.map((_, b) => (b > a ? reference.distanceBetween(a, b) : null)));
  const octree = new Octree<Mesh>();
  const bodies = meshes.map((mesh) => octree.insert(new Box3().setFromObject(mesh, true), mesh));

  it.each(['trees', 'no trees'])('the distance of each pair equals a loop over all triangles, with %s', (kind) => {
    const scene = new TriangleScene(
      octree,
      ({ data }, target) => {
        target.geometry = data.geometry;
        target.matrix.copy(data.matrixWorld);
        target.object = data;
      },
      kind === 'trees' ? MESH : {},
    );
    for (let a = 0; a < COUNT; a++)
      for (let b = a + 1; b < COUNT; b++) {
        const wanted = distances[a][b];
        const hit = distanceBetween(scene, bodies[a], bodies[b]);
        expect(hit && flat(hit), `${a} and ${b}`).toEqual(wanted);
        // A scale of 0.
        if (hit === null || wanted === null) continue;
        expect([hit.object, hit.body, hit.other.object, hit.other.body]).toEqual([
          meshes[a],
          bodies[a],
          meshes[b],
          bodies[b],
        ]);
        // Closed, and null beyond.
        expect(distanceBetween(scene, bodies[a], bodies[b], { maxDistance: wanted.distance })?.distance).toBe(
          wanted.distance,
        );
        const maxDistance = wanted.distance * (1 - 1e-15);
        if (wanted.distance > 0) expect(distanceBetween(scene, bodies[a], bodies[b], { maxDistance })).toBe(null);
      }
  });

  it.each([0, extent / 20, extent / 5])('all pairs within %d equal a loop over all pairs of meshes', (within) => {
    const scene = new TriangleScene(
      octree,
      ({ data }, target) => {
        target.geometry = data.geometry;
        target.matrix.copy(data.matrixWorld);
        target.object = data;
      },
      MESH,
    );
    const wanted = distances.flatMap((row, a) =>
      row.flatMap((hit, b) => (hit !== null && hit.distance <= within ? [{ a, b, hit }] : [])),
    );
    if (within > 0) expect(wanted.length).toBeGreaterThan(0);
    const pairs = intersectMeshPairs(scene, { within, closest: true });
    expect(pairs.map((pair) => ({ a: pair.body!.index, b: pair.other.body!.index, hit: flat(pair) }))).toEqual(wanted);
    const any = intersectMeshPairs(scene, { within });
    expect(any.map(({ body, other }) => [body!.index, other.body!.index])).toEqual(wanted.map(({ a, b }) => [a, b]));
    for (const { distance, face, other } of any) {
      expect(distance).toBeLessThanOrEqual(within);
      expect(Math.min(face, other.face)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('distanceBetween', () => {
  it('takes objects with all below them, instances and instances of batches, hidden or not', () => {
    const material = new MeshBasicMaterial();
    const instanced = new InstancedMesh(new BoxGeometry(), material, 3);
    const batch = new BatchedMesh(3, 100, 100, material);
    const id = batch.addGeometry(new BoxGeometry());
    for (let k = 0; k < 3; k++) {
      instanced.setMatrixAt(k, new Matrix4().makeTranslation(3 * k, 0, 0));
      batch.setMatrixAt(batch.addInstance(id), new Matrix4().makeTranslation(3 * k, 5, 0));
    }
    const nested = new Group().add(boxAt(20), boxAt(12)) as never as Mesh;
    nested.visible = false;
    const { scene } = sceneOf(instanced, batch, nested);
    const instance = { object: instanced, instanceId: 1 };
    const toBatch = distanceBetween(scene, instance, { object: batch, instanceId: 1 });
    for (const [k, value] of [4, instanced, 1, batch, 1].entries()) expect(fields(toBatch)[k] === value).toBe(true);
    const toNested = distanceBetween(scene, instanced, nested);
    for (const [k, value] of [5, instanced, 2, nested.children[1], -1].entries())
      expect(fields(toNested)[k] === value).toBe(true);
    expect(distanceBetween(scene, nested, instance)?.distance).toBe(8);
  });

  it('is null for an instance that is hidden or deleted', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial());
    const batch = new BatchedMesh(3, 100, 100, instances.material);
    const geometry = batch.addGeometry(new BoxGeometry());
    for (let k = 0; k < 3; k++) {
      instances.addInstance(new Matrix4().makeTranslation(3 * k, 0, 0));
      batch.setMatrixAt(batch.addInstance(geometry), new Matrix4().makeTranslation(3 * k, 0, 0));
    }
    const { scene } = sceneOf(batch);
    for (const object of [instances, batch] as const) {
      object.setVisibleAt(1, false);
      object.deleteInstance(2);
      const distances = [0, 1, 2].map((instanceId) => distanceBetween(scene, boxAt(20), { object, instanceId }));
      expect(distances.map((one) => one?.distance)).toEqual([19, undefined, undefined]);
    }
  });

  it('is null for what has no triangles, 0 for a mesh and itself, and the gap for one inside another', () => {
    const shell = new Mesh(new SphereGeometry(5, 40, 40));
    const { scene } = sceneOf(shell, boxAt(0));
    const [, box] = scene.octree.size > 0 ? [null, [...scene.octree][1].data as Mesh] : [null, boxAt(0)];
    expect(distanceBetween(scene, box, new Group())).toBe(null);
    expect(distanceBetween(scene, box, box)?.distance).toBe(0);
    expect(distanceBetween(scene, shell, box)!.distance).toBeGreaterThan(4);
  });

  it('writes to a target, and counts its cost', () => {
    const [a, b] = [boxAt(0), boxAt(4)];
    const { scene } = sceneOf(a, b);
    const target = distanceBetween(scene, a, b)!;
    const stats = { meshesTested: 0, nodesVisited: 0, trianglesTested: 0, objectsSkipped: 0 };
    expect(distanceBetween(scene, b, a, { stats }, target)).toBe(target);
    expect(target.object).toBe(b);
    expect(stats.meshesTested).toBe(2);
    expect(stats.trianglesTested).toBeGreaterThan(0);
  });

  it('throws sentences', () => {
    const [a, b] = [boxAt(0), boxAt(4)];
    const { scene, group } = sceneOf(a, b);
    const octree = new Octree<never>();
    const body = octree.insert(new Box3().setFromObject(a), null as never);
    expect(() => distanceBetween(scene, 3 as never, a)).toThrow('distanceBetween: a must be an object');
    expect(() => distanceBetween(scene, a, body)).toThrow('b must be a body of the scene');
    expect(() => distanceBetween(scene, a, { object: b, instanceId: -1 })).toThrow(
      'b must be an object or an instance',
    );
    expect(() => distanceBetween(scene, a, b, { maxDistance: -1 })).toThrow(RangeError);
    expect(() => distanceBetween(group as never, a, b)).toThrow('scene must be a TriangleScene');
    expect(() => distanceBetween(scene, a, b, { within: 1 } as never)).toThrow('within');
  });
});

/** Three spheres below one object. */
function threeSpheres(y: number): Mesh {
  const spheres = [0, 2, 4].map((x) => {
    const mesh = new Mesh(new SphereGeometry(0.6, 9, 7));
    mesh.position.set(x, y + x / 9, x / 7);
    mesh.rotation.set(x, y, 1);
    return mesh;
  });
  return new Group().add(...spheres) as never as Mesh;
}

describe('intersectMeshPairs', () => {
  it('compares all meshes of two bodies, and none of the same body', () => {
    const nested = new Group().add(boxAt(0), boxAt(0.5)) as never as Mesh;
    const other = boxAt(1.2);
    const { scene } = sceneOf(nested, other);
    const pairs = intersectMeshPairs(scene, { within: 0.3, closest: true });
    expect(pairs.map(({ object, distance }) => [nested.children.indexOf(object!), distance])).toEqual([
      [0, Math.fround(1.2 - 0.5) - 0.5],
      [1, 0],
    ]);
  });

  it('finds the closest points of each pair of meshes of two bodies', () => {
    const { scene } = sceneOf(threeSpheres(0), threeSpheres(2));
    const pairs = intersectMeshPairs(scene, { within: 9, closest: true });
    expect(pairs.length).toBe(9);
    for (const { object, other, distance } of pairs)
      expect(distance).toBe(distanceBetween(scene, object!, other.object!)!.distance);
  });

  it('leaves out what masks, filters, exceptions and static bodies exclude, and hidden meshes', () => {
    const meshes = [boxAt(0), boxAt(0.5), boxAt(1), boxAt(1.5)];
    const sceneWith = (isStatic: (k: number) => boolean): TriangleScene<Mesh> => {
      const octree = new Octree<Mesh>();
      for (const [k, mesh] of meshes.entries())
        octree.insert(new Box3().setFromObject(mesh), mesh, { isStatic: isStatic(k), mask: k === 0 ? 2 : 1 });
      return new TriangleScene(octree, ({ data }, target) => {
        target.object = data;
        target.geometry = data.geometry;
      });
    };
    const scene = sceneWith((k) => k < 2);
    const numbers = (options: object, from = scene): number[][] =>
      intersectMeshPairs(from, options).map(({ object, other }) =>
        [object, other.object].map((one) => meshes.indexOf(one as Mesh)),
      );
    expect(numbers({}).length).toBe(5);
    expect(numbers({})).toContainEqual([0, 1]);
    expect(numbers({ includesStatic: false }).length).toBe(4);
    expect(numbers({ except: meshes[1] }).every((pair) => !pair.includes(1))).toBe(true);
    expect(numbers({ filter: ({ object }: { object: unknown }) => object !== meshes[2] })).toContainEqual([0, 1]);
    expect(numbers({ filter: ({ object }: { object: unknown }) => object !== meshes[2] }).flat()).not.toContain(2);
    meshes[3].visible = false;
    expect(numbers({}).flat()).not.toContain(3);
    expect(numbers({ includesHidden: true }).flat()).toContain(3);
    expect(numbers({ mask: 2, otherMask: 1 })).toEqual([
      [0, 1],
      [0, 2],
    ]);
    const reversed = [
      [1, 0],
      [2, 0],
    ];
    expect(numbers({ mask: 1, otherMask: 2 })).toEqual(reversed);
    const otherStatic = sceneWith((k) => k >= 2);
    expect(numbers({ mask: 1, otherMask: 2, includesStatic: false }, otherStatic)).toEqual(reversed);
    expect(numbers({ includesStatic: false, includesHidden: true }, otherStatic)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 3],
    ]);
    expect(numbers({ mask: 4 })).toEqual([]);
    expect(() => intersectMeshPairs(scene, { within: NaN })).toThrow('intersectMeshPairs');
    expect(() => intersectMeshPairs(scene, { closest: 1 as never })).toThrow('options.closest');
  });

  it('asks a filter for each pair of meshes, before any triangle is tested', () => {
    const meshes = [boxAt(0), boxAt(0.5), boxAt(1), boxAt(9)];
    const { scene } = sceneOf(...meshes);
    const asked: number[][] = [];
    const stats = {} as TriangleStats;
    const pairFilter = (a: QueriedMesh, b: QueriedMesh): boolean => {
      expect([a.body!.data, b.body!.data]).toEqual([a.object, b.object]);
      asked.push([a.object, b.object].map((one) => meshes.indexOf(one as Mesh)).sort((x, y) => x - y));
      return a.object === meshes[0] && b.object === meshes[1];
    };
    expect(intersectMeshPairs(scene, { pairFilter }).map(({ other }) => other.object)).toEqual([meshes[1]]);
    expect(asked.sort(([a, b], [c, d]) => a - c || b - d)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    intersectMeshPairs(scene, { pairFilter: () => false, stats });
    expect(stats.trianglesTested).toBe(0);
    expect(() => intersectMeshPairs(scene, { pairFilter: 1 as never })).toThrow('options.pairFilter');
  });
});

const rowOf = (count: number): ReturnType<typeof sceneOf> & { readonly meshes: Mesh[] } => {
  const meshes = Array.from({ length: count }, (_, k) => boxAt(0.9 * k));
  return { ...sceneOf(...meshes), meshes };
};
const flatten = (pairs: readonly MeshDistance[]): unknown[] =>
  pairs.map(({ object, face, other, distance }) => [object, face, other.object, other.face, distance]);

describe('intersectMeshPairsAsync', () => {
  const { now } = clock;
  afterEach(() => {
    clock.now = now;
  });

  it('finds the pairs of intersectMeshPairs in slices, with progress and costs', async () => {
    const { scene } = rowOf(8);
    let time = 0;
    clock.now = () => (time += 3);
    const parts: number[] = [];
    const [stats, costs] = [{} as TriangleStats, {} as TriangleStats];
    const options = { within: 0.01, closest: true };
    const found = await intersectMeshPairsAsync(scene, {
      ...options,
      budget: 5,
      stats,
      onProgress: (part) => parts.push(part),
    });
    expect(flatten(found)).toEqual(flatten(intersectMeshPairs(scene, { ...options, stats: costs })));
    expect(found.length).toBe(7);
    expect(stats).toEqual(costs);
    // A break after each second pair of bodies.
    expect(parts).toEqual([2, 4, 6, 7].map((k) => k / 7));
  });

  it('takes no other body for one that was removed meanwhile', async () => {
    const octree = new Octree<Mesh>();
    const meshes = Array.from({ length: 4 }, (_, k) => boxAt(k));
    const insert = (mesh: Mesh, mask = 1): Body<Mesh> => octree.insert(new Box3().setFromObject(mesh), mesh, { mask });
    const bodies = meshes.map((mesh) => insert(mesh));
    const scene = new TriangleScene(
      octree,
      ({ data }, target) => void Object.assign(target, { object: data, geometry: data.geometry }),
      MESH,
    );
    const work = intersectMeshPairsAsync(scene, { within: 0.01, mask: 1, budget: 0 });
    const { index } = bodies[3];
    bodies[3].remove();
    octree.update();
    // It touches the third one, too.
    expect(insert(boxAt(2.9), 2).index).toBe(index);
    expect((await work).map(({ body, other }) => [body!.index, other.body!.index])).toEqual(
      [0, 1].map((k) => [bodies[k].index, bodies[k + 1].index]),
    );
  });

  it('leaves out what was removed meanwhile, and compares what has moved where it is', async () => {
    const { scene, group, meshes } = rowOf(6);
    const work = intersectMeshPairsAsync(scene, { budget: 0 });
    // The first pair is compared. Two others lose a mesh, and one is parted.
    group.remove(meshes[3]);
    meshes[5].position.x += 9;
    group.updateMatrixWorld();
    const left = (await work).map(({ object, other }) =>
      [object, other.object].map((one) => meshes.indexOf(one as Mesh)),
    );
    expect(left).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('ends by a signal', async () => {
    const { scene } = rowOf(4);
    const controller = new AbortController();
    const { signal } = controller;
    const parts: number[] = [];
    const onProgress = (part: number): void => {
      parts.push(part);
      controller.abort();
    };
    await expect(intersectMeshPairsAsync(scene, { budget: 0, signal, onProgress })).rejects.toBe(signal.reason);
    expect(parts).toEqual([1 / 3]);
    await expect(intersectMeshPairsAsync(scene, { signal })).rejects.toBe(signal.reason);
  });

  it('refuses other arguments', async () => {
    const { scene } = rowOf(1);
    await expect(intersectMeshPairsAsync({} as never)).rejects.toThrow('intersectMeshPairsAsync: scene must be');
    await expect(intersectMeshPairsAsync(scene, { budget: -1 })).rejects.toThrow('options.budget');
    await expect(intersectMeshPairsAsync(scene, { within: NaN })).rejects.toThrow('intersectMeshPairsAsync');
    await expect(intersectMeshPairsAsync(scene, { side: 0 } as never)).rejects.toThrow('side');
    await expect(intersectMeshPairsAsync(scene, { signal: {} as never })).rejects.toThrow('options.signal must be an');
  });
});
