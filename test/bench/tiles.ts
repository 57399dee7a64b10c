/**
 * What `writeTiles` makes of a city: bytes, draws and errors of its tiles, and the time for an object; and how many
 * bytes a view draws of tiles that are halves of equal weight in place of cells of an octree. Cells and halves without
 * normals, too.
 * `npm run bench -- --tiles --data path`: meshes of path.bin, or boxes, which become houses with gable roofs.
 */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import { MeshStandardMaterial } from 'three';
import { solidBoxes } from '../../src/index.ts';
import type { Cell, ObjectTable } from '../../src/tiles/cells.ts';
import type { SceneObject } from '../../src/tiles/index.ts';
import { Y_UP } from '../../src/tiles/tileset.ts';
import { TileWriter } from '../../src/tiles/write-tiles.ts';

interface Header {
  readonly count: number;
  readonly sections: readonly { readonly name: string; readonly byteOffset: number; readonly byteLength: number }[];
}
interface Tile {
  readonly boundingVolume: { readonly box: readonly number[] };
  readonly geometricError: number;
  readonly content?: { readonly uri: string };
  readonly children?: readonly Tile[];
}
/** Pixels that a tile may be off, of a picture 1,080 pixels high, 60 degrees wide. */
const PIXELS = 16;
const PIXELS_PER_RADIAN = 1080 / (2 * Math.tan(Math.PI / 6));
/** Heights of the eyes above the ground in metres. */
const HEIGHTS = [2, 30, 150];
const PLACES = 12;

/** The objects of a city: `count` of them. Their arrays are computed when they are read. */
export function readCity(path: string, count: number): SceneObject[] {
  const header = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Header;
  const file = readFileSync(`${path}.bin`);
  const floats = (name: string): Float32Array | undefined => {
    const section = header.sections.find((one) => one.name === name);
    return (
      section &&
      new Float32Array(
        file.buffer.slice(
          file.byteOffset + section.byteOffset,
          file.byteOffset + section.byteOffset + section.byteLength,
        ),
      )
    );
  };
  const colors = [0xd9cfc0, 0xb08d74, 0x9aa3ad, 0xc4b49a];
  const materials = colors.map((color, k) => Object.assign(new MeshStandardMaterial({ color }), { name: `wall ${k}` }));
  const positions = floats('positions');
  const bounds = floats('bounds')!;
  const ranges = new Uint32Array(floats('range')?.buffer ?? new ArrayBuffer(0));
  return Array.from({ length: Math.min(count, header.count) }, (_, id) => {
    const named = { id, name: `building ${id}`, material: materials[id % (positions ? 4 : 3)] };
    if (positions === undefined) return new House(named, bounds);
    return { ...named, positions: positions.subarray(3 * ranges[2 * id], 3 * (ranges[2 * id] + ranges[2 * id + 1])) };
  });
}

/** A house whose arrays are computed when they are read. */
class House implements SceneObject {
  readonly id: number;
  readonly name: string;
  readonly material: MeshStandardMaterial;
  private readonly bounds: Float32Array;

  /** @param bounds Of all houses: a view of those of each would take more memory than the tiles. */
  constructor(named: { id: number; name: string; material: MeshStandardMaterial }, bounds: Float32Array) {
    this.id = named.id;
    this.name = named.name;
    this.material = named.material;
    this.bounds = bounds;
  }

  get positions(): Float32Array {
    return gabled(this.bounds.subarray(6 * this.id, 6 * this.id + 6)).positions;
  }

  get normals(): Float32Array {
    return gabled(this.bounds.subarray(6 * this.id, 6 * this.id + 6)).normals;
  }
}

/** A house that fills a box: four walls, a floor and a gable roof along the longer side; a normal for each face. */
function gabled([x, y, z, a, h, b]: Float32Array): { positions: Float32Array; normals: Float32Array } {
  const turned = b > a;
  const [l, w] = turned ? [b, a] : [a, b];
  const [eaves, ridge] = [y + h * 0.6, y + h];
  const at = (u: number, v: number, height: number): number[] =>
    turned ? [x - v, height, z + u] : [x + u, height, z + v];
  const c = (u: number, v: number): number[][] => [at(u, v, y - h), at(u, v, eaves)];
  const [A, B, C, D] = [c(-l, -w), c(l, -w), c(l, w), c(-l, w)];
  const [P, Q] = [at(-l, 0, ridge), at(l, 0, ridge)];
  const faces = [
    [A[0], A[1], B[1], B[0]],
    [C[0], C[1], D[1], D[0]],
    [B[0], B[1], Q, C[1], C[0]],
    [D[0], D[1], P, A[1], A[0]],
    [A[1], P, Q, B[1]],
    [C[1], Q, P, D[1]],
    [A[0], B[0], C[0], D[0]],
  ];
  const positions: number[] = [];
  const normals: number[] = [];
  for (const face of faces)
    for (let k = 2; k < face.length; k++) {
      const [p, q, r] = [face[0], face[k - 1], face[k]];
      const [e, f] = [q.map((v, i) => v - p[i]), r.map((v, i) => v - p[i])];
      const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
      const length = Math.hypot(...n);
      positions.push(...p, ...q, ...r);
      for (let corner = 0; corner < 3; corner++) normals.push(...n.map((v) => v / length));
    }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals) };
}

const MAX_VERTICES = 16_384;
const CUTS = [
  { name: 'cells' },
  { name: 'cells', withBoxes: true },
  { name: 'halves' },
  { name: 'cells', isFlat: true },
  { name: 'halves', isFlat: true },
];

