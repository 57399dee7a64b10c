/** `writeTiles`: a tileset from objects, tile by tile. */

import { nextTask } from '../math/clock.ts';
import {
  isIntegerBetween,
  requireFunction,
  requireNumber,
  requireObject,
  throwRange,
  throwType,
} from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import { readMatrix, type MatrixLike } from '../octree/input/query-shapes.ts';
import { cutIntoCells, placesIn, type Cell } from './cells.ts';
import { coarsen, type MeshSimplifierLike } from './coarse.ts';
import { minMaxOf, type MeshEncoderLike } from './glb.ts';
import { encodeByCanvas, MaterialLibrary, type EncodeImage } from './materials.ts';
import { numbersOfBox, type SolidBoxLike } from './property-table.ts';
import { gridOf, lengthOf, MAX_STEPS, stepFor, storedPositions, type TileGrid } from './grid.ts';
import { writeContent, type TilePart } from './tile-content.ts';
import { checkObject, readMesh, WHERE, type ObjectMesh, type SceneObject } from './scene-object.ts';
import { tilesetFiles, Y_UP, type WrittenTile } from './tileset.ts';

/** A file of a tileset. */
export interface TileFile {
  /** Where it belongs, from the folder of the tileset on, with `/` between folders. */
  readonly path: string;
  /** What it contains. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How far `writeTiles` is. */
export interface TileProgress {
  /** `'read'` while objects are read and counted, then `'write'`. */
  readonly phase: 'read' | 'write';
  /** Objects read, or cells of the octree done, of which some have no tile. */
  readonly done: number;
  /** How many there will be; undefined while objects of an iterator are read. */
  readonly total: number | undefined;
}

/** How tiles are written. */
export interface WriteTilesOptions {
  /**
   * Most vertices of a tile, 256 to 196,605. Default 16,384. A tile with one object may have more, and one in which
   * objects cannot be simplified.
   */
  readonly maxVertices?: number;
  /** `MeshoptEncoder` of the package meshoptimizer: compresses tiles. Default none. */
  readonly encoder?: MeshEncoderLike;
  /** `MeshoptSimplifier` of the package meshoptimizer. Without it coarse tiles have the largest objects only. */
  readonly simplifier?: MeshSimplifierLike;
  /** `solidBoxes` of scene-octree, or a function with options of yours: boxes for occlusion culling. Default none. */
  readonly solidBoxes?: (
    mesh: { readonly positions: Float64Array; readonly index: Uint32Array },
    options: { readonly side: 'front' | 'back' | 'double' },
  ) => readonly SolidBoxLike[];
  /** Places the tileset: from the scene to the world of the tileset. Default: the scene as it is. */
  readonly transform?: MatrixLike;
  /** Encodes the image of a texture. Default: by an OffscreenCanvas, where there is one. */
  readonly encodeImage?: EncodeImage;
  /** Ends the work with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Is called after each tile, and for each 1,000 objects that are read. */
  readonly onProgress?: (progress: TileProgress) => void;
}

const OPTIONS = Object.keys({
  maxVertices: true,
  encoder: true,
  simplifier: true,
  solidBoxes: true,
  transform: true,
  encodeImage: true,
  signal: true,
  onProgress: true,
} satisfies Record<keyof WriteTilesOptions, true>);
/**
 * Share of the objects that fits a grid of 16 bits. The others, of very large leaves, are written in 32 bits. Test:
 * tile-limits.test.
 */
const SMALL_SHARE = 0.95;
/** Rows into which the objects of a tile are sorted: with 8 files were larger, with 32 not smaller. */
const ROWS = 16;
/** Objects between two pauses, in which a page draws and an abort arrives. Test: write-tiles.test. */
const OBJECTS_PER_PAUSE = 1000;

/**
 * Writes a scene as 3D Tiles: a tree of files that a page loads as the camera needs them. Tiles are the cells of an
 * octree. Leaves hold all objects, merged by material; each tile above shows its objects in fewer triangles, or leaves
 * small ones out, and says by how much it is off. A table in each tile has names, ids and bounds of its objects.
 *
 * The same objects give the same bytes. Objects are read several times, and one at a time, so that memory is that of a
 * few tiles if their arrays are computed when they are read, as those of `objectsOf`. Objects without a triangle are
 * left out.
 *
 * Cost: most is for measuring how far simplified objects are off. There are pauses for events of the page.
 *
 * @param objects Any iterable, also an asynchronous one. It is read once.
 * @param options `maxVertices`, `encoder`, `simplifier`, `solidBoxes` and others: see `WriteTilesOptions`.
 * @returns Files, each once, `tileset.json` last: until it is there, nothing refers to the others.
 * @throws {TypeError} If an object or an option has another type, or an image cannot be encoded.
 * @throws {RangeError} If a number is not finite, an index leads nowhere, there is no triangle, or an option is out of
 *   range.
 *
 * @example
 * ```ts
 * import { objectsOf, writeTiles } from 'scene-octree/tiles';
 * import { BoxGeometry, Mesh, MeshStandardMaterial, Scene } from 'three';
 *
 * const scene = new Scene().add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()));
 * const paths: string[] = [];
 * for await (const { path } of writeTiles(objectsOf(scene))) paths.push(path);
 * console.log(paths.join(' ')); // prints: tiles/0.glb tileset.json
 * ```
 */
export function writeTiles(
  objects: Iterable<SceneObject> | AsyncIterable<SceneObject>,
  options: WriteTilesOptions = {},
): AsyncGenerator<TileFile, void, void> {
  requireOptions(WHERE, options, OPTIONS);
  requireObject(WHERE, 'objects', objects, 'pass objectsOf(scene), or an array of objects');
  if (ArrayBuffer.isView(objects) || !(Symbol.iterator in objects || Symbol.asyncIterator in objects))
    throwType(WHERE, 'objects', 'be iterable', objects, 'pass objectsOf(scene), or an array of objects');
  const { maxVertices = 16_384, transform, encoder, simplifier, signal } = options;
  const isFine = isIntegerBetween(maxVertices, 256, 3 * MAX_STEPS);
  requireNumber(
    WHERE,
    'options.maxVertices',
    `be an integer from 256 to ${3 * MAX_STEPS}`,
    maxVertices,
    isFine,
    'leave it out for 16,384',
  );
  for (const name of ['solidBoxes', 'encodeImage', 'onProgress'] as const)
    requireFunction(WHERE, `options.${name}`, options[name]);
  const meshopt = 'pass the one of the package meshoptimizer';
  if (
    encoder !== undefined &&
    (typeof encoder?.encodeGltfBuffer !== 'function' || typeof encoder.reorderMesh !== 'function')
  )
    throwType(WHERE, 'options.encoder', 'be a MeshoptEncoder', encoder, meshopt);
  if (simplifier !== undefined && typeof simplifier?.simplify !== 'function')
    throwType(WHERE, 'options.simplifier', 'be a MeshoptSimplifier', simplifier, meshopt);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throwType(WHERE, 'options.signal', 'be an AbortSignal', signal, 'pass the one of an AbortController');
  let matrix = Y_UP;
  if (transform !== undefined) {
    const m = [...readMatrix(WHERE, 'options.transform', transform, 'pass a Matrix4', new Float64Array(16))];
    // Times Y_UP.
    matrix = [...m.slice(0, 4), ...m.slice(8, 12).map((value) => -value), ...m.slice(4, 8), ...m.slice(12)];
  }
  return new TileWriter(options, maxVertices, matrix).write(objects);
}

/** One call of `writeTiles`. */
export class TileWriter {
  private readonly options: WriteTilesOptions;
  private readonly maxVertices: number;
  private readonly transform: ArrayLike<number>;
  /** Benchmarks set another cut. */
  cut = cutIntoCells;
  private readonly library = new MaterialLibrary();
  /** By place: objects, and what is kept of them. */
  private readonly objects: SceneObject[] = [];
  private readonly materials: number[] = [];
  private readonly bounds: number[] = [];
  private readonly vertices: number[] = [];
  /** The grid step of leaves. */
  private step = 1;
  private hasNumbers = true;
  private reads = 0;
  private written = 0;
  private total = 0;

