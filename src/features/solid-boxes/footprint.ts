/**
 * Turns the vertices of a mesh about the axis that points up, so that the rectangle around them, seen from above, has
 * the least area. A side of that rectangle lies along a side of the convex hull.
 *
 * The hull is that of the vertices farthest out in 64 directions. So it has all corners of most buildings; where it
 * lacks some, the rectangle may be larger than the least one.
 */

import type { ClosedMesh } from './closed-mesh.ts';
import { STEP } from './mesh-reader.ts';

/** Directions for each side of the square around the origin. */
const PER_SIDE = 16;
const DIRECTIONS = 4 * PER_SIDE;
/** A rectangle must be smaller than that along the axes by this part: for round shapes keep the axes. */
const GAIN = 0.999;

export class Footprint {
  /** Cosine and sine of the angle by which the vertices were turned. */
  cosine = 1;
  sine = 0;
  /** By direction the vertex farthest out; then the corners of the hull, each once. */
  private readonly corners = new Int32Array(DIRECTIONS);

  /** Turns the vertices, unless the box must be parallel to the axes. In steps, if there are many vertices. */
  *align(mesh: ClosedMesh, isAxisAligned: boolean): Generator<void> {
    this.cosine = 1;
    this.sine = 0;
    if (isAxisAligned) return;
    const { corners } = this;
    const { vertices: v } = mesh;
    const count = yield* this.findCorners(mesh);
    let least = this.areaAlong(v, count, 1, 0) * GAIN;
    for (let k = 0; k < count; k++) {
      const from = 3 * corners[k];
      const to = 3 * corners[(k + 1) % count];
      const x = v[to] - v[from];
      const z = v[to + 2] - v[from + 2];
      const length = Math.sqrt(x * x + z * z);
      if (!(length > 0)) continue;
      const area = this.areaAlong(v, count, x / length, z / length);
      if (!(area < least)) continue;
      least = area;
      this.cosine = x / length;
      this.sine = z / length;
    }
    const { cosine, sine } = this;
    if (sine === 0) return;
    for (let at = 0; at < v.length; at += 3) {
      const x = v[at];
      v[at] = cosine * x + sine * v[at + 2];
      v[at + 2] = cosine * v[at + 2] - sine * x;
    }
  }

  private *findCorners({ vertices: v, vertexCount, triangles, triangleCount }: ClosedMesh): Generator<void, number> {
    const { corners } = this;
    const isUsed = new Uint8Array(vertexCount);
    for (let k = 0; k < 3 * triangleCount; k++) isUsed[triangles[k]] = 1;
    let count = 0;
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const along = (2 * (direction % PER_SIDE)) / PER_SIDE - 1;
      const side = Math.floor(direction / PER_SIDE);
      // Along the square (1, -1), (1, 1), (-1, 1), (-1, -1).
      const x = [1, -along, -1, along][side];
      const z = [along, 1, -along, -1][side];
      let farthest = -1;
      let greatest = -Infinity;
      for (let vertex = 0; vertex < vertexCount; vertex++) {
        if (isUsed[vertex] === 0) continue;
        const distance = x * v[3 * vertex] + z * v[3 * vertex + 2];
        if (distance > greatest) {
          greatest = distance;
          farthest = vertex;
        }
      }
      if (count === 0 || corners[count - 1] !== farthest) corners[count++] = farthest;
      if (vertexCount > STEP) yield;
    }
    return count;
  }

  /** The area of the rectangle around the hull with a side along (x, z). */
  private areaAlong(v: Float64Array, count: number, x: number, z: number): number {
    const { corners } = this;
    let lowX = Infinity;
    let highX = -Infinity;
    let lowZ = Infinity;
    let highZ = -Infinity;
    for (let k = 0; k < count; k++) {
      const at = 3 * corners[k];
      const u = x * v[at] + z * v[at + 2];
      const w = x * v[at + 2] - z * v[at];
      if (u < lowX) lowX = u;
      if (u > highX) highX = u;
      if (w < lowZ) lowZ = w;
      if (w > highZ) highZ = w;
    }
    return (highX - lowX) * (highZ - lowZ);
  }
}
