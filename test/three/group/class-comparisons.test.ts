// The comparison of nodes stands three times in the code, once for each set of classes.

import { Bone, Group, Line, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshBasicMaterial, Object3D } from 'three';
import { Points, PointsMaterial, SphereGeometry } from 'three';
import { expect, it } from 'vitest';
import { CLASS_COMPARISONS, classSetOf } from '../../../src/three/group/class-comparisons.ts';
import { OctreeGroup } from '../../../src/three.ts';

const drawn = (object: Object3D): Object3D => object.children[0] ?? object;

it('is the same text for each set', () => {
  const texts = CLASS_COMPARISONS.map((comparison, set) =>
    Object.values(comparison).map((each) => String(each).replaceAll(`kinds[k] === ${set}`, 'kinds[k] === SET')),
  );
  for (const text of texts) expect(text).toEqual(texts[0]);
  expect(texts[0].every((text) => text.includes('kinds[k] === SET'))).toBe(true);
});

it('spreads the classes of a page over the sets', () => {
  const classes = Array.from({ length: 9 }, () => class extends Object3D {});
  const counts = CLASS_COMPARISONS.map(() => 0);
  for (const each of classes) counts[classSetOf(new each())]++;
  expect(counts).toEqual(counts.map(() => classes.length / counts.length));
});

it('finds each kind of change of each class, in a tree of nine classes', () => {
  const geometry = new SphereGeometry(1, 4, 3);
  const lineMaterial = new LineBasicMaterial();
  class Tile extends Mesh {}
  const create = [
    () => new Mesh(geometry, new MeshBasicMaterial()),
    () => new Tile(geometry, new MeshBasicMaterial()),
    () => new Line(geometry, lineMaterial),
    () => new LineSegments(geometry, lineMaterial),
    () => new LineLoop(geometry, lineMaterial),
    () => new Points(geometry, new PointsMaterial()),
    () => new Group().add(new Mesh(geometry, new MeshBasicMaterial())),
    () => new Bone().add(new Mesh(geometry, new MeshBasicMaterial())),
    () => new Object3D().add(new Mesh(geometry, new MeshBasicMaterial())),
  ];
  const changes: ((object: Object3D, k: number) => void)[] = [
    ({ position }, k) => (position.x = k),
    ({ position }, k) => (position.y = k),
    ({ position }, k) => (position.z = k),
    ({ rotation }, k) => rotation.set(k, 0, 0),
    ({ rotation }, k) => rotation.set(0, k, 0),
    ({ rotation }, k) => rotation.set(0, 0, k),
    ({ scale }, k) => (scale.x = 1 + k),
    ({ scale }, k) => (scale.y = 1 + k),
    ({ scale }, k) => (scale.z = 1 + k),
    (object, k) => {
      object.matrixAutoUpdate = false;
      object.matrix.makeTranslation(k, k, k);
    },
  ];
  const objects = Array.from({ length: 30 * create.length }, (_, k) => create[k % create.length]());
  const tree = new Group().add(...objects);
  const group = new OctreeGroup().addTree(tree);
  group.updateMatrixWorld();
  changes.forEach((change, at) => {
    for (let k = at; k < objects.length; k += 7) change(objects[k], 1 + k / 100 + at);
    group.updateMatrixWorld();
    const copy = new Group().add(tree.clone());
    copy.updateMatrixWorld(true);
    objects.forEach((object, k) => {
      const twin = drawn(copy.children[0].children[k]) as Mesh;
      expect((drawn(object) as Mesh).matrixWorld.elements).toEqual(twin.matrixWorld.elements);
    });
  });
});
