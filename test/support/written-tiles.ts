/** Tiles of objects, written and read again. */

import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import { expect } from 'vitest';
import { writeTiles, type SceneObject, type WriteTilesOptions } from '../../src/tiles/index.ts';
import { readTileset, type ReadTile } from './tiles-reader.ts';

export const MESHOPT = { encoder: MeshoptEncoder, simplifier: MeshoptSimplifier };

/** The files of a tileset, each once. */
export async function filesOf(
  objects: Iterable<SceneObject> | AsyncIterable<SceneObject>,
  options: WriteTilesOptions = MESHOPT,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for await (const { path, bytes } of writeTiles(objects, options)) {
    expect(files.has(path)).toBe(false);
    files.set(path, bytes);
  }
  return files;
}

export const read = async (
  objects: Iterable<SceneObject>,
  options?: WriteTilesOptions,
): ReturnType<typeof readTileset> => readTileset(await filesOf(objects, options));
export const leavesOf = (tiles: readonly ReadTile[]): ReadTile[] =>
  tiles.filter(({ children }) => children.length === 0);
