// What is assumed of an object or a material, by each field on which it depends.

import {
  Box3,
  Box3Helper,
  BoxGeometry,
  Group,
  InstancedMesh,
  Line,
  LOD,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  PlaneHelper,
  Plane,
  PointLight,
  Points,
  SkinnedMesh,
  Sphere,
  Sprite,
} from 'three';
import { BundleGroup, ClippingGroup } from 'three/webgpu';
import { float } from 'three/tsl';
import { expect, it } from 'vitest';
import { boundsOf } from '../../../src/three.ts';
import { fieldTraitsOf, NO_COLOR, NODES, traitsOf } from '../../../src/three/bounds/material-traits.ts';
import {
  hasStatelessLod,
  isHitWithinBounds,
  isPlainNode,
  runsUserCode,
} from '../../../src/three/bounds/object-traits.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const noop = (): void => undefined;

it.each(['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'])(
  'a mesh with %s has the sphere of three',
  (name) => {
    expect(boundsOf(new Mesh(geometry, material))).toBeInstanceOf(Box3);
    expect(boundsOf(Object.assign(new Mesh(geometry, material), { [name]: noop }))).toBeInstanceOf(Sphere);
  },
);

it('finds each node that any material may have, without a new version', () => {
  const names =
    'alphaTest ao backdropAlpha backdrop castShadow castShadowPosition color context depth emissive env fragment geometry lights mask maskShadow mrt normal opacity output position receivedShadow receivedShadowPosition vertex';
  for (const name of names.split(' ')) {
    const own = new MeshBasicMaterial();
    expect(traitsOf(own) & NODES, name).toBe(0);
    Object.assign(own, { [`${name}Node`]: float(1) });
    expect(traitsOf(own) & NODES, name).toBe(NODES);
  }
  expect([fieldTraitsOf(material), fieldTraitsOf(new MeshBasicMaterial({ colorWrite: false }))]).toEqual([0, NO_COLOR]);
});

class Follower extends Object3D {
  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
  }
}

it.each<[string, Object3D, boolean]>([
  ['a mesh', new Mesh(geometry, material), false],
  ['a skinned mesh', new SkinnedMesh(geometry, material), false],
  ['a camera', new PerspectiveCamera(), false],
  ['helpers of three', new Group().add(new Box3Helper(new Box3()), new PlaneHelper(new Plane())), false],
  ['a helper with a method of its own', Object.assign(new PlaneHelper(new Plane()), { updateMatrixWorld: noop }), true],
  ['a class with a method of its own', new Follower(), true],
  ['one of two descendants', new Group().add(new Group().add(new Group(), new Follower())), true],
])('%s may compute matrices of other objects, or not', (_, object, expected) => {
  expect(runsUserCode(object)).toBe(expected);
});

it.each<[string, Object3D, boolean]>([
  ['an Object3D', new Object3D(), true],
  ['a Group', new Group(), true],
  ['a Group with an order', Object.assign(new Group(), { renderOrder: 1 }), false],
  ['a Mesh', new Mesh(), false],
  ['a Line', new Line(), false],
  ['Points', new Points(), false],
  ['a Sprite', new Sprite(), false],
  ['a BundleGroup', new BundleGroup(), false],
  ['a ClippingGroup', new ClippingGroup(), false],
  ['a light', new PointLight(), false],
  ['one with a raycast', Object.assign(new Group(), { raycast: noop }), false],
  ['one with matrices of its own', new Follower(), false],
])('%s only holds other objects, or not', (_, object, expected) => {
  expect(isPlainNode(object)).toBe(expected);
});

const morphing = new BoxGeometry();
morphing.morphAttributes.position = [morphing.attributes.position];

it.each<[string, Object3D, boolean]>([
  ['a Mesh', new Mesh(geometry, material), true],
  ['a Sprite', new Sprite(), true],
  ['a Group', new Group(), true],
  ['an LOD', new LOD(), true],
  ['a Mesh without raycast', Object.assign(new Mesh(geometry, material), { raycast: null as never }), true],
  ['a Group without raycast', Object.assign(new Group(), { raycast: null as never }), true],
  ['a Mesh with another raycast', Object.assign(new Mesh(geometry, material), { raycast: noop }), false],
  ['a Group with another raycast', Object.assign(new Group(), { raycast: noop }), false],
  ['a Line', new Line(geometry), false],
  ['Points', new Points(geometry), false],
  ['an InstancedMesh', new InstancedMesh(geometry, material, 1), false],
  ['a Mesh with morph targets', new Mesh(morphing, material), false],
])('rays hit %s only within its bounds, or not', (_, object, expected) => {
  expect(isHitWithinBounds(object)).toBe(expected);
});

function create(hysteresis = 0): LOD {
  return new LOD().addLevel(new Mesh(geometry, material), 0).addLevel(new Mesh(geometry, material), 9, hysteresis);
}

it('knows an LOD whose level depends on earlier passes', () => {
  const elsewhere = create();
  elsewhere.levels[1].object.layers.set(2);
  const moved = create();
  new Group().add(moved.levels[0].object);
  const own = Object.assign(create(), { update: noop });
  expect([create(), create(0.1), elsewhere, moved, own].map(hasStatelessLod)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
