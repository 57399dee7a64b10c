/**
 * A small depth buffer of boxes, for occlusion culling on the CPU. It is conservative: what it calls hidden has no
 * visible point, whatever the size of its cells. The argument:
 *
 * - A tile of 8 x 4 cells stores two layers: at every point of the tile some occluder lies at least as near as
 *   `reference`, and at every point of the cells in its mask one lies at least as near as `working`. Both are 1 / w, 0
 *   where there is none; w is the depth along the axis of view. Along a ray, 1 / w of a plane is linear on the screen,
 *   so the least value in a tile is at one of its corners, and occluders that reach behind the eye need no clipping.
 * - The rays from the eye through a convex box fill a convex cone. It is bounded by the planes through the eye and the
 *   silhouette: the edges between a front face, which looks at the eye, and a face that does not. An occluder fills a
 *   cell only if all corners of the cell lie inside all these planes, so each ray of the cell meets the box. If a front
 *   face is left out, because the eye is nearly in its plane, the planes bound a part of the cone.
 * - A ray enters a convex box through the front plane that it meets last. So a tile gets the least 1 / w of all front
 *   planes at all its corners, or that of the farthest corner of the box, if that is nearer.
 * - A box is hidden if all cells that its rectangle on the screen touches, rounded outward, are strictly nearer than
 *   its nearest corner. A box that reaches the near plane is never hidden.
 * - Turned boxes: in the axes of the box, the map to the screen is another linear one and the box is parallel to the
 *   axes. The same steps follow. See `Frame`.
 * - Rounding: the eye is subtracted in Float64, which costs no more than one rounding. Occluders shrink, and tested
 *   boxes grow, by SLACK times the distance of their farthest corner, which is 2^30 times the rounding error of
 *   Float64, and 2^4 times that of Float32, in which a renderer draws. Depths get the same factor.
 * - An occluder that the near plane cuts is drawn with a hole. Those whose body lies within the radius of
 *   `CameraProjection.nearRadiusSq` of the eye are skipped: then the near plane, as far as it is on the screen, does
 *   not touch the body.
 *
 * The layers are those of Hasselgren, Andersson and Akenine-Moller, "Masked Software Occlusion Culling", 2016.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import type { CameraProjection, Frame } from './camera-projection.ts';

/** Part of the distance of a box's farthest corner by which occluders shrink and tested boxes grow. */
const SLACK = 2 ** -20;
/** Cells. Renderers round corners to 1/256 of a pixel. */
const SNAP = 2 ** -7;
const COLUMN_SHIFT = 3;
const ROW_SHIFT = 2;
/** Cells of a tile: its mask has 32 bits. */
export const TILE_WIDTH = 1 << COLUMN_SHIFT;
export const TILE_HEIGHT = 1 << ROW_SHIFT;
/** All cells of a tile. */
const FULL = -1;
/** Numbers of an edge or a plane on the screen. */
const LINE_STRIDE = 3;
/** Of an edge: its slope counts as 0 below this part of its other numbers. */
const MIN_SLOPE = 2 ** -60;

/** Sets the box under work from one in the world. */
export function setRelativeBox(box: Float64Array, boxes: Boxes, at: number, eye: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    box[k] = boxes[at + k] - eye[k];
    box[k + 3] = boxes[at + k + 3] - eye[k];
  }
}

export class DepthBuffer {
  /** Of the view; its size in cells is in multiples of a tile. */
  projection!: CameraProjection;
  /** Whether nothing was rasterised since `clear`. */
  isEmpty = true;
  /** The box under work, relative to the eye, in the axes of the frame that is used. */
  readonly box = new Float64Array(BOX_STRIDE);

  /** The layers by tile, row by row. */
  reference = new Float32Array(0);
  working = new Float32Array(0);
  masks = new Int32Array(0);

  /** Cells of the rectangle that `project` has set, both ends included. */
  private left = 0;
  private right = 0;
  private bottom = 0;
  private top = 0;
  /** 1 / w of the nearest and the farthest corner in `project`. In an array: V8 may box a double in a field. */
  private readonly depths = new Float64Array(2);

  /** The front side of each axis: -1, 1, or 0 for none. */
  private readonly front = new Int8Array(3);
  private readonly lines = new Float64Array(6 * LINE_STRIDE);
  private lineCount = 0;
  private readonly faces = new Float64Array(3 * LINE_STRIDE);
  /** The first and the last cell of the box in each row of a tile. */
  private readonly firsts = new Int32Array(TILE_HEIGHT);
  private readonly lasts = new Int32Array(TILE_HEIGHT);

