// Meshes that are drawn from batches: the picture must equal that of a plain Group, in few draw calls.

import {
  AmbientLight,
  BoxGeometry,
  BufferGeometry,
  ConeGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshStandardMaterial,
  Raycaster,
  SphereGeometry,
  Vector3,
  type Material,
} from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches, type StaticBatchesOptions } from '../../src/three.ts';
import { poseSoon } from '../support/batch-limits.ts';
import { CHANGE_KINDS, changeTown, instanceFrom, watchHalf } from '../support/batched-town.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';
import { addShadowLights, directional, point, spot } from '../support/shadow-lights.ts';
import { aim, createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, place, type Twins } from '../support/three-scenes.ts';

const renderer = useRenderer();
/** Draws some frames of the histories: it has buffers of its own. */
const other = useRenderer();
const camera = createCamera();
const REACH = 40;
/** Share of pixels that may differ: edges of triangles, whose vertices were transformed on the CPU. */
const MAX_DIFFERENCE = 1e-4;
const PIXELS = 128 * 128;
/** Smallest number of meshes that are drawn instanced, of those with shared geometries. */
const MIN_INSTANCES = 8;

const createMaterials = (): Material[] => [
  new MeshLambertMaterial({ color: 0xcc8844 }),
  new MeshStandardMaterial({ color: 0x4488cc, flatShading: true }),
  new MeshLambertMaterial({ color: 0x66aa66 }),
];
const palette = createMaterials();

const sharedGeometries = [
  new BoxGeometry(2, 1, 3),
  new SphereGeometry(1.5, 8, 6),
  new ConeGeometry(1, 2, 5),
  new BoxGeometry(2, 1, 3).toNonIndexed(),
];

function randomGeometry(random: Random, isShared: boolean): BufferGeometry {
  if (isShared) return random.pick(sharedGeometries);
  const kind = random.below(4);
  if (kind === 0) return new BoxGeometry(random.between(1, 3), random.between(1, 3), 2);
  if (kind === 1) return new SphereGeometry(random.between(0.5, 2), 8, 6);
  if (kind === 2) return new ConeGeometry(1, random.between(1, 3), 5);
  return new BoxGeometry(2, 1, 3).toNonIndexed();
}

function randomMesh(random: Random, materials = palette, isShared = false): Mesh {
  const mesh = new Mesh(randomGeometry(random, isShared), random.pick(materials));
  place(mesh, random, REACH);
  return mesh;
}

/** Meshes of three materials in a plain group and in a static octree group with batches, and lights with shadows. */
function town(
  seed: number,
  count = 400,
  hasTree = false,
  materials = palette,
  options: StaticBatchesOptions = {},
  isShared = false,
): { twins: Twins; batches: StaticBatches } {
  const twins = createTwins(seed, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    const streets = Array.from({ length: hasTree ? 12 : 1 }, () => new Group());
    // Turned meshes in a stretched street are sheared.
    streets[0].scale.set(1, 2, 0.7);
    for (let k = 0; k < count; k++)
      (hasTree ? random.pick(streets) : group).add(randomMesh(random, materials, isShared));
    if (!hasTree) return;
    const root = new Group().add(...streets);
    if (group instanceof OctreeGroup) group.addTree(root);
    else group.add(root);
  });
  twins.each(({ scene }) => {
    scene.add(new AmbientLight(0xffffff, 1));
    addShadowLights(scene, [directional(), point(), spot()]);
    scene.traverse((object) => (object.castShadow = object.receiveShadow = 'isMesh' in object));
    addShadowLights(scene, [directional()]);
  });
  const batches = new StaticBatches(twins.octree.group as OctreeGroup, options);
  if (isShared) instanceFrom(batches, MIN_INSTANCES);
  return { twins, batches };
}

interface Difference {
  /** Pixels whose channels differ by more than 8 in sum. */
  readonly pixels: number;
  readonly drawnPixels: number;
  /** Draw calls of the octree group, divided by those of the plain group. */
  readonly calls: number;
}