  constructor(options: WriteTilesOptions, maxVertices: number, transform: ArrayLike<number>) {
    this.options = options;
    this.maxVertices = maxVertices;
    this.transform = transform;
  }

  async *write(objects: Iterable<SceneObject> | AsyncIterable<SceneObject>): AsyncGenerator<TileFile, void, void> {
    await this.options.encoder?.ready;
    await this.options.simplifier?.ready;
    await this.readAll(objects);
    const { bounds, vertices } = this;
    const root = this.cut({ bounds, vertices }, this.maxVertices);
    const cells = cellsIn(root);
    this.total = cells.length;
    this.step = this.stepOfLeaves(cells.filter(({ children }) => children.length === 0));
    const tile = yield* this.writeCell(root);
    const diagonal = diagonalOf(tile.bounds, 0);
    for (const { path, json } of tilesetFiles(tile, this.transform, diagonal))
      yield { path, bytes: new TextEncoder().encode(JSON.stringify(json)) };
  }

  /** Reads all objects once, and keeps bounds and counts of those that have triangles. */
  private async readAll(objects: Iterable<SceneObject> | AsyncIterable<SceneObject>): Promise<void> {
    const { encodeImage = encodeByCanvas, onProgress } = this.options;
    const total = Array.isArray(objects) ? objects.length : undefined;
    let done = 0;
    for await (const object of objects) {
      checkObject(object, done++);
      const mesh = readMesh(object);
      if (done % OBJECTS_PER_PAUSE === 0) onProgress?.({ phase: 'read', done, total });
      await this.pause();
      if (mesh === null) continue;
      const { vertices, stride, origin } = mesh;
      const { min, max } = minMaxOf(vertices, stride);
      for (const corner of [min, max]) this.bounds.push(...corner.map((value, axis) => origin[axis] + value));
      this.vertices.push(vertices.length / stride);
      this.materials.push(this.library.add(object.material, object.encodeImage ?? encodeImage));
      this.hasNumbers &&= typeof object.id === 'number';
      this.objects.push(object);
    }
    if (this.objects.length === 0)
      throwRange(
        WHERE,
        'objects',
        'have at least one triangle',
        'without any',
        'check that the scene is loaded and visible',
      );
  }

