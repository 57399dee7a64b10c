// Trees that are static but for some parts, or watched but for some.

import {
  AnimationClip,
  AnimationMixer,
  Bone,
  BoxGeometry,
  Group,
  LOD,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PointLight,
  Raycaster,
  Scene,
  Skeleton,
  SkinnedMesh,
  Vector3,
  VectorKeyframeTrack,
  type Box3,
  type Object3D,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { boundsOf, OctreeGroup } from '../../../src/three.ts';
import { expectSameDrawn, expectSameTexts, frustumOf, projectPass } from '../../support/pass-lists.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube } from '../../support/three-passes.ts';
import { stateFaults } from '../../support/member-states.ts';
import { createObject, createTwins, KINDS, place, type Twin, nodesOf } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug/index.ts';

const REACH = 30;
const material = new MeshBasicMaterial();

function createTree(random: Random, depth: number): Object3D {
  const tree = new (random.pick([Group, Group, Bone]))();
  place(tree, random, 8);
  for (let k = 0; k < 3; k++) {
    const object = depth > 0 && k > 0 ? createTree(random, depth - 1) : createObject(random.below(KINDS), material);
    if (object instanceof LOD) object.autoUpdate = false;
    place(object, random, 12);
    tree.add(object);
  }
  tree.traverse((object) => (object.name = `${object.type} ${random.below(2 ** 30)}`));
  return tree;
}

/** Reports a change of an object if the group counts on that. */
function report({ group }: Twin, object: Object3D): void {
  if (group instanceof OctreeGroup && group.isStatic(object)) group.reportMove(object);
}

function move(twin: Twin, object: Object3D, random: Random): void {
  if (random.below(2) === 0) place(object, random, 10);
  else object.position.x = random.between(-REACH, REACH);
  report(twin, object);
}

type Change = (twin: Twin, node: Object3D, random: Random) => void;
const setStatic: Change = ({ group }, node, random) => {
  const isStatic = random.below(2) === 0;
  if (!(group instanceof OctreeGroup)) return;
  group.setStatic(node, isStatic);
  expect(group.isStatic(node)).toBe(isStatic);
};
const CHANGES: readonly Change[] = [
  setStatic,
  setStatic,
  setStatic,
  move,
  move,
  move,
  (twin, node, random) => {
    setStatic(twin, node, random);
    move(twin, node, random);
  },
  (twin, node, random) => {
    // A move before the object becomes static is found.
    node.position.y = random.between(-10, 10);
    report(twin, node);
    if (twin.group instanceof OctreeGroup) twin.group.setStatic(node);
  },
  (_, node) => (node.visible = !node.visible),
  (_, node, random) => node instanceof Group && node.add(createTree(random, 0)),
  ({ group }, node) => node.parent !== group && node.parent!.children.length > 1 && node.removeFromParent(),
  ({ group }, node) => node.parent !== group && group.children[0].attach(node),
  (twin, node) => {
    node.matrixAutoUpdate = !node.matrixAutoUpdate;
    report(twin, node);
  },
  (twin, node, random) => {
    node.pivot = node.pivot ? null : new Vector3(random.between(-3, 3), 1, 0);
    report(twin, node);
  },
  (twin, node, random) => {
    if (random.below(2) === 0) node.matrixWorldAutoUpdate = !node.matrixWorldAutoUpdate;
    if (!node.matrixWorldAutoUpdate) node.matrixWorld.setPosition(random.between(-10, 10), 0, 0);
    report(twin, node);
  },
  ({ group }, _, random) => (group.position.x = random.between(-3, 3)),
  ({ group }, _, random) => {
    const tree = createTree(random, 1);
    const isStatic = random.below(2) === 0;
    if (group instanceof OctreeGroup) group.addTree(tree, { isStatic });
    else group.add(tree);
  },
];

describe.each([1, 2, 3])('a tree of which parts become static and watched, seed %i', (seed) => {
  it('is drawn and hit as in a plain Group', () => {
    const twins = createTwins(seed, (group, random) => {
      for (let k = 0; k < 3; k++) {
        const tree = createTree(random, 3);
        if (group instanceof OctreeGroup) group.addTree(tree, { isStatic: k !== 1 });
        else group.add(tree);
      }
    });
    const { plain, octree } = twins;
    const states = new Set<string>();
    let [drawn, hits, partly] = [0, 0, 0];
    for (let step = 0; step < 160; step++) {
      const random = createRandom(1000 * seed + step);
      const change = random.pick(CHANGES);
      const at = random.next();
      twins.each((twin) => {
        const nodes = nodesOf(twin);
        change(twin, nodes[Math.floor(at * nodes.length)], createRandom(1_000_000 + step));
        if (twin.group instanceof OctreeGroup)
          expect(stateFaults(twin.group, false, states), `step ${step}`).toEqual([]);
        if (step % 3 === 0) return;
        twin.scene.updateMatrixWorld();
        if (twin.group instanceof OctreeGroup)
          expect(stateFaults(twin.group, true, states), `step ${step}, updated`).toEqual([]);
      });
      if (step % 3 === 0) continue;
      const camera = new PerspectiveCamera(random.between(20, 80), 1, 0.1, 60);
      camera.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
      camera.lookAt(0, 0, 0);
      camera.updateMatrixWorld();
      const lists = [plain, octree].map(({ scene }) => projectPass(scene, camera));
      drawn += expectSameDrawn(`step ${step}`, lists[0], lists[1], frustumOf(camera));
      const raycaster = new Raycaster(camera.position, camera.position.clone().negate().normalize());
      raycaster.camera = camera;
      const [expected, found] = [plain, octree].map(({ scene }) =>
        raycaster.intersectObject(scene).map(({ object, distance }) => `${object.name} ${distance}`),
      );
      expectSameTexts(found, expected, `step ${step}`);
      hits += found.length;
      const group = octree.group as OctreeGroup;
      if (step % 20 === 1) expect(validate(group.octree)).toEqual([]);
      const areStatic = new Set(nodesOf(octree).map((node) => group.isStatic(node)));
      partly += Number(areStatic.size === 2);
    }
    expect(drawn).toBeGreaterThan(1000);
    expect(hits).toBeGreaterThan(20);
    expect(states).toEqual(new Set(['new', 'culled', 'unculled', 'opened', 'reported', 'visited']));
    expect(partly).toBeGreaterThan(50);
  });
});

function site(): { scene: Scene; group: OctreeGroup; crane: Group; hook: Mesh; wall: Mesh } {
  const [hook, wall] = [cube(1), cube(2)];
  const crane = new Group().add(new Group().add(hook));
  const tree = new Group().add(new Group().add(wall), crane);
  const group = new OctreeGroup().addTree(tree, { isStatic: true }).setStatic(crane, false);
  const scene = new Scene().add(group);
  scene.updateMatrixWorld();
  return { scene, group, crane, hook, wall };
}

/** Whether the body of a member is where an object of it is. */
function isFound(group: OctreeGroup, object: Object3D, member = object): boolean {
  return group.octree.intersectBox(boundsOf(object) as Box3).some(({ body }) => body.data === member);
}

describe('a static tree with a watched crane', () => {
  it('finds the moves of the crane and of what is below it, and of no wall', () => {
    const { scene, group, crane, hook, wall } = site();
    expect([crane, hook, wall, group.children[0]].map((object) => group.isStatic(object))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    for (const object of [crane, hook, wall]) object.position.x += 10;
    scene.updateMatrixWorld();
    expect(hook.matrixWorld.elements[12]).toBe(21);
    expect(wall.matrixWorld.elements[12]).toBe(2);
    group.reportMove(wall);
    scene.updateMatrixWorld();
    expect(wall.matrixWorld.elements[12]).toBe(12);
    group.setStatic(crane);
    scene.updateMatrixWorld();
    crane.position.x += 10;
    scene.updateMatrixWorld();
    expect(hook.matrixWorld.elements[12]).toBe(21);
    expect(group.isStatic(hook)).toBe(true);
  });

  it('computes nothing for what stands still, and only what is below a moved object', () => {
    const { scene, group, hook, crane, wall } = site();
    const compose = [hook, crane, wall].map((object) => vi.spyOn(object, 'updateMatrix'));
    scene.updateMatrixWorld();
    expect(compose.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    crane.position.x = 5;
    scene.updateMatrixWorld();
    expect(compose.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
    group.reportMove(wall);
    scene.updateMatrixWorld();
    expect(compose.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  });

  it('has what is added to the crane watched, and to a wall static; copies are as the original', () => {
    const { scene, group, crane, wall } = site();
    const [lamp, door] = [cube(3), cube(4)];
    crane.add(lamp);
    wall.parent!.add(door);
    scene.updateMatrixWorld();
    expect([lamp, door].map((object) => group.isStatic(object))).toEqual([false, true]);
    const copy = new OctreeGroup().copy(group);
    const [copiedWalls, copiedCrane] = copy.children[0].children;
    expect([copiedWalls, copiedCrane].map((object) => copy.isStatic(object))).toEqual([true, false]);
  });

  it('carries static parts along, without a warning', () => {
    const { scene, group, crane, hook } = site();
    group.setStatic(hook);
    const warn = vi.spyOn(console, 'warn');
    for (let frame = 0; frame < 600; frame++) {
      crane.position.x = frame;
      scene.updateMatrixWorld();
      expect(hook.matrixWorld.elements[12]).toBe(1 + frame);
    }
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it.each<[string, (crane: Group) => void, (crane: Group, x: number) => void]>([
    ['a pivot', (crane) => (crane.pivot = new Vector3(0, 1, 0)), (crane, x) => (crane.position.x = x)],
    [
      'a world matrix by hand',
      (crane) => (crane.matrixWorldAutoUpdate = false),
      (crane, x) => crane.matrixWorld.setPosition(x, 0, 0),
    ],
  ])('carries static parts along that are below %s', (_, prepare, moveTo) => {
    const { scene, group, crane, hook } = site();
    prepare(crane);
    group.setStatic(hook);
    for (const x of [5, 40, 40, 7]) {
      moveTo(crane, x);
      scene.updateMatrixWorld();
      expect(hook.matrixWorld.elements[12]).toBe(1 + x);
      expect(isFound(group, hook)).toBe(true);
      // Moved back to where the group has seen it before.
      hook.position.x = 60;
      group.reportMove(hook);
      scene.updateMatrixWorld();
      hook.position.x = 1;
      group.reportMove(hook);
      scene.updateMatrixWorld();
      expect(isFound(group, hook)).toBe(true);
    }
  });

  it('finds what moves inside a mesh with children below a node with a pivot', () => {
    const { scene, group, crane } = site();
    const arm = cube(6);
    crane.add(cube(5).add(arm));
    crane.pivot = new Vector3(0, 1, 0);
    scene.updateMatrixWorld();
    scene.updateMatrixWorld();
    arm.position.x = 90;
    scene.updateMatrixWorld();
    expect(isFound(group, arm, arm.parent!)).toBe(true);
  });

  it('does not warn of a watched object that is moved after the update of its matrices', () => {
    const { scene, group, crane, hook } = site();
    group.setStatic(hook);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    // Moved by code that runs while the group is updated, after the crane had its turn.
    const mover = cube(7);
    group.add(mover);
    let [x, frame] = [0, 0];
    mover.updateMatrixWorld = function (force) {
      Mesh.prototype.updateMatrixWorld.call(this, force);
      if (frame % 3 === 0) crane.position.x = ++x;
    };
    for (; frame < 900; frame++) scene.updateMatrixWorld();
    expect(warn).not.toHaveBeenCalled();
    expect(hook.matrixWorld.elements[12]).toBe(301);
    warn.mockRestore();
  });

  it('finds the pending move of a mesh that becomes static for an object below it', () => {
    const arm = cube(6);
    const mast = cube(5).add(arm);
    const group = new OctreeGroup().addTree(new Group().add(mast, cube(0)));
    group.updateMatrixWorld();
    mast.position.x = 30;
    group.setStatic(arm);
    group.updateMatrixWorld();
    expect([mast, arm].map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([30, 36]);
    expect(isFound(group, arm, mast)).toBe(true);
  });

  it('is copied as far as classes copy their children', () => {
    class Empty extends Group {
      override copy(source: this): this {
        return super.copy(source, false);
      }
    }
    class Twice extends Group {
      constructor() {
        super();
        this.add(cube(8));
      }
    }
    for (const Class of [Empty, Twice]) {
      const node = new Class().add(new Group().add(cube(1)));
      const [below] = node.children[node.children.length - 1].children;
      const other = cube(3);
      const group = new OctreeGroup().addTree(new Group().add(node, other, cube(2)), { isStatic: true });
      group.setStatic(below, false).setStatic(other, false);
      group.updateMatrixWorld();
      const copy = group.clone();
      const [, copied, last] = copy.children[0].children;
      expect([copied, last].map((object) => copy.isStatic(object))).toEqual([false, true]);
      // Gone since the last update.
      below.removeFromParent();
      expect(() => group.clone()).not.toThrow();
    }
  });

  it('is set for the mesh that is culled as a whole if for an object below it', () => {
    const arm = cube(6);
    const mast = cube(5).add(arm);
    const group = new OctreeGroup().addTree(new Group().add(mast), { isStatic: true });
    group.updateMatrixWorld();
    group.setStatic(arm, false);
    expect(group.isStatic(mast)).toBe(false);
    arm.position.x = 9;
    group.updateMatrixWorld();
    expect(arm.matrixWorld.elements[12]).toBe(14);
  });

  it('is refused for an object that no tree of addTree holds', () => {
    const house = Object.assign(new Group().add(cube(1)), { name: 'house' });
    const group = new OctreeGroup().add(house);
    for (const name of ['setStatic', 'isStatic'] as const)
      expect(() => group[name](house.children[0])).toThrow(
        new TypeError(
          `OctreeGroup.${name}: the Mesh "cube 1" is below the Group "house", which is culled as a whole; pass that, or add it by addTree.`,
        ),
      );
  });
});

/** As a glTF file with a crane and a walker, and a clip that moves the crane. */
function animatedFile(): { root: Group; clip: AnimationClip; moving: Object3D[]; wall: Mesh } {
  const crane = Object.assign(new Group().add(cube(1)), { name: 'crane' });
  const bone = Object.assign(new Bone(), { name: 'bone' });
  const walker = Object.assign(new SkinnedMesh(new BoxGeometry(), material), { name: 'walker' });
  // A bone may be missing: renderers take the identity for it.
  walker.bind(new Skeleton([bone, undefined as never]));
  const wall = cube(2);
  const root = new Group().add(new Group().add(wall, crane), new Group().add(bone, walker), cube(3));
  const clip = new AnimationClip('clip', 1, [
    new VectorKeyframeTrack('crane.position', [0, 1], [0, 0, 0, 10, 0, 0]),
    new VectorKeyframeTrack('bone.position', [0, 1], [0, 0, 0, 0, 5, 0]),
  ]);
  return { root, clip, moving: [crane, ...crane.children, bone, walker], wall };
}

/** The objects of a tree that are not where three would have them. */
function misplaced(root: Object3D): string[] {
  const names: string[] = [];
  root.traverse((object) => {
    const expected = root.parent!.matrixWorld.clone();
    const path: Object3D[] = [];
    for (let node = object; node !== root.parent; node = node.parent!) path.unshift(node);
    for (const node of path) expected.multiply(node.matrix.clone().compose(node.position, node.quaternion, node.scale));
    if (!object.matrixWorld.equals(expected)) names.push(object.name);
  });
  return names;
}

it.each(['child', 'part of a tree'])('finds what moves below a static %s that cannot be culled, too', (place) => {
  const [lamp, below] = [cube(1), cube(2)];
  const uncullable = Object.assign(new Group().add(new PointLight(), lamp.add(below)), { renderOrder: 1 });
  const root = place === 'child' ? uncullable : new Group().add(cube(3), uncullable);
  const group = new OctreeGroup({ hasStaticChildren: true });
  if (place === 'child') group.add(root, cube(4));
  else group.addTree(root);
  const scene = new Scene().add(group);
  for (let frame = 0; frame < 300; frame++) scene.updateMatrixWorld();
  expect(group.unculled).toContain(uncullable);
  lamp.position.x = 50;
  for (let frame = 0; frame < 256; frame++) scene.updateMatrixWorld();
  expect([lamp, below].map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([50, 52]);
});

describe('a static tree with animations', () => {
  it.each<[string, boolean]>([
    ['of the file', true],
    ['of the tree itself', false],
  ])('stays watched where they move it, and its skinned meshes: %s', (_, isOption) => {
    const { root, clip, moving, wall } = animatedFile();
    if (!isOption) root.animations = [clip];
    const group = new OctreeGroup().addTree(root, { isStatic: true, ...(isOption && { animations: [clip] }) });
    expect(moving.map((object) => group.isStatic(object))).toEqual(moving.map(() => false));
    expect([wall, root, wall.parent!].map((object) => group.isStatic(object))).toEqual([true, true, true]);
    const scene = new Scene().add(group);
    const mixer = new AnimationMixer(root);
    mixer.clipAction(clip).play();
    for (let frame = 0; frame < 5; frame++) {
      mixer.update(0.15);
      scene.updateMatrixWorld();
      expect(misplaced(root)).toEqual([]);
    }
  });

  it('is watched as usual, and may have clips that move nothing of it', () => {
    const { root, clip, moving } = animatedFile();
    const other = new AnimationClip('other', 1, [new VectorKeyframeTrack('elsewhere.position', [0], [0, 0, 0])]);
    const group = new OctreeGroup().addTree(root, { animations: [clip] });
    expect(group.isStatic(root)).toBe(false);
    group.setStatic(root).addTree(root, { isStatic: true, animations: [other] });
    expect(moving.map((object) => group.isStatic(object))).toEqual([true, true, false, false]);
  });

  it('that it was not told of is named once, and watched where they move it once found twice', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { root, clip, wall } = animatedFile();
    const group = new OctreeGroup({ hasStaticChildren: true }).addTree(root);
    const scene = new Scene().add(group);
    const mixer = new AnimationMixer(root);
    mixer.clipAction(clip).play();
    group.setStatic(root, false).setStatic(root, true);
    for (let frame = 0; frame < 2 * 256 + 1; frame++) {
      mixer.update(0.01);
      scene.updateMatrixWorld();
    }
    for (let frame = 0; frame < 5; frame++) {
      mixer.update(0.01);
      scene.updateMatrixWorld();
      expect(misplaced(root)).toEqual([]);
    }
    expect(group.isStatic(wall)).toBe(true);
    expect(warn.mock.calls).toEqual([
      [
        'OctreeGroup: the Group "crane" is static, and was moved without a report. It is drawn at its new place only now; call reportMove after each move, or setStatic(object, false) if it moves by itself. For a file with animations, pass them to addTree.',
      ],
    ]);
    warn.mockRestore();
  });

  it('is refused with clips that are none, before anything changes', () => {
    const { root, clip } = animatedFile();
    const group = new OctreeGroup();
    for (const [animations, message] of [
      [clip, 'options.animations must be an array of AnimationClips, but is an AnimationClip; pass gltf.animations.'],
      [[clip, null], 'options.animations must hold AnimationClips only, but is null; pass gltf.animations.'],
    ] as const)
      expect(() => group.addTree(root, { isStatic: true, animations: animations as never })).toThrow(
        `OctreeGroup.addTree: ${message}`,
      );
    expect(group.children).toEqual([]);
  });
});