/** Draws both twins once, in a task of its own, and compares the pictures. */
async function compare(twins: Twins, drawer = renderer): Promise<Difference> {
  await Promise.resolve();
  const calls: number[] = [];
  const pictures = [twins.plain, twins.octree].map(({ scene }) => {
    drawer.info.reset();
    const picture = readPicture(drawer, () => drawer.render(scene, camera));
    calls.push(drawer.info.render.calls);
    return new Uint8Array(picture.buffer);
  });
  let pixels = 0;
  let drawnPixels = 0;
  for (let k = 0; k < pictures[0].length; k += 4) {
    let sum = 0;
    for (let channel = k; channel < k + 4; channel++) sum += Math.abs(pictures[0][channel] - pictures[1][channel]);
    if (sum > 8) pixels++;
    if (pictures[0][k] + pictures[0][k + 1] + pictures[0][k + 2] > 0) drawnPixels++;
  }
  return { pixels, drawnPixels, calls: calls[1] / calls[0] };
}

/** Expects pictures that differ in edges of triangles at most. */
function expectSame({ pixels, drawnPixels }: Difference): void {
  expect(drawnPixels).toBeGreaterThan(200);
  expect(pixels).toBeLessThanOrEqual(Math.ceil(PIXELS * MAX_DIFFERENCE));
}

afterEach(() => void vi.restoreAllMocks());

/**
 * Lets each look at the clock take some milliseconds, so that every run builds the batches in the same slices.
 *
 * @param stepMs Update slices have about 4 / stepMs steps.
 */
function slowClock(stepMs: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
}

describe('a group with batches', () => {
  it('looks as a plain group, with shadows, in a tenth of the calls', async () => {
    const { twins, batches } = town(2);
    batches.finish();
    expect(batches.report()).toMatchObject({ batched: 400, waiting: 0, out: 0, chunks: 2 });
    for (let k = 0; k < 8; k++) {
      aim(camera, [5 * k - 20, 3, 4 * k - 15], [k, -k, 0]);
      const result = await compare(twins);
      expectSame(result);
      expect(result.calls).toBeLessThan(0.15);
    }
  });

  it('looks as a plain group in every frame while the batches are built', async () => {
    const { twins, batches } = town(3, 1500);
    let frames = 0;
    do expectSame(await compare(twins));
    while (++frames < 200 && batches.isBuilding);
    expect(frames).toBeGreaterThan(2);
    expect(batches.report()).toMatchObject({ batched: 1500, waiting: 0 });
  });

  it('lists the ranges of the camera pass, one for each of its draw calls, also after shadow passes', () => {
    const { twins, batches } = town(6);
    expect(batches.ranges).toEqual([]);
    batches.finish();
    const { scene } = twins.octree;
    const draw = (): number => {
      renderer.info.reset();
      renderer.render(scene, camera);
      return renderer.info.render.calls;
    };
    const indices = (): string[] =>
      batches.ranges.map(({ geometry, start, count }) => `${geometry.id} ${start} ${count}`);
    aim(camera, [30, 20, 30], [0, 0, 0]);
    renderer.shadowMap.enabled = false;
    twins.octree.group.visible = false;
    const floors = draw();
    twins.octree.group.visible = true;
    const calls = draw();
    expect(calls).toBeGreaterThan(2);
    expect(batches.ranges).toHaveLength(calls - floors);
    const [{ geometry, start, count, matrixWorld }] = batches.ranges;
    expect(start + count).toBeLessThanOrEqual(geometry.index!.count);
    const vertex = new Vector3().fromBufferAttribute(geometry.attributes.position, geometry.index!.getX(start));
    expect(vertex.applyMatrix4(matrixWorld).length()).toBeLessThan(3 * REACH);
    const without = indices();
    renderer.shadowMap.enabled = true;
    expect(draw()).toBeGreaterThan(calls);
    expect(indices()).toEqual(without);
    aim(camera, [0, 0, 500], [0, 0, 1000]);
    draw();
    expect(batches.ranges).toEqual([]);
    aim(camera, [30, 20, 30], [0, 0, 0]);
    draw();
    batches.dispose();
    expect(batches.ranges).toEqual([]);
  });

  it('looks as a plain group while the scene overrides the material', async () => {
    const { twins, batches } = town(4);
    batches.finish();
    twins.each(({ scene }) => (scene.overrideMaterial = new MeshNormalMaterial()));
    const result = await compare(twins);
    expectSame(result);
    expect(result.calls).toBeLessThan(0.2);
  });
});

