// Repeated geometry, which is drawn instanced: which meshes are, in which passes, with which buffers.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  OrthographicCamera,
  SphereGeometry,
  Texture,
  type Material,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, StaticBatches, type StaticBatchesOptions } from '../../src/three.ts';
import { instanceFrom } from '../support/batched-town.ts';
import { drawn, everything, expectSame, lambert, RESTING_UPDATES, runUpdates } from '../support/batched-meshes.ts';
import { frustumOf, shadowPass, stripeCamera } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { place } from '../support/three-scenes.ts';

const MIN = 8;
const box = new BoxGeometry(1, 2, 1);
const sphere = new SphereGeometry(1, 6, 4);

/** Meshes of a geometry, turned, stretched and mirrored. */
function copies(random: Random, count: number, geometry: BufferGeometry = box, material: Material = lambert): Mesh[] {
  return Array.from({ length: count }, () => {
    const mesh = new Mesh(geometry, material);
    place(mesh, random, 50);
    return mesh;
  });
}

function instance(
  objects: readonly Object3D[],
  options?: StaticBatchesOptions,
): { group: OctreeGroup; batches: StaticBatches } {
  const group = new OctreeGroup({ hasStaticChildren: true });
  group.add(...objects);
  const batches = new StaticBatches(group, options);
  instanceFrom(batches, MIN);
  return { group, batches: batches.finish() };
}

const instancedOf = (group: OctreeGroup, camera = everything): InstancedMesh[] =>
  drawn(group, camera).filter((object) => object instanceof InstancedMesh);
const countOf = (meshes: readonly InstancedMesh[]): number => meshes.reduce((sum, { count }) => sum + count, 0);

describe('repeated geometry', () => {
  it('is drawn instanced from 256 meshes on: in a call, and one for mirrored ones', () => {
    for (const [count, isInstanced] of [
      [255, false],
      [256, true],
    ] as const) {
      const group = new OctreeGroup({ hasStaticChildren: true });
      group.add(...copies(createRandom(1), count), ...copies(createRandom(2), 255, sphere));
      const batches = new StaticBatches(group).finish();
      const instanced = isInstanced ? count : 0;
      expect(batches.report()).toMatchObject({ batched: count + 255, instanced, chunks: isInstanced ? 2 : 1 });
      expect(instancedOf(group)).toHaveLength(isInstanced ? 2 : 0);
      expect(countOf(instancedOf(group))).toBe(instanced);
      expectSame(group);
    }
  });

  it('takes 64 bytes a mesh; the geometry itself is drawn, and not disposed of', () => {
    const geometry = box.clone();
    let disposed = 0;
    geometry.addEventListener('dispose', () => disposed++);
    const { group, batches } = instance(copies(createRandom(3), 100, geometry));
    expect(batches.report()).toMatchObject({ instanced: 100, bytes: 6400, vertices: 0, chunks: 1 });
    for (const mesh of instancedOf(group)) expect(mesh.geometry).toBe(geometry);
    expect(disposed).toBe(0);
  });

  it('is drawn by pass: each sees its own meshes, from buffers of its own', () => {
    const { group } = instance(copies(createRandom(4), 300));
    const cameras = Array.from({ length: 9 }, (_, k) => stripeCamera(12 * k - 54, 12));
    const shown = cameras.map((camera) => instancedOf(group, camera));
    for (const [k, camera] of cameras.entries()) {
      expect(countOf(shown[k])).toBeGreaterThan(0);
      expect(countOf(shown[k])).toBeLessThan(150);
      const before = shown[k].map(({ instanceMatrix }) => instanceMatrix.array);
      expect(instancedOf(group, camera).map(({ instanceMatrix }) => instanceMatrix.array)).toEqual(before);
    }
    expect(new Set(shown.flat()).size).toBe(shown.flat().length);
  });

  it('has shadow maps draw those that cast shadows, from a bounded number of buffers', () => {
    const meshes = [...copies(createRandom(5), 200), ...copies(createRandom(6), 200, sphere)];
    meshes.forEach((mesh, k) => (mesh.castShadow = k < 200));
    const { group } = instance(meshes);
    const view = stripeCamera(-99, 198);
    const light = frustumOf(stripeCamera(-20, 40));
    const found = new Set<Object3D>();
    for (let frame = 0; frame < 20; frame++) {
      instancedOf(group, view);
      for (let face = 0; face < 6; face++)
        for (const { object } of shadowPass(group, view.layers, light)) found.add(object);
    }
    // Six faces, upright and mirrored.
    expect(found.size).toBe(12);
    for (const object of found) expect((object as Mesh).geometry).toBe(box);
    // For the others no buffers are made.
    const offered = (object: Object3D): Object3D[] => {
      object.layers.test(view.layers);
      if (object instanceof Mesh && object.frustumCulled) object.intersectsFrustum(light);
      return [object, ...object.children.flatMap(offered)];
    };
    const geometries = offered(group).map(
      (object) => (object as InstancedMesh).isInstancedMesh && (object as Mesh).geometry,
    );
    expect(new Set(geometries)).toEqual(new Set([undefined, box]));
  });

  it('gives the buffers of cameras back that no longer draw, and all of them when it is disposed of', () => {
    const { group, batches } = instance(copies(createRandom(7), 100));
    const disposed = new Set<Object3D>();
    const found = new Set<Object3D>();
    const draw = (camera: OrthographicCamera): void => {
      for (const mesh of instancedOf(group, camera)) {
        if (!found.has(mesh)) mesh.addEventListener('dispose', () => void disposed.add(mesh));
        found.add(mesh);
      }
    };
    draw(stripeCamera(-50, 99));
    const last = stripeCamera(-50, 99);
    for (let frame = 0; frame < 400; frame++) draw(last);
    expect([found.size, disposed.size]).toEqual([4, 2]);
    batches.dispose();
    expect(disposed.size).toBe(4);
    expectSame(group);
  });

  it('writes nothing while the same meshes are in view', () => {
    const { group } = instance(copies(createRandom(8), 100));
    const [mesh] = instancedOf(group);
    const { version } = mesh.instanceMatrix;
    instancedOf(group);
    expect(mesh.instanceMatrix.version).toBe(version);
  });

  it('draws a mesh that has moved, rested, and is in view again, where it is', async () => {
    const meshes = copies(createRandom(9), 60);
    const { group, batches } = instance(meshes);
    expectSame(group);
    meshes[5].position.x += 3;
    group.reportMove(meshes[5]);
    // No pass sees it while it is drawn on its own.
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(batches.report()).toMatchObject({ instanced: 60, out: 0 });
    expectSame(group);
  });

  it('keeps hidden, moved and changed meshes out', async () => {
    const meshes = copies(createRandom(10), 80);
    const { group, batches } = instance(meshes);
    meshes[1].visible = false;
    meshes[2].material = new MeshLambertMaterial({ color: 'red' });
    meshes[3].geometry = sphere;
    group.reportMove(meshes[3]);
    meshes[4].castShadow = true;
    group.remove(meshes[6]);
    meshes[7].scale.x *= -1;
    group.reportMove(meshes[7]);
    expectSame(group);
    await runUpdates(group, RESTING_UPDATES + 1);
    expectSame(group);
    // Those of other kinds wait for others; the hidden one keeps its slot.
    expect(batches.report()).toMatchObject({ instanced: 75, out: 1, waiting: 3 });
    meshes[1].visible = true;
    await runUpdates(group, 2);
    expect(batches.report()).toMatchObject({ instanced: 76, out: 0 });
    expectSame(group);
  });

  it('is built again together with meshes that are added, if these are as many', () => {
    const random = createRandom(11);
    const { group, batches } = instance(copies(random, 40));
    group.add(...copies(random, 30));
    batches.finish();
    expect(batches.report()).toMatchObject({ instanced: 70, chunks: 2 });
    let disposed = 0;
    for (const mesh of instancedOf(group)) mesh.addEventListener('dispose', () => disposed++);
    group.add(...copies(random, 40));
    batches.finish();
    // Upright and mirrored meshes of two chunks.
    expect(disposed).toBe(4);
    expect(batches.report()).toMatchObject({ instanced: 110, chunks: 1 });
    expectSame(group);
  });

  it('shows changed vertices at once, and needs no report', () => {
    const geometry = box.clone();
    const { group } = instance(copies(createRandom(12), 50, geometry));
    geometry.attributes.position.setX(0, 0.25);
    expectSame(group);
  });
});

