import {
  AnimationClip,
  Bone,
  Box3,
  Group,
  LOD,
  Object3D,
  OrthographicCamera,
  PointLight,
  Scene,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { validate } from '../../../src/debug-three/index.ts';
import { OctreeGroup } from '../../../src/three.ts';
import { groupOrderIn } from '../../../src/three/group/traversal-effects.ts';
import { projectPass } from '../../support/pass-lists.ts';
import { cube, namesSeen, passOver, slab } from '../../support/three-passes.ts';

const EVERYTHING = new Box3(new Vector3(-1e6, -1e6, -1e6), new Vector3(1e6, 1e6, 1e6));

function tree(): Group {
  const root = new Group();
  const nested = new Group();
  const bone = new Bone();
  root.add(cube(0), nested.add(cube(10), bone.add(cube(20))), new PointLight());
  nested.position.x = 5;
  return root;
}

const someParts = (): Object3D[] => [new Group().add(cube(0), new Group().add(cube(10))), cube(20)];

/** The names and orders of what a camera with a mask draws of a group on layer 1, in one with a render order. */
function ordersDrawn(group: Group, mask: number): unknown[] {
  const holder = new Group().add(group);
  const scene = new Scene().add(holder);
  holder.renderOrder = 3;
  group.layers.set(1);
  scene.updateMatrixWorld();
  const camera = new OrthographicCamera(-50, 50, 50, -50, -50, 50);
  camera.layers.mask = mask;
  return projectPass(scene, camera).map(({ object, groupOrder }) => [object.name, groupOrder]);
}

/** Compares an OctreeGroup with a plain Group while two parts of a tree exchange their parents. */
function expectSameFrames(set: (object: Object3D) => void): void {
  const frames = [new Group(), new OctreeGroup()].map((group) => {
    const [left, right] = [1, 2].map((k) => Object.assign(new Group(), { name: `parent ${k}` }));
    const parts = [left, right].map((parent, k) => {
      const part = cube(10 * k);
      part.updateMatrix();
      set(part);
      parent.add(part);
      return part;
    });
    right.position.x = 100;
    const root = new Group().add(left, right);
    const scene = new Scene().add(group);
    if (group instanceof OctreeGroup) group.addTree(root);
    else group.add(root);
    const written: string[] = [];
    const changes = [
      () => group instanceof OctreeGroup && group.groupChildren,
      () => undefined,
      () => undefined,
      () => parts.forEach((part, k) => [right, left][k].add(part)),
      () => (left.position.y = 5),
      () => (right.position.z = 7),
      () => (parts[0].matrixWorldNeedsUpdate = true),
    ];
    for (const change of changes) {
      change();
      scene.updateMatrixWorld();
      for (const { name, matrixWorld } of [left, right, ...parts])
        written.push(`${name} ${matrixWorld.elements.join(' ')}`);
      if (!(group instanceof OctreeGroup)) continue;
      for (const part of parts) {
        part.geometry.computeBoundingBox();
        const expected = part.geometry.boundingBox!.clone().applyMatrix4(part.matrixWorld);
        const box = group.bodyOf(part)!.getBox(new Box3());
        expect(box.getCenter(new Vector3()).distanceTo(expected.getCenter(new Vector3()))).toBeLessThan(1e-3);
      }
    }
    return written;
  });
  expect(frames[1]).toEqual(frames[0]);
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
    // Until the next update, every pass draws the added ones.
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube -5', 'cube 700', '']);
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

  it('keeps the bodies of all other parts when one is added, removed or moved to another node', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root, { isStatic: true });
    group.updateMatrixWorld();
    const [first, nested] = root.children;
    const bodies = new Set(group.octree.intersectBox(EVERYTHING).map(({ body }) => body));
    const kept = (): number => group.octree.intersectBox(EVERYTHING).filter(({ body }) => bodies.has(body)).length;
    nested.add(cube(3));
    expect([group.octree.size, kept()]).toEqual([bodies.size + 1, bodies.size]);
    nested.add(first);
    expect(namesSeen(group, 16)).toContain('cube 0');
    group.updateMatrixWorld();
    expect([group.octree.size, kept()]).toEqual([bodies.size + 1, bodies.size - 1]);
    first.removeFromParent();
    expect([group.octree.size, kept()]).toEqual([bodies.size, bodies.size - 1]);
  });

  it.each([false, true])(
    'computes and moves nothing else when an object is added or removed; static: %s',
    (isStatic) => {
      const rows = Array.from({ length: 5 }, () =>
        new Group().add(...Array.from({ length: 20 }, (_, k) => cube(9 * k))),
      );
      const root = new Group().add(...rows, new Group());
      const scene = new Scene();
      const group = new OctreeGroup().addTree(root, { isStatic });
      scene.add(group);
      scene.updateMatrixWorld();
      scene.updateMatrixWorld();
      const moving = vi.fn();
      group.groupChildren.bodies.followers.add({ moving });
      const [taken] = rows[1].children;
      const written = cube(300);
      const changes: Record<string, [change: () => unknown, computed: number]> = {
        'a removed mesh': [() => taken.removeFromParent(), 0],
        'an empty group': [() => root.add(new Group()), 1],
        'an added mesh': [() => rows[2].add(cube(200)), 1],
        'a mesh that is added and removed': [() => rows[2].add(cube(200)).remove(rows[2].children.at(-1)!), 0],
        // Of a static tree no event is an unreported change, which is found with the next one.
        'a mesh written into the array': [
          () => ((written.parent = rows[3]), rows[3].children.push(written)),
          isStatic ? 0 : 1,
        ],
        'a removed group': [() => rows[0].removeFromParent(), isStatic ? 1 : 0],
        'a mesh in another group': [() => rows[4].add(taken), 1],
        'a group with meshes': [() => root.add(rows[0].clone()), 21],
      };
      const found = Object.entries(changes).map(([name, [change]]) => {
        change();
        const computes = vi.spyOn(Object3D.prototype, 'updateMatrix');
        scene.updateMatrixWorld();
        const { length } = computes.mock.instances.filter(
          (object) => object !== scene && object !== (group as Object3D),
        );
        computes.mockRestore();
        expect(validate(group)).toEqual([]);
        return [name, length];
      });
      expect(found).toEqual(Object.entries(changes).map(([name, [, computed]]) => [name, computed]));
      expect(moving).not.toHaveBeenCalled();
    },
  );

  it('computes a static object, or a group, that leaves, moves and comes back before the next update', () => {
    const [part, other, inner] = [cube(0), cube(9), cube(20)];
    const [root, nested] = [new Group(), new Group()];
    const group = new OctreeGroup().addTree(root.add(part, nested.add(other.add(inner))), { isStatic: true });
    group.updateMatrixWorld();
    group.reportMove(part);
    for (const object of [part, nested]) {
      root.remove(object);
      object.position.x += 100;
      root.add(object);
    }
    group.updateMatrixWorld();
    expect([part, other, inner].map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([100, 109, 129]);
    expect(group.bodyOf(part)!.getBox(new Box3()).min.x).toBeCloseTo(99.5);
    expect(validate(group)).toEqual([]);
  });

  it('keeps no matrices of an added object for motion vectors before they are computed', () => {
    const [root, fresh] = [new Group().add(cube(0)), cube(50)];
    const group = new OctreeGroup().addTree(root);
    group.updateMatrixWorld();
    const kept: Object3D[] = [];
    group.groupChildren.updater.previousMatrices.beginPass({
      updateAfter: ({ object }) => kept.push(object),
    });
    root.add(fresh);
    group.updateMatrixWorld();
    expect(kept).toEqual(root.children.slice(0, 1));
  });

  it('gives a body to each member that moves, whatever code reports during the update', () => {
    const crane = cube(0);
    const group = new OctreeGroup().addTree(new Group().add(crane, cube(5)), { isStatic: true });
    const mover = new Object3D();
    mover.updateMatrixWorld = () => {
      crane.position.x++;
      group.reportMove(crane);
    };
    group.add(mover);
    for (let update = 0; update < 3; update++) {
      group.updateMatrixWorld();
      expect(group.groupChildren.pending.size).toBe(0);
    }
  });

  it.each([true, false])('opens a tree again after an error in the middle; static: %s', (isStatic) => {
    const root = new Group().add(cube(0));
    const group = new OctreeGroup().addTree(root, { isStatic });
    group.updateMatrixWorld();
    const { ordered } = group.groupChildren.bodies;
    vi.spyOn(ordered, 'append').mockImplementationOnce(() => {
      throw new RangeError('no memory');
    });
    const [first, second] = [cube(5), cube(7)];
    root.add(first);
    expect(() => group.updateMatrixWorld()).toThrow('no memory');
    group.updateMatrixWorld();
    root.add(second);
    group.updateMatrixWorld();
    const places = [first, second].map((object) => group.bodyOf(object)!.getBox(new Box3()).min.x);
    expect(places.map((x) => Math.round(100 * x))).toEqual([450, 650]);
  });

  it('can be static as a whole, with the move of one part reported', () => {
    const root = tree();
    const group = new OctreeGroup().addTree(root, { isStatic: true });
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

  it('finds the reported move of an object below a part, and of a group with parts of a static tree', () => {
    const [part, inner, nested, last] = [cube(0), cube(0), new Group(), cube(2)];
    part.add(inner);
    const group = new OctreeGroup().addTree(new Group().add(part, nested.add(last)), { isStatic: true });
    group.updateMatrixWorld();
    inner.position.x = 300;
    group.reportMove(inner);
    group.updateMatrixWorld();
    const reach = (): number =>
      Math.max(...group.octree.intersectBox(EVERYTHING).map(({ body }) => body.getBox().max.x));
    expect(reach()).toBeGreaterThan(290);
    nested.position.x = 500;
    group.reportMove(nested);
    group.updateMatrixWorld();
    expect(reach()).toBeGreaterThan(490);
  });

  it('makes a tree static or watched by its option, and otherwise leaves it as it is', () => {
    const group = new OctreeGroup();
    const isStaticAfter = (...trees: Parameters<OctreeGroup['addTree']>): boolean =>
      group.addTree(...trees).isStatic(trees[0]);
    const root = tree();
    expect([isStaticAfter(root), isStaticAfter(root, { isStatic: true }), isStaticAfter(root)]).toEqual([
      false,
      true,
      true,
    ]);
    group.hasStaticChildren = true;
    const other = tree();
    expect([isStaticAfter(other), isStaticAfter(other, { isStatic: false }), isStaticAfter(tree(), {})]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('leaves what animations move as it is, too, unless its option says otherwise', () => {
    const [root, mover] = [tree(), cube(0)];
    root.add(mover);
    const clip = new AnimationClip('move', 1, [new VectorKeyframeTrack(`${mover.uuid}.position`, [0], [0, 0, 0])]);
    const group = new OctreeGroup();
    const isStaticAfter = (...trees: Parameters<OctreeGroup['addTree']>): boolean =>
      group.addTree(...trees).isStatic(mover);
    const animations = [clip];
    expect(isStaticAfter(root, { isStatic: true, animations })).toBe(false);
    group.setStatic(mover);
    expect([isStaticAfter(root, { animations }), isStaticAfter(root, { isStatic: true, animations })]).toEqual([
      true,
      false,
    ]);
  });

  it.each<[string, (object: Object3D) => void]>([
    ['automatic', () => undefined],
    ['written by hand', (object) => (object.matrixAutoUpdate = false)],
    [
      'those of the world, written by hand',
      (object) => (object.matrixAutoUpdate = object.matrixWorldAutoUpdate = false),
    ],
    ['with a pivot', (object) => (object.pivot = new Vector3(1, 2, 3))],
  ])('has the matrices and bodies of a plain Group after parts have exchanged their parents: matrices %s', (_, set) => {
    expectSameFrames(set);
  });

  it('has the matrices of a plain Group while code in the tree adds, removes and moves objects during the update', () => {
    const results = [new Group(), new OctreeGroup()].map((group) => {
      const [gone, late, moved, last] = [cube(1), cube(2), cube(3), cube(4)];
      const [before, after] = [new Group().add(gone, moved), new Group().add(late)];
      before.position.x = 7;
      const spare = Object.assign(new Group().add(cube(5)), { name: 'spare' });
      const code = cube(0);
      let frame = 0;
      code.updateMatrixWorld = (force): void => {
        Object3D.prototype.updateMatrixWorld.call(code, force);
        frame++;
        if (frame === 3) gone.removeFromParent();
        if (frame === 4) after.add(spare);
        if (frame === 5) before.add(late);
        if (frame > 5) moved.position.x = last.position.x = 100 * frame;
        if (frame > 6) moved.updateMatrixWorld();
      };
      const root = new Group().add(before, code, after, last);
      const scene = new Scene().add(group);
      if (group instanceof OctreeGroup) group.addTree(root);
      else group.add(root);
      const frames: string[] = [];
      for (let k = 0; k < 9; k++) {
        root.position.y = k >> 1;
        scene.updateMatrixWorld();
        root.traverse(({ name, matrixWorld }) => frames.push(`${k} ${name} ${matrixWorld.elements.join(' ')}`));
        if (group instanceof OctreeGroup && k === 8) expect(passOver(group, slab(1))).not.toContain(moved);
      }
      return frames;
    });
    expect(results[1]).toEqual(results[0]);
  });

  it('has no body of a part that code of its own removes during the update, until it is added again', () => {
    const [part, code] = [cube(0), cube(1)];
    const others = Array.from({ length: 60 }, (_, k) => cube(10 + k));
    const root = new Group().add(part.add(code), ...others);
    const group = new OctreeGroup().addTree(root);
    code.updateMatrixWorld = (force): void => {
      Object3D.prototype.updateMatrixWorld.call(code, force);
      if (part.position.x > 0) part.removeFromParent();
    };
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect(group.octree.size).toBe(61);
    part.position.x = 5;
    for (let k = 0; k < 3; k++) {
      group.updateMatrixWorld();
      expect([part.parent, group.octree.size, group.octree.intersectBox(EVERYTHING).length]).toEqual([null, 60, 60]);
    }
    part.position.x = -5;
    root.add(part);
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect([group.octree.size, group.bodyOf(part)!.getBox(new Box3()).min.x]).toEqual([61, expect.closeTo(-5.5, 1)]);
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

  it.each<[string, (node: Group) => void]>([
    ['renderOrder', (node) => (node.renderOrder = 1)],
    ['raycast', (node) => (node.raycast = () => {})],
    [
      'updateMatrixWorld',
      (node) => (node.updateMatrixWorld = (force) => Group.prototype.updateMatrixWorld.call(node, force)),
    ],
  ])('finds in the next update that the %s of a node makes it a part, while nothing in the tree moves', (_, change) => {
    const root = new Group();
    const [holder, empty] = [new Group(), new Group()];
    holder.name = 'holder';
    root.add(cube(0), holder.add(cube(10)), empty);
    const group = new OctreeGroup().addTree(root);
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect(namesSeen(group, 1000)).toEqual(['cube 0', 'cube 10']);
    change(holder);
    group.updateMatrixWorld();
    expect(namesSeen(group, 1000)).toEqual(['cube 0', 'holder']);
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    change(empty);
    group.updateMatrixWorld();
    expect(group.unculled).toEqual([empty]);
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

  it('draws a tree by the render order that a plain group hands down, whose layers the camera may not see', () => {
    const [root, child] = someParts();
    const awake = new OctreeGroup().addTree(root).add(child);
    void awake.octree;
    for (const mask of [1, 2, 3]) {
      const expected = ordersDrawn(new Group().add(...someParts()), mask);
      expect(ordersDrawn(awake, mask)).toEqual(expected);
    }
    // A scene is no Group: three hands down 0.
    Object.assign(new Scene().add(awake), { renderOrder: 5 });
    expect(groupOrderIn(awake, new OrthographicCamera())).toBe(0);
  });

  it('opens a group that was drawn as a whole before, and keeps nothing of that', () => {
    const root = new Group().add(cube(0), cube(10));
    const group = new OctreeGroup().add(root);
    void group.octree;
    group.updateMatrixWorld();
    expect(group.bodyOf(root)).not.toBeNull();
    group.addTree(root).updateMatrixWorld();
    expect(namesSeen(group, 5)).toEqual(['cube 0']);
    expect(validate(group)).toEqual([]);
  });

  it.each([
    ['removed', (child: Object3D) => child.removeFromParent()],
    ['moved to another group', (child: Object3D) => new Group().add(child)],
  ])('goes on after an object below a part was reported and %s before the next update', (_, take) => {
    for (const isStatic of [false, true]) {
      const [part, child] = [cube(0), cube(30)];
      part.add(child);
      const group = new OctreeGroup().addTree(new Group().add(part, cube(10)), { isStatic });
      for (let k = 0; k < 3; k++) group.updateMatrixWorld();
      void group.octree;
      part.position.x = 40;
      group.reportMove(part).reportMove(child);
      take(child);
      group.updateMatrixWorld();
      expect(namesSeen(group, 15)).toEqual(['cube 10']);
      expect(group.bodyOf(part)!.getBox().max.x).toBeCloseTo(40.5);
    }
  });
});