describe('materials that differ in colour only', () => {
  it('are drawn as one, with vertex colours or without, also after colours and other fields change', async () => {
    const random = createRandom(5);
    const materials = Array.from({ length: 60 }, (_, k) => {
      const color = random.below(2 ** 24);
      return k % 2 === 0 ? new MeshLambertMaterial({ color }) : new MeshStandardMaterial({ color, roughness: 0.4 });
    });
    const { twins, batches } = town(6, 600, false, materials, { mergesMaterials: true });
    batches.finish();
    expect(batches.report()).toMatchObject({ batched: 600, chunks: 2 });
    expectSame(await compare(twins));
    for (const material of materials.slice(0, 30)) material.color.setHex(random.below(2 ** 24));
    const recolored = await compare(twins);
    expectSame(recolored);
    expect(recolored.calls).toBeLessThan(0.15);
    for (const material of materials.slice(10, 20)) material.emissive.setHex(0x333333);
    // Other fields are compared in turn.
    for (let frame = 0; frame < 40; frame++) {
      twins.octree.group.updateMatrixWorld();
      await Promise.resolve();
    }
    expectSame(await compare(twins));
    // Fewer than 16 of a kind are left waiting.
    expect(batches.finish().report().waiting).toBeLessThan(32);
    expectSame(await compare(twins));
  });
});

const CHANGES = IS_LONG ? 500 : 100;

describe.each([false, true])('a history of changes, repeated geometry: %s', (isShared) => {
  const seeds = sampleFrom([1, 2, 4, 5], 4, Number(isShared));
  it.each(seeds)('leaves the picture as that of a plain group, and rays hit the same: seed %i', async (seed) => {
    const options = { posesMovers: seed % 4 < 2 };
    const { twins, batches } = town(10 + seed, 300, seed === 2 || seed === 5, palette, options, isShared);
    poseSoon(batches);
    watchHalf(twins.octree.group as OctreeGroup);
    if (seed % 2 === 0) batches.finish();
    const random = createRandom(seed);
    slowClock(random.pick([0.02, 0.1, 1]));
    let different = 0;
    let frames = 0;
    for (let change = 0; change < CHANGES; change++) {
      const kind = random.below(CHANGE_KINDS);
      const [pick, draw] = [random.below(1e9), random.below(1e9)];
      twins.each((twin) => changeTown(twin, kind, pick, draw, isShared ? 'instanced' : 'merged'));
      if (random.below(4) > 0) continue;
      aim(camera, [random.between(-30, 30), random.between(-5, 15), random.between(-30, 30)], [0, 0, 0]);
      const result = await compare(twins, frames % 3 === 2 ? other : renderer);
      different += result.pixels;
      frames++;
      const ray = new Raycaster(camera.position, camera.getWorldDirection(new Vector3()));
      const hits = [twins.plain, twins.octree].map(({ group }) =>
        ray.intersectObject(group).map(({ distance, object }) => `${distance} ${object.name}`),
      );
      expect(hits[1]).toEqual(hits[0]);
    }
    expect(frames).toBeGreaterThan(CHANGES / 6);
    expect(different / (frames * PIXELS)).toBeLessThan(MAX_DIFFERENCE);
    // What has changed is drawn alone for 30 updates, and for up to 240 if it moves again and again.
    for (let update = 0; update < 242; update++) {
      twins.octree.group.updateMatrixWorld();
      await Promise.resolve();
    }
    batches.finish();
    const last = await compare(twins);
    expectSame(last);
    expect(last.calls).toBeLessThan(0.5);
  });
});