  /** The step with which the leaves of most objects fit a grid of 16 bits. All share it: they meet without cracks. */
  private stepOfLeaves(leaves: readonly Cell[]): number {
    const sizes = leaves.map(({ places }) => ({ extent: extentOf(this.boundsOf(places)), count: places.length }));
    sizes.sort((a, b) => a.extent - b.extent);
    let open = SMALL_SHARE * this.objects.length;
    const { extent } = sizes.find(({ count }) => (open -= count) <= 0)!;
    return stepFor(extent, extent > 0 ? 0 : 1);
  }

  private async *writeCell(cell: Cell): AsyncGenerator<TileFile, WrittenTile, void> {
    const children: WrittenTile[] = [];
    for (const child of cell.children) children.push(yield* this.writeCell(child));
    const places = placesIn(cell);
    const bounds = this.boundsOf(places);
    const order = this.orderIn(bounds);
    let grid = gridOf(bounds, this.step);
    let error = 0;
    const parts: TilePart[] = [];
    if (children.length === 0)
      for (const place of places.sort(order)) parts.push(this.partOf(place, await this.read(place), grid));
    else {
      const source = {
        diagonals: places.map((place) => diagonalOf(this.bounds, 6 * place)),
        counts: places.map((place) => this.vertices[place]),
        read: (k: number) => this.read(places[k]),
      };
      const step = stepFor(extentOf(bounds), this.step);
      const ofChildren = Math.max(...children.map((child) => child.error));
      const least = Math.max(ofChildren, step, diagonalOf(bounds, 0) / 4096);
      // A tile with nearly as many vertices as the tiles below it saves little.
      const half = source.counts.reduce((sum, count) => sum + count, 0) / 2;
      const most = Math.min(this.maxVertices, half);
      const coarse = await coarsen(source, bounds, step, most, least, this.options.simplifier);
      // Objects were rounded to the grid of leaves when they were read.
      error = Math.max(ofChildren, coarse.error + this.step);
      grid = coarse.grid;
      coarse.objects.sort((a, b) => order(places[a.k], places[b.k]));
      for (const { k, mesh } of coarse.objects) parts.push(this.partOf(places[k], mesh, grid));
    }
    const path = parts.length > 0 ? `tiles/${this.written}.glb` : null;
    this.written++;
    if (path !== null) {
      const bytes = yield* writeContent(parts, grid, this.library, this.options.encoder, this.hasNumbers);
      yield { path, bytes };
    }
    this.options.onProgress?.({ phase: 'write', done: this.written, total: this.total });
    // Vertices are rounded to the grid, and steps of a child may be larger.
    const grown = bounds.map((value, k) => (k < 3 ? value - grid.step : value + grid.step));
    return { bounds: children.map((child) => child.bounds).reduce(unionOf, grown), error, path, children };
  }

