/**
 * The closed parts of a mesh: sets of triangles that are connected, with a boundary of zero. What is open is left out:
 * it may hide more, but never less. With ground below the mesh, a part may also be open along its lowest plane.
 *
 * The triangles are turned so that the winding number inside a part is positive. Where both sides are drawn, the
 * triangles of a part may disagree in direction: it is closed if each edge has an even number of triangles, and the
 * parity of crossings replaces the winding number. Such parts come last.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { VERTEX_ERROR32 } from '../../math/tolerances.ts';
import { BoundaryChain, type ConnectedParts } from './boundary-chain.ts';
import type { MeshReader } from './mesh-reader.ts';

/** Which sides of its triangles a mesh shows: three's FrontSide, BackSide and DoubleSide. */
export type SolidSide = 'front' | 'back' | 'double';

/** Distance of boxes from the mesh, as a part of its largest extent: 2 mm in a house of 20 m. */
const MARGIN = 1e-4;

/** What is asked for a mesh. */
export interface SolidRequest {
  readonly maxBoxes: number;
  readonly resolution: number;
  readonly hasGround: boolean;
  readonly side: SolidSide;
  readonly isAxisAligned: boolean;
  /** The axis that points up: 0, 1 or 2. */
  readonly up: number;
  /** Sixteen numbers, column by column. */
  readonly matrix: ArrayLike<number>;
}

export class ClosedMesh {
  /**
   * Three numbers for each vertex: under the matrix of the request, relative to `origin`, with the axis that points up
   * in the middle.
   */
  vertices = new Float64Array(0);
  vertexCount = 0;
  /** Three vertices for each triangle, those whose direction counts first. */
  triangles = new Int32Array(0);
  triangleCount = 0;
  directedCount = 0;
  /** The point in the middle of the lowest plane, in the order of `vertices`. */
  readonly origin = new Float64Array(3);
  /** Distance that a box keeps from triangles, and from the lowest plane. */
  margin = 0;

  /** Finds the closed parts, in steps. */
  *find(reader: MeshReader, request: SolidRequest): Generator<void> {
    this.place(reader, request);
    this.directedCount = this.triangleCount = 0;
    const { triangleCount } = reader;
    const chain = new BoundaryChain(reader);
    const { parts } = chain;
    yield* chain.add(reader);
    const open = this.openParts(chain, false, request);
    yield;
    const volumes = this.volumesOf(reader, parts);
    const wanted = request.side === 'back' ? -1 : 1;
    const sign = determinantOf(request.matrix) < 0 ? -wanted : wanted;
    this.triangles = new Int32Array(3 * triangleCount);
    this.addTriangles(reader, (vertex) => {
      const part = parts.partOf(vertex);
      const volume = volumes[part] * sign;
      if (open[part] !== 0 || volume === 0) return 0;
      if (volume > 0) return sign;
      return request.side === 'double' ? -sign : 0;
    });
    this.directedCount = this.triangleCount;
    if (request.side !== 'double' || this.directedCount === triangleCount) return;
    yield;
    const openByParity = this.openParts(chain, true, request);
    this.addTriangles(reader, (vertex) => {
      const part = parts.partOf(vertex);
      return open[part] !== 0 && openByParity[part] === 0 ? 1 : 0;
    });
  }

  /** Writes the vertices under the matrix of the request. */
  private place({ positions, vertexCount }: MeshReader, { matrix, up }: SolidRequest): void {
    const { origin } = this;
    const vertices = new Float64Array(3 * vertexCount);
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let axis = 0; axis < 3; axis++) {
      const row = (axis + up + 2) % 3;
      for (let at = 0; at < 3 * vertexCount; at += 3) {
        const value =
          matrix[row] * positions[at] +
          matrix[row + 4] * positions[at + 1] +
          matrix[row + 8] * positions[at + 2] +
          matrix[row + 12];
        vertices[at + axis] = value;
        if (value < low[axis]) low[axis] = value;
        if (value > high[axis]) high[axis] = value;
      }
      origin[axis] = axis === 1 ? low[axis] : low[axis] + (high[axis] - low[axis]) / 2;
    }
    for (let k = 0; k < vertices.length; k++) vertices[k] -= origin[k % 3];
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    const magnitude = Math.max(...low.map(Math.abs), ...high.map(Math.abs));
    this.margin = MARGIN * size + 4 * VERTEX_ERROR32 * magnitude;
    this.vertices = vertices;
    this.vertexCount = vertexCount;
  }

  /** By vertex that stands for a part: 1 if the boundary of the part is not zero. */
  private openParts(chain: BoundaryChain, isParity: boolean, { hasGround }: SolidRequest): Uint8Array {
    const { vertices, margin } = this;
    const open = new Uint8Array(this.vertexCount);
    for (const { a, b } of chain.remaining(isParity)) {
      if (hasGround && vertices[3 * a + 1] <= margin && vertices[3 * b + 1] <= margin) continue;
      open[chain.parts.partOf(a)] = 1;
    }
    return open;
  }

  /** Six times the signed volume of each part, by its vertex. The lowest plane closes what is open there. */
  private volumesOf({ triangles, triangleCount }: MeshReader, parts: ConnectedParts): Float64Array {
    const { vertices: v } = this;
    const volumes = new Float64Array(this.vertexCount);
    for (let at = 0; at < 3 * triangleCount; at += 3) {
      const a = 3 * triangles[at];
      const b = 3 * triangles[at + 1];
      const c = 3 * triangles[at + 2];
      volumes[parts.partOf(triangles[at])] +=
        v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]) +
        v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]) +
        v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c]);
    }
    return volumes;
  }

  /** Adds triangles as they are, turned round or not at all: 1, -1, 0. */
  private addTriangles({ triangles, triangleCount }: MeshReader, turnOf: (vertex: number) => number): void {
    for (let at = 0; at < 3 * triangleCount; at += 3) {
      const turn = turnOf(triangles[at]);
      if (turn === 0) continue;
      const to = 3 * this.triangleCount++;
      this.triangles[to] = triangles[at];
      this.triangles[to + 1] = triangles[turn > 0 ? at + 1 : at + 2];
      this.triangles[to + 2] = triangles[turn > 0 ? at + 2 : at + 1];
    }
  }

  /** Writes the box around the closed parts; returns whether it has a volume. */
  writeBounds(target: Float64Array): boolean {
    const { vertices, triangles, triangleCount } = this;
    target.fill(Infinity, 0, 3).fill(-Infinity, 3, BOX_STRIDE);
    for (let k = 0; k < 3 * triangleCount; k++) {
      const at = 3 * triangles[k];
      for (let axis = 0; axis < 3; axis++) {
        if (vertices[at + axis] < target[axis]) target[axis] = vertices[at + axis];
        if (vertices[at + axis] > target[axis + 3]) target[axis + 3] = vertices[at + axis];
      }
    }
    return target[0] < target[3] && target[1] < target[4] && target[2] < target[5];
  }
}

function determinantOf(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) + m[4] * (m[9] * m[2] - m[1] * m[10]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
}
