/**
 * A small depth buffer of boxes, for occlusion culling on the CPU. It is conservative: what it calls hidden has no
 * visible point, whatever the size of its cells. The argument:
 *
 * - A cell stores 1 / w: at every point of the cell some occluder lies at least as near as this, 0 where there is none.
 *   w is the depth along the axis of view. Along a ray, 1 / w of a plane is linear on the screen, so the least value in
 *   a cell is at one of its corners, and occluders that reach behind the eye need no clipping.
 * - The rays from the eye through a convex box fill a convex cone. It is bounded by the planes through the eye and the
 *   silhouette: the edges between a front face, which looks at the eye, and a face that does not. An occluder fills a
 *   cell only if all corners of the cell lie inside all these planes, so each ray of the cell meets the box. If a front
 *   face is left out, because the eye is nearly in its plane, the planes bound a part of the cone.
 * - A ray enters a convex box through the front plane that it meets last. So a cell gets the least 1 / w of all front
 *   planes at all its corners.
 * - A box is hidden if all cells that its rectangle on the screen touches, rounded outward, are strictly nearer than
 *   its nearest corner. A box that reaches the near plane is never hidden.
 * - Rounding: the eye is subtracted in Float64, which costs no more than one rounding. Occluders shrink, and tested
 *   boxes grow, by SLACK times the distance of their farthest corner, which is 2^30 times the rounding error of
 *   Float64, and 2^4 times that of Float32, in which a renderer draws. Depths get the same factor.
 * - An occluder that the near plane cuts is drawn with a hole. The caller skips those whose body lies within
 *   `View.nearRadius` of the eye: then the near plane, as far as it is on the screen, does not touch the body.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import type { View } from './view.ts';

/** Part of the distance of a box's farthest corner by which occluders shrink and tested boxes grow. */
const SLACK = 2 ** -20;
/** Cells. Renderers round corners to 1/256 of a pixel. */
const SNAP = 2 ** -7;
/** log2 of the edge of a tile, in cells. */
const TILE_SHIFT = 3;
const TILE_LAST = (1 << TILE_SHIFT) - 1;
/** Silhouette edges of a box: six at most, three numbers each. */
const EDGE_STRIDE = 3;

export class DepthBuffer {
  width = 0;
  height = 0;
  /** Whether no cell was filled since `begin`. */
  isEmpty = true;
  /** 1 / w by cell, row by row. */
  cells = new Float32Array(0);
  /** Cells of the rectangle that `project` has set, both ends included. */
  private left = 0;
  private right = 0;
  private bottom = 0;
  private top = 0;
  /** 1 / w of the nearest corner in `project`. In an array: V8 may box a double in a field. */
  private readonly nearest = new Float64Array(1);
  /** For each tile a lower bound of its cells, and whether a cell was filled since. */
  private tiles = new Float32Array(0);
  private isStale = new Uint8Array(0);
  private tileColumns = 0;

  private toCells = new Float64Array(9);
  private toWorld = new Float64Array(9);
  private eye = new Float64Array(3);
  private nearDepth = 0;

  /** The box under work, relative to the eye; the front side of each axis: -1, 1, or 0 for none. */
  private readonly box = new Float64Array(BOX_STRIDE);
  private readonly front = new Int8Array(3);
  private readonly open = new Int32Array(2);
  private readonly edges = new Float64Array(6 * EDGE_STRIDE);
  private readonly faces = new Float64Array(3 * EDGE_STRIDE);

  /** Empties the buffer for a view, with `width` cells in a row and square cells. */
  begin(view: View, width: number): void {
    const height = Math.max(8, Math.min(4 * width, Math.round(width / view.aspect)));
    if (width !== this.width || height !== this.height) this.resize(width, height);
    else if (!this.isEmpty) {
      this.cells.fill(0);
      this.tiles.fill(0);
      this.isStale.fill(0);
    }
    this.isEmpty = true;
    view.setViewport(width, height);
    this.toCells = view.toCells;
    this.toWorld = view.toWorld;
    this.eye = view.eye;
    this.nearDepth = view.nearDepth;
  }

