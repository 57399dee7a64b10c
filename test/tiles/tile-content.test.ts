import { BoxGeometry, MeshStandardMaterial, type BufferGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneObject } from '../../src/tiles/index.ts';
import { nextTask } from '../../src/math/clock.ts';
import { createRandom } from '../support/random.ts';
import type { ReadTile } from '../support/tiles-reader.ts';
import { filesOf, leavesOf, MESHOPT, read } from '../support/written-tiles.ts';

const WALL = new MeshStandardMaterial();
const ROOF = new MeshStandardMaterial({ color: 'red' });
const triangle: SceneObject = { id: 1, material: WALL, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] };

/** A geometry of three at a place. */
function objectAt(geometry: BufferGeometry, id: string | number, x: number, y: number, z: number): SceneObject {
  const { position, normal } = geometry.clone().translate(x, y, z).attributes;
  return { id, material: WALL, positions: position.array, index: geometry.index!.array, normals: normal.array };
}

const boxAt = (id: string | number, x: number, y = 0, z = 0): SceneObject => objectAt(new BoxGeometry(), id, x, y, z);

/** A row of triangles along x, of `count` vertices. */
function rowOf(id: number, count: number, [x, y, z]: readonly number[], width = 1): SceneObject {
  const positions = Array.from({ length: count }, (_, k) => [x + (width * k) / count, y + (k % 2), z]).flat();
  return { id, material: WALL, positions };
}

const verticesOf = ({ primitives }: ReadTile): number => primitives.reduce((sum, { rows }) => sum + rows.length, 0);

const metadataOf = ({ json }: ReadTile): Metadata => json.extensions.EXT_structural_metadata as Metadata;
const typeOfPositions = ({ json }: ReadTile): number => json.accessors[0].componentType as number;

/** Which buffer views of a file are compressed: those of vertices, and the columns of its table. */
function compressedIn(tile: ReadTile): { vertices: boolean[]; columns: Record<string, boolean> } {
  const { json } = tile;
  const views = json.bufferViews as { extensions?: object }[];
  const isCompressed = (view: number): boolean => views[view].extensions !== undefined;
  const [{ properties }] = metadataOf(tile).propertyTables;
  return {
    vertices: (json.accessors as { bufferView: number }[]).map(({ bufferView }) => isCompressed(bufferView)),
    columns: Object.fromEntries(Object.entries(properties).map(([name, { values }]) => [name, isCompressed(values)])),
  };
}
interface Metadata {
  readonly schema: { readonly classes: { readonly object: { readonly properties: Record<string, object> } } };
  readonly propertyTables: readonly [{ readonly properties: Record<string, { values: number }> }];
}

