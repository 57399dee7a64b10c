import { BoxGeometry, Group, Mesh, type Object3D, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup } from '../../src/three.ts';
import { TriangleScene } from '../../src/triangles/index.ts';
import { Balls } from '../../examples/src/fair/balls.ts';
import { Character } from '../../examples/src/fair/character.ts';
import { buildFair } from '../../examples/src/fair/fair.ts';
import { MeshLoop } from '../../examples/src/fair/mesh-loop.ts';
import { thereAndBack } from '../../examples/src/fair/mover.ts';
import { Player } from '../../examples/src/fair/player.ts';

const STEP = 1 / 60;

describe('the building of the fair', () => {
  it('adds a few meshes in a step, then builds the batches in turns, and can be cancelled', async () => {
    const addTree = vi.spyOn(OctreeGroup.prototype, 'addTree');
    const work = buildFair({ stalls: 6, people: 8 });
    const added: number[] = [];
    let step = work.next();
    for (; step.done !== true; step = work.next()) {
      let meshes = 0;
      for (const [root] of addTree.mock.calls) root.traverse((object) => void (meshes += Number('isMesh' in object)));
      added.push(meshes);
      addTree.mockClear();
    }
    vi.restoreAllMocks();
    const fair = step.value;
    expect(fair.meshes).toBeGreaterThan(1000);
    expect(Math.max(...added)).toBeLessThan(fair.meshes / 4);

    // Each look at the clock takes a quarter of a millisecond, on any machine.
    let now = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => (now += 0.25));
    onTestFinished(() => void vi.restoreAllMocks());
    const cancelling = new AbortController();
    let parts: number[] = [];
    await expect(
      fair.batch(cancelling.signal, (part) => {
        parts.push(part);
        if (part > 0) cancelling.abort(new Error('cancelled'));
      }),
    ).rejects.toThrow('cancelled');
    expect(fair.batches!.isBuilding).toBe(true);
    fair.batches!.dispose();
    parts = [];
    await fair.batch(new AbortController().signal, (part) => parts.push(part));
    expect(fair.batches!.isBuilding).toBe(false);
    expect(fair.batches!.report().batched).toBeGreaterThan(fair.meshes / 2);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBeLessThanOrEqual(1);
    fair.dispose();
  });
});

describe('a character', () => {
  it('stands on the ground, and stops at a wall', () => {
    const { person, walk } = sceneOf(box([40, 1, 40], [0, -0.5, 0]), box([1, 4, 10], [3, 2, 0]));
    walk(120, [2, 0, 0]);
    expect(person.ground?.name).toBe('box 1');
    expect(person.feet.y).toBeCloseTo(0, 9);
    expect(person.feet.x).toBeCloseTo(2.5 - 0.32, 6);
    // Along the wall it slides.
    walk(60, [2, 0, 1]);
    expect(person.feet.z).toBeCloseTo(1, 6);
    expect(person.feet.x).toBeCloseTo(2.5 - 0.32, 6);
  });

  it('climbs stairs and a slope, follows them down, but no wall of 1 m', () => {
    const steps = Array.from({ length: 10 }, (_, k) => box([0.4, 0.2 * (k + 1), 4], [1.2 + 0.4 * k, 0.1 * (k + 1), 0]));
    const { person, walk } = sceneOf(box([60, 1, 60], [0, -0.5, 0]), ...steps);
    walk(144, [2, 0, 0]);
    expect(person.feet.y).toBeCloseTo(2, 6);
    walk(10, [0, 0, 0]);
    const heights: number[] = [];
    for (let k = 0; k < 150; k++) {
      walk(1, [-2, 0, 0]);
      heights.push(person.feet.y);
      expect(person.ground).not.toBeNull();
    }
    expect(heights.at(-1)).toBeCloseTo(0, 6);
    const slope = box([20, 0.2, 10], [10, 4.9, 0]);
    slope.rotation.z = 0.5;
    const other = sceneOf(box([60, 1, 60], [0, -0.5, 0]), slope, box([1, 1, 10], [-4, 0.5, 0]));
    other.person.feet.set(0, 0.2, 0);
    other.walk(120, [3, 0, 0]);
    expect(other.person.feet.y).toBeGreaterThan(2);
    expect(other.person.ground?.name).toBe('box 2');
    other.person.feet.set(-2, 0, 0);
    other.walk(120, [-3, 0, 0]);
    expect(other.person.feet.y).toBeCloseTo(0, 6);
    expect(other.person.feet.x).toBeGreaterThan(-3.5);
  });

  it.each([
    ['rigid', [1, 1, 1]],
    ['scaled non-uniformly', [1.6, 1, 0.7]],
    ['mirrored', [-1, 1, 1]],
  ] as const)('is carried by what rises and turns: %s', (_, scale) => {
    const disc = box([6, 0.4, 6], [5, 0, 5]);
    const parent = new Group();
    parent.scale.fromArray(scale);
    parent.add(disc);
    const { person, walk, group } = sceneOf(parent);
    person.feet.set(5 * scale[0] + 1, 0.2, 5 * scale[2]);
    walk(5, [0, 0, 0]);
    expect(person.ground).toBe(disc);
    const local = disc.worldToLocal(person.feet.clone());
    let turned = 0;
    for (let k = 0; k < 200; k++) {
      parent.rotation.y += 0.01;
      parent.position.y += 0.03;
      group.updateMatrixWorld();
      person.move(STEP, new Vector3());
      turned += person.turned;
      expect(person.ground).toBe(disc);
    }
    expect(disc.worldToLocal(person.feet.clone()).distanceTo(local)).toBeLessThan(1e-6);
    expect(turned).toBeCloseTo(2, 9);
  });

  it('jumps, falls where there is no ground, and is stopped by a ceiling', () => {
    const { person, walk } = sceneOf(box([4, 1, 4], [0, -0.5, 0]), box([4, 1, 4], [0, 2.6, 0]));
    walk(5, [0, 0, 0]);
    person.move(STEP, new Vector3(), true);
    expect(person.ground).toBeNull();
    let [highest, steps] = [0, 0];
    for (; person.ground === null && steps < 60; steps++) {
      person.move(STEP, new Vector3());
      highest = Math.max(highest, person.feet.y);
    }
    // It does not stay at the ceiling until its speed is used up.
    expect(steps).toBeLessThan(25);
    expect(highest).toBeGreaterThan(0.2);
    // The head is 1.75 m above the feet, the ceiling at 2.1 m.
    expect(highest).toBeLessThan(0.36);
    expect(person.feet.y).toBeCloseTo(0, 6);
    walk(120, [4, 0, 0]);
    expect(person.ground).toBeNull();
    expect(person.feet.y).toBeLessThan(-3);
  });

  it('is not pushed through the ground by a door or by what comes down', () => {
    const lid = box([3, 0.5, 3], [0, 4, 0]);
    const { person, group } = sceneOf(box([40, 1, 40], [0, -0.5, 0]), lid);
    for (let k = 0; k < 200; k++) {
      lid.position.y = Math.max(0.6, 4 - 0.03 * k);
      group.updateMatrixWorld();
      person.move(STEP, new Vector3());
      expect(person.feet.y).toBeGreaterThan(-0.01);
    }
  });
});

