// Writes the tiles of the page Tiles: the files by their path, compressed as a host compresses them on the way.

import { gzipSync } from 'node:zlib';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import { cityObjects } from '../examples/src/tiles/city.ts';
import type { CityFacts } from '../examples/src/tiles/facts.ts';
import { writeTiles } from '../src/tiles/index.ts';

interface Tile {
  readonly content?: { readonly uri: string };
  readonly children?: readonly Tile[];
}

export async function writeCity(): Promise<Map<string, Uint8Array>> {
  const objects = cityObjects();
  const files = new Map<string, Uint8Array>();
  let root: Tile = {};
  for await (const { path, bytes } of writeTiles(objects, { encoder: MeshoptEncoder, simplifier: MeshoptSimplifier })) {
    files.set(path, gzipSync(bytes, { level: 9 }));
    if (path === 'tileset.json') ({ root } = JSON.parse(new TextDecoder().decode(bytes)) as { root: Tile });
  }
  const sizeOf = ({ content }: Tile): number => files.get(content?.uri ?? '')?.length ?? 0;
  const leaves = (tile: Tile): number => tile.children?.reduce((sum, child) => sum + leaves(child), 0) ?? sizeOf(tile);
  const facts: CityFacts = {
    houses: objects.length,
    tiles: files.size - 1,
    first: files.get('tileset.json')!.length + sizeOf(root),
    whole: leaves(root),
  };
  return files.set('facts.json', gzipSync(JSON.stringify(facts)));
}
