import { BoxGeometry, MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { solidBoxes } from '../../src/index.ts';
import type { ReadTile } from '../support/tiles-reader.ts';
import { MESHOPT, read } from '../support/written-tiles.ts';

const material = new MeshStandardMaterial();

/** Bytes of the table of a tile in its file: all but where texts begin. */
function tableBytesOf({ json }: ReadTile): number {
  const { properties } = json.extensions.EXT_structural_metadata.propertyTables[0];
  const views = ['id', 'bounds', 'solidBoxes', 'name'].flatMap((name) => Object.values(properties[name]));
  return views
    .filter((view) => typeof view === 'number')
    .map((view) => json.bufferViews[view])
    .reduce((sum, { byteLength, extensions }) => {
      const { byteLength: size = byteLength } = extensions?.EXT_meshopt_compression ?? {};
      return sum + size;
    }, 0);
}

describe('tables of tiles', () => {
  it.each([
    ['16 bits', (k: number) => 3 * k],
    ['32 bits, far apart', (k: number) => (k * 2654435761) % 2 ** 32],
    ['64 bits', (k: number) => k / 3],
  ])('are compressed without a loss if that saves bytes: ids of %s', async (_name, idOf) => {
    const houses = Array.from({ length: 400 }, (_, k) => {
      const box = new BoxGeometry(4 + (k % 7), 6, 8).translate((k % 20) * 15, 3, Math.floor(k / 20) * 15);
      return {
        id: idOf(k),
        name: `house ${k}`,
        material,
        positions: box.attributes.position.array,
        index: box.index!.array,
      };
    });
    const [{ root }, { root: plain }] = [
      await read(houses, { ...MESHOPT, solidBoxes }),
      await read(houses, { solidBoxes }),
    ];
    expect(root.rows.map(({ id }) => id)).toEqual(houses.map(({ id }) => id));
    expect(root.rows).toEqual(plain.rows);
    const [{ positions, rows }] = root.primitives;
    for (const [row, { min, max }] of root.rows.entries()) {
      const corners = rows.flatMap((one, k) => (one === row ? [positions.slice(3 * k, 3 * k + 3)] : []));
      expect(min).toEqual([0, 1, 2].map((axis) => Math.min(...corners.map((corner) => corner[axis]))));
      expect(max).toEqual([0, 1, 2].map((axis) => Math.max(...corners.map((corner) => corner[axis]))));
    }
    expect(tableBytesOf(root)).toBeLessThan(0.7 * tableBytesOf(plain));
    const { root: small } = await read(houses.slice(0, 3), { ...MESHOPT, solidBoxes });
    expect(tableBytesOf(small)).toBe(tableBytesOf((await read(houses.slice(0, 3), { solidBoxes })).root));
  });
});
