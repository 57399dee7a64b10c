/**
 * Turns the vertices of a mesh about the axis that points up, so that the rectangle around them, seen from above, has
 * the least area. A side of that rectangle lies along a side of the convex hull.
 *
 * The hull is that of the vertices farthest out in 64 directions. So it has all corners of most buildings; where it
 * lacks some, the rectangle may be larger than the least one.
 */

import type { ClosedMesh } from './closed-mesh.ts';
import { TRIANGLES_PER_STEP } from './mesh-reader.ts';

/** Directions for each side of the square around the origin. */
const PER_SIDE = 16;
const DIRECTIONS = 4 * PER_SIDE;
/** A rectangle must be smaller than that along the axes by this part: for round shapes keep the axes. */
const MIN_GAIN = 0.999;

/**
 * Turns the vertices of a mesh. Returns the cosine and the sine of the angle by which they were turned. In steps, if
 * there are many vertices.
 */
export function* turnToFootprint(mesh: ClosedMesh): Generator<void, readonly [number, number]> {
  const { vertices: v } = mesh;
  const corners = yield* findCorners(mesh);
  let least = areaAlong(v, corners, 1, 0) * MIN_GAIN;
  let cosine = 1;
  let sine = 0;
  for (let k = 0; k < corners.length; k++) {
    const from = 3 * corners[k];
    const to = 3 * corners[(k + 1) % corners.length];
    const x = v[to] - v[from];
    const z = v[to + 2] - v[from + 2];
    const length = Math.sqrt(x * x + z * z);
    if (!(length > 0)) continue;
    const area = areaAlong(v, corners, x / length, z / length);
    if (!(area < least)) continue;
    least = area;
    cosine = x / length;
    sine = z / length;
  }
  if (sine === 0) return [1, 0];
  for (let at = 0; at < v.length; at += 3) {
    const x = v[at];
    v[at] = cosine * x + sine * v[at + 2];
    v[at + 2] = cosine * v[at + 2] - sine * x;
  }
  return [cosine, sine];
}

/** By direction the vertex farthest out, each once: the corners of the hull. */
function* findCorners({ vertices: v, vertexCount, triangles, triangleCount }: ClosedMesh): Generator<void, number[]> {
  const corners: number[] = [];
  const isUsed = new Uint8Array(vertexCount);
  for (let k = 0; k < 3 * triangleCount; k++) isUsed[triangles[k]] = 1;
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
    if (corners.at(-1) !== farthest) corners.push(farthest);
    if (vertexCount > TRIANGLES_PER_STEP) yield;
  }
  return corners;
}

/** The area of the rectangle around the hull with a side along (x, z). */
function areaAlong(v: Float64Array, corners: readonly number[], x: number, z: number): number {
  let lowX = Infinity;
  let highX = -Infinity;
  let lowZ = Infinity;
  let highZ = -Infinity;
  for (let k = 0; k < corners.length; k++) {
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
