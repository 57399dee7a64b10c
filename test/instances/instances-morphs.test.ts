// Morph target influences of single instances: their rows in the textures of the views, bounds, and bad input.

import {
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  Raycaster,
  Vector3,
  type DataTexture,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { morphScaleOf } from '../../src/instances/store/morph-column.ts';
import { at, drawnMatrices, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { influencing, morphingBox } from '../support/morphing-boxes.ts';
import { createRandom } from '../support/random.ts';
import { slab } from '../support/three-passes.ts';

const material = new MeshBasicMaterial();

/** Morphing boxes 10 apart along x. */
function row(count: number, isRelative = false): OctreeInstances {
  const instances = new OctreeInstances(morphingBox(isRelative), material, count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(10 * id));
  Object.assign(instances, { name: 'row', castShadow: true });
  instances.updateMatrixWorld();
  return instances;
}

/** What each id is drawn with: base influence and influences. */
function drawn(instances: OctreeInstances, reach = 1000): Record<number, number[]> {
  const rows: [number, number[]][] = viewsOf(instances, slab(reach)).flatMap((view) => {
    const { data, width, height } = view.morphTexture!.image as { data: Float32Array; width: number; height: number };
    expect([data.length, height >= view.count]).toEqual([width * height, true]);
    const matrices = drawnMatrices([view]).filter(({ elements }) => elements[15] === 1);
    return matrices.map(({ elements }, slot): [number, number[]] => [
      elements[12] / 10,
      [...data.subarray(slot * width, (slot + 1) * width)],
    ]);
  });
  return Object.fromEntries(rows);
}

function influencesOf(instances: OctreeInstances | InstancedMesh, id: number): number[] {
  const target = influencing(7, 7);
  instances.getMorphAt(id, target);
  return target.morphTargetInfluences!;
}

describe('morph target influences of an instance', () => {
  it('are 0 unless set, as are those of instances that get the id of a deleted one', () => {
    const instances = row(3);
    expect([
      instances.morphTexture,
      viewsOf(instances, slab(1000))[0].morphTexture,
      influencesOf(instances, 1),
    ]).toEqual([null, null, [0, 0]]);
    expect(instances.setMorphAt(1, influencing(0.5, 0.25))).toBe(instances);
    expect(drawn(instances)).toEqual({ 0: [1, 0, 0], 1: [0.25, 0.5, 0.25], 2: [1, 0, 0] });
    expect([influencesOf(instances, 1), influencesOf(instances, 2)]).toEqual([
      [0.5, 0.25],
      [0, 0],
    ]);
    expect(instances.deleteInstance(1).addInstance(at(10))).toBe(1);
    expect(drawn(instances)).toEqual({ 0: [1, 0, 0], 1: [1, 0, 0], 2: [1, 0, 0] });
  });

  it('are stored as in an InstancedMesh, for targets of both kinds', () => {
    for (const isRelative of [false, true]) {
      const instances = row(3, isRelative);
      const mesh = new InstancedMesh(instances.geometry, material, 3);
      for (let id = 0; id < 3; id++)
        for (const both of [instances, mesh]) both.setMorphAt(id, influencing(id / 4, 0.25));
      const [ours, theirs] = [instances, mesh].map(
        (both) => both.morphTexture!.image as { data: Float32Array; width: number },
      );
      expect([ours.width, [...ours.data.subarray(0, 9)]]).toEqual([theirs.width, [...theirs.data]]);
      expect([0, 1, 2].map((id) => influencesOf(instances, id))).toEqual([0, 1, 2].map((id) => influencesOf(mesh, id)));
    }
  });

  it('stay with their instance while instances are added, deleted, hidden and moved, and the capacity grows', () => {
    const random = createRandom(1);
    const instances = row(0);
    const expected = new Map<number, number[]>();
    for (let step = 0; step < 300; step++) {
      const ids = [...expected.keys()];
      if (ids.length === 0 || random.below(3) > 0) {
        const id = instances.addInstance(at(0));
        instances.setMatrixAt(id, at(10 * id));
        expected.set(id, [1, 0, 0]);
      } else instances.deleteInstance(random.pick(ids)).has(0);
      for (const id of ids) if (!instances.has(id)) expected.delete(id);
      if (expected.size > 0) {
        const id = random.pick([...expected.keys()]);
        const influences = [random.below(5) / 8, random.below(4) / 8];
        instances.setMorphAt(id, influencing(...influences));
        expected.set(id, [1 - influences[0] - influences[1], ...influences]);
      }
      if (step % 10 === 0) expect(drawn(instances, 10_000)).toEqual(Object.fromEntries(expected));
    }
    expect(expected.size).toBeGreaterThan(50);
  });

  it('follow their instance to its level of detail', () => {
    const instances = row(4).addLevel(morphingBox(false), 15);
    for (let id = 0; id < 4; id++) instances.setMorphAt(id, influencing(id / 8, 0));
    const camera = new OrthographicCamera(-100, 100, 10, -10, -10, 10);
    const levels = viewsOfCamera(instances, camera).map((view) => {
      const { data } = view.morphTexture!.image as { data: Float32Array };
      return drawnMatrices([view]).map(({ elements }, slot) => [elements[12], data[3 * slot + 1]]);
    });
    expect(levels).toEqual([
      [
        [0, 0],
        [10, 0.125],
      ],
      [
        [20, 0.25],
        [30, 0.375],
      ],
    ]);
  });

  it('may be written to the texture, which then needs an update', () => {
    const instances = row(2).setMorphAt(0, influencing(0.5, 0));
    expect(drawn(instances)).toEqual({ 0: [0.5, 0.5, 0], 1: [1, 0, 0] });
    const texture = instances.morphTexture!;
    (texture.image as { data: Float32Array }).data.set([0, 1, 0], 3);
    texture.needsUpdate = true;
    expect(drawn(instances)).toEqual({ 0: [0.5, 0.5, 0], 1: [0, 1, 0] });
    expect(influencesOf(instances, 1)).toEqual([1, 0]);
  });

  it('are uploaded for a changed view only', () => {
    const instances = row(3).setMorphAt(0, influencing(0.5, 0));
    const frustum = slab(1000);
    const camera = new OrthographicCamera();
    const version = (): number => viewsOf(instances, frustum, camera)[0].morphTexture!.version;
    const first = version();
    expect(first).toBeGreaterThan(0);
    expect(version()).toBe(first);
    instances.setMorphAt(1, influencing(0.5, 0));
    expect([version(), version()]).toEqual([first + 1, first + 1]);
  });

  it('are copied and cloned, removed by null, and freed with the views', () => {
    const instances = row(2).setMorphAt(1, influencing(0.5, 0.5));
    const clone = instances.clone();
    expect(influencesOf(clone, 1)).toEqual([0.5, 0.5]);
    clone.setMorphAt(1, influencing(0, 0));
    expect(influencesOf(instances, 1)).toEqual([0.5, 0.5]);
    const camera = new OrthographicCamera(-100, 100, 10, -10, -10, 10);
    const texture = viewsOfCamera(instances, camera)[0].morphTexture as DataTexture;
    const onDispose = vi.fn<() => void>();
    texture.addEventListener('dispose', onDispose);
    instances.dispose();
    expect(onDispose).toHaveBeenCalledTimes(1);
    expect(drawn(instances)).toEqual({ 0: [1, 0, 0], 1: [0, 0.5, 0.5] });
    instances.morphTexture = null;
    expect([
      instances.morphTexture,
      viewsOf(instances, slab(1000))[0].morphTexture,
      influencesOf(instances, 1),
    ]).toEqual([null, null, [0, 0]]);
    instances.copy(clone);
    expect(influencesOf(instances, 1)).toEqual([0, 0]);
  });

  it('are drawn by WebGPURenderer for a single instance too: with it goes one that has a matrix of zeros', () => {
    const instances = row(2).setMorphAt(0, influencing(0.5, 0));
    const frustum = slab(1000);
    const camera = new OrthographicCamera();
    const view = (): InstancedMesh => viewsOf(instances, frustum, camera)[0];
    expect(view().count).toBe(2);
    instances.setVisibleAt(1, false);
    for (let pass = 0; pass < 2; pass++)
      expect([view().count, drawnMatrices([view()])[1].elements.every((element) => element === 0)]).toEqual([2, true]);
    const { version } = view().instanceMatrix;
    expect(view().instanceMatrix.version).toBe(version);
    instances.setVisibleAt(1, true);
    expect(drawnMatrices([view()]).map(({ elements }) => elements[12])).toEqual([0, 10]);
  });
});

describe('bounds of morphing instances', () => {
  it('reach as far as the influences take the vertices', () => {
    expect([morphScaleOf([], 0, 0), morphScaleOf([0.25, 0.75], 0, 2), morphScaleOf([1, 0], 0, 2)]).toEqual([1, 1, 1]);
    expect(morphScaleOf([0, 2, -1], 1, 3)).toBeCloseTo(3);
    expect(morphScaleOf([-1], 0, 1)).toBeCloseTo(3);
    const random = createRandom(2);
    for (const isRelative of [false, true]) {
      const instances = row(40, isRelative);
      for (let id = 0; id < 40; id++) {
        const mesh = new Mesh(instances.geometry, material);
        mesh.morphTargetInfluences = [random.between(-3, 4), random.between(-1, 2)];
        instances.setMorphAt(id, mesh);
        const sphere = instances.octree
          .bodyAt(id)
          .getSphere({ center: new Vector3(), radius: 0 } as never) as unknown as { center: Vector3; radius: number };
        const center = new Vector3().copy(sphere.center);
        const vertex = new Vector3();
        for (let k = 0; k < instances.geometry.attributes.position.count; k++) {
          expect(
            mesh
              .getVertexPosition(k, vertex)
              .add(new Vector3(10 * id, 0, 0))
              .distanceTo(center),
          ).toBeLessThanOrEqual(sphere.radius);
        }
      }
    }
  });

  it('follow changed influences, also those that the user writes and those that all share', () => {
    const instances = row(3);
    const seen = (): number => Object.keys(drawn(instances, 1)).length;
    instances.setMorphAt(2, influencing(0, 0));
    expect(seen()).toBe(1);
    instances.setMorphAt(2, influencing(9, 0));
    expect(seen()).toBe(2);
    (instances.morphTexture!.image as { data: Float32Array }).data.set([-8, 9, 0], 3);
    instances.morphTexture!.needsUpdate = true;
    expect(seen()).toBe(3);
    instances.setMorphAt(1, influencing(0, 0)).setMorphAt(2, influencing(0, 0));
    expect(seen()).toBe(1);
    instances.morphTexture = null;
    instances.morphTargetInfluences = [9, 0];
    expect(viewsOf(instances, slab(1))[0].count).toBe(3);
    instances.morphTargetInfluences = [0.5, 0.5];
    expect(viewsOf(instances, slab(1))[0].count).toBe(1);
  });

  it('are those of the influences that the user has written since the last update, in a clone too', () => {
    const instances = row(1).setMorphAt(0, influencing(0, 0));
    instances.updateMatrixWorld();
    (instances.morphTexture!.image.data as Float32Array).set([51, -50]);
    instances.morphTexture!.needsUpdate = true;
    const box = instances.clone().octree.bodyAt(0).getBox();
    expect(box.max.x).toBeGreaterThan(50);
    expect(box).toEqual(instances.octree.bodyAt(0).getBox());
  });

  it('are spheres, even if boxes are wanted', () => {
    const instances = new OctreeInstances(morphingBox(false), material, 1, { bounds: 'box' });
    expect(instances.octree.bodyAt(0).kind).toBe('sphere');
  });

  it('change no hit: as with an InstancedMesh, rays hit the shape without the influences', () => {
    const instances = row(3);
    const mesh = new InstancedMesh(instances.geometry, material, 3);
    for (let id = 0; id < 3; id++) {
      mesh.setMatrixAt(id, at(10 * id));
      for (const both of [mesh, instances]) both.setMorphAt(id, influencing(1, 0));
    }
    const hits = [0.5, 3.5, 10.5, 13.5].map((x) => {
      const ray = new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1));
      return [mesh, instances].map((both) => ray.intersectObject(both).map(({ instanceId }) => instanceId));
    });
    for (const [theirs, ours] of hits) expect(ours).toEqual(theirs);
    expect(hits.map(([theirs]) => theirs.length > 0)).toEqual([true, false, true, false]);
  });
});

