import { describe, expect, it } from 'vitest';
import { coarsen, type CoarseSource, type MeshSimplifierLike } from '../../src/tiles/coarse.ts';
import type { ObjectMesh } from '../../src/tiles/scene-object.ts';

/** A flat square of `n` * `n` cells with an edge, at a place. */
function squareOf(n: number, edge: number, at = 0): ObjectMesh {
  const row = n + 1;
  const vertices = Float32Array.from({ length: 3 * row * row }, (_, k) => {
    const vertex = Math.floor(k / 3);
    return [vertex % row, 0, Math.floor(vertex / row)][k % 3] * (edge / n);
  });
  const index = Uint32Array.from({ length: 6 * n * n }, (_, k) => {
    const cell = Math.floor(k / 6);
    const first = (cell % n) + row * Math.floor(cell / n);
    return first + [0, 1, row, 1, row + 1, row][k % 6];
  });
  return { origin: [at, 0, 0], vertices, stride: 3, sizes: [0, 0, 0, 0], index };
}

const sourceOf = (diagonals: number[], counts: number[], meshes: ObjectMesh[] = []): CoarseSource => ({
  diagonals,
  counts,
  read: (k) => Promise.resolve(meshes[k] ?? squareOf(1, diagonals[k])),
});
const BOUNDS = [0, 0, 0, 8, 8, 8];

/** Which objects are shown without a simplifier, with which error and step. */
async function shownOf(
  diagonals: number[],
  counts: number[],
  most: number,
  least = 0.5,
): Promise<[number[], number, number]> {
  const { objects, grid, error } = await coarsen(sourceOf(diagonals, counts), BOUNDS, 2 ** -10, most, least, undefined);
  return [objects.map(({ k }) => k), error, grid.step];
}

describe('coarsen without a simplifier', () => {
  it('shows the largest objects that fit, in their order, with the size of the largest that is left out', async () => {
    const [few, all] = [
      [1, 8, 2, 4],
      [10, 10, 10, 10],
    ];
    expect(await shownOf(few, all, 20)).toEqual([[1, 3], 2, 1 / 16]);
    expect(await shownOf(few, all, 29)).toEqual([[1, 3], 2, 1 / 16]);
    expect(await shownOf(few, all, 30)).toEqual([[1, 2, 3], 1, 1 / 32]);
    expect(await shownOf(few, all, 9)).toEqual([[], 8, 1 / 4]);
    expect(await shownOf(few, all, 40)).toEqual([[0, 1, 2, 3], 1 / 16, 2 ** -7]);
    expect(await shownOf(few, [10, 10, 1, 20], 20)).toEqual([[1], 4, 1 / 8]);
    // Those of one size are shown together, or not at all.
    expect(await shownOf([2, 8, 2, 1], all, 20)).toEqual([[1], 2, 1 / 16]);
  });

  it('leaves out what is smaller than the least error', async () => {
    expect(await shownOf([1, 8, 2, 4], [1, 1, 1, 1], 20, 4)).toEqual([[1, 3], 2, 1 / 16]);
    expect(await shownOf([1, 8, 2, 4], [1, 1, 1, 1], 20, 4.01)).toEqual([[1], 4, 1 / 8]);
  });
});

