/**
 * Flights over the tiles of a city on a line of limited speed and with too little memory: frames in which a part of the
 * view has no tile. `npm run bench -- --tile-flights --data path`. Time is that of the flight: each frame is a 60th of
 * a second, in which the line passes what its speed allows, however long the machine takes. And how long tiles take to
 * enter: tile-entries.ts.
 */

import { LRUCache, TilesRenderer } from '3d-tiles-renderer';
import { GLTFExtensionsPlugin } from '3d-tiles-renderer/plugins';
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import { PerspectiveCamera, Scene } from 'three';
import { type CityTile, Holes } from '../../examples/src/tiles/holes.ts';
import { OctreeGroup, OctreeTiles } from '../../src/three.ts';
import { writeTiles } from '../../src/tiles/index.ts';
import { measureEntries } from './tile-entries.ts';
import { readCity } from './tiles.ts';

const FOLDER = 'http://files.test/city/';
const FRAMES = 4000;
const FRAMES_PER_SECOND = 60;
const LATENCY_FRAMES = 2;
/** Metres above the ground, and metres per second. */
const FLIGHTS = [
  [2, 12],
  [30, 50],
  [150, 150],
  [150, 400],
] as const;
/** Turns of the view per second. */
const TURNS = 0.05;
const LINES = [
  { rate: 50, memory: 1 },
  { rate: 50, memory: 0.75 },
  { rate: 5, memory: 0.75 },
];

/** A line that files share: in each frame some bytes pass, of the files in turn. */
class Line {
  bytes = 0;
  private readonly perFrame: number;
  private readonly waiting: { left: number; latency: number; done: () => void }[] = [];

  /** @param rate Mbit/s. */
  constructor(rate: number) {
    this.perFrame = (rate * 1e6) / 8 / FRAMES_PER_SECOND;
  }

  carry(bytes: number): Promise<void> {
    return new Promise((done) => this.waiting.push({ left: bytes, latency: LATENCY_FRAMES, done }));
  }

  frame(): void {
    const { waiting } = this;
    let room = this.perFrame;
    const moving = waiting.filter((file) => file.latency-- <= 0);
    while (room > 0 && moving.length > 0) {
      const share = room / moving.length;
      for (const file of moving.splice(0)) {
        const passed = Math.min(share, file.left);
        file.left -= passed;
        room -= passed;
        this.bytes += passed;
        if (file.left > 0) moving.push(file);
        else {
          waiting.splice(waiting.indexOf(file), 1);
          file.done();
        }
      }
      if (room < 1) break;
    }
  }
}

interface Figures {
  frames: number;
  holed: number;
  /** Frames with a tile that is coarser than asked for. */
  coarse: number;
  bytes: number;
  /** Most bytes in the cache. */
  peak: number;
}

