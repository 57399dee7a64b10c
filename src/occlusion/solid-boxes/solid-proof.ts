/**
 * The proof that a box is solid: no triangle of the closed parts touches the box, and the winding number in it is at
 * least one.
 *
 * The boundary of the closed parts is zero, so the winding number is the same everywhere in the box. Along a way from a
 * point where it is 0 into the box, the number of front faces minus the number of back faces that the way meets is that
 * number. So the way meets at least one front face. It is 0 at every eye that lies outside the bounds of the mesh.
 *
 * A mesh that is open along its lowest plane is closed by a cap, any surface in that plane with the same boundary. A
 * way from an eye above the plane to a box above it does not meet the cap, so the front face is one of the mesh.
 *
 * Where both sides are drawn and the parity of crossings is odd, a way meets at least one triangle, for the same
 * reason.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { triangleTouchesBox } from './triangle-box.ts';
import type { ClosedMesh } from './closed-mesh.ts';
import { turnsAround } from './voxels.ts';

/** Places in a box where a vertical line is tried, as parts of its size: no simple fractions. */
const PLACES = [0.4871, 0.5233, 0.4519, 0.5417, 0.3907, 0.6151, 0.2843, 0.7079];
/** Least distance of that line from edges of the mesh, as a part of the size of the box. */
const CLEARANCE = 1e-7;

/** Whether a box is solid, and lies at least half of the margin inside. */
export function isSolid(box: Float64Array, mesh: ClosedMesh): boolean {
  const wide = new Float64Array(BOX_STRIDE);
  const { vertices, triangles, triangleCount, margin } = mesh;
  for (let k = 0; k < 3; k++) {
    wide[k] = box[k] - margin / 2;
    wide[k + 3] = box[k + 3] + margin / 2;
  }
  for (let k = 0; k < 3 * triangleCount; k += 3) {
    if (triangleTouchesBox(vertices, 3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2], wide, 0))
      return false;
  }
  for (let k = 0; k < PLACES.length; k++) {
    const x = box[0] + PLACES[k] * (box[3] - box[0]);
    const z = box[2] + PLACES[PLACES.length - 1 - k] * (box[5] - box[2]);
    const verdict = verdictAt(x, (box[1] + box[4]) / 2, z, box, mesh);
    if (verdict >= 0) return verdict > 0;
  }
  return false;
}

/** 1 if the winding number or the parity at a point says that it is inside, 0 if not, -1 near an edge of the mesh. */
function verdictAt(x: number, y: number, z: number, box: Float64Array, mesh: ClosedMesh): number {
  const { vertices: v, triangles, triangleCount, directedCount } = mesh;
  const clearance = CLEARANCE * Math.max(box[3] - box[0], box[5] - box[2]);
  let winding = 0;
  let crossings = 0;
  for (let k = 0; k < triangleCount; k++) {
    const a = 3 * triangles[3 * k];
    const b = 3 * triangles[3 * k + 1];
    const c = 3 * triangles[3 * k + 2];
    if (
      Math.max(v[a + 1], v[b + 1], v[c + 1]) < y ||
      Math.max(v[a], v[b], v[c]) < x - clearance ||
      Math.min(v[a], v[b], v[c]) > x + clearance ||
      Math.max(v[a + 2], v[b + 2], v[c + 2]) < z - clearance ||
      Math.min(v[a + 2], v[b + 2], v[c + 2]) > z + clearance
    )
      continue;
    if (isNear(v, a, b, x, z, clearance) || isNear(v, b, c, x, z, clearance) || isNear(v, c, a, x, z, clearance))
      return -1;
    const turns = turnsAround(v, a, b, x, z) + turnsAround(v, b, c, x, z) + turnsAround(v, c, a, x, z);
    if (turns === 0 || heightAt(v, a, b, c, x, z) < y) continue;
    if (k < directedCount) winding += turns;
    else crossings++;
  }
  return winding >= 1 || (crossings & 1) !== 0 ? 1 : 0;
}

/** Whether a point is near the segment between two vertices, seen from above. */
function isNear(v: Float64Array, a: number, b: number, x: number, z: number, clearance: number): boolean {
  const alongX = v[b] - v[a];
  const alongZ = v[b + 2] - v[a + 2];
  const lengthSq = alongX * alongX + alongZ * alongZ;
  let part = ((x - v[a]) * alongX + (z - v[a + 2]) * alongZ) / lengthSq;
  // NaN if the edge is vertical.
  if (!(part > 0)) part = 0;
  if (part > 1) part = 1;
  const offX = x - v[a] - part * alongX;
  const offZ = z - v[a + 2] - part * alongZ;
  return offX * offX + offZ * offZ <= clearance * clearance;
}

/** The height of a triangle at a point inside it, seen from above. */
function heightAt(v: Float64Array, a: number, b: number, c: number, x: number, z: number): number {
  const bx = v[b] - v[a];
  const by = v[b + 1] - v[a + 1];
  const bz = v[b + 2] - v[a + 2];
  const cx = v[c] - v[a];
  const cy = v[c + 1] - v[a + 1];
  const cz = v[c + 2] - v[a + 2];
  return v[a + 1] - ((by * cz - bz * cy) * (x - v[a]) + (bx * cy - by * cx) * (z - v[a + 2])) / (bz * cx - bx * cz);
}
