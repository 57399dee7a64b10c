// A group of which most children move does not follow their bounds, and draws as a plain Group.

import { Box3, Group, Object3D, Raycaster, Vector3 } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';
import { geometry, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';

const namesOf = (objects: readonly Object3D[]): string[] => objects.map(({ name }) => name).sort();

/** Cubes of which each is at one of six places in each update. */
function createMoving(): { group: OctreeGroup; random: ReturnType<typeof createRandom>; move: () => void } {
  const group = rowOfCubes(80);
  geometry.computeBoundingSphere();
  const random = createRandom(7);
  const move = (): void => {
    for (const { position } of group.children) {
      position.x = (position.x % 1000) + 1000 * random.below(2);
      position.z = random.below(3) / 1000;
    }
    group.updateMatrixWorld();
  };
  for (let k = 0; k < 5; k++) move();
  return { group, random, move };
}

describe('a group of which most children move', () => {
  it('draws them all and computes their matrices, until a query asks for their bounds, or they rest', () => {
    const { group, move } = createMoving();
    expect(passOver(group, slab(5))).toHaveLength(80);
    for (let k = 0; k < 100; k++) {
      move();
      for (const { matrixWorld, position } of group.children) expect(matrixWorld.elements[12]).toBe(position.x);
    }
    const near = (): Object3D[] =>
      group.octree.intersectBox(new Box3().setFromCenterAndSize(at, size)).map(({ body }) => body.data);
    const at = new Vector3(0, 0, 0);
    const size = new Vector3(300, 10, 10);
    const expected = (): Object3D[] => group.children.filter(({ position }) => position.x < 150.6);
    expect(namesOf(near())).toEqual(namesOf(expected()));
    expect(namesOf(passOver(group, slab(150)))).toEqual(namesOf(expected()));
    move();
    const ray = new Raycaster(new Vector3(expected()[0].position.x, 0, 50), new Vector3(0, 0, -1));
    expect(ray.intersectObject(group)[0]?.object.name).toBe(expected()[0].name);
    move();
    expect(passOver(group, slab(150))).toHaveLength(80);
    for (let k = 0; k < 34; k++) group.updateMatrixWorld();
    expect(namesOf(passOver(group, slab(150)))).toEqual(namesOf(expected()));
  });

  it('follows them for a feature, for minScreenSize and for many passes in each update', () => {
    const starts: ((group: OctreeGroup) => unknown)[] = [
      (group) => group.groupChildren.bodies.followers.add({}),
      (group) => (group.minScreenSize = 1e-6),
      (group) => {
        for (let k = 0; k < 4; k++) passOver(group, slab(5));
      },
    ];
    for (const start of starts) {
      const { group, move } = createMoving();
      start(group);
      passOver(group, slab(5));
      move();
      expect(passOver(group, slab(150)).length).toBeLessThan(20);
    }
  });

  it('is culled again 32 updates after its children have come to rest, at most', () => {
    const { group } = createMoving();
    for (let k = 0; k < 32; k++) group.updateMatrixWorld();
    expect(passOver(group, slab(150)).length).toBeLessThan(20);
  });

  it.each<[string, (object: Object3D) => void]>([
    ['is written by hand', (object) => (object.matrixAutoUpdate = false)],
    [
      'and its world matrix are written by hand',
      (object) => {
        object.matrixAutoUpdate = object.matrixWorldNeedsUpdate = false;
        object.matrix.setPosition(7, 0, 0);
        object.matrixWorld.setPosition(8, 0, 0);
      },
    ],
    ['is not taken for the world', (object) => (object.matrixWorldAutoUpdate = false)],
    ['has a pivot', (object) => (object.pivot = new Vector3(1, 2, 3))],
    ['is that of a child too', (object) => object.add(new Object3D())],
    ['is computed by a method', (object) => (object.updateMatrixWorld = () => object.matrixWorld.setPosition(9, 0, 0))],
  ])('computes a matrix as a plain Group does, which %s', (_, change) => {
    // three computes all matrices below a group whose own matrix is automatic.
    for (const isAutomatic of [true, false]) {
      const { group, move } = createMoving();
      const plain = new Group();
      group.matrixAutoUpdate = plain.matrixAutoUpdate = isAutomatic;
      move();
      const mesh = group.children[3];
      const twin = mesh.clone();
      plain.add(twin);
      plain.updateMatrixWorld();
      for (const each of [mesh, twin]) change(each);
      for (let k = 0; k < 3; k++) {
        move();
        twin.position.copy(mesh.position);
        plain.updateMatrixWorld();
        for (const each of [mesh, ...mesh.children])
          expect(each.matrixWorld.elements).toEqual((each === mesh ? twin : twin.children[0]).matrixWorld.elements);
      }
      expect(passOver(group, slab(5))).toHaveLength(80);
    }
  });

  it('has code of the user called as in three', () => {
    const { group, move } = createMoving();
    const calls = vi.fn<() => void>();
    group.children[3].updateMatrixWorld = calls;
    move();
    expect(calls).toHaveBeenCalledTimes(1);
    group.updateWorldMatrix(false, true);
    expect(calls).toHaveBeenCalledTimes(1);
  });
});
