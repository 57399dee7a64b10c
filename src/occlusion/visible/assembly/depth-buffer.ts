/**
 * The depth buffer of ../depth-buffer.ts, which holds the argument why it is conservative. The same
 * expressions in the same order, in Float64, so that both fill the same cells: change both together.
 */

import { lanesBeyond } from '../../../wasm/assembly/compact.ts';
import { floatAt, intAt, setFloat, setInt } from '../../../wasm/assembly/memory.ts';
import {
  BODY_AREA,
  FACES,
  FIRST_LINES,
  LAST_LINES,
  NEW_DEPTHS,
  REFERENCE,
  RELATIVE_BOX,
  TILE_MASKS,
  VIEW_EYE,
  VIEW_FRAME,
  WORKING,
} from '../walk-memory.ts';

/** As in ../depth-buffer.ts. */
@inline const SLACK: f64 = 1.0 / 1048576.0;
@inline const SNAP: f64 = 1.0 / 128.0;
@inline const MIN_SLOPE: f64 = 1.0 / 1152921504606846976.0;
@inline const COLUMN_SHIFT: i32 = 3;
@inline const ROW_SHIFT: i32 = 2;
@inline const TILE_WIDTH: i32 = 8;
@inline const TILE_HEIGHT: i32 = 4;
@inline const FULL: i32 = -1;
@inline const EMPTY_FIRST: i32 = 4096;
/** Bytes of a line and of a plane. */
@inline const LINE_BYTES: i32 = 16;
@inline const PLANE_BYTES: i32 = 24;
/** Bytes from a row of a frame to the next, and to the second half of a frame. */
@inline const ROW_BYTES: i32 = 24;
@inline const TO_WORLD: i32 = 72;

let width: i32 = 0;
let height: i32 = 0;
export let isEmpty: bool = true;
let left: i32 = 0;
let right: i32 = 0;
let bottom: i32 = 0;
let top: i32 = 0;
let nearest: f32 = 0;
let farthest: f64 = 0;
/** Ends of the two lists of lines. */
let firstEnd: i32 = 0;
let lastEnd: i32 = 0;
/** The first and the last cell in each row of a tile. */
let firsts: v128 = i32x4.splat(0);
let lasts: v128 = i32x4.splat(0);

@inline
function doubleAt(array: i32, k: i32): f64 {
  return load<f64>(<usize>(array + (k << 3)));
}

@inline
function setDouble(array: i32, k: i32, value: f64): void {
  store<f64>(<usize>(array + (k << 3)), value);
}

/** Faster than `min` and `max`, which treat NaN and -0 specially. */
@inline
function less(a: f64, b: f64): f64 {
  return select<f64>(a, b, a < b);
}

@inline
function greater(a: f64, b: f64): f64 {
  return select<f64>(a, b, a > b);
}

@inline
function splatAt(array: i32, k: i32): v128 {
  return v128.load64_splat(<usize>(array + (k << 3)));
}

/** Empties the buffer. */
export function clear(newWidth: i32, newHeight: i32): void {
  width = newWidth;
  height = newHeight;
  isEmpty = true;
  const bytes = <usize>(((newWidth >> COLUMN_SHIFT) * (newHeight >> ROW_SHIFT)) << 2);
  memory.fill(<usize>REFERENCE, 0, bytes);
  memory.fill(<usize>WORKING, 0, bytes);
  memory.fill(<usize>TILE_MASKS, 0, bytes);
}

