import { describe, expect, it } from 'vitest';
import { tilesetFiles, Y_UP, type WrittenTile } from '../../src/tiles/tileset.ts';
import { createRandom } from '../support/random.ts';

interface JsonTile {
  boundingVolume: { box: number[] };
  geometricError: number;
  content?: { uri: string };
  children?: JsonTile[];
}

/** A tree of tiles with a number of leaves, all in bounds that no grid has. */
function treeOf(leaves: number, seed: number): { root: WrittenTile; tiles: WrittenTile[] } {
  const random = createRandom(seed);
  const tiles: WrittenTile[] = [];
  const grow = (count: number, [x, y, z, ...high]: number[], depth: number): WrittenTile => {
    const children: WrittenTile[] = [];
    for (let left = count > 1 ? count : 0; left > 0;) {
      const share = Math.min(left, Math.max(1, Math.round(random.between(0.1, 0.6) * count)));
      children.push(
        grow(share, [x + random.between(0, 1), y, z, high[0] - random.between(0, 1), high[1], high[2]], depth + 1),
      );
      left -= share;
    }
    const tile = {
      bounds: [x, y, z, ...high],
      error: children.length === 0 ? 0 : Math.max(...children.map(({ error }) => error)) + 1,
      path: depth === 0 ? null : `tiles/${tiles.length}.glb`,
      children,
    };
    tiles.push(tile);
    return tile;
  };
  return { root: grow(leaves, [-300.3, -7.7, 0.1, 500.1, 88.8, 700.7], 0), tiles };
}

const rootOf = (json: unknown): JsonTile => (json as { root: JsonTile }).root;
const allOf = (tile: JsonTile): JsonTile[] => [tile, ...(tile.children ?? []).flatMap(allOf)];

describe('tilesetFiles', () => {
  it('cuts a tree into files of at most 1,000 tiles, few of them, the top one last', () => {
    const { root, tiles } = treeOf(4000, 1);
    const files = tilesetFiles(root, Y_UP, 1000);
    expect(files.map(({ path }) => path)).toEqual([
      ...Array.from({ length: files.length - 1 }, (_, k) => `tileset-${k + 1}.json`),
      'tileset.json',
    ]);
    const counts = files.map(({ json }) => allOf(rootOf(json)).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(1000);
    // 6,460 tiles: seven files would be the fewest.
    expect([tiles.length, files.length]).toEqual([6460, 9]);
    // Each file and each tile is referred to, once.
    const uris = files.flatMap(({ json }) => allOf(rootOf(json)).flatMap(({ content }) => content?.uri ?? []));
    expect(uris.sort()).toEqual(
      [...tiles.flatMap(({ path }) => path ?? []), ...files.slice(0, -1).map(({ path }) => path)].sort(),
    );
    // A tile that refers to a file has its bounds and its error.
    const byPath = new Map(files.map(({ path, json }) => [path, rootOf(json)]));
    for (const { json } of files)
      for (const { content, boundingVolume, geometricError, children } of allOf(rootOf(json))) {
        const external = byPath.get(content?.uri ?? '');
        if (external === undefined) continue;
        expect([external.boundingVolume, external.geometricError, children]).toEqual([
          boundingVolume,
          geometricError,
          undefined,
        ]);
      }
  });

  it('rounds bounds outward, by less than a 2,048th of the extent', () => {
    const { root, tiles } = treeOf(30, 2);
    const [{ json }] = tilesetFiles(root, Y_UP, 1000);
    const boxes = new Map(allOf(rootOf(json)).map(({ content, boundingVolume }) => [content?.uri, boundingVolume.box]));
    let largest = 0;
    for (const { bounds, path } of tiles) {
      const [x, z, y, a, , , , c, , , , b] = boxes.get(path ?? undefined)!;
      const written = [x - a, y - b, -z - c, x + a, y + b, -z + c];
      const outward = written.map((value, k) => (k < 3 ? bounds[k] - value : value - bounds[k]));
      expect(Math.min(...outward)).toBeGreaterThanOrEqual(0);
      largest = Math.max(largest, ...outward);
      // The extent is 700 to 801.
      expect(written.every((value) => Number.isInteger(value * 4))).toBe(true);
    }
    expect(largest).toBeLessThan(0.25);
    expect(largest).toBeGreaterThan(0.125);
  });

  it('keeps 1,000 tiles in one file, rounds by the largest extent, and makes no box flat', () => {
    const leaf = { error: 0, path: 'tiles/0.glb', children: [] };
    const tileOf = (...bounds: number[]): WrittenTile => ({ ...leaf, bounds });
    const parentOf = (children: WrittenTile[]): WrittenTile => ({ ...tileOf(0, 0, 0, 1, 1, 1), children });
    const groupOf = (count: number): WrittenTile =>
      parentOf(Array.from({ length: count }, () => tileOf(0, 0, 0, 1, 1, 1)));
    const filesOf = (last: number): number =>
      tilesetFiles(parentOf([...Array.from({ length: 8 }, () => groupOf(110)), groupOf(last)]), Y_UP, 1).length;
    expect([109, 110, 111].map(filesOf)).toEqual([1, 1, 2]);
    const boxOf = (...bounds: number[]): number[] =>
      rootOf(tilesetFiles(tileOf(...bounds), Y_UP, 1)[0].json).boundingVolume.box;
    // An extent of 4,096 has steps of 1: along x, y, z.
    expect(boxOf(0.1, -9, 7.5, 4096.1, -9, 7.5)).toEqual([2048.5, -7.5, -9, 2048.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5]);
    expect(boxOf(0.5, -4096, 0, 0.5, 0, 0)).toEqual([0.5, -0, -2048, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 2048]);
    expect(boxOf(0, 0, -4096, 1, 1, 0)).toEqual([0.5, 2048, 0.5, 0.5, 0, 0, 0, 2048, 0, 0, 0, 0.5]);
  });
});
