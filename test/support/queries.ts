/** Every query once, as plain data: how to ask the octree in both forms, and how to ask the reference. */
import type { IndexList, IntersectionRecord, Octree, QueryOptions } from '../../src/index.ts';
import type { BruteForce, ReferenceResult } from '../../src/debug/brute-force.ts';
import { LIMIT } from './nasty-numbers.ts';
import type { Random } from './random.ts';
import { boxOf, planesOf, planesOfBox, point, rayOf, sphereOf } from './shapes.ts';

export type Query =
  | { readonly kind: 'box'; readonly box: readonly number[] }
  | { readonly kind: 'sphere'; readonly sphere: readonly number[] }
  | { readonly kind: 'point'; readonly point: readonly number[] }
  | { readonly kind: 'ray'; readonly origin: readonly number[]; readonly direction: readonly number[]; readonly near?: number; readonly far?: number }
  | { readonly kind: 'nearest'; readonly point: readonly number[]; readonly count: number; readonly maxDistance?: number }
  | { readonly kind: 'frustum'; readonly planes: readonly (readonly number[])[] }
  | { readonly kind: 'pairs' };

export function isOrdered(query: Query): boolean {
  return query.kind === 'ray' || query.kind === 'nearest';
}

interface Interval {
  readonly near?: number;
  readonly far?: number;
}

/** The record form. */
export function queryRecords<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  switch (query.kind) {
    case 'box':
      return octree.intersectBox(boxOf(query.box), options);
    case 'sphere':
      return octree.intersectSphere(sphereOf(query.sphere), options);
    case 'point':
      return octree.intersectPoint(point(query.point), options);
    case 'ray':
      return octree.intersectRay(rayOf(query.origin, query.direction), { ...options, ...interval(query) });
    case 'nearest':
      return octree.nearest(point(query.point), query.count, { ...options, ...reach(query) });
    case 'frustum':
      return octree.intersectFrustum(planesOf(query.planes), options);
    default:
      return octree.intersectPairs(options);
  }
}

/** The early-out form of a ray: a list of the first record, or of none. */
export function queryFirstHit<T>(octree: Octree<T>, query: Query & { kind: 'ray' }, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  const record = octree.firstHit(rayOf(query.origin, query.direction), { ...options, ...interval(query) });
  return record === null ? [] : [record];
}

/** The index form; returns the count. */
export function queryIndices<T>(octree: Octree<T>, query: Query, list: IndexList, options: QueryOptions<T> = {}): number {
  switch (query.kind) {
    case 'box':
      return octree.collectBox(boxOf(query.box), list, options);
    case 'sphere':
      return octree.collectSphere(sphereOf(query.sphere), list, options);
    case 'point':
      return octree.collectPoint(point(query.point), list, options);
    case 'ray':
      return octree.collectRay(rayOf(query.origin, query.direction), list, { ...options, ...interval(query) });
    case 'nearest':
      return octree.collectNearest(point(query.point), query.count, list, { ...options, ...reach(query) });
    case 'frustum':
      return octree.collectFrustum(planesOf(query.planes), list, options);
    default:
      return octree.collectPairs(list, options);
  }
}

/** What the reference says. */
export function queryReference(oracle: BruteForce, query: Query, options: { mask?: number; filter?: (index: number) => boolean } = {}): ReferenceResult[] {
  switch (query.kind) {
    case 'box':
      return oracle.box(query.box, options);
    case 'sphere':
      return oracle.sphere(query.sphere, query.sphere[3], options);
    case 'point':
      return oracle.point(query.point, options);
    case 'ray':
      return oracle.ray(query.origin, query.direction, { ...options, ...interval(query) });
    case 'nearest':
      return oracle.nearest(query.point, query.count, { ...options, ...reach(query) });
    case 'frustum':
      return oracle.frustum(query.planes, options);
    default:
      return oracle.pairs(options);
  }
}

/** Components that make 0 * Infinity, sign and underflow bugs show. */
const DIRECTIONS = [0, 0, 1, -1, 0.5, 1e-9, -0];

/** A narrow query about a place: a corner, the centre or a spot beside a body, where wrong answers are likely. */
export function randomQueryNear(step: number, bounds: readonly number[], random: Random): Query {
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
