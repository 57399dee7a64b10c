/**
 * The boundary of a set of triangles, as a signed sum of edges. A triangle abc has the boundary ab + bc + ca, and an
 * edge ba counts as -ab. A mesh whose boundary is zero is closed: the number of its front faces minus the number of its
 * back faces that a ray meets from far away to a point depends on the point alone. This is the winding number of the
 * point.
 *
 * Where the boundary is not zero at first, vertices that differ by rounding only are merged, and edges are
 * split at vertices that lie on them (T-junctions). Both add slivers to the mesh, no wider than `tolerance`.
 */

import { VERTEX_ERROR32 } from '../../math/tolerances.ts';
import { TRIANGLES_PER_STEP, type MeshReader } from './mesh-reader.ts';

/** An edge, and how often it is in the boundary. */
interface Edge {
  readonly a: number;
  readonly b: number;
  readonly count: number;
}

/** Most edges that are repaired. */
const MAX_REPAIRED = 1024;

/** Sets of connected vertices (union-find). */
export class ConnectedParts {
  private readonly parents: Int32Array;

  constructor(count: number) {
    this.parents = Int32Array.from({ length: count }, (_, k) => k);
  }

  /** The vertex that stands for the part of a vertex. */
  partOf(vertex: number): number {
    const { parents } = this;
    while (parents[vertex] !== vertex) vertex = parents[vertex] = parents[parents[vertex]];
    return vertex;
  }

  connect(a: number, b: number): void {
    const [one, other] = [this.partOf(a), this.partOf(b)];
    if (one !== other) this.parents[Math.max(one, other)] = Math.min(one, other);
  }
}

/** A signed sum of edges. */
class EdgeSum {
  /** By place in the table: both vertices of an edge, the lower one first; how often it counts. */
  private readonly ends: Int32Array;
  private readonly counts: Int32Array;
  private readonly last: number;

  constructor(mostEdges: number) {
    const size = 1 << (33 - Math.clz32(mostEdges));
    this.ends = new Int32Array(2 * size).fill(-1);
    this.counts = new Int32Array(size);
    this.last = size - 1;
  }

  add(a: number, b: number, count: number): void {
    const { ends, last } = this;
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    hash ^= hash >>> 15;
    let place = hash & last;
    while (ends[2 * place] >= 0 && (ends[2 * place] !== low || ends[2 * place + 1] !== high))
      place = (place + 1) & last;
    ends[2 * place] = low;
    ends[2 * place + 1] = high;
    this.counts[place] += a < b ? count : -count;
  }

  /** The edges that are left. With `isParity` each counts modulo 2, so that its direction does not matter. */
  remaining(isParity: boolean): Edge[] {
    const { ends, counts, last } = this;
    const edges: Edge[] = [];
    for (let place = 0; place <= last; place++) {
      const count = isParity ? counts[place] & 1 : counts[place];
      if (count !== 0) edges.push({ a: ends[2 * place], b: ends[2 * place + 1], count });
    }
    return edges;
  }
}

export class BoundaryChain {
  /** The parts of the mesh. The repair connects some. */
  readonly parts: ConnectedParts;
  private readonly sum: EdgeSum;
  private readonly positions: Float64Array;
  private readonly tolerance: number;

  constructor({ positions, vertexCount, triangleCount, magnitude }: MeshReader) {
    this.parts = new ConnectedParts(vertexCount);
    this.sum = new EdgeSum(3 * triangleCount);
    this.positions = positions;
    this.tolerance = magnitude * VERTEX_ERROR32;
  }

  /** Adds the edges of all triangles to the sum, in steps. */
  *add({ triangles, triangleCount }: MeshReader): Generator<void> {
    const { parts, sum } = this;
    for (let k = 0; k < triangleCount; k++) {
      const a = triangles[3 * k];
      const b = triangles[3 * k + 1];
      const c = triangles[3 * k + 2];
      sum.add(a, b, 1);
      sum.add(b, c, 1);
      sum.add(c, a, 1);
      parts.connect(a, b);
      parts.connect(a, c);
      if (k % TRIANGLES_PER_STEP === 0) yield;
    }
  }

