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
import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeGroup } from '../../src/three.ts';
import { distanceBetween, intersectMeshPairs, TriangleScene, type MeshDistance } from '../../src/triangles/index.ts';
import { BruteForceTriangles, type ReferenceDistance } from '../../src/debug/reference/triangles.ts';
import { createTriangleScene, TRIANGLE_SCENES, type TriangleSceneName } from '../support/triangle-scenes.ts';

const COUNT = process.env.npm_lifecycle_event === 'test:long' ? 60 : 16;
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

  it('leaves out what masks, filters, exceptions and static bodies exclude, and hidden meshes', () => {
    const meshes = [boxAt(0), boxAt(0.5), boxAt(1), boxAt(1.5)];
    const octree = new Octree<Mesh>();
    for (const [k, mesh] of meshes.entries())
      octree.insert(new Box3().setFromObject(mesh), mesh, { isStatic: k < 2, mask: k === 0 ? 2 : 1 });
    const scene = new TriangleScene(octree, ({ data }, target) => {
      target.object = data;
      target.geometry = data.geometry;
    });
    const numbers = (options: object): number[][] =>
      intersectMeshPairs(scene, options).map(({ object, other }) =>
        [object, other.object].map((one) => meshes.indexOf(one as Mesh)).sort((a, b) => a - b),
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
    expect(numbers({ mask: 4 })).toEqual([]);
    expect(() => intersectMeshPairs(scene, { within: NaN })).toThrow('intersectMeshPairs');
    expect(() => intersectMeshPairs(scene, { closest: 1 as never })).toThrow('options.closest');
  });
});