/** Sets the box under work from one of Float32. */
@inline
export function setBox(boxes: i32, k: i32): void {
  const at = boxes + k * 24;
  const eyeXY = v128.load(<usize>VIEW_EYE);
  const eyeZ = load<f64>(<usize>VIEW_EYE, 16);
  const minXY = f64x2.promote_low_f32x4(v128.load(<usize>at));
  const maxXY = f64x2.promote_low_f32x4(v128.load(<usize>at, 12));
  v128.store(<usize>RELATIVE_BOX, f64x2.sub(minXY, eyeXY));
  setDouble(RELATIVE_BOX, 2, <f64>floatAt(at, 2) - eyeZ);
  v128.store(<usize>RELATIVE_BOX, f64x2.sub(maxXY, eyeXY), 24);
  setDouble(RELATIVE_BOX, 5, <f64>floatAt(at, 5) - eyeZ);
}

/** `project` of the other buffer. */
function project(frame: i32): bool {
  let x0 = doubleAt(RELATIVE_BOX, 0);
  let y0 = doubleAt(RELATIVE_BOX, 1);
  let z0 = doubleAt(RELATIVE_BOX, 2);
  let x1 = doubleAt(RELATIVE_BOX, 3);
  let y1 = doubleAt(RELATIVE_BOX, 4);
  let z1 = doubleAt(RELATIVE_BOX, 5);
  const slack =
    SLACK *
    (greater(abs<f64>(x0), abs<f64>(x1)) +
      greater(abs<f64>(y0), abs<f64>(y1)) +
      greater(abs<f64>(z0), abs<f64>(z1)));
  x0 -= slack;
  y0 -= slack;
  z0 -= slack;
  x1 += slack;
  y1 += slack;
  z1 += slack;
  const x = f64x2.replace_lane(f64x2.splat(x0), 1, x1);
  const y = f64x2.replace_lane(f64x2.splat(y0), 1, y1);
  const z = f64x2.replace_lane(f64x2.splat(z0), 1, z1);
  const wx = f64x2.mul(splatAt(frame, 6), x);
  const wy = f64x2.mul(splatAt(frame, 7), y);
  const wz = f64x2.mul(splatAt(frame, 8), z);
  const wx0 = f64x2.extract_lane(wx, 0);
  const wx1 = f64x2.extract_lane(wx, 1);
  const wy0 = f64x2.extract_lane(wy, 0);
  const wy1 = f64x2.extract_lane(wy, 1);
  const wz0 = f64x2.extract_lane(wz, 0);
  const wz1 = f64x2.extract_lane(wz, 1);
  const minW = less(wx0, wx1) + less(wy0, wy1) + less(wz0, wz1);
  const maxW = greater(wx0, wx1) + greater(wy0, wy1) + greater(wz0, wz1);
  left = 0;
  right = width - 1;
  bottom = 0;
  top = height - 1;
  setInt(BODY_AREA, 0, width * height);
  nearest = Infinity;
  farthest = maxW > 0 ? (1 - SLACK) / maxW : 0;
  if (!(minW > doubleAt(VIEW_EYE, 3))) return false;
  const ux = f64x2.mul(splatAt(frame, 0), x);
  const uy = f64x2.mul(splatAt(frame, 1), y);
  const uz = f64x2.mul(splatAt(frame, 2), z);
  const vx = f64x2.mul(splatAt(frame, 3), x);
  const vy = f64x2.mul(splatAt(frame, 4), y);
  const vz = f64x2.mul(splatAt(frame, 5), z);
  // One lane for each y; the four steps take each x with each z.
  const one = f64x2.splat(1);
  let low = f64x2.splat(Infinity);
  let high = f64x2.splat(-Infinity);
  let lowV = low;
  let highV = high;
  for (let step = 0; step < 2; step++) {
    const w = f64x2.add(wy, step == 0 ? lowLane(wz) : highLane(wz));
    const u = f64x2.add(uy, step == 0 ? lowLane(uz) : highLane(uz));
    const v = f64x2.add(vy, step == 0 ? lowLane(vz) : highLane(vz));
    const scale0 = f64x2.div(one, f64x2.add(lowLane(wx), w));
    const scale1 = f64x2.div(one, f64x2.add(highLane(wx), w));
    const u0 = f64x2.mul(f64x2.add(lowLane(ux), u), scale0);
    const u1 = f64x2.mul(f64x2.add(highLane(ux), u), scale1);
    const v0 = f64x2.mul(f64x2.add(lowLane(vx), v), scale0);
    const v1 = f64x2.mul(f64x2.add(highLane(vx), v), scale1);
    low = f64x2.pmin(low, f64x2.pmin(u0, u1));
    high = f64x2.pmax(high, f64x2.pmax(u0, u1));
    lowV = f64x2.pmin(lowV, f64x2.pmin(v0, v1));
    highV = f64x2.pmax(highV, f64x2.pmax(v0, v1));
  }
  const minU = less(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1)) - SNAP;
  const maxU = greater(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) + SNAP;
  const minV = less(f64x2.extract_lane(lowV, 0), f64x2.extract_lane(lowV, 1)) - SNAP;
  const maxV = greater(f64x2.extract_lane(highV, 0), f64x2.extract_lane(highV, 1)) + SNAP;
  if (!(minU < <f64>width && maxU >= 0 && minV < <f64>height && maxV >= 0)) return false;
  if (minU > 0) left = <i32>floor<f64>(minU);
  if (maxU < <f64>width) right = <i32>floor<f64>(maxU);
  if (minV > 0) bottom = <i32>floor<f64>(minV);
  if (maxV < <f64>height) top = <i32>floor<f64>(maxV);
  nearest = <f32>((1 + SLACK) / minW);
  setInt(BODY_AREA, 0, (right - left + 1) * (top - bottom + 1));
  return true;
}

