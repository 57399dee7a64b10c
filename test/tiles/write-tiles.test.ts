import { MeshoptSimplifier } from 'meshoptimizer';
import {
  BoxGeometry,
  CylinderGeometry,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  TorusKnotGeometry,
  type BufferGeometry,
} from 'three';
import { describe, expect, it } from 'vitest';
import { solidBoxes } from '../../src/index.ts';
import { writeTiles, type SceneObject } from '../../src/tiles/index.ts';
import { createRandom } from '../support/random.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { sampledDistance } from '../support/sampled-distance.ts';
import type { ReadTile } from '../support/tiles-reader.ts';
import { filesOf, leavesOf, MESHOPT, read } from '../support/written-tiles.ts';

const WALL = new MeshStandardMaterial({ color: 0xcc8844, name: 'wall' });
const ROOF = new MeshStandardMaterial({ color: 0x884422, roughness: 0.5 });

/** An object from a geometry of three, moved. */
function objectFrom(
  geometry: BufferGeometry,
  id: string | number,
  matrix = new Matrix4(),
  material = WALL,
): SceneObject {
  const moved = geometry.clone().applyMatrix4(matrix);
  const { position, normal, uv } = moved.attributes;
  return {
    id,
    name: `object ${id}`,
    material,
    positions: position.array,
    index: moved.index?.array ?? null,
    normals: normal.array,
    uvs: uv.array,
  };
}

/** A town of boxes, columns and knots around a place. */
function town(count: number, seed: number, extent = 1000, at = 0): SceneObject[] {
  const random = createRandom(seed);
  const kinds = [new BoxGeometry(10, 20, 8), new CylinderGeometry(3, 3, 30, 12), new TorusKnotGeometry(4, 1, 24, 5)];
  return Array.from({ length: count }, (_, id) => {
    const matrix = new Matrix4()
      .makeRotationY(random.between(0, 6))
      .scale({ x: 1, y: random.between(0.5, 3), z: 1 } as never);
    matrix.setPosition(at + random.between(0, extent), random.between(0, 20), random.between(0, extent));
    return objectFrom(kinds[id % 3], id, matrix, id % 2 ? WALL : ROOF);
  });
}

/** By row the triangles of a tile, nine numbers each. */
function trianglesOf({ primitives, rows: all }: ReadTile): number[][][] {
  const found: number[][][] = all.map(() => []);
  for (const { positions, index, rows } of primitives)
    for (let corner = 0; corner < index.length; corner += 3)
      found[rows[index[corner]]].push(
        [0, 1, 2].flatMap((k) => positions.slice(3 * index[corner + k], 3 * index[corner + k] + 3)),
      );
  return found;
}

/** The triangles of an object. */
function trianglesIn({ positions, index }: SceneObject): number[][] {
  const corners = index ?? Array.from({ length: positions.length / 3 }, (_, k) => k);
  return Array.from({ length: corners.length / 3 }, (_, k) =>
    [0, 1, 2].flatMap((corner) => [0, 1, 2].map((axis) => positions[3 * corners[3 * k + corner] + axis])),
  );
}

/** A triangle from its least corner on, so that its direction counts and its first corner does not. */
function turned(triangle: readonly number[]): string {
  const corners = [0, 3, 6].map((at) => triangle.slice(at, at + 3).join(' '));
  const first = corners.indexOf(corners.sort()[0]);
  return [0, 1, 2].map((k) => corners[(first + k) % 3]).join('; ');
}

/** The height of a terrain. */
const height = (x: number, z: number): number => Math.sin(x / 7) * 3 + Math.cos(z / 5);

/** A square of a terrain, at places that no grid has. */
const patch = (x: number, z: number): SceneObject => {
  const positions: number[] = [];
  for (const [dx, dz] of [
    [0, 0],
    [0, 10],
    [10, 0],
    [10, 10],
  ])
    positions.push((x + dx) / 3, height(x + dx, z + dz), (z + dz) / 3);
  return { id: `${x} ${z}`, material: WALL, positions, index: [0, 1, 2, 2, 1, 3] };
};

