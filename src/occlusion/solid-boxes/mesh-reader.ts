/**
 * Reads the triangles of a geometry of three, or of plain arrays, and welds vertices at equal positions: of a geometry
 * without an index, or with a normal for each face, each corner is a vertex of its own.
 */

import {
  isArray,
  isCoordinate,
  isIntegerBetween,
  isObject,
  requireNumber,
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
/** Triangles, or vertices, that a generator reads between two yields. */
export const TRIANGLES_PER_STEP = 1024;

export class MeshReader {
  /** Three numbers for each welded vertex. */
  positions = new Float64Array(0);
  vertexCount = 0;
  /** Three welded vertices for each triangle. Triangles with two equal corners are left out. */
  triangles = new Int32Array(0);
  triangleCount = 0;
  /** The largest magnitude of a coordinate. */
  magnitude = 0;

  /** Welded vertices by hash, -1 for none; the length is a power of two. */
  private table = new Int32Array(0);
  /** By vertex of the mesh its welded vertex, -1 for none yet. */
  private known = new Int32Array(0);
  private readonly floats = new Float32Array(3);
  private readonly bits = new Int32Array(this.floats.buffer);

  /**
   * Checks a mesh, reads and welds it, in steps. There are no triangles if it may not be drawn as its vertices say, or
   * has nothing on the CPU.
   */
  *read(where: string, mesh: unknown): Generator<void> {
    this.vertexCount = this.triangleCount = this.magnitude = 0;
    const source = sourceOf(where, mesh);
    if (source === null) return;
    const { start, corners } = source;
    const { count } = source.position;
    const mostVertices = Math.min(corners, count);
    this.positions = new Float64Array(3 * mostVertices);
    this.triangles = new Int32Array(corners);
    this.table = new Int32Array(1 << (33 - Math.clz32(mostVertices))).fill(-1);
    this.known = new Int32Array(count).fill(-1);
    for (let from = 0; from < corners; from += 3 * TRIANGLES_PER_STEP) {
      const to = Math.min(from + 3 * TRIANGLES_PER_STEP, corners);
      for (let corner = from; corner < to; corner += 3) this.addTriangle(where, source, start + corner);
      yield;
    }
    this.table = this.known = new Int32Array(0);
  }

  private addTriangle(where: string, source: Source, corner: number): void {
    const a = this.vertexAt(where, source, corner);
    const b = this.vertexAt(where, source, corner + 1);
    const c = this.vertexAt(where, source, corner + 2);
    if (a === b || b === c || c === a) return;
    const at = 3 * this.triangleCount++;
    this.triangles[at] = a;
    this.triangles[at + 1] = b;
    this.triangles[at + 2] = c;
  }

  private vertexAt(where: string, { position, index, name }: Source, corner: number): number {
    const { known, floats, bits, positions, table } = this;
    const vertex = index === null ? corner : index.getX(corner);
    if (!isIntegerBetween(vertex, 0, position.count - 1)) {
      const expected = `be a vertex from 0 to ${position.count - 1}`;
      requireNumber(where, `geometry.index[${corner}]`, expected, vertex, false, 'check what wrote the index');
    }
    if (known[vertex] >= 0) return known[vertex];
    const at = 3 * this.vertexCount;
    const point = [position.getX(vertex), position.getY(vertex), position.getZ(vertex)];
    for (let axis = 0; axis < 3; axis++) {
      const value = point[axis];
      if (!isCoordinate(value)) {
        const field = `${name}[${3 * vertex + axis}], ${AXES[axis]} of vertex ${vertex},`;
        requireNumber(where, field, 'lie within +-2^50', value, false, NUMBERS_REMEDY);
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
    return (known[vertex] = table[place]);
  }
}

/** Where triangles are read from. */
interface Source {
  readonly position: AttributeLike;
  /** The vertices of the corners; null if corners are vertices. */
  readonly index: { getX(corner: number): number } | null;
  /** The first corner, and the number of corners: three for each triangle. */
  readonly start: number;
  readonly corners: number;
  /** What the positions are called in errors. */
  readonly name: string;
}

function sourceOf(where: string, mesh: unknown): Source | null {
  if (!isObject(mesh)) throwType(where, 'geometry', 'be an object', mesh, REMEDY);
  if ('positions' in (mesh as object)) return arraysSource(where, mesh as TriangleArrays);
  return geometrySource(where, mesh as GeometryLike);
}

function arraysSource(where: string, { positions, index }: TriangleArrays): Source {
  const name = 'geometry.positions';
  if (!isArray(positions)) throwType(where, name, 'be an array', positions, REMEDY);
  if (index !== undefined && index !== null && !isArray(index))
    throwType(where, 'geometry.index', 'be an array', index, REMEDY);
  requireTriples(where, name, positions.length);
  requireTriples(where, 'geometry.index', index?.length);
  const count = positions.length / 3;
  const position = {
    count,
    getX: (vertex: number) => positions[3 * vertex],
    getY: (vertex: number) => positions[3 * vertex + 1],
    getZ: (vertex: number) => positions[3 * vertex + 2],
  };
  const corners = index?.length ?? count - (count % 3);
  return { position, index: index ? { getX: (corner) => index[corner] } : null, start: 0, corners, name };
}

function geometrySource(where: string, geometry: GeometryLike): Source | null {
  const { attributes, index, drawRange, morphAttributes } = geometry;
  const position = attributes?.position;
  const name = 'geometry.attributes.position';
  if (!isObject(position)) throwType(where, name, 'be an attribute', position, REMEDY);
  if ((morphAttributes?.position?.length ?? 0) > 0 || 'isInstancedBufferGeometry' in geometry) return null;
  // Attributes on the GPU have no numbers here.
  if (typeof position!.getX !== 'function' || 'isStorageBufferAttribute' in position!) return null;
  if (!(position!.count > 0)) throwEmpty(where, name);
  const most = index ? index.count : position!.count;
  const start = Math.max(0, drawRange?.start ?? 0);
  const length = Math.max(0, Math.min(most, start + (drawRange?.count ?? Infinity)) - start);
  return { position: position!, index: index ?? null, start, corners: length - (length % 3), name };
}

function requireTriples(where: string, field: string, length: number | undefined): void {
  if (length === 0) throwEmpty(where, field);
  if (length !== undefined && length % 3 !== 0)
    throwRange(where, `${field}.length`, 'be a multiple of three', length, REMEDY);
}

function throwEmpty(where: string, field: string): never {
  throw new RangeError(`${where}: ${field} must have at least one triangle, but is empty; add vertices first.`);
}
