// Random changes of a scene: after each, every pass must draw the same objects of an OctreeGroup as of a plain Group,
// in the same order.

import {
  Box3,
  Group,
  InstancedMesh,
  LOD,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  PointLight,
  Raycaster,
  Sprite,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { expectSameDrawn, expectSameTexts, frustumOf, projectPass, shadowPass } from '../../support/pass-lists.ts';
import { seedsOf } from '../../support/history-profile.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { playShortened } from '../../support/shortened-history.ts';
import { stateFaults } from '../../support/member-states.ts';
import { createObject, createTwins, KINDS, nodesOf, place, type Twin, type Twins } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug-three/index.ts';

const REACH = 40;
const STEPS = 400;
const material = new MeshBasicMaterial();

/** One change of a scene. Both twins get it with equal random numbers. */
type Change = (twin: Twin, random: Random) => void;

function withNode(change: (node: Object3D, random: Random) => void): Change {
  return (twin, random) => {
    const nodes = nodesOf(twin);
    if (nodes.length > 0) change(random.pick(nodes), random);
  };
}

function nodesBelow(object: Object3D): Object3D[] {
  const nodes: Object3D[] = [];
  object.traverse((node) => nodes.push(node));
  return nodes;
}

function createTree(random: Random): Object3D {
  const object = random.below(8) === 0 ? new PointLight() : createObject(random.below(KINDS), material);
  place(object, random, REACH);
  if (object instanceof LOD) object.autoUpdate = random.below(4) > 0;
  object.traverse((node) => {
    node.name = `${node.type} ${random.below(2 ** 30)}`;
    node.castShadow = random.below(3) > 0;
  });
  if (random.below(4) === 0) object.add(createTree(random));
  return object;
}

const CHANGES: readonly Change[] = [
  ({ group }, random) => group.add(createTree(random)),
  ({ group }, random) => {
    const tree = new Group().add(createTree(random), new Object3D().add(createTree(random), createTree(random)));
    if (group instanceof OctreeGroup) group.addTree(tree);
    else group.add(tree);
  },
  ({ group }, random) => group.children.length > 30 && group.remove(random.pick(group.children)),
  ({ group }, random) =>
    group.children.length > 30 && group.children.splice(random.below(30), 1).forEach((child) => (child.parent = null)),
  ({ group }, random) =>
    group.children.splice(random.below(5), 0, Object.assign(createTree(random), { parent: group })),
  withNode((node, random) => place(node, random, REACH)),
  withNode((node, random) => place(node, random, REACH)),
  withNode((node, random) => (node.position.x = random.between(-REACH, REACH))),
  withNode((node, random) => {
    // A trial: moves the node, computes matrices, and moves it back.
    const { x } = node.position;
    node.position.x = random.between(-REACH, REACH);
    new Box3().setFromObject(node);
    node.position.x = x;
  }),
  withNode((node) => (node.visible = !node.visible)),
  withNode((node, random) => {
    // Levels stay on the layers of their LOD.
    const layer = random.below(2);
    if (!(node.parent instanceof LOD)) node.traverse((part) => part.layers.set(layer));
  }),
  withNode((node, random) => (node.frustumCulled = random.below(4) > 0)),
  withNode((node, random) => (node.renderOrder = random.below(3))),
  withNode((node, random) => node.add(createTree(random))),
  withNode((node) => node.parent!.children.length > 1 && node.removeFromParent()),
  withNode((node) => (node.matrixAutoUpdate = !node.matrixAutoUpdate)),
  withNode((node, random) => {
    const isAutomatic = random.below(3) === 0;
    node.traverse((part) => (part.matrixAutoUpdate = part.matrixWorldAutoUpdate = isAutomatic));
  }),
  withNode(({ matrixWorld, matrixWorldAutoUpdate }, random) => {
    if (!matrixWorldAutoUpdate) matrixWorld.setPosition(random.between(-REACH, REACH), 0, 0);
  }),
  withNode((node, random) => node instanceof LOD && (node.levels[0].hysteresis = random.below(2) / 10)),
  withNode((node) => node instanceof InstancedMesh && node.computeBoundingSphere()),
  withNode((node) => node instanceof InstancedMesh && (node.boundingSphere = null)),
  withNode((node, random) => node instanceof Sprite && node.center.set(random.between(-5, 5), random.between(-5, 5))),
  withNode((node, random) => {
    if (!(node instanceof Mesh) || node instanceof InstancedMesh) return;
    const geometry = node.geometry.clone();
    if (random.below(2) === 0) geometry.translate(random.between(-20, 20), 0, 0);
    node.geometry = geometry;
  }),
  (twin, random) => twin.group.attach(random.pick(nodesOf(twin))),
  (twin, random) => {
    // Exchanges two nodes: the numbers of children stay.
    const nodes = nodesOf(twin).filter(({ parent }) => !(parent instanceof LOD));
    const [one, other] = [random.pick(nodes), random.pick(nodes)];
    if (one.parent === other.parent || nodesBelow(one).includes(other) || nodesBelow(other).includes(one)) return;
    const [first, second] = [one.parent!, other.parent!];
    second.add(one);
    first.add(other);
  },
  ({ group }, random) => (group.position.x = random.between(-10, 10)),
  ({ group }, random) => (group.scale.y = random.pick([1, 1, 2, -1])),
  ({ group }, random) => (group.renderOrder = random.below(3)),
  ({ group }, random) => group.layers.set(random.below(2)),
  ({ group }, random) => {
    const child = random.pick(group.children);
    if (!(group instanceof OctreeGroup)) return;
    group.setStatic(child);
    if (random.below(2) === 0) group.setStatic(child, false);
    else group.reportMove(child).updateMatrixWorld();
    group.setStatic(child, false);
  },
];

function randomCamera(random: Random): PerspectiveCamera | OrthographicCamera {
  const camera =
    random.below(3) === 0
      ? new OrthographicCamera(-15, 15, 15, -15, 0, 60)
      : new PerspectiveCamera(random.between(20, 80), 1, 0.1, random.between(30, 90));
  camera.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
  camera.lookAt(random.between(-REACH, REACH), random.between(-REACH, REACH), 0);
  camera.layers.mask = random.pick([1, 1, 2, 3]);
  camera.updateMatrixWorld();
  return camera;
}

/** What a history has compared: drawn objects, hits, and the states of members. */
interface Compared {
  drawn: number;
  hits: number;
  /** Steps in which the group did not follow its members. */
  unfollowed: number;
  readonly states: Set<string>;
}

/** Steps of each 100 in which all children move too, if most move. */
const STEPS_OF_MOTION = 60;

/** Plays steps of a history, and compares all passes and hits after each. */
function play(seed: number, steps: readonly number[], movesMost: boolean): Compared {
  const compared: Compared = { drawn: 0, hits: 0, unfollowed: 0, states: new Set() };
  const twins = createTwins(seed, (group, random) => {
    // A group of fewer than 64 members always follows them.
    for (let k = 0; k < (movesMost ? 100 : 60); k++) group.add(createTree(random));
  });
  const { octree } = twins;
  for (const step of steps) {
    const random = createRandom(1000 * seed + step);
    const change = random.pick(CHANGES);
    const allMove = movesMost && step % 100 < STEPS_OF_MOTION;
    twins.each((twin) => {
      if (allMove) for (const { position } of twin.group.children) position.y = (step % 5) / 2 + (position.y % 0.5);
      change(twin, createRandom(1_000_000 + step));
      if (twin.group instanceof OctreeGroup)
        expect(stateFaults(twin.group, false, compared.states), `step ${step}`).toEqual([]);
      twin.scene.updateMatrixWorld();
      if (twin.group instanceof OctreeGroup)
        expect(stateFaults(twin.group, true, compared.states), `step ${step}, updated`).toEqual([]);
    });
    if (octree.group instanceof OctreeGroup)
      compared.unfollowed += Number(octree.group.groupChildren.bodies.areBoundsOld);
    compareStep(step, twins, random, compared);
    if (octree.group instanceof OctreeGroup) expect(validate(octree.group)).toEqual([]);
  }
  return compared;
}

/** Compares a pass, a shadow pass and a ray. */
function compareStep(step: number, { plain, octree }: Twins, random: Random, compared: Compared): void {
  const camera = randomCamera(random);
  const frustum = frustumOf(camera);
  compared.drawn += expectSameDrawn(
    `step ${step}`,
    projectPass(plain.scene, camera),
    projectPass(octree.scene, camera),
    frustum,
  );
  const light = randomCamera(random);
  const lit = frustumOf(light);
  compared.drawn += expectSameDrawn(
    `step ${step}`,
    shadowPass(plain.scene, camera.layers, lit),
    shadowPass(octree.scene, camera.layers, lit),
    lit,
  );
  const raycaster = new Raycaster(camera.position, light.position.clone().sub(camera.position).normalize());
  raycaster.camera = camera;
  raycaster.layers.mask = camera.layers.mask;
  const [expected, found] = [plain, octree].map(({ scene }) =>
    raycaster.intersectObject(scene).map(({ object, distance }) => `${object.name} ${distance}`),
  );
  expectSameTexts(found, expected, `step ${step}`);
  compared.hits += found.length;
}

describe.each(seedsOf(3))('an OctreeGroup after random changes, seed %i', (seed) => {
  it.each([
    ['', false],
    [' while most of its children move', true],
  ])('draws the same as a plain Group in every pass, and gives the same hits%s', async (_, movesMost) => {
    let compared: Compared | null = null;
    await playShortened(seed, STEPS, (steps) => (compared = play(seed, steps, movesMost)));
    const { drawn, hits, unfollowed, states } = compared!;
    expect(drawn).toBeGreaterThan(STEPS * 8);
    expect(hits).toBeGreaterThan(STEPS / (movesMost ? 8 : 4));
    if (movesMost) expect(unfollowed).toBeGreaterThan(STEPS / 2);
    else expect(unfollowed).toBe(0);
    expect(states).toEqual(new Set(['new', 'culled', 'unculled', 'opened', 'compared', 'visited']));
  });
});
