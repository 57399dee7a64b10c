import {
  BatchedMesh,
  Bone,
  BufferAttribute,
  Frustum,
  Group,
  InstancedMesh,
  LOD,
  Matrix4,
  Mesh,
  Object3D,
  PerspectiveCamera,
  PointLight,
  Skeleton,
  SkinnedMesh,
  Sphere,
  SphereGeometry,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { chooseLevels } from '../../../src/three/group/traversal-effects.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube, geometry, material, passOver, slab } from '../../support/three-passes.ts';
import { createObject, place } from '../../support/three-scenes.ts';
import { validate } from '../../../src/debug/index.ts';
import { hasVertexIn } from '../../support/pass-lists.ts';

/** A group with one child at x = 500, far outside the frustum. */
function groupOf(child: Object3D): { group: OctreeGroup; isShown: () => boolean } {
  const group = new OctreeGroup().add(child.translateX(500));
  group.updateMatrixWorld();
  const isShown = (): boolean => {
    group.updateMatrixWorld();
    return passOver(group, slab(1)).length > 0;
  };
  return { group, isShown };
}

describe('a child with children', () => {
  it('is drawn as soon as a part is moved or added into the frustum, gets another geometry, or must not be culled', () => {
    const changes: ((car: Group, axle: Object3D, wheel: Mesh) => void)[] = [
      (car) => (car.position.x = 0),
      (_, axle) => (axle.position.x = -500),
      (_, __, wheel) => (wheel.scale.x = 1100),
      (_, __, wheel) => ((wheel.matrixAutoUpdate = false), wheel.matrix.makeTranslation(-500, 0, 0)),
      (_, __, wheel) => ((wheel.matrixWorldAutoUpdate = false), wheel.matrixWorld.identity()),
      (_, axle) => axle.add(cube(-500)),
      (_, axle, wheel) => axle.remove(wheel).add(cube(-500)),
      (_, axle, wheel) => axle.add(cube(-500).add(wheel)),
      (_, axle) => axle.add(new PointLight()),
      (_, __, wheel) => (wheel.frustumCulled = false),
      (_, __, wheel) => (wheel.geometry = new SphereGeometry(600)),
    ];
    for (const [k, change] of changes.entries()) {
      const wheel = cube(1);
      const axle = new Object3D().add(wheel);
      const car = new Group().add(cube(0), axle);
      const { group, isShown } = groupOf(car);
      expect(isShown()).toBe(false);
      change(car, axle, wheel);
      expect(isShown(), `change ${k}`).toBe(true);
      expect(validate(group.octree)).toEqual([]);
    }
  });

  it('has bounds by its local transform again, once matrixAutoUpdate is set again', () => {
    const wheel = cube(1);
    const { isShown } = groupOf(new Group().add(cube(0), wheel));
    wheel.matrixAutoUpdate = false;
    wheel.position.x = -500;
    expect([isShown(), isShown()]).toEqual([false, false]);
    wheel.matrixAutoUpdate = true;
    expect(isShown()).toBe(true);
  });

  it('is culled again when the change is undone', () => {
    const light = new PointLight();
    const car = new Group().add(cube(0));
    const { isShown } = groupOf(car);
    car.add(light);
    expect(isShown()).toBe(true);
    car.remove(light);
    expect([1, 2].map(isShown)).toContain(false);
  });

  it('gets no new bounds while the group moves as a whole', () => {
    const { group, isShown } = groupOf(new Group().add(cube(0), new Group().add(cube(1))));
    const before = group.octree.bodyAt(0).getBox();
    group.position.x = -499;
    expect(isShown()).toBe(true);
    group.position.x = 10;
    expect(isShown()).toBe(false);
    group.position.x = 0;
    group.updateMatrixWorld();
    expect(group.octree.bodyAt(0).getBox()).toEqual(before);
  });

  it('is never missing, whatever moves in it, in random scenes through random cameras', () => {
    const random = createRandom(1);
    const group = new OctreeGroup();
    for (let k = 0; k < 60; k++) group.add(randomTree(random, 3));
    let [drawn, left] = [0, 0];
    for (let k = 0; k < 150; k++) {
      const child = random.pick(group.children);
      const nodes: Object3D[] = [];
      child.traverse((node) => nodes.push(node));
      const node = random.pick(nodes);
      if (k % 5 === 0) node.add(randomTree(random, 1));
      else if (k % 7 === 0 && node !== child) node.removeFromParent();
      else place(node, random, 40);
      group.updateMatrixWorld();
      const frustum = randomFrustum(random);
      const inside = new Set<Object3D>();
      group.traverse((part) => part instanceof Mesh && hasVertexIn(frustum, part) && inside.add(childOf(part, group)));
      const seen = new Set(passOver(group, frustum));
      expect([...inside].filter((object) => !seen.has(object))).toEqual([]);
      drawn += inside.size;
      left += group.children.length - seen.size;
    }
    expect(drawn).toBeGreaterThan(300);
    expect(left).toBeGreaterThan(2_000);
  });
});

function randomTree(random: Random, depth: number): Object3D {
  const object = createObject(random.pick([0, 1, 2, 3, 9, 10]), material);
  place(object, random, depth === 3 ? 60 : 5);
  for (let k = random.below(depth); k > 0; k--) object.add(randomTree(random, depth - 1));
  return object;
}

function randomFrustum(random: Random): Frustum {
  const camera = new PerspectiveCamera(random.between(20, 70), 1, 0.1, random.between(30, 120));
  place(camera, random, 60);
  camera.scale.setScalar(1);
  camera.updateMatrixWorld();
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
}

function childOf(object: Object3D, group: Object3D): Object3D {
  let child = object;
  while (child.parent !== group) child = child.parent!;
  return child;
}

function skinned(): SkinnedMesh {
  const skin = new SkinnedMesh(geometry.clone(), material);
  const { count } = skin.geometry.attributes.position;
  skin.geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * count), 4));
  skin.geometry.setAttribute('skinWeight', new BufferAttribute(new Float32Array(4 * count).fill(0.25), 4));
  const bone = new Bone();
  skin.add(bone).bind(new Skeleton([bone]));
  return skin;
}

