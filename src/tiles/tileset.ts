/** The tree of tiles as JSON: one file, or several if there are many tiles. */

import type { Json } from './glb.ts';
import { powerOfTwo } from './grid.ts';

/** A tile that is written. Its path is none where nothing is shown. */
export interface WrittenTile {
  /** Least and largest coordinates of all objects in it, in the scene. */
  readonly bounds: readonly number[];
  readonly error: number;
  readonly path: string | null;
  readonly children: readonly WrittenTile[];
}

/** Tiles in one JSON file. Test: tileset.test. */
const TILES_PER_FILE = 1000;
/** Parts of a tile's extent by which its bounds are rounded outward, so that numbers are short. Test: tileset.test. */
const BOUNDS_STEPS = 4096;
/** Turns the axes of 3D Tiles, with z up, to those of the scene. Renderers turn a glTF the other way. */
export const Y_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];

/** The JSON files of a tileset, the one to open last. */
export function tilesetFiles(
  root: WrittenTile,
  transform: ArrayLike<number>,
  diagonal: number,
): { path: string; json: Json }[] {
  const files: { path: string; json: Json }[] = [];
  /** A tile with all below it, and how many of them stand in the file. */
  const write = (tile: WrittenTile): { json: Json; count: number } => {
    const { bounds, error, path } = tile;
    const children = tile.children.map((child) => ({ child, ...write(child) }));
    let count = children.reduce((sum, child) => sum + child.count, 1);
    while (count > TILES_PER_FILE) {
      const largest = children.reduce((a, b) => (b.count > a.count ? b : a));
      const external = `tileset-${files.length + 1}.json`;
      files.push({ path: external, json: fileOf(largest.child.error, largest.json) });
      count -= largest.count - 1;
      largest.json = { ...tileJson(largest.child.bounds, largest.child.error), content: { uri: external } };
      largest.count = 1;
    }
    const json = {
      ...tileJson(bounds, error),
      ...(path !== null && { content: { uri: path } }),
      ...(children.length > 0 && { children: children.map((child) => child.json) }),
    };
    return { json, count };
  };
  const { json } = write(root);
  files.push({ path: 'tileset.json', json: fileOf(diagonal, { transform: Array.from(transform), ...json }) });
  return files;
}

function tileJson(bounds: readonly number[], error: number): Json {
  const extent = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  const step = powerOfTwo(extent / BOUNDS_STEPS);
  const [centre, half] = [false, true].map((isHalf) =>
    [0, 1, 2].map((axis) => {
      const low = Math.floor(bounds[axis] / step) * step;
      const high = Math.ceil(bounds[axis + 3] / step) * step;
      // A box without thickness has no inverse.
      return isHalf ? Math.max(high - low, step) / 2 : low / 2 + high / 2;
    }),
  );
  // The y of a scene is the z of 3D Tiles, and its z is -y.
  const box = [centre[0], -centre[2], centre[1], half[0], 0, 0, 0, half[2], 0, 0, 0, half[1]];
  return { boundingVolume: { box }, geometricError: error };
}

const fileOf = (error: number, tile: Json): Json => ({
  asset: { version: '1.1' },
  geometricError: error,
  root: { ...tile, refine: 'REPLACE' },
});
