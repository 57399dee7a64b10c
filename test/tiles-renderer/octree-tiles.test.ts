import { Box3, Frustum, Matrix4, type Material, type Mesh, type Object3D, Raycaster, Vector3 } from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { nearest } from '../../src/index.ts';
import { OctreeGroup, OctreeTiles, StaticBatches, type TileObject } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { errorOf } from '../support/rejects.ts';
import { IS_LONG } from '../support/sampled.ts';
import { look, settle, stageOf, step, type Stage } from '../support/tiles-renderers.ts';
import { CITY_EDGE, housesOf, tilesetOf, type TilesetOptions } from '../support/tilesets.ts';

afterAll(() => void vi.unstubAllGlobals());

/** Rays of a comparison with the renderer's raycast, and flights to and fro: in `npm test` a sample. */
const RAYS = IS_LONG ? 200 : 40;
const FLIGHTS = IS_LONG ? 20 : 4;

const houses = housesOf(300);
const files = tilesetOf(houses);
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 400, height: 300 }) };

type City = Stage & { readonly plugin: OctreeTiles };

async function city(options?: TilesetOptions): Promise<City> {
  const stage = stageOf(options === undefined ? files : tilesetOf(houses, options));
  const plugin = new OctreeTiles(new OctreeGroup());
  stage.tiles.registerPlugin(plugin);
  look(stage, [0, 60, 80]);
  await settle(stage);
  return { ...stage, plugin };
}

/** Rays from above and from the streets. */
function rays(count: number): Raycaster[] {
  const random = createRandom(7);
  return Array.from({ length: count }, () => {
    const [x, z, toX, toZ] = Array.from({ length: 4 }, () => random.between(-CITY_EDGE / 2, CITY_EDGE / 2));
    const from = new Vector3(x, random.pick([2, 40, 100]), z);
    return new Raycaster(from, new Vector3(toX, random.between(0, 10), toZ).sub(from).normalize());
  });
}

/** What rays hit, by the plugin and by the renderer. */
function hitsOf({ tiles, plugin }: City, count: number): { ours: unknown[]; theirs: unknown[] } {
  const ours: unknown[] = [];
  const theirs: unknown[] = [];
  for (const raycaster of rays(count)) {
    const hit = plugin.raycastFirst(raycaster);
    const [expected] = raycaster.intersectObject(tiles.group);
    ours.push(hit && [hit.distance, hit.object.id, hit.faceIndex, hit.point, hit.name, hit.tile.content?.uri]);
    const object = expected && plugin.objectOf(expected);
    const { distance, faceIndex, point } = expected ?? {};
    theirs.push(
      expected === undefined
        ? null
        : [distance, expected.object.id, faceIndex, point, object?.name, object?.tile.content?.uri],
    );
  }
  expect(ours.filter((hit) => hit !== null).length).toBeGreaterThan(count / 4);
  return { ours, theirs };
}

/** The names of what rays hit, of what `hitsOf` returns. */
const namesAmong = (hits: readonly unknown[]): unknown[] => hits.map((hit) => (hit as unknown[] | null)?.[4]);

/** The names of all objects in the octree. */
const namesIn = ({ plugin }: City): string[] => [...plugin.objects].map(({ data }) => data.name!).sort();
const namesOf = (list: typeof houses): string[] => list.map(({ name }) => name).sort();

/** The boxes of the houses by name, walls and roofs. */
function boxOf({ x, z, width, height }: (typeof houses)[0]): Box3 {
  const half = Math.max(width / 2, width / 1.5);
  return new Box3(new Vector3(x - half, 0, z - half), new Vector3(x + half, height + 2, z + half));
}

