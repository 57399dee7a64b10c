/**
 * Proxies as `reactive` of Vue makes them: they wrap every object that they return. Objects are known by identity, so
 * every public method that takes one names the proxy and the remedy, before anything changes.
 */

import { BoxGeometry, Group, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, type WebGLRenderer } from 'three';
import { expect, it } from 'vitest';
import {
  OcclusionCulling,
  OctreeGroup,
  OctreeInstances,
  OctreeTiles,
  TileOcclusion,
  ObjectStyles,
  PoseBounds,
  ShadowUpdates,
  StaticBatches,
  ViewChanges,
} from '../../src/three.ts';

const proxies = new WeakMap<object, object>();

/** @param hasRaw Whether the proxy gives its object away, as in Vue; otherwise as in any other framework. */
function reactive<T extends object>(object: T, hasRaw: boolean): T {
  const known = proxies.get(object);
  if (known !== undefined && hasRaw) return known as T;
  const proxy = new Proxy(object, {
    get(target, key, receiver): unknown {
      if (hasRaw && key === '__v_raw') return target;
      const value: unknown = Reflect.get(target, key, receiver);
      return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
        ? reactive(value, hasRaw)
        : value;
    },
  });
  if (hasRaw) proxies.set(object, proxy);
  return proxy;
}

/** As much of a renderer as the constructors look at. */
const renderer = { shadowMap: {}, getDrawingBufferSize() {} } as unknown as WebGLRenderer;

interface Parts {
  readonly group: OctreeGroup;
  readonly child: Mesh;
  readonly deep: Mesh;
  readonly camera: PerspectiveCamera;
  readonly scene: Scene;
  readonly culling: OcclusionCulling;
  readonly instances: OctreeInstances;
}

function mesh(): Mesh {
  return new Mesh(new BoxGeometry(), new MeshBasicMaterial());
}

function parts(): Parts {
  const [group, child, deep, camera, scene] = [new OctreeGroup(), mesh(), mesh(), new PerspectiveCamera(), new Scene()];
  scene.add(group.add(child, new Group().add(deep)));
  scene.updateMatrixWorld();
  const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial());
  return { group, child, deep, camera, scene, culling: new OcclusionCulling(group, camera), instances };
}

/** Every call with an object, and the name of the argument in its error. `wrap` makes the proxy. */
const CALLS: readonly (readonly [string, string, (all: Parts, wrap: <T extends object>(object: T) => T) => unknown])[] =
  [
    ['OctreeGroup.reportMove', 'the object', ({ group, child }, wrap) => group.reportMove(wrap(child))],
    ['OctreeGroup.reportMove', 'the object', ({ group, deep }, wrap) => group.reportMove(wrap(deep))],
    ['OctreeGroup.reportMove', 'the group', ({ group, child }, wrap) => wrap(group).reportMove(child)],
    ['OctreeGroup.setStatic', 'the object', ({ group, child }, wrap) => group.setStatic(wrap(child))],
    ['OctreeGroup.setStatic', 'the group', ({ group, child }, wrap) => wrap(group).setStatic(child)],
    ['OctreeGroup.isStatic', 'the object', ({ group, child }, wrap) => group.isStatic(wrap(child))],
    ['OctreeGroup.addTree', 'the object', ({ group, deep }, wrap) => group.addTree(wrap(deep.parent!))],
    ['OctreeGroup.addTree', 'the group', ({ group, deep }, wrap) => wrap(group).addTree(deep.parent!)],
    ['StaticBatches', 'group', ({ group }, wrap) => new StaticBatches(wrap(group))],
    ['ObjectStyles', 'group', ({ group }, wrap) => new ObjectStyles(wrap(group))],
    ['ObjectStyles.isolate', 'an object', ({ group, child }, wrap) => new ObjectStyles(group).isolate([wrap(child)])],
    ['OctreeTiles', 'group', ({ group }, wrap) => new OctreeTiles(wrap(group))],
    [
      'TileOcclusion',
      'plugin',
      ({ camera }, wrap) => new TileOcclusion(wrap(new OctreeTiles(new OctreeGroup())), camera),
    ],
    [
      'TileOcclusion',
      'camera',
      ({ camera }, wrap) => new TileOcclusion(new OctreeTiles(new OctreeGroup()), wrap(camera)),
    ],
    ['PoseBounds', 'group', ({ group }, wrap) => new PoseBounds(wrap(group))],
    ['OcclusionCulling', 'container', ({ camera }, wrap) => new OcclusionCulling(wrap(new OctreeGroup()), camera)],
    ['OcclusionCulling', 'container', ({ instances, camera }, wrap) => new OcclusionCulling(wrap(instances), camera)],
    ['OcclusionCulling', 'camera', ({ camera }, wrap) => new OcclusionCulling(new OctreeGroup(), wrap(camera))],
    ['OcclusionCulling.camera', 'camera', ({ culling, camera }, wrap) => (culling.camera = wrap(camera))],
    ['OcclusionCulling.setOccluder', 'target', ({ culling, child }, wrap) => culling.setOccluder(wrap(child), true)],
    ['ViewChanges', 'scene', ({ scene }, wrap) => new ViewChanges(wrap(scene), renderer)],
    ['ViewChanges', 'containers', ({ scene, group }, wrap) => new ViewChanges(scene, renderer, [wrap(group)])],
    ['ShadowUpdates', 'scene', ({ scene }, wrap) => new ShadowUpdates(wrap(scene), renderer)],
    [
      'ViewChanges.setStill',
      'object',
      ({ scene, deep }, wrap) => new ViewChanges(scene, renderer).setStill(wrap(deep)),
    ],
    [
      'ViewChanges.changedIn',
      'camera',
      ({ scene, camera }, wrap) => new ViewChanges(scene, renderer).changedIn(wrap(camera)),
    ],
  ];

it.each(CALLS)('%s with a proxy as %s is an error that names it and the remedy', (where, field, call) => {
  for (const hasRaw of [true, false]) {
    const all = parts();
    const before = [...all.group.children];
    expect(() => call(all, (object) => reactive(object, hasRaw))).toThrow(
      `${where}: ${field} must be the object itself, but is a proxy of it, as reactive() of Vue makes; pass toRaw(object), and keep it in a shallowRef or as markRaw(object).`,
    );
    expect(all.group.children).toEqual(before);
    expect(() => call(all, (object) => object)).not.toThrow(/proxy/);
  }
});

it('a proxy of a geometry is named where geometries are arguments, if it gives its object away', () => {
  const { culling, child } = parts();
  expect(() => culling.setOccluder(reactive(child.geometry, true), true)).toThrow(/target must be the object itself/);
});
