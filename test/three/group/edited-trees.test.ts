/**
 * Random edits of opened trees: after each update all matrices are those of a plain Group, and the octree holds the
 * parts of the tree and nothing else.
 */

import { Group, Object3D, Scene, type Mesh } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { validate } from '../../../src/debug-three/index.ts';
import { OctreeGroup } from '../../../src/three.ts';
import { UPDATES_PER_TURN } from '../../../src/three/detector/shared-resources.ts';
import type { Random } from '../../support/random.ts';
import { randomOf } from '../../support/shortened-history.ts';
import { cube } from '../../support/three-passes.ts';

const STEPS = 60;

/** A tree and the objects that were taken out of it. The same seed makes the same edits. */
class EditedTree {
  readonly root = new Group();
  readonly scene = new Scene();
  /** It edits the tree while an update goes through it. Nothing else moves it. */
  private readonly code = new Group();
  private readonly taken: Object3D[] = [];
  private names = 0;
  private readonly random: Random;
  private readonly group: Group | OctreeGroup;
  /** Number of edits in the next update: by the object with code if the update visits it, otherwise after it. */
  private later = 0;

  constructor(seed: number, group: Group | OctreeGroup, isStatic: boolean) {
    this.random = randomOf(seed, 0);
    this.group = group;
    const { code } = this;
    code.updateMatrixWorld = (force): void => {
      Object3D.prototype.updateMatrixWorld.call(code, force);
      // While an object edits the tree, three passes over others, or throws: a plain Group is edited after the update.
      if (group instanceof OctreeGroup) this.editLater();
    };
    for (let k = 0; k < 12; k++) this.parent().add(this.fresh());
    this.root.add(code);
    for (let k = 0; k < 12; k++) this.parent().add(this.fresh());
    this.scene.add(group);
    if (group instanceof OctreeGroup) group.addTree(this.root, { isStatic });
    else group.add(this.root);
  }

  step(): void {
    for (let edits = this.below(4); edits > 0; edits--) this.edit();
    if (this.below(4) === 0) this.later = 1 + this.below(3);
    this.scene.updateMatrixWorld();
    this.editLater();
    this.scene.updateMatrixWorld();
  }

  private editLater(): void {
    for (; this.later > 0; this.later--) this.addOrRemove();
    if (this.group instanceof OctreeGroup) void this.group.octree;
  }

  /** The world matrices of all objects in the tree. */
  get matrices(): string[] {
    const matrices: string[] = [];
    this.root.traverse(({ name, matrixWorld }) => matrices.push(`${name} ${matrixWorld.elements.join(' ')}`));
    return matrices;
  }

  /** The numbers of listeners that wait for children: of the plain groups of the tree, and of all that has left it. */
  get listeners(): { inTree: Set<number>; taken: Set<number> } {
    const [inTree, taken] = [new Set<number>(), new Set<number>()];
    this.root.traverse((object) => {
      if ((object as Group).isGroup && object !== this.code) inTree.add(listenersOf(object));
    });
    for (const object of this.taken) object.traverse((below) => void taken.add(listenersOf(below)));
    return { inTree, taken };
  }

  /** The names of the meshes in the tree. */
  get meshes(): string[] {
    const names: string[] = [];
    this.root.traverse((object) => {
      if ((object as Mesh).isMesh) names.push(object.name);
    });
    return names.sort();
  }

  private edit(): void {
    const object = this.any();
    const kind = this.below(6);
    if (kind === 0 && object !== this.root) {
      object.position.set(this.below(50), this.below(50), this.below(50));
      if (this.group instanceof OctreeGroup) this.group.reportMove(object);
    } else if (kind === 1) {
      const isStatic = this.below(2) === 0;
      if (this.group instanceof OctreeGroup) this.group.setStatic(object, isStatic);
    } else if (kind === 2) {
      // No event tells of it, and the number of children is as before: the next edit finds it.
      this.parent().children.reverse();
    } else this.addOrRemove();
  }

  private addOrRemove(): void {
    const kind = this.below(5);
    const object = this.any();
    const parent = this.parent();
    if (kind === 0) parent.add(this.fresh());
    else if (kind === 1 && this.taken.length > 0) {
      const back = this.taken.splice(this.below(this.taken.length), 1)[0];
      back.position.x++;
      parent.add(back);
    } else if (object === this.root) return;
    else if (kind === 2 && (object.parent as Group).isGroup) {
      // Put back at another index, without an event.
      const parent = object.parent!;
      const index = this.below(parent.children.length);
      object.removeFromParent();
      object.position.x++;
      object.parent = parent;
      parent.children.splice(index, 0, object);
    } else if (kind < 4 && !isWithin(parent, object)) parent.add(object);
    else {
      object.removeFromParent();
      this.taken.push(object);
    }
  }

  private below(count: number): number {
    return Math.floor(this.random.next() * count);
  }

  private named<T extends Object3D>(object: T): T {
    return Object.assign(object, { name: String(this.names++) });
  }

  private fresh(): Object3D {
    const kind = this.below(6);
    const object = kind < 3 ? cube(this.below(50)) : new Group();
    // A mesh with a child is one part.
    if (kind === 2) object.add(this.named(cube(2)));
    if (kind === 3) object.add(this.named(cube(this.below(50))), this.named(cube(9)));
    return this.named(object);
  }

  /** Any object, without that with the code. */
  private any(): Object3D {
    const all: Object3D[] = [];
    this.root.traverse((object) => {
      if (object !== this.code) all.push(object);
    });
    return all[this.below(all.length)];
  }