describe('OctreeTiles', () => {
  it.each<[string, TilesetOptions, number]>([
    ['with tables', {}, houses.length],
    ['with quantized positions', { isQuantized: true }, houses.length],
    ['without tables, by meshes', { hasTables: false }, 8],
  ])('hits what the raycast of the renderer hits: tiles %s', async (_, options, count) => {
    const stage = await city(options);
    expect(stage.tiles.visibleTiles.size).toBe(4);
    expect(stage.plugin.objects.size).toBe(count);
    const { ours, theirs } = hitsOf(stage, RAYS);
    expect(ours).toEqual(theirs);
    // The place of the group is that of the group of the renderer.
    stage.tiles.group.position.set(30, 5, -20);
    stage.tiles.group.rotation.set(0.1, 1, 0);
    step(stage);
    const moved = hitsOf(stage, RAYS / 2);
    expect(moved.ours).toEqual(moved.theirs);
    expect(moved.ours).not.toEqual(ours.slice(0, RAYS / 2));
    // Rays see layer 0: nothing of the meshes that are on another one.
    let meshes = 0;
    stage.plugin.group.traverse((object) => {
      if ((object as Partial<Mesh>).isMesh && ++meshes % 2 === 0) object.layers.set(1);
    });
    const layered = hitsOf(stage, RAYS / 2);
    expect(layered.ours).toEqual(layered.theirs);
    expect(layered.ours).not.toEqual(moved.ours);
    stage.tiles.dispose();
  });

  it('hits what the raycast of the renderer hits if three-mesh-bvh takes the place of the raycast of meshes', async () => {
    const stage = await city();
    const { ours } = hitsOf(stage, RAYS);
    stage.plugin.group.traverse((object) => {
      const { geometry } = object as Mesh;
      if (geometry === undefined) return;
      Object.assign(geometry, { boundsTree: new MeshBVH(geometry, { indirect: true }) });
      object.raycast = acceleratedRaycast;
    });
    const fast = hitsOf(stage, RAYS);
    expect(fast.ours).toEqual(fast.theirs);
    expect(namesAmong(fast.ours)).toEqual(namesAmong(ours));
    stage.tiles.dispose();
  });

  it('names what is under a pointer', async () => {
    const stage = await city();
    const house = houses.find(({ x, z }) => Math.hypot(x, z) < 15)!;
    look(stage, [house.x + 1, 90, house.z + 1], [house.x + 1, 0, house.z + 1.001]);
    await settle(stage);
    const hit = stage.plugin.pick({ clientX: 200, clientY: 150 }, stage.camera, element)!;
    expect(hit).toMatchObject({ name: house.name, id: house.id });
    expect(hit.tileObject.get('height')).toBeCloseTo(house.height, 5);
    expect(hit.tileObject.get('ID')).toBe(house.id);
    expect(hit.tileObject.get('nothing')).toBeNull();
    expect(hit.tile.content?.uri).toMatch(/^[0-3]\.glb$/);
    expect(stage.plugin.pick({ clientX: -1, clientY: 150 }, stage.camera, element)).toBeNull();
    stage.tiles.dispose();
  });

  it('holds the objects of shown tiles in an octree in world units', async () => {
    const stage = await city();
    expect(namesIn(stage)).toEqual(namesOf(houses));
    const box = new Box3(new Vector3(-20, 0, -20), new Vector3(20, 30, 20));
    const found = stage.plugin.objects.intersectBox(box).map(({ body }) => body.data.name!);
    const inside = houses.filter((house) => boxOf(house).intersectsBox(box));
    expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(found));
    expect(found.length).toBeGreaterThan(5);
    const [record] = nearest(stage.plugin.objects, { x: houses[3].x, y: 1, z: houses[3].z }, 1);
    expect(record.body.data.id).toBe(houses[3].id);
    expect((errorOf(() => (stage.plugin.objects as unknown as { clear(): void }).clear()) as Error).message).toContain(
      'read-only',
    );
    stage.tiles.dispose();
  });

  it('follows the tiles of some flights, and keeps nothing of those that leave', async () => {
    const stage = await city();
    const { tiles, plugin } = stage;
    const living = new Set<object>();
    let disposed = 0;
    tiles.addEventListener('load-model', ({ scene }: { scene: Object3D }) =>
      scene.traverse((object) => {
        const { geometry, material } = object as Mesh;
        for (const resource of [geometry, material as Material])
          if ((resource as unknown) !== undefined) {
            living.add(resource);
            resource.addEventListener('dispose', () => {
              living.delete(resource);
              disposed++;
            });
          }
      }),
    );
    tiles.lruCache.minSize = 0;
    const states: unknown[] = [];
    for (let round = 0; round < FLIGHTS; round++) {
      // Near: four fine tiles. Far away: the coarse one, and the cache drops the others.
      tiles.lruCache.maxSize = 5;
      look(stage, [0, 60, 80]);
      await settle(stage);
      expect(namesIn(stage)).toEqual(namesOf(houses));
      expect(plugin.group.children).toHaveLength(4);
      look(stage, [0, 60, 1500]);
      tiles.lruCache.maxSize = 1;
      await settle(stage);
      expect(plugin.group.children).toHaveLength(1);
      expect(namesIn(stage)).toEqual(namesOf(houses));
      states.push([living.size, plugin.objects.size, tiles.group.children.length]);
    }
    expect(disposed).toBeGreaterThanOrEqual((FLIGHTS - 1) * 4 * 4);
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
    tiles.dispose();
    expect(plugin.objects.size).toBe(0);
    expect(plugin.group.children).toHaveLength(0);
  });

  it.each([false, true])('isolates ids in shown tiles and in those that come; batches: %s', async (hasBatches) => {
    const stage = await city();
    const { plugin, tiles, scene } = stage;
    const batches = hasBatches ? new StaticBatches(plugin.group) : null;
    batches?.finish();
    const whole = hitsOf(stage, RAYS).ours;
    const ids = new Set(houses.filter((_, k) => k % 3 === 0).map(({ id }) => id));
    const check = (): void => {
      scene.updateMatrixWorld();
      const drawn = new Set<TileObject>();
      plugin.group.traverse((object) => {
        const { geometry, visible } = object as Mesh;
        if ((geometry as unknown) === undefined || !visible) return;
        const { count } = geometry.drawRange;
        for (let at = 0; at < Math.min(count, geometry.index!.count); at++) {
          const face = { a: geometry.index!.getX(at) };
          drawn.add(plugin.objectOf({ object, face } as never)!);
        }
      });
      expect([...new Set(Array.from(drawn, ({ id }) => id as string))].sort()).toEqual([...ids].sort());
      const { ours, theirs } = hitsOf(stage, RAYS);
      expect(ours).toEqual(theirs);
      for (const hit of ours)
        if (hit !== null) expect(ids.has(houses.find(({ name }) => name === (hit as string[])[4])!.id)).toBe(true);
    };
    plugin.isolate(ids);
    check();
    // A tile with none of them.
    const all = [...ids];
    for (const id of all) if (houses.find((house) => house.id === id)!.x > 0) ids.delete(id);
    plugin.isolate(ids);
    check();
    look(stage, [0, 60, 1500]);
    await settle(stage);
    expect(tiles.visibleTiles.size).toBe(1);
    check();
    look(stage, [0, 60, 80]);
    await settle(stage);
    plugin.isolate(null);
    step(stage);
    expect(hitsOf(stage, RAYS).ours).toEqual(whole);
    batches?.dispose();
    tiles.dispose();
  });

  it('shows every house of the view in each frame of a flight, on a slow line and with little memory', async () => {
    // One file at a time, some frames each.
    let line = Promise.resolve();
    const wait = (): Promise<void> =>
      (line = line.then(async () => {
        for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => setTimeout(resolve, 0));
      }));
    const stage = stageOf(files, wait);
    const { tiles, camera } = stage;
    const plugin = new OctreeTiles(new OctreeGroup());
    tiles.registerPlugin(plugin);
    look(stage, [0, 60, 80]);
    while (tiles.visibleTiles.size === 0) await settle(stage);
    // Three quarters of the five tiles.
    Object.assign(tiles.lruCache, {
      minSize: 0,
      maxBytesSize:
        0.75 *
        [...files.values()].reduce<number>((sum, file) => sum + ((file as Partial<ArrayBuffer>).byteLength ?? 0), 0),
    });
    const frustum = new Frustum();
    const shownTiles = new Set<number>();
    let holes = 0;
    for (let frame = 0; frame < 150; frame++) {
      const angle = frame / 12;
      const radius = 40 + 600 * (0.5 + 0.5 * Math.sin(frame / 17)) ** 4;
      look(stage, [radius * Math.cos(angle), 30, radius * Math.sin(angle)]);
      step(stage);
      shownTiles.add(tiles.visibleTiles.size);
      frustum.setFromProjectionMatrix(
        new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
      );
      const names = new Set([...plugin.objects].map(({ data }) => data.name));
      for (const house of houses)
        if (!names.has(house.name) && frustum.containsPoint(new Vector3(house.x, house.height / 2, house.z))) holes++;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(shownTiles.size).toBeGreaterThan(1);
    expect(holes).toBe(0);
    tiles.dispose();
  });

  it('can be registered late, and gives the tiles back', async () => {
    const stage = stageOf(files);
    const { tiles } = stage;
    look(stage, [0, 60, 80]);
    await settle(stage);
    const plugin = new OctreeTiles(new OctreeGroup());
    expect(plugin.raycastFirst(rays(1)[0])).toBeNull();
    tiles.registerPlugin(plugin);
    await settle(stage);
    expect(plugin.group.parent).toBe(stage.scene);
    expect(tiles.group.children).toHaveLength(0);
    expect(plugin.objects.size).toBe(houses.length);
    expect(plugin.objects.bodyAt(0).data.name).toMatch(/^Straße/);
    plugin.isolate(['id-1']);
    tiles.unregisterPlugin(plugin);
    expect(tiles.group.children).toHaveLength(4);
    expect([tiles.displayActiveTiles, tiles.autoDisableRendererCulling, plugin.group.parent]).toEqual([
      false,
      true,
      null,
    ]);
    expect(plugin.objects.size).toBe(0);
    tiles.group.traverse((object) => expect(object.visible).toBe(true));
    tiles.dispose();
  });

  it('gives back whole tiles, also those that have left while a few objects were isolated', async () => {
    const stage = await city();
    const { tiles, plugin } = stage;
    const scenes = [...plugin.shown.keys()];
    const drawn = (): number[] =>
      scenes.map((scene) => {
        let indices = 0;
        scene.traverse((object) => {
          const { geometry, visible } = object as Mesh;
          if (geometry !== undefined && visible) indices += Math.min(geometry.drawRange.count, geometry.index!.count);
        });
        return indices;
      });
    const whole = drawn();
    plugin.isolate(['id-1']);
    expect(Math.min(...drawn())).toBe(0);
    look(stage, [0, 60, 1e5], [0, 60, 2e5]);
    await settle(stage);
    expect(plugin.shown.size).toBe(0);
    tiles.unregisterPlugin(plugin);
    expect(drawn()).toEqual(whole);
    tiles.dispose();
  });

  it('takes the matrix of a group that has no position', async () => {
    const stage = await city();
    stage.tiles.group.matrixAutoUpdate = false;
    stage.tiles.group.matrix.copy(new Matrix4().makeShear(0, 0, 0.5, 0, 0, 0));
    stage.tiles.group.matrixWorldNeedsUpdate = true;
    step(stage);
    const { ours, theirs } = hitsOf(stage, RAYS / 2);
    expect(ours).toEqual(theirs);
    stage.tiles.dispose();
  });

  it('says what is wrong with an argument', async () => {
    const stage = await city();
    expect(() => new OctreeTiles({} as never)).toThrow('OctreeTiles: group must be an OctreeGroup');
    expect(() => stage.plugin.isolate(7 as never)).toThrow('OctreeTiles.isolate: ids must be ids in an array');
    expect(() => stage.plugin.isolate('id-1' as never)).toThrow('OctreeTiles.isolate: ids must be ids in an array');
    expect(() => stage.plugin.raycastFirst(new Raycaster(), { filter: 1 as never })).toThrow(
      'filter must be a function',
    );
    stage.tiles.dispose();
  });
});
