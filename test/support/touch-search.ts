/** When two shapes touch, by a search that shares nothing with the library: their distance is convex in the time. */
import type { Shape } from './shapes.ts';

const STEPS = 60;

export interface Touch {
  /** Least distance of the two shapes on the way; not above 0 if they touch. */
  readonly least: number;
  /** The first time at which they touch; without meaning if they do not. */
  readonly first: number;
}

/** Two boxes or spheres, of which the second moves by a vector from time 0 to time 1. */
export function searchTouch(body: Shape, shape: Shape, motion: readonly number[]): Touch {
  const radii = radiusOf(body) + radiusOf(shape);
  const distanceAt = (time: number): number =>
    boxDistance(
      coreOf(body),
      coreOf(shape).map((value, k) => value + time * motion[k % 3]),
    ) - radii;
  const nearest = narrow(0, 1, (a, b) => distanceAt(a) <= distanceAt(b));
  return {
    least: distanceAt(nearest),
    first: distanceAt(0) <= 0 ? 0 : narrow(0, nearest, (_a, b) => distanceAt(b) <= 0),
  };
}

function radiusOf(shape: Shape): number {
  return shape.length === 4 ? shape[3] : 0;
}

/** A box, or the centre of a sphere as a box. */
function coreOf(shape: Shape): Shape {
  return shape.length === 6 ? shape : [...shape.slice(0, 3), ...shape.slice(0, 3)];
}

/** Boxes that overlap have a negative distance: the smallest overlap. */
function boxDistance(a: Shape, b: Shape): number {
  const gaps = [0, 1, 2].map((axis) => Math.max(a[axis] - b[axis + 3], b[axis] - a[axis + 3]));
  return Math.max(...gaps) > 0 ? Math.hypot(...gaps.map((gap) => Math.max(gap, 0))) : Math.max(...gaps);
}

/** Cuts the upper or the lower third off an interval, again and again. */
function narrow(from: number, to: number, keepsLow: (a: number, b: number) => boolean): number {
  let [low, high] = [from, to];
  for (let k = 0; k < STEPS; k++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (keepsLow(a, b)) high = b;
    else low = a;
  }
  return (low + high) / 2;
}
