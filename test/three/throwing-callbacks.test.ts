// User code that throws inside a frame, a ray or a pick: afterwards the next frame and the next pick are those of a
// twin in which nothing was thrown. Each place where a container runs user code is a row; each of its calls throws
// once; in `npm test` one in each kind of step.

import {
  BoxGeometry,
  Color,
  Frustum,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LOD,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
  type Intersection,
  type Object3D,
} from 'three';
import { expect, it, vi } from 'vitest';
import type { ReadOnlyOctree } from '../../src/three-math/octree.ts';
import { OctreeGroup, OctreeInstances, pick, pickWithin, type Pickable } from '../../src/three.ts';
import { validate } from '../../src/debug/index.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { FakeRenderer } from '../support/change-towns.ts';
import { followedByAll } from '../support/followed-by-all.ts';
import { at } from '../support/instance-passes.ts';
import { frustumOf, projectPass, shadowPass, stripeCamera, type Drawn } from '../support/pass-lists.ts';
import { sampleOf } from '../support/sampled.ts';

/** The error of the user's code. */
const THROWN = new Error('user code');
const COUNT = 9;
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };

/** Counts calls of user code, and throws in one of them. */
class Trap {
  calls = 0;
  /** Number of the call that throws; 0 for none. */
  throwsAt = 0;

  call(): void {
    if (++this.calls === this.throwsAt) throw THROWN;
  }

  /** Makes a method of an object count. */
  method<K extends string>(object: Partial<Record<K, unknown>>, name: K): void {
    const original = object[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value: (...args: unknown[]): unknown => {
        this.call();
        return Reflect.apply(original, object, args);
      },
    });
  }

  /** Makes a field of an object an accessor that counts its reads. */
  field(object: object, name: string): void {
    let value: unknown = Reflect.get(object, name);
    Object.defineProperty(object, name, {
      configurable: true,
      enumerable: true,
      get: (): unknown => {
        this.call();
        return value;
      },
      set: (next: unknown) => {
        value = next;
      },
    });
  }
}

/** A scene with one container, seen from a camera, with a light. */
class World<C extends OctreeGroup | OctreeInstances = OctreeGroup | OctreeInstances> {
  readonly scene = new Scene();
  readonly renderer = new FakeRenderer();
  readonly camera = new PerspectiveCamera(60, 1, 0.1, 500);
  readonly light = stripeCamera(-20, 90);
  readonly raycaster = new Raycaster(new Vector3(-50, 0.1, 0.1), new Vector3(1, 0, 0));
  readonly trap = new Trap();
  readonly geometry = new BoxGeometry();
  readonly material = new MeshBasicMaterial();
  container: C;
  filter = (_object: Object3D, _id: number | undefined, { distance }: Intersection): boolean => distance > 55;

  constructor(create: (world: World<C>) => C) {
    this.container = create(this);
    this.container.name = 'container';
    this.scene.add(this.container);
    this.camera.position.set(10, 3, 60);
    this.camera.lookAt(40, 0, 0);
  }

  /** A frame of a renderer with a shadow map. Returns what it draws. */
  frame(): string {
    const { scene, camera, light } = this;
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    callOn(scene, 'onBeforeRender', this.renderer, scene, camera, null);
    const shadow = shadowPass(scene, camera.layers, frustumOf(light));
    for (const { object } of shadow) callOn(object, 'onBeforeShadow');
    const drawn = projectPass(scene, camera, new Frustum().copy(frustumOf(camera)));
    for (const { object } of drawn) {
      callOn(object, 'onBeforeRender');
      callOn(object, 'onAfterRender');
    }
    return `${shadow.map(textOf).join()} | ${drawn.map(textOf).join()}`;
  }

  ray(): string {
    return textOfHits(this.raycaster.intersectObject(this.scene));
  }

  first(): string {
    const container = this.container as Pickable;
    const hit = container.raycastFirst(this.raycaster, { filter: (...args) => this.filter(...args) });
    return textOfHits(hit === null ? [] : [hit]);
  }