  /** Empties the buffer, for a view. */
  clear(projection: CameraProjection): void {
    this.projection = projection;
    this.isEmpty = true;
    const count = (projection.width >> COLUMN_SHIFT) * (projection.height >> ROW_SHIFT);
    if (count > this.masks.length) {
      this.reference = new Float32Array(count);
      this.working = new Float32Array(count);
      this.masks = new Int32Array(count);
    } else {
      this.reference.fill(0, 0, count);
      this.working.fill(0, 0, count);
      this.masks.fill(0, 0, count);
    }
  }

  /** Cells of the rectangle of the last box that was tested or rasterised. */
  get area(): number {
    return (this.right - this.left + 1) * (this.top - this.bottom + 1);
  }

  /**
   * Finds the cells that the box touches, rounded outward, and its depths. A box that reaches the near plane, or lies
   * beside the screen, gets the whole screen, and is never hidden. Returns false for these two, otherwise true.
   */
  project({ toCells: m }: Frame): boolean {
    const { box, depths, projection } = this;
    const { width, height } = projection;
    let x0 = box[0];
    let y0 = box[1];
    let z0 = box[2];
    let x1 = box[3];
    let y1 = box[4];
    let z1 = box[5];
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
    const wx0 = m[6] * x0;
    const wx1 = m[6] * x1;
    const wy0 = m[7] * y0;
    const wy1 = m[7] * y1;
    const wz0 = m[8] * z0;
    const wz1 = m[8] * z1;
    const minW = (wx0 < wx1 ? wx0 : wx1) + (wy0 < wy1 ? wy0 : wy1) + (wz0 < wz1 ? wz0 : wz1);
    const maxW = (wx0 < wx1 ? wx1 : wx0) + (wy0 < wy1 ? wy1 : wy0) + (wz0 < wz1 ? wz1 : wz0);
    this.left = 0;
    this.right = width - 1;
    this.bottom = 0;
    this.top = height - 1;
    depths[0] = Infinity;
    depths[1] = maxW > 0 ? (1 - SLACK) / maxW : 0;
    if (!(minW > projection.nearDepth)) return false;
    const ux0 = m[0] * x0;
    const ux1 = m[0] * x1;
    const uy0 = m[1] * y0;
    const uy1 = m[1] * y1;
    const uz0 = m[2] * z0;
    const uz1 = m[2] * z1;
    const vx0 = m[3] * x0;
    const vx1 = m[3] * x1;
    const vy0 = m[4] * y0;
    const vy1 = m[4] * y1;
    const vz0 = m[5] * z0;
    const vz1 = m[5] * z1;
    let minU = Infinity;
    let maxU = -Infinity;
    let minV = Infinity;
    let maxV = -Infinity;
    for (let corner = 0; corner < 4; corner++) {
      const isLowY = (corner & 1) === 0;
      const isLowZ = corner < 2;
      const w = (isLowY ? wy0 : wy1) + (isLowZ ? wz0 : wz1);
      const u = (isLowY ? uy0 : uy1) + (isLowZ ? uz0 : uz1);
      const v = (isLowY ? vy0 : vy1) + (isLowZ ? vz0 : vz1);
      const scale0 = 1 / (wx0 + w);
      const scale1 = 1 / (wx1 + w);
      const u0 = (ux0 + u) * scale0;
      const u1 = (ux1 + u) * scale1;
      const v0 = (vx0 + v) * scale0;
      const v1 = (vx1 + v) * scale1;
      if (u0 < minU) minU = u0;
      if (u1 < minU) minU = u1;
      if (u0 > maxU) maxU = u0;
      if (u1 > maxU) maxU = u1;
      if (v0 < minV) minV = v0;
      if (v1 < minV) minV = v1;
      if (v0 > maxV) maxV = v0;
      if (v1 > maxV) maxV = v1;
    }
    minU -= SNAP;
    maxU += SNAP;
    minV -= SNAP;
    maxV += SNAP;
    if (!(minU < width && maxU >= 0 && minV < height && maxV >= 0)) return false;
    if (minU > 0) this.left = Math.floor(minU);
    if (maxU < width) this.right = Math.floor(maxU);
    if (minV > 0) this.bottom = Math.floor(minV);
    if (maxV < height) this.top = Math.floor(maxV);
    depths[0] = Math.fround((1 + SLACK) / minW);
    return true;
  }

