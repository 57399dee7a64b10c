// The city as it is loaded: a TilesRenderer of the package 3d-tiles-renderer, whose tiles an OctreeGroup draws. A new
// one begins with nothing.

import { TilesRenderer } from '3d-tiles-renderer';
import { GLTFExtensionsPlugin } from '3d-tiles-renderer/plugins';
import type { Box3, PerspectiveCamera } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import tilesetUrl from 'virtual:city-tiles';
import { OctreeGroup, OctreeTiles, type TileHit } from '../../../src/three.ts';
import type { View } from '../shared/stage.ts';
import type { CityFacts } from './facts.ts';
import { type CityTile, Holes } from './holes.ts';
import { paintHouses } from './paint.ts';
import { SlowLine } from './slow-line.ts';

/** What the types of 3d-tiles-renderer leave out. */
interface Untyped {
  readonly stats: Readonly<Record<'queued' | 'downloading' | 'parsing', number>>;
  readonly lruCache: { readonly itemSet: ReadonlySet<unknown>; readonly cachedBytes: number };
}

const PACKED = '.bin';
/** Files at a time: the first tile has the line for itself. */
const DOWNLOADS = { first: 1, later: 4 };
/** Share of the memory down to which tiles that are not in use are unloaded. */
const KEPT = 0.8;

export class CityStream {
  readonly plugin = new OctreeTiles(new OctreeGroup());
  readonly tiles = new TilesRenderer(tilesetUrl.slice(0, -PACKED.length));
  readonly line: SlowLine;
  /** Milliseconds from the start until a tile could be drawn, and bytes until then; NaN before. */
  first = { milliseconds: NaN, bytes: NaN };
  /** Frames since a tile is drawn, and those of them in which a part of the view had no tile. */
  frames = 0;
  holed = 0;
  private readonly start = performance.now();
  private readonly camera: PerspectiveCamera;
  private readonly holes = new Holes();

  /** @param rate Mbit/s. */
  constructor(rate: number, camera: PerspectiveCamera) {
    const { tiles, plugin } = this;
    this.line = new SlowLine(rate);
    this.camera = camera;
    tiles.downloadQueue.maxJobsPerOrigin = DOWNLOADS.first;
    tiles.registerPlugin(new GLTFExtensionsPlugin({ meshoptDecoder: MeshoptDecoder }));
    tiles.registerPlugin(plugin);
    tiles.registerPlugin({ fetchData: (url: string, options: RequestInit) => fetchPacked(url, options, this.line) });
    tiles.setCamera(camera);
    tiles.addEventListener('load-model', ({ scene }) => {
      paintHouses(scene);
      if (Number.isNaN(this.first.bytes))
        this.first = { milliseconds: performance.now() - this.start, bytes: this.line.bytes };
    });
  }

  /** Once per frame, after the camera has moved. */
  update(view: View, pixelRatio: number, { error, memory }: { readonly error: number; readonly memory: number }): void {
    const { tiles, camera } = this;
    tiles.errorTarget = error;
    const maxBytesSize = memory * 2 ** 20;
    Object.assign(tiles.lruCache, { maxBytesSize, minBytesSize: KEPT * maxBytesSize });
    tiles.setResolution(camera, Math.max(1, view.width * pixelRatio), Math.max(1, view.height * pixelRatio));
    tiles.update();
    if (this.frames === 0 && tiles.visibleTiles.size === 0) return;
    tiles.downloadQueue.maxJobsPerOrigin = DOWNLOADS.later;
    this.frames++;
    this.holed += Number(this.holes.hasOne(this.root, tiles.visibleTiles, camera));
  }

  /** The house under the pointer, with the box around it. */
  pick(event: PointerEvent, element: HTMLElement): { readonly hit: TileHit; readonly box: Box3 } | null {
    const { plugin, camera } = this;
    const hit = plugin.pick(event, camera, element);
    if (hit === null) return null;
    for (const { body } of plugin.objects.intersectSphere({ center: hit.point, radius: 0.1 }))
      if (body.data === hit.tileObject) return { hit, box: body.getBox() };
    return null;
  }

  /** Null until the tileset is loaded. */
  get root(): CityTile | null {
    return this.tiles.root as CityTile | null;
  }

  isShown(tile: CityTile): boolean {
    return (this.tiles.visibleTiles as ReadonlySet<unknown>).has(tile);
  }

  /** Tiles that are being loaded, and those in memory with their bytes. */
  get counts(): { readonly loading: number; readonly inMemory: number; readonly bytes: number } {
    const { stats, lruCache } = this.tiles as unknown as Untyped;
    const { queued, downloading, parsing } = stats;
    const loading = queued + downloading + parsing;
    return { loading, inMemory: lruCache.itemSet.size - loading, bytes: lruCache.cachedBytes };
  }

  dispose(): void {
    this.tiles.dispose();
    this.tiles.group.removeFromParent();
  }
}

/** What the page knows before it has loaded a tile. */
export async function fetchFacts(): Promise<CityFacts> {
  const url = new URL('facts.json', new URL(tilesetUrl, location.href)).href;
  return (await (await fetchPacked(url, {}, new SlowLine(Infinity))).json()) as CityFacts;
}

/** Loads a file as a host would send it, compressed. */
async function fetchPacked(url: string, options: RequestInit, line: SlowLine): Promise<Response> {
  const response = await fetch(url + PACKED, options);
  if (!response.ok) return response;
  const packed = await response.blob();
  await line.carry(packed.size, options.signal);
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip')));
}
