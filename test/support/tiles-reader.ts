/**
 * Reads a tileset strictly: each rule of 3D Tiles 1.1, glTF 2.0 and the extensions that `writeTiles` depends on is
 * checked, and a file that breaks one throws. Shares no code with the writer.
 */

// JSON is checked as it is read.
/* oxlint-disable typescript/no-explicit-any */

import { MeshoptDecoder } from 'meshoptimizer';

type Json = Record<string, any>;

export interface ReadRow {
  readonly name: string | undefined;
  readonly id: string | number;
  /** In the scene. */
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly solidBoxes: readonly number[];
}
export interface ReadPrimitive {
  /** Three numbers for each vertex, in the scene. */
  readonly positions: readonly number[];
  readonly index: readonly number[];
  /** By name of glTF the numbers of an attribute, without positions and feature ids. */
  readonly attributes: Readonly<Record<string, readonly number[]>>;
  /** By vertex its row. */
  readonly rows: readonly number[];
  readonly material: Json;
}
export interface ReadTile {
  readonly path: string | null;
  readonly error: number;
  /** Least and largest coordinates, in the scene. */
  readonly box: readonly number[];
  readonly json: Json;
  readonly step: number;
  readonly rows: readonly ReadRow[];
  readonly primitives: readonly ReadPrimitive[];
  readonly children: readonly ReadTile[];
}

const COMPONENTS: Readonly<Record<number, any>> = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};
const TABLE_TYPES: Readonly<Record<string, any>> = {
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  FLOAT32: Float32Array,
  FLOAT64: Float64Array,
};
const SIZES: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const Y_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];

function check(isTrue: unknown, what: string): asserts isTrue {
  if (!isTrue) throw new Error(`tileset: ${what}`);
}
const isWhole = (value: unknown, below = Infinity): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < below;

/** Reads all files of a tileset; returns its root, and each tile. Each file must be referred to, once. */
export async function readTileset(
  files: ReadonlyMap<string, Uint8Array>,
): Promise<{ root: ReadTile; tiles: ReadTile[]; geometricError: number }> {
  await MeshoptDecoder.ready;
  const unread = new Set(files.keys());
  const tiles: ReadTile[] = [];
  const open = (path: string): Uint8Array => {
    const bytes = files.get(path);
    check(bytes, `there is no file ${path}`);
    unread.delete(path);
    return bytes;
  };
  const openTileset = (path: string): Json => {
    const json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(open(path))) as Json;
    check(json.asset.version === '1.1', `${path} has another version`);
    check(Number.isFinite(json.geometricError) && json.geometricError >= 0, `${path} has no geometricError`);
    check(json.geometricError >= json.root.geometricError, `${path}: its root deviates more than the tileset`);
    check(json.root.refine === 'REPLACE', `${path} has no refine`);
    return json;
  };
  const readTile = (json: Json, parent: { box: readonly number[]; error: number }, isRoot = false): ReadTile => {
    const { box } = json.boundingVolume;
    check(box.length === 12 && box.every(Number.isFinite), 'a box has not 12 numbers');
    for (const at of [4, 5, 6, 8, 9, 10]) check(box[at] === 0, 'a box is turned');
    for (const at of [3, 7, 11]) check(box[at] > 0, 'a box is flat');
    // 3D Tiles have z up.
    const [x, y, z, a, b, c] = [box[0], box[2], -box[1], box[3], box[11], box[7]];
    const bounds = [x - a, y - c, z - b, x + a, y + c, z + b];
    [bounds[1], bounds[4]] = [y - box[11], y + box[11]];
    [bounds[2], bounds[5]] = [z - box[7], z + box[7]];
    checkInside(bounds, parent.box, 'a box of a child');
    check(json.geometricError >= 0 && json.geometricError <= parent.error, 'a child deviates more than its parent');
    check(isRoot === (json.transform !== undefined), 'a transform is not that of the root');
    const uri = json.content?.uri as string | undefined;
    if (uri?.endsWith('.json')) {
      check(!json.children, 'an external tileset has children');
      return readTile(openTileset(uri).root, { box: bounds, error: json.geometricError });
    }
    const content = uri === undefined ? null : readGlb(open(uri), files, unread);
    for (const { positions } of content?.primitives ?? [])
      for (let at = 0; at < positions.length; at++)
        check(
          positions[at] >= bounds[at % 3] && positions[at] <= bounds[3 + (at % 3)],
          `a vertex of ${uri} is out of its box`,
        );
    const children = ((json.children ?? []) as Json[]).map((child) =>
      readTile(child, { box: bounds, error: json.geometricError }),
    );
    check(children.length > 0 || json.geometricError === 0, 'a leaf deviates');
    const tile = {
      path: uri ?? null,
      error: json.geometricError,
      box: bounds,
      json: {},
      step: 1,
      rows: [],
      primitives: [],
      children,
      ...content,
    };
    tiles.push(tile);
    return tile;
  };
  const top = openTileset('tileset.json');
  const all = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  const root = readTile(top.root, { box: all, error: top.geometricError }, true);
  check(JSON.stringify(top.root.transform) === JSON.stringify(Y_UP), 'the root is turned otherwise');
  check(unread.size === 0, `nothing refers to ${[...unread].join()}`);
  return { root, tiles, geometricError: top.geometricError };
}