/** Flies over the tiles. @param maxBytes The memory for tiles; Infinity: none but those in use are kept. */
async function fly(files: ReadonlyMap<string, Uint8Array>, rate: number, maxBytes: number): Promise<Figures> {
  const line = new Line(rate);
  const tiles = new TilesRenderer(`${FOLDER}tileset.json`);
  const { unloadPriorityCallback } = tiles.lruCache;
  const cache = Object.assign(new LRUCache(), { minSize: 0, maxSize: Infinity, minBytesSize: 0 });
  Object.assign(tiles, { lruCache: cache });
  Object.assign(cache, { unloadPriorityCallback, maxBytesSize: maxBytes });
  if (maxBytes < Infinity) cache.minBytesSize = 0.8 * maxBytes;
  tiles.downloadQueue.maxJobsPerOrigin = 4;
  const plugin = new OctreeTiles(new OctreeGroup());
  tiles.registerPlugin(new GLTFExtensionsPlugin({ meshoptDecoder: MeshoptDecoder }));
  tiles.registerPlugin(plugin);
  tiles.registerPlugin({
    async fetchData(url: string) {
      const file = files.get(url.slice(FOLDER.length))!;
      await line.carry(file.length);
      return url.endsWith('.json') ? (JSON.parse(new TextDecoder().decode(file)) as object) : file.slice().buffer;
    },
  });
  let failure: Error | null = null;
  tiles.addEventListener('load-error', ({ error }) => (failure = error));
  const camera = new PerspectiveCamera(60, 16 / 9, 0.5, 20_000);
  const scene = new Scene().add(tiles.group, camera);
  tiles.setCamera(camera);
  tiles.setResolution(camera, 1920, 1080);
  const holes = new Holes();
  const figures: Figures = { frames: 0, holed: 0, coarse: 0, bytes: 0, peak: 0 };
  const { stats } = tiles as unknown as { stats: Record<'parsing' | 'downloading' | 'queued', number> };
  const frame = async (): Promise<void> => {
    if (failure !== null) throw failure;
    scene.updateMatrixWorld();
    tiles.update();
    line.frame();
    // What has arrived is parsed before the next frame.
    do await new Promise((resolve) => setTimeout(resolve, 0));
    while (stats.parsing > 0);
  };
  place(camera, { x: 0, y: 0, half: 1 }, 0, FLIGHTS[0]);
  while (tiles.visibleTiles.size === 0) await frame();
  const root = tiles.root as unknown as CityTile;
  const [x, y, , halfX, , , , halfY] = root.boundingVolume.box;
  const city = { x, y, half: Math.min(halfX, halfY) };
  for (let k = 0; k < FRAMES; k++) {
    const flight = FLIGHTS[Math.floor((k * FLIGHTS.length) / FRAMES)];
    place(camera, city, k, flight);
    await frame();
    figures.frames++;
    figures.holed += Number(holes.hasOne(root, tiles.visibleTiles, camera));
    figures.coarse += Number(stats.downloading + stats.queued > 0);
    figures.peak = Math.max(figures.peak, (cache as unknown as { cachedBytes: number }).cachedBytes);
  }
  figures.bytes = line.bytes;
  tiles.dispose();
  return figures;
}

interface City {
  readonly x: number;
  readonly y: number;
  readonly half: number;
}

/** Along a circle around the middle of the city, while the view turns. */
function place(
  camera: PerspectiveCamera,
  { x, y, half }: City,
  frame: number,
  [height, speed]: (typeof FLIGHTS)[number],
): void {
  const radius = 0.45 * half;
  const angle = (frame * speed) / FRAMES_PER_SECOND / radius;
  const look = (2 * Math.PI * TURNS * frame) / FRAMES_PER_SECOND;
  // The y of a tileset is -z in a scene.
  camera.position.set(x + radius * Math.cos(angle), height, -y + radius * Math.sin(angle));
  camera.rotation.set(-0.1, look, 0, 'YXZ');
  camera.updateMatrixWorld();
}

/** Writes a city, and prints the figures of the flights. */
export async function runTileFlights(path: string, count: number): Promise<void> {
  const missing = {
    self: globalThis,
    window: { location: { href: FOLDER } },
    requestAnimationFrame: (callback: () => void) => setTimeout(callback, 0),
    cancelAnimationFrame: clearTimeout,
  };
  for (const [name, value] of Object.entries(missing)) if (!(name in globalThis)) Reflect.set(globalThis, name, value);
  const files = new Map<string, Uint8Array>();
  const objects = readCity(path, count);
  for await (const { path: file, bytes } of writeTiles(objects, {
    encoder: MeshoptEncoder,
    simplifier: MeshoptSimplifier,
  }))
    files.set(file, bytes);
  console.log(`${objects.length} objects, ${files.size - 1} tiles, flights of ${FRAMES} frames`);
  await measureEntries(files);
  const { peak: needed } = await fly(files, 1e6, Infinity);
  console.log(`memory of the tiles in use: at most ${(needed / 1e6).toFixed(1)} MB`);
  for (const { rate, memory } of LINES) {
    const { frames, holed, coarse, bytes, peak } = await fly(files, rate, memory * needed);
    console.log(
      `${rate} Mbit/s, ${memory} of the memory: ${holed} of ${frames} frames with a hole, ${coarse} while tiles load; ` +
        `${(bytes / 1e6).toFixed(1)} MB loaded, cache ${(peak / memory / needed).toFixed(3)} of its limit`,
    );
  }
}
