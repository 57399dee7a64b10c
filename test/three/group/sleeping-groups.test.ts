// Small groups sleep: they are plain Groups until something needs their bodies.

import {
  Box3,
  DirectionalLight,
  Frustum,
  Group,
  Layers,
  LOD,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
} from 'three';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { boundsOf, OctreeGroup, pickWithin, ShadowUpdates, StaticBatches } from '../../../src/three.ts';
import { validate } from '../../../src/debug/index.ts';
import { SLEEP } from '../../../src/three/group/sleeping-children.ts';
import { PassHook } from '../../../src/three/passes/pass-hook.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube } from '../../support/three-passes.ts';

const geometry = new SphereGeometry(1, 6, 4);
const material = new MeshBasicMaterial();
const camera = new PerspectiveCamera(60, 1, 0.1, 25);

beforeAll(() => {
  SLEEP.maxObjects = 48;
});
afterAll(() => {
  SLEEP.maxObjects = 0;
});

/** What a renderer draws below an object, in order: the calls of `projectObject` of WebGLRenderer. */
function drawn(object: Object3D, frustum: Frustum, list: string[] = []): string[] {
  if (!object.visible) return list;
  const isOnLayer = object.layers.test(camera.layers);
  if (isOnLayer && object instanceof LOD) object.update(camera);
  if (isOnLayer && object instanceof Mesh && (!object.frustumCulled || object.intersectsFrustum(frustum)))
    if ((object.material as MeshBasicMaterial).visible)
      list.push(`${object.name} ${object.matrixWorld.elements.slice(12, 15).join()}`);
  const { children } = object;
  for (let k = 0, { length } = children; k < length; k++) drawn(children[k], frustum, list);
  return list;
}

function frustumOf(random: Random): Frustum {
  camera.position.set(random.between(-9, 9), random.between(-9, 9), random.between(-9, 9));
  camera.lookAt(random.between(-9, 9), 0, random.between(-9, 9));
  camera.updateMatrixWorld();
  return new Frustum().setFromProjectionMatrix(camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse));
}

const isAwake = (group: OctreeGroup): boolean => group.awake !== null;

/** What rays hit, in order. */
function hit(random: Random, group: Object3D): string[] {
  const ray = new Raycaster(new Vector3(random.between(-20, 20), random.between(-20, 20), 20));
  ray.ray.direction.set(random.between(-9, 9), random.between(-9, 9), 0).sub(ray.ray.origin).normalize();
  return ray.intersectObject(group).map(({ object, distance }) => `${object.name} ${distance}`);
}

let made = 0;
const mesh = (): Mesh => Object.assign(new Mesh(geometry, material), { name: `mesh ${made++}` });

/** A new child: a mesh, a tree, an LOD or a light. */
function child(random: Random): Object3D {
  const kind = random.below(6);
  if (kind === 0) return new Group().add(mesh().translateX(2), new Group().add(mesh().translateY(3)));
  if (kind === 1) return new LOD().addLevel(mesh()).addLevel(mesh().translateX(1), 10);
  if (kind === 2) return Object.assign(new DirectionalLight(), { name: 'light' });
  if (kind === 3) return mesh().add(mesh().translateZ(2));
  return mesh();
}

/** One step, done to both groups. */
function step(random: Random, plain: Group, own: OctreeGroup): void {
  const { length } = plain.children;
  const at = random.below(Math.max(1, length));
  const [x, y, z] = [0, 0, 0].map(() => random.between(-12, 12));
  const isTree = random.below(4) === 0;
  const place = (object: Object3D): unknown => object?.position.set(x, y, z);
  const kind = random.below(14);
  if (kind < 5 || length === 0) {
    const added = child(random);
    const copy = added.clone();
    place(added);
    place(copy);
    plain.add(added);
    if (isTree) own.addTree(copy);
    else own.add(copy);
  } else if (kind === 5) for (const group of [plain, own]) group.remove(group.children[at]);
  else if (kind < 8) for (const group of [plain, own]) place(group.children[at]);
  else if (kind === 8) for (const group of [plain, own]) place(group.children[at].children[0]);
  else if (kind === 9) for (const group of [plain, own]) group.children[at].visible = isTree;
  else if (kind === 10) for (const group of [plain, own]) group.position.set(x / 9, y / 9, z / 9);
  else if (kind === 11) for (const group of [plain, own]) group.children[at].frustumCulled = !isTree;
  else if (kind === 12) for (const group of [plain, own]) group.children[at].layers.mask = isTree ? 2 : 1;
  else if (kind === 13) own.reportMove(own.children[at]);
}

