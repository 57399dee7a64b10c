// Which chunks are built of which meshes, in scenes with many of them, and what is released.

import { BoxGeometry, Mesh, MeshLambertMaterial, type BufferGeometry, type Material } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import {
  batch,
  drawn,
  drawnAlone,
  expectSame,
  lambert,
  randomBoxes,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { stripeCamera } from '../support/pass-lists.ts';
import { IS_LONG } from '../support/sampled.ts';

afterEach(() => void vi.restoreAllMocks());

/** A box of 2,400 vertices. Those of the meshes are copies: equal, but not the same. */
const HEAVY_BOX = new BoxGeometry(1, 1, 1, 19, 19, 19);
/** A sixteenth of their vertices is more than 131,072. */
const HEAVY = IS_LONG ? 1000 : 900;
const heavyBoxes = (seed: number, count: number): Mesh[] =>
  randomBoxes(seed, count).map((mesh) => Object.assign(mesh, { geometry: HEAVY_BOX.clone() }));
const sizesOf = (group: OctreeGroup): number[] => {
  const sizes = drawn(group).map((mesh) => (mesh as Mesh).geometry.attributes.position.count);
  return sizes.sort((a, b) => a - b);
};

describe('chunks', () => {
  it('creates at most one buffer of vertices between two looks at the clock', () => {
    const { group, batches } = batch(randomBoxes(6, 400));
    let created = 0;
    let most = 0;
    let all = 0;
    class Counted extends Float32Array {
      constructor(...args: [number]) {
        super(...args);
        // Those of 400 boxes.
        if (this.length === 400 * 24 * 3) created++;
      }
    }
    vi.stubGlobal('Float32Array', Counted);
    vi.spyOn(performance, 'now').mockImplementation(() => {
      most = Math.max(most, created);
      all += created;
      created = 0;
      return 0;
    });
    group.updateMatrixWorld();
    vi.unstubAllGlobals();
    expect(batches.report()).toMatchObject({ batched: 400, chunks: 1 });
    // Positions and normals.
    expect([most, all]).toEqual([1, 2]);
  });

  it('have 131,072 vertices at most, so that each is uploaded in a few milliseconds; full ones are not built again', () => {
    const { group, batches } = batch(heavyBoxes(16, 120));
    batches.finish();
    // 54 boxes of 2,400 vertices each.
    expect(sizesOf(group)).toEqual([12, 54, 54].map((count) => 2400 * count));
    const before = new Set(drawn(group));
    group.add(...heavyBoxes(17, 20));
    batches.finish();
    expect(sizesOf(group)).toEqual([32, 54, 54].map((count) => 2400 * count));
    expect(drawn(group).filter((mesh) => before.has(mesh))).toHaveLength(2);
    group.add(...heavyBoxes(18, 60));
    batches.finish();
    expect(drawn(group).filter((mesh) => before.has(mesh))).toHaveLength(2);
    // The chunk of 32 boxes is more than half full.
    expect(batches.report()).toMatchObject({ batched: 200, waiting: 0, chunks: 5 });
  });

  it.each([
    [1020, 1],
    [1044, 3],
  ])('upload parts of the index with %i numbers between them in %i calls', async (gap, calls) => {
    const between = new BoxGeometry(1, 1, 1, 1, 1, (gap / 12 - 1) / 2);
    const boxes = [0, 1, 2, 3, 4].map((k) => {
      const mesh = new Mesh(k % 2 === 0 ? new BoxGeometry() : between.clone(), lambert);
      mesh.position.x = 3 * k;
      return mesh;
    });
    const { group, batches } = batch(boxes);
    batches.finish();
    const { index } = (drawn(group)[0] as Mesh).geometry;
    expect(index!.updateRanges).toEqual([]);
    for (const k of [0, 2, 4]) {
      boxes[k].visible = false;
      group.reportMove(boxes[k]);
    }
    await runUpdates(group, 1);
    expect(index!.updateRanges).toHaveLength(calls);
  });

  it('have more in large scenes: a sixteenth of the vertices', () => {
    const { group, batches } = batch(heavyBoxes(19, HEAVY));
    batches.finish();
    const sizes = sizesOf(group);
    expect(sizes.length).toBe(17);
    expect(sizes.at(-1)).toBe(2400 * Math.floor(HEAVY / 16));
  });
});

/** How many materials, how many of them change, and updates after that: some of those that change have their turn. */
const [OTHERS, CHANGED, UPDATES] = IS_LONG ? [2500, 500, 256] : [900, 200, 60];

describe.each([0, 0.5])('many materials, if a look at the clock takes %f ms', (step) => {
  it('are drawn as one; usual fields of all are compared in each update, the others in turn, of 8 materials', async () => {
    let time = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => (time += step));
    const shared = lambert.clone();
    const others = randomBoxes(72, OTHERS).map((mesh) => Object.assign(mesh, { material: new MeshLambertMaterial() }));
    const { group, batches } = batch([...randomBoxes(73, 64, shared), ...others]);
    expect(batches.finish().report()).toMatchObject({ batched: 64 + OTHERS, materials: 1 + OTHERS, drawnMaterials: 1 });
    // The turn of the others that change comes long after builds draw the first one.
    await runUpdates(group, 600 / 8);
    shared.transparent = true;
    await runUpdates(group, 1);
    expect(batches.report()).toMatchObject({ batched: OTHERS });
    shared.transparent = false;
    shared.fog = false;
    for (const { material } of others.slice(0, CHANGED)) (material as MeshLambertMaterial).fog = false;
    await runUpdates(group, UPDATES);
    const { batched, waiting, drawnMaterials } = batches.finish().report();
    expect([batched + waiting, drawnMaterials]).toEqual([64 + OTHERS, 2]);
    expect(waiting).toBeLessThan(4);
    expectSame(group);
  });
});

