// Matrices of the last frame: a child that moves has the renderer keep that of the last pass with motion vectors.

import { Group, LOD, Mesh, Object3D, Scene, type Matrix4 } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { cube } from '../../support/three-passes.ts';

const kinds: [string, (group: OctreeGroup, moved: Mesh) => unknown, isStatic?: true][] = [
  ['a child', (group, moved) => group.add(moved)],
  ['a mesh below a child', (group, moved) => group.add(new Group().add(moved))],
  ['a mesh with children', (group, moved) => group.add(moved.add(cube(3)))],
  ['a level of detail', (group, moved) => group.add(new LOD().addLevel(moved))],
  ['a part of a tree', (group, moved) => group.addTree(new Group().add(new Object3D().add(moved)))],
  ['a static child', (group, moved) => group.add(moved).setStatic(moved), true],
];

describe('before it moves, the matrix of the last pass with motion vectors is kept of', () => {
  it.each(kinds)('%s, once', (_, put, isStatic) => {
    const group = new OctreeGroup();
    for (let k = 0; k < 80; k++) group.add(cube(5 * k));
    const moved = cube(0);
    put(group, moved);
    const scene = new Scene().add(group);
    scene.updateMatrixWorld();
    const kept: Matrix4[] = [];
    const node = {
      updateAfter: ({ object }: { readonly object: Object3D }): void => {
        if (object === moved) kept.push(object.matrixWorld.clone());
      },
    };
    const { previousMatrices } = group.groupChildren.updater;
    const moveTo = (x: number): void => {
      moved.position.x = x;
      if (isStatic) group.reportMove(moved);
      scene.updateMatrixWorld();
    };
    const xs = (): number[] => kept.map(({ elements }) => elements[12]);
    moveTo(1);
    expect([previousMatrices.areUsed, xs()]).toEqual([false, []]);
    previousMatrices.beginPass(null);
    expect(previousMatrices.areUsed).toBe(false);
    previousMatrices.beginPass(node);
    expect(previousMatrices.areUsed).toBe(true);
    moveTo(2);
    expect(xs()).toEqual([1]);
    // Without a pass the renderer still needs the first one.
    moveTo(3);
    expect(xs()).toEqual([1]);
    previousMatrices.beginPass(node);
    moveTo(4);
    moveTo(5);
    expect(xs()).toEqual([1, 3]);
  });
});