/** What makes a group need its bodies. */
const wakers: [string, (group: OctreeGroup) => unknown][] = [
  ['octree', (group) => group.octree],
  ['unculled', (group) => group.unculled],
  ['raycastFirst', (group) => group.raycastFirst(new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1)))],
  [
    'pickWithin',
    (group) => {
      const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 9, height: 9 }) };
      return pickWithin({ clientX: 0, clientY: 0 }, { clientX: 9, clientY: 9 }, camera, element, group);
    },
  ],
  ['setStatic', (group) => group.setStatic(group.children[3])],
  ['hasStaticChildren', (group) => (group.hasStaticChildren = true)],
  [
    'StaticBatches',
    (group) => {
      new StaticBatches(group).dispose();
    },
  ],
  [
    'ShadowUpdates',
    (group) => new ShadowUpdates(new Scene(), { shadowMap: { enabled: true } } as never, [group]).dispose(),
  ],
  [
    'minScreenSize',
    (group) => {
      group.minScreenSize = 1e-9;
      group.updateMatrixWorld();
    },
  ],
  [
    'an array of children that was written',
    (group) => {
      group.children.push(group.children.pop()!, Object.assign(mesh(), { parent: group }));
      group.updateMatrixWorld();
    },
  ],
  ['48 more objects', (group) => group.add(...Array.from({ length: 48 }, mesh))],
  [
    '48 more objects below a child',
    (group) => {
      group.children[0].add(...Array.from({ length: 48 }, mesh));
      group.updateMatrixWorld();
    },
  ],
];

