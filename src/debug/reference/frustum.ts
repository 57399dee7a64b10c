/**
 * Frustum tests of the reference implementation: the test of bodies against planes, and the exact test against the
 * volume, which tries each of its vertices, edges and faces.
 */
import type { Bounds, Point, ReferenceBody } from './geometry.ts';
import { along, distanceSqBetween, dot } from './geometry.ts';

/** Normal x, y, z, then the constant. A point p is on the inner side if dot(normal, p) + constant >= 0. */
export type ReferencePlane = readonly number[];

export interface FrustumHit {
  readonly inside: boolean;
}

/** Relative tolerance of the exact test: a smaller gap counts as touching. */
const TOLERANCE = 1e-9;
/**
 * Two or three planes whose unit normals have a Gram determinant below this count as parallel, and are not projected
 * on: rounding errors would move their common point by any distance. Another subset of the planes gives the closest
 * point then.
 */
const PARALLEL = 1e-12;

/**
 * False for the far plane of a camera with an infinite far distance: its normal is 0 or NaN and its constant is
 * Infinity. It limits nothing.
 */
export function isLimiting([x, y, z, constant]: ReferencePlane): boolean {
  const isDegenerate = Number.isNaN(x + y + z) || (x === 0 && y === 0 && z === 0);
  return !(isDegenerate && constant === Infinity);
}

export function planeLength([x, y, z]: ReferencePlane): number {
  const lengthSq = x * x + y * y + z * z;
  return Math.abs(lengthSq - 1) <= 1e-9 ? 1 : Math.sqrt(lengthSq);
}

export function planeValue(plane: ReferencePlane, x: number, y: number, z: number): number {
  return plane[0] * x + plane[1] * y + plane[2] * z + plane[3];
}

/** Whether all of a box lies behind one of the planes. */
export function isBoxBehind(box: Bounds, planes: readonly ReferencePlane[]): boolean {
  return planes.some((plane) => !(cornerValue(plane, box, true) >= 0));
}

/** The conservative plane test of frustum culling: a body is dropped only if all of it lies behind one plane. */
export function cullBody(body: ReferenceBody, planes: readonly ReferencePlane[]): FrustumHit | null {
  const { box, sphere } = body;
  if (isBoxBehind(box, planes)) return null;
  const isBoxInside = planes.every((plane) => cornerValue(plane, box, false) >= 0);
  if (sphere === null) return { inside: isBoxInside };
  const [x, y, z] = sphere.center;
  if (!planes.every((plane) => planeValue(plane, x, y, z) >= -sphere.radius * planeLength(plane))) return null;
  return {
    inside: isBoxInside || planes.every((plane) => planeValue(plane, x, y, z) >= sphere.radius * planeLength(plane)),
  };
}

/**
 * Whether a body is too small: its diameter is less than `minSize` or, with an eye, less than `minSize` times the
 * distance of its centre from the eye. The diameter of a box is its diagonal. The diameter of a sphere is twice its
 * radius, or the diagonal of its box if rounding makes that shorter.
 */
export function looksSmaller({ box, sphere }: ReferenceBody, minSize: number, eye: Point | undefined): boolean {
  const diagonalSq = lengthSq([0, 1, 2].map((axis) => box[axis + 3] - box[axis]));
  const diameterSq = sphere === null ? diagonalSq : Math.min(diagonalSq, 4 * sphere.radius * sphere.radius);
  if (eye === undefined) return diameterSq < minSize * minSize;
  const center = sphere?.center ?? [0, 1, 2].map((axis) => box[axis] / 2 + box[axis + 3] / 2);
  return diameterSq < minSize * minSize * lengthSq([0, 1, 2].map((axis) => center[axis] - eye[axis]));
}

function lengthSq([x, y, z]: Point): number {
  return x * x + y * y + z * z;
}

/**
 * The exact volume test: whether some point of the body lies in all half spaces. A plane that is far from the body does
 * not raise the tolerance.
 */
export function touchesVolume(
  body: ReferenceBody,
  planes: readonly ReferencePlane[],
  tolerance: number = TOLERANCE,
): boolean {
  return touchesWithin(body, planes, tolerance * Math.max(...body.box.map(Math.abs), 1));
}

