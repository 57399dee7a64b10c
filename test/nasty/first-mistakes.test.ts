/** Mistakes of a first hour with the library. Each ends in a sentence that says what to do instead. */

import {
  Box3,
  BoxGeometry,
  Frustum,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  Scene,
  Sphere,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { describe, expect, it } from 'vitest';
import { Capsule, castRays, castSphere, intersect, nearest, Octree, RayRange } from '../../src/index.ts';
import { OctreeGroup, OctreeInstances, ShadowUpdates, StaticBatches, ViewChanges } from '../../src/three.ts';

const octree = new Octree<string>();
const box = new Box3(new Vector3(), new Vector3(1, 1, 1));
const sphere = new Sphere(new Vector3(), 1);
const raycaster = new Raycaster();
const group = new OctreeGroup();
const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
const instances = new OctreeInstances(mesh.geometry, mesh.material, 3);
const renderer = { shadowMap: {}, getDrawingBufferSize() {} } as unknown as WebGLRenderer;
const other = (value: unknown): never => value as never;

const VOLUMES = 'for a Box3 use intersectBox.';
const POINT = 'must be a number, but is undefined; pass a Vector3 or {x, y, z}.';
const INSTANCES = 'pass new InstanceChanges(instances).';

describe('a first mistake says what to do instead', () => {
  it.each<[mistake: string, call: () => unknown, sentence: string]>([
    ['a group as octree', () => castSphere(other(group), sphere, box.max), 'pass one first, such as group.octree.'],
    ['a box as volume', () => intersect(octree, other(box)), VOLUMES],
    ['a sphere as volume', () => intersect(octree, other(sphere)), VOLUMES],
    ['a frustum as volume', () => intersect(octree, other(new Frustum())), VOLUMES],
    [
      "the arguments of three's Capsule",
      () => new (Capsule as unknown as new (...args: unknown[]) => Capsule)(new Vector3(), new Vector3(), 1),
      'Capsule: capsule.start must be an object, but is undefined; pass a Vector3 or {x, y, z}.',
    ],
    ['a mesh as point', () => nearest(octree, other(mesh), 1), `nearest: point.x ${POINT}`],
    ['a sphere as point', () => octree.intersectPoint(other(sphere)), `Octree.intersectPoint: point.x ${POINT}`],
    ['a mesh as box', () => octree.intersectBox(other(mesh)), 'box.min must be an object, but is undefined;'],
    ['a scene in batches', () => new StaticBatches(other(new Group())), 'pass new OctreeGroup().addTree(root).'],
    [
      'a copy of an InstancedMesh',
      () => instances.clone().copy(new InstancedMesh(mesh.geometry, mesh.material, 1)),
      'use addInstances(mesh.instanceMatrix.array).',
    ],
    ['a mesh as bounds', () => octree.insert(other(mesh), ''), 'for a mesh new Box3().setFromObject(mesh).'],
    ['a point as bounds', () => octree.insert(other(box.max), ''), 'pass a Box3 or a Sphere, of radius 0 for a point;'],
    [
      'a frustum that was never set',
      () => octree.intersectFrustum(new Frustum()),
      'frustum must be set, but is new; pass a Frustum after setFromProjectionMatrix.',
    ],
    ['a raycaster as ray', () => octree.firstHit(other(raycaster)), 'pass raycaster.ray.'],
    ['a raycaster as part of a ray', () => new RayRange(other(raycaster), 0, 1), 'pass raycaster.ray.'],
    ['an array of rays', () => castRays(octree, other([raycaster.ray]), other({})), 'seven numbers per ray.'],
    ['a glTF as tree', () => group.addTree(other({ scene: mesh })), 'pass gltf.scene.'],
    ['instances whose shadows change', () => new ShadowUpdates(new Scene(), renderer, [other(instances)]), INSTANCES],
    ['instances in views', () => new ViewChanges(new Scene(), renderer, [other(instances)]), INSTANCES],
    ['a group without brackets', () => new ShadowUpdates(new Scene(), renderer, other(group)), 'pass [group].'],
  ])('%s', (_, call, sentence) => {
    expect(call).toThrow(sentence);
  });

  it('a second ShadowUpdates for a scene, until the first is disposed', () => {
    const scene = new Scene();
    const first = new ShadowUpdates(scene, renderer);
    expect(() => new ShadowUpdates(scene, renderer)).toThrow('scene has one already; dispose it first.');
    // A clone of the scene has a clone of the additional child, which does nothing.
    new ShadowUpdates(scene.clone(), renderer).dispose();
    first.dispose();
    expect(new ShadowUpdates(scene, renderer).due).toEqual([]);
  });
});
