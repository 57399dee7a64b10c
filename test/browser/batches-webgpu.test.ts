// Meshes that are drawn from batches through WebGPURenderer, on both of its backends: the picture must be that of a
// plain Group, with shadows, and after changes that upload parts of the buffers only.

import { BoxGeometry, Mesh, RenderTarget, Scene, SphereGeometry, type Object3D } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import {
  batchedTown,
  CHANGE_KINDS,
  changeTown,
  watchHalf,
  chunksOf,
  instanceFrom,
  meshesOf,
  TOWN_KINDS,
  townGeometry,
  townMaterials,
  type BatchedTown,
} from '../support/batched-town.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';
import { directional, point, spot } from '../support/shadow-lights.ts';
import { countFar, expectNear, NEAR_SHARE } from '../support/near-pictures.ts';
import { aim, createCamera } from '../support/three-pictures.ts';
import { place } from '../support/three-scenes.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const camera = createCamera();

/** More updates than a moved mesh rests before it is written into its batch again. */
const RESTING_UPDATES = 31;

const some = (meshes: readonly Mesh[], from: number): readonly Mesh[] => meshes.filter((_, k) => k % 7 === from);

/** Lets moved meshes rest. */
async function rest({ twins }: BatchedTown): Promise<void> {
  for (let k = 0; k < RESTING_UPDATES; k++) {
    await Promise.resolve();
    twins.octree.scene.updateMatrixWorld();
  }
}

const CHANGES = IS_LONG ? 250 : 50;
const ROUNDS = IS_LONG ? 3 : 2;
const CASES = BACKENDS.flatMap(([name, forceWebGL]) => TOWN_KINDS.map((kind) => [name, kind, forceWebGL] as const));