@inline
function lowLane(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 0, 0);
}

@inline
function highLane(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 1, 1);
}

/** Whether the box under work is hidden. */
export function isHidden(): bool {
  if (!project(VIEW_FRAME) || isEmpty) return false;
  const depth = nearest;
  const depths = f32x4.splat(depth);
  const columns = width >> COLUMN_SHIFT;
  const firstColumn = left >> COLUMN_SHIFT;
  const lastColumn = right >> COLUMN_SHIFT;
  for (let row = top >> ROW_SHIFT; row >= bottom >> ROW_SHIFT; row--) {
    for (let column = firstColumn; column <= lastColumn; column += 4) {
      const tile = row * columns + column;
      const nearer = f32x4.gt(v128.load(<usize>(REFERENCE + (tile << 2))), depths);
      let open = ~(i32x4.bitmask(nearer) | lanesBeyond(lastColumn + 1 - column)) & 15;
      for (; open != 0; open &= open - 1) {
        const lane = ctz(open);
        if (!(floatAt(WORKING, tile + lane) > depth)) return false;
        const x = (column + lane) << COLUMN_SHIFT;
        const y = row << ROW_SHIFT;
        const inRow = spanOf(left - x, right - x) * 0x01010101;
        const rows = (-1 << (max(bottom - y, 0) << 3)) & (-1 >>> (max(y + 3 - top, 0) << 3));
        if ((inRow & rows & ~intAt(TILE_MASKS, tile + lane)) != 0) return false;
      }
    }
  }
  return true;
}

/** The cells from `first` to `last` of a row of a tile, as a byte. */
@inline
function spanOf(first: i32, last: i32): i32 {
  if (first > last || last < 0 || first >= TILE_WIDTH) return 0;
  return (0xff << max(first, 0)) & (0xff >> max(TILE_WIDTH - 1 - last, 0));
}

/** `rasterise` of the other buffer. */
export function rasterise(frame: i32, minCells: f64): bool {
  project(frame);
  return <f64>intAt(BODY_AREA, 0) >= minCells && fill(frame);
}

