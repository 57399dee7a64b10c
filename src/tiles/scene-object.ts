/** What a tileset is written from: objects of a scene as plain arrays, checked and welded when they are read. */

import type { Material } from 'three';
import {
  isArray,
  isBetween,
  isCoordinate,
  isIntegerBetween,
  isObject,
  requireMemory,
  throwRange,
  throwType,
} from '../octree/input/input-checks.ts';
import type { EncodeImage } from './materials.ts';

/**
 * An object to be written into tiles. Positions and normals are in the space of the scene, with y up. The arrays are
 * read some times, once for each level of detail, and are not kept: they may be getters that compute them.
 */
export interface SceneObject {
  /** What a pick finds. It need not be unique. Default none. */
  readonly name?: string;
  /**
   * Finds the object in a database. Ids may repeat. If all are numbers, they are stored as numbers, else as strings.
   */
  readonly id: string | number;
  /**
   * A MeshStandardMaterial, MeshPhysicalMaterial or MeshBasicMaterial; objects whose materials are equal are merged.
   */
  readonly material: Material;
  /** Three numbers for each vertex. */
  readonly positions: ArrayLike<number>;
  /** Three vertices for each triangle. Without it the vertices in order. */
  readonly index?: ArrayLike<number> | null;
  /** Three numbers for each vertex. Without it each triangle is drawn flat. */
  readonly normals?: ArrayLike<number> | null;
  /** Two numbers for each vertex. */
  readonly uvs?: ArrayLike<number> | null;
  /** As `uvs`, for textures whose `channel` is 1. */
  readonly uvs1?: ArrayLike<number> | null;
  /** Three or four numbers for each vertex, from 0 to 1, linear. */
  readonly colors?: ArrayLike<number> | null;
  /** Gives the encoded image of a texture. Default: that of the option `encodeImage`. */
  readonly encodeImage?: EncodeImage | undefined;
}

/** An object as it is read: equal vertices welded, triangles with equal corners left out. */
export interface ObjectMesh {
  /** What is added to positions: the least coordinates of the object. */
  readonly origin: readonly number[];
  /** The numbers of a vertex, side by side: position, then those of `ATTRIBUTES` that it has. */
  readonly vertices: Float32Array;
  /** Numbers of a vertex. */
  readonly stride: number;
  /** By attribute how many numbers a vertex has of it; 0 for none. */
  readonly sizes: readonly number[];
  readonly index: Uint32Array;
}

/** The attributes beside positions: their names here and in glTF, and how many numbers a vertex may have. */
export const ATTRIBUTES = [
  { field: 'normals', semantic: 'NORMAL', sizes: [3] },
  { field: 'uvs', semantic: 'TEXCOORD_0', sizes: [2] },
  { field: 'uvs1', semantic: 'TEXCOORD_1', sizes: [2] },
  { field: 'colors', semantic: 'COLOR_0', sizes: [3, 4] },
] as const;

/** What is named in errors. */
export const WHERE = 'writeTiles';
const REMEDY = 'pass { id, material, positions, index }, as objectsOf(scene) gives them';
const NUMBERS = 'check what wrote the numbers';

/** The name of an object in errors. */
const titleOf = ({ name, id }: SceneObject): string => `object ${JSON.stringify(name ?? id)}`;

/** Checks what an object is, apart from its arrays. */
export function checkObject(object: unknown, place: number): asserts object is SceneObject {
  const field = `objects[${place}]`;
  if (!isObject(object)) throwType(WHERE, field, 'be an object', object, REMEDY);
  const { id, name, material } = object as SceneObject;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isFinite(id)))
    throwType(WHERE, `${field}.id`, 'be a string or a finite number', id, 'pass its place in the scene if it has none');
  if (name !== undefined && typeof name !== 'string')
    throwType(WHERE, `${field}.name`, 'be a string', name, 'leave it out for none');
  if ((material as Material | null | undefined)?.isMaterial !== true)
    throwType(WHERE, `${field}.material`, 'be a material', material, REMEDY);
}

/**
 * Reads and checks the arrays of an object; null if it has no triangle. Positions are rounded to multiples of `step`,
 * by their place in the scene alone, so that objects that share a vertex go on sharing it. 0 rounds to Float32.
 */
