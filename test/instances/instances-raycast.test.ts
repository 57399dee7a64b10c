import {
  BoxGeometry,
  BufferGeometry,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  Sphere,
  TorusGeometry,
  Vector3,
  type Intersection,
} from 'three';
import { acceleratedRaycast, computeBoundsTree } from 'three-mesh-bvh';
import { describe, expect, it, vi } from 'vitest';
import { OctreeInstances, pick, pickWithin } from '../../src/three.ts';
import { at, rowOfInstances } from '../support/instance-passes.ts';
import { createInstanceTwins, scatterInstances, type InstanceTwins } from '../support/instance-twins.ts';
import { createRandom, type Random } from '../support/random.ts';

const REACH = 30;
/** Along the negative z axis, beside the diagonals of faces. */
const along = (x: number): Raycaster => new Raycaster(new Vector3(x + 0.1, 0.2, 50), new Vector3(0, 0, -1));

function tori(seed: number, count: number): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({
    geometry: new TorusGeometry(1, 0.4, 5, 9),
    material: new MeshBasicMaterial(),
  }));
  twins.change(seed, (instances, random) => scatterInstances(instances, random, count, REACH));
  return twins;
}

function randomRay(random: Random): Raycaster {
  const origin = new Vector3(
    random.between(-REACH, REACH),
    random.between(-REACH, REACH),
    random.between(-REACH, REACH),
  );
  const direction = new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalize();
  return new Raycaster(origin, direction, random.pick([0, 0, 5]), random.pick([Infinity, 30]));
}

/** All fields of a hit except its object. */
const fieldsOf = (hit: Intersection): object => ({ ...hit, object: null });

/**
 * Asserts that the fields of hits are equal. Most rays hit nothing: an assertion for each would take longer than the
 * rays.
 */
function expectSameHits(found: readonly Intersection[], expected: readonly Intersection[]): void {
  if (found.length > 0 || expected.length > 0) expect(found.map(fieldsOf)).toEqual(expected.map(fieldsOf));
}

