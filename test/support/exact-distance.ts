/**
 * Distances of points, segments, triangles and boxes in exact arithmetic: the coordinates become integers of one scale,
 * each squared distance is a fraction of two integers, and only the result is rounded. Shares no formula with the
 * library: all pairs of features are tried, and each that counts is decided by signs of integers.
 */

type V = readonly [bigint, bigint, bigint];
/** A fraction with a positive denominator. */
type Fraction = readonly [over: bigint, under: bigint];

/** A power of two: coordinates are multiples of 2^-SCALE_BITS, so at least of about 1e-72, or the test fails. */
const SCALE_BITS = 240;
const UNIT = 2 ** -SCALE_BITS;

const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const less = (a: Fraction, b: Fraction): boolean => a[0] * b[1] < b[0] * a[1];
const min = (list: readonly Fraction[]): Fraction => list.reduce((a, b) => (less(b, a) ? b : a));
const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** A double as an integer, in units of 2^-SCALE_BITS. */
export function toInteger(value: number): bigint {
  let bits = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    bits++;
  }
  if (bits > SCALE_BITS) throw new Error(`${value} has too many digits`);
  return BigInt(mantissa) << BigInt(SCALE_BITS - bits);
}

/** The points of a flat array. */
export function exactPoints(values: ArrayLike<number>, count = values.length / 3): V[] {
  return Array.from({ length: count }, (_, k) => [
    toInteger(values[3 * k]),
    toInteger(values[3 * k + 1]),
    toInteger(values[3 * k + 2]),
  ]);
}

/** The square root of a fraction of squared lengths, as a double of world units. */
export function rootOf([over, under]: Fraction): number {
  if (over === 0n) return 0;
  // 200 digits in binary, of which the root keeps 100.
  const shift = BigInt(Math.max(0, 200 - (over.toString(2).length - under.toString(2).length)) & ~1);
  const square = (over << shift) / under;
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return Number(root) * 2 ** -(Number(shift) / 2) * 2 ** -SCALE_BITS;
}

/** The squared distance of a point and a segment, whose ends may be equal. */
export function pointSegment(p: V, [a, b]: readonly V[]): Fraction {
  const e = sub(b, a);
  const r = sub(p, a);
  const along = dot(r, e);
  const length = dot(e, e);
  if (along <= 0n) return [dot(r, r), 1n];
  if (along >= length) return [dot(sub(p, b), sub(p, b)), 1n];
  return [dot(r, r) * length - along * along, length];
}

/** Of the lines, if both closest points lie in the segments. */
function linesInside([a, b]: readonly V[], [c, d]: readonly V[]): Fraction[] {
  const u = sub(b, a);
  const v = sub(d, c);
  const n = cross(u, v);
  const nn = dot(n, n);
  if (nn === 0n) return [];
  const r = sub(c, a);
  const s = dot(cross(r, v), n);
  const t = dot(cross(r, u), n);
  if (s < 0n || s > nn || t < 0n || t > nn) return [];
  const over = dot(r, n);
  return [[over * over, nn]];
}

function segmentSegment(p: readonly V[], q: readonly V[]): Fraction {
  return min([
    pointSegment(p[0], q),
    pointSegment(p[1], q),
    pointSegment(q[0], p),
    pointSegment(q[1], p),
    ...linesInside(p, q),
  ]);
}

const edgesOf = ([a, b, c]: readonly V[]): V[][] => [
  [a, b],
  [b, c],
  [c, a],
];

/** Of the plane, if the projection of the point is in the triangle. */
function facePoint(p: V, t: readonly V[]): Fraction[] {
  const n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
  const nn = dot(n, n);
  if (nn === 0n) return [];
  if (edgesOf(t).some(([a, b]) => dot(cross(sub(b, a), sub(p, a)), n) < 0n)) return [];
  const over = dot(sub(p, t[0]), n);
  return [[over * over, nn]];
}

