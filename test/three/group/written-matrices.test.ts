// Matrices that are written by hand, with `Object3D.DEFAULT_MATRIX_AUTO_UPDATE = false`.

import { Group, Matrix4, Mesh, MeshBasicMaterial, Object3D, Raycaster, Scene, SphereGeometry, Vector3 } from 'three';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';
import { IS_LONG } from '../../support/sampled.ts';

beforeAll(() => {
  Object3D.DEFAULT_MATRIX_AUTO_UPDATE = false;
});
afterAll(() => {
  Object3D.DEFAULT_MATRIX_AUTO_UPDATE = true;
});

const writes: [string, (object: Object3D, matrix: Matrix4) => void][] = [
  ['matrixWorld', ({ matrixWorld }, written) => matrixWorld.copy(written)],
  ['matrix', ({ matrix }, written) => matrix.copy(written)],
  [
    'matrix with matrixWorldNeedsUpdate',
    (object, written) => {
      object.matrix.copy(written);
      object.matrixWorldNeedsUpdate = true;
    },
  ],
  ['matrix and matrixWorld', ({ matrix, matrixWorld }, written) => matrixWorld.copy(matrix.copy(written))],
];
const places: [string, (group: Group, mesh: Mesh) => unknown][] = [
  ['child', (group, mesh) => group.add(mesh)],
  ['mesh below a child', (group, mesh) => group.add(new Group().add(mesh))],
  [
    'part of a tree',
    (group, mesh) => {
      const tree = new Group().add(new Group().add(mesh));
      return group instanceof OctreeGroup ? group.addTree(tree) : group.add(tree);
    },
  ],
];

const cases = writes.flatMap((write) =>
  places.flatMap((place) =>
    [true, false].map((isComputed) => [write[0], place[0], isComputed, write[1], place[1]] as const),
  ),
);

it.each(cases)(
  'rays find a written %s of a %s, as in a plain Group, with matrixWorldAutoUpdate = %s',
  (_write, _place, isComputed, write, put) => {
    Object3D.DEFAULT_MATRIX_WORLD_AUTO_UPDATE = isComputed;
    onTestFinished(() => {
      Object3D.DEFAULT_MATRIX_WORLD_AUTO_UPDATE = true;
    });
    const random = createRandom(3);
    const [geometry, material] = [new SphereGeometry(1, 6, 4), new MeshBasicMaterial()];
    const groups = [new Group(), new OctreeGroup()];
    const meshes = groups.map((group) => {
      new Scene().add(group);
      return Array.from({ length: 40 }, (_, k) => {
        const mesh = Object.assign(new Mesh(geometry, material), { name: String(k) });
        put(group, mesh);
        return mesh;
      });
    });
    for (let frame = 0; frame < (IS_LONG ? 15 : 6); frame++) {
      for (let k = random.below(8); k > 0; k--) {
        const written = new Matrix4().makeTranslation(random.between(-20, 20), random.between(-20, 20), 0);
        const at = random.below(40);
        for (const each of meshes) write(each[at], written);
      }
      for (const group of groups) group.parent!.updateMatrixWorld();
      for (const { matrixWorld } of meshes[0].filter((_, k) => k % 3 === 0)) {
        const origin = new Vector3(0, 0, 60);
        const direction = new Vector3().setFromMatrixPosition(matrixWorld).sub(origin).normalize();
        const [expected, hits] = groups.map((group) =>
          new Raycaster(origin, direction).intersectObject(group).map(({ object, distance }) => object.name + distance),
        );
        expect(hits).toEqual(expected);
      }
    }
  },
);