  /** Reads an object again. */
  private async read(place: number): Promise<ObjectMesh> {
    await this.pause();
    const mesh = readMesh(this.objects[place], this.step);
    if (mesh === null)
      throwRange(
        WHERE,
        `objects[${place}]`,
        'be the same each time it is read',
        'without a triangle now',
        'do not change objects meanwhile',
      );
    return mesh;
  }

  private partOf(place: number, mesh: ObjectMesh, grid: TileGrid): TilePart {
    const material = this.materials[place];
    const { id, name = '' } = this.objects[place];
    const positions = storedPositions(mesh, grid);
    const { min, max } = minMaxOf(positions, 3);
    return { mesh, material, row: { id, name, min, max, solidBoxes: this.boxesOf(positions, mesh.index, material) } };
  }

  /** The ten numbers of each solid box of an object as it is drawn. */
  private boxesOf(positions: Float64Array, index: Uint32Array, material: number): number[] {
    const { solidBoxes } = this.options;
    const side = this.library.solidSideOf(material);
    if (solidBoxes === undefined || side === null) return [];
    const boxes = solidBoxes({ positions, index }, { side });
    if (!Array.isArray(boxes))
      throwType(WHERE, 'options.solidBoxes', 'return an array', boxes, 'pass solidBoxes of scene-octree');
    return boxes.flatMap(numbersOfBox);
  }

  /** By material, then to and fro in rows: neighbours in a file have similar numbers, which compress better. */
  private orderIn(bounds: readonly number[]): (a: number, b: number) => number {
    const { materials } = this;
    const low = (place: number, axis: number): number => this.bounds[6 * place + axis];
    const row = (place: number): number => Math.floor((ROWS * (low(place, 2) - bounds[2])) / (bounds[5] - bounds[2]));
    const along = (place: number): number => (row(place) % 2 === 0 ? low(place, 0) : -low(place, 0));
    return (a, b) => materials[a] - materials[b] || row(a) - row(b) || along(a) - along(b) || a - b;
  }

  /** Least and largest coordinates of objects. */
  private boundsOf(places: readonly number[]): number[] {
    return places.reduce((sum, place) => unionOf(sum, this.bounds.slice(6 * place, 6 * place + 6)), NO_BOUNDS);
  }

  /** Throws if the work is aborted. Lets events of the page run now and then. */
  private async pause(): Promise<void> {
    if (this.reads++ % OBJECTS_PER_PAUSE === 0) await nextTask();
    this.options.signal?.throwIfAborted();
  }
}

/** A cell, and all cells below it. */
const cellsIn = (cell: Cell): Cell[] => [cell, ...cell.children.flatMap(cellsIn)];
const NO_BOUNDS = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
const unionOf = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((value, k) => (k < 3 ? Math.min(value, b[k]) : Math.max(value, b[k])));
const extentOf = (bounds: readonly number[]): number =>
  Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);

/** The diagonal of bounds whose six numbers begin at a place. */
const diagonalOf = (bounds: readonly number[], at: number): number =>
  lengthOf(bounds[at + 3] - bounds[at], bounds[at + 4] - bounds[at + 1], bounds[at + 5] - bounds[at + 2]);