  /** Whether the box is hidden. */
  isHidden(): boolean {
    if (!this.project(this.projection) || this.isEmpty) return false;
    const { reference, working, masks, left, right, bottom, top, depths } = this;
    const depth = depths[0];
    const columns = this.projection.width >> COLUMN_SHIFT;
    // From the top, because what is seen mostly stands out above what is in front of it.
    for (let row = top >> ROW_SHIFT; row >= bottom >> ROW_SHIFT; row--) {
      for (let column = left >> COLUMN_SHIFT; column <= right >> COLUMN_SHIFT; column++) {
        const tile = row * columns + column;
        if (reference[tile] > depth) continue;
        if (!(working[tile] > depth)) return false;
        const x = column << COLUMN_SHIFT;
        const inRow = spanOf(left - x, right - x) * 0x01010101;
        const y = row << ROW_SHIFT;
        const rows = (-1 << (bottom > y ? (bottom - y) << 3 : 0)) & (-1 >>> (top < y + 3 ? (y + 3 - top) << 3 : 0));
        if ((inRow & rows & ~masks[tile]) !== 0) return false;
      }
    }
    return true;
  }

  /**
   * Fills the cells that lie entirely inside the box, which is an occluder. Returns false, and fills none, if its
   * rectangle has fewer than `minCells` cells, or no face looks at the eye.
   */
  rasterise(frame: Frame, minCells: number): boolean {
    this.project(frame);
    return this.area >= minCells && this.fill(frame);
  }

  /** Fills the cells inside the box under work, which `project` has seen. Returns false if no face looks at the eye. */
  private fill(frame: Frame): boolean {
    if (!this.setFront()) return false;
    this.isEmpty = false;
    this.setLines(frame);
    this.setFaces(frame);
    const { faces, depths, firsts, lasts, bottom, top } = this;
    const columns = this.projection.width >> COLUMN_SHIFT;
    const least = depths[1];
    for (let row = bottom >> ROW_SHIFT; row <= top >> ROW_SHIFT; row++) {
      this.setSpans(row << ROW_SHIFT);
      let from = firsts[0];
      let to = lasts[0];
      let fullFrom = from;
      let fullTo = to;
      for (let k = 1; k < TILE_HEIGHT; k++) {
        from = Math.min(from, firsts[k]);
        to = Math.max(to, lasts[k]);
        fullFrom = Math.max(fullFrom, firsts[k]);
        fullTo = Math.min(fullTo, lasts[k]);
      }
      const a = faces[1] * row + faces[2];
      const b = faces[4] * row + faces[5];
      const c = faces[7] * row + faces[8];
      for (let column = from >> COLUMN_SHIFT; column <= to >> COLUMN_SHIFT; column++) {
        let depth = faces[0] * column + a;
        const depthB = faces[3] * column + b;
        const depthC = faces[6] * column + c;
        if (depthB < depth) depth = depthB;
        if (depthC < depth) depth = depthC;
        if (least > depth) depth = least;
        const x = column << COLUMN_SHIFT;
        let mask = FULL;
        if (x < fullFrom || x + TILE_WIDTH - 1 > fullTo) {
          mask = 0;
          for (let k = 0; k < TILE_HEIGHT; k++) mask |= spanOf(firsts[k] - x, lasts[k] - x) << (k << 3);
          if (mask === 0) continue;
        }
        this.merge(row * columns + column, Math.fround(depth), mask);
      }
    }
    return true;
  }

  /** Adds an occluder to a tile: it covers the cells of `mask`, and is at least as near as `depth`. */
  private merge(tile: number, depth: number, mask: number): void {
    const { reference, working, masks } = this;
    if (depth <= reference[tile]) return;
    if (mask !== FULL) {
      const old = masks[tile];
      if (old !== 0) {
        mask |= old;
        depth = Math.min(depth, working[tile]);
      }
      if (mask !== FULL) {
        working[tile] = depth;
        masks[tile] = mask;
        return;
      }
      working[tile] = 0;
    }
    reference[tile] = depth;
    if (working[tile] > depth) return;
    working[tile] = 0;
    masks[tile] = 0;
  }