describe('coarsen with a simplifier', () => {
  const asked: number[] = [];
  /** Leaves the two triangles of the corners of a square, if it may be as wrong as an edge. */
  const ifAbove = (edge: number): MeshSimplifierLike => ({
    ready: Promise.resolve(),
    simplify: (index, vertices, stride, targetCount, targetError, flags) => {
      expect([stride, targetCount, flags]).toEqual([3, 0, ['ErrorAbsolute']]);
      asked.push(targetError);
      const row = Math.sqrt(vertices.length / stride);
      const corners = Uint32Array.of(0, row - 1, row * (row - 1), row - 1, row * row - 1, row * (row - 1));
      return [targetError < edge ? index : corners, 0];
    },
  });

  it('asks for half of the error, and states the distance that it measures', async () => {
    const source = sourceOf([8, 8], [25, 25], [squareOf(4, 8), squareOf(4, 8, 16)]);
    const { objects, error, grid } = await coarsen(source, BOUNDS, 2 ** -10, 8, 0.5, ifAbove(0.125));
    expect(objects.map(({ k, mesh }) => [k, mesh.vertices.length / 3, [...mesh.index]])).toEqual(
      [0, 1].map((k) => [k, 4, [0, 1, 2, 1, 3, 2]]),
    );
    expect([...objects[1].mesh.vertices]).toEqual([0, 0, 0, 8, 0, 0, 0, 0, 8, 8, 0, 8]);
    // An eighth of the error that was tried is the floor of what is measured, however many objects there are.
    expect(error).toBeCloseTo(1 / 16, 12);
    expect(grid.step).toBe(2 ** -7);
    expect(new Set(asked)).toEqual(new Set([0.25]));
  });

  it('doubles the error until the objects fit, and goes back in two finer steps', async () => {
    for (const [edge, tried] of [
      [2, 4],
      [1.4, 4 * 0.71],
      [1.18, 4 * 0.71 * 0.84],
      [1.6, 4 * 0.84],
    ]) {
      const source = sourceOf([8, 8], [25, 25], [squareOf(4, 8), squareOf(4, 8, 16)]);
      asked.length = 0;
      await coarsen(source, BOUNDS, 2 ** -10, 8, 0.5, ifAbove(edge));
      expect([edge, asked.at(-1)]).toEqual([edge, tried / 2]);
    }
  });

  it('asks for a quarter and a 16th of the error where an answer is too far away, and then takes the object itself', async () => {
    // A square with a bump: without it, it is too far away.
    const bump = squareOf(4, 8);
    bump.vertices[3 * 12 + 1] = 3;
    const source = sourceOf([8.5], [25], [bump]);
    asked.length = 0;
    const { objects, error } = await coarsen(source, BOUNDS, 2 ** -10, 100, 1, ifAbove(0.01));
    expect(asked.slice(-3)).toEqual([1 / 2, 1 / 4, 1 / 16]);
    expect(objects[0].mesh).toBe(bump);
    expect(error).toBe(1 / 8);
  });

  it('takes a larger error where objects are too far away in their simplest form, so that what is shown fits', async () => {
    const bump = squareOf(4, 8);
    bump.vertices[3 * 12 + 1] = 3;
    const { objects, error } = await coarsen(sourceOf([8.5], [25], [bump]), BOUNDS, 2 ** -10, 8, 1, ifAbove(0.01));
    expect(objects.map(({ mesh }) => mesh.vertices.length / 3)).toEqual([4]);
    expect(error).toBeGreaterThan(3);
    expect(error).toBeLessThan(3.04);
  });

  it('takes the object itself where it gets no fewer triangles, or none; never tries less than the least error', async () => {
    const meshes = [8, 3].map((edge) => {
      const square = squareOf(1, edge);
      return { ...square, vertices: square.vertices.subarray(0, 9), index: Uint32Array.of(0, 1, 2) };
    });
    for (const answer of [[], [0, 1, 2]])
      for (const [least, shown] of [
        [2.6, [0]],
        // Less than four vertices an object, for which there is room.
        [2, [0, 1]],
      ] as const) {
        const simplifier = { ready: Promise.resolve(), simplify: () => [Uint32Array.from(answer), 0] as never };
        const { objects } = await coarsen(sourceOf([8, 3], [4, 4], meshes), BOUNDS, 1, 7, least, simplifier);
        expect([least, objects.map(({ k }) => k)]).toEqual([least, shown]);
        for (const { k, mesh } of objects) expect(mesh).toBe(meshes[k]);
      }
  });
});

/** A square, if it has an edge, and a ribbon that stands in its corner. */
function ribbonAt(edge: number, width: number): ObjectMesh {
  const square = squareOf(1, edge);
  const ribbon = [0, 0, 0, width, 0, 0, 0, 6, 0, width, 6, 0];
  return {
    ...square,
    vertices: Float32Array.from([...square.vertices, ...ribbon]),
    index: Uint32Array.from([...(edge > 0 ? square.index : []), 4, 5, 6, 5, 7, 6]),
  };
}

const same: MeshSimplifierLike = { ready: Promise.resolve(), simplify: (index) => [index, 0] };

describe('what is thinner than a step of the grid', () => {
  it.each([
    ['with a simplifier', same],
    ['without', undefined],
  ])('counts as missing: %s', async (_name, simplifier) => {
    const errorOf = async (edge: number, width: number): Promise<[number, number]> => {
      const source = sourceOf([12], [8], [ribbonAt(edge, width)]);
      const { objects, error } = await coarsen(source, BOUNDS, 2 ** -10, 8, 1, simplifier);
      return [objects.length, error];
    };
    expect(await errorOf(8, 1)).toEqual([1, 1 / 8]);
    const [count, error] = await errorOf(8, 2 ** -8);
    expect(count).toBe(1);
    expect(error).toBeGreaterThanOrEqual(6);
    expect(error).toBeLessThan(6.07);
    expect(await errorOf(0, 1)).toEqual([1, 1 / 8]);
    // Nothing of it is left.
    expect(await errorOf(0, 2 ** -8)).toEqual([0, 12]);
  });
});