describe('materials that are no longer used', () => {
  const ROUNDS = 60;

  it.each([false, true])(
    'are compared by no update, and disposed of if they are copies: mergesMaterials is %s',
    async (mergesMaterials) => {
      const meshes = randomBoxes(71, 64);
      const group = new OctreeGroup({ hasStaticChildren: true });
      group.add(...meshes);
      const batches = new StaticBatches(group, { mergesMaterials });
      let reads = 0;
      const create = (round: number, color: number): MeshLambertMaterial => {
        const material = new MeshLambertMaterial({ reflectivity: 1 / (1 + round), color });
        Object.defineProperty(material, 'version', { get: () => (reads++, 0) });
        return material;
      };
      const compared: number[] = [];
      const copies = new Set<Material>();
      let disposed = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const materials = [create(round, 0xff0000), create(round, 0x0000ff)];
        for (const [k, mesh] of meshes.entries()) {
          mesh.material = materials[k % 2];
          group.reportMove(mesh);
        }
        batches.finish();
        await runUpdates(group, RESTING_UPDATES);
        batches.finish();
        for (const { material } of drawn(group) as Mesh<BufferGeometry, Material[]>[]) {
          if (copies.has(material[0])) continue;
          copies.add(material[0]);
          material[0].addEventListener('dispose', () => void disposed++);
          const { map } = material[0] as MeshLambertMaterial;
          map?.addEventListener('dispose', () => void disposed++);
        }
        reads = 0;
        await runUpdates(group, 1);
        compared.push(reads);
      }
      const drawnMaterials = mergesMaterials ? 1 : 2;
      expect(batches.report()).toMatchObject({ batched: 64, materials: 2, drawnMaterials, chunks: drawnMaterials });
      expect(copies.size).toBe(ROUNDS * drawnMaterials);
      // Two materials a round. A sweep begins within half a second after a mesh has left, and leaves 2.
      expect(Math.max(...compared)).toBeLessThanOrEqual(6);
      expect(Math.max(...compared)).toBeGreaterThanOrEqual(2);
      expect(drawnAlone(group)).toBe(0);
      batches.dispose();
      // Each copy, and its palette.
      expect(disposed).toBe(mergesMaterials ? 2 * ROUNDS : 0);
    },
  );
});