it('influences that all instances share change no hit of a ray either', () => {
  const instances = row(3);
  const mesh = new InstancedMesh(instances.geometry, material, 3);
  for (let id = 0; id < 3; id++) mesh.setMatrixAt(id, at(10 * id));
  for (const isShared of [true, false]) {
    for (const both of [mesh, instances]) both.morphTargetInfluences = [1, 0];
    if (!isShared) for (const both of [mesh, instances]) both.setMorphAt(1, influencing(0, 0));
    const hits = [0.5, 3.5, 10.5, 13.5].map((x) => {
      const ray = new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1));
      return [mesh, instances].map((both) => ray.intersectObject(both).map(({ instanceId }) => instanceId));
    });
    for (const [theirs, ours] of hits) expect(ours).toEqual(theirs);
    expect(hits.map(([theirs]) => theirs.length > 0)).toEqual([true, false, true, false]);
  }
});

describe('bad influences', () => {
  it.each<[string, unknown, string]>([
    ['no object', null, 'object must be an object, but is null; pass a Mesh whose geometry has morph targets.'],
    [
      'a mesh without morph targets',
      new Mesh(),
      'object.morphTargetInfluences must be an array, but is undefined; pass a Mesh whose geometry has morph targets.',
    ],
    [
      'none',
      influencing(),
      'object.morphTargetInfluences must have an influence, but is empty; pass a Mesh whose geometry has morph targets.',
    ],
    [
      'more than in the first call',
      influencing(0, 0, 0),
      'object.morphTargetInfluences must have as many influences as in the first call, 2, but has 3; set morphTexture to null before changing their number.',
    ],
    ['a NaN', influencing(0, NaN), 'object.morphTargetInfluences[1] must be finite, but is NaN; check the animation.'],
  ])('%s are refused, and nothing changes', (_, object, sentence) => {
    const instances = row(2).setMorphAt(0, influencing(0.5, 0));
    const before = drawn(instances);
    expect(() => instances.setMorphAt(0, object as Mesh)).toThrow(`OctreeInstances.setMorphAt: ${sentence}`);
    expect(drawn(instances)).toEqual(before);
    if (!sentence.includes('NaN'))
      expect(() => instances.getMorphAt(0, object as Mesh)).toThrow(`OctreeInstances.getMorphAt: ${sentence}`);
  });

  it('of an id that does not exist, and another texture, are refused', () => {
    const instances = row(1);
    expect(() => instances.setMorphAt(1, influencing(0, 0))).toThrow(
      /^OctreeInstances\.setMorphAt: id must be that of an instance/,
    );
    expect(() => instances.getMorphAt(1, influencing(0, 0))).toThrow(
      /^OctreeInstances\.getMorphAt: id must be that of an instance/,
    );
    expect(() => (instances.morphTexture = 1 as never)).toThrow(
      'OctreeInstances: morphTexture must be null, but is 1; use setMorphAt.',
    );
    expect(instances.setMorphAt(0, influencing(1)).morphTexture).not.toBeNull();
    instances.morphTexture = null;
    expect(instances.setMorphAt(0, influencing(1, 2, 3)).getMatrixAt(0, new Matrix4())).toEqual(at(0));
  });
});