  private resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.cells = new Float32Array(width * height);
    this.tileColumns = (width + TILE_LAST) >> TILE_SHIFT;
    const tiles = this.tileColumns * ((height + TILE_LAST) >> TILE_SHIFT);
    this.tiles = new Float32Array(tiles);
    this.isStale = new Uint8Array(tiles);
  }

  /**
   * Finds the cells that the box at offset `at` touches, rounded outward, and its nearest depth. A box that reaches the
   * near plane, or lies beside the screen, gets the whole screen, and is never hidden.
   */
  project(boxes: Boxes, at: number): void {
    const { toCells: m, eye, width, height } = this;
    let x0 = boxes[at] - eye[0];
    let y0 = boxes[at + 1] - eye[1];
    let z0 = boxes[at + 2] - eye[2];
    let x1 = boxes[at + 3] - eye[0];
    let y1 = boxes[at + 4] - eye[1];
    let z1 = boxes[at + 5] - eye[2];
    const slack =
      SLACK *
      (Math.max(Math.abs(x0), Math.abs(x1)) +
        Math.max(Math.abs(y0), Math.abs(y1)) +
        Math.max(Math.abs(z0), Math.abs(z1)));
    x0 -= slack;
    y0 -= slack;
    z0 -= slack;
    x1 += slack;
    y1 += slack;
    z1 += slack;
    const minW = Math.min(m[6] * x0, m[6] * x1) + Math.min(m[7] * y0, m[7] * y1) + Math.min(m[8] * z0, m[8] * z1);
    this.left = 0;
    this.right = width - 1;
    this.bottom = 0;
    this.top = height - 1;
    this.nearest[0] = Infinity;
    if (!(minW > this.nearDepth)) return;
    let minU = Infinity;
    let maxU = -Infinity;
    let minV = Infinity;
    let maxV = -Infinity;
    for (let corner = 0; corner < 8; corner++) {
      const x = (corner & 1) === 0 ? x0 : x1;
      const y = (corner & 2) === 0 ? y0 : y1;
      const z = (corner & 4) === 0 ? z0 : z1;
      const scale = 1 / (m[6] * x + m[7] * y + m[8] * z);
      const u = (m[0] * x + m[1] * y + m[2] * z) * scale;
      const v = (m[3] * x + m[4] * y + m[5] * z) * scale;
      if (u < minU) minU = u;
      if (u > maxU) maxU = u;
      if (v < minV) minV = v;
      if (v > maxV) maxV = v;
    }
    minU -= SNAP;
    maxU += SNAP;
    minV -= SNAP;
    maxV += SNAP;
    if (!(minU < width && maxU >= 0 && minV < height && maxV >= 0)) return;
    if (minU > 0) this.left = Math.floor(minU);
    if (maxU < width) this.right = Math.floor(maxU);
    if (minV > 0) this.bottom = Math.floor(minV);
    if (maxV < height) this.top = Math.floor(maxV);
    this.nearest[0] = (1 + SLACK) / minW;
  }

  /** Cells of the rectangle that `project` has set. */
  get area(): number {
    return (this.right - this.left + 1) * (this.top - this.bottom + 1);
  }

  /** Whether the box of the last `project` is hidden. */
  isHidden(): boolean {
    const { cells, width, left, right, bottom, top } = this;
    const depth = this.nearest[0];
    if (this.isEmpty || depth === Infinity) return false;
    for (let row = bottom >> TILE_SHIFT; row <= top >> TILE_SHIFT; row++) {
      for (let column = left >> TILE_SHIFT; column <= right >> TILE_SHIFT; column++) {
        if (this.isNearer(row, column)) continue;
        const firstColumn = Math.max(left, column << TILE_SHIFT);
        const lastColumn = Math.min(right, (column << TILE_SHIFT) + TILE_LAST);
        const lastRow = Math.min(top, (row << TILE_SHIFT) + TILE_LAST);
        for (let y = Math.max(bottom, row << TILE_SHIFT); y <= lastRow; y++)
          for (let at = y * width + firstColumn; at <= y * width + lastColumn; at++)
            if (cells[at] <= depth) return false;
      }
    }
    return true;
  }

  private refreshTile(tile: number, row: number, column: number): void {
    const { cells, width, height } = this;
    const firstColumn = column << TILE_SHIFT;
    const lastColumn = Math.min(width - 1, firstColumn + TILE_LAST);
    const lastRow = Math.min(height - 1, (row << TILE_SHIFT) + TILE_LAST);
    let least = Infinity;
    for (let y = row << TILE_SHIFT; y <= lastRow; y++) {
      for (let at = y * width + firstColumn; at <= y * width + lastColumn; at++)
        if (cells[at] < least) least = cells[at];
    }
    this.tiles[tile] = least;
    this.isStale[tile] = 0;
  }

  /**
   * Fills the cells that lie entirely inside the box at offset `at`, in the rectangle of the last `project`,
   * which must have been for the same box.
   */
  rasterise(boxes: Boxes, at: number): void {
    if (!this.setFront(boxes, at)) return;
    const edgeCount = this.setEdges();
    const faceCount = this.setFaces();
    const { cells, tileColumns, isStale, edges, faces, width, bottom, top } = this;
    // Planes that are missing count as the first one.
    const second = faceCount > 1 ? 3 : 0;
    const third = faceCount > 2 ? 6 : 0;
    const [stepA, stepB, stepC] = [faces[0], faces[second], faces[third]];
    for (let row = bottom >> TILE_SHIFT; row <= top >> TILE_SHIFT; row++) {
      const [from, to] = this.openColumns(row);
      if (from > to) continue;
      const lastRow = Math.min(top, (row << TILE_SHIFT) + TILE_LAST);
      let least = to + 1;
      let greatest = from - 1;
      for (let y = Math.max(bottom, row << TILE_SHIFT); y <= lastRow; y++) {
        let first = from;
        let last = to;
        for (let edge = 0; edge < edgeCount; edge += EDGE_STRIDE) {
          const slope = edges[edge];
          const base = edges[edge + 1] * y + edges[edge + 2];
          if (slope > 0) {
            const start = -base / slope;
            if (start > first) first = Math.ceil(start);
          } else if (slope < 0) {
            const end = -base / slope;
            if (end < last) last = Math.floor(end);
          } else if (base < 0) last = -1;
        }
        if (first > last) continue;
        const baseA = faces[1] * y + faces[2];
        const baseB = faces[second + 1] * y + faces[second + 2];
        const baseC = faces[third + 1] * y + faces[third + 2];
        for (let x = first, at = y * width + first; x <= last; x++, at++) {
          let depth = stepA * x + baseA;
          const depthB = stepB * x + baseB;
          const depthC = stepC * x + baseC;
          if (depthB < depth) depth = depthB;
          if (depthC < depth) depth = depthC;
          if (depth > cells[at]) cells[at] = depth;
        }
        if (first < least) least = first;
        if (last > greatest) greatest = last;
      }
      if (least > greatest) continue;
      this.isEmpty = false;
      for (let tile = least >> TILE_SHIFT; tile <= greatest >> TILE_SHIFT; tile++)
        isStale[row * tileColumns + tile] = 1;
    }
  }

  /**
   * The first and the last cell of the rectangle in a row of tiles, without the tiles at both ends whose cells are all
   * nearer than the box of the last `project`: it would change none of them.
   */
  private openColumns(row: number): Int32Array {
    const { open, left, right } = this;
    let first = left >> TILE_SHIFT;
    let last = right >> TILE_SHIFT;
    while (first <= last && this.isNearer(row, first)) first++;
    while (last > first && this.isNearer(row, last)) last--;
    open[0] = Math.max(left, first << TILE_SHIFT);
    open[1] = first > last ? -1 : Math.min(right, (last << TILE_SHIFT) + TILE_LAST);
    return open;
  }

  /** Whether all cells of a tile are nearer than the box of the last `project`. */
  private isNearer(row: number, column: number): boolean {
    const { tiles, isStale, tileColumns } = this;
    const tile = row * tileColumns + column;
    if (isStale[tile] !== 0 && !(tiles[tile] > this.nearest[0])) this.refreshTile(tile, row, column);
    return tiles[tile] > this.nearest[0];
  }

  /** Reads the shrunken box relative to the eye, and which faces look at the eye; returns whether any does. */
  private setFront(boxes: Boxes, at: number): boolean {
    const { box, eye, front } = this;
    let slack = 0;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = boxes[at + axis] - eye[axis];
      box[axis + 3] = boxes[at + axis + 3] - eye[axis];
      slack += Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]));
    }
    slack *= SLACK;
    let hasFront = false;
    for (let axis = 0; axis < 3; axis++) {
      const middle = (box[axis] + box[axis + 3]) * 0.5;
      box[axis] = Math.min(middle, box[axis] + slack);
      box[axis + 3] = Math.max(middle, box[axis + 3] - slack);
      front[axis] = box[axis] > slack ? -1 : box[axis + 3] < -slack ? 1 : 0;
      if (front[axis] !== 0) hasFront = true;
    }
    return hasFront;
  }

  /**
   * The planes through the eye and the silhouette edges, as functions of a cell's lowest corner that are 0 or more if
   * the whole cell lies inside. Returns the length of the list.
   */
  private setEdges(): number {
    const { front } = this;
    let count = 0;
    for (let axis = 0; axis < 3; axis++) {
      const i = (axis + 1) % 3;
      const j = (axis + 2) % 3;
      // The edge parallel to `axis` where a side of i and a side of j meet.
      for (let side = -1; side <= 1; side += 2) {
        for (let other = -1; other <= 1; other += 2) {
          const isFront = front[i] === side;
          if (isFront === (front[j] === other)) continue;
          if (isFront) this.setEdge(count, i, side, j, other);
          else this.setEdge(count, j, other, i, side);
          count += EDGE_STRIDE;
        }
      }
    }
    return count;
  }

  /** The edge of the front face `side` of axis `i` where it meets `other`, a side of axis `j`. */
  private setEdge(to: number, i: number, side: number, j: number, other: number): void {
    const { box, edges, toWorld } = this;
    const depth = box[side < 0 ? i : i + 3];
    const place = box[other < 0 ? j : j + 3];
    // A ray with the direction d crosses the face inside the edge if (place - depth dj / di) other >= 0; di has the
    // sign of depth.
    const sign = depth * other > 0 ? 1 : -1;
    for (let k = 0; k < 3; k++) edges[to + k] = sign * (place * toWorld[3 * i + k] - depth * toWorld[3 * j + k]);
    // The least value in a cell, from the value at its lowest corner.
    edges[to + 2] += Math.min(edges[to], 0) + Math.min(edges[to + 1], 0);
  }

  /** 1 / w of each front plane, as a function of a cell's lowest corner: the least in the cell. */
  private setFaces(): number {
    const { box, faces, front, toWorld } = this;
    let count = 0;
    for (let axis = 0; axis < 3; axis++) {
      if (front[axis] === 0) continue;
      const scale = (1 - SLACK) / box[front[axis] < 0 ? axis : axis + 3];
      const to = EDGE_STRIDE * count++;
      for (let k = 0; k < 3; k++) faces[to + k] = toWorld[3 * axis + k] * scale;
      faces[to + 2] += Math.min(faces[to], 0) + Math.min(faces[to + 1], 0);
    }
    return count;
  }
}
