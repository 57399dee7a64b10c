/** Assembles a binary glTF file: its JSON, and one buffer, compressed by meshoptimizer where an encoder is given. */

/** The part of `MeshoptEncoder` of the package meshoptimizer that `writeTiles` uses. */
export interface MeshEncoderLike {
  /** Resolves when the encoder can be used. */
  readonly ready: Promise<void>;
  /** Orders vertices and triangles so that they compress well: the new place of each vertex, and how many are used. */
  reorderMesh(indices: Uint32Array, triangles: boolean, optsize: boolean): [Uint32Array, number];
  /** Compresses a buffer view in a mode of EXT_meshopt_compression. */
  encodeGltfBuffer(source: Uint8Array, count: number, size: number, mode: string): Uint8Array;
}

export type Json = Record<string, unknown>;

const COMPRESSION = 'EXT_meshopt_compression';
/**
 * Modes of compression by the bytes of a row modulo 4. 0: rows of whole words. 1: texts, which stay as they are. 2:
 * single numbers of 16 bits, by their differences.
 */
const MODES = ['ATTRIBUTES', undefined, 'INDICES'] as const;
const GLTF = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
/** Alignment in bytes of all buffer views: property tables need it. */
const ALIGNMENT = 8;

const aligned = (length: number, to = ALIGNMENT): number => Math.ceil(length / to) * to;

/** Numbers of a vertex attribute, `size` of them for each vertex. */
export interface AttributeArray {
  readonly values: Int8Array | Uint16Array | Float32Array;
  readonly size: number;
  readonly normalized?: boolean;
}

const COMPONENTS: readonly (readonly [new (length: number) => ArrayBufferView, number])[] = [
  [Int8Array, 5120],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
];
const TYPES = ['', 'SCALAR', 'VEC2', 'VEC3', 'VEC4'];

/** The number that glTF has for the type of an array. */
const componentOf = (values: ArrayBufferView): number => COMPONENTS.find(([type]) => values instanceof type)![1];

/** Arrays of several primitives in one buffer view. */
interface SharedView {
  readonly bufferView: number;
  readonly mode: string;
  readonly stride: number;
  readonly parts: Uint8Array[];
  length: number;
}

export class GlbBuilder {
  /** The JSON apart from what is added by this class. */
  readonly json: Json = { asset: { version: '2.0', generator: 'scene-octree' } };
  private readonly encoder: MeshEncoderLike | undefined;
  private readonly parts: Uint8Array[] = [];
  private length = 0;
  private fallbackLength = 0;
  private readonly bufferViews: Json[] = [];
  private readonly accessors: Json[] = [];
  /** By what is in them. */
  private readonly shared = new Map<string, SharedView>();
  private readonly required = new Set<string>();
  private readonly used = new Set<string>();

  constructor(encoder: MeshEncoderLike | undefined) {
    this.encoder = encoder;
  }

  /** Names an extension that the file uses. */
  use(extension: string, isRequired = false): void {
    this.used.add(extension);
    if (isRequired) this.required.add(extension);
  }

  /** Adds rows of `size` bytes; returns the buffer view. */
  addRows(bytes: Uint8Array, size: number): number {
    return this.bufferViews.push(this.write(bytes, size, MODES[size % 4])) - 1;
  }

  /** Adds an attribute of some vertices, in this order; returns the accessor. */
  addAttribute(semantic: string, { values, size, normalized = false }: AttributeArray, order: Uint32Array): number {
    const { BYTES_PER_ELEMENT: bytes } = values;
    // The stride of a vertex is a multiple of four bytes.
    const stride = aligned(size * bytes, 4) / bytes;
    const Numbers = values.constructor as new (length: number) => AttributeArray['values'];
    const padded = new Numbers(stride * order.length);
    for (let k = 0; k < order.length; k++)
      for (let part = 0; part < size; part++) padded[stride * k + part] = values[size * order[k] + part];
    return this.addAccessor(semantic, padded, stride * bytes, {
      componentType: componentOf(values),
      type: TYPES[size],
      ...(normalized && { normalized }),
      count: order.length,
      ...(semantic === 'POSITION' && minMaxOf(padded, stride)),
    });
  }

  /** Adds the corners of triangles; returns the accessor. */
  addIndex(index: Uint16Array | Uint32Array): number {
    const accessor = { componentType: componentOf(index), type: 'SCALAR', count: index.length };
    return this.addAccessor('', index, index.BYTES_PER_ELEMENT, accessor);
  }

