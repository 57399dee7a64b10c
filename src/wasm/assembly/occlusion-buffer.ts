/**
 * The depth buffer of src/features/occlusion/depth-buffer.ts, which holds the argument why it is conservative. The same
 * expressions in the same order, in Float64, so that both fill the same cells: change both together.
 */

import {
  FACES,
  LINES,
  MAX_TILES,
  NUMBER_BYTES,
  REFERENCE,
  RELATIVE_BOX,
  SPANS,
  TILE_MASKS,
  VIEW_EYE,
  VIEW_FRAME,
  WORKING,
} from '../memory-map.ts';
import { floatAt, intAt, setFloat, setInt } from './memory.ts';

/** As in depth-buffer.ts. */
@inline const SLACK: f64 = 1.0 / 1048576.0;
@inline const SNAP: f64 = 1.0 / 128.0;
@inline const MIN_SLOPE: f64 = 1.0 / 1152921504606846976.0;
@inline const COLUMN_SHIFT: i32 = 3;
@inline const ROW_SHIFT: i32 = 2;
@inline const TILE_WIDTH: i32 = 8;
@inline const TILE_HEIGHT: i32 = 4;
@inline const FULL: i32 = -1;
@inline const EMPTY_FIRST: i32 = 4096;
/** Bytes of an edge or a plane. */
@inline const LINE_BYTES: i32 = 24;
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
let nearest: f64 = 0;
let farthest: f64 = 0;
let lineCount: i32 = 0;

@inline
function doubleAt(array: i32, k: i32): f64 {
  return load<f64>(<usize>(array + (k << 3)));
}

@inline
function setDouble(array: i32, k: i32, value: f64): void {
  store<f64>(<usize>(array + (k << 3)), value);
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
  memory.fill(<usize>REFERENCE, 0, <usize>(3 * MAX_TILES * NUMBER_BYTES));
}

