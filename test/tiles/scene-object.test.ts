import { MeshBasicMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { readMesh, type SceneObject } from '../../src/tiles/scene-object.ts';
import { errorOf, GAP } from '../support/rejects.ts';

const material = new MeshBasicMaterial();
const object = (positions: number[], fields: Partial<SceneObject> = {}): SceneObject => ({
  id: 1,
  material,
  positions,
  ...fields,
});
const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0];
/** A square of two triangles, without an index. */
const SQUARE = [...TRIANGLE, 1, 0, 0, 1, 1, 0, 0, 1, 0];

/** The positions and other numbers of the corners of a mesh. */
function cornersOf(given: SceneObject): number[][] {
  const { origin, vertices, stride, index } = readMesh(given)!;
  return Array.from(index, (vertex) =>
    Array.from(vertices.subarray(vertex * stride, (vertex + 1) * stride), (value, at) => (origin[at] ?? 0) + value),
  );
}

describe('readMesh', () => {
  it('makes one vertex of equal ones: those whose positions and other numbers are equal', () => {
    const mesh = readMesh(object(SQUARE))!;
    expect([mesh.vertices.length / mesh.stride, [...mesh.index]]).toEqual([4, [0, 1, 2, 1, 3, 2]]);
    const uvs = [0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0.5];
    expect(readMesh(object(SQUARE, { uvs }))!.vertices.length).toBe(5 * 5);
    const many = Array.from({ length: 900 }, (_, k) => [k % 30, Math.floor(k / 30), (k * k) % 7]);
    const twice = [...many, ...many].flat();
    const welded = readMesh(object(twice))!;
    expect(welded.vertices.length / 3).toBe(900);
    expect(cornersOf(object(twice))).toEqual([...many, ...many]);
    // 0 and -0 are equal.
    const signed = [...TRIANGLE, ...TRIANGLE.map((value) => value || -0)];
    expect(readMesh(object(signed, { normals: signed }))!.vertices.length).toBe(18);
    expect(readMesh(object([...TRIANGLE, ...TRIANGLE.map((value) => value || -0.1)]), 0.5)!.vertices.length).toBe(9);
  });

  it('leaves out vertices that no triangle has, triangles whose corners are at one place, and corners left over', () => {
    const index = [5, 4, 3, 0, 2, 5, 1, 3, 0];
    // 2 and 5, 1 and 3 are at one place.
    expect(cornersOf(object(SQUARE, { index }))).toEqual(
      [[1, 0, 0].map((_, k) => SQUARE[15 + k]), [1, 1, 0], [1, 0, 0]].map((p) => p.slice(0, 3)),
    );
    expect(readMesh(object(SQUARE, { index }))!.vertices.length).toBe(9);
    expect(readMesh(object(SQUARE, { index: [2, 0, 5, 3, 0, 1] }))).toBe(null);
    expect(cornersOf(object([...TRIANGLE, 7, 7, 7, 8, 8, 8])).length).toBe(3);
  });

  it('rounds positions by their places in the scene, and begins at the least of them', () => {
    const mesh = readMesh(object([10.3, 20.7, -5.1, 11.9, 21, -5, 10.6, 22, -4.4]), 0.5)!;
    expect(mesh.origin).toEqual([10.5, 20.5, -5]);
    expect([...mesh.vertices]).toEqual([0, 0, 0, 1.5, 0.5, 0, 0, 1.5, 0.5]);
    expect(readMesh(object([10.3, 20.7, -5.1, 11.9, 21, -5, 10.6, 22, -4.4]))!.origin).toEqual([10.3, 20.7, -5.1]);
  });

  it('takes attributes side by side, three or four numbers of a colour', () => {
    const colors = [1, 0, 0, 0.5, 0, 1, 0, 0.25, 0, 0, 1, 0];
    const all = object(TRIANGLE, { normals: SQUARE.slice(9), uvs1: [1, 2, 3, 4, 5, 6], colors });
    const mesh = readMesh(all)!;
    expect([mesh.stride, mesh.sizes]).toEqual([12, [3, 0, 2, 4]]);
    expect(cornersOf(all)).toEqual([
      [0, 0, 0, 1, 0, 0, 1, 2, 1, 0, 0, 0.5],
      [1, 0, 0, 1, 1, 0, 3, 4, 0, 1, 0, 0.25],
      [0, 1, 0, 0, 1, 0, 5, 6, 0, 0, 1, 0],
    ]);
    expect(readMesh(object(TRIANGLE, { colors: colors.slice(0, 9), uvs: null }))!.sizes).toEqual([0, 0, 0, 3]);
  });

  it.each<[string, number[], Partial<SceneObject>]>([
    ['index[1] of object 1 must be a vertex from 0 to 2, but is -1', TRIANGLE, { index: [0, -1, 2] }],
    ['index[2] of object 1 must be a vertex from 0 to 2, but is 3', TRIANGLE, { index: [0, 1, 3] }],
    ['index[0] of object 1 must be a vertex from 0 to 2, but is 0.5', TRIANGLE, { index: [0.5, 1, 2] }],
    ['index of object 1: its length must be a multiple of three, but is 4', TRIANGLE, { index: [0, 1, 2, 0] }],
    [
      'index of object "house" must be an array, but is the string "0 1 2"',
      TRIANGLE,
      { name: 'house', index: '0 1 2' as never },
    ],
    [
      'colors of object 1: its length must be 3 or 4 times the vertices, but is 6',
      TRIANGLE,
      { colors: [1, 1, 1, 1, 1, 1] },
    ],
    ['uvs of object 1: its length must be 2 times the vertices, but is 9', TRIANGLE, { uvs: TRIANGLE }],
    ['an attribute of vertex 1 of object 1 must be finite, but is 4e+38', TRIANGLE, { uvs: [0, 0, 0, 4e38, 0, 0] }],
    ['an attribute of vertex 2 of object 1 must be finite, but is NaN', TRIANGLE, { uvs1: [0, 0, 0, 0, NaN, 0] }],
    ['positions[2] of object 1 must lie within +-2^50, but is 1e+30', [0, 0, 1e30, 0, 0, 0, 0, 0, 0], {}],
    ['positions of object 1: its length must be 3 times the vertices, but is 2', [0, 0], {}],
    ['positions[4] of object 1 must lie within +-2^50, but is -Infinity', [0, 0, 0, 0, -Infinity, 0, 0, 0, 0], {}],
  ])('refuses: %s', (sentence, positions, fields) => {
    const { message } = errorOf(() => readMesh(object(positions, fields))) as Error;
    expect(message).toContain(`writeTiles: ${sentence}; `);
    expect(message).not.toMatch(GAP);
  });
});
