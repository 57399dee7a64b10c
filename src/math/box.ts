/**
 * Tests and copies of axis-aligned boxes in flat arrays. A box takes six numbers: minX minY minZ maxX maxY maxZ.
 * Boxes are closed: a face belongs to its box, and boxes that only touch overlap. And the output of filters of boxes.
 */

import { withCapacity } from './typed-arrays.ts';

/** Numbers of one box. */
export const BOX_STRIDE = 6;

/** A flat array of boxes. Exact bounds are Float64; the boxes of the tree are Float32, rounded outward. */
export type Boxes = Float32Array | Float64Array;

/** Copies the box at offset `a` of `as` to offset `b` of `bs`. */
export function copyBox(as: Float32Array, a: number, bs: Float32Array, b: number): void {
  bs[b] = as[a];
  bs[b + 1] = as[a + 1];
  bs[b + 2] = as[a + 2];
  bs[b + 3] = as[a + 3];
  bs[b + 4] = as[a + 4];
  bs[b + 5] = as[a + 5];
}

/**
 * Squared diagonal of the box at offset `at`. Monotonic despite rounding: a box never has a smaller result than a box
 * inside it.
 */
export function diagonalSq(boxes: Boxes, at: number): number {
  const x = boxes[at + 3] - boxes[at];
  const y = boxes[at + 4] - boxes[at + 1];
  const z = boxes[at + 5] - boxes[at + 2];
  return x * x + y * y + z * z;
}

/** The largest magnitude of a coordinate of the box at offset `at`. */
export function magnitudeOf(boxes: ArrayLike<number>, at = 0): number {
  let largest = 0;
  for (let k = at; k < at + BOX_STRIDE; k++) largest = Math.max(largest, Math.abs(boxes[k]));
  return largest;
}

/** Whether the box at offset `a` of `as` contains the box at offset `b` of `bs`. Equal boxes contain each other. */
export function boxContains(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] <= bs[b] &&
    as[a + 1] <= bs[b + 1] &&
    as[a + 2] <= bs[b + 2] &&
    as[a + 3] >= bs[b + 3] &&
    as[a + 4] >= bs[b + 4] &&
    as[a + 5] >= bs[b + 5]
  );
}

/**
 * Whether an inner box, at offset `a` of `as`, touches a face of the outer box at offset `b` of `bs`, which contains
 * it. A fitted box can shrink after a removal only if the removed box touches one of its faces.
 */
export function touchesFace(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] === bs[b] ||
    as[a + 1] === bs[b + 1] ||
    as[a + 2] === bs[b + 2] ||
    as[a + 3] === bs[b + 3] ||
    as[a + 4] === bs[b + 4] ||
    as[a + 5] === bs[b + 5]
  );
}

/** Whether the box at offset `a` of `as` and the box at offset `b` of `bs` overlap or touch. */
export function boxesOverlap(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] <= bs[b + 3] &&
    as[a + 3] >= bs[b] &&
    as[a + 1] <= bs[b + 4] &&
    as[a + 4] >= bs[b + 1] &&
    as[a + 2] <= bs[b + 5] &&
    as[a + 5] >= bs[b + 2]
  );
}

/** The output of filters of boxes: numbers of boxes, and what the filter has computed for each. */
export class KeptBoxes {
  /** The boxes: numbers of nodes or slots. */
  numbers = new Int32Array(0);
  /** By position in the list. A filter writes one of the two. */
  overlaps = new Int32Array(0);
  distances = new Float64Array(0);
  length = 0;

  constructor(capacity = 64) {
    this.clear(capacity);
  }

  /** Empties the list, and makes room for `count` boxes. A filter does not check the room. */
  clear(count: number): void {
    this.length = 0;
    if (count <= this.distances.length) return;
    this.numbers = withCapacity(this.numbers, count);
    this.overlaps = withCapacity(this.overlaps, count);
    // Last: its length is the capacity of all.
    this.distances = withCapacity(this.distances, count);
  }
}

/** The number from `min` to `max` that is nearest to `value`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
