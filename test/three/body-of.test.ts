/** `bodyOf` of both containers: the body of an object or an instance, to query around it. */

import { Box3, BoxGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, PointLight, Sphere, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { nearest, Octree } from '../../src/index.ts';
import { boundsOf, OctreeGroup, OctreeInstances } from '../../src/three.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const at = (x: number): Mesh => {
  const mesh = new Mesh(geometry, material);
  mesh.position.x = x;
  return mesh;
};

it('is the body whose data is the object, in world units, for children and parts of trees', () => {
  const [child, inTree, inGroup] = [at(0), at(3), at(6)];
  const tree = new Group().add(inTree, new Group().add(inGroup));
  const group = new OctreeGroup().add(child).addTree(tree, { isStatic: true });
  const check = (): void => {
    for (const mesh of [child, inTree, inGroup]) {
      const body = group.bodyOf(mesh)!;
      expect(body.data).toBe(mesh);
      const { min, max } = boundsOf(mesh) as Box3;
      expect(body.getBox().min.distanceTo(min) + body.getBox().max.distanceTo(max)).toBeLessThan(1e-4);
      const near = nearest(group.octree, body.getBox(), 2, { except: body, maxDistance: 2.1 });
      expect(new Set(near.map(({ body: { data } }) => data))).toEqual(
        new Set(mesh === inTree ? [child, inGroup] : [inTree]),
      );
    }
  };
  // Before the first frame, after it, after a move of the group, and after a change of what is static.
  check();
  group.updateMatrixWorld();
  check();
  group.position.set(50, 2, 0);
  group.rotation.y = Math.PI / 2;
  group.updateMatrixWorld();
  check();
  group.setStatic(inGroup, false).updateMatrixWorld();
  check();
});

it('is that of the object above which is culled as a whole, and null for what has none', () => {
  const wheel = at(1);
  const car = new Group().add(at(0), wheel);
  const light = new PointLight();
  const root = new Group().add(at(9));
  const group = new OctreeGroup().add(car, light).addTree(root);
  expect(group.bodyOf(wheel)).toBe(group.bodyOf(car));
  expect(group.bodyOf(car)!.data).toBe(car);
  expect([light, root].map((object) => group.bodyOf(object))).toEqual([null, null]);
  // A query leaves out nothing then.
  const all = new Sphere(new Vector3(), 99);
  expect(group.octree.intersectSphere(all, { except: group.bodyOf(light) })).toHaveLength(2);
  expect(() => group.bodyOf(at(0))).toThrow(
    /^OctreeGroup\.bodyOf: the object must be a child of this group or below one, but is the Mesh with id \d+, which has no parent; add it first\.$/,
  );
});

it('is that of an instance, null for a hidden one', () => {
  const instances = new OctreeInstances(geometry, material, 3);
  for (let id = 0; id < 3; id++) instances.setMatrixAt(id, new Matrix4().makeTranslation(4 * id, 0, 0));
  instances.position.y = 7;
  const check = (ids: readonly number[]): void => {
    for (const id of ids) {
      const body = instances.bodyOf(id)!;
      expect([body.data, body.getSphere().center.x, body.getSphere().center.y]).toEqual([id, 4 * id, 7]);
      const others = instances.octree.intersectSphere(new Sphere(new Vector3(4, 7, 0), 99), { except: body });
      expect(new Set(others.map(({ body: { data } }) => data))).toEqual(new Set(ids.filter((one) => one !== id)));
    }
  };
  check([0, 1, 2]);
  instances.setVisibleAt(0, false);
  expect(instances.bodyOf(0)).toBe(null);
  check([1, 2]);
  instances.setVisibleAt(0, true).deleteInstance(2);
  check([0, 1]);
  expect(instances.addInstance(new Matrix4().makeTranslation(8, 0, 0))).toBe(2);
  check([0, 1, 2]);
  expect(() => instances.bodyOf(3)).toThrow('OctreeInstances.bodyOf: id must be that of an instance of');
});

it('may be null as `except` of every query', () => {
  const octree = new Octree<string>();
  octree.insert(new Sphere(new Vector3(), 1), 'ball');
  expect(nearest(octree, new Vector3(), 1, { except: null })).toHaveLength(1);
});
