// Meshes that move, drawn from posed chunks: the picture must equal that of a plain Group, in a few draw calls.

import { BoxGeometry, HalfFloatType, Mesh, RenderTarget, WebGLRenderer, WebGLRenderTarget, type Scene } from 'three';
import { mrt, output, velocity } from 'three/tsl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { meshesOf, TOWN_KINDS } from '../support/batched-town.ts';
import { MovingTown } from '../support/moving-town.ts';
import { countFar, expectNear } from '../support/near-pictures.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';
import { directional, point, spot } from '../support/shadow-lights.ts';
import { aim, createCamera, loseContext, readPicture, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const renderer = useRenderer();
const camera = createCamera([0, 8, -45], [0, 0, 0]);
const PIXELS = 128 * 128;
/** Of a history. */
const STEPS = IS_LONG ? 60 : 15;

// It stands still: builds are not cut into slices.
beforeEach(() => void vi.spyOn(clock, 'now').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const draw = (scene: Scene, by: WebGLRenderer = renderer): Uint32Array =>
  readPicture(by, () => by.render(scene, camera));

function expectSame({ twins }: MovingTown, by = renderer): void {
  expectNear(draw(twins.plain.scene, by), draw(twins.octree.scene, by));
}

function callsOf(scene: Scene): number {
  renderer.info.reset();
  draw(scene);
  return renderer.info.render.calls;
}

describe.each(TOWN_KINDS)('posed chunks of %s meshes', (kind) => {
  // In a sample WebGPURenderer draws instanced ones so.
  it.runIf(IS_LONG || kind === 'merged')(
    'look as a plain group in each frame, with shadows of three lights',
    async () => {
      const town = new MovingTown(2, 300, [directional, point, spot], kind);
      await town.pose();
      expect(town.batches.report().posed).toBe(300);
      for (let k = 0; k < 8; k++) {
        town.move();
        aim(camera, [5 * k - 20, 8, -45], [k, -k, 0]);
        await Promise.resolve();
        expectSame(town);
        expectSame(town);
      }
      const [plain, own] = [town.twins.plain, town.twins.octree].map(({ scene }) => callsOf(scene));
      expect(own).toBeLessThan((kind === 'merged' ? 0.05 : 0.2) * plain);
    },
  );

  const seeds = sampleFrom([1, 2, 3, 4], 4, Number(kind === 'merged'));
  it.each(seeds)('look as a plain group after any changes: seed %i', async (seed) => {
    const town = new MovingTown(20 + seed, 120, [directional], kind);
    let far = 0;
    let posed = 0;
    for (let step = 0; step < STEPS; step++) {
      town.share = (step % 3) + 1;
      await town.pose(step % 15 === 0 ? 30 : 2);
      for (let k = 0; k < 3; k++) town.change();
      town.move();
      far += countFar(draw(town.twins.plain.scene), draw(town.twins.octree.scene));
      posed += town.batches.report().posed;
    }
    expect(posed).toBeGreaterThan(STEPS * 10);
    expect(far / (STEPS * PIXELS)).toBeLessThan(1e-4);
  });
});

it('a mirror that moves what is drawn, and draws it, leaves the picture as in a plain group', async () => {
  const town = new MovingTown(5, 100, [directional], 'merged');
  await town.pose();
  const target = new WebGLRenderTarget(64, 64);
  let isInMirror = false;
  const [plain, own] = [town.twins.plain, town.twins.octree].map(({ scene, group }) => {
    const mirror = new Mesh(new BoxGeometry());
    mirror.renderOrder = -1;
    mirror.onBeforeRender = () => {
      if (isInMirror) return;
      isInMirror = true;
      const before = renderer.getRenderTarget();
      for (const [k, mesh] of meshesOf({ scene, group }).entries()) mesh.position.y += k % 5;
      renderer.setRenderTarget(target);
      renderer.render(scene, camera);
      renderer.setRenderTarget(before);
      isInMirror = false;
    };
    scene.add(mirror);
    return draw(scene);
  });
  expect(town.batches.report().posed).toBe(100);
  expectNear(plain, own);
  target.dispose();
});

it('several renderers draw the same, also after a lost context', async () => {
  const town = new MovingTown(6, 100, [directional], 'merged');
  const other = new WebGLRenderer({ antialias: false });
  other.shadowMap.enabled = true;
  await town.pose();
  expect(town.batches.report().posed).toBe(100);
  for (let k = 0; k < 3; k++) {
    town.move();
    expectSame(town);
    expectSame(town, other);
  }
  await loseContext(other, () => town.move());
  expectSame(town, other);
  other.dispose();
});

it('take the same draws, and give the same picture, in a browser without WEBGL_multi_draw', async () => {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2')!;
  const getExtension = context.getExtension.bind(context) as (name: string) => unknown;
  vi.spyOn(context, 'getExtension').mockImplementation(((name: string) =>
    name === 'WEBGL_multi_draw' ? null : getExtension(name)) as typeof context.getExtension);
  const other = new WebGLRenderer({ canvas, context });
  other.shadowMap.enabled = true;
  other.info.autoReset = false;
  expect(other.extensions.has('WEBGL_multi_draw')).toBe(false);
  const town = new MovingTown(8, 200, [directional], 'merged');
  await town.pose();
  expect(town.batches.report().posed).toBe(200);
  for (let k = 0; k < 3; k++) {
    town.move();
    await Promise.resolve();
    expectSame(town);
    expectSame(town, other);
    other.info.reset();
    draw(town.twins.octree.scene, other);
    expect(other.info.render.calls).toBe(callsOf(town.twins.octree.scene));
  }
  other.dispose();
});

it('give back all memory, in many rounds', async () => {
  const memory: string[] = [];
  const town = new MovingTown(7, 100, [directional], 'merged');
  const removed = town.meshes.slice();
  for (let round = 0; round < (IS_LONG ? 20 : 6); round++) {
    await town.pose();
    draw(town.twins.octree.scene);
    expect(town.batches.report().posed).toBe(100);
    const { group } = town.twins.octree;
    group.remove(...removed);
    for (let k = 0; k < 3; k++) {
      town.twins.octree.scene.updateMatrixWorld();
      await Promise.resolve();
    }
    expect(town.batches.report()).toMatchObject({ chunks: 0, bytes: 0 });
    for (const mesh of removed) mesh.geometry.dispose();
    draw(town.twins.octree.scene);
    const { geometries, textures } = renderer.info.memory;
    memory.push(`${geometries} ${textures}`);
    group.add(...removed);
  }
  expect(new Set(memory.slice(1)).size, memory.join('; ')).toBe(1);
});

const CASES = BACKENDS.flatMap(([name, forceWebGL]) => TOWN_KINDS.map((kind) => [name, kind, forceWebGL] as const));
/** In a sample each backend draws one kind of meshes. */
const TRIED = sampleFrom(CASES, 3);

describe.each(TRIED)('WebGPURenderer with its %s backend draws posed %s meshes', (name, kind, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);
  /** In a sample each backend tries half of it. */
  const isTried = (half: boolean): boolean => isTested && (IS_LONG || half === forceWebGL);

  it.runIf(isTried(true))('as a plain group, with shadows of two lights', async () => {
    const town = new MovingTown(3, 200, [directional, spot], kind);
    await town.pose();
    expect(town.batches.report().posed).toBe(200);
    for (let k = 0; k < 4; k++) {
      town.move();
      aim(camera, [6 * k - 12, 8, -45], [0, 0, 0]);
      await nextFrame();
      const plain = await pixelsOf(get(), town.twins.plain, camera, 1);
      const own = await pixelsOf(get(), town.twins.octree, camera, 1);
      expectNear(plain, own);
    }
    const calls = [town.twins.plain, town.twins.octree].map(({ scene }) => {
      get().info.reset();
      get().render(scene, camera);
      return get().info.render.drawCalls;
    });
    expect(calls[1]).toBeLessThan(0.2 * calls[0]);
    town.batches.dispose();
  });

  it.runIf(isTried(false))('where they are in the second picture of a frame', async () => {
    const town = new MovingTown(9, 100, [], kind);
    await town.pose();
    for (let k = 0; k < 6; k++) {
      if (k % 3 === 0) await nextFrame();
      town.move();
      const plain = await pixelsOf(get(), town.twins.plain, camera, 1);
      expectNear(plain, await pixelsOf(get(), town.twins.octree, camera, 1));
    }
    expect(town.batches.report().posed).toBe(100);
    town.batches.dispose();
  });

  const seeds = sampleFrom([1, 2], 2);
  it.runIf(isTried(true)).each(seeds)('as a plain group after any changes: seed %i', async (seed) => {
    const town = new MovingTown(30 + seed, 100, [directional], kind);
    let far = 0;
    for (let step = 0; step < (IS_LONG ? 24 : 12); step++) {
      town.share = (step % 3) + 1;
      await town.pose(step % 12 === 0 ? 30 : 2);
      for (let k = 0; k < 3; k++) town.change();
      town.move();
      await nextFrame();
      const plain = await pixelsOf(get(), town.twins.plain, camera);
      await nextFrame();
      far += countFar(plain, await pixelsOf(get(), town.twins.octree, camera));
    }
    expect(far / ((IS_LONG ? 24 : 12) * PIXELS)).toBeLessThan(1e-4);
    town.batches.dispose();
  });

  it.runIf(isTried(false))('with motion vectors', async () => {
    const town = new MovingTown(4, 100, [directional], kind);
    await town.pose();
    expect(town.batches.report().posed).toBe(100);
    const target = new RenderTarget(128, 128, { count: 2, type: HalfFloatType });
    target.textures[0].name = 'output';
    target.textures[1].name = 'velocity';
    const frames = async ({ scene }: { readonly scene: Scene }): Promise<Uint16Array> => {
      get().setMRT(mrt({ output, velocity }));
      get().setRenderTarget(target);
      get().render(scene, camera);
      const found = (await get().readRenderTargetPixelsAsync(target, 0, 0, 128, 128, 1)) as Uint16Array;
      get().setRenderTarget(null);
      get().setMRT(null);
      return found.slice();
    };
    for (let k = 0; k < 4; k++) {
      town.move();
      await nextFrame();
      const plain = await frames(town.twins.plain);
      const own = await frames(town.twins.octree);
      expect(plain.some((value) => value !== 0)).toBe(true);
      expect(plain.filter((value, at) => value !== own[at]).length).toBeLessThan(20);
      // Passes without motion vectors draw posed chunks between them.
      expectNear(
        await pixelsOf(get(), town.twins.plain, camera, 1),
        await pixelsOf(get(), town.twins.octree, camera, 1),
      );
    }
    town.batches.dispose();
  });
});