describe('the file of a tile', () => {
  it('is compressed if there is an encoder: vertices always, columns where they get shorter by it', async () => {
    const many = Array.from({ length: 300 }, (_, id) => ({ ...boxAt(id, 2 * id), name: `box ${id}` }));
    const [{ root: one }, { root: all }, { root: plain }] = [
      await read([triangle]),
      await read(many),
      await read(many, {}),
    ];
    expect(compressedIn(one)).toEqual({ vertices: [true, true, true], columns: { id: false, bounds: false } });
    expect(compressedIn(all)).toEqual({
      vertices: [true, true, true, true],
      columns: { name: false, id: true, bounds: true },
    });
    expect(compressedIn(plain)).toEqual({
      vertices: [false, false, false, false],
      columns: { name: false, id: false, bounds: false },
    });
    const asked: unknown[] = [];
    const encoder = {
      ...MESHOPT.encoder,
      reorderMesh: (indices: Uint32Array, ...options: [boolean, boolean]) => {
        asked.push(options);
        return MESHOPT.encoder.reorderMesh(indices, ...options);
      },
    };
    const [short, long] = [await filesOf(many, { encoder }), await filesOf(many, {})].map((files) =>
      files.get('tiles/0.glb')!,
    );
    expect(short.length).toBeLessThan(0.4 * long.length);
    // Of triangles, and for size.
    expect(asked).toEqual([[true, true]]);
  });

  it('has names where an object has one, in the shortest types that fit', async () => {
    expect((await read([triangle])).root.rows.map(({ name }) => name)).toEqual([undefined]);
    const { root } = await read([triangle, { ...boxAt(7, 5), name: 'box' }, { ...triangle, id: 3, name: '' }]);
    expect(Object.fromEntries(root.rows.map(({ id, name }) => [id, name]))).toEqual({ 1: '', 3: '', 7: 'box' });
    const { accessors } = root.json as { accessors: { componentType: number; max?: number[] }[] };
    expect(root.json.asset).toEqual({ version: '2.0', generator: 'scene-octree' });
    // Least and largest numbers only of positions.
    expect(accessors.map(({ max }) => max !== undefined).lastIndexOf(true)).toBe(4);
    expect(accessors.filter(({ max }) => max !== undefined).length).toBe(2);
    // Positions, feature ids and indices in 16 bits, normals, of the box, in 8.
    expect(accessors.map(({ componentType }) => componentType)).toEqual([5123, 5120, 5123, 5123, 5123, 5123, 5123]);
    expect(metadataOf(root).propertyTables[0].properties.name).toMatchObject({ stringOffsetType: 'UINT16' });
    for (const [id, type] of [
      [65_535, 'UINT16'],
      [65_536, 'UINT32'],
      [2 ** 32 - 1, 'UINT32'],
      [2 ** 32, 'FLOAT64'],
      [-1, 'FLOAT64'],
    ] as const) {
      const { schema } = metadataOf((await read([triangle, { ...triangle, id }], {})).root);
      expect(schema.classes.object.properties.id).toEqual({ type: 'SCALAR', componentType: type });
    }
  });

  it('has no triangle that is flat on the grid, but for an object of which nothing else would be left', async () => {
    const sliver = [0, 0, 0, 900, 1, 0, 900, 1 + 1e-7, 0];
    const large = [0, 0, 0, 900, 0, 0, 0, 900, 0];
    for (const positions of [
      [...large, ...sliver],
      [...sliver, ...large],
      [...sliver, ...large, ...sliver],
    ])
      expect((await read([{ ...triangle, positions }], {})).root.primitives[0].index.length).toBe(3);
    const { root } = await read([triangle, { ...triangle, id: 2, positions: [...sliver, ...sliver] }], {});
    expect(root.primitives[0].index.length).toBe(6);
  });

  it('has positions in 16 bits only if those of all objects fit', async () => {
    // One small object is in the leaf of the large one, where that begins.
    const small = Array.from({ length: 110 }, (_, id) => rowOf(id, 30, [id === 0 ? 1095 : 1e5 + 10 * id, 0, 0], 20));
    const large = rowOf(999, 30, [1095, 0, 0], 60_000);
    const { tiles } = await read([...small, large], { maxVertices: 256 });
    const leaf = leavesOf(tiles).find(({ rows }) => rows.some(({ id }) => id === 999))!;
    expect(leaf.rows.length).toBe(2);
    const row = leaf.rows.find(({ id }) => id === 999)!;
    expect(row.max[0]).toBeCloseTo(1095 + (60_000 * 29) / 30, 0);
    expect(typeOfPositions(leaf)).toBe(5126);
    for (const other of leavesOf(tiles)) if (other !== leaf) expect(typeOfPositions(other)).toBe(5123);
    // The largest number of 16 bits.
    const widest = { ...triangle, positions: [0.5, 0, 0, 65_534.5, 0, 0, 0.5, 9, 0] };
    const { root } = await read([widest], {});
    expect([typeOfPositions(root), root.json.accessors[0].max]).toEqual([5123, [65_535, 9, 0]]);
  });

  it('has a grid also where an object is smaller than what 32 bits can tell', async () => {
    const positions = [0, 0, 0, 1e-50, 0, 0, 0, 1e-50, 0];
    const { root } = await read([{ ...triangle, positions }], {});
    expect([root.step, root.primitives[0].positions.every((value) => value === 0)]).toEqual([1, true]);
  });

  it('has its objects to and fro in rows', async () => {
    // A 16th of the depth is 3.8125.
    const places = [0, 6, 12, 10, 60].flatMap((z) => [0, 20, 10].map((x) => [x, z]));
    const { root } = await read(
      places.map(([x, z]) => boxAt(`${z} ${x}`, 100 + x, 0, 50 + z)),
      {},
    );
    const [forth, back] = [
      [0, 10, 20],
      [20, 10, 0],
    ];
    expect(root.rows.map(({ id }) => id)).toEqual(
      [
        [0, forth],
        [6, back],
        [10, forth],
        [12, back],
        [60, back],
      ].flatMap(([z, row]) => (row as number[]).map((x) => `${z as number} ${x}`)),
    );
    const inOnePlace = await read(
      [5, 3, 4].map((id) => boxAt(id, 0)),
      {},
    );
    expect(inOnePlace.root.rows.map(({ id }) => id)).toEqual([5, 3, 4]);
  });
});

