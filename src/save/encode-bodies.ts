/**
 * Bodies as one ArrayBuffer, and back. Layout, in words of 32 bits, little-endian; every section begins at a multiple
 * of eight bytes, so that it is read in place:
 *
 * - Header: magic, version, length in units of eight bytes, number of groups, two checksums.
 * - For each group: number of bodies, flags, the mask of all its bodies, bytes of data.
 * - For each group: bounds; masks, if they differ; data as the codec has written it.
 *
 * Nothing is read before the checksums were compared, and nothing is allocated before all lengths have been found to
 * fit, so that bytes that are no bodies cost at most a pass over them.
 */

import { BOX_STRIDE } from '../math/box.ts';
import { SPHERE_STRIDE } from '../math/sphere.ts';
import { readBulkInsert } from '../octree/bodies/bulk.ts';
import { isObject, requireMemory, throwType } from '../octree/input/input-checks.ts';
import type { BodyGroup } from './read-bodies.ts';
import { SavedBodiesError } from './saved-bodies-error.ts';

/** How the data of bodies become bytes, and bytes data again: see `encodeBodies`. */
export interface DataCodec<T> {
  /** The data of the bodies of one group as bytes. The same data must give the same bytes. */
  encode(data: readonly T[]): Uint8Array;
  /** The data of `count` bodies, from the bytes that `encode` has returned. May throw. */
  decode(bytes: Uint8Array, count: number): ArrayLike<T>;
}

/** "OCTB". */
const MAGIC = 0x4254434f;
/** Of the layout. Test: save.test. */
const VERSION = 1;
/** Words of the header. Test: save.test. */
const HEADER = 6;
/** Place of the checksums, in words. Test: save.test. */
const SUMS = 4;
/** Words of the record of a group. Test: save.test. */
const GROUP = 4;
/** Flags of a group. */
const IS_SPHERE = 1;
const IS_STATIC = 2;
const HAS_FLOAT32 = 4;
const HAS_MASKS = 8;
const HAS_DATA = 16;
const ALL_FLAGS = 31;

const jsonCodec: DataCodec<unknown> = {
  encode(data) {
    // Its JSON is a whole scene, of which no object is made again.
    const mesh = data.find((each) => (each as { isObject3D?: unknown } | null | undefined)?.isObject3D);
    if (mesh) throwType('encodeBodies', 'data', 'be JSON', mesh, 'keep a key: readBodies(octree, { data: keyOf })');
    return new TextEncoder().encode(JSON.stringify(data));
  },
  decode: (bytes) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)),
};

/** A group as it is written: its record, and its arrays in their order. */
interface Section {
  readonly record: readonly number[];
  readonly arrays: readonly ArrayBufferView[];
}

/**
 * Writes bodies as one ArrayBuffer, for a file, a database or a cache. The same bodies give the same bytes, in every
 * engine. Bounds take 32 bits per number where that is exact, else 64. It is a cache: the next major version of the
 * library may refuse it, so keep the source of the bodies.
 *
 * Cost: for 1,000,000 boxes 24 or 48 MB, and 0.2 s.
 *
 * @param groups What `readBodies` returns, or groups of your own.
 * @param codec How data become bytes. Default JSON, which makes null of undefined, NaN and infinities. A class with a
 *   `toJSON`, as `Color` and `Material` of three, needs a codec. Not for objects of three: pass `data` to `readBodies`.
 * @throws {RangeError} If bounds are no boxes or spheres, as `insertMany` throws.
 * @throws {TypeError} If an argument has a wrong type; or what the codec throws.
 *
 * @example
 * ```ts
 * import { Octree } from 'scene-octree';
 * import { decodeBodies, encodeBodies, readBodies } from 'scene-octree/save';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 1, z: 0 }, radius: 1 }, 'lamp');
 * const file = encodeBodies(readBodies(octree)); // an ArrayBuffer
 *
 * const again = new Octree<string>();
 * for (const { bounds, options } of decodeBodies<string>(file)) again.insertMany(bounds, options);
 * console.log(file.byteLength, again.dataAt(0)); // prints: 64 lamp
 * ```
 */
