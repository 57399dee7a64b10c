/**
 * Small tilesets in memory, written by hand: houses in tiles, merged by material, with feature ids and a property
 * table, or without them. The root shows all houses coarsely, its four children show them finely.
 */

import { BoxGeometry, BufferGeometry, ConeGeometry, Matrix4 } from 'three';
import { createRandom } from './random.ts';

/** A house: a box and a roof, each of one of the materials. */
export interface House {
  readonly name: string;
  readonly id: string;
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly height: number;
}

export interface TilesetOptions {
  /** Whether houses are features with a table. Default true; false: tiles of others. */
  readonly hasTables?: boolean;
  /** Whether positions are normalized 16-bit integers, interleaved. Default false. */
  readonly isQuantized?: boolean;
}

/** The files of a tileset by their path. */
export type Files = ReadonlyMap<string, ArrayBuffer | object>;

/** Edge of the city. */
export const CITY_EDGE = 200;

export function housesOf(count: number, seed = 1): House[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k) => ({
    name: `Straße ${k}`,
    id: `id-${k}`,
    x: (random.next() - 0.5) * (CITY_EDGE - 20),
    z: (random.next() - 0.5) * (CITY_EDGE - 20),
    width: 2 + 6 * random.next(),
    height: 3 + 15 * random.next(),
  }));
}

/** The tileset of a city: y up in the tiles, and turned back from the renderer's z up, so in place as it is given. */
export function tilesetOf(houses: readonly House[], options: TilesetOptions = {}): Files {
  const files = new Map<string, ArrayBuffer | object>();
  const children = [0, 1, 2, 3].map((quarter) => {
    const inside = houses.filter(({ x, z }) => Number(x > 0) + 2 * Number(z > 0) === quarter);
    files.set(`${quarter}.glb`, tileOf(inside, true, options));
    const [x, z] = [(quarter & 1) - 0.5, (quarter >> 1) - 0.5].map((side) => (side * CITY_EDGE) / 2);
    return { ...tileJson(`${quarter}.glb`, 0), boundingVolume: { box: boxOf(x, z, CITY_EDGE / 4) } };
  });
  files.set('root.glb', tileOf(houses, false, options));
  files.set('tileset.json', {
    asset: { version: '1.0' },
    geometricError: 200,
    root: {
      ...tileJson('root.glb', 4),
      boundingVolume: { box: boxOf(0, 0, CITY_EDGE / 2) },
      transform: [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1],
      children,
    },
  });
  return files;
}

const tileJson = (uri: string, geometricError: number): object => ({
  geometricError,
  refine: 'REPLACE',
  content: { uri },
});

/** A box of a tile: z up, so y of the files is z here, and z is -y. */
function boxOf(x: number, z: number, half: number): number[] {
  return [x, -z, 15, half, 0, 0, 0, half, 0, 0, 0, 15];
}

/** A GLB with the walls of all houses as one mesh, and with their roofs as another if it is fine. */
export function tileOf(houses: readonly House[], isFine: boolean, options: TilesetOptions = {}): ArrayBuffer {
  const walls = houses.map(({ x, z, width, height }) =>
    placed(new BoxGeometry(width, height, width), x, height / 2, z),
  );
  const roofs = houses.map(({ x, z, width, height }, k) =>
    k % 8 === 0 ? new BufferGeometry() : placed(new ConeGeometry(width / 1.5, 2, 4), x, height + 1, z),
  );
  return new GlbWriter(options).write(isFine ? [walls, roofs] : [walls], houses);
}

function placed(geometry: BufferGeometry, x: number, y: number, z: number): BufferGeometry {
  return geometry.applyMatrix4(new Matrix4().makeTranslation(x, y, z));
}

const FLOAT = 5126;
const UINT32 = 5125;

class GlbWriter {
  private readonly bytes: number[] = [];
  private readonly views: object[] = [];
  private readonly accessors: object[] = [];
  private readonly options: TilesetOptions;

  constructor(options: TilesetOptions) {
    this.options = options;
  }

  write(layers: readonly (readonly BufferGeometry[])[], houses: readonly House[]): ArrayBuffer {
    const { hasTables = true } = this.options;
    const primitives = layers.map((geometries, material) => this.primitiveOf(geometries, material));
    const colors = [
      [0.7, 0.6, 0.5, 1],
      [0.6, 0.1, 0.1, 1],
    ];
    const json = {
      asset: { version: '2.0' },
      extensionsUsed: ['EXT_mesh_features', 'EXT_structural_metadata', 'KHR_mesh_quantization'],
      scene: 0,
      scenes: [{ nodes: [0] }],
      // Quantized positions reach from -1 to 1.
      nodes: [{ mesh: 0, ...(this.options.isQuantized ? { scale: [CITY_EDGE, CITY_EDGE, CITY_EDGE] } : {}) }],
      meshes: [{ primitives }],
      materials: colors.map((color) => ({ pbrMetallicRoughness: { baseColorFactor: color, metallicFactor: 0 } })),
      ...(hasTables ? { extensions: { EXT_structural_metadata: this.metadataOf(houses) } } : {}),
      accessors: this.accessors,
      bufferViews: this.views,
      buffers: [{ byteLength: this.bytes.length }],
    };
    return glbOf(json, this.bytes);
  }