/** Writes a city, and prints its figures. */
export async function runTilesBenchmark(path: string, count: number): Promise<void> {
  const city = readCity(path, count);
  for (const { name, withBoxes = false, isFlat = false } of CUTS) {
    // Without normals renderers shade triangles flat.
    const objects = isFlat
      ? city.map((object) => Object.create(object, { normals: { value: null } }) as SceneObject)
      : city;
    const files = new Map<string, number>();
    const sizes = { bytes: 0, gzipped: 0, vertices: 0 };
    let tileset = '';
    let peak = 0;
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const options = { encoder: MeshoptEncoder, simplifier: MeshoptSimplifier, ...(withBoxes && { solidBoxes }) };
    const writer = new TileWriter(options, MAX_VERTICES, Y_UP);
    if (name === 'halves') writer.cut = cutIntoHalves;
    for await (const file of writer.write(objects)) {
      // Before the file is compressed, which takes memory, too.
      peak = Math.max(peak, process.memoryUsage.rss());
      files.set(file.path, file.bytes.length);
      sizes.bytes += file.bytes.length;
      sizes.gzipped += gzipSync(file.bytes).length;
      sizes.vertices += verticesOf(file.bytes);
      if (file.path === 'tileset.json') tileset = new TextDecoder().decode(file.bytes);
    }
    const { user } = process.cpuUsage(cpu);
    const { root } = JSON.parse(tileset) as { root: Tile };
    const first = files.get('tileset.json')! + (files.get(root.content?.uri ?? '') ?? 0);
    const rows = [
      [
        'objects',
        objects.length,
        'tiles of',
        name,
        'solid boxes',
        withBoxes,
        'normals',
        !isFlat && 'normals' in city[0],
      ],
      ['tiles', files.size - 1],
      ['MB', round(sizes.bytes / 1e6), 'gzipped', round(sizes.gzipped / 1e6)],
      ['bytes a vertex', round(sizes.bytes / sizes.vertices)],
      ['kB before the first picture', round(first / 1000)],
      ['error of the root, m', round(root.geometricError)],
      ['CPU, ms an object', round(user / 1000 / objects.length), 'wall s', round((performance.now() - start) / 1000)],
      ['peak memory, MB', round(peak / 1e6)],
      ...HEIGHTS.map((height) => ['at', height, 'm: MB drawn, loaded', ...viewsOf(root, files, height).map(round)]),
    ];
    for (const row of rows) console.log(row.join(' '));
  }
}

/** Halves of equal weight along the longest side, in place of the cells of an octree. */
export function cutIntoHalves({ bounds, vertices }: ObjectTable, maxVertices: number): Cell {
  const middle = (place: number, axis: number): number => bounds[6 * place + axis] + bounds[6 * place + 3 + axis];
  const cut = (places: readonly number[]): Cell => {
    const weight = places.reduce((sum, place) => sum + vertices[place], 0);
    if (places.length < 2 || weight <= maxVertices) return { places, children: [] };
    const sides = [0, 1, 2].map((axis) => {
      const middles = places.map((place) => middle(place, axis));
      return middles.reduce((a, b) => Math.max(a, b)) - middles.reduce((a, b) => Math.min(a, b));
    });
    const axis = sides.indexOf(Math.max(...sides));
    const sorted = [...places].sort((a, b) => middle(a, axis) - middle(b, axis) || a - b);
    let half = 1;
    for (let sum = vertices[sorted[0]]; half < sorted.length - 1 && 2 * sum < weight; half++)
      sum += vertices[sorted[half]];
    return { places: [], children: [cut(sorted.slice(0, half)), cut(sorted.slice(half))] };
  };
  return cut([...vertices.keys()]);
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** The vertices of a binary glTF; 0 of other files. */
function verticesOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  if (view.getUint32(0, true) !== 0x46546c67) return 0;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true)))) as {
    meshes: { primitives: { attributes: { POSITION: number } }[] }[];
    accessors: { count: number }[];
  };
  return json.meshes[0].primitives.reduce((sum, { attributes }) => sum + json.accessors[attributes.POSITION].count, 0);
}

/** MB of the tiles that are drawn, and that are loaded with ancestors and siblings, in the mean of some places. */
export function viewsOf(root: Tile, files: ReadonlyMap<string, number>, height: number): number[] {
  const sums = [0, 0];
  const [cx, cy, , hx, , , , hy] = root.boundingVolume.box;
  for (let place = 0; place < PLACES; place++) {
    const angle = (2 * Math.PI * place) / PLACES;
    const [x, y] = [cx + 0.4 * hx * Math.cos(angle), cy + 0.4 * hy * Math.sin(angle)];
    const look = angle * 5;
    const visit = (tile: Tile): void => {
      const size = (files.get(tile.content?.uri ?? '') ?? 0) / 1e6;
      sums[1] += size;
      const { box } = tile.boundingVolume;
      const away = (at: number, axis: number, half: number): number => Math.max(Math.abs(at - box[axis]) - half, 0);
      const distance = Math.hypot(away(x, 0, box[3]), away(y, 1, box[7]), away(height, 2, box[11]));
      if (!isSeen(box, x, y, look)) return;
      if (!tile.children || (tile.geometricError * PIXELS_PER_RADIAN) / distance <= PIXELS) sums[0] += size;
      else tile.children.forEach(visit);
    };
    visit(root);
  }
  return sums.map((sum) => sum / PLACES);
}

/** Whether a box reaches into a view of 91 degrees in the plane: 16 to 9, and 60 degrees high. */
function isSeen(box: readonly number[], x: number, y: number, look: number): boolean {
  const half = (91 * Math.PI) / 360;
  return [look + half + Math.PI / 2, look - half - Math.PI / 2].every((normal) => {
    const [nx, ny] = [-Math.cos(normal), -Math.sin(normal)];
    return (box[0] - x) * nx + (box[1] - y) * ny + Math.abs(nx) * box[3] + Math.abs(ny) * box[7] >= 0;
  });
}