/** The length of a way along the ground from box to box. */
const wayOf = (boxes: readonly (readonly number[])[]): number =>
  boxes.slice(1).reduce((sum, [x, , z], k) => sum + Math.hypot(x - boxes[k][0], z - boxes[k][2]), 0);

describe('writeTiles', () => {
  it.each([
    ['compressed', MESHOPT],
    ['not compressed', { simplifier: MeshoptSimplifier }],
    ['without a simplifier', {}],
  ])('writes each object into one leaf, on the grid, with names and ids: %s', async (_name, options) => {
    const objects = town(90, 1);
    const { tiles } = await read(objects, { ...options, maxVertices: 1000 });
    const leaves = leavesOf(tiles);
    expect(leaves.length).toBeGreaterThan(8);
    expect(tiles.length).toBeGreaterThan(leaves.length);
    const steps = new Set(leaves.map(({ step }) => step));
    expect(steps.size).toBe(1);
    const [step] = steps;
    expect(step).toBeLessThan(1 / 64);
    const seen = new Set<string | number>();
    for (const leaf of leaves) {
      expect(leaf.primitives.reduce((sum, { positions }) => sum + positions.length / 3, 0)).toBeLessThanOrEqual(1000);
      const drawn = trianglesOf(leaf);
      for (const [row, { id, name }] of leaf.rows.entries()) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
        const object = objects[id as number];
        expect(name).toBe(object.name);
        const snapped = trianglesIn(object).map((triangle) =>
          turned(triangle.map((value) => Math.round(value / step) * step)),
        );
        expect(drawn[row].map(turned).sort().join('\n')).toBe(snapped.sort().join('\n'));
      }
    }
    expect(seen.size).toBe(objects.length);
  });

  it('keeps normals, texture coordinates and colours by vertex, and merges objects by material', async () => {
    const objects = town(6, 2).map((object) => ({
      ...object,
      colors: Float32Array.from({ length: object.positions.length }, (_, k) => (k % 7) / 7),
    }));
    const { root } = await read(objects);
    expect(root.primitives.length).toBe(2);
    let compared = 0;
    for (const { positions, attributes, rows } of root.primitives)
      for (const [vertex, row] of rows.entries()) {
        const object = objects[root.rows[row].id as number];
        const near = (
          values: ArrayLike<number>,
          own: readonly number[],
          size: number,
          k: number,
          most: number,
        ): boolean =>
          own
            .slice(size * vertex, size * vertex + size)
            .every((value, part) => Math.abs(value - values[size * k + part]) < most);
        const same = Array.from({ length: object.positions.length / 3 }, (_, k) => k).filter(
          (k) =>
            near(object.positions, positions, 3, k, root.step) &&
            near(object.normals!, attributes.NORMAL, 3, k, 0.02) &&
            near(object.uvs!, attributes.TEXCOORD_0, 2, k, 1e-4) &&
            near(object.colors, attributes.COLOR_0, 3, k, 1e-4),
        );
        expect(same.length).toBeGreaterThan(0);
        compared++;
      }
    expect(compared).toBeGreaterThan(400);
  });

  it('gives vertices at one place in two leaves the same place: there are no cracks', async () => {
    const places = Array.from({ length: 30 * 30 }, (_, k) => [10 * (k % 30), 10 * Math.floor(k / 30)]);
    const { tiles } = await read(
      places.map(([x, z]) => patch(x, z)),
      { ...MESHOPT, maxVertices: 256 },
    );
    const leaves = leavesOf(tiles);
    expect(leaves.length).toBeGreaterThan(10);
    const distinct = new Set(
      leaves.flatMap(({ primitives }) =>
        primitives.flatMap(({ positions }) =>
          Array.from({ length: positions.length / 3 }, (_, k) => positions.slice(3 * k, 3 * k + 3).join(' ')),
        ),
      ),
    );
    expect(distinct.size).toBe(31 * 31);
  });

  it('states errors that no tile exceeds: objects left out are smaller, shown ones nearer', async () => {
    const objects = town(60, 3);
    const { tiles } = await read(objects, { ...MESHOPT, maxVertices: 1000 });
    const inner = tiles.filter(({ children }) => children.length > 0);
    expect(inner.length).toBeGreaterThan(1);
    let simplified = 0;
    for (const tile of inner) {
      const below = new Set<number>();
      const collect = ({ rows, children }: ReadTile): void => {
        for (const { id } of children.length === 0 ? rows : []) below.add(id as number);
        children.forEach(collect);
      };
      collect(tile);
      const drawnByRow = trianglesOf(tile);
      const shown = new Map(tile.rows.map(({ id }, row) => [id as number, row]));
      expect([...shown.keys()].every((id) => below.has(id))).toBe(true);
      for (const id of below) {
        const original = trianglesIn(objects[id]);
        const row = shown.get(id);
        if (row === undefined) {
          expect(diagonalOf(original)).toBeLessThanOrEqual(tile.error);
          continue;
        }
        const drawn = drawnByRow[row];
        if (drawn.length < original.length) simplified++;
        if (id % 5 === 0 && original.length < 60)
          expect(Math.max(sampledDistance(original, drawn), sampledDistance(drawn, original))).toBeLessThanOrEqual(
            tile.error,
          );
      }
    }
    expect(simplified).toBeGreaterThan(10);
  });

  it('writes the same bytes for the same objects, from any kind of iterable', async () => {
    const first = await filesOf(town(80, 4), { ...MESHOPT, maxVertices: 800, solidBoxes });
    const again = await filesOf(later(town(80, 4)), { ...MESHOPT, maxVertices: 800, solidBoxes });
    expect([...again.keys()]).toEqual([...first.keys()]);
    for (const [path, bytes] of first) expect(Buffer.compare(bytes, again.get(path)!)).toBe(0);
  });

  it('writes objects by material, and near each other those that are near each other', async () => {
    const random = createRandom(6);
    const box = new BoxGeometry(10, 20, 8);
    const objects = Array.from({ length: 500 }, (_, id) =>
      objectFrom(
        box,
        id,
        new Matrix4().makeTranslation(random.between(0, 1000), 0, random.between(0, 1000)),
        id % 2 ? WALL : ROOF,
      ),
    );
    const { root } = await read(objects);
    const [first, second] = root.primitives.map(({ rows }) => new Set(rows));
    expect(Math.max(...first)).toBeLessThan(Math.min(...second));
    const boxes = root.rows.map(({ min }) => min);
    expect(wayOf(boxes)).toBeLessThan(
      0.3 * wayOf(root.rows.map((_, id) => root.rows.find((row) => row.id === id)!.min)),
    );
  });

  it('reads an object at a time: its arrays may be gone when the next one is read', async () => {
    const objects = town(60, 5);
    let current: Float32Array | undefined;
    const passing = objects.map((object) => ({
      ...object,
      get positions() {
        current?.fill(NaN);
        return (current = Float32Array.from(object.positions));
      },
    }));
    const options = { ...MESHOPT, maxVertices: 1000 };
    const [first, second] = [await filesOf(objects, options), await filesOf(passing, options)];
    for (const [path, bytes] of first) expect(Buffer.compare(bytes, second.get(path)!)).toBe(0);
  });

  it('stores solid boxes of objects that hide what is behind them', async () => {
    const glass = new MeshStandardMaterial({ transparent: true, opacity: 0.3 });
    const objects = [
      objectFrom(new BoxGeometry(4, 6, 8), 'house', new Matrix4().makeRotationY(0.4).setPosition(100, 3, 0)),
      objectFrom(new BoxGeometry(4, 6, 8), 'pane', new Matrix4(), glass),
    ];
    const { root } = await read(objects, { ...MESHOPT, solidBoxes });
    const boxes = new Map(root.rows.map(({ id, solidBoxes: numbers }) => [id, numbers]));
    expect(boxes.get('pane')).toEqual([]);
    const [x, , , hx, hy, hz, qx, qy, qz, qw] = boxes.get('house')!;
    expect(boxes.get('house')).toHaveLength(10);
    const { translation } = (root.json.nodes as { translation: number[] }[])[0];
    expect(x * root.step + translation[0]).toBeCloseTo(100, 1);
    expect(
      [hx, hy, hz]
        .map((half) => half * root.step)
        .sort((a, b) => a - b)
        .map((half, k) => half / [2, 3, 4][k])
        .every((share) => share > 0.9 && share < 1),
    ).toBe(true);
    expect([qx, qz]).toEqual([0, 0]);
    expect(qy ** 2 + qw ** 2).toBeCloseTo(1, 6);
  });

  it('stores ids as numbers if all are, else as texts', async () => {
    const box = new BoxGeometry();
    const idsOf = async (ids: (string | number)[]): Promise<unknown[]> =>
      (await read(ids.map((id) => objectFrom(box, id)))).root.rows.map(({ id }) => id);
    expect(await idsOf([7, 2 ** 40, -1, 0.5])).toEqual([7, 2 ** 40, -1, 0.5]);
    expect(await idsOf([0, 7, 65_535])).toEqual([0, 7, 65_535]);
    expect(await idsOf([7, 65_536])).toEqual([7, 65_536]);
    expect(await idsOf([7, 7, 4_294_967_295])).toEqual([7, 7, 4_294_967_295]);
    expect(await idsOf([7, 'Zürich 🏠', ''])).toEqual(['7', 'Zürich 🏠', '']);
  });

  it('places a tileset by a matrix', async () => {
    const objects = [objectFrom(new BoxGeometry(), 1)];
    const files = await filesOf(objects, { transform: new Matrix4().makeTranslation(5, 6, 7) });
    const { root } = JSON.parse(new TextDecoder().decode(files.get('tileset.json'))) as {
      root: { transform: number[] };
    };
    expect(root.transform).toEqual([1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 5, 6, 7, 1]);
  });

  it('reports how far it is', async () => {
    const reports: string[] = [];
    const objects = town(2100, 6).map((object, k) =>
      k % 3 === 2 ? { ...object, positions: object.positions, index: [0, 1, 2] } : object,
    );
    await filesOf(objects, { onProgress: ({ phase, done, total }) => void reports.push(`${phase} ${done} ${total}`) });
    const writes = reports.filter((report) => report.startsWith('write'));
    expect(reports.slice(0, 2)).toEqual(['read 1000 2100', 'read 2000 2100']);
    expect(writes).toEqual(writes.map((_, k) => `write ${k + 1} ${writes.length}`));
    expect(writes.length).toBeGreaterThan(2);
  });

  it('ends with the reason of its signal, also while it reads', async () => {
    for (const after of [10, 150]) {
      const abort = new AbortController();
      const objects = town(120, 7);
      let reads = 0;
      const counted = objects.map((object) => ({
        ...object,
        get positions() {
          if (++reads === after) abort.abort(new Error('enough'));
          return object.positions;
        },
      }));
      await expect(filesOf(counted, { ...MESHOPT, maxVertices: 1000, signal: abort.signal })).rejects.toThrow('enough');
      expect(reads).toBe(after);
    }
  });

  it('stops when its reader stops', async () => {
    const paths: string[] = [];
    for await (const { path } of writeTiles(town(100, 8), { maxVertices: 500 })) {
      paths.push(path);
      break;
    }
    expect(paths).toEqual(['tiles/0.glb']);
  });
});