/** Whether the segment meets the triangle in a point that is not found as a distance of edges or of an end. */
function crosses([p, q]: readonly V[], t: readonly V[]): boolean {
  const n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
  const from = sign(dot(sub(p, t[0]), n));
  const to = sign(dot(sub(q, t[0]), n));
  if (from * to >= 0) return false;
  const d = sub(q, p);
  const sides = edgesOf(t).map(([a, b]) => sign(dot(cross(sub(b, a), sub(p, a)), d)));
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** The squared distance of a point and a triangle. */
export function pointTriangle(p: V, t: readonly V[]): Fraction {
  return min([...edgesOf(t).map((edge) => pointSegment(p, edge)), ...facePoint(p, t)]);
}

/** The squared distance of a segment, whose ends may be equal, and a triangle. */
export function segmentTriangle(p: readonly V[], t: readonly V[]): Fraction {
  if (crosses(p, t)) return [0n, 1n];
  return min([...edgesOf(t).map((edge) => segmentSegment(p, edge)), ...p.flatMap((end) => facePoint(end, t))]);
}

/** The squared distance of two triangles. */
export function triangleTriangle(a: readonly V[], b: readonly V[]): Fraction {
  return min([
    ...edgesOf(a).map((edge) => segmentTriangle(edge, b)),
    ...edgesOf(b).map((edge) => segmentTriangle(edge, a)),
  ]);
}

/** The squared distance of a solid box, given by `boxCorners`, and a triangle. */
export function boxTriangle(corners: readonly V[], t: readonly V[]): Fraction {
  const [low, x, y, , z] = corners;
  const axes = [sub(x, low), sub(y, low), sub(z, low)];
  const isInside = axes.every((axis) => {
    const along = dot(sub(t[0], low), axis);
    // A box without volume is all faces.
    return dot(axis, axis) > 0n && along >= 0n && along <= dot(axis, axis);
  });
  if (isInside) return [0n, 1n];
  // Two triangles for each face.
  const faces = [1, 2, 4].flatMap((bit) =>
    [0, bit].flatMap((side) => {
      const [u, v] = [1, 2, 4].filter((other) => other !== bit);
      return [
        [side, side | u, side | v],
        [side | u | v, side | u, side | v],
      ];
    }),
  );
  return min(
    faces.map((face) =>
      triangleTriangle(
        face.map((k) => corners[k]),
        t,
      ),
    ),
  );
}

/** The corners of a box of fifteen numbers: centre, half sizes, axes. Bit k of an index: on the far side of axis k. */
export function boxCorners(box: ArrayLike<number>): V[] {
  const [centre, half, ...axes] = exactPoints(box);
  // Products have twice the digits after the point. What is cut off is below 1e-72.
  const extra = BigInt(SCALE_BITS);
  return Array.from({ length: 8 }, (_, corner) => {
    const at = [0, 1, 2].map((k) =>
      axes.reduce((sum, axis, j) => sum + ((corner >> j) & 1 ? half[j] : -half[j]) * axis[k], centre[k] << extra),
    );
    return [at[0] >> extra, at[1] >> extra, at[2] >> extra];
  });
}

/**
 * Where a ray, origin and direction of unit length up to rounding, meets a triangle: the distance, or -1. `margin` is
 * the least of the areas by which a change of the ray would change hit or miss, in squared world units; `slope` the
 * cosine of the angle between the ray and the normal.
 */
export function rayMeetsTriangle(
  [origin, direction]: readonly V[],
  t: readonly V[],
): { readonly distance: number; readonly margin: number; readonly slope: number } {
  const toNumber = (x: bigint, factors: number): number => Number(x >> BigInt((factors - 1) * SCALE_BITS)) * UNIT;
  const n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
  const speed = dot(n, direction);
  const height = dot(sub(t[0], origin), n);
  const sides = edgesOf(t).map(([a, b]) => dot(cross(sub(a, origin), sub(b, origin)), direction));
  const isInside = sides.every((side) => side >= 0n) || sides.every((side) => side <= 0n);
  const isAhead = speed !== 0n && sign(height) * sign(speed) >= 0;
  const length = Math.sqrt(toNumber(dot(n, n), 4));
  return {
    distance: isInside && isAhead ? toNumber((height << BigInt(SCALE_BITS)) / speed, 1) : -1,
    margin: Math.min(...[...sides, speed, height].map((x) => Math.abs(toNumber(x, 3)))),
    slope: Math.abs(toNumber(speed, 3)) / length,
  };
}
