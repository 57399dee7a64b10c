/**
 * A plugin of the package 3d-tiles-renderer: the renderer loads tiles and chooses them, an `OctreeGroup` draws them,
 * and an octree holds the objects in them.
 */

import { Matrix4, type Camera, type Intersection, type Object3D, type Raycaster } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { requireObject, throwType } from '../octree/input/input-checks.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import { BulkMove } from '../tree/update/move.ts';
import { createContainerOctree } from '../three-math/container-octree.ts';
import type { ReadOnlyOctree } from '../three-math/octree.ts';
import { requireGroup, type OctreeGroup } from '../three/group/octree-group.ts';
import { pick, type PickOptions } from '../three/picking/pick.ts';
import type { Pickable, RaycastOptions } from '../three/picking/pickable.ts';
import { canHit, isInRange, filterOf } from '../three/picking/raycast-checks.ts';
import type { ElementLike, PointerLike } from '../three/picking/screen.ts';
import { TileObjects, type TileObject } from './tile-objects.ts';
import type { TileLike, TilesRendererLike } from './tiles-renderer.ts';

/** A hit of `OctreeTiles`: that of three, and the object in the tile. */
export interface TileHit extends Intersection {
  /** The tile that is hit. */
  readonly tile: TileLike;
  /** What is hit in it. */
  readonly tileObject: TileObject;
  /** As of `tileObject`. */
  readonly name: string | null;
  /** As of `tileObject`. */
  readonly id: string | number | null;
}

const WHERE = 'OctreeTiles';
const KEEPER = 'the octree of an OctreeTiles is read-only; the renderer adds and removes tiles';

/**
 * Draws the tiles of a `TilesRenderer` (3D Tiles, package 3d-tiles-renderer) by an `OctreeGroup`, and keeps an octree
 * of the objects in them: a city that is larger than memory is picked, queried and filtered by its houses.
 *
 * - **Objects.** Tiles that `writeTiles` has written hold many objects, merged by material, with a row each in a table
 *   of names and ids. So do others with `EXT_mesh_features` and `EXT_structural_metadata`. In tiles without tables each
 *   mesh is an object without a name. Points, lines, instanced and skinned meshes are hit by rays, and in no query.
 * - **Which tile.** Several tiles may have an object: one fine, others coarse. Shown is one of them, and only objects
 *   of shown tiles are in the octree. An object that stands in two tiles has the same id in both.
 * - **The group** is for the tiles of one renderer. It is placed beside `tiles.group`, which must stay in the scene,
 *   and takes its position, rotation and scale in each `tiles.update()`. Batches, shadow updates, view changes and the
 *   like are created for the group, as for any other.
 * - **The renderer.** The plugin sets its `displayActiveTiles` to true, because tiles out of view cast shadows and are
 *   picked, and `autoDisableRendererCulling` to false, because the group culls. What else it offers stays: plugins,
 *   events, its raycast.
 *
 * Cost: a tile that is loaded is read once, a walk over its triangles. A tile that enters costs an insert of its
 * objects, one that leaves a removal. A pick tests the triangles of the objects whose boxes the ray enters before the
 * hit, in place of those of whole tiles.
 *
 * @example
 * ```ts
 * import { TilesRenderer } from '3d-tiles-renderer';
 * import { OctreeGroup, OctreeTiles } from 'scene-octree/three';
 *
 * const tiles = new TilesRenderer('city/tileset.json');
 * const plugin = new OctreeTiles(new OctreeGroup());
 * tiles.registerPlugin(plugin);
 * tiles.setCamera(camera);
 * scene.add(tiles.group); // and beside it plugin.group
 * canvas.addEventListener('click', (event) => {
 *   const hit = plugin.pick(event, camera, canvas);
 *   if (hit !== null) console.log(hit.name, hit.id, hit.point);
 * });
 * ```
 */
export class OctreeTiles {
  /** By which the renderer finds the plugin: `tiles.getPluginByName`. */
  readonly name = 'OCTREE_TILES_PLUGIN';
  /** What draws the tiles. */
  readonly group: OctreeGroup;
  /** @internal */
  readonly octree: ReadOnlyOctree<TileObject> = createContainerOctree({}, KEEPER);
  private tiles: TilesRendererLike | null = null;
  private settings: Pick<TilesRendererLike, 'displayActiveTiles' | 'autoDisableRendererCulling'> | null = null;
  /** The objects of loaded tiles, by the scene of the tile. */
  private readonly byScene = new WeakMap<Object3D, TileObjects>();
  /** @internal The tiles that are shown, by their scene. */
  readonly shown = new Map<Object3D, TileObjects>();
  /** @internal Those of them whose objects are not in the octree yet. */
  readonly entering = new Set<TileObjects>();
  /** What `isolate` shows. */
  private ids: ReadonlySet<unknown> | null = null;
  /** @internal The world matrix of the group for which the boxes in the octree are right. */
  readonly placed = new Matrix4();

