// What is drawn although it stands behind a wall, because the user or the renderer may see it: render orders, also
// those of Groups, and occlusion tests. And materials that break the depth, which end all hiding.

import {
  AdditiveBlending,
  AlwaysDepth,
  BoxGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  type Material,
} from 'three';
import { describe, expect, it } from 'vitest';
import { addBehind, occluded, type Occluded } from '../../support/occluded-scene.ts';
import { projectPass } from '../../support/pass-lists.ts';
import { nextTask } from '../../support/next-task.ts';

const HIDDEN = ['wall'];
const BOTH = ['small', 'wall'];

/** A Group around another. */
const wrap = (group: Group): Group => new Group().add(group);
/** A group with its children put into another object. */
function withInner(group: Group, inner: Object3D): Group {
  inner.add(...group.children);
  return group.add(inner);
}
/** A Group on these layers only. */
function onLayer(...layers: number[]): Group {
  const group = new Group();
  group.layers.disableAll();
  for (const layer of layers) group.layers.enable(layer);
  return group;
}

describe('what stands behind a wall', () => {
  const orders: [string, (scene: Occluded, group: Group) => void, boolean][] = [
    ['in a Group with a render order', ({ group: root }, group) => root.add(group), false],
    ['in a Group below one with a render order', ({ group: root }, group) => root.add(wrap(group)), false],
    ['in such a Group of an opened tree', ({ group: root }, group) => root.addTree(wrap(group)), false],
    ['in a Group without one, below one', ({ group: root }, group) => root.add(withInner(group, new Group())), true],
    ['in a Group below an Object3D', ({ group: root }, group) => root.add(withInner(group, new Object3D())), false],
    [
      'in a Group on another layer, below one',
      ({ group: root }, group) => root.add(withInner(group, onLayer(1))),
      false,
    ],
    [
      'in a Group on that layer too, below one',
      ({ group: root }, group) => root.add(withInner(group, onLayer(0, 1))),
      true,
    ],
    ['in the group itself, with a render order', ({ group: root }) => root, false],
  ];

  it.each(orders)('is hidden as the render order says: %s', async (name, add, isHidden) => {
    for (const isLater of [false, true]) {
      const scene = occluded();
      const { small, group: root, drawn } = scene;
      const group = new Group();
      const order = name.includes('itself') ? root : group;
      if (!isLater) order.renderOrder = 2;
      if (order === group) {
        group.position.copy(small.position);
        small.position.set(0, 0, 0);
        group.add(small);
      }
      add(scene, group);
      await nextTask();
      drawn();
      if (isLater) {
        expect(drawn()).toEqual(HIDDEN);
        order.renderOrder = 2;
        drawn();
      }
      drawn();
      expect(drawn()).toEqual(isHidden ? HIDDEN : BOTH);
      order.renderOrder = 0;
      drawn();
      await nextTask();
      drawn();
      expect(drawn()).toEqual(HIDDEN);
    }
  });

  it('is not drawn if it is too small for the image', () => {
    const { small, group, drawn } = occluded();
    Object.assign(small, { occlusionTest: true });
    drawn();
    expect(drawn()).toEqual(BOTH);
    // It is 2 wide and 30 away, where the image is 35 high.
    group.minScreenSize = 0.2;
    expect(drawn()).toEqual(HIDDEN);
    group.minScreenSize = 0.02;
    expect(drawn()).toEqual(BOTH);
  });

  it('is drawn while the renderer is asked whether it is hidden', () => {
    const { small, drawn } = occluded();
    Object.assign(small, { occlusionTest: true });
    drawn();
    expect(drawn()).toEqual(BOTH);
    Object.assign(small, { occlusionTest: false });
    drawn();
    expect(drawn()).toEqual(HIDDEN);
  });
});

describe('materials that break the depth', () => {
  it.each<[string, Partial<Material>]>([
    ['writes farther depths', { depthFunc: AlwaysDepth }],
    ['writes depths without colours', { colorWrite: false }],
    ['adds colours and writes depths', { blending: AdditiveBlending }],
  ])('hides nothing while a material %s, wherever it is', (_, fields) => {
    const scene = occluded();
    const { small, occlusion, drawn } = scene;
    const other = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial());
    addBehind(scene, other, 'other');
    expect(drawn()).toEqual(HIDDEN);
    const before = Object.fromEntries(Object.keys(fields).map((key) => [key, Reflect.get(other.material, key)]));
    Object.assign(other.material, fields);
    expect(drawn()).toEqual(['other', ...BOTH]);
    expect(occlusion.reason).toBe('a material that writes farther depths, or depths without opaque colours');
    Object.assign(other.material, before);
    expect(drawn()).toEqual(HIDDEN);
    small.material = new MeshBasicMaterial({ ...fields, depthWrite: false });
    expect(occlusion.reason).toBe('');
    other.removeFromParent();
    small.material = new MeshBasicMaterial(fields);
    expect(drawn()).toEqual(BOTH);
    scene.group.remove(small);
    expect(drawn()).toEqual(HIDDEN);
    expect(occlusion.reason).toBe('');
    const part = new Mesh(other.geometry, small.material);
    part.frustumCulled = false;
    for (const unculled of [part, new Group().add(part.clone())]) {
      scene.group.add(unculled);
      drawn();
      expect(scene.group.unculled).toEqual([unculled]);
      expect(occlusion.reason).toBe('a material that writes farther depths, or depths without opaque colours');
      unculled.removeFromParent();
      drawn();
      expect(occlusion.reason).toBe('');
    }
  });
});

it('an invisible material breaks no depths', () => {
  const scene = occluded();
  for (const fields of [{ depthFunc: AlwaysDepth }, { colorWrite: false }, { depthTest: false }]) {
    const other = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial({ ...fields, visible: false }));
    addBehind(scene, other, 'other');
    expect(scene.drawn()).not.toContain('small');
    other.material.visible = true;
    scene.drawn();
    if (fields.depthTest !== false) expect(scene.drawn()).toContain('small');
    other.removeFromParent();
  }
});

it('is culled with the others by minScreenSize, and listed once', () => {
  const scene = occluded();
  const { drawn, group, occlusion, small } = scene;
  const before = new Mesh(small.geometry, new MeshBasicMaterial({ depthTest: false }));
  before.name = 'before';
  before.position.z = 5;
  group.add(before);
  expect(drawn()).toEqual(['before', 'wall']);
  expect(occlusion.visible.map(({ name }) => name).sort()).toEqual(['before', 'wall']);
  group.minScreenSize = 0.5;
  expect(drawn()).toEqual(HIDDEN);
});

it('is drawn at once after the render order of the group has changed, static members too', () => {
  const { drawn, group, small, wall } = occluded();
  for (const mesh of [small, wall]) group.setStatic(mesh, true);
  expect(drawn()).toEqual(HIDDEN);
  group.renderOrder = 1;
  expect(drawn()).toEqual(BOTH);
});

describe('a member that waits for the next update', () => {
  it('may break the depth', () => {
    const scene = occluded();
    expect(scene.drawn()).toEqual(HIDDEN);
    const added = new Mesh(scene.small.geometry, new MeshBasicMaterial({ depthFunc: AlwaysDepth }));
    addBehind(scene, added);
    const names = projectPass(scene.scene, scene.camera).map(({ object }) => object.name);
    expect(names.sort()).toEqual(['added', ...BOTH]);
  });
});
