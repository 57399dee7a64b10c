// What `TileOcclusion` keeps, without a browser: after memory was missing, and after tiles have left. Its pixels are
// compared in test/browser/tile-occlusion.test.ts.

import { BoxGeometry, Group, Mesh, MeshStandardMaterial, type Object3D } from 'three';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectVisible, IndexList, solidBoxes } from '../../src/index.ts';
import { explain, statisticsOf, validate } from '../../src/debug-three/index.ts';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup, OctreeTiles, TileOcclusion } from '../../src/three.ts';
import { objectsOf, writeTiles } from '../../src/tiles/index.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { countHeld } from '../support/garbage.ts';
import { frustumOf, projectPass } from '../support/pass-lists.ts';
import { createRandom } from '../support/random.ts';
import { look, settle, stageOf, type Stage } from '../support/tiles-renderers.ts';

/** Each look at the clock is later than any slice, so boxes are set some at a time. */
beforeEach(() => {
  // 3d-tiles-renderer warns of tilesets 1.1.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let now = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 1000));
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => void vi.unstubAllGlobals());

const EDGE = 160;
const BLOCK = 20;
/** One in this many allocations fails. */
const STEP = 17;
/** Enough to set all boxes in slices. */
const FRAMES = 10;

/** Houses along straight streets, each before a small thing. */
async function cityFiles(): Promise<Map<string, ArrayBuffer | object>> {
  const random = createRandom(12);
  const [wall, things] = [0xccbbaa, 0x3366aa].map((color) => new MeshStandardMaterial({ color }));
  const city = new Group();
  for (let x = -EDGE / 2; x < EDGE / 2; x += BLOCK)
    for (let z = -EDGE / 2; z < EDGE / 2; z += BLOCK) {
      const height = random.between(8, 22);
      const house = new Mesh(new BoxGeometry(BLOCK - 6, height, BLOCK - 3), wall);
      house.position.set(x + BLOCK / 2, height / 2, z + BLOCK / 2);
      const thing = new Mesh(new BoxGeometry(1, 2, 1), things);
      thing.position.set(x + random.between(0, 3), 1, z + random.between(0, BLOCK));
      city.add(house, thing);
    }
  const files = new Map<string, ArrayBuffer | object>();
  for await (const { path, bytes } of writeTiles(objectsOf(city), { maxVertices: 256, solidBoxes }))
    files.set(
      path,
      path.endsWith('.json') ? (JSON.parse(new TextDecoder().decode(bytes)) as object) : bytes.slice().buffer,
    );
  return files;
}

/** The city from a street, with all its tiles. */
async function street(): Promise<{ stage: Stage; plugin: OctreeTiles }> {
  const stage = stageOf(await cityFiles());
  const plugin = new OctreeTiles(new OctreeGroup());
  stage.tiles.registerPlugin(plugin);
  stage.tiles.errorTarget = 0;
  look(stage, [0, 1.7, EDGE / 2 - 2], [0, 2, 0]);
  await settle(stage);
  return { stage, plugin };
}

const drawnIn = ({ scene, camera }: Stage): number[] => {
  scene.updateMatrixWorld();
  Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [{}, scene]);
  return projectPass(scene, camera).map(({ object }) => object.id);
};

it('hides as much as before once memory is there again, whichever allocation has failed', async () => {
  const { stage, plugin } = await street();
  const all = drawnIn(stage);
  /** Frames of a new occlusion, whose n-th allocation fails; 0 for none. */
  const run = async (n: number) => {
    const occlusion = new TileOcclusion(plugin, stage.camera, { minRemoved: 0 });
    let count = 0;
    let drawn: number[] = [];
    for (let k = 0; k < FRAMES; k++) {
      await Promise.resolve();
      const { allocations, error } = withFault(Math.max(0, n - count), () => void (drawn = drawnIn(stage)));
      if (error !== undefined) expect(error).toBeInstanceOf(MemoryFault);
      count += allocations;
    }
    const { reason } = occlusion;
    occlusion.dispose();
    return { count, drawn, reason };
  };
  await run(0);
  const twin = await run(0);
  expect(twin.reason).toBe('');
  expect(twin.drawn.length).toBeLessThan(0.8 * all.length);
  expect(twin.count).toBeGreaterThan(50);
  for (let n = 1; n <= twin.count; n += STEP)
    expect((await run(n)).drawn, `allocation ${n} of ${twin.count}`).toEqual(twin.drawn);
  expect(drawnIn(stage)).toEqual(all);
});

it('is named by explain, and counted, for the meshes that it leaves out', async () => {
  const { stage, plugin } = await street();
  const { group } = plugin;
  const all = drawnIn(stage);
  const occlusion = new TileOcclusion(plugin, stage.camera, { minRemoved: 0 }).finish();
  const drawn = drawnIn(stage);
  const hidden = all.filter((id) => !drawn.includes(id));
  expect(hidden.length).toBeGreaterThan(3);
  for (const id of hidden)
    expect(explain(group.getObjectById(id)!, stage.camera)).toMatch(
      / is not drawn: each object in it is behind others, by TileOcclusion\.$/,
    );
  expect(statisticsOf(group, stage.camera).hidden).toBe(hidden.length);
  expect(validate(group)).toEqual([]);
  expect(drawnIn(stage)).toEqual(drawn);
  occlusion.dispose();
  expect([occlusion.finish().hiddenMeshes, occlusion.reason]).toEqual([0, 'dispose was called']);
  const inFrustum = plugin.octree.collectFrustum(frustumOf(stage.camera), new IndexList());
  expect(collectVisible(plugin.octree, stage.camera, new IndexList(), { minRemoved: 0 })).toBe(inFrustum);
});

it('holds nothing of tiles that have left', async () => {
  const { stage, plugin } = await street();
  const occlusion = new TileOcclusion(plugin, stage.camera, { minRemoved: 0 });
  for (let k = 0; k < FRAMES; k++) {
    drawnIn(stage);
    await Promise.resolve();
  }
  expect(occlusion.hiddenMeshes).toBeGreaterThan(3);
  const meshes: WeakRef<Object3D>[] = [];
  plugin.group.traverse((object) => void ('isMesh' in object && meshes.push(new WeakRef(object))));
  expect(meshes.length).toBeGreaterThan(15);
  const { tiles } = stage;
  Object.assign(tiles.lruCache, { minSize: 0, maxSize: 0, minBytesSize: 0, maxBytesSize: 0 });
  // All of it is coarse from there.
  tiles.errorTarget = 1e6;
  look(stage, [0, 1.7, 1900], [0, 2, 3000]);
  await settle(stage);
  tiles.lruCache.unloadUnusedContent();
  await settle(stage);
  for (let k = 0; k < FRAMES; k++) {
    drawnIn(stage);
    await Promise.resolve();
  }
  expect(plugin.group.children.length).toBeLessThan(3);
  expect(await countHeld(meshes)).toBeLessThan(3);
  occlusion.dispose();
});
