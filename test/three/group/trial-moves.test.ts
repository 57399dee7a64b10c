// A trial move: code moves an object, computes its matrices (for example to test whether it fits), and moves it back.
// It must have no effect.

import { Box3, Group, LOD, Object3D, Scene, Vector3, type Matrix4 } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube, material, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';
import { createObject, createTwins, place, type Twin } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug/index.ts';
import { IS_LONG } from '../../support/sampled.ts';

const computations: Record<string, (object: Object3D) => unknown> = {
  updateMatrixWorld: (object) => object.updateMatrixWorld(),
  'updateMatrixWorld(true)': (object) => object.updateMatrixWorld(true),
  getWorldPosition: (object) => object.getWorldPosition(new Vector3()),
  'Box3.setFromObject': (object) => new Box3().setFromObject(object),
};

/** Moves an object, computes matrices, moves it back. */
function tryAt(moved: Object3D, x: number, compute: () => unknown): void {
  const { x: before } = moved.position;
  moved.position.x = x;
  compute();
  moved.position.x = before;
}

describe.each(Object.entries(computations))('a move that is taken back after %s', (_, compute) => {
  it('has no effect, whether a child, a part, the group or a parent moves, and whichever of their matrices are computed', () => {
    for (const isOpen of [false, true]) {
      const group = new OctreeGroup();
      const scene = new Scene().add(new Group().add(group));
      const part = cube(3);
      const car = new Group().add(cube(2), new Object3D().add(part));
      group.add(cube(1), car);
      if (isOpen) group.addTree(car);
      for (let k = 0; k < 2; k++) scene.updateMatrixWorld();
      const nodes = [group.children[0], part, part.parent!, car, group, group.parent!];
      const worlds = (): Matrix4[] => nodes.map(({ matrixWorld }) => matrixWorld.clone());
      const before = worlds();
      for (const moved of nodes) {
        for (const target of nodes) {
          // Twice: after the first repair the watch must work as before.
          for (let k = 0; k < 2; k++) {
            tryAt(moved, 500, () => compute(target));
            scene.updateMatrixWorld();
            expect(worlds()).toEqual(before);
          }
        }
      }
      expect(namesSeen(group, 3)).toEqual(isOpen ? ['cube 1', 'cube 2', 'cube 3'] : ['cube 1', '']);
      expect(validate(group.octree)).toEqual([]);
    }
  });

  it('has no effect in a frame in which the group moves as well', () => {
    const group = rowOfCubes(2);
    const [child] = group.children;
    for (const x of [10, 0, 20]) {
      group.position.x = x;
      tryAt(child, 500, () => compute(child));
      group.updateMatrixWorld();
      tryAt(child, 500, () => compute(child));
      group.updateMatrixWorld();
      expect(child.matrixWorld.elements[12]).toBe(x);
    }
    expect(namesSeen(group, 20.4)).toEqual(['cube 0']);
  });
});