/** `fill` of the other buffer. */
function fill(frame: i32): bool {
  const front = setFront();
  if (front == 0) return false;
  isEmpty = false;
  setLines(frame + TO_WORLD, front);
  setFaces(frame + TO_WORLD, front);
  const columns = width >> COLUMN_SHIFT;
  const least = farthest;
  for (let row = bottom >> ROW_SHIFT; row <= top >> ROW_SHIFT; row++) {
    setSpans(row << ROW_SHIFT);
    const from = least4(firsts);
    const to = greatest4(lasts);
    const fullFrom = greatest4(firsts);
    const fullTo = least4(lasts) - (TILE_WIDTH - 1);
    const a = doubleAt(FACES, 1) * <f64>row + doubleAt(FACES, 2);
    const b = doubleAt(FACES, 4) * <f64>row + doubleAt(FACES, 5);
    const c = doubleAt(FACES, 7) * <f64>row + doubleAt(FACES, 8);
    // Four tiles at a time. Lane k of both pairs is column k.
    let columns01 = f64x2.add(f64x2.splat(<f64>(from >> COLUMN_SHIFT)), f64x2(0, 1));
    for (let column = from >> COLUMN_SHIFT; column <= to >> COLUMN_SHIFT; column += 4) {
      const columns23 = f64x2.add(columns01, f64x2.splat(2));
      const depth = v128.shuffle<i64>(
        f32x4.demote_f64x2_zero(depthsAt(columns01, a, b, c, least)),
        f32x4.demote_f64x2_zero(depthsAt(columns23, a, b, c, least)),
        0,
        2,
      );
      columns01 = f64x2.add(columns23, f64x2.splat(2));
      const tile = row * columns + column;
      const nearer = i32x4.bitmask(f32x4.gt(depth, v128.load(<usize>(REFERENCE + (tile << 2)))));
      let open = nearer & ~lanesBeyond((to >> COLUMN_SHIFT) + 1 - column);
      if (open == 0) continue;
      const x = column << COLUMN_SHIFT;
      if (open == 15 && x >= fullFrom && x + 3 * TILE_WIDTH <= fullTo) {
        fillFour(tile, depth);
        continue;
      }
      v128.store(<usize>NEW_DEPTHS, depth);
      for (; open != 0; open &= open - 1) {
        const lane = ctz(open);
        const left = x + lane * TILE_WIDTH;
        const mask = left < fullFrom || left > fullTo ? maskAt(left) : FULL;
        if (mask != 0) merge(tile + lane, floatAt(NEW_DEPTHS, lane), mask);
      }
    }
  }
  return true;
}

/** The least 1 / w of the front planes in two tiles of a row. */
@inline
function depthsAt(columns: v128, a: f64, b: f64, c: f64, least: f64): v128 {
  const depthA = f64x2.add(f64x2.mul(splatAt(FACES, 0), columns), f64x2.splat(a));
  const depthB = f64x2.add(f64x2.mul(splatAt(FACES, 3), columns), f64x2.splat(b));
  const depthC = f64x2.add(f64x2.mul(splatAt(FACES, 6), columns), f64x2.splat(c));
  return f64x2.pmax(f64x2.pmin(f64x2.pmin(depthA, depthB), depthC), f64x2.splat(least));
}

/** `merge` for four tiles that the occluder covers, and in all of which it is nearer. */
@inline
function fillFour(tile: i32, depth: v128): void {
  const at = <usize>(tile << 2);
  const working = v128.load(at, WORKING);
  const keeps = f32x4.gt(working, depth);
  v128.store(at, depth, REFERENCE);
  v128.store(at, v128.and(working, keeps), WORKING);
  v128.store(at, v128.and(v128.load(at, TILE_MASKS), keeps), TILE_MASKS);
}

