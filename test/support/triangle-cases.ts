/** Triangles, segments and points for the tests of kernels: ordinary ones, and those for which formulas lose digits. */

import type { Random } from './random.ts';

export const TRIANGLE_KINDS = [
  'ordinary',
  'sliver',
  'needle',
  'point',
  'line',
  'folded',
  'far away',
  'axis-aligned',
] as const;
export type TriangleKind = (typeof TRIANGLE_KINDS)[number];

const vector = (random: Random, size: number): number[] => [0, 1, 2].map(() => random.between(-size, size));
const along = (a: readonly number[], b: readonly number[], t: number): number[] => a.map((x, k) => x + t * (b[k] - x));
const moved = (a: readonly number[], random: Random, size: number): number[] => {
  const offset = vector(random, size);
  return a.map((x, k) => x + offset[k]);
};

/** A triangle of about unit size. */
export function randomTriangle(random: Random, kind: TriangleKind): Float64Array {
  const a = vector(random, 1);
  const b = vector(random, 1);
  const tiny = 10 ** -random.between(3, 15);
  const corners = {
    ordinary: () => [a, b, vector(random, 1)],
    // The third vertex beside the first edge, or beyond it.
    sliver: () => [a, b, moved(along(a, b, random.between(-1, 2)), random, tiny)],
    needle: () => [a, moved(a, random, tiny), b],
    point: () => [a, a, a],
    line: () => [a, b, random.pick([a, b])],
    folded: () => [
      [0, 0, 0],
      [1, 0, 0],
      [random.pick([-1, 0.5, 2]), 0, 0],
    ],
    'far away': () => [a, b, vector(random, 1)].map((corner) => corner.map((x, k) => x + [1e7, -3e6, 2e5][k])),
    'axis-aligned': () => [0, 1, 2].map(() => [0, 1, 2].map(() => random.below(5) - 2)),
  }[kind]();
  const turn = random.below(3);
  return Float64Array.from([0, 1, 2].flatMap((k) => corners[(k + turn) % 3]));
}

/** A point at or near a triangle: on a vertex, an edge or the face, near to it, or anywhere. */
export function pointNear(random: Random, t: Float64Array): number[] {
  const corners = [0, 3, 6].map((at) => [...t.subarray(at, at + 3)]);
  const turn = random.below(3);
  const [a, b, c] = [0, 1, 2].map((k) => corners[(k + turn) % 3]);
  const onEdge = along(a, b, random.pick([0, 0.5, random.next(), random.between(-1, 2)]));
  const onFace = random.next() < 0.5 ? onEdge : along(onEdge, c, random.next());
  const size = random.pick([0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1, 1, 30]);
  return moved(onFace, random, size);
}

/** A segment near a triangle, sometimes nearly parallel to one of its edges, or of length 0. */
export function segmentNear(random: Random, t: Float64Array): Float64Array {
  const a = pointNear(random, t);
  if (random.next() < 0.1) return Float64Array.from([...a, ...a]);
  if (random.next() < 0.5) return Float64Array.from([...a, ...pointNear(random, t)]);
  const i = 3 * random.below(3);
  const j = 3 * random.below(3);
  const scale = random.pick([1, -1, 0.5, random.between(-2, 2)]);
  const b = a.map((x, k) => x + scale * (t[j + k] - t[i + k]));
  return Float64Array.from([...a, ...moved(b, random, random.pick([0, 10 ** -random.between(1, 15)]))]);
}

/** The largest coordinate, by its absolute value. */
export const largest = (...arrays: readonly ArrayLike<number>[]): number =>
  Math.max(...arrays.flatMap((array) => Array.from(array, Math.abs)));

/** A box of any orientation at or near a triangle: centre, half sizes, three axes. Some half sizes are 0. */
export function boxNear(random: Random, t: Float64Array): Float64Array {
  const half = [0, 1, 2].map(() => random.pick([0, random.next(), random.next(), 10 ** -random.between(1, 9)]));
  const isAligned = random.next() < 0.3;
  const [x, y, z, w] = isAligned ? [0, 0, 0, 1] : [0, 1, 2, 3].map(() => random.between(-1, 1));
  const s = 2 / (x * x + y * y + z * z + w * w);
  const axes = [
    [1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)],
    [s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)],
    [s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)],
  ];
  return Float64Array.from([...pointNear(random, t), ...half, ...axes.flat()]);
}

/** Arrays as text, for messages. */
export const say = (...arrays: readonly Float64Array[]): string => arrays.map((array) => `[${array.join()}]`).join(' ');

export const lengthOf = (vector: Float64Array): number => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));

/** A shape whose first `points` points are moved. */
export const shifted = (shape: Float64Array, points: number, by: Float64Array, scale: number): Float64Array =>
  shape.map((x, k) => (k < 3 * points ? x + scale * by[k % 3] : x));