describe('matrices of an OctreeGroup', () => {
  it('are computed once per frame: of moved objects, of objects after a trial move, and of all objects when the group moves', () => {
    const group = rowOfCubes(2);
    const [child, still] = group.children;
    const part = cube(0);
    group.add(new Group().add(part));
    group.updateMatrixWorld();
    const compositions = [child, still, part].map((object) => vi.spyOn(object.matrix, 'compose'));
    const countsOf = (change: () => unknown): number[] => {
      change();
      compositions.forEach((composition) => composition.mockClear());
      group.updateMatrixWorld();
      return compositions.map(({ mock }) => mock.calls.length);
    };
    expect(countsOf(() => undefined)).toEqual([0, 0, 0]);
    expect(countsOf(() => (child.position.x = 5))).toEqual([1, 0, 0]);
    expect(countsOf(() => (part.position.x = 5))).toEqual([0, 0, 1]);
    expect(countsOf(() => tryAt(child, 9, () => child.updateMatrixWorld()))).toEqual([1, 0, 0]);
    expect(countsOf(() => tryAt(part, 9, () => part.updateMatrixWorld()))).toEqual([0, 0, 1]);
    expect(countsOf(() => undefined)).toEqual([0, 0, 0]);
    expect(countsOf(() => (group.position.x = 5))).toEqual([1, 1, 1]);
    expect(countsOf(() => (group.position.x = 6))).toEqual([1, 1, 1]);
    expect(countsOf(() => undefined)).toEqual([0, 0, 0]);
    expect(countsOf(() => group.reportMove(child))).toEqual([1, 0, 0]);
    expect(countsOf(() => undefined)).toEqual([0, 0, 0]);
  });

  it('lead to no new bounds after a move that was taken back', () => {
    const group = rowOfCubes(2);
    const body = group.octree.bodyAt(0);
    const setBox = vi.spyOn(body, 'setBox');
    tryAt(group.children[0], 500, () => group.children[0].updateMatrixWorld());
    group.updateMatrixWorld();
    expect(setBox).not.toHaveBeenCalled();
  });

  it('of static children stay as other code has computed them, until they are reported', () => {
    const group = rowOfCubes(2);
    const [child] = group.children;
    group.setStatic(child).updateMatrixWorld();
    tryAt(child, 500, () => child.updateMatrixWorld());
    group.updateMatrixWorld();
    expect(child.matrixWorld.elements[12]).toBe(500);
    group.reportMove(child).updateMatrixWorld();
    expect(child.matrixWorld.elements[12]).toBe(0);
  });

  it.each([false, true])(
    'are those of a plain Group after random trial moves and moves, also in clones and in objects that have left the group; in opened trees: %s',
    (isOpen) => {
      const twins = createTwins(1, (group, random) => {
        for (let k = 0; k < 60; k++) {
          const object = createObject(random.below(12), material);
          place(object, random, 30);
          if (isOpen && k % 3 > 0) addTreeTo(group, nested(object, random));
          else group.add(object);
        }
      });
      for (const seed of IS_LONG ? [2, 3, 4] : [2]) {
        const [plain, octree] = [twins.plain, twins.octree].map((twin) => run(twin, createRandom(seed)));
        expect(octree).toEqual(plain);
      }
    },
  );

  it('are computed in an opened tree only for what has moved, and what is below it', () => {
    const [wheel, still, lamp] = [cube(0), cube(0), cube(0)];
    const car = new Group().add(wheel, new Group().add(still));
    const root = new Group().add(car, new Group().add(lamp));
    const group = new OctreeGroup().addTree(root);
    const scene = new Scene().add(group);
    for (let k = 0; k < 2; k++) scene.updateMatrixWorld();
    const computed = countComputations([root, car, wheel, still, lamp], () => scene.updateMatrixWorld());
    expect(computed(() => undefined)).toEqual([0, 0, 0, 0, 0]);
    expect(computed(() => (wheel.position.x = 5))).toEqual([0, 0, 1, 0, 0]);
    expect(computed(() => (car.position.x = 5))).toEqual([0, 1, 1, 1, 0]);
    // Other code computes the matrices of an object and of the objects above it: only these are computed again.
    expect(computed(() => lamp.getWorldPosition(new Vector3()))).toEqual([1, 0, 0, 0, 1]);
    expect(computed(() => tryAt(car, 9, () => car.updateMatrixWorld()))).toEqual([0, 1, 1, 1, 0]);
    for (const object of [root, car, wheel]) object.matrixAutoUpdate = false;
    scene.updateMatrixWorld();
    expect(computed(() => undefined)).toEqual([0, 0, 0, 0, 0]);
    expect(computed(() => car.matrix.makeTranslation(7, 0, 0))).toEqual([0, 1, 1, 1, 0]);
    expect(computed(() => wheel.matrixWorld.makeTranslation(7, 0, 0))).toEqual([0, 0, 1, 0, 0]);
    expect(computed(() => undefined)).toEqual([0, 0, 0, 0, 0]);
  });

  it('are not computed in an LOD or a mesh with children whose matrices stand still', () => {
    const level = cube(0);
    const lod = new LOD().addLevel(level);
    const child = cube(0);
    const mesh = cube(0).add(child);
    const objects = [lod, level, mesh, child];
    const group = new OctreeGroup().add(lod, mesh);
    const scene = new Scene().add(group);
    for (const object of objects) object.matrixAutoUpdate = false;
    for (let k = 0; k < 2; k++) scene.updateMatrixWorld();
    const computed = countComputations(objects, () => scene.updateMatrixWorld());
    expect(computed(() => undefined)).toEqual([0, 0, 0, 0]);
    expect(computed(() => level.matrix.makeTranslation(500, 0, 0))).toEqual([0, 1, 0, 0]);
    expect(passOver(group, slab(1))).toEqual([mesh]);
    expect(computed(() => mesh.matrix.makeTranslation(0, 500, 0))).toEqual([0, 0, 1, 1]);
    expect(computed(() => undefined)).toEqual([0, 0, 0, 0]);
  });
});

/** Calls back for a change and an update. Returns how often the update has computed the world matrix of each object. */
function countComputations(objects: readonly Object3D[], update: () => void): (change: () => unknown) => number[] {
  const products = objects.map(({ matrixWorld }) => vi.spyOn(matrixWorld, 'multiplyMatrices'));
  return (change) => {
    change();
    products.forEach((product) => product.mockClear());
    update();
    return products.map(({ mock }) => mock.calls.length);
  };
}

function addTreeTo(group: Group, root: Object3D): void {
  if (group instanceof OctreeGroup) group.addTree(root);
  else group.add(root);
}

/** Some groups around and beside an object. */
function nested(object: Object3D, random: Random): Group {
  const inner = new Group().add(object, cube(random.between(-9, 9)));
  const outer = new Group().add(new Object3D(), inner, cube(random.between(-9, 9)));
  inner.position.y = random.between(-9, 9);
  outer.rotation.z = random.between(-1, 1);
  return outer;
}

function run({ scene, group }: Twin, random: Random): number[][] {
  scene.updateMatrixWorld();
  const left = new Group();
  scene.add(left);
  return Array.from({ length: 300 }, (_, step) => {
    const nodes: Object3D[] = [];
    scene.traverse((node) => nodes.push(node));
    const [node, target] = [random.pick(nodes), random.pick(nodes)];
    const compute = random.pick(Object.values(computations));
    tryAt(node, random.between(-30, 30), () => compute(target));
    if (random.below(3) === 0) random.pick(nodes).position.y = random.between(-30, 30);
    if (random.below(10) === 0 && group.children.length > 20) left.add(random.pick(group.children));
    if (random.below(20) === 0) node.matrixAutoUpdate = !node.matrixAutoUpdate;
    if (random.below(20) === 0) node.matrixWorldAutoUpdate = !node.matrixWorldAutoUpdate;
    const [written, x] = [random.pick(nodes), random.between(-30, 30)];
    if (!written.matrixAutoUpdate) written.matrix.setPosition(x, 0, 0);
    if (random.below(9) === 0) random.pick(nodes).matrixWorldNeedsUpdate = true;
    // Without these, three computes a matrix that was written by hand only where a flag is set.
    if (random.below(10) === 0) scene.matrixAutoUpdate = group.matrixAutoUpdate = !scene.matrixAutoUpdate;
    if (step === 100) scene.add(group.clone());
    scene.updateMatrixWorld();
    return nodes.map(({ matrixWorld }) => matrixWorld.elements[12] + matrixWorld.elements[13] / 7);
  });
}
