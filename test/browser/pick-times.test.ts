// Time of a ray among 100,000 meshes: OctreeGroup compared with a Raycaster of three over the list of the meshes.

import { BoxGeometry, IcosahedronGeometry, Mesh, MeshBasicMaterial, Raycaster, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { byMajority } from '../support/by-majority.ts';

const COUNT = 100_000;
const REACH = 500;
const RAYS = 400;
const ROUNDS = 6;

/** Mean time of a ray in milliseconds. */
function timeOf(rays: readonly Raycaster[], pick: (ray: Raycaster) => unknown): number {
  const start = performance.now();
  for (const ray of rays) pick(ray);
  return (performance.now() - start) / rays.length;
}

it(
  'finds all hits and the first hit among 100,000 meshes more than 80 times faster than a Raycaster',
  byMajority(() => {
    const random = createRandom(1);
    const coordinate = (): number => random.between(-REACH, REACH);
    const geometries = [new BoxGeometry(2, 3, 2), new BoxGeometry(), new IcosahedronGeometry(1, 1)];
    const material = new MeshBasicMaterial();
    const group = new OctreeGroup();
    for (let k = 0; k < COUNT; k++) {
      const mesh = new Mesh(random.pick(geometries), material);
      mesh.position.set(coordinate(), coordinate(), coordinate());
      mesh.rotation.set(random.between(0, 3), random.between(0, 3), 0);
      group.add(mesh);
    }
    group.updateMatrixWorld();
    const list = [...group.children];
    const rays = Array.from({ length: RAYS }, () => {
      const origin = new Vector3(coordinate(), coordinate(), coordinate());
      return new Raycaster(origin, new Vector3(coordinate(), coordinate(), coordinate()).sub(origin).normalize());
    });
    let [plain, all, first, hits] = [Infinity, Infinity, Infinity, 0];
    for (let round = 0; round < ROUNDS; round++) {
      plain = Math.min(
        plain,
        timeOf(rays.slice(0, 4), (ray) => ray.intersectObjects(list)),
      );
      all = Math.min(
        all,
        timeOf(rays, (ray) => ray.intersectObject(group)),
      );
      first = Math.min(
        first,
        timeOf(rays, (ray) => group.raycastFirst(ray)),
      );
    }
    for (const ray of rays) hits += Math.min(1, ray.intersectObject(group).length);
    const ratios = `all hits ${(plain / all).toFixed(0)} times faster, the first ${(plain / first).toFixed(0)} times`;
    console.log(
      `${COUNT} meshes, ${hits} of ${RAYS} rays hit: Raycaster ${plain.toFixed(1)} ms, octree ${(1000 * all).toFixed(1)} and ${(1000 * first).toFixed(1)} us, ${ratios}`,
    );
    expect(hits).toBeGreaterThan(RAYS / 10);
    // Measured ratios are greater; the rest is allowance for busy machines.
    expect(plain / all).toBeGreaterThan(80);
    expect(plain / first).toBeGreaterThan(80);
  }),
);