  pick(): string {
    const hit = pick({ clientX: 50, clientY: 50 }, this.camera, element, this.container);
    return textOfHits(hit === null ? [] : [hit]);
  }

  within(): string {
    const [from, to] = [10, 60].map((clientX) => ({ clientX, clientY: clientX }));
    const picked = pickWithin(from, to, this.camera, element, this.container);
    return picked.map(({ object, instanceId }) => `${object.name} ${instanceId}`).join();
  }

  /** What a user reads: of the octree, and of instances their bounds. */
  query(): string {
    const { container } = this;
    const box = { min: { x: -5, y: -9, z: -9 }, max: { x: 55, y: 9, z: 9 } };
    const { length } = container.octree.intersectBox(box);
    if (!(container instanceof OctreeInstances)) return String(length);
    const { boundingBox, boundingSphere } = container;
    return [boundingBox.min, boundingBox.max, boundingSphere.center].map((point) => point.toArray().join()).join(' ');
  }

  /** All that a user sees of the container. */
  all(): string {
    const texts = [this.frame(), this.ray(), this.first(), this.pick(), this.within(), this.query()];
    const { children } = this.container;
    expect(children.every(({ parent }) => parent === this.container)).toBe(true);
    expect(validate(this.container.octree as ReadOnlyOctree<Object3D>)).toEqual([]);
    return texts.join('\n');
  }
}

function callOn(
  object: Object3D,
  name: 'onBeforeRender' | 'onAfterRender' | 'onBeforeShadow',
  ...args: unknown[]
): void {
  Reflect.apply(object[name] as (...args: unknown[]) => void, object, args);
}

/** What is drawn: of instances their places and colours, by slot. */
function textOf({ object }: Drawn): string {
  if (!(object instanceof InstancedMesh)) return object.name;
  const { instanceMatrix, instanceColor, count, geometry } = object;
  const tint = geometry.attributes.tint as InstancedBufferAttribute | undefined;
  return Array.from(
    { length: count },
    (_, slot) =>
      `${instanceMatrix.array[16 * slot + 12]}/${instanceColor?.getX(slot) ?? '-'}/${tint?.getX(slot) ?? '-'}`,
  ).join(' ');
}

function textOfHits(hits: readonly Intersection[]): string {
  return hits.map(({ object, instanceId, distance }) => `${object.name} ${instanceId} ${distance}`).join();
}

function createGroup({ geometry, material }: World<OctreeGroup>): OctreeGroup {
  const group = new OctreeGroup();
  for (let k = 0; k < COUNT; k++) {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = true;
    mesh.position.x = 10 * k;
    mesh.name = `mesh ${k}`;
    if (k === 3) mesh.add(Object.assign(new Mesh(geometry, material), { name: 'child' }));
    group.add(mesh);
  }
  group.add(Object.assign(new LOD().addLevel(new Mesh(geometry, material), 0), { name: 'levels' }));
  // Wakes it.
  void group.octree;
  return group;
}

function createInstances({ material, geometry }: World<OctreeInstances>): OctreeInstances {
  geometry.setAttribute(
    'tint',
    new InstancedBufferAttribute(
      Float32Array.from({ length: 40 }, (_, k) => k),
      1,
    ),
  );
  const instances = new OctreeInstances(geometry, material, COUNT);
  for (let id = 0; id < COUNT; id++) instances.setMatrixAt(id, at(10 * id)).setColorAt(id, new Color(id, 0, 0));
  instances.castShadow = true;
  instances.addLevel(new BoxGeometry(2, 2, 2), 90, 0.1);
  return instances;
}