describe('a ray through OctreeInstances', () => {
  it('hits what it hits in an InstancedMesh, with 10,000 random rays', () => {
    const twins = tori(1, 400);
    const { mesh, instances } = twins;
    twins.each(({ scene, group }) => {
      group.position.set(3, 4, 5);
      group.rotation.set(1, 2, 3);
      group.scale.set(1, -2, 0.5);
      scene.updateMatrixWorld();
    });
    const random = createRandom(2);
    let hits = 0;
    for (let k = 0; k < 10_000; k++) {
      const raycaster = randomRay(random);
      const expected = raycaster.intersectObject(mesh);
      const found = raycaster.intersectObject(instances);
      expectSameHits(found, expected);
      if (found.some(({ object }) => object !== instances))
        expect(found.map(({ object }) => object)).toEqual(found.map(() => instances));
      const first = instances.raycastFirst(raycaster);
      expectSameHits(first === null ? [] : [first], expected.slice(0, 1));
      hits += expected.length;
    }
    expect(hits).toBeGreaterThan(1000);
  });

  it('hits the same after instances and container have moved, before the next frame', () => {
    const twins = tori(3, 300);
    const { mesh, instances } = twins;
    twins.each(({ scene }) => scene.updateMatrixWorld());
    twins.change(4, (both, random) => scatterInstances(both, random, 150, REACH));
    twins.each(({ scene, group }) => {
      group.rotation.y = 1;
      scene.updateMatrixWorld();
    });
    const random = createRandom(5);
    for (let k = 0; k < 500; k++) {
      const raycaster = randomRay(random);
      expectSameHits(raycaster.intersectObject(instances), raycaster.intersectObject(mesh));
    }
  });

  it('works before the first frame, and misses hidden and deleted instances', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 3);
    for (let id = 0; id < 3; id++) instances.setMatrixAt(id, at(0, 0, -5 * id));
    const ids = (): (number | undefined)[] =>
      along(0)
        .intersectObject(instances)
        .map(({ instanceId }) => instanceId);
    expect(ids()).toEqual([0, 1, 2]);
    instances.setVisibleAt(0, false);
    expect(ids()).toEqual([1, 2]);
    expect(instances.raycastFirst(along(0))?.instanceId).toBe(1);
    instances.deleteInstance(1);
    expect(ids()).toEqual([2]);
    instances.setVisibleAt(0, true);
    expect(ids()).toEqual([0, 2]);
  });

  it('returns the nearest hit that the filter accepts', () => {
    const instances = rowOfInstances(3);
    for (let id = 0; id < 3; id++) instances.setMatrixAt(id, at(0, 0, -5 * id));
    const tested: number[] = [];
    const hit = instances.raycastFirst(along(0), {
      filter: (object, id) => tested.push(id) > 0 && object === instances && id > 0,
    });
    expect([hit?.instanceId, tested]).toEqual([1, [0, 1]]);
    expect(instances.raycastFirst(along(0), { filter: () => false })).toBe(null);
  });

  it('does not test instances that it enters behind the best hit', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 1000);
    for (let id = 0; id < 1000; id++) instances.setMatrixAt(id, at(0, 0, -5 * id));
    const raycasts = vi.spyOn(Mesh.prototype, 'raycast');
    const first = instances.raycastFirst(along(0));
    const tested = raycasts.mock.calls.length;
    raycasts.mockRestore();
    expect([first?.instanceId, tested]).toEqual([0, 1]);
  });

  it('returns one hit, with the lower id, if two are equally near', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 40);
    expect(
      along(0)
        .intersectObject(instances)
        .map(({ instanceId }) => instanceId),
    ).toEqual(Array.from({ length: 40 }, (_, id) => id));
    expect(instances.raycastFirst(along(0))?.instanceId).toBe(0);
    // Also if the octree returns them in another order.
    for (const isShown of [false, true]) {
      for (const id of [0, 1]) instances.setVisibleAt(id, isShown);
      expect(instances.raycastFirst(along(0))?.instanceId).toBe(isShown ? 0 : 2);
    }
  });

  it('calls Mesh.raycast, which three-mesh-bvh replaces', () => {
    const twins = tori(6, 400);
    const { mesh, instances } = twins;
    twins.each(({ scene }) => scene.updateMatrixWorld());
    const random = createRandom(7);
    const rays = Array.from({ length: 300 }, () => randomRay(random));
    const expected = rays.map((raycaster) =>
      raycaster.intersectObject(mesh).map(({ instanceId, faceIndex }) => [instanceId, faceIndex]),
    );
    const raycasts = vi.spyOn(Mesh.prototype, 'raycast').mockImplementation(acceleratedRaycast);
    Object.assign(instances.geometry, { boundsTree: computeBoundsTree.call(instances.geometry) });
    const found = rays.map((raycaster) =>
      raycaster.intersectObject(instances).map(({ instanceId, faceIndex }) => [instanceId, faceIndex]),
    );
    const first = rays.map((raycaster) =>
      Object.assign(raycaster, { firstHitOnly: true })
        .intersectObject(instances)
        .map(({ instanceId, faceIndex }) => [instanceId, faceIndex]),
    );
    raycasts.mockRestore();
    // The BVH has changed the order of the faces.
    expect(found.map((hits) => hits.map(([id]) => id))).toEqual(expected.map((hits) => hits.map(([id]) => id)));
    // The first hit of each instance, as of an InstancedMesh.
    expect(first).toEqual(
      found.map((hits) => hits.filter(([id], k) => hits.findIndex(([other]) => other === id) === k)),
    );
    expect(found.flat().length).toBeGreaterThan(20);
  });

  it('hits children beside the instances, respects layers, and hits instances without bounds', () => {
    const instances = rowOfInstances(2);
    const child = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    child.position.x = 100;
    instances.add(child).updateMatrixWorld();
    expect(
      along(100)
        .intersectObject(instances)
        .map(({ object }) => object.id),
    ).toEqual([child.id]);
    instances.layers.set(3);
    expect(along(0).intersectObject(instances)).toEqual([]);
    expect(along(100).intersectObject(instances).length).toBe(1);
    const raycaster = along(10);
    raycaster.layers.set(3);
    expect(raycaster.intersectObject(instances).map(({ instanceId }) => instanceId)).toEqual([1]);
    expect([instances.raycastFirst(along(10)), instances.raycastFirst(raycaster)?.instanceId]).toEqual([null, 1]);
    const { position } = new PlaneGeometry().attributes;
    const boundless = new OctreeInstances(
      new BufferGeometry().setAttribute('position', position).setIndex([0, 2, 1]),
      new MeshBasicMaterial(),
      2,
    );
    boundless.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    boundless.setMatrixAt(1, at(0, 0, 3));
    expect(
      along(-0.2)
        .intersectObject(boundless)
        .map(({ instanceId }) => instanceId),
    ).toEqual([1, 0]);
  });

  it('hits the level of detail that a camera at its origin would see', () => {
    const instances = rowOfInstances(1).addLevel(new PlaneGeometry(4, 4), 20);
    expect(along(1.5).intersectObject(instances).length).toBe(1);
    expect(new Raycaster(new Vector3(1.5, 0, 19), new Vector3(0, 0, -1)).intersectObject(instances).length).toBe(0);
    expect(instances.raycastFirst(along(1.5))?.point.toArray()).toEqual([1.6, 0.2, 0]);
  });

  it('hits what it hits in an InstancedMesh from beyond the limit of coordinates', () => {
    const instances = rowOfInstances(5);
    const raycaster = new Raycaster(new Vector3(2 ** 51, 0.1, 0.1), new Vector3(-1, 0, 0));
    const expected = raycaster.intersectObject(instances.toInstancedMesh());
    expect(expected.length).toBeGreaterThan(0);
    expectSameHits(raycaster.intersectObject(instances), expected);
    expect(fieldsOf(instances.raycastFirst(raycaster)!)).toEqual(fieldsOf(expected[0]));
  });

  it('needs a direction', () => {
    const instances = rowOfInstances(1);
    const raycaster = new Raycaster(new Vector3(), new Vector3());
    expect(() => raycaster.intersectObject(instances)).toThrow(/^OctreeInstances\.raycast: raycaster\.ray must have/);
    expect(() => instances.raycastFirst(raycaster)).toThrow(/^OctreeInstances\.raycastFirst: raycaster\.ray must have/);
    raycaster.ray.set(new Vector3(0, 0, -Infinity), new Vector3(0, 0, 1));
    expect(() => instances.raycastFirst(raycaster)).toThrow('but its origin is (0, 0, -Infinity);');
    raycaster.ray.origin.set(0, 0, -9);
    expect(() => instances.raycastFirst(raycaster, (() => true) as never)).toThrow(
      new TypeError(
        'OctreeInstances.raycastFirst: options must be an object, but is a function; pass {}, or one with filter.',
      ),
    );
    expect(() => instances.raycastFirst(undefined as never)).toThrow(
      new TypeError(
        'OctreeInstances.raycastFirst: raycaster must be a Raycaster, but is undefined; pass one that was set with setFromCamera or set.',
      ),
    );
  });
});

it('pick and pickWithin find instances on the screen', () => {
  const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 200, height: 100 }) };
  const camera = new PerspectiveCamera(60, 2, 1, 100);
  camera.position.z = 40;
  camera.updateMatrixWorld();
  const instances = rowOfInstances(4);
  new Scene().add(instances).position.x = -10;
  instances.parent!.updateMatrixWorld();
  const hit = pick({ clientX: 100, clientY: 50 }, camera, element, instances);
  expect([hit?.instanceId, hit?.object, hit?.point.z]).toEqual([1, instances, 0.5]);
  expect(pick({ clientX: 100, clientY: 90 }, camera, element, instances)).toBe(null);
  const picked = pickWithin({ clientX: 90, clientY: 40 }, { clientX: 135, clientY: 60 }, camera, element, instances);
  expect(picked.map(({ object, instanceId }) => [object, instanceId])).toEqual([
    [instances, 1],
    [instances, 2],
  ]);
  instances.visible = false;
  expect(pick({ clientX: 100, clientY: 50 }, camera, element, instances)).toBe(null);
});
