/**
 * Reads the triangles of a geometry of three, or of plain arrays, and welds vertices at equal positions: of a geometry
 * without an index, or with a normal for each face, each corner is a vertex of its own.
 */

import {
  isArray,
  isCoordinate,
  isIntegerBetween,
  isObject,
  throwRange,
  throwType,
} from '../../octree/input/input-checks.ts';
import { AXES } from '../../octree/input/shapes.ts';

/** A vertex attribute of three, also an interleaved or a normalized one. */
export interface AttributeLike {
  /** Number of vertices. */
  readonly count: number;
  /** The x of a vertex. */
  getX(index: number): number;
  /** The y of a vertex. */
  getY(index: number): number;
  /** The z of a vertex. */
  getZ(index: number): number;
}

/** Shaped like three's `BufferGeometry`. The draw range counts. With morph targets nothing is solid. */
export interface GeometryLike {
  /** The positions of the vertices. */
  readonly attributes: {
    /** Without it nothing is solid. */
    readonly position?: AttributeLike | undefined;
  };
  /** Three vertices for each triangle. Without it the vertices in order. */
  readonly index?: {
    /** Three times the number of triangles. */
    readonly count: number;
    /** The vertex of a corner. */
    getX(index: number): number;
  } | null;
  /** The part that is drawn. Without it everything. */
  readonly drawRange?: {
    /** The first corner. */
    readonly start: number;
    /** Number of corners; Infinity for all. */
    readonly count: number;
  };
  /** Morph targets, by the name of their attribute. */
  readonly morphAttributes?: {
    /** With targets of the positions nothing is solid. */
    readonly position?: readonly unknown[] | undefined;
  };
}

/** The triangles of a mesh as plain arrays. */
export interface TriangleArrays {
  /** Three numbers for each vertex. */
  readonly positions: ArrayLike<number>;
  /** Three vertices for each triangle. Without it the vertices in order. */
  readonly index?: ArrayLike<number> | null;
}

const REMEDY = 'pass a BufferGeometry, or {positions, index}';
const NUMBERS_REMEDY = 'check what wrote the positions';
/** Triangles per step of the generators. */
export const STEP = 1024;

export class MeshReader {
  /** Three numbers for each welded vertex. */
  positions = new Float64Array(0);
  vertexCount = 0;
  /** Three welded vertices for each triangle. Triangles with two equal corners are left out. */
  triangles = new Int32Array(0);
  triangleCount = 0;
  /** The largest magnitude of a coordinate. */
  magnitude = 0;

  private source: Source | null = null;
  /** Welded vertices by hash, -1 for none; the length is a power of two. */
  private table = new Int32Array(0);
  /** By vertex of an indexed geometry its welded vertex, -1 for none yet. */
  private known = new Int32Array(0);
  private readonly floats = new Float32Array(3);
  private readonly bits = new Int32Array(this.floats.buffer);

  /** Checks a mesh. Returns false if it may not be drawn as its vertices say, or has nothing on the CPU. */
  begin(where: string, mesh: unknown): boolean {
    this.source = sourceOf(where, mesh);
    return this.source !== null;
  }

  /** Reads and welds, in steps. */
  *read(where: string): Generator<void> {
    const { source } = this;
    this.vertexCount = this.triangleCount = this.magnitude = 0;
    if (source === null) return;
    const { corners, start, vertexCount, indexAt } = source;
    const mostVertices = indexAt === null ? corners : Math.min(corners, vertexCount);
    this.positions = new Float64Array(3 * mostVertices);
    this.triangles = new Int32Array(corners);
    this.table = new Int32Array(1 << (33 - Math.clz32(mostVertices))).fill(-1);
    if (indexAt !== null) this.known = new Int32Array(vertexCount).fill(-1);
    for (let from = 0; from < corners; from += 3 * STEP) {
      this.readCorners(where, source, start + from, start + Math.min(from + 3 * STEP, corners));
      yield;
    }
    this.source = null;
    this.table = this.known = new Int32Array(0);
  }

  private readCorners(where: string, source: Source, from: number, to: number): void {
    const { triangles } = this;
    for (let corner = from; corner < to; corner += 3) {
      const a = this.vertexAt(where, source, corner);
      const b = this.vertexAt(where, source, corner + 1);
      const c = this.vertexAt(where, source, corner + 2);
      if (a === b || b === c || c === a) continue;
      const at = 3 * this.triangleCount++;
      triangles[at] = a;
      triangles[at + 1] = b;
      triangles[at + 2] = c;
    }
  }