// In a sample each backend draws one kind of meshes.
describe.each(sampleFrom(CASES, 3))('WebGPURenderer with its %s backend draws %s meshes', (name, kind, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  /** In a sample each backend tries half of it. */
  const isTried = (half: boolean): boolean => isTested && (IS_LONG || half === forceWebGL);
  const towns: BatchedTown[] = [];

  function createTown(...args: Parameters<typeof batchedTown>): BatchedTown {
    const town = batchedTown(...args);
    towns.push(town);
    return town;
  }

  /** Number of the meshes of batches that the renderer holds. */
  const countHeld = (): number => {
    const objects = Reflect.get(get(), '_objects') as object;
    const held = Reflect.get(objects, '_renderObjects') as ReadonlySet<{ readonly object: Object3D }>;
    return Array.from(held).filter(
      ({ object }) => 'isInstancedMesh' in object || Array.isArray((object as Mesh).material),
    ).length;
  };

  afterEach(() => {
    if (!isTested) return;
    expect(countHeld()).toBeGreaterThan(0);
    for (const { batches } of towns.splice(0)) batches.dispose();
    // With the arrays of their geometries.
    expect(countHeld()).toBe(0);
  });

  async function expectSame({ twins }: BatchedTown): Promise<void> {
    await nextFrame();
    const plain = await pixelsOf(get(), twins.plain, camera);
    await nextFrame();
    expectNear(plain, await pixelsOf(get(), twins.octree, camera));
  }

  it.runIf(isTried(false))('as a plain group, with shadows of three lights', async () => {
    const town = createTown(2, 300, [directional, point, spot], kind);
    town.batches.finish();
    expect(town.batches.report()).toMatchObject({ batched: 300, chunks: chunksOf(kind) });
    for (let k = 0; k < 4; k++) {
      aim(camera, [9 * k - 20, 3, 8 * k - 15], [k, -k, 0]);
      await expectSame(town);
    }
    const calls = [town.twins.plain, town.twins.octree].map(({ scene }) => {
      get().info.reset();
      get().render(scene, camera);
      return get().info.render.drawCalls;
    });
    expect(calls[1]).toBeLessThan(0.3 * calls[0]);
  });

  it.runIf(isTried(true))('as a plain group in every frame while they are built', async () => {
    const town = createTown(3, 1000, [directional], kind);
    aim(camera, [0, 5, -30], [0, 0, 0]);
    for (let frame = 0; frame < 6; frame++) await expectSame(town);
    town.batches.finish();
    await expectSame(town);
    expect(town.batches.report().batched).toBe(1000);
  });

  it.runIf(isTried(false))('after changes, which upload parts of the buffers', async () => {
    const town = createTown(4, 200, [directional], kind);
    town.batches.finish();
    aim(camera, [0, 8, -25], [0, 0, 0]);
    await expectSame(town);
    const steps: Record<string, () => void> = {
      hide: () => town.change((meshes) => some(meshes, 0).forEach((mesh) => (mesh.visible = false)), false),
      show: () => town.change((meshes) => some(meshes, 0).forEach((mesh) => (mesh.visible = true)), false),
      move: () => {
        town.twins.each((twin) => {
          const random = createRandom(5);
          some(meshesOf(twin), 1).forEach((mesh) => place(mesh, random, 20));
        });
        town.change(() => undefined);
      },
      recolour: () =>
        town.change((meshes) => some(meshes, 2).forEach((mesh) => (mesh.material = townMaterials[0])), false),
      reshape: () => {
        town.twins.each((twin) => {
          const random = createRandom(6);
          some(meshesOf(twin), 3).forEach((mesh) => (mesh.geometry = townGeometry(random, kind)));
        });
        town.change(() => undefined);
      },
      remove: () => town.twins.each((twin) => twin.group.remove(...some(meshesOf(twin), 4))),
      layers: () => town.change((meshes) => some(meshes, 5).forEach((mesh) => mesh.layers.set(1)), false),
    };
    for (const [step, run] of Object.entries(steps)) {
      run();
      await expectSame(town);
      await rest(town);
      await expectSame(town);
      if (step === 'show' || step === 'move') expect(town.batches.report()).toMatchObject({ batched: 200, out: 0 });
    }
  });

  it.runIf(isTried(true))('and gives back what it has of them, after changes, builds and dispose()', async () => {
    const town = createTown(6, 300, [directional], kind);
    aim(camera, [0, 8, -25], [0, 0, 0]);
    const memory = async (): Promise<object> => {
      await nextFrame();
      await pixelsOf(get(), town.twins.octree, camera);
      const { geometries, attributes, indexAttributes, uniformBuffers } = get().info.memory;
      return { geometries, attributes, indexAttributes, uniformBuffers };
    };
    const { group } = town.twins.octree;
    town.batches.dispose();
    const before = await memory();
    for (let round = 0; round < ROUNDS; round++) {
      const batches = new StaticBatches(group as OctreeGroup);
      instanceFrom(batches, kind === 'merged' ? Infinity : 8);
      batches.finish();
      await memory();
      // Half of the meshes leave: the rest is built again.
      const gone = group.children.filter((_, k) => k % 2 === 0);
      group.remove(...gone);
      batches.finish();
      await memory();
      group.add(...gone);
      batches.finish();
      await memory();
      batches.dispose();
      expect(countHeld()).toBe(0);
      expect(await memory()).toEqual(before);
    }
    // For `afterEach`: one that is held.
    towns.push({ ...town, batches: new StaticBatches(group as OctreeGroup).finish() });
    await memory();
  });

  it.runIf(isTested).each(sampleFrom([false, true], 2, Number(forceWebGL)))(
    'as a plain group in a history of random changes, while meshes are built, move and rest; posed: %s',
    async (posesMovers) => {
      const { twins, batches } = createTown(5, posesMovers ? 100 : 200, [directional], kind, posesMovers);
      watchHalf(twins.octree.group as OctreeGroup);
      const random = createRandom(7);
      let far = 0;
      let pixels = 0;
      for (let change = 0; change < CHANGES; change++) {
        const [changeKind, pick, seed] = [random.below(CHANGE_KINDS), random.below(1e9), random.below(1e9)];
        twins.each((twin) => changeTown(twin, changeKind, pick, seed, kind));
        if (random.below(4) > 0) continue;
        aim(camera, [random.between(-30, 30), random.between(-5, 15), random.between(-30, 30)], [0, 0, 0]);
        // The renderer draws the map of a light once in each frame of the page.
        await nextFrame();
        const plain = await pixelsOf(get(), twins.plain, camera);
        await nextFrame();
        far += countFar(plain, await pixelsOf(get(), twins.octree, camera));
        pixels += plain.length;
      }
      expect(far / pixels).toBeLessThan(NEAR_SHARE);
      batches.finish();
      expect(batches.report().batched).toBeGreaterThan(50);
    },
    200_000,
  );
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend is asked', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  it.runIf(isTested)('whether a mesh in a group with batches is hidden', async () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const ball = new SphereGeometry(0.5, 8, 6);
    // Every other one stands behind a wall.
    const balls = Array.from({ length: 32 }, (_, k) => {
      const mesh = new Mesh(ball, townMaterials[0]);
      mesh.position.set((k % 8) - 3.5, Math.floor(k / 8) - 1.5, k % 2 === 0 ? -8 : -4);
      return Object.assign(mesh, { occlusionTest: true });
    });
    const walls = Array.from({ length: 16 }, (_, k) => {
      const mesh = new Mesh(new BoxGeometry(12, 12, 0.1), townMaterials[0]);
      mesh.position.set(0, 0, -6 - k / 100);
      return mesh;
    });
    group.add(...balls, ...walls);
    const scene = new Scene().add(group);
    const eye = createCamera([0, 0, 0], [0, 0, -1]);
    const batches = new StaticBatches(group).finish();
    expect(batches.report()).toMatchObject({ batched: 16 });
    let hidden: unknown[] = [];
    // The renderer answers while it draws.
    const probe = new Mesh(ball, townMaterials[0]).translateZ(-2);
    probe.onBeforeRender = () => void (hidden = balls.map((mesh) => get().isOccluded(mesh)));
    scene.add(probe);
    const target = new RenderTarget(64, 64);
    get().setRenderTarget(target);
    for (let frame = 0; frame < 60 && !hidden.includes(true); frame++) {
      await nextFrame();
      get().render(scene, eye);
    }
    expect(hidden.map(Boolean)).toEqual(balls.map((_, k) => k % 2 === 0));
    batches.dispose();
    // Answers are under way: the renderer must not be disposed of before. Those of the GPU come in the order of asking.
    await get().readRenderTargetPixelsAsync(target, 0, 0, 64, 64);
    target.dispose();
  });
});
