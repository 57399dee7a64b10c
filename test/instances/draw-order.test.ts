import {
  AdditiveBlending,
  BoxGeometry,
  GreaterDepth,
  Layers,
  Matrix4,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  type Camera,
  type InstancedMesh,
  type Material,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { sortIds } from '../../src/instances/views/draw-order.ts';
import { IndexList } from '../../src/tree/storage/index-list.ts';
import { at, drawnMatrices, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { createRandom } from '../support/random.ts';
import { slab } from '../support/three-passes.ts';

describe('sortIds', () => {
  it('sorts ids as a comparison does, again and again', () => {
    const random = createRandom(1);
    for (const [limit, share] of [
      [1, 1],
      [31, 0.5],
      [32, 1],
      [33, 1],
      [64, 0.9],
      [1000, 0.01],
      [5000, 0.7],
      [40, 0.5],
    ]) {
      const ids = Array.from({ length: limit }, (_, id) => id).filter(() => random.next() < share);
      const list = new IndexList();
      const keys = new Map(ids.map((id) => [id, random.next()]));
      for (const id of [...ids].sort((a, b) => keys.get(a)! - keys.get(b)!)) list.push(id);
      sortIds(list.array, list.length, limit);
      expect([...list.array.subarray(0, list.length)]).toEqual(ids);
    }
  });
});

/**
 * Ids in draw order. The instances are 0.01 apart along x, in a shuffled order, so that the tree lists them in no order
 * of ids.
 */
function drawnIds(instances: OctreeInstances, camera: Camera | null): number[] {
  const views = camera === null ? viewsOf(instances, slab(1000)) : viewsOfCamera(instances, camera);
  return drawnMatrices(views).map(({ elements }) => Math.round(elements[13] * 1024));
}

/** The y of an instance is its id / 1024. */
function shuffled(count: number, material: Material = new MeshBasicMaterial()): OctreeInstances {
  const instances = new OctreeInstances(new BoxGeometry(0.001, 0.001, 0.001), material, count);
  for (let id = 0; id < count; id++)
    instances.setMatrixAt(id, new Matrix4().makeTranslation(((id * 7919) % count) / 100, id / 1024, 0));
  instances.castShadow = true;
  instances.updateMatrixWorld();
  return instances;
}

function isAscending(ids: readonly number[]): boolean {
  return ids.every((id, k) => k === 0 || ids[k - 1] < id);
}

/** Sees `width` units along x, from `left` on. */
function cameraFrom(left: number, width: number): OrthographicCamera {
  const camera = new OrthographicCamera(left, left + width, 10, -10, -1, 1);
  camera.updateProjectionMatrix();
  return camera;
}

describe('the place of instances among objects at equal depth', () => {
  it('is that of the container, by its id: with several cameras and levels, while views grow and after dispose', () => {
    const instances = shuffled(40);
    const { id } = instances;
    instances.addLevel(new BoxGeometry(), 0.2);
    const near = new PerspectiveCamera(60, 1, 0.01, 100);
    const far = near.clone();
    far.position.z = 5;
    const idsOf = (camera: Camera): number[] => viewsOfCamera(instances, camera).map((view) => view.id);
    for (const change of [
      () => undefined,
      () => instances.addInstances(new Float32Array(16 * 500).map((_, k) => (k % 5 === 0 ? 1 : 0))),
      () => instances.dispose(),
    ]) {
      change();
      instances.updateMatrixWorld();
      expect([idsOf(near), idsOf(far), viewsOf(instances, slab(1000)).map((view) => view.id)]).toEqual([
        [id, id],
        [id],
        [id],
      ]);
    }
  });
});

describe('the order in which instances are drawn', () => {
  it('is that of their ids, while they enter and leave, are added, deleted and hidden', () => {
    const instances = shuffled(2000);
    const camera = cameraFrom(0, 6);
    for (let step = 0; step < 8; step++) {
      const ids = drawnIds(instances, camera);
      expect([ids.length > 300, isAscending(ids)]).toEqual([true, true]);
      camera.left += 2;
      camera.right += 2;
      camera.updateProjectionMatrix();
      instances.setVisibleAt(step, false).deleteInstance(100 + step);
      if (step % 2 === 1)
        instances.setMatrixAt(
          instances.addInstance(at(0)),
          new Matrix4().makeTranslation(camera.left + 1, (100 + step) / 1024, 0),
        );
    }
    expect(isAscending(drawnIds(instances, null))).toBe(true);
  });

  it('is that of their ids in a pass with at most 4096', () => {
    const areInOrder = [4096, 4097].map((count) => {
      const instances = Object.assign(shuffled(count), { frustumCulled: false });
      return isAscending(drawnIds(instances, cameraFrom(0, 55)));
    });
    expect(areInOrder).toEqual([true, false]);
  });

  it('is that of their ids for code that traverses without a pass, however many they are', () => {
    const instances = shuffled(6000);
    const traversed = (): number[] => {
      instances.layers.test(new Layers());
      const views = instances.children.flatMap(({ children }) => [...children]) as InstancedMesh[];
      return drawnMatrices(views).map(({ elements }) => Math.round(elements[13] * 1024));
    };
    const ids = Array.from({ length: 6000 }, (_, id) => id);
    expect(traversed()).toEqual(ids);
    // Added with an id that was free, and so at another place of the lists.
    instances.deleteInstance(7).deleteInstance(3000);
    instances.setMatrixAt(instances.addInstance(at(0)), new Matrix4().makeTranslation(1, 3000 / 1024, 0));
    instances.setMatrixAt(instances.addInstance(at(0)), new Matrix4().makeTranslation(1, 7 / 1024, 0));
    expect(traversed()).toEqual(ids);
    for (const k of [5, 100, 4000]) instances.setVisibleAt(k, false);
    expect(traversed()).toEqual(ids.filter((k) => ![5, 100, 4000].includes(k)));
    for (const k of [4000, 100, 5]) instances.setVisibleAt(k, true);
    expect(traversed()).toEqual(ids);
  });

  it('may differ in a pass with more than 4096 instances while they change, and is that of the ids when they have stayed for eight passes', () => {
    const instances = shuffled(6000);
    const camera = cameraFrom(0, 55);
    for (let round = 0; round < 2; round++) {
      expect(drawnIds(instances, camera).length).toBeGreaterThan(4096);
      const passes = Array.from({ length: 8 }, () => isAscending(drawnIds(instances, camera)));
      expect(passes).toEqual([...Array<boolean>(7).fill(false), true]);
      camera.left += 1;
      camera.right += 1;
      camera.updateProjectionMatrix();
    }
    for (let pass = 0; pass < 10; pass++) drawnIds(instances, camera);
    // What is in order stays so at no cost.
    const [view] = viewsOfCamera(instances, camera);
    const { version } = view.instanceMatrix;
    viewsOfCamera(instances, camera);
    expect(view.instanceMatrix.version).toBe(version);
  });

  it.each<[string, Material, Partial<OctreeInstances>]>([
    ['drawsInOrder', new MeshBasicMaterial(), { drawsInOrder: true }],
    ['a material that does not write depth', new MeshBasicMaterial({ depthWrite: false }), {}],
    ['a material that does not test depth', new MeshBasicMaterial({ depthTest: false }), {}],
    ['another depth function', new MeshBasicMaterial({ depthFunc: GreaterDepth }), {}],
    ['a blended material', new MeshBasicMaterial({ blending: AdditiveBlending }), {}],
    [
      'a transparent material without sortObjects',
      new MeshBasicMaterial({ transparent: true }),
      { sortObjects: false },
    ],
    ['stencil', new MeshBasicMaterial({ stencilWrite: true }), {}],
    ['transmission', new MeshPhysicalMaterial({ transmission: 0.5 }), {}],
    ['alpha to coverage', new MeshBasicMaterial({ alphaToCoverage: true }), {}],
  ])('is always that of the ids with %s', (_, material, fields) => {
    const instances = Object.assign(shuffled(6000, material), fields);
    const camera = cameraFrom(0, 55);
    for (let step = 0; step < 3; step++) {
      expect(isAscending(drawnIds(instances, camera))).toBe(true);
      camera.left += 1;
      camera.right += 1;
      camera.updateProjectionMatrix();
    }
  });

  it('is that of the ids from the moment it must be, though the camera stands still', () => {
    for (const change of [
      (one: OctreeInstances) => (one.drawsInOrder = true),
      (one: OctreeInstances) => ((one.material as Material).depthWrite = false),
      (one: OctreeInstances) => (new Scene().add(one).overrideMaterial = new MeshBasicMaterial({ depthWrite: false })),
    ]) {
      const instances = shuffled(6000, new MeshBasicMaterial());
      const camera = cameraFrom(0, 55);
      expect(isAscending(drawnIds(instances, camera))).toBe(false);
      change(instances);
      expect(isAscending(drawnIds(instances, camera))).toBe(true);
    }
  });

  it('is that of their ids at equal depths, where transparent instances are sorted', () => {
    const ids = drawnIds(shuffled(500, new MeshBasicMaterial({ transparent: true })), cameraFrom(0, 3));
    expect([ids.length > 200, isAscending(ids)]).toEqual([true, true]);
  });
});