  private vertexAt(where: string, { indexAt, indexName, vertexCount, read, name }: Source, corner: number): number {
    const { known, floats, bits, positions, table } = this;
    const vertex = indexAt === null ? corner : indexAt(corner);
    if (indexAt !== null) {
      if (!isIntegerBetween(vertex, 0, vertexCount - 1)) {
        const expected = `be a vertex from 0 to ${vertexCount - 1}`;
        throwRange(where, `${indexName}[${corner}]`, expected, vertex, 'check what wrote the index');
      }
      if (known[vertex] >= 0) return known[vertex];
    }
    const at = 3 * this.vertexCount;
    read(vertex, positions, at);
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[at + axis];
      if (!isCoordinate(value)) {
        const field = `${name}[${3 * vertex + axis}], ${AXES[axis]} of vertex ${vertex},`;
        throwRange(where, field, 'lie within +-2^50', value, NUMBERS_REMEDY);
      }
      // Adding 0 makes 0 of -0, so that their bits are the same.
      floats[axis] = positions[at + axis] = value + 0;
      if (Math.abs(value) > this.magnitude) this.magnitude = Math.abs(value);
    }
    let hash = Math.imul(bits[0], 73856093) ^ Math.imul(bits[1], 19349663) ^ Math.imul(bits[2], 83492791);
    hash ^= hash >>> 16;
    hash = Math.imul(hash, 0x45d9f3b);
    hash ^= hash >>> 15;
    const last = table.length - 1;
    let place = hash & last;
    for (; table[place] >= 0; place = (place + 1) & last) {
      const other = 3 * table[place];
      if (
        positions[other] === positions[at] &&
        positions[other + 1] === positions[at + 1] &&
        positions[other + 2] === positions[at + 2]
      )
        break;
    }
    if (table[place] < 0) table[place] = this.vertexCount++;
    if (indexAt !== null) known[vertex] = table[place];
    return table[place];
  }
}

/** Where triangles are read from. */
interface Source {
  readonly vertexCount: number;
  /** The first corner, and the number of corners: three for each triangle. */
  readonly start: number;
  readonly corners: number;
  /** The vertex of a corner; null if corners are vertices. */
  readonly indexAt: ((corner: number) => number) | null;
  readonly read: (vertex: number, target: Float64Array, at: number) => void;
  /** What the positions and the index are called in errors. */
  readonly name: string;
  readonly indexName: string;
}

function sourceOf(where: string, mesh: unknown): Source | null {
  if (!isObject(mesh)) throwType(where, 'geometry', 'be an object', mesh, REMEDY);
  if ('positions' in (mesh as object)) return arraysSource(where, mesh as TriangleArrays);
  return geometrySource(where, mesh as GeometryLike);
}

function arraysSource(where: string, { positions, index }: TriangleArrays): Source {
  if (!isArray(positions)) throwType(where, 'geometry.positions', 'be an array', positions, REMEDY);
  if (index !== undefined && index !== null && !isArray(index))
    throwType(where, 'geometry.index', 'be an array', index, REMEDY);
  const vertexCount = positions.length / 3;
  const name = 'geometry.positions';
  requireTriples(where, name, positions.length);
  requireTriples(where, 'geometry.index', index?.length);
  return {
    vertexCount,
    start: 0,
    corners: index?.length ?? vertexCount - (vertexCount % 3),
    indexAt: index ? (corner) => index[corner] : null,
    read: (vertex, target, at) => readArray(positions, vertex, target, at),
    name,
    indexName: 'geometry.index',
  };
}

function geometrySource(where: string, geometry: GeometryLike): Source | null {
  const { attributes, index, drawRange, morphAttributes } = geometry;
  const position = attributes?.position;
  if (!isObject(position)) throwType(where, 'geometry.attributes.position', 'be an attribute', position, REMEDY);
  if ((morphAttributes?.position?.length ?? 0) > 0 || 'isInstancedBufferGeometry' in geometry) return null;
  // Attributes on the GPU have no numbers here.
  if (typeof position!.getX !== 'function' || 'isStorageBufferAttribute' in position!) return null;
  const vertexCount = position!.count;
  if (!(vertexCount > 0)) throwEmpty(where, 'geometry.attributes.position');
  const most = index ? index.count : vertexCount;
  const start = Math.max(0, drawRange?.start ?? 0);
  const length = Math.max(0, Math.min(most, start + (drawRange?.count ?? Infinity)) - start);
  return {
    vertexCount,
    start,
    corners: length - (length % 3),
    indexAt: index ? (corner) => index.getX(corner) : null,
    read: readerOf(position!),
    name: 'geometry.attributes.position',
    indexName: 'geometry.index',
  };
}

function readerOf(position: AttributeLike): Source['read'] {
  const { array, itemSize } = position as AttributeLike & { array?: unknown; itemSize?: number };
  if (array instanceof Float32Array && itemSize === 3 && !('data' in position))
    return (vertex, target, at) => readArray(array, vertex, target, at);
  return (vertex, target, at) => {
    target[at] = position.getX(vertex);
    target[at + 1] = position.getY(vertex);
    target[at + 2] = position.getZ(vertex);
  };
}

function readArray(array: ArrayLike<number>, vertex: number, target: Float64Array, at: number): void {
  target[at] = array[3 * vertex];
  target[at + 1] = array[3 * vertex + 1];
  target[at + 2] = array[3 * vertex + 2];
}

function requireTriples(where: string, field: string, length: number | undefined): void {
  if (length === 0) throwEmpty(where, field);
  if (length !== undefined && length % 3 !== 0)
    throwRange(where, `${field}.length`, 'be a multiple of three', length, REMEDY);
}

function throwEmpty(where: string, field: string): never {
  throw new RangeError(`${where}: ${field} must have at least one triangle, but is empty; add vertices first.`);
}