  /**
   * @param group Draws the tiles of one renderer, and nothing else.
   * @throws {TypeError} If it is not an OctreeGroup.
   */
  constructor(group: OctreeGroup) {
    requireGroup('OctreeTiles', group, 'pass new OctreeGroup()');
    this.group = group;
  }

  /**
   * The octree of the objects in shown tiles, for queries in world units: what is in a box, near a point, under a
   * rectangle. The data of a body is a `TileObject`. It is read-only. Do not keep it from frame to frame: reading the
   * property brings the boxes up to date.
   */
  get objects(): ReadOnlyOctree<TileObject> {
    this.place();
    return this.octree;
  }

  /**
   * The nearest object under a pointer, tested against triangles; null if there is none. As `pick` of a group, and the
   * arguments are those of it. Cost: one ray query, and the triangles of the objects whose boxes the ray enters before
   * the hit.
   *
   * @throws As `pick`.
   */
  pick(pointer: PointerLike, camera: Camera, element: ElementLike, options?: PickOptions): TileHit | null {
    // All that `pick` uses of a container; this octree has no bodies of Object3D.
    const container = {
      octree: null,
      raycastFirst: (raycaster: Raycaster, given?: RaycastOptions) => this.raycastFirst(raycaster, given),
    };
    return pick(pointer, camera, element, container as unknown as Pickable, options) as TileHit | null;
  }

  /**
   * The nearest hit of a ray, or null: the first of `raycaster.intersectObject(tiles.group)`, with its object.
   *
   * @param options As of `OctreeGroup.raycastFirst`.
   * @throws {TypeError} If the raycaster is not a Raycaster, or the filter not a function, or an option is unknown.
   * @throws {RangeError} If the ray has no direction or holds a NaN.
   */
  raycastFirst(raycaster: Raycaster, options: RaycastOptions = {}): TileHit | null {
    const where = 'OctreeTiles.raycastFirst';
    const filter = filterOf(where, options);
    if (!canHit(where, raycaster)) return null;
    this.place();
    const { octree } = this;
    const { ray } = raycaster;
    let nearest: TileHit | null = null;
    let distance = raycaster.far;
    /** Whether the ray hits an object before the nearest hit so far. */
    const test = (object: TileObject): boolean => {
      const hits: Intersection[] = [];
      object.raycast(raycaster, hits);
      let isHit = false;
      for (const hit of hits) {
        if (!isBefore(hit, nearest) || !filter(hit.object, hit.instanceId, hit)) continue;
        isHit = true;
        const { tile, name, id } = object;
        nearest = { ...hit, tileObject: object, tile, name, id };
        distance = hit.distance;
      }
      return isHit;
    };
    for (const { unbounded } of this.shown.values()) unbounded.forEach(test);
    const inBoxes = isInRange(ray) ? octree : null;
    const first = inBoxes?.firstHit(ray, { far: distance, filter: ({ data }) => test(data) }) ?? null;
    if (inBoxes === null || first === null) return nearest;
    // The ray may enter further objects before it reaches that hit, and these may have a nearer one.
    const entered = new IndexList();
    inBoxes.collectRay(ray, entered, { near: Math.min(first.distance, distance), far: distance });
    for (const index of entered) if (index !== first.body.index) test(octree.dataAt(index));
    return nearest;
  }

  /**
   * The object of a hit of three, such as one of `raycaster.intersectObject(tiles.group)`. Null if it is in no tile
   * that is shown.
   *
   * @throws {TypeError} If it is no object.
   */
  objectOf(hit: Intersection): TileObject | null {
    requireObject('OctreeTiles.objectOf', 'hit', hit, 'pass one of a raycaster');
    for (const objects of this.shown.values()) {
      const object = objects.objectOf(hit);
      if (object !== undefined) return object;
    }
    return null;
  }

  /**
   * Shows the objects with these ids only, in place of those of the last call, also in tiles that are shown later.
   * Others are neither drawn nor hit, and cast no shadow; they stay in `objects`. Meshes without a table are hidden,
   * too.
   *
   * Cost: per tile that is shown, all of its ids and indices.
   *
   * @param ids As in the tables: a text and a number are different ids, and null is that of objects without one. Null
   *   in place of ids shows all again.
   * @throws {TypeError} If it is neither iterable nor null. Then nothing changes.
   */
  isolate(ids: Iterable<string | number | null> | null): this {
    if (
      ids !== null &&
      (typeof ids !== 'object' || typeof ids[Symbol.iterator] !== 'function' || ArrayBuffer.isView(ids))
    )
      throwType('OctreeTiles.isolate', 'ids', 'be ids in an array, or another iterable', ids, 'pass null to show all');
    this.ids = ids === null ? null : new Set<unknown>(ids);
    for (const objects of this.shown.values()) this.show(objects);
    return this;
  }

