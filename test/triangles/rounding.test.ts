/** Where rounding decides: rays from far away, matrices without an inverse. */

import { Group, Mesh, PlaneGeometry, Ray, Sphere, SphereGeometry, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { expect, it } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import { firstTriangle, intersectTriangles, nearestPoint, TriangleScene } from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';

function groupOf(meshes: readonly Mesh[]): OctreeGroup {
  const group = new OctreeGroup().add(...meshes);
  group.updateMatrixWorld();
  return group;
}

it.each([1e3, 1e4, 1e6, 1e9])(
  'a ray finds the first of two equal walls, and slips through no edge, from %d away',
  (x) => {
    const size = x / 5_000;
    const wall = (): Mesh => new Mesh(new PlaneGeometry(20 * size, 20 * size, 10, 10).rotateY(-Math.PI / 2));
    const walls = [wall(), wall()];
    for (const each of walls) each.position.set(x, 0.9 * x, 0.7 * x);
    const scene = new TriangleScene(groupOf(walls), { MeshBVH });
    const random = createRandom(7);
    for (let k = 0; k < 400; k++) {
      const origin = new Vector3(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
      // At the edges of triangles, and between them.
      const at = (): number => (k % 2 === 0 ? Math.floor(16 * random.next() - 8) : 16 * random.next() - 8) * size;
      const direction = new Vector3(x, 0.9 * x + at(), 0.7 * x + at()).sub(origin).normalize();
      const hit = firstTriangle(scene, new Ray(origin, direction));
      expect([k, walls.indexOf(hit?.object as Mesh)]).toEqual([k, 0]);
    }
  },
);

it('finds the same with trees in meshes that a matrix makes a line', () => {
  const random = createRandom(3);
  for (let k = 0; k < 60; k++) {
    const parent = new Group();
    parent.scale.set(1, 0, 0);
    parent.rotation.set(random.next(), random.next(), random.next());
    const mesh = new Mesh(new SphereGeometry(1, 12, 8));
    mesh.rotation.set(3 * random.next(), 3 * random.next(), 3 * random.next());
    parent.add(mesh);
    const group = new OctreeGroup().addTree(parent);
    group.updateMatrixWorld();
    const point = new Vector3(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5).multiplyScalar(4);
    const [found, expected] = [{ MeshBVH }, {}].map((options) => {
      const scene = new TriangleScene(group, options);
      const distance = nearestPoint(scene, point)?.distance;
      return [distance, intersectTriangles(scene, new Sphere(point, (distance ?? 0) + 0.1)).length];
    });
    expect([k, ...found]).toEqual([k, ...expected]);
  }
});