  /** A plain group of the tree. */
  private parent(): Object3D {
    const all: Object3D[] = [];
    this.root.traverse((object) => {
      if ((object as Group).isGroup && object !== this.code) all.push(object);
    });
    return all[this.below(all.length)];
  }
}

function listenersOf(object: Object3D): number {
  const { childadded = [], childremoved = [] } = (Reflect.get(object, '_listeners') ?? {}) as Record<string, unknown[]>;
  return childadded.length + childremoved.length;
}

function isWithin(object: Object3D | null, ancestor: Object3D): boolean {
  return object !== null && (object === ancestor || isWithin(object.parent, ancestor));
}

describe('an opened tree that is edited at random', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('seed %d', (seed) => {
    const isStatic = seed % 2 === 1;
    const group = new OctreeGroup();
    const [plain, edited] = [new EditedTree(seed, new Group(), isStatic), new EditedTree(seed, group, isStatic)];
    for (let step = 0; step < STEPS; step++) {
      plain.step();
      edited.step();
      expect(edited.matrices, `step ${step}`).toEqual(plain.matrices);
      expect(validate(group), `step ${step}`).toEqual([]);
      const { inTree, taken } = edited.listeners;
      expect([[...inTree], [...taken]], `step ${step}`).toEqual([[2], taken.size > 0 ? [0] : []]);
      const bodies = [...group.octree].flatMap(({ data }) => {
        const names: string[] = [];
        data.traverse((object) => {
          if ((object as Mesh).isMesh) names.push(object.name);
        });
        return names;
      });
      expect(bodies.sort(), `step ${step}`).toEqual(plain.meshes);
    }
  });
});

/** A tree of 60 cubes after two updates. */
function opened(isStatic: boolean) {
  const cubes = Array.from({ length: 60 }, (_, k) => cube(3 * k));
  const root = new Group().add(...cubes);
  const group = new OctreeGroup().addTree(root, { isStatic });
  const scene = new Scene().add(group);
  scene.updateMatrixWorld();
  scene.updateMatrixWorld();
  return { cubes, root, group, scene };
}

describe('an opened tree', () => {
  it.each([false, true])('computes an object that was put back by writing the array; static: %s', (isStatic) => {
    const { cubes, root, scene } = opened(isStatic);
    root.remove(cubes[5]);
    cubes[5].position.x = 1000;
    root.children.splice(5, 0, cubes[5]);
    cubes[5].parent = root;
    scene.updateMatrixWorld();
    expect(cubes[5].matrixWorld.elements[12]).toBe(1000);
  });

  it.each([false, true])('moves no member when siblings are put in another order; static: %s', (isStatic) => {
    const { root, group, scene } = opened(isStatic);
    const moving = vi.fn();
    group.groupChildren.bodies.followers.add({ moving });
    root.children.reverse();
    root.add(cube(500));
    scene.updateMatrixWorld();
    scene.updateMatrixWorld();
    expect(moving).not.toHaveBeenCalled();
    expect(validate(group)).toEqual([]);
  });

  it.each([false, true])('keeps what is static, or not, of nodes that move within it; static: %s', (isStatic) => {
    const { cubes, root, group, scene } = opened(isStatic);
    const [crane, yard] = [new Group().add(cubes[1]), new Group().add(cubes[2])];
    root.add(crane, yard);
    scene.updateMatrixWorld();
    group.setStatic(crane, !isStatic);
    const flags = (): boolean[] => [crane, cubes[1], yard, cubes[2]].map((object) => group.isStatic(object));
    expect(flags()).toEqual([!isStatic, !isStatic, isStatic, isStatic]);
    yard.add(crane);
    scene.updateMatrixWorld();
    expect(flags()).toEqual([!isStatic, !isStatic, isStatic, isStatic]);
    yard.add(cubes[1]);
    crane.add(cubes[2]);
    scene.updateMatrixWorld();
    expect(flags()).toEqual([!isStatic, !isStatic, isStatic, isStatic]);
    // What is new is as its parent.
    crane.add(cube(70));
    scene.updateMatrixWorld();
    expect(group.isStatic(crane.children.at(-1)!)).toBe(!isStatic);
  });

  it('that is static finds in turn what was removed by writing the array, also plain nodes before its first part', () => {
    const cubes = Array.from({ length: 60 }, (_, k) => cube(3 * k));
    const root = new Group().add(...Array.from({ length: 30 }, () => new Group()), ...cubes);
    const group = new OctreeGroup().addTree(root, { isStatic: true });
    const scene = new Scene().add(group);
    for (let k = 0; k < 2; k++) scene.updateMatrixWorld();
    expect(group.octree.size).toBe(60);
    root.children.splice(0, root.children.length, cubes[7]);
    for (let k = 0; k <= UPDATES_PER_TURN; k++) scene.updateMatrixWorld();
    expect(Array.from(group.octree, ({ data }) => data)).toEqual([cubes[7]]);
    expect(validate(group)).toEqual([]);
  });

  it('goes on when code of the user removes an object below a part whose move was reported, too', () => {
    const { cubes, group, scene } = opened(true);
    const below = cube(1);
    cubes[9].add(below);
    scene.updateMatrixWorld();
    cubes[3].updateMatrixWorld = (force): void => {
      Object3D.prototype.updateMatrixWorld.call(cubes[3], force);
      below.removeFromParent();
    };
    group.reportMove(cubes[3]).reportMove(below);
    scene.updateMatrixWorld();
    expect(below.parent).toBeNull();
    expect(validate(group)).toEqual([]);
  });
});
