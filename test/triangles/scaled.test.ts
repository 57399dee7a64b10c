/**
 * A scene that is larger by a power of two gives results that are larger by it, to the last bit: from 2^-60 of a unit
 * to where bodies and rays reach the limit of coordinates, 2^50.
 */

import { MeshBVH } from 'three-mesh-bvh';
import { PerspectiveCamera, Vector3, type Mesh } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import {
  castShape,
  castTriangleRays,
  distanceBetween,
  firstTriangle,
  intersectMeshPairs,
  intersectTriangles,
  nearestPoint,
  selectWithin,
  snap,
  solveContacts,
  TriangleScene,
  type TriangleHit,
} from '../../src/triangles/index.ts';
import { createTriangleScene, directionOf, pointIn } from '../support/triangle-scenes.ts';

/** The scene reaches to 6 units, and rays begin up to 15 units away. */
const EXPONENTS = [-60, -20, 0, 20, 44, 45, 46];
const EXTENT = 12;
const ELEMENT = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 200, height: 100 }) };

/** Which mesh, which triangle, and numbers of a length of 1. */
type Found = readonly unknown[] | null;

/** The answers of all queries in a scene that is scaled by a number. */
function answers(scale: number): Record<string, Found[]> {
  const { meshes, random } = createTriangleScene('all matrices', 40, 5);
  for (const mesh of meshes) {
    for (let k = 0; k < 16; k++) if (k % 4 < 3) mesh.matrix.elements[k] *= scale;
    mesh.updateMatrixWorld(true);
  }
  const group = new OctreeGroup().add(...meshes);
  group.updateMatrixWorld();
  const scene = new TriangleScene(group, { MeshBVH });
  const origin = new Vector3();
  const place = (extent = EXTENT): Vector3 => pointIn(random, origin, extent).multiplyScalar(scale);
  const short = (numbers: readonly number[]): number[] => numbers.map((number) => number / scale);
  const flat = (hit: TriangleHit | null): Found =>
    hit && [
      meshes.indexOf(hit.object as Mesh),
      hit.face,
      hit.inside,
      hit.time,
      ...hit.normal,
      ...short([...hit.position, hit.distance, hit.depth]),
    ];
  const found: Record<string, Found[]> = {};
  const add = (name: string, result: Found): void => void (found[name] ??= []).push(result);
  for (let round = 0; round < 40; round++) {
    const radius = random.between(0, 1) * scale;
    const start = place();
    const shapes = [
      { center: start, radius },
      { start, end: start.clone().add(new Vector3(0, scale, radius)), radius },
      { min: start, max: start.clone().addScalar(radius) },
    ];
    const motion = directionOf(random).multiplyScalar(random.between(0, EXTENT) * scale);
    for (const shape of shapes) {
      const contacts = intersectTriangles(scene, shape);
      for (const hit of contacts) add('intersectTriangles', flat(hit));
      if (contacts.length > 0) add('solveContacts', short([...solveContacts(contacts, motion)]));
      add('castShape', flat(castShape(scene, shape, motion)));
    }
    const ray = { origin: place(random.pick([EXTENT, 30])), direction: directionOf(random) };
    // Many of them hit.
    if (round % 4 > 0) ray.direction.setFromMatrixPosition(random.pick(meshes).matrixWorld).sub(ray.origin);
    add('firstTriangle', flat(firstTriangle(scene, ray)));
    add('firstTriangle', flat(firstTriangle(scene, ray, { far: EXTENT * scale })));
    const hits = { indices: new Int32Array(1), faces: new Int32Array(1), distances: new Float64Array(1) };
    const rays = new Float64Array([...ray.origin, ...ray.direction, Infinity]);
    add('castTriangleRays', [
      castTriangleRays(scene, rays, hits),
      hits.indices[0],
      hits.faces[0],
      ...short([...hits.distances]),
    ]);
    add('nearestPoint', flat(nearestPoint(scene, place(30))));
    const distance = distanceBetween(scene, random.pick(meshes), random.pick(meshes))!;
    add('distanceBetween', [distance.face, distance.other.face, ...short([distance.distance, ...distance.position])]);
  }
  for (const { object, other, ...rest } of intersectMeshPairs(scene, { within: 0.2 * scale, closest: true }))
    add('intersectMeshPairs', [
      meshes.indexOf(object as Mesh),
      meshes.indexOf(other.object as Mesh),
      rest.face,
      other.face,
      ...short([rest.distance, ...rest.position, ...other.position]),
    ]);
  const camera = new PerspectiveCamera(60, 2, scale / 8, 32 * scale);
  camera.position.set(0, 0, 14 * scale);
  camera.updateMatrixWorld();
  for (let round = 0; round < 20; round++) {
    const pointer = { clientX: random.between(60, 140), clientY: random.between(20, 80) };
    const to = { clientX: pointer.clientX + 9, clientY: pointer.clientY + 9 };
    const selected = selectWithin([pointer, to], camera, ELEMENT, scene);
    add(
      'selectWithin',
      selected.map(({ object }) => meshes.indexOf(object as Mesh)),
    );
    const point = snap(pointer, camera, ELEMENT, scene);
    add('snap', point && [point.kind, meshes.indexOf(point.object as Mesh), point.face, ...short([...point.position])]);
  }
  return found;
}

describe('a scene that is scaled by a power of two', () => {
  const expected = answers(1);

  it.each(EXPONENTS)('gives the same results, scaled by 2^%i', (exponent) => {
    const found = answers(2 ** exponent);
    for (const name of Object.keys(expected)) {
      expect(found[name]).toEqual(expected[name]);
      expect([name, expected[name].filter((each) => each !== null).length > 5]).toEqual([name, true]);
    }
  });
});