/** Sets the box under work from one of Float32. */
@inline
export function setBox(boxes: i32, k: i32): void {
  const at = boxes + k * 24;
  for (let axis = 0; axis < 3; axis++) {
    const eye = doubleAt(VIEW_EYE, axis);
    setDouble(RELATIVE_BOX, axis, <f64>floatAt(at, axis) - eye);
    setDouble(RELATIVE_BOX, axis + 3, <f64>floatAt(at, axis + 3) - eye);
  }
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
    SLACK * (max<f64>(abs<f64>(x0), abs<f64>(x1)) + max<f64>(abs<f64>(y0), abs<f64>(y1)) + max<f64>(abs<f64>(z0), abs<f64>(z1)));
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
  const minW = min<f64>(wx0, wx1) + min<f64>(wy0, wy1) + min<f64>(wz0, wz1);
  const maxW = max<f64>(wx0, wx1) + max<f64>(wy0, wy1) + max<f64>(wz0, wz1);
  left = 0;
  right = width - 1;
  bottom = 0;
  top = height - 1;
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
  const minU = min<f64>(f64x2.extract_lane(low, 0), f64x2.extract_lane(low, 1)) - SNAP;
  const maxU = max<f64>(f64x2.extract_lane(high, 0), f64x2.extract_lane(high, 1)) + SNAP;
  const minV = min<f64>(f64x2.extract_lane(lowV, 0), f64x2.extract_lane(lowV, 1)) - SNAP;
  const maxV = max<f64>(f64x2.extract_lane(highV, 0), f64x2.extract_lane(highV, 1)) + SNAP;
  if (!(minU < <f64>width && maxU >= 0 && minV < <f64>height && maxV >= 0)) return false;
  if (minU > 0) left = <i32>floor<f64>(minU);
  if (maxU < <f64>width) right = <i32>floor<f64>(maxU);
  if (minV > 0) bottom = <i32>floor<f64>(minV);
  if (maxV < <f64>height) top = <i32>floor<f64>(maxV);
  nearest = (1 + SLACK) / minW;
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
  if (isEmpty || !project(VIEW_FRAME)) return false;
  const depth = nearest;
  const columns = width >> COLUMN_SHIFT;
  for (let row = top >> ROW_SHIFT; row >= bottom >> ROW_SHIFT; row--) {
    for (let column = left >> COLUMN_SHIFT; column <= right >> COLUMN_SHIFT; column++) {
      const tile = row * columns + column;
      if (<f64>floatAt(REFERENCE, tile) > depth) continue;
      if (!(<f64>floatAt(WORKING, tile) > depth)) return false;
      const x = column << COLUMN_SHIFT;
      const y = row << ROW_SHIFT;
      const inRow = spanOf(left - x, right - x) * 0x01010101;
      const rows = (-1 << (max(bottom - y, 0) << 3)) & (-1 >>> (max(y + 3 - top, 0) << 3));
      if ((inRow & rows & ~intAt(TILE_MASKS, tile)) != 0) return false;
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
  if (<f64>((right - left + 1) * (top - bottom + 1)) < minCells) return false;
  const front = setFront();
  if (front == 0) return false;
  isEmpty = false;
  setLines(frame + TO_WORLD, front);
  setFaces(frame + TO_WORLD, front);
  const columns = width >> COLUMN_SHIFT;
  const least = farthest;
  const stepA = doubleAt(FACES, 0);
  const stepB = doubleAt(FACES, 3);
  const stepC = doubleAt(FACES, 6);
  for (let row = bottom >> ROW_SHIFT; row <= top >> ROW_SHIFT; row++) {
    setSpans(row << ROW_SHIFT);
    let from = intAt(SPANS, 0);
    let to = intAt(SPANS, TILE_HEIGHT);
    let fullFrom = from;
    let fullTo = to;
    for (let k = 1; k < TILE_HEIGHT; k++) {
      const first = intAt(SPANS, k);
      const last = intAt(SPANS, k + TILE_HEIGHT);
      from = min(from, first);
      to = max(to, last);
      fullFrom = max(fullFrom, first);
      fullTo = min(fullTo, last);
    }
    const a = doubleAt(FACES, 1) * <f64>row + doubleAt(FACES, 2);
    const b = doubleAt(FACES, 4) * <f64>row + doubleAt(FACES, 5);
    const c = doubleAt(FACES, 7) * <f64>row + doubleAt(FACES, 8);
    for (let column = from >> COLUMN_SHIFT; column <= to >> COLUMN_SHIFT; column++) {
      let depth = stepA * <f64>column + a;
      const depthB = stepB * <f64>column + b;
      const depthC = stepC * <f64>column + c;
      if (depthB < depth) depth = depthB;
      if (depthC < depth) depth = depthC;
      if (least > depth) depth = least;
      const x = column << COLUMN_SHIFT;
      let mask = FULL;
      if (x < fullFrom || x + TILE_WIDTH - 1 > fullTo) {
        mask = 0;
        for (let k = 0; k < TILE_HEIGHT; k++)
          mask |= spanOf(intAt(SPANS, k) - x, intAt(SPANS, k + TILE_HEIGHT) - x) << (k << 3);
        if (mask == 0) continue;
      }
      merge(row * columns + column, <f32>depth, mask);
    }
  }
  return true;
}

@inline
function merge(tile: i32, newDepth: f32, newMask: i32): void {
  let depth = newDepth;
  let mask = newMask;
  const far = floatAt(REFERENCE, tile);
  if (depth <= far) return;
  if (mask != FULL) {
    const old = intAt(TILE_MASKS, tile);
    const near = floatAt(WORKING, tile);
    if (old != 0 && <f64>depth - <f64>near <= <f64>near - <f64>far) {
      mask |= old;
      if (near < depth) depth = near;
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
    slack += max<f64>(abs<f64>(doubleAt(RELATIVE_BOX, axis)), abs<f64>(doubleAt(RELATIVE_BOX, axis + 3)));
  slack *= SLACK;
  let front = 0;
  for (let axis = 0; axis < 3; axis++) {
    const low = doubleAt(RELATIVE_BOX, axis);
    const high = doubleAt(RELATIVE_BOX, axis + 3);
    const middle = (low + high) * 0.5;
    const newLow = min<f64>(middle, low + slack);
    const newHigh = max<f64>(middle, high - slack);
    setDouble(RELATIVE_BOX, axis, newLow);
    setDouble(RELATIVE_BOX, axis + 3, newHigh);
    front |= (newLow > slack ? 1 : newHigh < -slack ? 2 : 0) << (axis << 1);
  }
  return front;
}

function setLines(toWorld: i32, front: i32): void {
  let to = 0;
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
      const line = LINES + to * LINE_BYTES;
      setDouble(line, 0, slope < 0 ? -1 : 1);
      setDouble(line, 1, -b / slope);
      setDouble(line, 2, -(c + min<f64>(a, 0) + min<f64>(b, 0)) / slope);
      to++;
    }
  }
  lineCount = to;
}

function setSpans(y: i32): void {
  for (let k = 0; k < TILE_HEIGHT; k++) {
    let first = <f64>left;
    let last = <f64>right;
    const row = <f64>(y + k);
    for (let line = LINES; line < LINES + lineCount * LINE_BYTES; line += LINE_BYTES) {
      const place = doubleAt(line, 1) * row + doubleAt(line, 2);
      if (doubleAt(line, 0) > 0) {
        if (place > first) first = place;
      } else if (place < last) last = place;
    }
    const hasNone = y + k < bottom || y + k > top || !(first <= last);
    setInt(SPANS, k, hasNone ? EMPTY_FIRST : <i32>ceil<f64>(first));
    setInt(SPANS, k + TILE_HEIGHT, hasNone ? -1 : <i32>floor<f64>(last));
  }
}

function setFaces(toWorld: i32, front: i32): void {
  let used = 0;
  while (((front >> (used << 1)) & 3) == 0) used++;
  for (let axis = 0; axis < 3; axis++) {
    const face = ((front >> (axis << 1)) & 3) == 0 ? used : axis;
    const isLow = ((front >> (face << 1)) & 3) == 1;
    const scale = (1 - SLACK) / doubleAt(RELATIVE_BOX, isLow ? face : face + 3);
    const row = toWorld + face * ROW_BYTES;
    const to = FACES + axis * LINE_BYTES;
    const a = doubleAt(row, 0) * scale * <f64>TILE_WIDTH;
    const b = doubleAt(row, 1) * scale * <f64>TILE_HEIGHT;
    setDouble(to, 0, a);
    setDouble(to, 1, b);
    setDouble(to, 2, doubleAt(row, 2) * scale + min<f64>(a, 0) + min<f64>(b, 0));
  }
}
