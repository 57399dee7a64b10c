import {
  BoxGeometry,
  HemisphereLight,
  DirectionalLight,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Material,
} from 'three';
import { expect, it } from 'vitest';
import { solidBoxes } from '../../src/index.ts';
import { OctreeGroup, OctreeTiles, StaticBatches, TileOcclusion } from '../../src/three.ts';
import { objectsOf, writeTiles } from '../../src/tiles/index.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { readPicture, useRenderer } from '../support/three-pictures.ts';
import { look, settle, stageOf, step, type Stage } from '../support/tiles-renderers.ts';

const EDGE = 240;
const BLOCK = 20;
/** In streets, above roofs, high above; near and far, so that tiles of all depths are shown. */
const POSES = [
  { from: [0, 1.7, 118], at: [0, 2, 0], error: 4 },
  { from: [0, 1.7, 118], at: [30, 2, -20], error: 30 },
  { from: [-100, 1.7, 20], at: [100, 3, 17], error: 4 },
  { from: [10, 14, 100], at: [0, 5, 0], error: 12 },
  { from: [60, 90, 150], at: [0, 0, 0], error: 12 },
];

/** Houses along straight streets, some of them turned, of some materials; small things stand behind them. */
async function cityFiles(): Promise<Map<string, ArrayBuffer | object>> {
  const random = createRandom(12);
  const walls = [0xccbbaa, 0x998877, 0xddddcc].map((color) => new MeshStandardMaterial({ color }));
  const things = new MeshStandardMaterial({ color: 0x3366aa });
  const city = new Group();
  for (let x = -EDGE / 2; x < EDGE / 2; x += BLOCK)
    for (let z = -EDGE / 2; z < EDGE / 2; z += BLOCK) {
      const height = random.between(5, 22);
      const house = new Mesh(new BoxGeometry(BLOCK - 6, height, BLOCK - 3), random.pick(walls));
      house.position.set(x + BLOCK / 2, height / 2, z + BLOCK / 2);
      if (random.next() < 0.3) house.rotation.y = random.between(-0.2, 0.2);
      const thing = new Mesh(new BoxGeometry(1, 2, 1), things);
      thing.position.set(x + random.between(0, 3), 1, z + random.between(0, BLOCK));
      city.add(house, thing);
    }
  const files = new Map<string, ArrayBuffer | object>();
  for await (const { path, bytes } of writeTiles(objectsOf(city), { maxVertices: 512, solidBoxes }))
    files.set(
      path,
      path.endsWith('.json') ? (JSON.parse(new TextDecoder().decode(bytes)) as object) : bytes.slice().buffer,
    );
  return files;
}

function stages(files: Map<string, ArrayBuffer | object>): { stage: Stage; plugin: OctreeTiles }[] {
  return [0, 1].map(() => {
    const stage = stageOf(files);
    const plugin = new OctreeTiles(new OctreeGroup());
    stage.tiles.registerPlugin(plugin);
    const sun = new DirectionalLight('white', 2);
    sun.position.set(40, 80, 30);
    stage.scene.add(sun, new HemisphereLight('white', 'grey', 1));
    return { stage, plugin };
  });
}

const materialsIn = ({ group }: OctreeTiles): Set<Material> => {
  const materials = new Set<Material>();
  group.traverse((object) => {
    const { material } = object as Partial<Mesh>;
    if (material !== undefined) materials.add(material as Material);
  });
  return materials;
};

it.each(sampleFrom(['alone', 'with batches'], 2, 1))('draws the same pixels without hidden tiles, %s', async (mode) => {
  const renderer = useRenderer();
  const [plain, culled] = stages(await cityFiles());
  const occlusion = new TileOcclusion(culled.plugin, culled.stage.camera, { minRemoved: 0 });
  const batches = mode === 'alone' ? [] : [plain, culled].map(({ plugin }) => new StaticBatches(plugin.group));
  const pictures = (): [expected: Uint32Array, drawn: Uint32Array] => {
    const [expected, drawn] = [plain, culled].map(({ stage }, k) => {
      step(stage);
      batches[k]?.finish();
      return readPicture(renderer, () => renderer.render(stage.scene, stage.camera));
    });
    return [expected, drawn];
  };
  const differing = (): number => {
    const [expected, drawn] = pictures();
    expect(new Set(expected).size).toBeGreaterThan(8);
    return expected.reduce((sum, one, k) => sum + Number(one !== drawn[k]), 0);
  };
  let hidden = 0;
  let hiddenInStreets = 0;
  let shown = 0;
  for (const { from, at, error } of POSES) {
    for (const { stage } of [plain, culled]) {
      stage.tiles.errorTarget = error;
      look(stage, from, at);
      await settle(stage);
    }
    occlusion.finish();
    expect(differing()).toBe(0);
    expect(occlusion.reason).toBe('');
    hidden += occlusion.hiddenMeshes;
    if (from[1] < 2) {
      hiddenInStreets += occlusion.hiddenMeshes;
      shown += culled.plugin.group.children.length;
    }
  }
  expect(hidden).toBeGreaterThan(20);
  expect(hiddenInStreets).toBeGreaterThan(0.3 * shown);

  // In a street, where much is hidden. What is transparent hides nothing, and what was behind it is drawn.
  for (const { stage } of [plain, culled]) {
    stage.tiles.errorTarget = 4;
    look(stage, POSES[0].from, POSES[0].at);
    await settle(stage);
  }
  expect(differing()).toBe(0);
  const before = occlusion.hiddenMeshes;
  expect(before).toBeGreaterThan(10);
  const setTransparent = (transparent: boolean): void => {
    for (const { plugin } of [plain, culled])
      for (const material of materialsIn(plugin))
        Object.assign(material, { transparent, opacity: transparent ? 0.4 : 1, needsUpdate: true });
  };
  setTransparent(true);
  expect(differing()).toBe(0);
  expect(occlusion.hiddenMeshes).toBe(0);
  setTransparent(false);
  expect(differing()).toBe(0);
  expect(occlusion.hiddenMeshes).toBe(before);

  // Houses that are not shown hide nothing.
  const ids = [...culled.plugin.objects].map(({ data }) => data.id!).filter((_, k) => k % 5 === 0);
  for (const { plugin } of [plain, culled]) plugin.isolate(ids);
  expect(differing()).toBe(0);
  expect(occlusion.hiddenMeshes).toBeLessThan(before);
  for (const { plugin } of [plain, culled]) plugin.isolate(null);
  expect(differing()).toBe(0);
  expect(occlusion.hiddenMeshes).toBe(before);

  // The city moves with all its boxes.
  for (const { stage } of [plain, culled]) {
    stage.tiles.group.rotation.y = 0.02;
    stage.tiles.group.position.x = 3;
    await settle(stage);
  }
  occlusion.finish();
  expect(differing()).toBe(0);
  expect(occlusion.hiddenMeshes).toBeGreaterThan(5);

  occlusion.dispose();
  expect(differing()).toBe(0);
  expect(culled.plugin.group.groupChildren.bodies.culling).toBeUndefined();
  for (const each of batches) each.dispose();
  for (const { stage } of [plain, culled]) stage.tiles.dispose();
});
