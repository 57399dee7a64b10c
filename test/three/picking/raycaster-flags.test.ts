// The flags of a Raycaster hold for both containers as for a Group and an InstancedMesh.

import {
  BufferGeometry,
  Group,
  InstancedMesh,
  Layers,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Raycaster,
  SphereGeometry,
  Sprite,
  Vector3,
  type Intersection,
  type Object3D,
} from 'three';
import { acceleratedRaycast, computeBoundsTree } from 'three-mesh-bvh';
import { afterEach, describe, expect, it } from 'vitest';
import { SLEEP } from '../../../src/three/group/sleeping-children.ts';
import { OctreeGroup, OctreeInstances } from '../../../src/three.ts';

const camera = new PerspectiveCamera();
const material = new MeshBasicMaterial({ side: 2 });
const sphere = new SphereGeometry(1, 8, 6);
const withTree = new SphereGeometry(1, 8, 6);
Object.assign(withTree, { boundsTree: computeBoundsTree.call(withTree) });
const dots = new BufferGeometry().setFromPoints([new Vector3(0, 0.3, 0), new Vector3(0.4, 0, 0)]);

/** Children of all kinds along the x axis, one of them with a child. */
function fill(group: Object3D): Object3D {
  const accelerated = Object.assign(new Mesh(withTree, material), { raycast: acceleratedRaycast });
  const parent = new Mesh(sphere, material).add(new Mesh(sphere, material).translateX(3));
  const elsewhere = new Mesh(sphere, material);
  elsewhere.layers.set(3);
  const objects = [
    new Mesh(sphere, material),
    accelerated,
    parent,
    elsewhere,
    new Points(dots, new PointsMaterial()),
    new Line(dots, new LineBasicMaterial()),
    new Sprite(),
    new Group().add(new Mesh(sphere, material)),
  ];
  objects.forEach((object, k) => group.add(object.translateX(8 * k)));
  group.updateMatrixWorld();
  return group;
}

/** The same, of three and of the library. */
function pairs(): [string, Object3D, Object3D][] {
  const matrices = [0, 3, 9].map((x) => new Matrix4().makeTranslation(x, 0, 0));
  const meshes = new InstancedMesh(withTree, material, matrices.length);
  const instances = new OctreeInstances(withTree, material, matrices.length);
  matrices.forEach((matrix, k) => [meshes, instances].forEach((each) => each.setMatrixAt(k, matrix)));
  for (const each of [meshes, instances]) {
    each.add(new Mesh(sphere, material).translateX(20));
    each.updateMatrixWorld();
  }
  const awake = fill(new OctreeGroup());
  SLEEP.maxObjects = 48;
  const asleep = fill(new OctreeGroup());
  return [
    ['OctreeGroup', fill(new Group()), awake],
    ['OctreeGroup that sleeps', fill(new Group()), asleep],
    ['OctreeInstances', meshes, instances],
  ];
}

const describeHit = ({ object, distance, instanceId, faceIndex, index }: Intersection): unknown => [
  object.type.replace('OctreeInstances', 'Mesh'),
  Math.round(distance * 1e9),
  instanceId,
  faceIndex,
  index,
];

const settings: [string, (raycaster: Raycaster) => void][] = [
  ['no flag', () => {}],
  ['firstHitOnly', (raycaster) => Object.assign(raycaster, { firstHitOnly: true })],
  ['near', (raycaster) => (raycaster.near = 12.3)],
  ['far', (raycaster) => (raycaster.far = 25.1)],
  ['near and far', (raycaster) => Object.assign(raycaster, { near: 12.3, far: 25.1 })],
  ['far = 0', (raycaster) => (raycaster.far = 0)],
  ['another layer', (raycaster) => raycaster.layers.set(3)],
  ['two layers', (raycaster) => raycaster.layers.enable(3)],
  ['no layer', (raycaster) => (raycaster.layers.mask = 0)],
  ['params.Points', (raycaster) => (raycaster.params.Points.threshold = 0.01)],
  ['params.Line', (raycaster) => (raycaster.params.Line.threshold = 3)],
  ['params.Line2', (raycaster) => Object.assign(raycaster.params, { Line2: { threshold: 3 } })],
];
const calls: [string, (raycaster: Raycaster, object: Object3D) => Intersection[]][] = [
  ['intersectObject', (raycaster, object) => raycaster.intersectObject(object)],
  ['intersectObject, not recursive', (raycaster, object) => raycaster.intersectObject(object, false)],
  ['intersectObjects', (raycaster, object) => raycaster.intersectObjects([object, object])],
  ['intersectObjects, not recursive', (raycaster, object) => raycaster.intersectObjects([object, object], false)],
  ['a target', (raycaster, object) => raycaster.intersectObject(object, true, raycaster.intersectObject(object))],
  [
    'below a parent',
    (raycaster, object) => raycaster.intersectObject(new Group().copy(object.parent!, false).add(object)),
  ],
];

afterEach(() => {
  SLEEP.maxObjects = 0;
});

describe('a Raycaster', () => {
  it.each(settings)('with %s gives the hits of three in every call', (_, set) => {
    for (const [container, plain, own] of pairs())
      for (const [name, call] of calls) {
        const found = [plain, own].map((object) => {
          new Group().add(object);
          const hits: unknown[] = [];
          for (const y of [0.1, 0.45, 1.5]) {
            const raycaster = new Raycaster(new Vector3(-5, y, 0.2), new Vector3(1, 0, 0));
            raycaster.camera = camera;
            set(raycaster);
            const found = call(raycaster, object);
            // A raycaster that was not recursive leaves nothing behind. If it has tested the layers only, the container
            // is disarmed in the next microtask.
            if ((object.layers.mask & raycaster.layers.mask) === 0) void object.children;
            expect(object.children.every(({ parent }) => parent === object)).toBe(true);
            expect(Object.keys(found)).toHaveLength(found.length);
            expect(Object.hasOwn(found, 'sort')).toBe(false);
            hits.push(found.map(describeHit));
          }
          return hits;
        });
        expect(found[1], `${container}, ${name}`).toEqual(found[0]);
      }
  });

  it('hits the children of a group that sleeps before its first frame, and those added since', () => {
    SLEEP.maxObjects = 48;
    const group = new OctreeGroup();
    const raycaster = new Raycaster(new Vector3(-5, 0.1, 0.2), new Vector3(1, 0, 0));
    const far: number[] = [];
    for (const x of [4, 9]) {
      group.add(new Mesh(sphere, material).translateX(x));
      far.push(Math.round(raycaster.intersectObject(group).at(-1)!.point.x));
      group.updateMatrixWorld();
    }
    expect(far).toEqual([5, 10]);
  });

  it('that is not recursive does not disarm a container for a renderer', () => {
    for (const [, , own] of pairs()) {
      if (own instanceof OctreeGroup) void own.octree;
      new Raycaster(new Vector3(-5, 0.1, 0.2), new Vector3(1, 0, 0)).intersectObject(own, false);
      own.layers.test(new Layers());
      expect(own.children[0].parent).toBeNull();
      expect(own.children[0].parent).toBe(own);
    }
  });
});