  private primitiveOf(geometries: readonly BufferGeometry[], material: number): object {
    const positions: number[] = [];
    const normals: number[] = [];
    const ids: number[] = [];
    const indices: number[] = [];
    geometries.forEach((geometry, house) => {
      const { position, normal } = geometry.attributes;
      if ((position as unknown) === undefined) return;
      const first = positions.length / 3;
      positions.push(...position.array);
      normals.push(...normal.array);
      for (let k = 0; k < position.count; k++) ids.push(house);
      for (const index of geometry.index!.array) indices.push(first + index);
    });
    // As some writers do, it counts the features of this mesh: fewer than rows if a house has no roof.
    const features = { featureCount: new Set(ids).size, attribute: 0, propertyTable: 0 };
    return {
      attributes: {
        POSITION: this.options.isQuantized ? this.quantized(positions) : this.accessor(new Float32Array(positions), 3),
        NORMAL: this.accessor(new Float32Array(normals), 3),
        _FEATURE_ID_0: this.accessor(new Float32Array(ids), 1),
      },
      indices: this.accessor(new Uint32Array(indices), 1),
      material,
      ...((this.options.hasTables ?? true) ? { extensions: { EXT_mesh_features: { featureIds: [features] } } } : {}),
    };
  }

  private metadataOf(houses: readonly House[]): object {
    const height = { values: this.view(bytesOf(new Float32Array(houses.map((house) => house.height)))) };
    const properties = {
      name: this.texts(houses.map(({ name }) => name)),
      id: this.texts(houses.map(({ id }) => id)),
      height,
    };
    return {
      schema: {
        id: 'houses',
        classes: {
          object: {
            properties: {
              name: { type: 'STRING' },
              id: { type: 'STRING', semantic: 'ID' },
              height: { type: 'SCALAR', componentType: 'FLOAT32' },
            },
          },
        },
      },
      propertyTables: [{ class: 'object', count: houses.length, properties }],
    };
  }

  private texts(texts: readonly string[]): object {
    const encoded = texts.map((text) => [...new TextEncoder().encode(text)]);
    const offsets = new Uint32Array(texts.length + 1);
    encoded.forEach((bytes, k) => (offsets[k + 1] = offsets[k] + bytes.length));
    return { values: this.view(encoded.flat()), stringOffsets: this.view(bytesOf(offsets)) };
  }

  /** Positions as normalized integers, four to a vertex as glTF wants it: a stride of 8 bytes. */
  private quantized(positions: readonly number[]): number {
    const rounded = positions.map((value) => Math.round((value / CITY_EDGE) * 32_767));
    const padded = Int16Array.from({ length: (rounded.length / 3) * 4 }, (_, k) =>
      k % 4 === 3 ? 0 : rounded[Math.floor(k / 4) * 3 + (k % 4)],
    );
    const bufferView = this.view(bytesOf(padded), 8);
    return this.addAccessor(
      { bufferView, componentType: 5122, normalized: true, count: rounded.length / 3, type: 'VEC3' },
      rounded,
    );
  }

  private accessor(array: Float32Array | Uint32Array, size: 1 | 3): number {
    const bufferView = this.view(bytesOf(array));
    const componentType = array instanceof Float32Array ? FLOAT : UINT32;
    const accessor = { bufferView, componentType, count: array.length / size, type: size === 1 ? 'SCALAR' : 'VEC3' };
    return this.addAccessor(accessor, size === 3 ? [...array] : null);
  }

  private addAccessor(accessor: object, vectors: readonly number[] | null): number {
    const by = (pick: (a: number, b: number) => number): number[] | undefined =>
      vectors === null
        ? undefined
        : [0, 1, 2].map((axis) =>
            vectors.reduce((best, value, k) => (k % 3 === axis ? pick(best, value) : best), vectors[axis]),
          );
    return this.accessors.push({ ...accessor, ...(vectors ? { min: by(Math.min), max: by(Math.max) } : {}) }) - 1;
  }

  private view(bytes: readonly number[], byteStride?: number): number {
    while (this.bytes.length % 8 > 0) this.bytes.push(0);
    const byteOffset = this.bytes.length;
    for (const byte of bytes) this.bytes.push(byte);
    const stride = byteStride === undefined ? {} : { byteStride };
    return this.views.push({ buffer: 0, byteOffset, byteLength: bytes.length, ...stride }) - 1;
  }
}

function bytesOf({ buffer }: { readonly buffer: ArrayBufferLike }): number[] {
  return [...new Uint8Array(buffer)];
}

function glbOf(json: object, binary: readonly number[]): ArrayBuffer {
  const text = [...new TextEncoder().encode(JSON.stringify(json))];
  while (text.length % 4 > 0) text.push(0x20);
  const body = [...binary];
  while (body.length % 4 > 0) body.push(0);
  const words = [0x46546c67, 2, 28 + text.length + body.length, text.length, 0x4e4f534a];
  return Uint8Array.from([
    ...bytesOf(new Uint32Array(words)),
    ...text,
    ...bytesOf(new Uint32Array([body.length, 0x004e4942])),
    ...body,
  ]).buffer;
}