  /** Shrinks the box, and finds which faces look at the eye; returns whether any does. */
  private setFront(): boolean {
    const { box, front } = this;
    let slack = 0;
    for (let axis = 0; axis < 3; axis++) slack += Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]));
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
   * Writes a line for each silhouette edge: where the plane through it and the eye bounds the cells of a row that lie
   * entirely inside. Three numbers, direction, slope and offset: column = slope * row + offset. Direction 1: cells from
   * that column on are inside; -1: cells up to it are.
   */
  private setLines({ toWorld }: Frame): void {
    const { box, front, lines } = this;
    let to = 0;
    for (let axis = 0; axis < 3; axis++) {
      const i = (axis + 1) % 3;
      const j = (axis + 2) % 3;
      // The edge parallel to `axis` where a side of i and a side of j meet.
      for (let sides = 0; sides < 4; sides++) {
        const side = (sides & 2) - 1;
        const other = ((sides & 1) << 1) - 1;
        const isFront = front[i] === side;
        if (isFront === (front[j] === other)) continue;
        // The front face `f` of the two, and the other one.
        const f = isFront ? i : j;
        const o = isFront ? j : i;
        const depth = box[(isFront ? side : other) < 0 ? f : f + 3];
        const otherSide = isFront ? other : side;
        const place = box[otherSide < 0 ? o : o + 3];
        // A ray with the direction d crosses the face inside the edge if (place - depth do / df) otherSide >= 0; df has
        // the sign of depth.
        const sign = depth * otherSide > 0 ? 1 : -1;
        const a = sign * (place * toWorld[3 * f] - depth * toWorld[3 * o]);
        const b = sign * (place * toWorld[3 * f + 1] - depth * toWorld[3 * o + 1]);
        const c = sign * (place * toWorld[3 * f + 2] - depth * toWorld[3 * o + 2]);
        const least = MIN_SLOPE * (Math.abs(b) * this.projection.height + Math.abs(c));
        const slope = Math.abs(a) < least ? least : a;
        // The least value in a cell, from the value at its lowest corner.
        lines[to] = slope < 0 ? -1 : 1;
        lines[to + 1] = -b / slope;
        lines[to + 2] = -(c + Math.min(a, 0) + Math.min(b, 0)) / slope;
        to += LINE_STRIDE;
      }
    }
    this.lineCount = to;
  }

  /** The first and the last cell inside all planes, in each row of the tiles that begin in row `y`. */
  private setSpans(y: number): void {
    const { lines, lineCount, firsts, lasts, bottom, top } = this;
    for (let k = 0; k < TILE_HEIGHT; k++) {
      let first = this.left;
      let last = this.right;
      for (let line = 0; line < lineCount; line += LINE_STRIDE) {
        const place = lines[line + 1] * (y + k) + lines[line + 2];
        if (lines[line] > 0) {
          if (place > first) first = place;
        } else if (place < last) last = place;
      }
      const isEmpty = y + k < bottom || y + k > top || !(first <= last);
      firsts[k] = isEmpty ? EMPTY_FIRST : Math.ceil(first);
      lasts[k] = isEmpty ? -1 : Math.floor(last);
    }
  }

  /**
   * 1 / w of each front plane, as a function of the column and the row of a tile: the least in the tile. Planes that
   * are missing repeat another one.
   */
  private setFaces({ toWorld }: Frame): void {
    const { box, faces, front } = this;
    let used = 0;
    while (front[used] === 0) used++;
    for (let axis = 0; axis < 3; axis++) {
      const face = front[axis] === 0 ? used : axis;
      const scale = (1 - SLACK) / box[front[face] < 0 ? face : face + 3];
      const to = LINE_STRIDE * axis;
      const a = toWorld[3 * face] * scale * TILE_WIDTH;
      const b = toWorld[3 * face + 1] * scale * TILE_HEIGHT;
      faces[to] = a;
      faces[to + 1] = b;
      faces[to + 2] = toWorld[3 * face + 2] * scale + Math.min(a, 0) + Math.min(b, 0);
    }
  }
}
/** Beyond all columns. */
const EMPTY_FIRST = 4096;

/** The cells from `first` to `last` of a row of a tile, as a byte. */
function spanOf(first: number, last: number): number {
  if (first > last || last < 0 || first >= TILE_WIDTH) return 0;
  return (0xff << (first > 0 ? first : 0)) & (0xff >> (last < TILE_WIDTH - 1 ? TILE_WIDTH - 1 - last : 0));
}