/**
 * As `touchesVolume`; the body and the volume may miss each other by `slack` world units. A negative one makes both
 * smaller.
 */
export function touchesWithin(
  { box, sphere }: ReferenceBody,
  planes: readonly ReferencePlane[],
  slack: number,
): boolean {
  const unit = planes.map((plane) => plane.map((component) => component / planeLength(plane)));
  const center = [0, 1, 2].map((axis) => box[axis] / 2 + box[axis + 3] / 2);
  if (sphere === null) return closestPointIn([...planesOfBox(box), ...unit], center, slack) !== null;
  const closest = closestPointIn(unit, sphere.center, slack);
  return closest !== null && Math.sqrt(distanceSqBetween(closest, sphere.center)) <= sphere.radius + slack;
}

/** Plane value of the box corner that is farthest along the normal, or of the corner that is farthest against it. */
function cornerValue(plane: ReferencePlane, box: Bounds, farthest: boolean): number {
  const [x, y, z] = plane;
  return planeValue(
    plane,
    box[x >= 0 === farthest ? 3 : 0],
    box[y >= 0 === farthest ? 4 : 1],
    box[z >= 0 === farthest ? 5 : 2],
  );
}

function planesOfBox(box: Bounds): ReferencePlane[] {
  return [
    [1, 0, 0, -box[0]],
    [0, 1, 0, -box[1]],
    [0, 0, 1, -box[2]],
    [-1, 0, 0, box[3]],
    [0, -1, 0, box[4]],
    [0, 0, -1, box[5]],
  ];
}

/**
 * The point of a convex volume that is closest to a given point, or null if the volume is empty. It is the point
 * itself, or the projection of the point on one, two or three of the planes. All of them are computed, and the nearest
 * one inside the volume is returned.
 */
function closestPointIn(planes: readonly ReferencePlane[], point: Point, slack: number): Point | null {
  let best: Point | null = null;
  let bestDistanceSq = Infinity;
  for (const active of subsets(planes)) {
    const candidate = project(point, active);
    if (candidate === null) continue;
    const [x, y, z] = candidate;
    if (!planes.every((plane) => planeValue(plane, x, y, z) >= -slack)) continue;
    const distanceSq = distanceSqBetween(candidate, point);
    if (distanceSq < bestDistanceSq) [best, bestDistanceSq] = [candidate, distanceSq];
  }
  return best;
}

function* subsets(planes: readonly ReferencePlane[]): Generator<ReferencePlane[]> {
  yield [];
  for (let i = 0; i < planes.length; i++) {
    yield [planes[i]];
    for (let j = i + 1; j < planes.length; j++) {
      yield [planes[i], planes[j]];
      for (let k = j + 1; k < planes.length; k++) yield [planes[i], planes[j], planes[k]];
    }
  }
}

/**
 * Projects a point on the intersection of up to three planes with unit normals, by Cramer's rule on their Gram matrix.
 */
function project(point: Point, planes: readonly ReferencePlane[]): Point | null {
  const [a, b, c] = planes;
  const va = a === undefined ? 0 : -planeValue(a, point[0], point[1], point[2]);
  const vb = b === undefined ? 0 : -planeValue(b, point[0], point[1], point[2]);
  const vc = c === undefined ? 0 : -planeValue(c, point[0], point[1], point[2]);
  const ab = a !== undefined && b !== undefined ? dot(a, b) : 0;
  const ac = a !== undefined && c !== undefined ? dot(a, c) : 0;
  const bc = b !== undefined && c !== undefined ? dot(b, c) : 0;
  const determinant = 1 + 2 * ab * ac * bc - ab * ab - ac * ac - bc * bc;
  if (Math.abs(determinant) < PARALLEL) return null;
  const alongA = (va * (1 - bc * bc) + vb * (bc * ac - ab) + vc * (ab * bc - ac)) / determinant;
  const alongB = (va * (bc * ac - ab) + vb * (1 - ac * ac) + vc * (ab * ac - bc)) / determinant;
  const alongC = (va * (ab * bc - ac) + vb * (ab * ac - bc) + vc * (1 - ab * ab)) / determinant;
  let result: Point = point;
  if (a !== undefined) result = along(result, a, alongA);
  if (b !== undefined) result = along(result, b, alongB);
  if (c !== undefined) result = along(result, c, alongC);
  return result;
}