export function readMesh(object: SceneObject, step = 0): ObjectMesh | null {
  const { positions } = object;
  requireVertices(object, 'positions', positions, [3], 0);
  const count = positions.length / 3;
  const index = readIndex(object, count);
  const sizes: number[] = [];
  const arrays: ArrayLike<number>[] = [];
  for (const { field, sizes: allowed } of ATTRIBUTES) {
    const values = object[field] ?? null;
    sizes.push(values === null ? 0 : requireVertices(object, field, values, allowed, count));
    if (values !== null) arrays.push(values);
  }
  const origin = [Infinity, Infinity, Infinity];
  for (let at = 0; at < 3 * count; at++) {
    const value = positions[at];
    if (!isCoordinate(value))
      throwRange(WHERE, `positions[${at}] of ${titleOf(object)}`, 'lie within +-2^50', value, NUMBERS);
    if (value < origin[at % 3]) origin[at % 3] = value;
  }
  const rounded = (value: number): number => (step > 0 ? Math.round(value / step) * step : value);
  for (let axis = 0; axis < 3; axis++) origin[axis] = rounded(origin[axis]);
  const stride = sizes.reduce((sum, size) => sum + size, 3);
  const vertices = new Float32Array(count * stride);
  const present = sizes.filter((size) => size > 0);
  for (let vertex = 0, to = 0; vertex < count; vertex++) {
    // Adding 0 makes 0 of -0, so that equal vertices have equal bits.
    for (let axis = 0; axis < 3; axis++) vertices[to++] = rounded(positions[3 * vertex + axis]) - origin[axis] + 0;
    for (let k = 0; k < arrays.length; k++)
      for (let part = 0; part < present[k]; part++) {
        const value = arrays[k][present[k] * vertex + part];
        if (!isBetween(value, -3e38, 3e38))
          throwRange(WHERE, `an attribute of vertex ${vertex} of ${titleOf(object)}`, 'be finite', value, NUMBERS);
        vertices[to++] = value + 0;
      }
  }
  return weld({ origin, vertices, stride, sizes, index }, positions);
}

function requireArray(title: string, values: unknown): asserts values is ArrayLike<number> {
  if (!isArray(values)) throwType(WHERE, title, 'be an array', values, REMEDY);
  if (ArrayBuffer.isView(values)) requireMemory(WHERE, title, values);
}

/** Checks an array of a vertex attribute; returns how many numbers a vertex has. `count` 0 means any. */
function requireVertices(
  object: SceneObject,
  field: string,
  values: unknown,
  sizes: readonly number[],
  count: number,
): number {
  const title = `${field} of ${titleOf(object)}`;
  requireArray(title, values);
  const { length } = values;
  const size = sizes.find((one) => (count === 0 ? length % one === 0 : length === one * count));
  const expected = `be ${sizes.join(' or ')} times the vertices`;
  return size ?? throwRange(WHERE, `${title}: its length`, expected, length, NUMBERS);
}

/** The corners of the triangles of an object, without triangles two of whose corners are one vertex. */
function readIndex(object: SceneObject, count: number): Uint32Array {
  const index = object.index ?? null;
  if (index === null) return Uint32Array.from({ length: count - (count % 3) }, (_, k) => k);
  const title = titleOf(object);
  requireArray(`index of ${title}`, index);
  const { length } = index;
  if (length % 3 !== 0) throwRange(WHERE, `index of ${title}: its length`, 'be a multiple of three', length, NUMBERS);
  const expected = `be a vertex from 0 to ${count - 1}`;
  for (let corner = 0; corner < length; corner++)
    if (!isIntegerBetween(index[corner], 0, count - 1))
      throwRange(WHERE, `index[${corner}] of ${title}`, expected, index[corner], NUMBERS);
  return Uint32Array.from(index);
}

/**
 * Makes one vertex of those that are equal, and leaves out those that no triangle has. Overwrites the index.
 *
 * @param positions Triangles with two corners at one of these places are left out. Null keeps all.
 * @returns Null if no triangle is left.
 */
export function weld(mesh: ObjectMesh, positions: ArrayLike<number> | null): ObjectMesh | null {
  const { vertices, stride, index } = mesh;
  const words = new Int32Array(vertices.buffer);
  const table = new Int32Array(1 << (33 - Math.clz32(index.length))).fill(-1);
  const last = table.length - 1;
  const welded = new Int32Array(vertices.length / stride).fill(-1);
  let count = 0;
  let length = 0;
  // In the order of the triangles, so that unused vertices disappear.
  const kept = new Float32Array(vertices.length);
  const keptWords = new Int32Array(kept.buffer);
  const vertexOf = (vertex: number): number => {
    if (welded[vertex] >= 0) return welded[vertex];
    const from = vertex * stride;
    let hash = 0;
    for (let k = 0; k < stride; k++) hash = Math.imul(hash ^ words[from + k], 0x45d9f3b) ^ (hash >>> 15);
    let place = (hash ^ (hash >>> 16)) & last;
    for (; table[place] >= 0; place = (place + 1) & last) {
      const to = table[place] * stride;
      let k = 0;
      while (k < stride && words[from + k] === keptWords[to + k]) k++;
      if (k === stride) return (welded[vertex] = table[place]);
    }
    keptWords.set(words.subarray(from, from + stride), count * stride);
    return (welded[vertex] = table[place] = count++);
  };
  for (let corner = 0; corner < index.length; corner += 3) {
    const [a, b, c] = [index[corner], index[corner + 1], index[corner + 2]];
    if (positions === null || !isFlat(positions, a, b, c))
      for (const vertex of [a, b, c]) index[length++] = vertexOf(vertex);
  }
  if (length === 0) return null;
  return { ...mesh, vertices: kept.slice(0, count * stride), index: index.slice(0, length) };
}

/** Whether two corners of a triangle are at one place. */
export function isFlat(positions: ArrayLike<number>, a: number, b: number, c: number): boolean {
  const isOnePlace = (p: number, q: number): boolean =>
    positions[3 * p] === positions[3 * q] &&
    positions[3 * p + 1] === positions[3 * q + 1] &&
    positions[3 * p + 2] === positions[3 * q + 2];
  return isOnePlace(a, b) || isOnePlace(b, c) || isOnePlace(c, a);
}