const triangle = { id: 1, material: WALL, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] };
/** What is written beside the positions of a triangle. */
const attributesOf = async (fields: object): Promise<object> =>
  (await read([{ ...triangle, ...fields }], {})).root.primitives[0].attributes;

describe('writeTiles with hostile objects', () => {
  it.each<[string, unknown, string]>([
    [
      'NaN',
      { positions: [0, 0, NaN, 1, 0, 0, 0, 1, 0] },
      'writeTiles: positions[2] of object 1 must lie within +-2^50, but is NaN',
    ],
    ['no positions', { positions: undefined }, 'positions of object 1 must be an array'],
    ['no id', { id: undefined }, 'objects[0].id must be a string or a finite number'],
    ['no material', { material: null }, 'objects[0].material must be a material'],
    ['a number as name', { name: 7 }, 'objects[0].name must be a string'],
  ])('says what is wrong: %s', async (_name, fields, sentence) => {
    const error = String(await filesOf([{ ...triangle, ...(fields as object) }]).catch((thrown: unknown) => thrown));
    expect(error).toContain(sentence);
    expect(error).not.toMatch(GAP);
  });

  it.each<[string, unknown, unknown, string]>([
    ['nothing', undefined, {}, 'writeTiles: objects must be an object'],
    ['a number', {}, {}, 'objects must be iterable'],
    ['another option', [], { solidBox: true }, 'unknown option solidBox'],
    ['few vertices', [], { maxVertices: 10 }, 'options.maxVertices must be an integer from 256 to 196605'],
    ['no encoder', [], { encoder: {} }, 'options.encoder must be a MeshoptEncoder'],
    ['null as encoder', [], { encoder: null }, 'options.encoder must be a MeshoptEncoder'],
    ['null as signal', [], { signal: null }, 'options.signal must be an AbortSignal'],
    ['no simplifier', [], { simplifier: null }, 'options.simplifier must be a MeshoptSimplifier'],
    ['a matrix', [], { transform: { elements: [1] } }, 'options.transform'],
    ['boxes', [], { solidBoxes: true }, 'options.solidBoxes must be a function'],
    ['a signal', [], { signal: true }, 'options.signal must be an AbortSignal'],
    ['half an encoder', [], { encoder: { encodeGltfBuffer: () => {} } }, 'options.encoder must be a MeshoptEncoder'],
    ['an array of numbers', new Float32Array(9), {}, 'objects must be iterable'],
  ])('refuses at once what is no argument: %s', (_name, objects, options, sentence) => {
    const error = String(errorOf(() => writeTiles(objects as never, options as never)));
    expect(error).toContain(sentence);
    expect(error).not.toMatch(GAP);
  });

  it('leaves out objects without a triangle, and says if there is none', async () => {
    const flat = { ...triangle, id: 2, positions: [1, 1, 1, 1, 1, 1, 1, 1, 1] };
    const empty = { ...triangle, id: 3, positions: [] };
    const none = { ...triangle, id: 4, index: [] };
    const { root } = await read([flat, empty, none, triangle]);
    expect(root.rows.map(({ id }) => id)).toEqual([1]);
    await expect(filesOf([flat, empty, none])).rejects.toThrow(
      'writeTiles: objects must have at least one triangle, but is without any; check that the scene is loaded and visible.',
    );
    await expect(filesOf([])).rejects.toThrow('at least one triangle');
  });

  it('keeps objects that are smaller than the grid, in a line, or flat', async () => {
    const small = { ...triangle, id: 2, positions: [500, 0, 0, 500.000001, 0, 0, 500, 0.000001, 0] };
    const line = { ...triangle, id: 3, positions: [0, 0, 0, 1, 1, 1, 2, 2, 2] };
    const { root } = await read([
      triangle,
      small,
      line,
      { ...triangle, id: 4, positions: [1000, 0, 0, 1, 0, 0, 5, 0, 9] },
    ]);
    expect(root.rows.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4]);
    expect(new Set(root.primitives.flatMap(({ rows }) => rows)).size).toBe(4);
  });

  it('keeps the grid far from the origin', async () => {
    const { tiles } = await read(town(30, 9, 1000, 2 ** 40), { maxVertices: 500 });
    expect(leavesOf(tiles)[0].step).toBeLessThanOrEqual(1 / 64);
  });

  it('writes an object of more than 65,535 vertices as one, with wide positions where it is large', async () => {
    const size = 257;
    const hill: SceneObject = {
      id: 9999,
      material: WALL,
      positions: Float32Array.from({ length: 3 * size * size }, (_, at) => {
        const [x, z] = [Math.floor(at / 3) % size, Math.floor(at / 3 / size)];
        return [40 * x, 300 * Math.sin(x / 20) * Math.cos(z / 30), 40 * z][at % 3];
      }),
      index: Uint32Array.from({ length: 6 * (size - 1) ** 2 }, (_, corner) => {
        const [square, k] = [Math.floor(corner / 6), corner % 6];
        const first = (square % (size - 1)) + size * Math.floor(square / (size - 1));
        return first + [0, size, 1, 1, size, size + 1][k];
      }),
    };
    const { tiles } = await read([...town(60, 10), hill], {});
    const leaf = leavesOf(tiles).find(({ rows }) => rows.some(({ id }) => id === 9999))!;
    const [primitive] = leaf.primitives;
    expect(primitive.positions.length / 3).toBeGreaterThan(65_535);
    // Vertices stand in the order of the triangles.
    const places = new Map<number, number>();
    for (const vertex of hill.index as Uint32Array) if (!places.has(vertex)) places.set(vertex, places.size);
    expect(primitive.index).toEqual(Array.from(hill.index!, (vertex) => places.get(vertex)));
    expect(leaf.step).toBeLessThan(0.1);
  });

  it('takes limits of vertices from 256 to three times 65,535', () => {
    for (const [maxVertices, isFine] of [
      [255, false],
      [256, true],
      [196_605, true],
      [196_606, false],
      [256.5, false],
    ] as const)
      expect([maxVertices, errorOf(() => writeTiles([], { maxVertices })) === undefined]).toEqual([
        maxVertices,
        isFine,
      ]);
  });

  it('writes normals in 8 bits, other numbers in 16 bits if all are from 0 to 1', async () => {
    const normals = [0, 0, 0, 0, 0, 2, 3, 0, 4];
    expect(await attributesOf({ normals })).toEqual({ NORMAL: [0, 1, 0, 0, 0, 1, 76 / 127, 0, 102 / 127] });
    const inside = [0, 0, 1, 1, 0.5, 0.25];
    const sixteenths = [0, 0, 1, 1, 32_768 / 65_535, 16_384 / 65_535];
    // glTF allows no second set of texture coordinates without a first one.
    expect(await attributesOf({ uvs1: inside })).toEqual({ TEXCOORD_0: sixteenths, TEXCOORD_1: sixteenths });
    for (const uvs of [
      [0, 0, 1.5, 1, 0.5, 0.25],
      [0, 0, 1, 1, 0.5, -0.25],
    ])
      expect(await attributesOf({ uvs })).toEqual({ TEXCOORD_0: uvs });
    const colors = [1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1];
    expect(await attributesOf({ colors })).toEqual({ COLOR_0: colors });
  });

  it('cuts objects at one place', async () => {
    const objects = Array.from({ length: 300 }, (_, id) => objectFrom(new BoxGeometry(), id));
    const { tiles } = await read(objects, { ...MESHOPT, maxVertices: 256 });
    expect(leavesOf(tiles).flatMap(({ rows }) => rows).length).toBe(300);
  });

  it('writes a tile without content where no object fits', async () => {
    const knot = new TorusKnotGeometry(1, 0.3, 60, 10);
    const objects = [0, 50, 100].map((x, id) => objectFrom(knot, id, new Matrix4().makeTranslation(x, 0, 0)));
    const { root } = await read(objects, { maxVertices: 256 });
    expect([root.path, root.children.length]).toEqual([null, 2]);
    expect(root.error).toBeGreaterThan(2);
  });

  it('leaves materials without light unlit, and takes two textures only as one', async () => {
    const basic = new MeshBasicMaterial({ color: 0xff0000 });
    const { root } = await read([{ ...triangle, material: basic }]);
    expect(root.primitives[0].material.extensions).toEqual({ KHR_materials_unlit: {} });
  });
});

/** Objects that arrive later. */
async function* later(objects: readonly SceneObject[]): AsyncGenerator<SceneObject> {
  for (const object of objects) {
    await Promise.resolve();
    yield object;
  }
}

function diagonalOf(triangles: readonly (readonly number[])[]): number {
  const lanes = [0, 1, 2].map((axis) =>
    triangles.flatMap((triangle) => [triangle[axis], triangle[3 + axis], triangle[6 + axis]]),
  );
  return Math.hypot(...lanes.map((lane) => Math.max(...lane) - Math.min(...lane)));
}