/** What changes between two frames of a group or of instances: both twins do the same. */
function change({ container, geometry, material, camera }: World, step: number): void {
  camera.position.x += 7;
  if (step === 1) {
    geometry.attributes.position.needsUpdate = true;
    geometry.boundingSphere = null;
  }
  if (container instanceof OctreeInstances) {
    container.setMatrixAt(step, at(5 + step)).setColorAt(step + 1, new Color(50 + step, 0, 0));
    container.addInstance(at(15 * step, 1));
    container.deleteInstance(step + 4);
    const tint = geometry.attributes.tint as InstancedBufferAttribute;
    tint.setX(step + 2, 100 + step).needsUpdate = true;
    return;
  }
  const { children } = container;
  children[step].position.x += 25;
  container.remove(children[step + 4]);
  container.add(Object.assign(new Mesh(geometry, material), { name: `new ${step}` }));
}

type Place<C extends OctreeGroup | OctreeInstances> = (world: World<C>) => void;
const meshOf = ({ container }: World<OctreeGroup>, k: number): Mesh => container.children[k] as Mesh;

/** Where user code runs in both containers. */
const SHARED: Record<string, Place<OctreeGroup | OctreeInstances>> = {
  'scene.onBeforeRender': ({ trap, scene }) => trap.method(scene, 'onBeforeRender'),
  'the filter of a pick': (world) => world.trap.method(world, 'filter'),
  'geometry.computeBoundingSphere': ({ trap, geometry }) => {
    trap.method(geometry, 'computeBoundingSphere');
    geometry.boundingSphere = null;
  },
  'geometry.boundingSphere': ({ trap, geometry }) => trap.field(geometry, 'boundingSphere'),
  'geometry.attributes': ({ trap, geometry }) => trap.field(geometry, 'attributes'),
  'geometry.drawRange': ({ trap, geometry }) => trap.field(geometry, 'drawRange'),
  'version of the positions': ({ trap, geometry }) => trap.field(geometry.attributes.position, 'version'),
  'array of the positions': ({ trap, geometry }) => trap.field(geometry.attributes.position, 'array'),
  'camera.matrixWorldInverse': ({ trap, camera }) => trap.field(camera, 'matrixWorldInverse'),
  'camera.projectionMatrix': ({ trap, camera }) => trap.field(camera, 'projectionMatrix'),
  'camera.layers': ({ trap, camera }) => trap.field(camera, 'layers'),
  'camera.matrixWorld': ({ trap, camera }) => trap.field(camera, 'matrixWorld'),
  'raycaster.far': ({ trap, raycaster }) => trap.field(raycaster, 'far'),
  'raycaster.ray': ({ trap, raycaster }) => trap.field(raycaster, 'ray'),
  'container.visible': ({ trap, container }) => trap.field(container, 'visible'),
  'container.updateMatrix': ({ trap, container }) => trap.method(container, 'updateMatrix'),
  'material.visible': ({ trap, material }) => trap.field(material, 'visible'),
  'material.side': ({ trap, material }) => trap.field(material, 'side'),
};

const OF_GROUPS: Record<string, Place<OctreeGroup>> = {
  ...SHARED,
  'raycast of a mesh': (world) => world.trap.method(meshOf(world, 2), 'raycast'),
  'intersectsFrustum of a mesh': (world) => world.trap.method(meshOf(world, 2), 'intersectsFrustum'),
  'onBeforeRender of a mesh': (world) => world.trap.method(meshOf(world, 2), 'onBeforeRender'),
  'onAfterRender of a mesh': (world) => world.trap.method(meshOf(world, 2), 'onAfterRender'),
  'onBeforeShadow of a mesh': (world) => world.trap.method(meshOf(world, 2), 'onBeforeShadow'),
  'updateMatrixWorld of a mesh': (world) => world.trap.method(meshOf(world, 2), 'updateMatrixWorld'),
  'updateMatrix of a mesh': (world) => world.trap.method(meshOf(world, 1), 'updateMatrix'),
  'updateMatrixWorld of a mesh in a mesh': (world) =>
    world.trap.method(meshOf(world, 3).children[0], 'updateMatrixWorld'),
  'update of levels of detail': (world) => world.trap.method(world.container.children.at(-1) as LOD, 'update'),
  ...Object.fromEntries(
    ['geometry', 'material', 'matrixWorld', 'layers', 'visible', 'castShadow', 'children'].map((name) => [
      `${name} of a mesh`,
      (world: World<OctreeGroup>) => world.trap.field(meshOf(world, 2), name),
    ]),
  ),
};

