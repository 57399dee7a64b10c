/** Queries of triangles equal a loop over all triangles: scenes with all kinds of matrices and geometries. */

import { Box3, Matrix3, Matrix4, Mesh, Quaternion, Sphere, SphereGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeGroup } from '../../src/three.ts';
import {
  castShape,
  firstTriangle,
  intersectTriangles,
  nearestPoint,
  TriangleScene,
  type TriangleHit,
  type TriangleShape,
} from '../../src/triangles/index.ts';
import { BruteForceTriangles, type ReferenceTriangle } from '../../src/debug/reference/triangles.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import {
  createTriangleScene,
  directionOf,
  pointIn,
  TRIANGLE_SCENES,
  type TestScene,
  type TriangleSceneName,
} from '../support/triangle-scenes.ts';

/** Of four queries, in 15 scenes: 12,000 comparisons in the long run. */
const ROUNDS = IS_LONG ? 200 : 20;
const SOURCES = ['group', 'group, no trees', 'octree'] as const;

/** What the loop over all triangles answers to the queries of a round. */
interface Answers {
  readonly contacts: readonly ReferenceTriangle[];
  readonly cast: ReferenceTriangle | null;
  readonly first: ReferenceTriangle | null;
  readonly nearest: ReferenceTriangle | null;
}

