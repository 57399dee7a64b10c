/** From a scene by `writeTiles` through TilesRenderer to picks by `OctreeTiles`: what is hit is what the scene has. */

import { GLTFExtensionsPlugin } from '3d-tiles-renderer/plugins';
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import {
  BoxGeometry,
  ConeGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
} from 'three';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeTiles, type TileObject } from '../../src/three.ts';
import { objectsOf, writeTiles, type WriteTilesOptions } from '../../src/tiles/index.ts';
import { createRandom } from '../support/random.ts';
import { look, settle, stageOf } from '../support/tiles-renderers.ts';

afterAll(() => void vi.unstubAllGlobals());

const HOUSES = 200;
const TREES = 40;
const RAYS = 520;
const EDGE = 110;
/** To whole steps of this size positions in the tiles are rounded, or smaller ones. */
const GRID_STEP = 2 ** -8;

/** Houses of walls and a roof with a material each, on streets and at random; some share a wall or overlap. */
function town(): Scene {
  const random = createRandom(4);
  const walls = [0xccbbaa, 0x998877, 0xddddcc].map((color) => new MeshStandardMaterial({ color }));
  const roofs = [0x883322, 0x445566].map((color) => new MeshStandardMaterial({ color, flatShading: true }));
  const scene = new Scene();
  const place = (): number => random.between(-EDGE / 2, EDGE / 2);
  let last: Group | null = null;
  for (let k = 0; k < HOUSES; k++) {
    // A row with common walls, pairs that overlap, twins at one place, and others anywhere.
    const isInRow = k % 4 === 0;
    const isTwin = k % 10 === 9;
    const size = isInRow ? [4, 6] : [random.between(3, 8), random.between(3, 15)];
    const [width, height] = isTwin ? (last!.userData.size as number[]) : size;
    const house = new Group();
    // One material for all walls, or one for each.
    const wall = new Mesh(new BoxGeometry(width, height, width), k % 5 === 0 ? [...walls, ...walls] : walls[k % 3]);
    const roof = new Mesh(new ConeGeometry(width, 2, 4), roofs[k % 2]);
    wall.position.y = height / 2;
    roof.position.y = height + 1;
    // Names repeat.
    Object.assign(wall, { name: `Straße ${k % 100}`, userData: { id: `wall-${k}` } });
    Object.assign(roof, { name: 'roof', userData: { id: `roof-${k}` } });
    if (isInRow) house.position.set(k - HOUSES / 2, 0, 12);
    else house.position.set(place(), 0, place());
    if (!isInRow) house.rotation.y = random.between(0, 3);
    if (isTwin) house.rotation.copy(last!.rotation);
    if (isTwin || k % 7 === 1) house.position.copy(last!.position);
    if (!isTwin && k % 7 === 1) house.translateX(1);
    house.userData.size = [width, height];
    last = house;
    scene.add(house.add(wall, roof));
  }
  const trees = new InstancedMesh(new SphereGeometry(1.5, 8, 6), new MeshStandardMaterial({ color: 0x337733 }), TREES);
  Object.assign(trees, { name: 'tree', userData: { id: 'trees' } });
  for (let k = 0; k < TREES; k++) trees.setMatrixAt(k, new Matrix4().makeTranslation(place(), 2, place()));
  scene.add(trees);
  scene.updateMatrixWorld();
  return scene;
}

/** As a decoder with workers: what it decodes arrives in a later task. */
const LATE_DECODER: typeof MeshoptDecoder = {
  ...MeshoptDecoder,
  async decodeGltfBufferAsync(...args) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return MeshoptDecoder.decodeGltfBufferAsync(...args);
  },
};

/** The tiles of a scene, all of them shown in their finest form. */
async function shown(scene: Scene, options: WriteTilesOptions, meshoptDecoder = MeshoptDecoder) {
  const files = new Map<string, ArrayBuffer | object>();
  for await (const { path, bytes } of writeTiles(objectsOf(scene), { maxVertices: 1024, ...options }))
    files.set(
      path,
      path.endsWith('.json') ? (JSON.parse(new TextDecoder().decode(bytes)) as object) : bytes.slice().buffer,
    );
  const stage = stageOf(files);
  const plugin = new OctreeTiles(new OctreeGroup());
  stage.tiles.registerPlugin(new GLTFExtensionsPlugin({ meshoptDecoder }));
  stage.tiles.registerPlugin(plugin);
  stage.tiles.errorTarget = 0;
  look(stage, [0, 200, 1]);
  /** What was in the octree without an id in any frame. */
  let unnamed = 0;
  stage.tiles.addEventListener('update-after', () => {
    for (const { data } of plugin.objects) unnamed += Number(data.id === null);
  });
  await settle(stage);
  return { ...stage, plugin, unnamed };
}