describe('a loop over all meshes', () => {
  it('lets a person walk as the octree does, among all meshes', () => {
    const meshes = [box([40, 1, 40], [0, -0.5, 0]), box([1, 4, 10], [3, 2, 0]), ...boxesFarAway(200)];
    const { group, triangles } = sceneOf(...meshes);
    const [one, other] = [new Player(triangles), new Player(triangles)];
    other.setScene(triangles, new MeshLoop(group));
    for (let k = 0; k < 120; k++) for (const player of [one, other]) player.move(STEP, new Vector3(2, 0, 0.5));
    expect(other.feet.distanceTo(one.feet)).toBeLessThan(1e-3);
    expect(other.meshesTested).toBe(2 * meshes.length);
    expect(one.meshesTested).toBeLessThan(5);
  });
});

describe('balls', () => {
  it('bounce to a lower height each time, and rest on the ground', () => {
    const { triangles } = sceneOf(box([40, 1, 40], [0, -0.5, 0]));
    const balls = new Balls();
    balls.throw(new Vector3(0, 3, 0), new Vector3(1, 0, 0));
    const heights: number[] = [];
    for (let k = 0; k < 900 && balls.flying > 0; k++) {
      balls.step(STEP, triangles, stats(), () => {});
      heights.push(balls.last.y);
    }
    expect(balls.flying).toBe(0);
    expect(balls.bounces).toBeGreaterThan(4);
    expect(Math.min(...heights)).toBeGreaterThan(0.139);
    expect(balls.last.y).toBeLessThan(0.16);
  });

  it('do not fly through a wall of 1 mm at 200 m/s, nor stay in what moves into them', () => {
    const wall = box([0.001, 20, 20], [5, 0, 0]);
    const { triangles, group } = sceneOf(wall);
    const balls = new Balls();
    balls.throw(new Vector3(0, 0, 0), new Vector3(200, 0, 0));
    for (let k = 0; k < 5; k++) balls.step(STEP, triangles, stats(), () => {});
    expect(balls.last.x).toBeLessThan(5);
    balls.throw(new Vector3(4, 0, 0), new Vector3(0, 0, 0));
    for (let k = 0; k < 20; k++) {
      wall.position.x -= 0.1;
      group.updateMatrixWorld();
      balls.step(STEP, triangles, stats(), () => {});
    }
    expect(balls.last.x).toBeLessThan(wall.position.x - 0.1);
  });
});

it('what moves by itself rests at both ends, and goes there and back', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((second) => thereAndBack(second, 8))).toEqual([0, 0, 0, 0.5, 1, 1, 1, 0.5, 0]);
});

const stats = () => ({ meshesTested: 0, nodesVisited: 0, trianglesTested: 0, objectsSkipped: 0 });

function box(size: readonly number[], place: readonly number[]): Mesh {
  const mesh = new Mesh(new BoxGeometry(...size));
  mesh.position.fromArray(place);
  return mesh;
}

const boxesFarAway = (count: number): Mesh[] =>
  Array.from({ length: count }, (_, k) => box([1, 1, 1], [40 + 2 * (k % 20), 0, 2 * Math.floor(k / 20)]));

/** A scene of some objects, and a person at the origin. */
function sceneOf(...objects: readonly Object3D[]) {
  for (const [k, object] of objects.entries()) object.name = `box ${k + 1}`;
  const group = new OctreeGroup();
  for (const object of objects) group.addTree(object);
  group.updateMatrixWorld();
  const triangles = new TriangleScene(group, { MeshBVH });
  const person = new Character(triangles);
  const walk = (steps: number, velocity: readonly [number, number, number]): void => {
    for (let k = 0; k < steps; k++) person.move(STEP, new Vector3(...velocity));
  };
  return { group, triangles, person, walk };
}
