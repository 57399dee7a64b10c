/**
 * Grows a box of cells towards the mesh: each face goes most of the way to the nearest triangle in its cross-section,
 * several times in turn. It stops short of the triangle: otherwise a wall that is not quite parallel to the box would
 * touch its edge, and stop the faces beside it.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { ClosedMesh } from './closed-mesh.ts';

const ROUNDS = 3;
/** Part of the way to the nearest triangle. */
const WAY_PART = 0.9;
/** How far a face may move, in cells: what holds it is in the next cell, or the mesh ends there. */
const REACH = 2;
/** Triangles near a box that are worth a step for each axis. */
const MANY = 1024;
/** A triangle that is cut by four planes has seven corners at most. */
const MAX_CORNERS = 8;

export class BoxGrowth {
  /** The triangles near the box. */
  private readonly near = new IndexList();
  private readonly limits = new Float64Array(BOX_STRIDE);
  private corners = new Float64Array(3 * MAX_CORNERS);
  private cut = new Float64Array(3 * MAX_CORNERS);

  /**
   * Grows a box, in steps if many triangles are near.
   *
   * @param bounds Where the box must end.
   * @param cell The size of a cell.
   */
  *grow(box: Float64Array, mesh: ClosedMesh, bounds: Float64Array, cell: Float64Array): Generator<void> {
    const { limits } = this;
    for (let axis = 0; axis < 3; axis++) {
      limits[axis] = Math.max(bounds[axis], box[axis] - REACH * cell[axis]);
      limits[axis + 3] = Math.min(bounds[axis + 3], box[axis + 3] + REACH * cell[axis]);
    }
    this.findNear(mesh);
    for (let round = 0; round < ROUNDS; round++) {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] += WAY_PART * (this.nearest(mesh, box, axis, -1) - box[axis]);
        box[axis + 3] += WAY_PART * (this.nearest(mesh, box, axis, 1) - box[axis + 3]);
        if (this.near.length > MANY) yield;
      }
    }
  }

  private findNear({ vertices: v, triangles, triangleCount }: ClosedMesh): void {
    const { limits, near } = this;
    near.length = 0;
    for (let k = 0; k < triangleCount; k++) {
      const a = 3 * triangles[3 * k];
      const b = 3 * triangles[3 * k + 1];
      const c = 3 * triangles[3 * k + 2];
      let isNear = true;
      for (let axis = 0; axis < 3 && isNear; axis++) {
        isNear =
          Math.min(v[a + axis], v[b + axis], v[c + axis]) <= limits[axis + 3] &&
          Math.max(v[a + axis], v[b + axis], v[c + axis]) >= limits[axis];
      }
      if (isNear) near.push(k);
    }
  }

  /** Where the first triangle is that a face would meet if it moved along an axis, or the limit. */
  private nearest(mesh: ClosedMesh, box: Float64Array, axis: number, direction: number): number {
    const { limits } = this;
    const { array: near, length } = this.near;
    const { vertices: v, triangles } = mesh;
    const i = (axis + 1) % 3;
    const j = (axis + 2) % 3;
    const face = direction < 0 ? box[axis] : box[axis + 3];
    let nearest = direction < 0 ? limits[axis] : limits[axis + 3];
    for (let k = 0; k < length; k++) {
      const a = 3 * triangles[3 * near[k]];
      const b = 3 * triangles[3 * near[k] + 1];
      const c = 3 * triangles[3 * near[k] + 2];
      // Beside the cross-section, behind the face, or not before the nearest one.
      if (
        Math.max(v[a + i], v[b + i], v[c + i]) < box[i] ||
        Math.min(v[a + i], v[b + i], v[c + i]) > box[i + 3] ||
        Math.max(v[a + j], v[b + j], v[c + j]) < box[j] ||
        Math.min(v[a + j], v[b + j], v[c + j]) > box[j + 3]
      )
        continue;
      const low = Math.min(v[a + axis], v[b + axis], v[c + axis]);
      const high = Math.max(v[a + axis], v[b + axis], v[c + axis]);
      if (direction < 0 ? high <= nearest || low >= face : low >= nearest || high <= face) continue;
      const found = this.extreme(v, a, b, c, box, axis, direction);
      // NaN if nothing of the triangle is in the cross-section.
      if (direction < 0 ? found > nearest : found < nearest) nearest = found;
    }
    return direction < 0 ? Math.min(nearest, face) : Math.max(nearest, face);
  }

  /** The nearest coordinate along the axis of the part of a triangle in the cross-section of the box; NaN for none. */
  private extreme(
    v: Float64Array,
    a: number,
    b: number,
    c: number,
    box: Float64Array,
    axis: number,
    direction: number,
  ): number {
    for (let k = 0; k < 3; k++) {
      this.corners[k] = v[a + k];
      this.corners[k + 3] = v[b + k];
      this.corners[k + 6] = v[c + k];
    }
    let count = 3;
    for (let other = 1; other < 3 && count > 0; other++) {
      const side = (axis + other) % 3;
      count = this.clip(count, side, box[side], 1);
      count = this.clip(count, side, box[side + 3], -1);
    }
    const { corners } = this;
    let extreme = NaN;
    for (let k = 0; k < count; k++) {
      const value = corners[3 * k + axis];
      // Not <=, because the first comparison is with NaN.
      if (!(direction < 0 ? value <= extreme : value >= extreme)) extreme = value;
    }
    return extreme;
  }

  /** Cuts the polygon in `corners` by a plane; returns the number of corners that are left. */
  private clip(count: number, axis: number, plane: number, sign: number): number {
    const { corners, cut } = this;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const from = 3 * k;
      const to = k + 1 === count ? 0 : from + 3;
      const here = sign * (corners[from + axis] - plane);
      const there = sign * (corners[to + axis] - plane);
      if (here >= 0) {
        for (let m = 0; m < 3; m++) cut[3 * kept + m] = corners[from + m];
        kept++;
      }
      if (here >= 0 !== there >= 0) {
        const part = here / (here - there);
        for (let m = 0; m < 3; m++)
          cut[3 * kept + m] = corners[from + m] + part * (corners[to + m] - corners[from + m]);
        kept++;
      }
    }
    this.corners = cut;
    this.cut = corners;
    return kept;
  }
}
