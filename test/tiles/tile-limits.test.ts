import { MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneObject } from '../../src/tiles/index.ts';
import { readTileset } from '../support/tiles-reader.ts';
import { filesOf, leavesOf, MESHOPT, read } from '../support/written-tiles.ts';

const WALL = new MeshStandardMaterial();

/** A row of triangles along x, of 200 vertices. */
const rowOf = (id: number, x: number, width: number): SceneObject => ({
  id,
  material: WALL,
  positions: Array.from({ length: 3 * 200 }, (_, at) =>
    at % 3 === 0 ? x + (width * Math.floor(at / 3)) / 199 : at % 2,
  ),
});

describe('the limits of writeTiles', () => {
  it('shows as many objects from afar as fit, though each is as simple as can be', async () => {
    // Tetrahedra of four vertices, in sizes so near to each other that a step of the error leaves out many.
    const objects = Array.from({ length: 128 }, (_, id) => {
      const [x, size] = [30 * id, 10 + id / 1000];
      const positions = [x, 0, 0, x + size, 0, 0, x, size, 0, x, 0, size];
      return { id, material: WALL, positions, index: [0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3] };
    });
    const { root } = await read(objects, { ...MESHOPT, maxVertices: 256 });
    expect(root.rows.length).toBe(64);
  });

  it('asks for a smaller error where a simplifier leaves nothing of an object', async () => {
    // Rows of 66 triangles and of 41.
    const objects = Array.from({ length: 40 }, (_, id) => {
      const row = rowOf(id, 300 * id, 100);
      return { ...row, positions: Array.from(row.positions).slice(0, id % 2 === 0 ? 600 : 369) };
    });
    let empty = 0;
    const simplifier = {
      ready: Promise.resolve(),
      // Long rows ask for a larger error, which leaves nothing of a short one.
      simplify(indices: Uint32Array, _positions: Float32Array, _stride: number, _count: number, error: number) {
        const isShort = indices.length < 150;
        const kept = indices.filter((_index, at) => error < (isShort ? 1 : 4) || Math.floor(at / 3) % 8 === 0);
        empty += Number(isShort && error > 4);
        return [isShort && error > 4 ? new Uint32Array() : kept, error] as [Uint32Array, number];
      },
    };
    const { root } = await read(objects, { simplifier, maxVertices: 1024 });
    expect(empty).toBeGreaterThan(0);
    expect(root.rows.length).toBe(40);
    expect(root.primitives.reduce((sum, { rows }) => sum + rows.length, 0)).toBeLessThanOrEqual(1024);
  });

  it.each([
    [5, true],
    [6, false],
    [10, false],
  ])('fits the grid to leaves of 95 %% of the objects: %i of 100 are in large ones', async (large, isFine) => {
    const objects = Array.from({ length: 100 }, (_, id) => rowOf(id, 1e5 * id, id < large ? 60_000 : 100));
    const { tiles } = await read(objects, { maxVertices: 256 });
    expect(new Set(leavesOf(tiles).map(({ step }) => step))).toEqual(new Set([isFine ? 2 ** -9 : 1]));
  });

  it('counts objects once for the grid of leaves, not in the cells above them', async () => {
    // The cells above the small leaves are smaller than the large ones.
    const objects = Array.from({ length: 100 }, (_, id) =>
      id < 10 ? rowOf(id, 1e5 * (id + 1), 60_000) : rowOf(id, 200 * id, 100),
    );
    const { tiles } = await read(objects, { maxVertices: 256 });
    expect(new Set(leavesOf(tiles).map(({ step }) => step))).toEqual(new Set([1]));
  });

  it('writes more than 1,000 tiles with several files of JSON', async () => {
    const objects = Array.from({ length: 1400 }, (_, id) => {
      const [x, z] = [30 * (id % 40), 30 * Math.floor(id / 40)];
      const positions = Array.from(
        { length: 3 * 129 },
        (_value, at) => [x + (at % 20), (at * 7) % 13, z + (at % 9)][at % 3],
      );
      return { id, material: WALL, positions };
    });
    const files = await filesOf(objects, { maxVertices: 256 });
    const paths = [...files.keys()];
    expect(paths.at(-1)).toBe('tileset.json');
    expect(paths.filter((path) => path.endsWith('.json')).length).toBe(4);
    // The reader opens what a file refers to, and throws if a file is not referred to.
    const { tiles } = await readTileset(files);
    const leaves = leavesOf(tiles);
    expect(leaves.flatMap(({ rows }) => rows.map(({ id }) => id as number)).sort((a, b) => a - b)).toEqual(
      objects.map(({ id }) => id),
    );
    expect(tiles.length).toBeGreaterThan(1000);
  });
});
