// A real city: the 9,016 buildings of Rotterdam as separate meshes. The data is not part of the repository; without it
// the test is skipped.

import { existsSync, readFileSync } from 'node:fs';
import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  Vector3,
  type Intersection,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { expectSameTexts } from '../../support/pass-lists.ts';
import { createRandom } from '../../support/random.ts';
import { IS_LONG } from '../../support/sampled.ts';

const DATA = '../shared/data/rotterdam-meshes';
const isThere = existsSync(`${DATA}.json`) && existsSync(`${DATA}.bin`);
if (!isThere) console.log(`The city of Rotterdam is not tested: there is no ${DATA}.bin.`);
const RAYS = IS_LONG ? 10_000 : 3000;

interface Header {
  readonly count: number;
  readonly sections: readonly { readonly name: string; readonly byteOffset: number; readonly byteLength: number }[];
}

/** The buildings, in metres around the centre of the city, y up. */
function readBuildings(): Mesh[] {
  const { count, sections } = JSON.parse(readFileSync(`${DATA}.json`, 'utf8')) as Header;
  const file = new Uint8Array(readFileSync(`${DATA}.bin`));
  const bytesOf = (name: string): ArrayBuffer => {
    const { byteOffset, byteLength } = sections.find((section) => section.name === name)!;
    return file.slice(byteOffset, byteOffset + byteLength).buffer;
  };
  const ranges = new Uint32Array(bytesOf('range'));
  const positions = new Float32Array(bytesOf('positions'));
  const material = new MeshBasicMaterial();
  return Array.from({ length: count }, (_, k) => {
    const [first, vertices] = [ranges[2 * k], ranges[2 * k + 1]];
    const position = new BufferAttribute(positions.subarray(3 * first, 3 * (first + vertices)), 3);
    return Object.assign(new Mesh(new BufferGeometry().setAttribute('position', position), material), {
      name: `building ${k}`,
    });
  });
}

/**
 * The meshes whose spheres the ray touches. `Mesh.raycast` would reject the others in its first test; leaving them out
 * saves most of the time of the plain group.
 */
function createSieve(meshes: readonly Mesh[]): (raycaster: Raycaster) => Mesh[] {
  const spheres = Float64Array.from(
    meshes.flatMap(({ geometry: { boundingSphere } }) => [
      ...boundingSphere!.center.toArray(),
      (boundingSphere!.radius + 1) ** 2,
    ]),
  );
  return ({ ray: { origin, direction } }) =>
    meshes.filter((_, k) => {
      const x = spheres[4 * k] - origin.x;
      const y = spheres[4 * k + 1] - origin.y;
      const z = spheres[4 * k + 2] - origin.z;
      // Behind the origin, the distance to the origin counts.
      const along = Math.max(0, x * direction.x + y * direction.y + z * direction.z);
      return x * x + y * y + z * z - along * along <= spheres[4 * k + 3];
    });
}

const inWords = ({ object, distance, faceIndex }: Intersection): string => `${object.name} ${distance} ${faceIndex}`;

describe.runIf(isThere)('rays through the separate meshes of a real city', () => {
  it(`hit in an OctreeGroup what they hit in a plain Group: ${RAYS} random ones, all hits and the first`, () => {
    const buildings = readBuildings();
    // Every other one has the bounding box that a loader computes: three tests it before the triangles.
    for (const { geometry } of buildings.filter((_, k) => k % 2 === 0)) geometry.computeBoundingBox();
    const octree = new OctreeGroup().add(...buildings.map((building) => building.clone()));
    const plain = new Group().add(...buildings);
    for (const group of [plain, octree]) group.updateMatrixWorld();
    for (const { geometry } of buildings) geometry.computeBoundingSphere();
    const sieve = createSieve(buildings);
    const random = createRandom(1);
    const raycaster = new Raycaster();
    let hits = 0;
    for (let k = 0; k < RAYS; k++) {
      const origin = new Vector3(random.between(-2000, 2000), random.between(1, 300), random.between(-1400, 1400));
      const aim = new Vector3(random.between(-2000, 2000), random.between(0, 40), random.between(-1400, 1400));
      raycaster.set(origin, aim.sub(origin).normalize());
      const expected = (
        k % 20 === 0 ? raycaster.intersectObject(plain) : raycaster.intersectObjects(sieve(raycaster))
      ).map(inWords);
      expectSameTexts(raycaster.intersectObject(octree).map(inWords), expected);
      const first = octree.raycastFirst(raycaster);
      expectSameTexts(first === null ? [] : [inWords(first)], expected.slice(0, 1));
      hits += expected.length;
    }
    expect(hits).toBeGreaterThan(RAYS);
  }, 120_000);
});