export function encodeBodies<T>(
  groups: readonly BodyGroup<T>[],
  codec: DataCodec<T> = jsonCodec as DataCodec<T>,
): ArrayBuffer {
  const where = 'encodeBodies';
  if (!Array.isArray(groups)) throwType(where, 'groups', 'be an array', groups, 'pass what readBodies has returned');
  requireCodec(where, codec);
  const sections = groups.map((group: BodyGroup<T>, k) => sectionOf(`${where}: group ${k}`, group, codec));
  const heads = 4 * (HEADER + GROUP * sections.length);
  const arrays = sections.flatMap((section) => section.arrays);
  const length = arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), heads);
  const words = new Uint32Array(length / 4);
  words.set([MAGIC, VERSION, length / 8, sections.length]);
  sections.forEach(({ record }, k) => words.set(record, HEADER + GROUP * k));
  let at = heads;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    new Uint8Array(words.buffer, at).set(new Uint8Array(buffer, byteOffset, byteLength));
    at += padded(byteLength);
  }
  words.set(checksumsOf(words), SUMS);
  return words.buffer;
}

function sectionOf<T>(where: string, group: BodyGroup<T>, codec: DataCodec<T>): Section {
  if (!isObject(group)) throwType(where, 'it', 'have bounds and options', group, 'pass what readBodies has returned');
  const { bounds, options } = group;
  const { count, data, isSphere, isStatic, masks: given } = readBulkInsert(where, bounds, options);
  const isNarrow = bounds.every((value) => Math.fround(value) === value);
  const masks = typeof given === 'number' ? Int32Array.of(given) : given;
  const isOneMask = masks.every((mask) => mask === masks[0]);
  const encoded = data === undefined ? new Uint8Array(0) : codec.encode(data as T[]);
  if (!(encoded instanceof Uint8Array))
    throwType(where, 'codec.encode', 'return a Uint8Array', encoded, 'encode the data as bytes');
  const flags =
    (isSphere ? IS_SPHERE : 0) |
    (isStatic ? IS_STATIC : 0) |
    (isNarrow ? HAS_FLOAT32 : 0) |
    (isOneMask ? 0 : HAS_MASKS) |
    (data === undefined ? 0 : HAS_DATA);
  const written = new (isNarrow ? Float32Array : Float64Array)(bounds);
  // Of an empty array of masks `masks[0]` is undefined, which is written as 0.
  const record = [count, flags, isOneMask ? masks[0] : 0, encoded.length];
  return { record, arrays: [written, ...(isOneMask ? [] : [masks]), encoded] };
}

/**
 * Reads what `encodeBodies` has written. Every truncation and every changed bit is refused, by one kind of error and
 * before anything was created.
 *
 * Cost: less than 0.1 s for 1,000,000 boxes without data. Bounds and masks are not copied: they lie in the given
 * memory, so do not write to it. In a worker transfer it with them.
 *
 * @param bytes The bytes, from the beginning to the end: an ArrayBuffer, or a view of one such as a Node Buffer.
 * @param codec The codec that has written the data. Default JSON. `T` is not checked: the codec may.
 * @throws {SavedBodiesError} If the bytes are not what `encodeBodies` has written; its `code` says why.
 * @throws {TypeError} If an argument has a wrong type.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { Octree } from 'scene-octree';
 * import { decodeBodies } from 'scene-octree/save';
 *
 * const octree = new Octree<string>();
 * const file = await readFile('city.bodies'); // in a page: await response.arrayBuffer()
 * for (const { bounds, options } of decodeBodies<string>(file)) octree.insertMany(bounds, options);
 * ```
 */