function checkInside(inner: readonly number[], outer: readonly number[], what: string): void {
  for (let k = 0; k < 3; k++)
    check(
      inner[k] >= outer[k] && inner[k + 3] <= outer[k + 3],
      `${what} is not inside: ${inner.join()} in ${outer.join()}`,
    );
}

/** Reads a binary glTF. */
export function readGlb(
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
  unread: Set<string> = new Set(),
): { json: Json; step: number; rows: ReadRow[]; primitives: ReadPrimitive[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  check(view.getUint32(0, true) === 0x46546c67 && view.getUint32(4, true) === 2, 'a file is no binary glTF');
  check(view.getUint32(8, true) === bytes.length, 'a length is wrong');
  const jsonLength = view.getUint32(12, true);
  check(jsonLength % 4 === 0 && view.getUint32(16, true) === 0x4e4f534a, 'a JSON chunk is wrong');
  const json = JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(20, 20 + jsonLength)),
  ) as Json;
  check(json.asset.version === '2.0', 'a file has another version');
  const binary = bytes.slice(28 + jsonLength);
  check(
    view.getUint32(20 + jsonLength, true) === binary.length && view.getUint32(24 + jsonLength, true) === 0x4e4942,
    'a binary chunk is wrong',
  );
  check(
    json.buffers[0].byteLength <= binary.length && json.buffers[0].byteLength > binary.length - 4,
    'a buffer has another length',
  );
  const used = new Set<string>(json.extensionsUsed);
  for (const name of json.extensionsRequired) check(used.has(name), `${name} is required, but not used`);
  const text = JSON.stringify({ ...json, extensionsUsed: 0, extensionsRequired: 0 });
  for (const [, name] of text.matchAll(/"((?:KHR|EXT)_\w+)"/g))
    check(used.has(name), `${name} is not in extensionsUsed`);
  for (const name of used) check(name === 'KHR_mesh_quantization' || text.includes(`"${name}"`), `${name} is not used`);

  const compressedViews = (json.bufferViews as Json[]).filter(({ extensions }) => extensions?.EXT_meshopt_compression);
  check(json.buffers.length === (compressedViews.length > 0 ? 2 : 1), 'there is another number of buffers');
  const required = new Set<string>(json.extensionsRequired);
  check(compressedViews.length === 0 || required.has('EXT_meshopt_compression'), 'compression is not required');
  const readUris = new Set<number>();
  const readAccessors = new Set<number>();
  const readView = (index: number): Uint8Array<ArrayBuffer> => {
    check(isWhole(index, json.bufferViews.length), 'a buffer view does not exist');
    readUris.add(index);
    const { buffer, byteOffset, byteLength, extensions } = json.bufferViews[index] as Json;
    check(byteLength > 0 && byteOffset % 8 === 0, 'a buffer view is empty, or not aligned');
    check(byteOffset + byteLength <= json.buffers[buffer].byteLength, 'a buffer view is out of its buffer');
    const compressed = extensions?.EXT_meshopt_compression as Json | undefined;
    check((buffer === 0) === (compressed === undefined), 'a buffer view has the wrong buffer');
    if (compressed === undefined) return binary.slice(byteOffset, byteOffset + byteLength);
    check(json.buffers[1].extensions.EXT_meshopt_compression.fallback === true, 'a fallback buffer is none');
    const { byteOffset: from, byteLength: length, byteStride, count, mode } = compressed;
    check(
      compressed.buffer === 0 && from % 4 === 0 && from + length <= binary.length,
      'compressed bytes are elsewhere',
    );
    check(byteLength === byteStride * count, 'a compressed view has another length');
    check(mode === 'ATTRIBUTES' ? byteStride % 4 === 0 : byteStride === 2 || byteStride === 4, 'a stride is wrong');
    const decoded = new Uint8Array(byteLength);
    MeshoptDecoder.decodeGltfBuffer(decoded, count, byteStride, binary.subarray(from, from + length), mode);
    return decoded;
  };
  const readAccessor = (index: number, semantic: string): number[] => {
    check(isWhole(index, json.accessors.length), 'an accessor does not exist');
    readAccessors.add(index);
    const { bufferView, byteOffset = 0, componentType, count, type, normalized, min, max } = json.accessors[index];
    const bytesOf = readView(bufferView).slice(byteOffset);
    const Type = COMPONENTS[componentType];
    const size = SIZES[type];
    const { byteStride, target } = json.bufferViews[bufferView] as Json;
    const isIndex = semantic === 'indices';
    check(target === (isIndex ? 34963 : 34962), 'a target is wrong');
    check(isIndex === (byteStride === undefined) && (isIndex || byteStride % 4 === 0), 'a stride is wrong');
    const stride = byteStride ?? Type.BYTES_PER_ELEMENT;
    check(byteOffset % stride === 0, 'an accessor begins within an element');
    check(
      bytesOf.length >= stride * (count - 1) + size * Type.BYTES_PER_ELEMENT && count > 0,
      'an accessor is too long',
    );
    const values: number[] = [];
    for (let k = 0; k < count; k++) values.push(...(new Type(bytesOf.buffer, k * stride, size) as Uint8Array));
    const filled = size * Type.BYTES_PER_ELEMENT;
    check(isIndex || stride === 4 * Math.ceil(filled / 4), 'a stride is larger than it must be');
    for (let k = 0; k < count; k++)
      check(
        bytesOf.subarray(stride * k + filled, stride * (k + 1)).every((byte) => byte === 0),
        'there is no 0 between',
      );
    check(
      isIndex || semantic.startsWith('_') || componentType === 5126 || required.has('KHR_mesh_quantization'),
      'quantization is not required',
    );
    check(values.every(Number.isFinite), `${semantic} has a number that is not finite`);
    if (semantic === 'POSITION')
      for (let axis = 0; axis < 3; axis++) {
        const lane = values.filter((_, at) => at % 3 === axis);
        check(
          lane.reduce((a, b) => Math.min(a, b)) === min[axis] && lane.reduce((a, b) => Math.max(a, b)) === max[axis],
          'bounds of positions are wrong',
        );
      }
    if (!normalized) return values;
    const most = { 5120: 127, 5123: 65535 }[componentType as 5120];
    return values.map((value) => Math.max(value / most, -1));
  };

  check(json.nodes.length === 1 && json.scenes[json.scene].nodes.join() === '0', 'there is more than a node');
  const [{ translation, scale }] = json.nodes as Json[];
  const step = scale[0] as number;
  check(scale[1] === step && scale[2] === step && Number.isInteger(Math.log2(step)), 'a step is no power of two');
  const toScene = (value: number, at: number): number => value * step + translation[at % 3];
  for (let axis = 0; axis < 3; axis++)
    check(Number.isInteger(translation[axis] / step), 'an origin is not on the grid');

  const metadata = json.extensions.EXT_structural_metadata as Json;
  check(/^[a-zA-Z_]\w*$/.test(metadata.schema.id), 'a schema has no id');
  const [table] = metadata.propertyTables as Json[];
  const { properties } = metadata.schema.classes[table.class] as Json;
  check(
    JSON.stringify(Object.keys(properties)) === JSON.stringify(Object.keys(table.properties)),
    'a column is missing',
  );
  const columns: Record<string, any[]> = {};
  for (const [name, { type, componentType, array, count }] of Object.entries(properties as Record<string, Json>)) {
    const { values, stringOffsets, stringOffsetType, arrayOffsets, arrayOffsetType } = table.properties[name] as Json;
    check(type === 'STRING' || SIZES[type] > 0, `column ${name} has no type`);
    const raw = readView(values);
    const offsetsOf = (index: number, length: number, type = 'UINT32'): Uint32Array => {
      check(type.startsWith('UINT'), `offsets of ${name} are no integers`);
      const offsets = Uint32Array.from(new TABLE_TYPES[type](readView(index).buffer) as Iterable<number>);
      check(
        offsets.length === table.count + 1 && offsets[0] === 0 && offsets[table.count] === length,
        `offsets of ${name} are wrong`,
      );
      offsets.forEach((offset, k) => check(k === 0 || offset >= offsets[k - 1], `offsets of ${name} go down`));
      return offsets;
    };
    if (type === 'STRING') {
      const offsets = offsetsOf(stringOffsets, raw.length, stringOffsetType);
      const decoder = new TextDecoder('utf-8', { fatal: true });
      columns[name] = Array.from({ length: table.count }, (_, k) =>
        decoder.decode(raw.subarray(offsets[k], offsets[k + 1])),
      );
      continue;
    }
    const numbers: number[] = Array.from(new TABLE_TYPES[componentType](raw.buffer));
    if (array && count === undefined) {
      const offsets = offsetsOf(arrayOffsets, numbers.length, arrayOffsetType);
      columns[name] = Array.from({ length: table.count }, (_, k) => numbers.slice(offsets[k], offsets[k + 1]));
      continue;
    }
    const size = SIZES[type] * (count ?? 1);
    check(array === (count !== undefined || undefined), `column ${name} is no array`);
    check(numbers.length === size * table.count, `column ${name} has another length`);
    columns[name] = Array.from({ length: table.count }, (_, k) =>
      size === 1 ? numbers[k] : numbers.slice(size * k, size * k + size),
    );
  }
  const rows = Array.from({ length: table.count as number }, (_, k) => ({
    name: columns.name?.[k] as string | undefined,
    id: columns.id?.[k] ?? '',
    min: columns.bounds[k].slice(0, 3).map(toScene),
    max: columns.bounds[k].slice(3).map(toScene),
    solidBoxes: columns.solidBoxes?.[k] ?? [],
  }));

  const primitives = (json.meshes[0].primitives as Json[]).map((primitive) => {
    check(primitive.mode === undefined || primitive.mode === 4, 'a primitive has no triangles');
    const { POSITION, _FEATURE_ID_0, ...others } = primitive.attributes as Record<string, number>;
    const positions = readAccessor(POSITION, 'POSITION').map(toScene);
    const count = positions.length / 3;
    const index = readAccessor(primitive.indices, 'indices');
    check(index.length % 3 === 0 && index.every((vertex) => vertex < count), 'an index leads nowhere');
    const ids = readAccessor(_FEATURE_ID_0, 'feature ids');
    check(ids.length === count && ids.every((row) => row < rows.length), 'a feature id leads nowhere');
    const features = primitive.extensions.EXT_mesh_features.featureIds as Json[];
    check(
      features.length === 1 && features[0].attribute === 0 && features[0].propertyTable === 0,
      'feature ids are not told',
    );
    check(features[0].featureCount === new Set(ids).size, 'the number of features is wrong');
    for (let corner = 0; corner < index.length; corner += 3)
      check(
        ids[index[corner]] === ids[index[corner + 1]] && ids[index[corner]] === ids[index[corner + 2]],
        'a triangle has two features',
      );
    ids.forEach((row, vertex) => {
      for (let axis = 0; axis < 3; axis++) {
        const value = positions[3 * vertex + axis];
        check(value >= rows[row].min[axis] && value <= rows[row].max[axis], 'a vertex is out of the bounds of its row');
      }
    });
    const attributes = Object.fromEntries(
      Object.entries(others).map(([name, accessor]) => {
        const values = readAccessor(accessor, name);
        check(json.accessors[accessor].count === count, `${name} has another count`);
        if (name === 'NORMAL')
          for (let at = 0; at < values.length; at += 3)
            check(
              Math.abs(Math.hypot(values[at], values[at + 1], values[at + 2]) - 1) < 0.02,
              'a normal is no unit vector',
            );
        return [name, values];
      }),
    );
    check(!('TEXCOORD_1' in others) || 'TEXCOORD_0' in others, 'texture coordinates do not begin with set 0');
    check(isWhole(primitive.material, json.materials.length), 'a material does not exist');
    return { positions, index, attributes, rows: ids, material: json.materials[primitive.material] as Json };
  });
  check(readUris.size === json.bufferViews.length, 'a buffer view is not used');
  check(readAccessors.size === json.accessors.length, 'an accessor is not used');
  for (const [k] of (json.materials as Json[]).entries())
    check(
      json.meshes[0].primitives.some(({ material }: Json) => material === k),
      'a material is not used',
    );
  for (const { uri } of (json.images ?? []) as Json[]) {
    const path = (uri as string).replace('../', '');
    check(files.has(path), `there is no image ${path}`);
    unread.delete(path);
  }
  for (const { source, sampler, extensions } of (json.textures ?? []) as Json[]) {
    const [[name, { source: other }]] = Object.entries((extensions ?? { '': {} }) as Record<string, Json>);
    check(
      isWhole(sampler, json.samplers.length) && isWhole(source ?? other, json.images.length),
      'a texture leads nowhere',
    );
    check(source !== undefined || required.has(name), `${name} is not required`);
  }
  return { json, step, rows, primitives };
}
