/**
 * A `TilesRenderer` of 3d-tiles-renderer on files in memory, in Node and in a browser, which runs until all tiles that
 * it wants are loaded.
 */

import { LRUCache, TilesRenderer } from '3d-tiles-renderer';
import { PerspectiveCamera, Scene } from 'three';
import { vi } from 'vitest';
import type { Files } from './tilesets.ts';

const URL_OF_FILES = 'http://files.test/city/';

export interface Stage {
  readonly tiles: TilesRenderer;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
}

/** What a browser has and Node has not, until `vi.unstubAllGlobals`: other test files run in the same process. */
function prepareNode(): void {
  const missing = {
    self: globalThis,
    window: { location: { href: URL_OF_FILES } },
    requestAnimationFrame: (callback: () => void) => setTimeout(callback, 0),
    cancelAnimationFrame: clearTimeout,
  };
  for (const [name, value] of Object.entries(missing)) if (!(name in globalThis)) vi.stubGlobal(name, value);
}

/**
 * A renderer, a scene with its group and a camera. Queues and the cache are its own.
 *
 * @param wait Called with the bytes of each file; the file arrives when it ends.
 */
export function stageOf(files: Files, wait: (bytes: number) => Promise<void> = () => Promise.resolve()): Stage {
  prepareNode();
  const tiles = new TilesRenderer(`${URL_OF_FILES}tileset.json`);
  const { unloadPriorityCallback } = tiles.lruCache;
  tiles.lruCache = new LRUCache();
  tiles.lruCache.unloadPriorityCallback = unloadPriorityCallback;
  tiles.registerPlugin({
    async fetchData(url: string) {
      const file = files.get(url.slice(URL_OF_FILES.length));
      await wait((file as Partial<ArrayBuffer>).byteLength ?? 0);
      // The renderer writes into what it gets.
      return structuredClone(file);
    },
  });
  const camera = new PerspectiveCamera(60, 4 / 3, 0.1, 2000);
  tiles.setCamera(camera);
  tiles.setResolution(camera, 400, 300);
  return { tiles, camera, scene: new Scene().add(tiles.group, camera) };
}

/** Looks from a point at another. */
export function look({ camera, scene }: Stage, from: readonly number[], at: readonly number[] = [0, 0, 0]): void {
  camera.position.set(from[0], from[1], from[2]);
  camera.lookAt(at[0], at[1], at[2]);
  scene.updateMatrixWorld();
}

/** One frame. */
export function step({ tiles, scene }: Stage): void {
  scene.updateMatrixWorld();
  tiles.update();
  scene.updateMatrixWorld();
}

/** Frames until nothing is loaded any more. */
export async function settle(stage: Stage): Promise<void> {
  const { tiles } = stage;
  const isBusy = (): boolean => {
    const { downloading, parsing, queued } = (tiles as unknown as { stats: Record<string, number> }).stats;
    return tiles.root === null || downloading + parsing + queued > 0;
  };
  for (let quiet = 0; quiet < 3;) {
    step(stage);
    await new Promise((resolve) => setTimeout(resolve, 0));
    quiet = isBusy() ? 0 : quiet + 1;
  }
}