export function decodeBodies<T = unknown>(
  bytes: ArrayBuffer | ArrayBufferView,
  codec: DataCodec<T> = jsonCodec as DataCodec<T>,
): BodyGroup<T>[] {
  const where = 'decodeBodies';
  requireCodec(where, codec);
  const memory = memoryOf(where, bytes);
  const words = new Uint32Array(memory.buffer, memory.byteOffset, Math.floor(memory.length / 4));
  const [magic, version, length, count] = words;
  if (magic !== MAGIC) throw new SavedBodiesError('format', 'these bytes are not what encodeBodies has written');
  if (words.length < HEADER) throw new SavedBodiesError('length', 'the bytes end within the header');
  if (version !== VERSION)
    throw new SavedBodiesError('version', `the bytes have version ${version}, and this code reads version ${VERSION}`);
  if (8 * length !== memory.length)
    throw new SavedBodiesError('length', `the bytes must be ${8 * length}, but are ${memory.length}`);
  const sums = checksumsOf(words);
  if (sums[0] !== words[SUMS] || sums[1] !== words[SUMS + 1])
    throw new SavedBodiesError('checksum', 'the bytes are not those that were written');
  requireLengths(words, count);
  let at = 4 * (HEADER + GROUP * count);
  const take = (size: number): [buffer: ArrayBuffer, at: number] => {
    at += padded(size);
    return [memory.buffer, memory.byteOffset + at - padded(size)];
  };
  return Array.from({ length: count }, (_, k) => {
    const [bodies, flags, mask, dataBytes] = words.subarray(HEADER + GROUP * k);
    const numbers = bodies * strideOf(flags);
    const Floats = (flags & HAS_FLOAT32) === 0 ? Float64Array : Float32Array;
    const bounds = new Floats(...take(Floats.BYTES_PER_ELEMENT * numbers), numbers);
    const masks = (flags & HAS_MASKS) === 0 ? mask | 0 : new Int32Array(...take(4 * bodies), bodies);
    const data = new Uint8Array(...take(dataBytes), dataBytes);
    try {
      const options = {
        kind: (flags & IS_SPHERE) === 0 ? ('box' as const) : ('sphere' as const),
        isStatic: (flags & IS_STATIC) !== 0,
        mask: masks,
        ...((flags & HAS_DATA) !== 0 && { data: codec.decode(data, bodies) }),
      };
      readBulkInsert(`group ${k}`, bounds, options);
      return { bounds, options };
    } catch (error) {
      throw new SavedBodiesError('content', `group ${k} cannot be read (${String(error)})`, { cause: error });
    }
  });
}

/** Throws unless the lengths of all sections add up to the length of the whole. */
function requireLengths(words: Uint32Array, count: number): void {
  let end = 4 * (HEADER + GROUP * count);
  let isFine = true;
  for (let k = HEADER; isFine && k < HEADER + GROUP * count; k += GROUP) {
    const [bodies, flags, , dataBytes] = words.subarray(k);
    end += padded(bodies * strideOf(flags) * ((flags & HAS_FLOAT32) !== 0 ? 4 : 8));
    end += padded((flags & HAS_MASKS) !== 0 ? 4 * bodies : 0) + padded(dataBytes);
    // Beyond the end flags are undefined.
    isFine = flags <= ALL_FLAGS;
  }
  if (!isFine || end !== words.byteLength)
    throw new SavedBodiesError('content', 'the lengths of the groups are not that of the bytes');
}

/** Bytes at a multiple of eight, in memory of their own if they are not: then they are copied. */
function memoryOf(where: string, bytes: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (!ArrayBuffer.isView(bytes))
    throwType(where, 'bytes', 'be an ArrayBuffer or a view of one', bytes, 'pass what encodeBodies has returned');
  requireMemory(where, 'bytes', bytes);
  const { buffer, byteOffset, byteLength } = bytes;
  const view = new Uint8Array(buffer, byteOffset, byteLength);
  return buffer instanceof ArrayBuffer && byteOffset % 8 === 0 ? (view as Uint8Array<ArrayBuffer>) : view.slice();
}

const padded = (size: number): number => 8 * Math.ceil(size / 8);
const strideOf = (flags: number): number => ((flags & IS_SPHERE) === 0 ? BOX_STRIDE : SPHERE_STRIDE);

/**
 * Two checksums of all words but themselves. Each step is a bijection of the sum for a given word, and of the word for
 * a given sum: so another value of one word always gives other sums.
 */
function checksumsOf(words: Uint32Array): [number, number] {
  let first = 0x811c9dc5;
  let second = 0x01000193;
  for (let k = 0; k < words.length; k++) {
    if (k === SUMS || k === SUMS + 1) continue;
    first = Math.imul(first ^ words[k], 0x01000193);
    second = Math.imul(second + words[k], 0x85ebca6b);
    second ^= second >>> 15;
  }
  return [first >>> 0, second >>> 0];
}

function requireCodec<T>(where: string, codec: DataCodec<T>): void {
  const { encode, decode } = isObject(codec) ? codec : ({} as Partial<DataCodec<T>>);
  if (typeof encode !== 'function' || typeof decode !== 'function')
    throwType(where, 'codec', 'have encode and decode', codec, 'leave it out for JSON');
}
