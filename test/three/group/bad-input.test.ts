// A child with a NaN or too large bounds is named on the console and drawn in every pass; the other children are culled
// as before.

import { BoxGeometry, BufferGeometry, Group, Mesh, Raycaster, Scene, Vector3, type Object3D } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { cube, material, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';
import { validate } from '../../../src/debug/index.ts';

const ahead = (x = 0): Raycaster => new Raycaster(new Vector3(x, 0, 9), new Vector3(0, 0, -1));

describe('a child of an OctreeGroup', () => {
  /** three writes errors to the console for some of these inputs. */
  let complaints: MockInstance;
  let warnings: MockInstance;
  beforeEach(() => {
    complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    complaints.mockRestore();
    warnings.mockRestore();
  });

  it('with a NaN in its matrix is named once, drawn in every pass, and hit as in a plain Group, until it is mended', () => {
    const group = rowOfCubes(3);
    const [lost, moved] = group.children;
    lost.scale.y = NaN;
    moved.position.x = 0;
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect(warnings.mock.calls.flat()).toEqual([
      expect.stringMatching(
        /^OctreeGroup: the matrixWorld of the Mesh "cube 0" .* reach NaN; check its position, rotation and scale, .*OctreeGroup\.unculled lists/,
      ),
    ]);
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube 10']);
    expect(group.unculled).toEqual([lost]);
    const plain = new Group().add(...group.clone().children);
    plain.updateMatrixWorld();
    const hitsIn = (container: Object3D): string[] =>
      ahead(0)
        .intersectObject(container)
        .map(({ object, distance }) => `${object.name} ${distance}`);
    expect(hitsIn(group)).toEqual(hitsIn(plain));
    expect(group.raycastFirst(ahead(0))!.object).toBe(moved);
    lost.scale.y = 1;
    lost.position.x = 700;
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 10']);
    expect(ahead(700).intersectObject(group)[0].object).toBe(lost);
    expect(group.unculled).toEqual([]);
  });

  it('without a geometry is named by an error, and is as others once it has one', () => {
    const group = rowOfCubes(60);
    group.updateMatrixWorld();
    const [, bare] = group.children as Mesh[];
    const { geometry } = bare;
    for (const none of [undefined, null]) {
      bare.geometry = none as never;
      expect(() => group.updateMatrixWorld()).toThrow(
        new TypeError(`OctreeGroup: geometry of the Mesh "cube 10" must be a BufferGeometry, but is ${none}; set one.`),
      );
    }
    bare.geometry = geometry;
    group.updateMatrixWorld();
    expect(namesSeen(group, 11)).toContain('cube 10');
    expect(validate(group.octree)).toEqual([]);
  });

  it('with bounds beyond 2^50, or infinite ones, is drawn in every pass and hit by every ray, until it is mended', () => {
    const changes: ((child: Mesh) => unknown)[] = [
      (child) => (child.position.x = 1e19),
      (child) => (child.position.z = -Infinity),
      (child) => child.scale.setScalar(2 ** 51),
      (child) => (child.geometry.boundingSphere!.radius = 1e30),
      (child) => (child.geometry.boundingSphere!.center.x = Infinity),
    ];
    for (const change of changes) {
      const group = new OctreeGroup().add(
        new Mesh(new BoxGeometry(), material),
        new Group().add(new Mesh(new BoxGeometry(), material), cube(0)),
        cube(500),
      );
      const parts = [group.children[0], group.children[1].children[0]] as Mesh[];
      for (const { geometry } of parts) geometry.computeBoundingSphere();
      group.updateMatrixWorld();
      expect(group.octree.size).toBe(3);
      for (const part of parts) change(part);
      group.updateMatrixWorld();
      expect(passOver(group, slab(1))).toEqual(group.children.slice(0, 2));
      expect([group.octree.size, group.unculled]).toEqual([1, group.children.slice(0, 2)]);
      const plain = new Group().add(...group.clone().children);
      plain.updateMatrixWorld();
      for (const raycaster of [ahead(), new Raycaster(new Vector3(1e19, 0, 9e15), new Vector3(0, 0, -1))]) {
        const [expected, found] = [plain, group].map((container) =>
          raycaster.intersectObject(container).map(({ distance }) => distance),
        );
        expect(found).toEqual(expected);
        expect(group.raycastFirst(raycaster)?.distance ?? Infinity).toBe(
          Math.min(...expected.filter((distance) => !Number.isNaN(distance))),
        );
      }
      for (const part of parts) {
        part.position.set(500, 0, 0);
        part.scale.setScalar(1);
        part.geometry.computeBoundingSphere();
      }
      group.updateMatrixWorld();
      expect(passOver(group, slab(1))).toEqual([group.children[1]]);
      expect(group.octree.size).toBe(3);
    }
    expect(warnings).toHaveBeenCalledTimes(changes.length);
  });

  it('in a group or a parent that is too far away, or has a NaN, is drawn, and culled once that is mended', () => {
    for (const isStatic of [false, true]) {
      for (const broken of [NaN, 1e19, -Infinity]) {
        const group = new OctreeGroup({ hasStaticChildren: isStatic }).add(cube(0), cube(500));
        const parent = new Group().add(group);
        for (const isNew of [true, false]) {
          parent.position.y = broken;
          parent.updateMatrixWorld();
          expect(passOver(group, slab(1)).length).toBe(2);
          expect(group.octree.size).toBe(0);
          parent.position.y = isNew ? 0 : 1;
          parent.updateMatrixWorld();
          expect(namesSeen(group, 1)).toEqual(['cube 0']);
          expect(group.octree.size).toBe(2);
        }
      }
    }
  });

  it('is culled and hit again in the frame after a NaN is replaced by the old value, whether the child is new or not, static or not', () => {
    for (const [isNew, isStatic, isOpen] of [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
      [1, 2, 4].map((bit) => (k & bit) !== 0),
    )) {
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
      const report = (): void => {
        if (isStatic) for (const child of group.children) group.reportMove(child);
      };
      if (isOpen) group.addTree(car);
      if (!isNew) parent.updateMatrixWorld();
      for (const set of setters) {
        set(NaN);
        report();
        for (let frame = 0; frame < 2; frame++) parent.updateMatrixWorld();
        expect(passOver(group, slab(1)).length).toBeGreaterThan(3);
        expect(group.unculled.length).toBeGreaterThan(0);
        set(0);
        report();
        parent.updateMatrixWorld();
        expect(passOver(group, slab(1)).length).toBe(isOpen ? 5 : 4);
        expect([lost, byMatrix, part, car].map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([0, 0, 0, 0]);
        expect(ahead().intersectObject(group).length).toBe(10);
        expect(group.octree.size).toBe(isOpen ? 5 : 4);
        expect(validate(group.octree)).toEqual([]);
      }
      expect(warnings).toHaveBeenCalledTimes(1);
      warnings.mockClear();
    }
  });

  it('with a NaN in a vertex is named by the first query, drawn, and gets a body once it is mended', () => {
    const broken = Object.assign(new Mesh(new BoxGeometry(), material), { name: 'broken' });
    broken.geometry.attributes.position.setX(3, NaN);
    const group = new OctreeGroup().add(cube(0), broken);
    expect(ahead().intersectObject(group).length).toBeGreaterThan(1);
    expect(warnings.mock.calls.flat()).toEqual([
      expect.stringMatching(
        /the geometry of the Mesh "broken" must lead to bounds .* check its vertices and its boundingSphere/,
      ),
    ]);
    expect(group.octree.size).toBe(1);
    new Scene().add(group).updateMatrixWorld();
    expect(passOver(group, slab(1))).toEqual(group.children);
    broken.geometry.attributes.position.setX(3, 0.5);
    broken.geometry.attributes.position.needsUpdate = true;
    broken.geometry.computeBoundingSphere();
    broken.position.x = 500;
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
    expect(group.octree.size).toBe(2);
  });

  it('with a NaN in a descendant is named by the descendant', () => {
    const part = Object.assign(cube(0), { name: 'part' });
    const group = new OctreeGroup().add(new Group().add(cube(0), new Group().add(part)));
    group.updateMatrixWorld();
    part.quaternion.w = NaN;
    group.updateMatrixWorld();
    expect(warnings).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/the matrixWorld of the Mesh "part"/));
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
    expect(
      ahead()
        .intersectObject(group)
        .every(({ object }) => object !== late),
    ).toBe(true);
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
    expect(validate(group.octree)).toEqual([]);
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

  it('that belongs to no group is rejected by setStatic, isStatic, reportMove and addTree', () => {
    const group = rowOfCubes(1);
    for (const name of ['setStatic', 'isStatic', 'reportMove'] as const) {
      const place =
        name === 'reportMove' ? 'a child of this group or below one' : 'a child of this group, or in a tree of addTree';
      const message = (object: string, remedy = 'add it first'): TypeError =>
        new TypeError(`OctreeGroup.${name}: the object must be ${place}, but is ${object}; ${remedy}.`);
      const door = cube(7);
      expect(() => group[name](door)).toThrow(message('the Mesh "cube 7", which has no parent'));
      const house = Object.assign(new Group().add(door), { name: 'house' });
      new Scene().add(house);
      expect(() => group[name](door)).toThrow(message('the Mesh "cube 7", whose parent is the Group "house"'));
      expect(() => group[name](undefined as never)).toThrow(
        message('undefined', 'pass the object, as of group.getObjectByName'),
      );
    }
    expect(() => group.setStatic(group.children[0], 1 as never)).toThrow(
      /^OctreeGroup\.setStatic: isStatic must be true or false, but is 1/,
    );
    // With the group below it, a tree would contain itself.
    for (const root of [group, new Group().add(group), undefined, {}])
      expect(() => group.addTree(root as never)).toThrow(
        /^OctreeGroup\.addTree: root must be an Object3D that does not hold the group, but is .*; pass gltf\.scene\.$/,
      );
    const house = new Group();
    const cases: [unknown, RegExp][] = [
      [{ static: true }, /^OctreeGroup\.addTree: unknown option static, which is true/],
      [{ isStatic: 1 }, /^OctreeGroup\.addTree: options\.isStatic must be true or false, but is 1/],
      [true, /^OctreeGroup\.addTree: options must be an object, but is true/],
    ];
    for (const [options, message] of cases) expect(() => group.addTree(house, options as never)).toThrow(message);
    expect(house.parent).toBe(null);
  });
});

describe('the options of an OctreeGroup', () => {
  it('are checked before anything is created: an unknown name, or a wrong value, is named', () => {
    const cases: [unknown, RegExp][] = [
      [{ leafCapcity: 8 }, /^OctreeGroup: unknown option leafCapcity, which is 8; use .*\bleafCapacity, /],
      [{ outside: 'remove' }, /^OctreeGroup: unknown option outside/],
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
