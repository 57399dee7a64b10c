import { DirectionalLight, HemisphereLight, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, OctreeTiles, ShadowUpdates, StaticBatches, ViewChanges } from '../../src/three.ts';
import { readPicture, useRenderer } from '../support/three-pictures.ts';
import { look, settle, stageOf, step, type Stage } from '../support/tiles-renderers.ts';
import { housesOf, tilesetOf } from '../support/tilesets.ts';

const houses = housesOf(200);
const files = tilesetOf(houses);
const POSES = [
  [0, 60, 80],
  [0, 2, 30],
  [40, 5, -60],
];

function light(scene: Scene): DirectionalLight {
  const sun = new DirectionalLight('white', 2);
  sun.position.set(40, 80, 30);
  sun.castShadow = true;
  const { camera, mapSize } = sun.shadow;
  Object.assign(camera, { left: -100, right: 100, top: 100, bottom: -100, far: 300 });
  mapSize.set(512, 512);
  scene.add(sun, new HemisphereLight('white', 'grey', 1));
  return sun;
}

function castShadows({ tiles }: Stage): void {
  tiles.forEachLoadedModel((scene) =>
    scene.traverse((object) => Object.assign(object, { castShadow: true, receiveShadow: true })),
  );
}

const picture = (renderer: WebGLRenderer, scene: Scene, camera: PerspectiveCamera): Uint32Array =>
  readPicture(renderer, () => renderer.render(scene, camera));

const differing = (a: Uint32Array, b: Uint32Array): number => a.reduce((sum, one, k) => sum + Number(one !== b[k]), 0);

it.each(['alone', 'with batches, shadow updates and view changes'])(
  'draws the pixels of the renderer of tiles, %s; isolated objects, too',
  async (mode) => {
    const renderer = useRenderer();
    const plain = stageOf(files);
    plain.tiles.displayActiveTiles = true;
    const stage = stageOf(files);
    const plugin = new OctreeTiles(new OctreeGroup());
    stage.tiles.registerPlugin(plugin);
    const suns = [plain, stage].map(({ scene }) => light(scene));
    const hasFeatures = mode !== 'alone';
    const batches = hasFeatures ? new StaticBatches(plugin.group) : null;
    const shadows = hasFeatures ? new ShadowUpdates(stage.scene, renderer, [plugin.group]) : null;
    const views = hasFeatures ? new ViewChanges(stage.scene, renderer, [plugin.group]) : null;
    const compare = (): number => {
      for (const each of [plain, stage]) step(each);
      batches?.finish();
      const expected = picture(renderer, plain.scene, plain.camera);
      const drawn = picture(renderer, stage.scene, stage.camera);
      expect(new Set(expected).size).toBeGreaterThan(20);
      return differing(expected, drawn);
    };
    for (const pose of POSES) {
      for (const each of [plain, stage]) {
        look(each, pose);
        await settle(each);
        castShadows(each);
      }
      for (const tile of plugin.group.children) plugin.group.reportMove(tile);
      // Batches bake vertices into the space of the group, so edges may move by a rounding.
      expect(compare()).toBeLessThanOrEqual(hasFeatures ? 8 : 0);
      expect(views?.changedIn(stage.camera) ?? true).toBe(true);
    }
    // What is hidden casts no shadow: in the other city, too, it is not drawn.
    const before = picture(renderer, stage.scene, stage.camera);
    plugin.isolate(houses.slice(0, 60).map(({ id }) => id));
    step(stage);
    const isolated = picture(renderer, stage.scene, stage.camera);
    expect(differing(before, isolated)).toBeGreaterThan(100);
    plugin.isolate(null);
    expect(compare()).toBeLessThanOrEqual(hasFeatures ? 8 : 0);
    expect(suns).toHaveLength(2);
    batches?.dispose();
    shadows?.dispose();
    views?.dispose();
    for (const { tiles } of [plain, stage]) tiles.dispose();
  },
);

it('keeps no geometry on the GPU of tiles that leave', async () => {
  const renderer = useRenderer();
  const stage = stageOf(files);
  const plugin = new OctreeTiles(new OctreeGroup());
  stage.tiles.registerPlugin(plugin);
  light(stage.scene);
  stage.tiles.lruCache.minSize = 0;
  const counts: string[] = [];
  for (let round = 0; round < 6; round++) {
    for (const [distance, size] of [
      [80, 5],
      [1500, 1],
    ]) {
      stage.tiles.lruCache.maxSize = size;
      look(stage, [0, 60, distance]);
      await settle(stage);
      picture(renderer, stage.scene, stage.camera);
    }
    counts.push(`${renderer.info.memory.geometries} ${plugin.group.children.length} ${plugin.objects.size}`);
  }
  expect(new Set(counts).size).toBe(1);
  stage.tiles.dispose();
});