describe('many chunks', () => {
  /** A key for each render order. */
  const KEYS = IS_LONG ? 2100 : 300;
  const PER_KEY = 4;

  it('are drawn, and their meshes move, hide and leave, each in its own chunk', async () => {
    const geometry = new BoxGeometry();
    const meshes = Array.from({ length: KEYS * PER_KEY }, (_, k) => {
      const mesh = new Mesh(geometry, lambert);
      mesh.renderOrder = Math.floor(k / PER_KEY);
      // No two in one plane.
      mesh.position.set(2 * (k % PER_KEY), 0, 0).addScalar(1e-4 * mesh.renderOrder);
      return mesh;
    });
    const { group, batches } = batch(meshes);
    expect(batches.finish().report()).toMatchObject({ batched: meshes.length, chunks: KEYS });
    expect(drawnAlone(group)).toBe(0);
    // In the first chunks, and in the last.
    const changed = [3, PER_KEY + 3, meshes.length - PER_KEY - 3, meshes.length - 3].map((k) => meshes[k]);
    const [hidden, moved, removed, recolored] = changed;
    hidden.visible = false;
    moved.position.y = 7;
    removed.removeFromParent();
    recolored.material = new MeshLambertMaterial({ color: 'red' });
    for (const mesh of [hidden, moved, recolored]) group.reportMove(mesh);
    await runUpdates(group, 1);
    const near = stripeCamera(-1, 40);
    near.top = 99;
    expect(batches.report()).toMatchObject({ batched: meshes.length - 4, out: 3 });
    expect(drawn(group, near).filter(({ parent }) => parent !== null)).toEqual([moved, recolored]);
    await runUpdates(group, RESTING_UPDATES);
    hidden.visible = true;
    group.reportMove(hidden);
    await runUpdates(group, 2);
    expect(batches.report()).toMatchObject({ batched: meshes.length - 2, out: 0, waiting: 1 });
    batches.dispose();
    expect(drawnAlone(group)).toBe(meshes.length - 1);
  });
});

describe('tiny meshes', () => {
  const tiny = new BoxGeometry(1e-3, 1e-3, 1e-3);
  const tinyAt = (x: number): Mesh => new Mesh(tiny.clone(), lambert).translateX(x);

  it.each([1, 256])(
    'far from the middle of their batch are drawn one by one, with a reason: with %i geometries',
    async (kinds) => {
      const geometries = Array.from({ length: kinds }, () => tiny.clone());
      const meshes = Array.from({ length: 300 }, (_, k) => new Mesh(geometries[k % kinds], lambert).translateX(k));
      const { group, batches } = batch(meshes);
      batches.finish();
      await runUpdates(group, 2);
      const { batched, chunks, unmerged } = batches.report();
      // The radius is 0.87e-3: at most 7.1 units from 149.5.
      expect({ batched, chunks }).toEqual({ batched: 14, chunks: 1 });
      expect([...unmerged]).toEqual([
        ['tiny, and far from the middle of its batch: float32 would shift its vertices', 286],
      ]);
      expect(drawnAlone(group)).toBe(286);
      expect(batches.isBuilding).toBe(false);
    },
  );

  it('that move away from the middle are drawn one by one, and batched again once they come back', async () => {
    const meshes = Array.from({ length: 20 }, (_, k) => tinyAt(k / 10));
    const { group, batches } = batch(meshes);
    expect(batches.finish().report().batched).toBe(20);
    for (const [x, batched] of [
      [100, 19],
      [1, 19],
    ]) {
      meshes[7].position.x = x;
      group.reportMove(meshes[7]);
      await runUpdates(group, RESTING_UPDATES + 2);
      expect(batches.finish().report().batched).toBe(batched);
    }
    expect(batches.report()).toMatchObject({ out: 0, waiting: 1 });
  });

  it('do not cut the chunks of larger meshes among which they stand', () => {
    const houses = randomBoxes(61, 400);
    for (const [k, house] of houses.entries()) house.position.set(20 * (k % 20), 0, 20 * Math.floor(k / 20));
    const screws = houses.map((house) => {
      const screw = new Mesh(new BoxGeometry(1e-3, 1e-3, 1e-3), lambert);
      screw.position.copy(house.position).y = 3;
      return screw;
    });
    const { batches } = batch(houses.flatMap((house, k) => [house, screws[k]]));
    const { batched, chunks, unmerged } = batches.finish().report();
    expect([batched, chunks, ...unmerged.values()]).toEqual([400, 1, 400]);
  });
});