  /** The edges of which the boundary consists. Connects parts that the repair joins. */
  remaining(isParity: boolean): Edge[] {
    const { positions } = this;
    const edges = this.sum.remaining(isParity);
    if (edges.length === 0 || edges.length > MAX_REPAIRED) return edges;
    const vertices = [...new Set(edges.flatMap(({ a, b }) => [a, b]))].sort(
      (a, b) => positions[3 * a] - positions[3 * b] || a - b,
    );
    const same = this.weld(vertices);
    const own = vertices.filter((vertex) => same.get(vertex) === vertex);
    const pieces = edges.flatMap((edge) => this.split(edge, same, own));
    const sum = new EdgeSum(pieces.length);
    for (const { a, b, count } of pieces) sum.add(a, b, count);
    return sum.remaining(isParity);
  }

  /** The pieces of an edge between the vertices that lie on it; none if its ends are the same. */
  private split({ a, b, count }: Edge, same: ReadonlyMap<number, number>, vertices: readonly number[]): Edge[] {
    const from = same.get(a)!;
    const to = same.get(b)!;
    if (from === to) return [];
    const ends = this.between(from, to, vertices);
    return ends.map((end, k) => ({ a: k === 0 ? from : ends[k - 1], b: end, count }));
  }

  /** Maps each vertex to one within the tolerance. `vertices` ascend along x. */
  private weld(vertices: readonly number[]): Map<number, number> {
    const { positions, tolerance, parts } = this;
    const same = new Map<number, number>();
    const kept: number[] = [];
    let first = 0;
    for (const vertex of vertices) {
      const x = positions[3 * vertex];
      while (first < kept.length && positions[3 * kept[first]] < x - tolerance) first++;
      let found = vertex;
      for (let k = first; k < kept.length && found === vertex; k++)
        if (this.distanceSq(kept[k], vertex) <= tolerance * tolerance) found = kept[k];
      if (found === vertex) kept.push(vertex);
      else parts.connect(found, vertex);
      same.set(vertex, found);
    }
    return same;
  }

  /** The vertices on the edge from one vertex to another, in order, and the other one. `vertices` ascend along x. */
  private between(from: number, to: number, vertices: readonly number[]): number[] {
    const { positions, tolerance, parts } = this;
    const lengthSq = this.distanceSq(from, to);
    const low = Math.min(positions[3 * from], positions[3 * to]) - tolerance;
    const high = Math.max(positions[3 * from], positions[3 * to]) + tolerance;
    const found: { vertex: number; along: number }[] = [];
    for (let k = firstFrom(low, vertices, positions); k < vertices.length; k++) {
      const vertex = vertices[k];
      if (positions[3 * vertex] > high) break;
      if (vertex === from || vertex === to) continue;
      let along = 0;
      for (let axis = 0; axis < 3; axis++) {
        const start = positions[3 * from + axis];
        along += (positions[3 * vertex + axis] - start) * (positions[3 * to + axis] - start);
      }
      along /= lengthSq;
      if (!(along > 0 && along < 1)) continue;
      let offSq = 0;
      for (let axis = 0; axis < 3; axis++) {
        const start = positions[3 * from + axis];
        const off = positions[3 * vertex + axis] - start - along * (positions[3 * to + axis] - start);
        offSq += off * off;
      }
      if (offSq > tolerance * tolerance) continue;
      parts.connect(vertex, from);
      found.push({ vertex, along });
    }
    const order = found.sort((a, b) => a.along - b.along).map(({ vertex }) => vertex);
    return [...order, to];
  }

  private distanceSq(a: number, b: number): number {
    const { positions } = this;
    const x = positions[3 * a] - positions[3 * b];
    const y = positions[3 * a + 1] - positions[3 * b + 1];
    const z = positions[3 * a + 2] - positions[3 * b + 2];
    return x * x + y * y + z * z;
  }
}

/** The place of the first vertex whose x is at least `low`. */
function firstFrom(low: number, vertices: readonly number[], positions: Float64Array): number {
  let begin = 0;
  let end = vertices.length;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (positions[3 * vertices[middle]] < low) begin = middle + 1;
    else end = middle;
  }
  return begin;
}