/** Rays from above, from the streets, and along them. */
function rays(): Raycaster[] {
  const random = createRandom(9);
  const place = (): number => random.between(-EDGE / 2, EDGE / 2);
  return Array.from({ length: RAYS }, () => {
    const from = new Vector3(place(), random.pick([2, 40, 100]), place());
    return new Raycaster(from, new Vector3(place(), random.between(0, 10), place()).sub(from).normalize());
  });
}

interface Found {
  readonly name: string;
  readonly id: string;
  readonly distance: number;
}

/** What a ray hits first in a scene, if it hits anything. */
function foundIn(scene: Scene, raycaster: Raycaster): Found[] {
  return raycaster.intersectObject(scene).map(({ object, instanceId, distance }) => {
    const id = object.userData.id as string;
    return { name: object.name, id: instanceId === undefined ? id : `${id}/${instanceId}`, distance };
  });
}

/** The nearest hits of rays that pass a ray at a distance of at most a step of the grid; of equal ones all. */
function foundBeside(scene: Scene, { ray }: Raycaster, step: number): Found[][] {
  const shifts = [-step, 0, step];
  return shifts.flatMap((x) =>
    shifts.flatMap((y) =>
      shifts.map((z) => {
        const found = foundIn(scene, new Raycaster(new Vector3(x, y, z).add(ray.origin), ray.direction));
        return found.filter(({ distance }) => distance - found[0].distance <= step);
      }),
    ),
  );
}

type Named = Pick<TileObject, 'id' | 'name'>;
const keyOf = ({ id, name }: Named): string => `${id} ${name}`;
const keysIn = ({ objects }: OctreeTiles): string[] => [...new Set([...objects].map(({ data }) => keyOf(data)))].sort();

describe('tiles that writeTiles has written', () => {
  it.each<[string, WriteTilesOptions]>([
    ['as they are', {}],
    ['compressed and simplified by meshoptimizer', { encoder: MeshoptEncoder, simplifier: MeshoptSimplifier }],
  ])('are hit as the scene that they were written from: %s', async (_, options) => {
    // The renderer says that it does not know all of 3D Tiles 1.1.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const scene = town();
    const stage = await shown(scene, options);
    const { plugin, tiles } = stage;
    const all = [...new Set([...objectsOf(scene)].map(({ id, name = null }) => keyOf({ id, name })))].sort();
    expect(tiles.visibleTiles.size).toBeGreaterThan(5);
    expect(keysIn(plugin)).toEqual(all);

    const wrong: unknown[] = [];
    let hits = 0;
    let atEdges = 0;
    for (const raycaster of rays()) {
      const found = foundIn(scene, raycaster).at(0);
      const hit = plugin.raycastFirst(raycaster);
      hits += Number(hit !== null);
      if (hit !== null && found !== undefined && keyOf(hit) === keyOf(found)) {
        const cosine = Math.abs(hit.face!.normal.dot(raycaster.ray.direction));
        if (Math.abs(hit.distance - found.distance) * cosine > GRID_STEP) wrong.push([hit.distance, found]);
      } else if (hit !== null || found !== undefined) {
        // At an edge, or where objects touch: a ray beside it hits the same.
        atEdges++;
        const beside = foundBeside(scene, raycaster, GRID_STEP);
        const isBeside = beside.some((some) =>
          hit === null ? some.length === 0 : some.some((one) => keyOf(one) === keyOf(hit)),
        );
        if (!isBeside) wrong.push([hit && keyOf(hit), found]);
      }
    }
    expect(wrong).toEqual([]);
    expect(hits).toBeGreaterThan(0.7 * RAYS);
    expect(atEdges).toBeLessThan(0.03 * RAYS);

    // From far away the largest objects, by the same names.
    tiles.errorTarget = 1000;
    await settle(stage);
    expect(tiles.visibleTiles.size).toBe(1);
    expect(all).toEqual(expect.arrayContaining(keysIn(plugin)));
    expect(plugin.objects.size).toBeGreaterThan(10);
    tiles.dispose();
  });

  it('have names and ids in the frame in which they come, also if a decoder is late', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { plugin, tiles, unnamed } = await shown(
      town(),
      // In a large tile numbers of the table are compressed, too.
      { encoder: MeshoptEncoder, maxVertices: 16_384 },
      LATE_DECODER,
    );
    expect(plugin.objects.size).toBeGreaterThan(HOUSES);
    expect(unnamed).toBe(0);
    tiles.dispose();
  });
});