describe('meshes whose directions a shader would not transform as those of an instance', () => {
  it('are merged if they are sheared, and drawn alone if a scale of 0 flattens them, also after a move', async () => {
    const random = createRandom(20);
    const street = new Group();
    street.scale.set(1, 3, 0.5);
    street.add(...copies(random, 30));
    const upright = copies(random, 30);
    upright[0].scale.y = 0;
    const group = new OctreeGroup();
    group.addTree(new Group().add(street, ...upright), { isStatic: true });
    const batches = new StaticBatches(group);
    instanceFrom(batches, MIN);
    batches.finish();
    expect(batches.report()).toMatchObject({ batched: 59, instanced: 29 });
    expectSame(group);
    street.add(upright[1]);
    group.reportMove(upright[1]);
    await runUpdates(group, RESTING_UPDATES + 1);
    batches.finish();
    expect(batches.report().instanced).toBe(28);
    expectSame(group);
  });

  it('are merged if their material reads tangents', () => {
    const geometry = box.clone();
    geometry.setAttribute('tangent', new BufferAttribute(new Float32Array(96).fill(1), 4));
    const material = new MeshStandardMaterial({ normalMap: new Texture() });
    for (const [reader, instanced] of [
      [material, 0],
      [lambert, 50],
    ] as const)
      expect(instance(copies(createRandom(21), 50, geometry, reader)).batches.report()).toMatchObject({
        batched: 50,
        instanced,
      });
  });
});

describe('with materials of their own', () => {
  it('meshes of one geometry are instanced, and have the values of their materials, also after changes', async () => {
    const materials = Array.from({ length: 150 }, (_, k) => new MeshLambertMaterial({ color: 4096 * k }));
    const meshes = copies(createRandom(30), 300);
    meshes.forEach((mesh, k) => (mesh.material = materials[k % 150]));
    const { group, batches } = instance(meshes);
    expect(batches.report()).toMatchObject({ batched: 300, instanced: 300, chunks: 1, drawnMaterials: 1 });
    expectSame(group);
    materials[149].color.set('blue');
    meshes[3].material = materials[70];
    box.dispose();
    expectSame(group);
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(batches.report()).toMatchObject({ instanced: 300, out: 0 });
    expectSame(group);
  });
});

describe('ranges', () => {
  it('name what draws the instances', () => {
    const { group, batches } = instance([...copies(createRandom(40), 50), ...copies(createRandom(41), 5, sphere)]);
    const shown = instancedOf(group);
    const ranges = batches.ranges.filter(({ instances }) => instances !== null);
    expect(ranges.map(({ instances }) => instances)).toEqual(shown);
    for (const { geometry, start, count, matrixWorld, instances } of ranges) {
      expect([geometry, start, count]).toEqual([box, 0, 36]);
      expect(matrixWorld).toBe(instances!.matrixWorld);
      expect(new Matrix4().equals(matrixWorld)).toBe(false);
    }
  });
});
