// Memory is missing for the n-th allocation of a call, for every n (in `npm test` for each fourth). After that a retry
// works, and what is found or drawn equals what a twin without the error finds or draws.

import { BoxGeometry, Matrix4, Mesh, MeshBasicMaterial } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectVisible, IndexList, intersectVisible, setOccluder, SolidBoxQueue, solidBoxes } from '../../src/core.ts';
import { OcclusionCulling, OctreeInstances } from '../../src/three.ts';
import { readOcclusionDepth } from '../../src/three.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { occluded, perspective } from '../support/occluded-scene.ts';
import { createCity, octreeOfCity, orientedBoxOf, turnedBox } from '../support/occlusion-cities.ts';
import { createRandom } from '../support/random.ts';
import { sampleOf } from '../support/sampled.ts';
import { boxOf } from '../support/shapes.ts';
import { arraysOf, gabled } from '../support/solid-meshes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

/** A call that may fail, and what is found after a retry. */
interface Case {
  readonly call: () => unknown;
  readonly found: () => unknown;
}

const CITY = createCity(createRandom(4), [0, 0, 0], 0.4);
const CAMERA = perspective(-3, 1.7, 70);

function city(simdFrom: number, call: (list: IndexList) => unknown): Case {
  const octree = octreeOfCity(CITY, { simdFrom });
  octree.update();
  const list = new IndexList();
  octreeOf.set(list, octree);
  const find = (): number[] => {
    collectVisible(octree, CAMERA, list, { minRemoved: 0 });
    return [...list];
  };
  return { call: () => call(list), found: find };
}
const octreeOf = new WeakMap<IndexList, ReturnType<typeof octreeOfCity>>();

function rowOfInstances() {
  const instances = new OctreeInstances(new BoxGeometry(1, 1, 1), new MeshBasicMaterial(), 12);
  for (let id = 0; id < 12; id++)
    instances.setMatrixAt(
      id,
      id === 0 ? new Matrix4().makeScale(30, 30, 1) : new Matrix4().makeTranslation(id - 6, 0, -5 - id),
    );
  instances.updateMatrixWorld();
  return instances;
}

const CASES: Readonly<Record<string, () => Case>> = {
  collectVisible: () => city(Infinity, (list) => collectVisible(octreeOf.get(list)!, CAMERA, list, { minRemoved: 0 })),
  'collectVisible in a tree in the memory of WebAssembly': () =>
    city(0, (list) => collectVisible(octreeOf.get(list)!, CAMERA, list, { minRemoved: 0 })),
  intersectVisible: () => city(Infinity, (list) => intersectVisible(octreeOf.get(list)!, CAMERA, { minRemoved: 0 })),
  'collectVisible with a larger buffer': () =>
    city(0, (list) => collectVisible(octreeOf.get(list)!, CAMERA, list, { minRemoved: 0, bufferWidth: 2000 })),
  'setOccluder with boxes': () =>
    city(Infinity, (list) => {
      const octree = octreeOf.get(list)!;
      const turned = turnedBox(createRandom(2), [0, 10, 50]);
      const body = octree.insert(boxOf([-30, -20, 20, 30, 40, 80]), -1);
      octree.update();
      setOccluder(octree, body, [boxOf([-20, 0, 59, 20, 30, 60]), orientedBoxOf(turned)]);
    }),
  solidBoxes: () => {
    const mesh = arraysOf(gabled());
    return { call: () => solidBoxes(mesh), found: () => solidBoxes(mesh) };
  },
  SolidBoxQueue: () => {
    const mesh = arraysOf(gabled());
    const queue = new SolidBoxQueue();
    queue.boxesOf(mesh);
    return {
      call: () => queue.run(Infinity),
      found() {
        queue.run(Infinity);
        return queue.boxesOf(mesh);
      },
    };
  },
  'new OcclusionCulling': () => {
    const { group, camera, occlusion, wall, drawn } = occluded({}, false);
    occlusion.dispose();
    let made: OcclusionCulling | null = null;
    const make = (): void => void (made ??= new OcclusionCulling(group, camera, { minRemoved: 0 }));
    return {
      call: make,
      found() {
        make();
        made!.setOccluder(wall, true).finish();
        return [drawn(), made!.report().occluders];
      },
    };
  },
  'OcclusionCulling.setOccluder and finish': () => {
    const { occlusion, wall, drawn } = occluded({}, false);
    const name = (): unknown => occlusion.setOccluder(wall, true).finish();
    return {
      call: name,
      found() {
        name();
        return drawn();
      },
    };
  },
  'a pass of a group': () => {
    const { drawn, group, wall, scene } = occluded();
    group.minScreenSize = 0.01;
    wall.rotation.z = Math.PI;
    scene.updateMatrixWorld();
    return { call: () => drawn(), found: () => [drawn(), drawn()] };
  },
  'a member that is added': () => {
    const { drawn, group, small, scene } = occluded();
    drawn();
    const added = new Mesh(small.geometry, new MeshBasicMaterial({ depthTest: false }));
    added.name = 'added';
    added.position.z = -10;
    group.add(added);
    return { call: () => scene.updateMatrixWorld(), found: () => drawn() };
  },
  'occluders of instances': () => {
    const instances = rowOfInstances();
    const occlusion = new OcclusionCulling(instances, CAMERA, { minRemoved: 0 });
    occlusion.setOccluder(instances.geometry, true);
    return {
      call: () => occlusion.finish(),
      found() {
        occlusion.finish();
        const { occluders } = occlusion.report();
        // Every one that is set is known, and taken back.
        occlusion.setOccluder(instances.geometry, null);
        const list = new IndexList();
        collectVisible(instances.octree, perspective(), list, { minRemoved: 0 });
        return [occluders, list.length];
      },
    };
  },
  readOcclusionDepth: () => {
    const { drawn, occlusion } = occluded();
    drawn();
    return { call: () => readOcclusionDepth(occlusion), found: () => readOcclusionDepth(occlusion).cells.length };
  },
};

describe.each(Object.entries(CASES).map(([name, create], row) => ({ name, create, row })))(
  '$name',
  ({ create, row }) => {
    it('leaves the state before or after a failed allocation, whichever fails', { timeout: 60_000 }, () => {
      const twin = create();
      twin.call();
      const expected = twin.found();
      let faults = 0;
      // Counted in a second one: the first may allocate what all share.
      for (const n of sampleOf(withFault(0, create().call).allocations, 4, row)) {
        const { call, found } = create();
        const { error } = withFault(n, call);
        expect(error === undefined || error instanceof MemoryFault).toBe(true);
        faults++;
        let after: unknown;
        try {
          after = found();
        } catch (thrown) {
          throw new Error(`allocation ${n}: the retry throws`, { cause: thrown });
        }
        expect([n, after]).toEqual([n, expected]);
      }
      expect(faults).toBeGreaterThan(0);
    });
  },
);