const OF_INSTANCES: Record<string, Place<OctreeInstances>> = {
  ...SHARED,
  'camera.zoom': ({ trap, camera }) => trap.field(camera, 'zoom'),
  ...Object.fromEntries(
    ['transparent', 'depthWrite', 'depthTest', 'blending', 'alphaTest', 'version'].map((name) => [
      `material.${name}`,
      ({ trap, material }: World<OctreeInstances>) => trap.field(material, name),
    ]),
  ),
  'array of an instanced attribute': ({ trap, geometry }) => trap.field(geometry.attributes.tint, 'array'),
  'count of an instanced attribute': ({ trap, geometry }) => trap.field(geometry.attributes.tint, 'count'),
  'version of an instanced attribute': ({ trap, geometry }) => trap.field(geometry.attributes.tint, 'version'),
  'update ranges of an instanced attribute': ({ trap, geometry }) =>
    trap.field(geometry.attributes.tint, 'updateRanges'),
  'updateMatrixWorld of a child': ({ trap, container }) => {
    const child = new Mesh();
    container.add(child);
    trap.method(child, 'updateMatrixWorld');
  },
  ...Object.fromEntries(
    (['onBeforeRender', 'onAfterRender', 'onBeforeShadow'] as const).map((name) => [
      name,
      ({ trap, container }: World<OctreeInstances>) => trap.method(container, name),
    ]),
  ),
  ...Object.fromEntries(
    [
      'frustumCulled',
      'geometry',
      'material',
      'sortObjects',
      'drawsInOrder',
      'providesInstanceId',
      'cullingCamera',
      'shadowLevel',
      'morphTargetInfluences',
      'customDepthMaterial',
      'castShadow',
      'receiveShadow',
      'renderOrder',
      'userData',
    ].map((name) => [`container.${name}`, ({ trap, container }: World) => trap.field(container, name)]),
  ),
};

const STEPS = ['frame', 'ray', 'first', 'pick', 'within', 'query'] as const;
/** Number of the next step of a place, by which another one of its calls throws. */
let row = 0;

/** Makes a call in which something fails. Returns how often it could fail. */
type Attempt = (world: World, call: () => unknown) => number;

/** The call of user code with this number throws; 0: none. */
const throwingAt =
  (n: number): Attempt =>
  ({ trap }, call) => {
    trap.calls = 0;
    trap.throwsAt = n;
    try {
      call();
    } catch (error) {
      if (error !== THROWN) throw error;
    }
    trap.throwsAt = 0;
    return trap.calls;
  };

/** The allocation with this number fails; 0: none. */
const withoutMemoryAt =
  (n: number): Attempt =>
  (_, call) => {
    const { allocations, error } = withFault(n, call);
    if (error !== undefined && !(error instanceof MemoryFault)) throw error;
    return allocations;
  };

/**
 * Runs one step in which something may fail. Returns how often it could, and what a user sees afterwards, unless it
 * could not.
 */
function run<C extends OctreeGroup | OctreeInstances>(
  create: (world: World<C>) => C,
  place: Place<C>,
  step: (typeof STEPS)[number],
  attempt: Attempt,
): { readonly calls: number; readonly text: string } {
  const world = new World(create);
  const { geometry } = world;
  place(world);
  world.frame();
  change(world, 0);
  world.frame();
  change(world, 1);
  const calls = attempt(world, () => world[step]());
  if (calls === 0) return { calls, text: '' };
  // The bounds of three are half computed after an error in it, in a plain scene too.
  geometry.boundingSphere = geometry.boundingBox = null;
  const before = world.all();
  change(world, 2);
  return { calls, text: `${before}\n\n${world.frame()}\n${world.pick()}` };
}