const createLod = (): LOD => new LOD().addLevel(cube(0), 0).addLevel(cube(1), 20);

describe('a child with a sphere of its own', () => {
  it.each([
    ['instances', () => new InstancedMesh(geometry, material, 1)],
    ['a skin', skinned],
  ] as [string, () => InstancedMesh | SkinnedMesh][])(
    'is drawn in every pass until three has computed the sphere, and then in passes that it touches: %s',
    (_, create) => {
      for (const isStatic of [false, true]) {
        const child = create();
        if (child instanceof InstancedMesh) child.setMatrixAt(0, new Matrix4());
        const { group, isShown } = groupOf(child);
        group.setStatic(child, isStatic);
        expect(isShown()).toBe(true);
        // As three does when it culls it first.
        child.computeBoundingSphere();
        expect([1, 2, 3, 4].map(isShown)).toContain(false);
        if (isStatic) group.reportMove(child);
        child.boundingSphere = new Sphere(new Vector3(-500, 0, 0), 1);
        expect(isShown()).toBe(true);
      }
    },
  );

  it.each(['child', 'part', 'part of an opened tree'])(
    'is drawn always when its sphere is set to null, and culled by the sphere that three computes: a %s',
    (where) => {
      for (const create of [
        (): InstancedMesh => new InstancedMesh(geometry, material, 1),
        skinned,
        (): BatchedMesh => new BatchedMesh(1, 24, 36, material),
      ]) {
        const object = create();
        if (object instanceof BatchedMesh) object.addInstance(object.addGeometry(geometry));
        if (object instanceof InstancedMesh) object.setMatrixAt(0, new Matrix4());
        object.computeBoundingSphere();
        const root = where === 'child' ? object : new Group().add(cube(0), object);
        const { group, isShown } = groupOf(root);
        if (where === 'part of an opened tree') group.addTree(root);
        expect([1, 2].map(isShown)).toEqual([false, false]);
        for (let k = 0; k < 3; k++) {
          object.boundingSphere = null;
          expect(isShown()).toBe(true);
          // three computes it in the next pass, with the instances or the pose of that moment.
          expect(object.boundingSphere).toBe(null);
          object.computeBoundingSphere();
          expect(isShown()).toBe(false);
        }
      }
    },
  );
});

describe('levels of detail', () => {
  it('are chosen for a shadow as in the pass of the camera: by its distance, on its layers, for visible objects with autoUpdate', () => {
    const camera = new PerspectiveCamera();
    camera.position.x = 50;
    camera.updateMatrixWorld();
    const [near, far, otherLayer, hidden, byHand] = Array.from({ length: 5 }, createLod);
    near.position.x = 40;
    otherLayer.layers.set(3);
    hidden.visible = false;
    byHand.autoUpdate = false;
    const root = new Group().add(near, new Group().add(far), otherLayer, hidden, byHand);
    root.updateMatrixWorld();
    chooseLevels(root, camera);
    const shown = root.children.map((child) =>
      (child === far.parent ? far : child).children.map(({ visible }) => visible),
    );
    expect(shown).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  it('are drawn in every pass if they are on a layer that their LOD is not on, because only passes on the layers of the LOD choose levels', () => {
    const lod = createLod();
    const { isShown } = groupOf(lod);
    expect(isShown()).toBe(false);
    lod.levels[1].object.layers.enable(2);
    expect(isShown()).toBe(true);
  });

  it('with a hysteresis, set at any time, are drawn in every pass', () => {
    const lod = createLod();
    const { isShown } = groupOf(new Group().add(lod));
    expect(isShown()).toBe(false);
    lod.levels[1].hysteresis = 0.1;
    expect(isShown()).toBe(true);
  });
});
