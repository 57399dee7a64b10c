// User code may write into the array of children directly. That dispatches no event, so an OctreeGroup detects it by
// the number of children.

import { Group, Raycaster, Vector3, type Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { cube, namesSeen, rowOfCubes } from '../../support/three-passes.ts';
import { validate } from '../../../src/debug/index.ts';

const hitsAt = (group: Object3D, x: number): number =>
  new Raycaster(new Vector3(x, 0, 9), new Vector3(0, 0, -1)).intersectObject(group).length;

function ownedBy<T extends Object3D>(parent: Object3D, child: T): T {
  child.parent = parent;
  return child;
}

describe('children of an OctreeGroup that are written in place', () => {
  it('are neither drawn nor hit from the moment they are out of the array', () => {
    const changes: [(children: Object3D[]) => unknown, string[]][] = [
      [(children) => (children.length = 0), []],
      [(children) => children.splice(1, 2), ['cube 0']],
      [(children) => children.shift(), ['cube 10', 'cube 20']],
      [(children) => children.pop(), ['cube 0', 'cube 10']],
    ];
    for (const [change, left] of changes) {
      const group = rowOfCubes(3);
      change(group.children);
      for (let k = 0; k < 2; k++) {
        expect(namesSeen(group, 100)).toEqual(left);
        expect([0, 10, 20].map((x) => hitsAt(group, x))).toEqual(
          [0, 10, 20].map((x) => (left.includes(`cube ${x}`) ? 2 : 0)),
        );
        expect(group.octree.size).toBe(left.length);
        group.updateMatrixWorld();
      }
      expect(validate(group.octree)).toEqual([]);
    }
  });

  it('are drawn and hit from the moment they are in the array, in order, and watched like others unless the group has static children', () => {
    const group = rowOfCubes(2);
    group.children.push(ownedBy(group, cube(30)));
    expect(hitsAt(group, 30)).toBe(2);
    group.hasStaticChildren = true;
    group.children.splice(1, 0, ownedBy(group, cube(5)));
    expect(namesSeen(group, 500)).toEqual(['cube 0', 'cube 5', 'cube 10', 'cube 30']);
    expect(hitsAt(group, 5)).toBe(2);
    expect(group.octree.size).toBe(4);
    for (const child of group.children) child.position.x = 300;
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 5']);
    expect(hitsAt(group, 300)).toBe(6);
    group.children.reverse();
    group.children.push(ownedBy(group, cube(1)));
    expect(namesSeen(group, 500)).toEqual(['cube 30', 'cube 10', 'cube 5', 'cube 0', 'cube 1']);
  });

  it('may contain a child twice: it is drawn once, until its last occurrence is removed', () => {
    const group = rowOfCubes(2);
    const [child] = group.children;
    group.children.push(child);
    expect(namesSeen(group, 100).sort()).toEqual(['cube 0', 'cube 10']);
    group.remove(child);
    expect(namesSeen(group, 100)).toEqual(['cube 10', 'cube 0']);
    group.children.pop();
    expect(namesSeen(group, 100)).toEqual(['cube 10']);
  });

  it('may be written in the frame of an addition or a removal, and be added or removed afterwards', () => {
    const group = rowOfCubes(4);
    const [first, second, third] = group.children;
    group.children.splice(0, 1);
    group.add(cube(40));
    expect(namesSeen(group, 100)).toEqual(['cube 10', 'cube 20', 'cube 30', 'cube 40']);
    group.remove(second);
    group.children.push(ownedBy(group, cube(50)));
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 20', 'cube 30', 'cube 40', 'cube 50']);
    group.children.splice(0, 1);
    group.add(first, third);
    group.children.unshift(ownedBy(group, second));
    group.remove(second);
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 30', 'cube 40', 'cube 50', 'cube 0', 'cube 20']);
    expect(group.octree.size).toBe(5);
    expect(validate(group.octree)).toEqual([]);
  });

  it('are found in opened trees at any depth', () => {
    const nested = new Group().add(cube(10), cube(20));
    const root = new Group().add(cube(0), nested);
    const group = new OctreeGroup().addTree(root);
    group.updateMatrixWorld();
    nested.children.pop();
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 0', 'cube 10']);
    expect(group.octree.size).toBe(2);
    root.children.push(ownedBy(root, cube(30)));
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 0', 'cube 10', 'cube 30']);
    group.children.pop();
    expect(namesSeen(group, 100)).toEqual([]);
    expect(group.octree.size).toBe(0);
    const empty = new Group();
    group.addTree(empty).updateMatrixWorld();
    group.children.pop();
    group.updateMatrixWorld();
    empty.add(cube(0));
    group.updateMatrixWorld();
    expect(group.octree.size).toBe(0);
  });

  it('may be sorted or exchanged, if all are added again', () => {
    const group = rowOfCubes(3);
    const { children } = group;
    children.reverse();
    group.add(...children);
    expect(namesSeen(group, 100)).toEqual(['cube 20', 'cube 10', 'cube 0']);
    children[1] = ownedBy(group, cube(15));
    group.add(...children);
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 20', 'cube 15', 'cube 0']);
    expect(group.octree.size).toBe(3);
  });
});