  /** Appends to the buffer view of a semantic; '' for an index. Only arrays of the same kind share one. */
  private addAccessor(
    semantic: string,
    { buffer, byteOffset, byteLength }: ArrayBufferView,
    stride: number,
    accessor: Json,
  ): number {
    const key = `${semantic}/${String(accessor.componentType)}/${String(accessor.type)}`;
    let view = this.shared.get(key);
    if (view === undefined) {
      const mode = semantic === '' ? 'TRIANGLES' : 'ATTRIBUTES';
      view = { bufferView: this.bufferViews.push({}) - 1, mode, stride, parts: [], length: 0 };
      this.shared.set(key, view);
    }
    const { bufferView, parts, length } = view;
    parts.push(new Uint8Array(buffer, byteOffset, byteLength));
    view.length += byteLength;
    return this.accessors.push({ bufferView, ...(length > 0 && { byteOffset: length }), ...accessor }) - 1;
  }

  /**
   * Writes elements of `stride` bytes; returns the buffer view. Rows, which have no `kind`, may be smaller as they are.
   */
  private write(source: Uint8Array, stride: number, mode: string | undefined, kind?: Json): Json {
    const { encoder, fallbackLength } = this;
    const byteLength = source.length;
    const count = byteLength / stride;
    const encoded = mode === undefined ? undefined : encoder?.encodeGltfBuffer(source, count, stride, mode);
    if (encoded !== undefined) {
      const place = { buffer: 0, byteOffset: this.length, byteLength: encoded.length };
      const extensions = { [COMPRESSION]: { ...place, byteStride: stride, count, mode } };
      if (kind !== undefined || encoded.length + JSON.stringify(extensions).length < byteLength) {
        this.append(encoded);
        this.fallbackLength += aligned(byteLength);
        this.use(COMPRESSION, true);
        return { buffer: 1, byteOffset: fallbackLength, byteLength, ...kind, extensions };
      }
    }
    return { buffer: 0, byteOffset: this.append(source), byteLength, ...kind };
  }

  private append(bytes: Uint8Array): number {
    const at = this.length;
    this.parts.push(bytes);
    this.length = aligned(at + bytes.length);
    return at;
  }

  /** The bytes of the file, which has vertices. */
  finish(): Uint8Array<ArrayBuffer> {
    for (const { bufferView, mode, stride, parts, length } of this.shared.values()) {
      const kind = mode === 'TRIANGLES' ? { target: 34963 } : { byteStride: stride, target: 34962 };
      this.bufferViews[bufferView] = this.write(joined(parts, length), stride, mode, kind);
    }
    const { json, accessors, bufferViews, length, fallbackLength } = this;
    const fallback = { byteLength: fallbackLength, extensions: { [COMPRESSION]: { fallback: true } } };
    Object.assign(json, {
      extensionsUsed: [...this.used],
      extensionsRequired: [...this.required],
      accessors,
      bufferViews,
      buffers: [{ byteLength: length }, ...(fallbackLength > 0 ? [fallback] : [])],
    });
    const text = new TextEncoder().encode(JSON.stringify(json));
    const binaryAt = 20 + aligned(text.length, 4);
    const file = new Uint8Array(binaryAt + 8 + length);
    const view = new DataView(file.buffer);
    const head = [GLTF, 2, file.length, binaryAt - 20, JSON_CHUNK];
    head.forEach((word, k) => view.setUint32(4 * k, word, true));
    file.fill(0x20, 20, binaryAt).set(text, 20);
    view.setUint32(binaryAt, length, true);
    view.setUint32(binaryAt + 4, BINARY_CHUNK, true);
    file.set(joined(this.parts, length, ALIGNMENT), binaryAt + 8);
    return file;
  }
}

/** The bytes of parts in an array of `length`, each at a multiple of `alignment`. */
export function joined(parts: readonly Uint8Array[], length: number, alignment = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at = aligned(at + part.length, alignment);
  }
  return bytes;
}

/** Least and largest positions of at least one vertex, each with `stride` numbers. */
export function minMaxOf(
  vertices: Float32Array | Float64Array | Uint16Array | Int8Array,
  stride: number,
): { min: number[]; max: number[] } {
  const [min, max] = [Array.from(vertices.subarray(0, 3)), Array.from(vertices.subarray(0, 3))];
  for (let at = stride; at < vertices.length; at += stride)
    for (let axis = 0; axis < 3; axis++) {
      min[axis] = Math.min(min[axis], vertices[at + axis]);
      max[axis] = Math.max(max[axis], vertices[at + axis]);
    }
  return { min, max };
}
