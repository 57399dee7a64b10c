/** Every question once, as plain data: how to ask the octree in both forms, and how to ask the reference. */
import type { IndexList, IntersectionRecord, Octree, QueryOptions } from '../../src/index.ts';
import type { BruteForce, ReferenceAnswer } from '../../src/debug/brute-force.ts';
import { LIMIT } from './nasty-numbers.ts';
import type { Random } from './random.ts';
import { boxOf, planesOf, planesOfBox, point, rayOf, sphereOf } from './shapes.ts';

export type Question =
  | { readonly kind: 'box'; readonly box: readonly number[] }
  | { readonly kind: 'sphere'; readonly sphere: readonly number[] }
  | { readonly kind: 'point'; readonly point: readonly number[] }
  | { readonly kind: 'ray'; readonly origin: readonly number[]; readonly direction: readonly number[]; readonly near?: number; readonly far?: number }
  | { readonly kind: 'nearest'; readonly point: readonly number[]; readonly count: number; readonly maxDistance?: number }
  | { readonly kind: 'frustum'; readonly planes: readonly (readonly number[])[] }
  | { readonly kind: 'pairs' };

export function isOrdered(question: Question): boolean {
  return question.kind === 'ray' || question.kind === 'nearest';
}

interface Interval {
  readonly near?: number;
  readonly far?: number;
}

/** The record form. */
export function askRecords<T>(octree: Octree<T>, question: Question, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  switch (question.kind) {
    case 'box':
      return octree.intersectBox(boxOf(question.box), options);
    case 'sphere':
      return octree.intersectSphere(sphereOf(question.sphere), options);
    case 'point':
      return octree.intersectPoint(point(question.point), options);
    case 'ray':
      return octree.intersectRay(rayOf(question.origin, question.direction), { ...options, ...interval(question) });
    case 'nearest':
      return octree.nearest(point(question.point), question.count, { ...options, ...reach(question) });
    case 'frustum':
      return octree.intersectFrustum(planesOf(question.planes), options);
    default:
      return octree.intersectPairs(options);
  }
}

/** The early-out form of a ray: a list of the first record, or of none. */
export function askFirstHit<T>(octree: Octree<T>, question: Question & { kind: 'ray' }, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  const record = octree.firstHit(rayOf(question.origin, question.direction), { ...options, ...interval(question) });
  return record === null ? [] : [record];
}

/** The index form; returns the count. */
export function askIndices<T>(octree: Octree<T>, question: Question, list: IndexList, options: QueryOptions<T> = {}): number {
  switch (question.kind) {
    case 'box':
      return octree.collectBox(boxOf(question.box), list, options);
    case 'sphere':
      return octree.collectSphere(sphereOf(question.sphere), list, options);
    case 'point':
      return octree.collectPoint(point(question.point), list, options);
    case 'ray':
      return octree.collectRay(rayOf(question.origin, question.direction), list, { ...options, ...interval(question) });
    case 'nearest':
      return octree.collectNearest(point(question.point), question.count, list, { ...options, ...reach(question) });
    case 'frustum':
      return octree.collectFrustum(planesOf(question.planes), list, options);
    default:
      return octree.collectPairs(list, options);
  }
}

/** What the reference says. */
export function askReference(oracle: BruteForce, question: Question, options: { mask?: number; filter?: (index: number) => boolean } = {}): ReferenceAnswer[] {
  switch (question.kind) {
    case 'box':
      return oracle.box(question.box, options);
    case 'sphere':
      return oracle.sphere(question.sphere, question.sphere[3], options);
    case 'point':
      return oracle.point(question.point, options);
    case 'ray':
      return oracle.ray(question.origin, question.direction, { ...options, ...interval(question) });
    case 'nearest':
      return oracle.nearest(question.point, question.count, { ...options, ...reach(question) });
    case 'frustum':
      return oracle.frustum(question.planes, options);
    default:
      return oracle.pairs(options);
  }
}

/** Components that make 0 * Infinity, sign and underflow bugs show. */
const DIRECTIONS = [0, 0, 1, -1, 0.5, 1e-9, -0];

/** A narrow question about a place: a corner, the centre or a spot beside a body, where wrong answers are likely. */
export function narrowQuestion(step: number, bounds: readonly number[], random: Random): Question {
  const spot = [0, 1, 2].map((axis) => random.pick([bounds[axis], bounds[axis + 3], (bounds[axis] + bounds[axis + 3]) / 2]));
  const size = random.pick([0, 0, 0.5, 1, 3]);
  const others = [0, 1, 2].map(() => random.pick(DIRECTIONS));
  switch (step % 7) {
    case 0:
      return { kind: 'box', box: boxFrom(spot, size) };
    case 1:
      return { kind: 'sphere', sphere: [...spot, size] };
    case 2:
      return { kind: 'point', point: spot };
    case 3:
    case 4: {
      const direction = others.every((component) => component === 0) ? [0, step % 2 === 0 ? 1 : -1, 0] : others;
      const back = random.pick([0, 1, 4, 1000]);
      const origin = spot.map((coordinate, axis) => within(coordinate - direction[axis] * back));
      const limits: Interval = random.next() < 0.3 ? { near: random.pick([0, 1]), far: random.pick([1, 4, 1000]) } : {};
      return { kind: 'ray', origin, direction, ...limits };
    }
    case 5: {
      const count = random.pick([1, 2, 8]);
      return random.next() < 0.3 ? { kind: 'nearest', point: spot, count, maxDistance: size } : { kind: 'nearest', point: spot, count };
    }
    default:
      return { kind: 'frustum', planes: random.next() < 0.5 ? planesOfBox(boxFrom(spot, size)) : skewPlanes(spot, random) };
  }
}

function boxFrom(corner: readonly number[], size: number): number[] {
  return [...corner, ...corner.map((low) => within(low + size))];
}

/** The octree takes coordinates up to the limit. */
function within(value: number): number {
  return Math.min(Math.max(value, -LIMIT), LIMIT);
}

/** Half spaces of any direction and length, all of which hold the spot. */
function skewPlanes(spot: readonly number[], random: Random): number[][] {
  return Array.from({ length: 1 + random.below(7) }, () => {
    const normal = [0, 1, 2].map(() => random.pick([random.between(-1, 1), 0, 1, -2]));
    if (!normal.some((component) => component !== 0)) normal[0] = 1;
    const slack = random.pick([0, 1, 10]);
    return [...normal, slack - (normal[0] * spot[0] + normal[1] * spot[1] + normal[2] * spot[2])];
  });
}

function interval({ near, far }: Interval): Interval {
  return { ...(near !== undefined && { near }), ...(far !== undefined && { far }) };
}

function reach({ maxDistance }: { readonly maxDistance?: number }): { maxDistance?: number } {
  return maxDistance === undefined ? {} : { maxDistance };
}
