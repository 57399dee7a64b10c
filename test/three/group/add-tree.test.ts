import { Bone, Group, LOD, PointLight } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three/index.ts';
import { cube, namesSeen, passOver, slab } from '../../support/three-passes.ts';

function tree(): Group {
  const root = new Group();
  const nested = new Group();
  const bone = new Bone();
  root.add(cube(0), nested.add(cube(10), bone.add(cube(20))), new PointLight());
  nested.position.x = 5;
  return root;
}

describe('OctreeGroup.addTree', () => {
  it('culls each mesh separately, always draws lights, and keeps parts together that must be traversed together', () => {
    const root = tree();
    const ordered = Object.assign(new Group(), { name: 'ordered', renderOrder: 3 }).add(cube(0), cube(1));
    const parent = cube(500).add(cube(-490));
    root.add(ordered, parent, new LOD().addLevel(cube(3)));
    const group = new OctreeGroup().addTree(root);
    group.updateMatrixWorld();
    expect(passOver(group, slab(16)).map(({ name, type }) => name || type)).toEqual([
      'cube 0',
      'cube 10',
      'PointLight',
      'ordered',
      'cube 500',
      'LOD',
    ]);
    expect(group.children).toEqual([root]);
  });

  it('finds moves and hidden nodes anywhere in the tree', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root);
    group.updateMatrixWorld();
    expect(namesSeen(group, 16)).toEqual(['cube 0', 'cube 10', '']);
    root.children[1].position.x = -10;
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube 10', '']);
    root.children[1].visible = false;
    expect(namesSeen(group, 16)).toEqual(['cube 0', '']);
  });

  it('finds objects that are added and removed anywhere in the tree', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root).addTree(root);
    group.updateMatrixWorld();
    const [, nested] = root.children;
    const [gone] = nested.children;
    nested.remove(gone);
    nested.children[0].add(cube(-5), cube(700));
    expect(passOver(group, slab(1))).toEqual([root]);
    group.updateMatrixWorld();
    expect(namesSeen(group, 16)).toEqual(['cube 0', 'cube -5', '']);
    group.add(gone);
    group.remove(root);
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 10']);
    nested.add(cube(1));
    group.updateMatrixWorld();
    expect(group.octree.size).toBe(1);
  });

  it('can be static as a whole, with the move of one part reported', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root).setStatic(root);
    group.updateMatrixWorld();
    const [first, nested] = root.children;
    const update = vi.spyOn(root, 'updateMatrixWorld');
    first.position.x = nested.position.x = 300;
    group.updateMatrixWorld();
    expect(update).not.toHaveBeenCalled();
    // A node with an `updateMatrixWorld` of its own is a part as a whole.
    update.mockRestore();
    group.reportMove(first);
    group.updateMatrixWorld();
    expect(namesSeen(group, 16)).toEqual(['cube 10', '']);
    group.reportMove(nested);
    group.updateMatrixWorld();
    expect(namesSeen(group, 16)).toEqual(['']);
  });

  it('that is static shows a change that makes a node a part, once it is reported', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root).setStatic(root);
    group.updateMatrixWorld();
    const [, nested] = root.children;
    expect(passOver(group, slab(1000))).not.toContain(nested);
    nested.renderOrder = 1;
    group.reportMove(nested);
    group.updateMatrixWorld();
    expect(passOver(group, slab(1000))).toContain(nested);
  });

  it('draws a tree as a whole if this group, or a group in the tree, has a render order', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root);
    group.add(cube(0));
    group.updateMatrixWorld();
    group.renderOrder = 1;
    expect(passOver(group, slab(1))).toEqual([root, group.children[1]]);
    group.renderOrder = 0;
    expect(namesSeen(group, 1)).toEqual(['cube 0', '', 'cube 0']);
    const [, nested] = root.children;
    nested.renderOrder = 2;
    group.updateMatrixWorld();
    expect(passOver(group, slab(16))).toEqual([root.children[0], nested, root.children[2], group.children[1]]);
  });
});