  /** The renderer calls it when the plugin is registered. */
  init(tiles: TilesRendererLike): void {
    const { displayActiveTiles, autoDisableRendererCulling } = tiles;
    this.tiles = tiles;
    this.settings = { displayActiveTiles, autoDisableRendererCulling };
    tiles.displayActiveTiles = true;
    tiles.autoDisableRendererCulling = false;
    tiles.addEventListener('load-model', this.onLoad);
    tiles.addEventListener('update-before', this.onUpdate);
    tiles.addEventListener('update-after', this.onUpdate);
    for (const tile of tiles.visibleTiles) this.enter(tile);
  }

  /** The renderer calls it to show or hide a tile. */
  setTileVisible(tile: TileLike, isVisible: boolean): boolean {
    const { scene } = tile.engineData;
    if (!isVisible && scene !== null) this.leave(scene);
    // Adds the scene to its own group, and sends its event.
    this.tiles!.setTileVisible(tile, isVisible);
    if (isVisible) this.enter(tile);
    return true;
  }

  /** Gives the tiles back to the renderer, which calls it when the plugin is unregistered. */
  dispose(): void {
    const { tiles, settings } = this;
    if (tiles === null || settings === null) return;
    this.isolate(null);
    tiles.removeEventListener('load-model', this.onLoad);
    tiles.removeEventListener('update-before', this.onUpdate);
    tiles.removeEventListener('update-after', this.onUpdate);
    for (const scene of this.shown.keys()) {
      this.leave(scene);
      tiles.group.add(scene);
    }
    Object.assign(tiles, settings);
    this.group.removeFromParent();
    this.tiles = null;
  }

  private readonly onLoad = ({ tile }: { readonly tile?: TileLike }): void => void this.objectsOf(tile!);
  private readonly onUpdate = (): void => {
    this.place();
    this.octree.internals.updateWithoutCounts();
  };

  /** Null if the tile has no content. */
  private objectsOf(tile: TileLike): TileObjects | null {
    const { scene } = tile.engineData;
    if (scene === null) return null;
    let objects = this.byScene.get(scene);
    if (objects === undefined) {
      scene.updateMatrixWorld(true);
      objects = new TileObjects(tile, scene);
      this.byScene.set(scene, objects);
    }
    return objects;
  }

  private enter(tile: TileLike): void {
    const objects = this.objectsOf(tile);
    if (objects === null) return;
    const { scene } = objects;
    this.group.addTree(scene, { isStatic: true });
    this.shown.set(scene, objects);
    this.entering.add(objects);
    this.show(objects);
    // A tile may be shown in the same task in which it was loaded, before its table.
    if (!objects.isLoaded) void objects.loaded.then(() => this.shown.get(scene) === objects && this.show(objects));
  }

  private leave(scene: Object3D): void {
    const objects = this.shown.get(scene);
    if (objects === undefined) return;
    this.shown.delete(scene);
    this.group.remove(scene);
    // The renderer may show it without the plugin.
    objects.show(null);
    if (!this.entering.delete(objects)) this.octree.internals.store.removeMany(objects.bodies);
  }

  private show(objects: TileObjects): void {
    for (const mesh of objects.show(this.ids)) this.group.reportMove(mesh);
  }

  /** Brings the group to the place of the renderer's, and the boxes of all objects to theirs. */
  private place(): void {
    const { tiles, group, placed, entering } = this;
    if (tiles === null) return;
    const { parent, matrixAutoUpdate, matrix, position, quaternion, scale } = tiles.group;
    if (parent !== null && group.parent !== parent) parent.add(group);
    group.position.copy(position);
    group.quaternion.copy(quaternion);
    group.scale.copy(scale);
    group.matrixAutoUpdate = matrixAutoUpdate;
    if (!matrixAutoUpdate) group.matrix.copy(matrix);
    group.updateWorldMatrix(true, false, true);
    const { store } = this.octree.internals;
    if (!placed.equals(group.matrixWorld)) {
      placed.copy(group.matrixWorld);
      for (const objects of this.shown.values())
        if (!entering.has(objects))
          store.moveMany(WHERE, new BulkMove(objects.bodies, objects.readBoxes(), BOX_STRIDE));
    }
    for (const objects of entering) {
      const { inBoxes: data } = objects;
      const bulk = { count: data.length, stride: BOX_STRIDE, isSphere: false, isStatic: true, data, masks: -1 };
      objects.bodies = store.addMany(WHERE, objects.readBoxes(), bulk);
    }
    entering.clear();
  }
}

/** Whether a hit is before another; of equal distances the one that the renderer's raycast tests first in a tile. */
function isBefore(hit: Intersection, other: Intersection | null): boolean {
  if (other === null || hit.distance !== other.distance) return !(hit.distance >= (other?.distance ?? Infinity));
  return hit.object === other.object ? (hit.faceIndex ?? 0) < (other.faceIndex ?? 0) : hit.object.id < other.object.id;
}