describe('a small OctreeGroup', () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed))(
    'draws and hits what a Group does, asleep and after it woke (history %i)',
    (seed) => {
      const random = createRandom(seed);
      const [plain, own] = [new Group(), new OctreeGroup()];
      const scenes = [new Scene().add(plain), new Scene().add(own)];
      const wakesAt = seed % 2 === 0 ? Infinity : random.below(60);
      for (let k = 0; k < 60; k++) {
        for (let steps = random.below(4); steps > 0; steps--) step(random, plain, own);
        // Rays read the matrices of the last update, and no child may be younger.
        if (random.below(3) > 0) for (const scene of scenes) scene.updateMatrixWorld();
        if (k === wakesAt) void own.octree;
        if (random.below(3) === 0) continue;
        for (const scene of scenes) scene.updateMatrixWorld();
        const frustum = frustumOf(random);
        expect(drawn(own, frustum)).toEqual(drawn(plain, frustum));
        const rays = random.below(1e6);
        expect(hit(createRandom(rays), own)).toEqual(hit(createRandom(rays), plain));
        if (isAwake(own)) expect(validate(own.octree)).toEqual([]);
      }
      if (wakesAt === Infinity && own.children.length < 12) expect(isAwake(own)).toBe(false);
    },
  );

  it.each(wakers)('wakes by %s, and then draws and hits the same', (name, wake) => {
    const [plain, own] = [new Group(), new OctreeGroup()].map((group) => {
      for (let k = 0; k < 6; k++) group.add(cube(3 * k));
      group.position.y = 2;
      new Scene().add(group).updateMatrixWorld();
      // Moved since the update: rays find it at its last place.
      group.children[0].position.x = 40;
      return group;
    }) as [Group, OctreeGroup];
    expect(isAwake(own)).toBe(false);
    wake(own);
    expect(isAwake(own)).toBe(true);
    const along = new Raycaster(new Vector3(-9, 2.1, 0.2), new Vector3(1, 0, 0));
    const names = (group: Object3D): string[] =>
      along.intersectObject(group).map(({ object, distance }) => `${object.name} ${distance}`);
    if (!name.includes('object') && !name.includes('array') && name !== 'minScreenSize') {
      expect(names(own)).toEqual(names(plain));
    }
    for (const group of [plain, own]) group.parent!.updateMatrixWorld();
    const frustum = frustumOf(createRandom(1));
    expect(drawn(own, frustum).filter((text) => text.startsWith('cube'))).toEqual(drawn(plain, frustum));
    for (const object of own.children.slice(1, 6))
      expect(own.octree.intersectBox(boundsOf(object) as Box3).some(({ body }) => body.data === object)).toBe(true);
  });

  it('does not wake by what a plain Group can do', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const tree = new Group().add(cube(1), cube(2));
    const scene = new Scene().add(group);
    group.add(cube(0)).addTree(tree, { isStatic: true });
    scene.updateMatrixWorld();
    drawn(scene, frustumOf(createRandom(2)));
    const along = new Raycaster(new Vector3(-9, 0.1, 0.2), new Vector3(1, 0, 0));
    along.intersectObjects([group], false);
    expect(along.intersectObject(scene).length).toBe(group.raycastAll(along).length);
    group.reportMove(tree.children[0]).setStatic(tree).isStatic(tree);
    group.traverse(() => {});
    group.remove(group.children[0]);
    expect([group, group.clone()].map(isAwake)).toEqual([false, false]);
    group.clear();
    expect(isAwake(group)).toBe(false);
  });

  it('refuses objects of other groups as when it is awake', () => {
    const group = new OctreeGroup().add(cube(0));
    for (const object of [undefined, null, cube(1), group])
      for (const name of ['reportMove', 'setStatic', 'isStatic'] as const)
        expect(() => group[name](object as never), name).toThrow(TypeError);
    expect(isAwake(group)).toBe(false);
  });

  it('keeps what was set while it slept: trees, static children, options', () => {
    const asleep = new OctreeGroup({ hasStaticChildren: true, minCellSize: 4 });
    const [tree, closed] = [0, 1].map(() => new Group().add(cube(1), cube(9)));
    asleep.addTree(tree).add(closed);
    for (const group of [asleep.clone(), asleep]) {
      expect(isAwake(group)).toBe(false);
      expect(group.octree.size).toBe(3);
      expect(group.children.map((child) => group.isStatic(child))).toEqual([true, true]);
    }
    asleep.remove(tree).add(tree);
    expect(asleep.octree.size).toBe(2);
    expect(() => new OctreeGroup({ minCellSize: 3 })).toThrow('minCellSize');
  });

  it('forgets that a child was added as a tree once it is removed', () => {
    const group = new OctreeGroup();
    const tree = new Group().add(cube(1), cube(9));
    group.addTree(tree).remove(tree);
    expect(group.add(tree).octree.size).toBe(1);
  });

  it('takes no more memory and time for hooks than a Group until a ray or a pass needs them', () => {
    const group = new OctreeGroup().add(cube(0));
    const scene = new Scene().add(group);
    scene.updateMatrixWorld();
    const queue = vi.spyOn(Promise, 'resolve');
    for (let k = 0; k < 5; k++) drawn(scene, frustumOf(createRandom(3)));
    expect(queue.mock.calls.length).toBeLessThan(2);
    queue.mockRestore();
    const hooks = (): unknown[] => Object.values(group).filter((value) => value instanceof PassHook);
    expect(hooks()).toEqual([]);
    group.layers.test(new Layers());
    expect(group.children[0]).toHaveProperty('name', 'cube 0');
    // What is asked for its octree is awake from then on.
    void group.octree;
    drawn(scene, frustumOf(createRandom(3)));
    expect(hooks()).toHaveLength(1);
  });
});
