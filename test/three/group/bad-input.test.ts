// An error in a child names the child; the other children are updated, and every child is still drawn.

import { BoxGeometry, BufferGeometry, Group, Mesh, Raycaster, Scene, Vector3, type Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeGroup } from '../../../src/three/index.ts';
import { cube, material, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';

const ahead = (x = 0): Raycaster => new Raycaster(new Vector3(x, 0, 9), new Vector3(0, 0, -1));

describe('a child of an OctreeGroup', () => {
  /** three writes errors to the console for some of these inputs. */
  let complaints: MockInstance;
  beforeEach(() => (complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)));
  afterEach(() => complaints.mockRestore());

  it('with a NaN in its matrix is named in every update, drawn, and not hit, until it is repaired', () => {
    const group = rowOfCubes(3);
    const [lost, moved] = group.children;
    lost.scale.y = NaN;
    moved.position.x = 0;
    for (let k = 0; k < 2; k++) expect(() => group.updateMatrixWorld()).toThrow(/^boundsOf: the matrixWorld of the Mesh "cube 0" .* check its position, rotation and scale/);
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube 10']);
    lost.scale.y = 1;
    lost.position.x = 700;
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 10']);
    expect(ahead(700).intersectObject(group)[0].object).toBe(lost);
  });

  it('is culled and hit again in the frame after a NaN is replaced by the old value, whether the child is new or not, static or not', () => {
    for (const [isNew, isStatic, isOpen] of [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [1, 2, 4].map((bit) => (k & bit) !== 0))) {
      const [lost, still] = [cube(0), cube(0)];
      const part = new Mesh(new BoxGeometry(), material);
      const byMatrix = Object.assign(cube(0), { matrixAutoUpdate: false });
      const axle = new Group().add(part);
      const car = new Group().add(cube(0), axle);
      const group = new OctreeGroup({ hasStaticChildren: isStatic });
      const parent = new Group().add(group.add(lost, still, byMatrix, car));
      const { position } = part.geometry.attributes;
      const setters: ((x: number) => unknown)[] = [
        (x) => (lost.position.x = x),
        (x) => (byMatrix.matrix.elements[12] = x),
        (x) => (part.position.x = x),
        (x) => (axle.position.x = x),
        (x) => (car.position.x = x),
        (x) => (parent.position.x = x),
        (x) => (position.setX(0, x + 0.5), (position.needsUpdate = true), part.geometry.computeBoundingSphere()),
      ];
      if (isOpen) group.addTree(car);
      if (!isNew) parent.updateMatrixWorld();
      for (const [k, set] of setters.entries()) {
        set(NaN);
        if (isStatic) for (const child of group.children) group.moved(child);
        for (let frame = 0; frame < 2; frame++) expect(() => parent.updateMatrixWorld(), `setter ${k}`).toThrow(RangeError);
        expect(passOver(group, slab(1)).length).toBeGreaterThan(3);
        set(0);
        parent.updateMatrixWorld();
        expect(passOver(group, slab(1)).length).toBe(isOpen ? 5 : 4);
        expect([lost, byMatrix, part, car].map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([0, 0, 0, 0]);
        expect(ahead().intersectObject(group).length).toBe(10);
        expect(group.octree.size).toBe(isOpen ? 5 : 4);
        expect(group.octree.validate()).toEqual([]);
      }
    }
  });

  it('that is repaired has its whole tree updated, even if it is static, so that objects that moved in it have correct bounds', () => {
    const [lost, other] = [cube(0), cube(0)];
    const root = new Group().add(lost, other);
    const group = new OctreeGroup().addTree(root).setStatic(root);
    group.updateMatrixWorld();
    lost.position.x = NaN;
    other.position.x = 500;
    expect(() => group.moved(lost).updateMatrixWorld()).toThrow(RangeError);
    expect(namesSeen(group, 1).length).toBe(2);
    lost.position.x = 0;
    group.updateMatrixWorld();
    expect(other.matrixWorld.elements[12]).toBe(500);
    expect(passOver(group, slab(1))).toEqual([lost]);
  });

  it('with a NaN in a vertex is named from the first query on, until it is removed', () => {
    const broken = Object.assign(new Mesh(new BoxGeometry(), material), { name: 'broken' });
    broken.geometry.attributes.position.setX(3, NaN);
    const group = new OctreeGroup().add(cube(0), broken);
    expect(() => ahead().intersectObject(group)).toThrow(/the geometry of the Mesh "broken" must lead to bounds .* check its vertices and its boundingSphere/);
    expect(() => group.octree).toThrow(RangeError);
    expect(() => new Scene().add(group).updateMatrixWorld()).toThrow(/"broken"/);
    expect(passOver(group, slab(1))).toEqual(group.children);
    group.remove(broken);
    expect(ahead().intersectObject(group).length).toBe(2);
    expect(group.octree.size).toBe(1);
  });

  it('with a NaN in a descendant causes an error that names the descendant', () => {
    const part = Object.assign(cube(0), { name: 'part' });
    const group = new OctreeGroup().add(new Group().add(cube(0), new Group().add(part)));
    group.updateMatrixWorld();
    part.quaternion.w = NaN;
    expect(() => group.updateMatrixWorld()).toThrow(/the Mesh "part"/);
    expect(passOver(group, slab(1)).length).toBe(1);
    part.quaternion.w = 1;
    group.updateMatrixWorld();
    expect(ahead().intersectObject(group).length).toBe(4);
  });

  it('with an empty geometry is no error, and becomes a body when it gets vertices', () => {
    const late = new Mesh(new BufferGeometry(), material);
    const group = new OctreeGroup().add(late, cube(0));
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect(passOver(group, slab(1))).toEqual(group.children);
    expect(ahead().intersectObject(group).every(({ object }) => object !== late)).toBe(true);
    late.geometry = new BoxGeometry();
    late.position.x = 500;
    for (let k = 0; k < 8; k++) group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
    expect(ahead(500).intersectObject(group)[0].object).toBe(late);
  });

  it('with a disposed geometry and material stays: three would upload them again', () => {
    const group = rowOfCubes(2);
    const child = group.children[0] as Mesh;
    child.geometry = new BoxGeometry();
    child.geometry.dispose();
    child.material = material.clone();
    child.material.dispose();
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
    expect(ahead().intersectObject(group)[0].object).toBe(child);
  });

  it('that is added twice, or to two groups, has one body, in the last order and group', () => {
    const group = rowOfCubes(3);
    const [child] = group.children;
    group.add(child).add(child, child);
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 10', 'cube 20', 'cube 0']);
    expect(group.octree.size).toBe(3);
    const other = new OctreeGroup().add(child);
    other.updateMatrixWorld();
    group.updateMatrixWorld();
    expect([group.octree.size, other.octree.size]).toEqual([2, 1]);
    expect(ahead().intersectObject(group)).toEqual([]);
    expect(ahead().intersectObject(other).length).toBe(2);
  });

  it('that is no object, or the group itself, is rejected by three with an error on the console, and changes nothing', () => {
    const group = rowOfCubes(2);
    group.add(group, undefined as never, {} as Object3D);
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 0', 'cube 10']);
    expect(complaints).toHaveBeenCalledTimes(3);
    expect(group.octree.validate()).toEqual([]);
  });

  it('that was removed is neither drawn nor hit from then on, even before the next update', () => {
    const group = rowOfCubes(4);
    const [first, second] = group.children;
    group.remove(first);
    expect(namesSeen(group, 11)).toEqual(['cube 10']);
    expect(ahead().intersectObject(group)).toEqual([]);
    second.removeFromParent();
    second.position.x = NaN;
    group.updateMatrixWorld();
    expect(namesSeen(group, 11)).toEqual([]);
    expect(group.octree.size).toBe(2);
  });

  it('that belongs to no group is rejected by setStatic, isStatic, moved and addTree', () => {
    const group = rowOfCubes(1);
    for (const name of ['setStatic', 'isStatic', 'moved'] as const) {
      expect(() => group[name](cube(7))).toThrow(new RegExp(`^OctreeGroup\\.${name}: the object must be a child of this group, but is the Mesh "cube 7"; add it first`));
      expect(() => group[name](undefined as never)).toThrow(TypeError);
    }
    expect(() => group.setStatic(group.children[0], 1 as never)).toThrow(/^OctreeGroup\.setStatic: isStatic must be true or false, but is 1/);
    for (const root of [group, undefined, {}]) expect(() => group.addTree(root as never)).toThrow(/^OctreeGroup\.addTree: the object must be a child/);
  });
});

describe('the options of an OctreeGroup', () => {
  it('are checked before anything is created: an unknown name, or a wrong value, is named', () => {
    const cases: [unknown, RegExp][] = [
      [{ leafCapcity: 8 }, /^OctreeGroup: options\.leafCapcity is unknown, and is 8; use hasStaticChildren, region, minCellSize, looseness, leafCapacity, lifespan, simdFrom\.$/],
      [{ outside: 'remove' }, /^OctreeGroup: options\.outside is unknown/],
      [{ hasStaticChildren: 1 }, /^OctreeGroup: options\.hasStaticChildren must be true or false, but is 1/],
      [null, /^OctreeGroup: options must be an object, but is null/],
    ];
    for (const [options, message] of cases) {
      expect(() => new OctreeGroup(options as never)).toThrow(TypeError);
      expect(() => new OctreeGroup(options as never)).toThrow(message);
    }
    expect(() => new OctreeGroup({ looseness: 0.5 })).toThrow(RangeError);
  });

  it('reach the octree', () => {
    const group = new OctreeGroup({ region: { min: { x: -64, y: -64, z: -64 }, edge: 128 } }).add(cube(0));
    expect(group.octree.region).toEqual({ min: { x: -64, y: -64, z: -64 }, edge: 128 });
  });
});
