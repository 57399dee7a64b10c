/** The triangles of skinned meshes and of morph targets are those of the pose. */

import {
  Bone,
  CylinderGeometry,
  Float16BufferAttribute,
  Float32BufferAttribute,
  Mesh,
  Ray,
  Skeleton,
  SkinnedMesh,
  Sphere,
  SphereGeometry,
  Vector3,
  type BufferAttribute,
  type BufferGeometry,
  type InterleavedBufferAttribute,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { expect, it } from 'vitest';
import { BruteForceTriangles } from '../../src/debug/index.ts';
import { OctreeGroup } from '../../src/three.ts';
import {
  castShape,
  firstTriangle,
  intersectTriangles,
  nearestPoint,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';
import { directionOf, pointIn } from '../support/triangle-scenes.ts';

/** An arm of three bones along y. */
function createArm(): SkinnedMesh {
  const geometry: BufferGeometry = new CylinderGeometry(0.3, 0.3, 6, 12, 18);
  const { position } = geometry.attributes;
  const [indices, weights]: [number[], number[]] = [[], []];
  for (let k = 0; k < position.count; k++) {
    const along = ((position.getY(k) + 3) / 6) * 2;
    const bone = Math.min(1, Math.floor(along));
    indices.push(bone, bone + 1, 0, 0);
    weights.push(1 - (along - bone), along - bone, 0, 0);
  }
  geometry.setAttribute('skinIndex', new Float32BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const mesh = new SkinnedMesh(geometry);
  const bones = [-3, 3, 3].map((y) => {
    const bone = new Bone();
    bone.position.y = y;
    return bone;
  });
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  mesh.add(bones[0]);
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  mesh.frustumCulled = false;
  return mesh;
}

/** The pose as three computes it, as a geometry of its own. */
function asPosed(mesh: Mesh): BufferGeometry {
  const geometry = mesh.geometry.clone();
  const { position } = geometry.attributes;
  const array = new Float64Array(3 * position.count);
  const vertex = new Vector3();
  for (let k = 0; k < position.count; k++) mesh.getVertexPosition(k, vertex).toArray(array, 3 * k);
  const attribute = position.clone();
  Object.assign(attribute, { array });
  return geometry.setAttribute('position', attribute);
}

function compare(mesh: Mesh, scene: TriangleScene, seed: number): number {
  const reference = new BruteForceTriangles([{ geometry: asPosed(mesh), matrix: mesh.matrixWorld.elements }]);
  const random = createRandom(seed);
  let found = 0;
  for (let k = 0; k < 30; k++) {
    const center = pointIn(random, new Vector3(0, 1, 0), 6);
    const nearest = nearestPoint(scene, center)!;
    expect(nearest.distance).toBeCloseTo(reference.nearestPoint(center)!.value, 6);
    const ball = new Sphere(center, nearest.distance + 0.01);
    expect(intersectTriangles(scene, ball).length).toBe(reference.intersectTriangles(ball).length);
    const motion = directionOf(random).multiplyScalar(9);
    const small = new Sphere(center, 0.2);
    const hit = castShape(scene, small, motion);
    const expected = reference.castShape(small, motion);
    expect(hit === null).toBe(expected === null);
    if (hit !== null) expect(hit.time).toBeCloseTo(expected!.value, 6);
    const ray = new Ray(center, directionOf(random));
    expect(firstTriangle(scene, ray)?.distance ?? -1).toBeCloseTo(reference.firstTriangle(ray)?.value ?? -1, 6);
    if (hit !== null) found++;
  }
  return found;
}

it('follows the bones, with one refit a pose', () => {
  const arm = createArm();
  arm.position.x = 0.5;
  arm.scale.set(1, 0.8, 1.3);
  const group = new OctreeGroup().add(arm);
  const scene = new TriangleScene(group, { MeshBVH }) as TriangleScene;
  let found = 0;
  for (let pose = 0; pose < 4; pose++) {
    arm.skeleton.bones[1].rotation.z = 0.5 * pose;
    arm.skeleton.bones[2].rotation.x = -0.4 * pose;
    arm.skeleton.bones[0].position.x = 0.2 * pose;
    group.updateMatrixWorld();
    found += compare(arm, scene, pose);
  }
  expect(found).toBeGreaterThan(10);
});

it.each([true, false])('follows morph targets, relative ones: %s', (isRelative) => {
  const geometry = new CylinderGeometry(0.5, 0.5, 3, 10, 8);
  const { position } = geometry.attributes;
  const target = Array.from(position.array, (value, k) => (isRelative ? 0 : value) + (k % 3 === 0 ? 2 : 0));
  geometry.morphAttributes.position = [new Float32BufferAttribute(target, 3)];
  geometry.morphTargetsRelative = isRelative;
  const mesh = new Mesh(geometry);
  mesh.frustumCulled = false;
  const group = new OctreeGroup().add(mesh);
  group.updateMatrixWorld();
  const scene = new TriangleScene(group, { MeshBVH }) as TriangleScene;
  for (const influence of [0, 0.5, 1, 0]) {
    mesh.morphTargetInfluences![0] = influence;
    compare(mesh, scene, 7);
    const hit = firstTriangle(scene, new Ray(new Vector3(9, 0.1, 0.1), new Vector3(-1, 0, 0)));
    expect(hit?.position.x).toBeCloseTo(0.49 + 2 * influence, 1);
  }
});

it('is computed again only when a query reaches a mesh whose pose has changed', () => {
  const arm = createArm();
  const group = new OctreeGroup().add(arm);
  group.updateMatrixWorld();
  let reads = 0;
  const { skinWeight } = arm.geometry.attributes;
  // So its numbers are read by its method.
  skinWeight.normalized = true;
  const read = skinWeight.getX.bind(skinWeight);
  skinWeight.getX = (vertex) => {
    reads++;
    return read(vertex);
  };
  const scene = new TriangleScene(group, { MeshBVH });
  const once = skinWeight.count;
  const query = (): number => intersectTriangles(scene, new Sphere(new Vector3(), 0.4)).length;
  expect(query()).toBeGreaterThan(0);
  query();
  expect(reads).toBe(once);
  arm.skeleton.bones[1].rotation.z = 1;
  group.updateMatrixWorld();
  expect(reads).toBe(once);
  query();
  query();
  expect(reads).toBe(2 * once);
});

it('a missing bone counts as the identity, as renderers draw it', () => {
  const [arm, twin] = [createArm(), createArm()];
  arm.skeleton.bones[1] = undefined as never;
  twin.skeleton.bones[1] = new Bone();
  const group = new OctreeGroup().add(arm);
  group.updateMatrixWorld();
  twin.updateMatrixWorld();
  const point = new Vector3(2, 3, 1);
  const reference = new BruteForceTriangles([{ geometry: asPosed(twin), matrix: twin.matrixWorld.elements }]);
  const nearest = nearestPoint(new TriangleScene(group), point);
  expect(nearest?.distance).toBeCloseTo(reference.nearestPoint(point)!.value, 6);
});

it.each(['bones', 'morph targets'])('stands a tree that is set for the geometry later: %s', (kind) => {
  const arm = createArm();
  const { geometry } = arm;
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  const mesh = kind === 'bones' ? arm : new Mesh(geometry);
  mesh.frustumCulled = false;
  const group = new OctreeGroup().add(mesh);
  group.updateMatrixWorld();
  const scene = new TriangleScene(group, { MeshBVH });
  const counts = (): number[] =>
    [0.5, 1, 2, -1.3].map((y) => intersectTriangles(scene, new Sphere(new Vector3(0.3, y, 0), 0.2)).length);
  const before = counts();
  expect(Math.min(...before)).toBeGreaterThan(0);
  Object.assign(geometry, { boundsTree: new MeshBVH(geometry) });
  expect(counts()).toEqual(before);
});

it('throws again for a pose that cannot be computed', () => {
  const arm = createArm();
  arm.geometry.deleteAttribute('skinWeight');
  const group = new OctreeGroup().add(arm);
  group.updateMatrixWorld();
  const scene = new TriangleScene(group, { MeshBVH });
  const query = (): unknown => intersectTriangles(scene, new Sphere(new Vector3(), 0.4));
  expect(query).toThrow();
  expect(query).toThrow();
});

it('a skinned mesh without indices of bones stands as it is, also if it has morph targets', () => {
  const mesh = createArm();
  const { geometry } = mesh;
  geometry.deleteAttribute('skinIndex');
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  mesh.morphTargetInfluences = [1];
  mesh.skeleton.bones[1].rotation.z = 1;
  const scene = new TriangleScene(new OctreeGroup().add(mesh), { MeshBVH });
  const reference = new BruteForceTriangles([{ geometry, matrix: mesh.matrixWorld.elements }]);
  const point = new Vector3(2, 3, 1);
  expect(nearestPoint(scene, point)!.distance).toBe(reference.nearestPoint(point)!.value);
});

/** Numbers as 16-bit floats: attributes convert them, their arrays do not hold them. */
function half({ array, itemSize }: BufferAttribute | InterleavedBufferAttribute): Float16BufferAttribute {
  const attribute = new Float16BufferAttribute(new Uint16Array(array.length), itemSize);
  for (let k = 0; k < attribute.count; k++)
    attribute.setXYZ(k, array[itemSize * k], array[itemSize * k + 1], array[itemSize * k + 2]);
  return attribute;
}

it('converts 16-bit floats, of morph targets too', () => {
  const geometry = new SphereGeometry(1);
  const target = geometry.clone().scale(2, 2, 2);
  for (const { attributes } of [geometry, target]) attributes.position = half(attributes.position);
  const rest = new Mesh(geometry.clone());
  geometry.morphAttributes.position = [target.attributes.position];
  const morphed = new Mesh(geometry);
  morphed.morphTargetInfluences = [1];
  for (const [mesh, radius] of [
    [rest, 1],
    [morphed, 2],
  ] as const)
    for (const options of [{ MeshBVH }, {}]) {
      const group = new OctreeGroup().add(mesh);
      group.updateMatrixWorld();
      const scene = new TriangleScene(group, options);
      expect(firstTriangle(scene, new Ray(new Vector3(0.2, 5, 0.3), new Vector3(0, -1, 0)))?.distance).toBeCloseTo(
        5 - radius,
        0,
      );
      expect(nearestPoint(scene, new Vector3(3, 0, 0))?.distance).toBeCloseTo(3 - radius, 2);
    }
});