@inline
function least4(four: v128): i32 {
  const two = i32x4.min_s(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return min(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

@inline
function greatest4(four: v128): i32 {
  const two = i32x4.max_s(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return max(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

/** The cells of the tile at column `x` that lie in the spans: a byte for each row, from two tables. */
@inline
function maskAt(x: i32): i32 {
  const none = i32x4.splat(0);
  const all = i32x4.splat(TILE_WIDTH);
  const start = i32x4.min_s(i32x4.max_s(i32x4.sub(firsts, i32x4.splat(x)), none), all);
  const end = i32x4.min_s(i32x4.max_s(i32x4.sub(lasts, i32x4.splat(x - 1)), none), all);
  const from = i8x16.swizzle(i8x16(-1, -2, -4, -8, -16, -32, -64, -128, 0, 0, 0, 0, 0, 0, 0, 0), start);
  const to = i8x16.swizzle(i8x16(0, 1, 3, 7, 15, 31, 63, 127, -1, 0, 0, 0, 0, 0, 0, 0), end);
  const bytes = v128.and(from, to);
  return i32x4.extract_lane(i8x16.shuffle(bytes, bytes, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0);
}

@inline
function merge(tile: i32, newDepth: f32, newMask: i32): void {
  let depth = newDepth;
  let mask = newMask;
  if (mask != FULL) {
    const old = intAt(TILE_MASKS, tile);
    if (old != 0) {
      mask |= old;
      const near = floatAt(WORKING, tile);
      depth = select<f32>(near, depth, near < depth);
    }
    if (mask != FULL) {
      setFloat(WORKING, tile, depth);
      setInt(TILE_MASKS, tile, mask);
      return;
    }
    setFloat(WORKING, tile, 0);
  }
  setFloat(REFERENCE, tile, depth);
  if (floatAt(WORKING, tile) > depth) return;
  setFloat(WORKING, tile, 0);
  setInt(TILE_MASKS, tile, 0);
}

/** Shrinks the box, and finds its front faces: two bits for each axis, 1 for the low side, 2 for the high side. */
function setFront(): i32 {
  let slack: f64 = 0;
  for (let axis = 0; axis < 3; axis++)
    slack += greater(abs<f64>(doubleAt(RELATIVE_BOX, axis)), abs<f64>(doubleAt(RELATIVE_BOX, axis + 3)));
  slack *= SLACK;
  let front = 0;
  for (let axis = 0; axis < 3; axis++) {
    const low = doubleAt(RELATIVE_BOX, axis);
    const high = doubleAt(RELATIVE_BOX, axis + 3);
    const middle = (low + high) * 0.5;
    const newLow = less(middle, low + slack);
    const newHigh = greater(middle, high - slack);
    setDouble(RELATIVE_BOX, axis, newLow);
    setDouble(RELATIVE_BOX, axis + 3, newHigh);
    front |= (newLow > slack ? 1 : newHigh < -slack ? 2 : 0) << (axis << 1);
  }
  return front;
}

function setLines(toWorld: i32, front: i32): void {
  firstEnd = FIRST_LINES;
  lastEnd = LAST_LINES;
  for (let axis = 0; axis < 3; axis++) {
    const i = axis == 2 ? 0 : axis + 1;
    const j = axis == 0 ? 2 : axis - 1;
    // A side: 0 low, 1 high.
    for (let sides = 0; sides < 4; sides++) {
      const side = sides >> 1;
      const other = sides & 1;
      const isFront = ((front >> (i << 1)) & 3) == side + 1;
      if (isFront == (((front >> (j << 1)) & 3) == other + 1)) continue;
      const f = isFront ? i : j;
      const o = isFront ? j : i;
      const depth = doubleAt(RELATIVE_BOX, f + 3 * (isFront ? side : other));
      const otherSide = isFront ? other : side;
      const place = doubleAt(RELATIVE_BOX, o + 3 * otherSide);
      const sign: f64 = depth * <f64>((otherSide << 1) - 1) > 0 ? 1 : -1;
      const rowF = toWorld + f * ROW_BYTES;
      const rowO = toWorld + o * ROW_BYTES;
      const a = sign * (place * doubleAt(rowF, 0) - depth * doubleAt(rowO, 0));
      const b = sign * (place * doubleAt(rowF, 1) - depth * doubleAt(rowO, 1));
      const c = sign * (place * doubleAt(rowF, 2) - depth * doubleAt(rowO, 2));
      const least = MIN_SLOPE * (abs<f64>(b) * <f64>height + abs<f64>(c));
      const slope = abs<f64>(a) < least ? least : a;
      const line = slope < 0 ? lastEnd : firstEnd;
      setDouble(line, 0, -b / slope);
      setDouble(line, 1, -(c + less(a, 0) + less(b, 0)) / slope);
      if (slope < 0) lastEnd += LINE_BYTES;
      else firstEnd += LINE_BYTES;
    }
  }
}

/** As the other one, for all four rows at once. */
function setSpans(y: i32): void {
  const row01 = f64x2.add(f64x2.splat(<f64>y), f64x2(0, 1));
  const row23 = f64x2.add(f64x2.splat(<f64>y), f64x2(2, 3));
  let first01 = f64x2.splat(<f64>left);
  let first23 = first01;
  for (let line = FIRST_LINES; line < firstEnd; line += LINE_BYTES) {
    const step = splatAt(line, 0);
    const base = splatAt(line, 1);
    first01 = f64x2.pmax(first01, f64x2.add(f64x2.mul(step, row01), base));
    first23 = f64x2.pmax(first23, f64x2.add(f64x2.mul(step, row23), base));
  }
  let last01 = f64x2.splat(<f64>right);
  let last23 = last01;
  for (let line = LAST_LINES; line < lastEnd; line += LINE_BYTES) {
    const step = splatAt(line, 0);
    const base = splatAt(line, 1);
    last01 = f64x2.pmin(last01, f64x2.add(f64x2.mul(step, row01), base));
    last23 = f64x2.pmin(last23, f64x2.add(f64x2.mul(step, row23), base));
  }
  const hasAny = pack(inside(row01, first01, last01), inside(row23, first23, last23));
  firsts = v128.bitselect(
    pack(i32x4.trunc_sat_f64x2_s_zero(f64x2.ceil(first01)), i32x4.trunc_sat_f64x2_s_zero(f64x2.ceil(first23))),
    i32x4.splat(EMPTY_FIRST),
    hasAny,
  );
  lasts = v128.bitselect(
    pack(i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(last01)), i32x4.trunc_sat_f64x2_s_zero(f64x2.floor(last23))),
    i32x4.splat(-1),
    hasAny,
  );
}

/** Which rows have a span, as 32 bits each in the lower half. */
@inline
function inside(rows: v128, first: v128, last: v128): v128 {
  const isRow = v128.and(f64x2.ge(rows, f64x2.splat(<f64>bottom)), f64x2.le(rows, f64x2.splat(<f64>top)));
  const mask = v128.and(isRow, f64x2.le(first, last));
  return v128.shuffle<i32>(mask, mask, 0, 2, 0, 2);
}

/** The lower halves of two vectors. */
@inline
function pack(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}

function setFaces(toWorld: i32, front: i32): void {
  let used = 0;
  while (((front >> (used << 1)) & 3) == 0) used++;
  for (let axis = 0; axis < 3; axis++) {
    const face = ((front >> (axis << 1)) & 3) == 0 ? used : axis;
    const isLow = ((front >> (face << 1)) & 3) == 1;
    const scale = (1 - SLACK) / doubleAt(RELATIVE_BOX, isLow ? face : face + 3);
    const row = toWorld + face * ROW_BYTES;
    const to = FACES + axis * PLANE_BYTES;
    const a = doubleAt(row, 0) * scale * <f64>TILE_WIDTH;
    const b = doubleAt(row, 1) * scale * <f64>TILE_HEIGHT;
    setDouble(to, 0, a);
    setDouble(to, 1, b);
    setDouble(to, 2, doubleAt(row, 2) * scale + less(a, 0) + less(b, 0));
  }
}
