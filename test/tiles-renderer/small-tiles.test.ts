// OctreeTiles with tiles of a few boxes, and an object in place of the renderer: what it does to the renderer, where
// its group is, and which of several equal hits it returns.

import {
  BoxGeometry,
  EventDispatcher,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { expect, it } from 'vitest';
import type { TileLike, TilesRendererLike } from '../../src/tiles-renderer/tiles-renderer.ts';
import { OctreeGroup, OctreeTiles } from '../../src/three.ts';

const box = new BoxGeometry();
const mesh = (x = 0): Mesh => new Mesh(box, new MeshBasicMaterial()).translateX(x);
const tileOf = (...meshes: Mesh[]): TileLike => ({
  geometricError: 0,
  engineData: { scene: new Group().add(...meshes), metadata: null },
});

class FakeTiles extends EventDispatcher<Record<string, object>> {
  readonly group = new Group();
  readonly visibleTiles = new Set<TileLike>();
  displayActiveTiles = false;
  autoDisableRendererCulling = true;

  setTileVisible(tile: TileLike, isVisible: boolean): void {
    const { scene } = tile.engineData;
    if (scene !== null && isVisible) this.group.add(scene);
  }
}

function stageOf(...shown: TileLike[]): { tiles: FakeTiles; plugin: OctreeTiles; scene: Scene; init: () => void } {
  const tiles = new FakeTiles();
  for (const tile of shown) tiles.visibleTiles.add(tile);
  const plugin = new OctreeTiles(new OctreeGroup());
  const init = (): void => plugin.init(tiles as unknown as TilesRendererLike);
  return { tiles, plugin, scene: new Scene().add(tiles.group), init };
}

/** A ray down at x. */
const down = (x: number, far = Infinity): Raycaster =>
  new Raycaster(new Vector3(x, 10, 0.1), new Vector3(0, -1, 0), 0, far);

it('sets what the renderer has to do while it is registered, and listens to it until then', () => {
  const { tiles, plugin, scene, init } = stageOf(tileOf(mesh()));
  expect(plugin.name).toBe('OCTREE_TILES_PLUGIN');
  plugin.dispose();
  init();
  expect([tiles.displayActiveTiles, tiles.autoDisableRendererCulling]).toEqual([true, false]);
  const events = ['load-model', 'update-before', 'update-after'];
  const listeners = (): number[] =>
    events.map((name) => (Reflect.get(tiles, '_listeners') as Record<string, unknown[]>)[name].length);
  expect(listeners()).toEqual([1, 1, 1]);
  for (const type of events.slice(1)) {
    plugin.group.removeFromParent();
    tiles.dispatchEvent({ type });
    expect([type, plugin.group.parent]).toEqual([type, scene]);
  }
  for (let k = 0; k < 2; k++) {
    plugin.dispose();
    expect(listeners()).toEqual([0, 0, 0]);
    expect([tiles.displayActiveTiles, tiles.autoDisableRendererCulling, plugin.group.parent]).toEqual([
      false,
      true,
      null,
    ]);
    expect(tiles.group.children.length).toBe(1);
    // Not its any more.
    tiles.displayActiveTiles = false;
  }
});

it('shows and hides tiles in any order, also those without content', () => {
  const { plugin, init } = stageOf();
  init();
  const empty = { geometricError: 0, engineData: { scene: null, metadata: null } } as TileLike;
  for (const isVisible of [true, false]) expect(plugin.setTileVisible(empty, isVisible)).toBe(true);
  const tiles = [0, 5, 10].map((x) => tileOf(mesh(x)));
  const sizes: number[] = [];
  const show = (k: number, isVisible: boolean): void => {
    plugin.setTileVisible(tiles[k], isVisible);
    sizes.push(plugin.group.children.length);
  };
  show(0, false);
  show(0, true);
  show(1, true);
  // Before its box is in the octree, and after.
  show(1, false);
  expect(plugin.objects.size).toBe(1);
  show(2, true);
  expect(plugin.objects.size).toBe(2);
  show(0, false);
  expect(plugin.objects.size).toBe(1);
  show(0, false);
  expect(sizes).toEqual([0, 1, 2, 1, 2, 1, 1]);
  expect(plugin.raycastFirst(down(10))).not.toBe(null);
  expect(plugin.raycastFirst(down(0))).toBe(null);
});

it.each([true, false])(
  'has its group and its boxes where the renderer has its own (matrixAutoUpdate: %s)',
  (isAuto) => {
    const tile = tileOf(mesh());
    tile.engineData.scene!.matrixAutoUpdate = isAuto;
    const { tiles, plugin, scene, init } = stageOf(tile);
    init();
    expect(plugin.raycastFirst(down(0))?.distance).toBeCloseTo(9.5, 9);
    scene.position.x = 20;
    tiles.group.position.set(1, 2, 0);
    expect(plugin.raycastFirst(down(0))).toBe(null);
    expect(plugin.raycastFirst(down(21))?.distance).toBeCloseTo(7.5, 9);
    tiles.group.matrixAutoUpdate = false;
    tiles.group.matrix.copy(new Matrix4().makeTranslation(3, 3, 0));
    expect(plugin.raycastFirst(down(23))?.distance).toBeCloseTo(6.5, 9);
    tiles.group.matrixAutoUpdate = true;
    expect(plugin.raycastFirst(down(21))?.distance).toBeCloseTo(7.5, 9);
    const other = new Scene().add(tiles.group);
    expect(plugin.raycastFirst(down(1))?.distance).toBeCloseTo(7.5, 9);
    expect(plugin.group.parent).toBe(other);
    // Without a scene it stays where it is.
    tiles.group.removeFromParent();
    expect(plugin.raycastFirst(down(1))?.distance).toBeCloseTo(7.5, 9);
    expect(plugin.group.parent).toBe(other);
  },
);

it.each([false, true])(
  'of equal hits returns that of the object that was made first (tiles reversed: %s)',
  (isReversed) => {
    const meshes = [mesh(), mesh(), mesh()];
    const { plugin, init } = stageOf(...(isReversed ? [2, 1, 0] : [0, 1, 2]).map((k) => tileOf(meshes[k])));
    init();
    const hit = plugin.raycastFirst(down(0.2))!;
    expect(hit.object).toBe(meshes[0]);
    expect(plugin.objectOf(hit)).toBe(hit.tileObject);
    expect(plugin.raycastFirst(down(0.2), { filter: (object) => object !== meshes[0] })?.object).toBe(meshes[1]);
    expect(plugin.raycastFirst(down(0.2, 9))).toBe(null);
  },
);

it('of equal hits of one mesh returns that of the first face', () => {
  const double = mesh();
  double.geometry = box.clone().setIndex([...box.index!.array, ...box.index!.array]);
  const { plugin, init } = stageOf(tileOf(double));
  init();
  // The raycast of a mesh may return its hits in any order.
  for (const isReversed of [false, true]) {
    double.raycast = (raycaster, hits) => {
      const own: typeof hits = [];
      Mesh.prototype.raycast.call(double, raycaster, own);
      hits.push(...(isReversed ? own.sort((a, b) => b.faceIndex! - a.faceIndex!) : own));
    };
    const all = down(0.2).intersectObject(double);
    const nearest = all.filter(({ distance }) => distance === all[0].distance);
    expect(nearest.length).toBe(2);
    const first = Math.min(...nearest.map(({ faceIndex }) => faceIndex!));
    expect(plugin.raycastFirst(down(0.2))?.faceIndex).toBe(first);
  }
});

it('returns the nearest of several objects that the ray enters', () => {
  // Boxes of rotated meshes begin before what is in them.
  const meshes = [mesh(), mesh(0.1)];
  meshes[0].rotation.z = Math.PI / 4;
  meshes[0].scale.setScalar(4);
  meshes[1].position.set(2.1, 2.2, 0);
  for (const order of [meshes, [meshes[1], meshes[0]]]) {
    const { plugin, init } = stageOf(...order.map((each) => tileOf(each)));
    init();
    const [expected] = down(2).intersectObjects(meshes);
    expect(plugin.raycastFirst(down(2))?.object).toBe(expected.object);
  }
});

it.each<[head: string, tail: string, call: (plugin: OctreeTiles) => unknown]>([
  ['OctreeTiles: group must be an OctreeGroup', 'pass new OctreeGroup()', () => new OctreeTiles({} as never)],
  ['OctreeTiles.objectOf: hit must', 'pass one of a raycaster', (plugin) => plugin.objectOf(7 as never)],
  ['OctreeTiles.isolate: ids must be', 'pass null to show all', (plugin) => plugin.isolate(new Uint8Array(2) as never)],
  ['OctreeTiles.isolate: ids must be', 'pass null to show all', (plugin) => plugin.isolate({} as never)],
  ['OctreeTiles.raycastFirst', 'raycaster', (plugin) => plugin.raycastFirst({} as never)],
])('wrong arguments: %s', (head, tail, call) => {
  const { plugin } = stageOf();
  expect(() => call(plugin)).toThrow(head);
  expect(() => call(plugin)).toThrow(tail);
});
