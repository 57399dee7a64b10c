import {
  Box3,
  Frustum,
  Group,
  Mesh,
  Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Raycaster,
  Sphere,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  Vector3,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';
import { cube, material, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';
import { validate } from '../../../src/debug/index.ts';

describe('code of the user that runs in an update', () => {
  it('may change which children are static while the group compares them', () => {
    const group = rowOfCubes(6);
    const [first, ...others] = group.children;
    for (const other of others) group.setStatic(other);
    group.updateMatrixWorld();
    const last = others[4];
    const child = new Object3D();
    child.updateMatrixWorld = () => {
      child.updateMatrixWorld = () => {};
      group.remove(first);
      group.setStatic(last, false);
      group.updateMatrixWorld(true);
    };
    first.add(child);
    group.updateMatrixWorld();
    last.position.x = 300;
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 10', 'cube 20', 'cube 30', 'cube 40']);
  });
});

describe('children of an OctreeGroup that move', () => {
  it('are found by position, rotation, scale, matrix, matrixWorld and pivot', () => {
    const group = rowOfCubes(8);
    const at = (k: number): Mesh => group.children[k] as Mesh;
    at(0).position.x = -300;
    at(1).rotateZ(Math.PI / 4);
    at(2).scale.x = 41;
    at(3).matrixAutoUpdate = false;
    at(4).matrixWorldAutoUpdate = false;
    at(4).matrixWorld.makeTranslation(0, 0, 0);
    at(5).pivot = new Vector3();
    group.updateMatrixWorld();
    expect(namesSeen(group, 9.4)).toEqual(['cube 10', 'cube 20', 'cube 40']);
    at(3).matrix.makeTranslation(1, 0, 0);
    at(4).matrixWorld.makeTranslation(99, 0, 0);
    at(5).scale.x = 2;
    at(5).pivot!.x = 50;
    group.updateMatrixWorld(true);
    expect(namesSeen(group, 9.4)).toEqual(['cube 10', 'cube 20', 'cube 30', 'cube 50']);
  });

  it('are found when they have had a pivot, none, and one again at the first place', () => {
    const [child, part] = [cube(0), cube(0)];
    const group = new OctreeGroup().add(child, new Group().add(part));
    for (const x of [0, 90, 0]) {
      for (const node of [child, part]) {
        node.position.x = x;
        node.pivot = x === 0 ? new Vector3() : null;
      }
      for (let k = 0; k < 2; k++) group.updateMatrixWorld();
      expect(passOver(group, slab(5)).length).toBe(x === 0 ? 2 : 0);
    }
  });

  it('are found when they get another geometry, children, or frustumCulled', () => {
    const group = rowOfCubes(4);
    (group.children[1] as Mesh).geometry = new SphereGeometry(9);
    group.children[2].add(cube(-19));
    group.children[3].frustumCulled = false;
    group.updateMatrixWorld();
    expect(namesSeen(group, 2)).toEqual(['cube 0', 'cube 10', 'cube 20', 'cube 30']);
    group.children[2].clear();
    group.children[3].frustumCulled = true;
    group.updateMatrixWorld();
    expect(namesSeen(group, 2)).toEqual(['cube 0', 'cube 10']);
  });

  it('are found when their vertices change, with a new bounding sphere or the old one, or when the sphere is set by hand', () => {
    const changes: ((geometry: PlaneGeometry) => void)[] = [
      // Vertices that stay within the bounding sphere, which is not recomputed: three still culls by it.
      ({ attributes: { position } }) => (position.setZ(0, -9), (position.needsUpdate = true)),
      (geometry) => (geometry.translate(0, 0, -9), geometry.computeBoundingSphere()),
      (geometry) => (geometry.boundingSphere = new Sphere(new Vector3(), 30)),
      (geometry) => (geometry.boundingSphere!.radius = 30),
      (geometry) => (
        geometry.setAttribute('position', new PlaneGeometry(20, 20).rotateX(1).attributes.position),
        (geometry.boundingSphere = null)
      ),
    ];
    const inFront = new Frustum().setFromProjectionMatrix(
      new OrthographicCamera(-50, 50, 50, -50, 5, 100).projectionMatrix,
    );
    for (const change of changes) {
      const geometry = new PlaneGeometry(20, 20);
      // As three does in the first pass.
      geometry.computeBoundingSphere();
      const group = new OctreeGroup().add(
        new Mesh(geometry, material),
        new Group().add(new Mesh(geometry, material), cube(0)),
        new Mesh(geometry, material),
      );
      group.setStatic(group.children[2]).updateMatrixWorld();
      expect(passOver(group, inFront)).toEqual([]);
      change(geometry);
      group.updateMatrixWorld();
      // The static one at latest after 256 updates.
      expect(passOver(group, inFront)).toEqual(expect.arrayContaining(group.children.slice(0, 2)));
      group.reportMove(group.children[2]).updateMatrixWorld();
      expect(passOver(group, inFront).length).toBe(3);
    }
  });

  it('are found when a sprite gets another centre, or a size that does not depend on the distance', () => {
    for (const change of [
      ({ center }: Sprite) => center.set(30, 0),
      (sprite: Sprite) => (sprite.material.sizeAttenuation = false),
    ]) {
      const sprites = Array.from({ length: 4 }, () => new Sprite(new SpriteMaterial()).translateX(30));
      const [child, part, partOfTree, still] = sprites;
      const tree = new Group().add(partOfTree);
      const group = new OctreeGroup()
        .add(child, new Group().add(part, cube(30)), still)
        .addTree(tree)
        .setStatic(still);
      for (let k = 0; k < 2; k++) group.updateMatrixWorld();
      expect(passOver(group, slab(5))).toEqual([]);
      for (const sprite of sprites) change(sprite);
      group.updateMatrixWorld();
      expect(passOver(group, slab(5))).toEqual(expect.arrayContaining([child, part.parent, partOfTree]));
      group.reportMove(still).updateMatrixWorld();
      expect(passOver(group, slab(5))).toEqual([child, part.parent, still, partOfTree]);
      for (const sprite of sprites) Object.assign(sprite.material, { sizeAttenuation: true });
      for (const { center } of sprites) center.set(0, 1);
      for (let k = 0; k < 3; k++) group.reportMove(still).updateMatrixWorld();
      expect(passOver(group, slab(5))).toEqual([]);
    }
  });

  it('are found after 256 updates at most, if they are static and not reported; the first one is named once', () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const group = new OctreeGroup({ hasStaticChildren: true }).add(
      cube(0),
      cube(10),
      cube(20),
      ...rowOfCubes(60).children,
    );
    group.updateMatrixWorld();
    const [first, second, third] = group.children;
    first.position.x = second.position.x = 1;
    (third as Mesh).geometry = new PlaneGeometry(2000, 1);
    for (let k = 0; k < 256; k++) group.updateMatrixWorld();
    expect(passOver(group, slab(5)).map(({ position }) => position.x)).toEqual([1, 1, 20, 0]);
    expect(first.matrixWorld.elements[12]).toBe(1);
    expect(warnings.mock.calls.flat().join()).toMatch(/static, and was moved without a report/);
    expect(warnings).toHaveBeenCalledTimes(1);
    for (let k = 0; k < 256; k++) group.updateMatrixWorld();
    expect(warnings).toHaveBeenCalledTimes(1);
    warnings.mockRestore();
  });

  it('are found too if their matrix was computed, and the world matrix was not', () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const group = new OctreeGroup({ hasStaticChildren: true }).add(cube(0), cube(20));
    group.updateMatrixWorld();
    const [first] = group.children;
    first.position.x = 1;
    first.updateMatrix();
    for (let k = 0; k < 256; k++) group.updateMatrixWorld();
    expect(first.matrixWorld.elements[12]).toBe(1);
    expect(warnings).toHaveBeenCalledTimes(1);
    warnings.mockRestore();
  });

  it('have their vertex box computed few times only, when their vertices change in every frame', () => {
    const geometry = new PlaneGeometry(20, 20);
    geometry.computeBoundingSphere();
    const group = new OctreeGroup().add(new Mesh(geometry, material));
    const measure = vi.spyOn(Box3.prototype, 'setFromBufferAttribute');
    for (let k = 0; k < 100; k++) {
      geometry.attributes.position.needsUpdate = true;
      group.updateMatrixWorld();
    }
    expect(measure.mock.calls.length).toBeLessThan(15);
    measure.mockRestore();
  });

  it('have right bounds when the group or a parent moves', () => {
    const parent = new Group();
    const group = rowOfCubes(3);
    parent.add(group);
    parent.position.x = -20;
    parent.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 20']);
    group.updateWorldMatrix(true, true);
    parent.scale.x = -1;
    group.updateWorldMatrix(true, true);
    expect(namesSeen(group, 1)).toEqual([]);
    expect(namesSeen(group, 21)).toEqual(['cube 0']);
  });

  it('are where the last update found them for a ray between two frames, as in a plain Group; added ones are found at once', () => {
    const group = rowOfCubes(2);
    const [child] = group.children;
    const hits = (x: number): string[] =>
      new Raycaster(new Vector3(x, 0, 9), new Vector3(0, 0, -1))
        .intersectObject(group)
        .map(({ object }) => object.name);
    child.position.x = 500;
    group.position.y = 500;
    group.add(cube(40), new Group().add(cube(50)));
    expect([hits(0), hits(500), hits(40), hits(50)]).toEqual([
      ['cube 0', 'cube 0'],
      [],
      ['cube 40', 'cube 40'],
      ['cube 50', 'cube 50'],
    ]);
    group.reportMove(group.children[1]).children[1].position.x = 60;
    expect([hits(10), hits(60)]).toEqual([[], ['cube 10', 'cube 10']]);
    expect(child.matrixWorld.elements[12]).toBe(0);
    group.position.y = 0;
    group.updateMatrixWorld();
    expect([hits(0), hits(500), hits(60)]).toEqual([[], ['cube 0', 'cube 0'], ['cube 10', 'cube 10']]);
  });

  it('cost nothing when static, and are then updated only when reported', () => {
    const group = rowOfCubes(3);
    const [child] = group.children;
    group.setStatic(child);
    group.updateMatrixWorld();
    const update = vi.spyOn(child, 'updateMatrixWorld');
    child.position.x = 500;
    group.updateMatrixWorld(true);
    expect(update).not.toHaveBeenCalled();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
    group.reportMove(child);
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual([]);
    expect(child.matrixWorld.elements[12]).toBe(500);
    group.setStatic(child, false);
    child.position.x = 0;
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
  });

  it('are static from the start in a group that has static children, by option or by property', () => {
    const group = new OctreeGroup({ hasStaticChildren: true }).add(cube(0));
    group.hasStaticChildren = false;
    group.add(cube(1));
    group.hasStaticChildren = true;
    group.add(cube(2));
    expect(group.children.map((child) => group.isStatic(child))).toEqual([true, false, true]);
    group.updateMatrixWorld();
    for (const child of group.children) child.position.x = 500;
    group.updateMatrixWorld();
    expect(namesSeen(group, 11)).toEqual(['cube 0', 'cube 2']);
    group.reportMove(group.children[2]).updateMatrixWorld();
    expect(namesSeen(group, 11)).toEqual(['cube 0']);
  });

  it('are found although their Object3D.static is set, which three defines for geometry and material', () => {
    const group = new OctreeGroup().add(Object.assign(cube(0), { static: true }));
    group.updateMatrixWorld();
    expect(group.isStatic(group.children[0])).toBe(false);
    group.children[0].position.x = 500;
    group.updateMatrixWorld();
    expect(namesSeen(group, 11)).toEqual([]);
  });

  it('may have a matrix that was written by hand, which is used when three would use it: if forced, or if matrixWorldNeedsUpdate is set', () => {
    const world = [Group, OctreeGroup].map((Kind) => {
      const group = new Kind().add(cube(0), cube(0));
      const [quiet, told] = group.children;
      group.updateMatrixWorld();
      for (const object of [group, quiet, told]) object.matrixAutoUpdate = false;
      group.updateMatrixWorld();
      quiet.matrix.makeTranslation(5, 0, 0);
      told.matrix.makeTranslation(6, 0, 0);
      told.matrixWorldNeedsUpdate = true;
      const read = (): number[] => group.children.map(({ matrixWorld }) => matrixWorld.elements[12]);
      const readings = [false, undefined, true].map((force) => (group.updateMatrixWorld(force), read()));
      quiet.matrix.makeTranslation(7, 0, 0);
      group.matrixAutoUpdate = true;
      group.updateMatrixWorld();
      return [...readings, read()];
    });
    expect(world[0]).toEqual([
      [0, 6],
      [0, 6],
      [5, 6],
      [7, 6],
    ]);
    expect(world[1]).toEqual(world[0]);
  });

  it('may have their own updateMatrixWorld, which removes others', () => {
    const group = rowOfCubes(6);
    const [, second] = group.children;
    second.updateMatrixWorld = function (force) {
      Object.getPrototypeOf(second).updateMatrixWorld.call(second, force);
      group.remove(...group.children.filter((child) => child !== second));
    };
    group.updateMatrixWorld();
    group.updateMatrixWorld();
    expect(namesSeen(group, 100)).toEqual(['cube 10']);
    second.position.x = 20;
    group.updateMatrixWorld();
    expect(namesSeen(group, 15)).toEqual([]);
    expect(validate(group.octree)).toEqual([]);
  });

  it('may have their own updateMatrixWorld, which updates, queries and changes the group', () => {
    const codes: ((group: OctreeGroup) => unknown)[] = [
      (group) => group.updateWorldMatrix(true, true),
      (group) => group.octree.size,
      (group) => group.raycastFirst(new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1))),
      (group) => group.add(cube(1000)),
      (group) => group.remove(group.children[0]),
      (group) => group.remove(...group.children.slice(2)),
      (group) => group.clear(),
      (group) => group.children.unshift(Object.assign(cube(1000), { parent: group })) && group.octree,
      (group) => group.reportMove(group.children[0]).setStatic(group.children[1]),
      (group) => group.addTree(group.children[0]).octree,
    ];
    for (const [k, code] of codes.entries()) {
      const group = rowOfCubes(300);
      const actor = group.children[150];
      actor.updateMatrixWorld = function (force) {
        code(group);
        Object.getPrototypeOf(actor).updateMatrixWorld.call(actor, force);
      };
      for (let frame = 0; frame < 3; frame++) {
        const [moved] = group.children.slice(-1);
        if (moved !== undefined) moved.position.x = 10 - 5 * frame;
        group.updateMatrixWorld();
        if (moved?.parent === group) expect(moved.matrixWorld.elements[12], `code ${k}`).toBe(10 - 5 * frame);
        expect(validate(group.octree)).toEqual([]);
      }
      Reflect.deleteProperty(actor, 'updateMatrixWorld');
      for (const child of group.children) group.setStatic(child, false);
      for (let frame = 0; frame < 2; frame++) group.updateMatrixWorld();
      expect(passOver(group, slab(31)), `code ${k}`).toEqual(
        group.children.filter(({ position }) => Math.abs(position.x) <= 31.5),
      );
      expect(group.octree.size).toBe(group.children.length);
    }
  });

  it('have their own updateMatrixWorld called by updateMatrixWorld of the group, and not by its updateWorldMatrix, as in three', () => {
    const calls = [Group, OctreeGroup].map((Kind) => {
      const group = new Kind().add(cube(0), new Group().add(cube(1)));
      group.updateMatrixWorld();
      const spies = [group.children[0], group.children[1].children[0]].map((child) =>
        vi.spyOn(child, 'updateMatrixWorld'),
      );
      group.updateWorldMatrix(true, true);
      const before = spies.map(({ mock }) => mock.calls.length);
      group.updateMatrixWorld();
      return [before, spies.map(({ mock }) => mock.calls.length)];
    });
    expect(calls[1]).toEqual(calls[0]);
  });

  it('have new bounds when they move again, after their vertices, their material or their raycast has changed', () => {
    const group = rowOfCubes(4);
    const mesh = group.children[0] as Mesh;
    mesh.geometry = new SphereGeometry(1);
    const moveTo = (x: number): string[] => {
      mesh.position.x = x;
      mesh.geometry.computeBoundingSphere();
      group.updateMatrixWorld();
      return namesSeen(group, 5);
    };
    expect([moveTo(100), moveTo(0), moveTo(6.5)]).toEqual([[], ['cube 0'], []]);
    mesh.geometry.scale(2, 2, 2);
    expect([moveTo(6.5), moveTo(6.6)]).toEqual([['cube 0'], ['cube 0']]);
    mesh.geometry.scale(0.5, 0.5, 0.5);
    expect(moveTo(6.5)).toEqual([]);
    mesh.raycast = () => {};
    moveTo(6.4);
    expect(group.groupChildren.bodies.hitAnywhere.size).toBe(1);
  });

  it('keep the octree valid through 2,000 random additions, removals and moves', () => {
    const random = createRandom(3);
    const group = new OctreeGroup();
    const twin = new Group();
    for (let k = 0; k < 2_000; k++) {
      const choice = random.below(4);
      if (choice < 2 || group.children.length === 0)
        group.add(cube(random.between(-99, 99), random.between(-99, 99), 0));
      else if (choice === 2) random.pick(group.children).position.x = random.between(-99, 99);
      else
        random.pick([
          () => group.remove(random.pick(group.children)),
          () => twin.add(random.pick(group.children)),
          () => group.add(random.pick(group.children)),
        ])();
      if (k % 20 !== 0) continue;
      group.updateMatrixWorld();
      expect(validate(group.octree)).toEqual([]);
      expect(group.octree.size).toBe(group.children.length);
      const expected = group.children.filter(({ position }) => Math.abs(position.x) <= 30.5);
      expect(passOver(group, slab(30))).toEqual(expected);
    }
  });
});