describe('the tree of tiles', () => {
  it('has as many vertices in a leaf as it may, and no more', async () => {
    for (const [count, leaves] of [
      [126, 1],
      [129, 2],
    ]) {
      const { tiles } = await read([rowOf(0, 129, [0, 0, 0]), rowOf(1, count, [50, 0, 0])], { maxVertices: 256 });
      expect([count, leavesOf(tiles).length]).toEqual([count, leaves]);
    }
  });

  it.each([
    ['with a simplifier', MESHOPT],
    ['without', {}],
  ])('has in a tile above at most half of the vertices of its objects: %s', async (_name, options) => {
    const random = createRandom(4);
    const counts = new Map<string | number, number>();
    const objects = Array.from({ length: 60 }, (_, id) => {
      const count = 3 * (8 + random.below(12));
      counts.set(id, count);
      const place = [random.between(0, 900), 0, random.between(0, 900)];
      return { ...rowOf(id, count, place, random.between(1, 40)), material: id % 2 === 0 ? WALL : ROOF };
    });
    const { tiles } = await read(objects, { ...options, maxVertices: 512 });
    const below = (tile: ReadTile): number =>
      tile.children.length > 0
        ? tile.children.reduce((sum, child) => sum + below(child), 0)
        : tile.rows.reduce((sum, { id }) => sum + counts.get(id)!, 0);
    let halves = 0;
    for (const tile of tiles)
      if (tile.children.length > 0) {
        expect(verticesOf(tile)).toBeLessThanOrEqual(Math.min(512, below(tile) / 2));
        halves += Number(below(tile) < 1024);
        // By material, then in their order.
        const rows = tile.primitives.flatMap((primitive) => [...new Set(primitive.rows)]);
        if (options === MESHOPT) expect(new Set(rows)).toEqual(new Set(tile.rows.keys()));
        else expect(rows).toEqual([...tile.rows.keys()]);
      }
    expect(halves).toBeGreaterThan(0);
  });

  it('states the same errors wherever the scene is', async () => {
    const random = createRandom(5);
    const rows = Array.from({ length: 40 }, () => [
      [random.between(0, 900), random.between(0, 300), random.between(0, 900)],
      [random.between(1, 40)],
    ]);
    const errorsAt = async (...place: number[]): Promise<string[]> => {
      const objects = rows.map(([at, [width]], id) =>
        rowOf(
          id,
          60,
          at.map((value, axis) => value + place[axis]),
          width,
        ),
      );
      const { tiles, geometricError } = await read(objects, { maxVertices: 512 });
      return [geometricError, ...tiles.flatMap(({ error, step }) => [error, step])].map((error) => error.toFixed(6));
    };
    const expected = await errorsAt(0, 0, 0);
    expect(new Set(expected).size).toBeGreaterThan(2);
    expect(await errorsAt(4096, 8192, 16_384)).toEqual(expected);
    expect(await errorsAt(-4096, -8192, -16_384)).toEqual(expected);
  });
});

describe('callbacks of writeTiles', () => {
  it('arrive at the next pause, of which there is one for each 1,000 objects that are read', async () => {
    for (const [after, most] of [
      [1, 1],
      [2, 1001],
      // When tiles are written, a pause is before an object is read.
      [1002, 2000],
    ]) {
      const abort = new AbortController();
      let reads = 0;
      const object = {
        ...triangle,
        get positions() {
          if (++reads === after) void nextTask().then(() => abort.abort(new Error('enough')));
          return triangle.positions;
        },
      };
      const objects = Array.from({ length: 1500 }, () => object);
      await expect(filesOf(objects, { signal: abort.signal })).rejects.toThrow('enough');
      expect([after, reads]).toEqual([after, most]);
    }
  });

  it('are told the side of a material that hides what is behind it', async () => {
    const asked: unknown[] = [];
    const solidBoxes = (
      { positions, index }: { positions: ArrayLike<number>; index: ArrayLike<number> },
      more: object,
    ): [] => {
      asked.push([positions.length, index.length, more]);
      return [];
    };
    const two = { ...boxAt(2, 9), material: new MeshStandardMaterial({ side: 2 }) };
    await filesOf([boxAt(1, 0), two], { solidBoxes });
    expect(asked).toEqual([
      [72, 36, { side: 'front' }],
      [72, 36, { side: 'double' }],
    ]);
    await expect(filesOf([triangle], { solidBoxes: () => ({}) as never })).rejects.toThrow(
      'writeTiles: options.solidBoxes must return an array, but is an object; pass solidBoxes of scene-octree.',
    );
  });

  it('may not change an object so that it has no triangle when it is read again', async () => {
    let reads = 0;
    const passing = {
      ...triangle,
      get positions() {
        return ++reads === 1 ? [0, 0, 0, 1, 0, 0, 0, 1, 0] : [];
      },
    };
    await expect(filesOf([boxAt(1, 0), passing], {})).rejects.toThrow(
      'writeTiles: objects[1] must be the same each time it is read, but is without a triangle now; do not change objects meanwhile.',
    );
  });
});