describe.each(Object.keys(TRIANGLE_SCENES) as TriangleSceneName[])('%s', (name) => {
  /** By round. All sources ask the same of the same meshes, so that one loop answers for all of them. */
  const answers: Answers[] = [];

  it.each(SOURCES)('over a %s', (source) => {
    const world = createTriangleScene(name, 90, 7);
    const scene = createScene(world, source);
    const meshes: Mesh[] = [];
    for (let index = 0; index < scene.octree.size; index++) meshes[index] = scene.octree.dataAt(index) as Mesh;
    expect(meshes.length).toBe(90);
    // The order in which ties are decided is the same, too.
    expect(meshes.every((mesh, index) => mesh === world.meshes[index])).toBe(true);
    const numberOf = new Map<object | null, number>(meshes.map((mesh, index) => [mesh, index]));
    const flat = ({ object, face, position, normal }: TriangleHit, value: number): number[] => [
      numberOf.get(object) ?? -1,
      face,
      ...position,
      ...normal,
      value,
    ];
    const reference = new BruteForceTriangles(
      meshes.map(({ geometry, matrixWorld }) => ({ geometry, matrix: matrixWorld.elements })),
    );
    const counts = { contacts: 0, casts: 0, rays: 0, points: 0 };
    const { random, center, extent, size } = world;
    const far = { maxDistance: extent / 6 };
    for (let round = 0; round < ROUNDS; round++) {
      const shape = shapeOf(world, random);
      const motion = directionOf(random).multiplyScalar(random.between(0, extent));
      const ray = { origin: pointIn(random, center, 1.5 * extent), direction: directionOf(random) };
      const point = pointIn(random, center, 1.2 * extent);
      const options: { maxDistance?: number } = round % 2 === 0 ? far : {};
      const expected = (answers[round] ??= {
        contacts: reference.intersectTriangles(shape),
        cast: reference.castShape(shape, motion),
        first: reference.firstTriangle(ray),
        nearest: reference.nearestPoint(point, options.maxDistance),
      });

      const contacts = intersectTriangles(scene, shape);
      expect(contacts.map((hit) => flat(hit, hit.depth))).toEqual(expected.contacts.map(flatReference));
      counts.contacts += contacts.length;

      const hit = castShape(scene, shape, motion);
      expect(hit && flat(hit, hit.time)).toEqual(orNull(expected.cast, flatReference));
      counts.casts += hit === null ? 0 : 1;

      const first = firstTriangle(scene, ray);
      expect(first && [...flat(first, first.distance).slice(0, 5), first.distance]).toEqual(
        orNull(expected.first, ({ mesh, face, position, value }) => [mesh, face, ...position, value]),
      );
      counts.rays += first === null ? 0 : 1;

      const nearest = nearestPoint(scene, point, options);
      expect(nearest && [...flat(nearest, nearest.distance).slice(0, 5), nearest.distance]).toEqual(
        orNull(expected.nearest, ({ mesh, face, position, value }) => [mesh, face, ...position, value]),
      );
      counts.points += nearest === null ? 0 : 1;
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(ROUNDS / 10);
    expect(size).toBeGreaterThan(0);
  });
});

function orNull<T, R>(value: T | null, map: (value: T) => R): R | null {
  return value === null ? null : map(value);
}

it('the nearest point is right under inverse matrices of small integers, of which some rows are perpendicular', () => {
  const random = createRandom(31);
  const geometry = new SphereGeometry(1, 14, 10);
  for (let round = 0; round < 100; round++) {
    const mesh = new Mesh(geometry);
    mesh.matrixAutoUpdate = false;
    do {
      for (let k = 0; k < 12; k++) if (k % 4 < 3) mesh.matrix.elements[k] = random.below(3) - 1;
    } while (mesh.matrix.determinant() === 0);
    mesh.matrix.invert();
    mesh.updateMatrixWorld(true);
    const scene = new TriangleScene(new OctreeGroup().add(mesh), { MeshBVH });
    const reference = new BruteForceTriangles([{ geometry, matrix: mesh.matrixWorld.elements }]);
    for (let k = 0; k < 6; k++) {
      const point = directionOf(random).multiplyScalar(random.between(0, 4));
      expect(nearestPoint(scene, point)?.distance).toBe(reference.nearestPoint(point)?.value);
    }
  }
});

function flatReference({ mesh, face, position, normal, value }: ReferenceTriangle): number[] {
  return [mesh, face, ...position, ...normal, value];
}

function createScene({ meshes }: TestScene, source: (typeof SOURCES)[number]): TriangleScene {
  if (source === 'octree') {
    const octree = new Octree<Mesh>();
    for (const mesh of meshes) octree.insert(new Box3().setFromObject(mesh, true), mesh);
    return new TriangleScene(
      octree,
      ({ data }, target) => {
        target.geometry = data.geometry;
        target.matrix.copy(data.matrixWorld);
        target.object = data;
      },
      { MeshBVH },
    );
  }
  const group = new OctreeGroup().add(...meshes);
  group.updateMatrixWorld();
  return new TriangleScene(group, source === 'group' ? { MeshBVH } : {});
}

function shapeOf({ center, extent, size }: TestScene, random: Random): TriangleShape {
  const at = pointIn(random, center, extent);
  const radius = random.below(6) === 0 ? 0 : size * random.between(0, 0.8);
  const half = new Vector3(random.between(0, 1), random.between(0, 1), random.between(0, 1)).multiplyScalar(size);
  switch (random.below(4)) {
    case 0:
      return { center: at, radius };
    case 1:
      return { start: at, end: at.clone().addScaledVector(directionOf(random), size * random.between(0, 2)), radius };
    case 2:
      return { min: at, max: at.clone().add(half) };
    default: {
      const turn = new Quaternion().setFromAxisAngle(directionOf(random), random.between(0, 6));
      const rotation = new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromQuaternion(turn));
      return { center: at, halfSize: half, rotation };
    }
  }
}

describe('intersectTriangles', () => {
  it('orders the contacts of a mesh in a few steps each, however many they are', () => {
    const mesh = new Mesh(new SphereGeometry(1, 40, 40));
    const scene = new TriangleScene(new OctreeGroup().add(mesh), { MeshBVH });
    let writes = 0;
    const target = new Proxy<TriangleHit[]>([], {
      set(hits, key, value) {
        writes++;
        return Reflect.set(hits, key, value);
      },
    });
    const found = intersectTriangles(scene, new Sphere(new Vector3(), 2), {}, target);
    expect(found.length).toBe(mesh.geometry.index!.count / 3);
    expect(found.every(({ face }, k) => face === k)).toBe(true);
    expect(writes).toBeLessThan(4 * found.length);
  });
});