/** @param stepOf Of how many possible failures of a step one is tried in `npm test`. */
function check<C extends OctreeGroup | OctreeInstances>(
  create: (world: World<C>) => C,
  place: Place<C>,
  failingAt: (n: number) => Attempt = throwingAt,
  stepOf: (calls: number) => number = (calls) => calls,
): void {
  let count = 0;
  for (const step of STEPS) {
    const { calls, text } = run(create, place, step, failingAt(0));
    count += calls;
    for (const n of sampleOf(calls, stepOf(calls), row++))
      expect(`call ${n} of ${calls} in ${step}:\n${run(create, place, step, failingAt(n)).text}`).toBe(
        `call ${n} of ${calls} in ${step}:\n${text}`,
      );
  }
  expect(count).toBeGreaterThan(0);
}

it.each(Object.entries(OF_GROUPS))('OctreeGroup after an error in %s', (_, place) => check(createGroup, place));
it.each(Object.entries(OF_INSTANCES))('OctreeInstances after an error in %s', (_, place) =>
  check(createInstances, place),
);

/** Static children, which all features follow. */
function createFollowed(world: World<OctreeGroup>): OctreeGroup {
  const group = createGroup(world);
  group.hasStaticChildren = true;
  world.scene.add(group);
  world.scene.updateMatrixWorld();
  const { camera, renderer, scene } = world;
  const changes = followedByAll(scene, group, camera, renderer);
  const frame = world.frame.bind(world);
  world.frame = () => {
    // After an error it may be drawn once more than necessary.
    changes.changedIn(camera);
    return frame();
  };
  return group;
}

const unchanged = (): void => undefined;

it.each([
  ['OctreeGroup', createGroup],
  ['OctreeInstances', createInstances],
  ['OctreeGroup with all features', createFollowed],
] as const)('%s after an allocation that has failed', { timeout: 120_000 }, (_, create) => {
  // A pass without bounds draws all, and says so.
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  // The first run allocates what all share.
  run(create as never, unchanged, 'frame', withoutMemoryAt(0));
  check(create as never, unchanged, withoutMemoryAt, () => 8);
  warn.mockRestore();
});

it.each(['add', 'remove', 'clear', 'attach'] as const)(
  'OctreeGroup after an error of an event in %s draws and picks the children that a plain Group has',
  (method) => {
    for (let throwsAt = 1; throwsAt <= 3; throwsAt++) {
      const [world, plain] = [createGroup, () => new Group() as never].map((create) => {
        const each = new World<OctreeGroup>(create);
        const { container, trap, geometry, material } = each;
        if (container.children.length === 0) container.add(...createGroup(each).children);
        each.frame();
        for (const type of ['childadded', 'childremoved'] as const) container.addEventListener(type, () => trap.call());
        const added = [1, 2, 3].map((k) => Object.assign(new Mesh(geometry, material), { name: `added ${k}` }));
        added.forEach((mesh, k) => mesh.position.set(5 + 10 * k, 0, 0));
        trap.throwsAt = throwsAt;
        const parts = container.children.slice(2, 5);
        try {
          if (method === 'add') container.add(...added);
          else if (method === 'remove') container.remove(...parts);
          else if (method === 'clear') container.clear();
          else for (const mesh of added) container.attach(mesh);
        } catch (error) {
          if (error !== THROWN) throw error;
        }
        trap.throwsAt = 0;
        return each;
      });
      const names = (each: World): string => each.container.children.map(({ name }) => name).join();
      expect(names(world)).toBe(names(plain));
      expect(world.frame()).toBe(plain.frame());
      expect(world.ray()).toBe(plain.ray());
      expect(validate(world.container.octree)).toEqual([]);
    }
  },
);
