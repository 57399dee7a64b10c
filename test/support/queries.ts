/**
 * The kinds of query, one entry each: how the octree runs it in both forms, how the reference runs it, and how a test draws a
 * random one. A new kind needs one more entry in `KINDS`; all random histories and all seeded tests then run it too, with other
 * random numbers than before.
 */
import * as fc from 'fast-check';
import type { IndexList, IntersectionRecord, Octree, QueryOptions } from '../../src/index.ts';
import type { BruteForce, ReferenceQueryOptions, ReferenceResult } from '../../src/debug/brute-force.ts';
import { box, coordinate, direction, LIMIT, position, sphere } from './nasty-numbers.ts';
import type { Random } from './random.ts';
import { boxOf, planesOf, planesOfBox, point, rayOf, sphereOf } from './shapes.ts';

interface QueryKind<Arguments> {
  /** Whether the order of the results is part of the contract. */
  readonly isOrdered: boolean;
  records<T>(octree: Octree<T>, query: Arguments, options: QueryOptions<T>): IntersectionRecord<T>[];
  indices<T>(octree: Octree<T>, query: Arguments, list: IndexList, options: QueryOptions<T>): number;
  reference(oracle: BruteForce, query: Arguments, options: ReferenceQueryOptions): ReferenceResult[];
  /** Random arguments for fast-check. */
  readonly arbitrary: fc.Arbitrary<Arguments>;
  /** Random arguments near a place, for `randomQueryNear`. A kind that is listed twice is drawn twice as often. */
  readonly near: readonly ((place: Place) => Arguments)[];
}

/** Where a random query is aimed at. */
interface Place {
  readonly spot: readonly number[];
  /** Extent of the query in world units; often 0. */
  readonly size: number;
  /** Components of a direction; all of them may be 0. */
  readonly components: readonly number[];
  readonly step: number;
  readonly random: Random;
}

interface RayArguments {
  readonly origin: readonly number[];
  readonly direction: readonly number[];
  readonly near?: number;
  readonly far?: number;
}

interface NearestArguments {
  readonly point: readonly number[];
  readonly count: number;
  readonly maxDistance?: number;
}

/** The order of the entries decides which random number draws which kind. */
const KINDS = {
  box: kind<{ readonly box: readonly number[] }>({
    isOrdered: false,
    records: (octree, query, options) => octree.intersectBox(boxOf(query.box), options),
    indices: (octree, query, list, options) => octree.collectBox(boxOf(query.box), list, options),
    reference: (oracle, query, options) => oracle.box(query.box, options),
    arbitrary: fc.record({ box }),
    near: [({ spot, size }) => ({ box: boxFrom(spot, size) })],
  }),
  sphere: kind<{ readonly sphere: readonly number[] }>({
    isOrdered: false,
    records: (octree, query, options) => octree.intersectSphere(sphereOf(query.sphere), options),
    indices: (octree, query, list, options) => octree.collectSphere(sphereOf(query.sphere), list, options),
    reference: (oracle, query, options) => oracle.sphere(query.sphere, query.sphere[3], options),
    arbitrary: fc.record({ sphere }),
    near: [({ spot, size }) => ({ sphere: [...spot, size] })],
  }),
  point: kind<{ readonly point: readonly number[] }>({
    isOrdered: false,
    records: (octree, query, options) => octree.intersectPoint(point(query.point), options),
    indices: (octree, query, list, options) => octree.collectPoint(point(query.point), list, options),
    reference: (oracle, query, options) => oracle.point(query.point, options),
    arbitrary: fc.record({ point: position }),
    near: [({ spot }) => ({ point: spot })],
  }),
  ray: kind<RayArguments>({
    isOrdered: true,
    records: (octree, query, options) => octree.intersectRay(rayOf(query.origin, query.direction), { ...options, ...intervalOf(query) }),
    indices: (octree, query, list, options) => octree.collectRay(rayOf(query.origin, query.direction), list, { ...options, ...intervalOf(query) }),
    reference: (oracle, query, options) => oracle.ray(query.origin, query.direction, { ...options, ...intervalOf(query) }),
    arbitrary: fc.record({ origin: position, direction }),
    near: [rayNear, rayNear],
  }),
  nearest: kind<NearestArguments>({
    isOrdered: true,
    records: (octree, query, options) => octree.nearest(point(query.point), query.count, { ...options, ...maxDistanceOf(query) }),
    indices: (octree, query, list, options) => octree.collectNearest(point(query.point), query.count, list, { ...options, ...maxDistanceOf(query) }),
    reference: (oracle, query, options) => oracle.nearest(query.point, query.count, { ...options, ...maxDistanceOf(query) }),
    arbitrary: fc.record({ point: position, count: fc.constantFrom(1, 2, 5, 100) }),
    near: [nearestNear],
  }),
  frustum: kind<{ readonly planes: readonly (readonly number[])[] }>({
    isOrdered: false,
    records: (octree, query, options) => octree.intersectFrustum(planesOf(query.planes), options),
    indices: (octree, query, list, options) => octree.collectFrustum(planesOf(query.planes), list, options),
    reference: (oracle, query, options) => oracle.frustum(query.planes, options),
    arbitrary: fc.record({ planes: fc.array(planeArbitrary(), { minLength: 1, maxLength: 7 }) }),
    near: [({ spot, size, random }) => ({ planes: random.next() < 0.5 ? planesOfBox(boxFrom(spot, size)) : skewPlanes(spot, random) })],
  }),
  pairs: kind<object>({
    isOrdered: false,
    records: (octree, _query, options) => octree.intersectPairs(options),
    indices: (octree, _query, list, options) => octree.collectPairs(list, options),
    reference: (oracle, _query, options) => oracle.pairs(options),
    arbitrary: fc.record({}),
    near: [],
  }),
};

type Kinds = typeof KINDS;

/** A query as plain data: its kind and its arguments. */
export type Query = { [K in keyof Kinds]: Kinds[K] extends QueryKind<infer Arguments> ? { readonly kind: K } & Arguments : never }[keyof Kinds];

const ENTRIES = Object.entries(KINDS) as unknown as readonly (readonly [string, QueryKind<object>])[];

/** Any query, with numbers that break spatial libraries. */
export const queryArbitrary: fc.Arbitrary<Query> = fc.oneof(
  ...ENTRIES.map(([kindName, { arbitrary }]) => arbitrary.map((query) => ({ kind: kindName, ...query }) as Query)),
);

const NEAR = ENTRIES.flatMap(([kindName, { near }]) => near.map((draw) => (place: Place) => ({ kind: kindName, ...draw(place) }) as Query));

/** Components that expose errors with 0 * Infinity, signs and underflow. */
const COMPONENTS = [0, 0, 1, -1, 0.5, 1e-9, -0];

/**
 * A small query at a corner, at the centre or on the surface of a box, where wrong results are likely. Successive steps draw one
 * kind after another.
 */
export function randomQueryNear(step: number, bounds: readonly number[], random: Random): Query {
  const spot = [0, 1, 2].map((axis) => random.pick([bounds[axis], bounds[axis + 3], (bounds[axis] + bounds[axis + 3]) / 2]));
  const size = random.pick([0, 0, 0.5, 1, 3]);
  const components = [0, 1, 2].map(() => random.pick(COMPONENTS));
  return NEAR[step % NEAR.length]({ spot, size, components, step, random });
}

export function isOrdered(query: Query): boolean {
  return kindOf(query).isOrdered;
}

/** Runs the record form (`intersect...`, `nearest`). */
export function queryRecords<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  return kindOf(query).records(octree, query, options);
}

/** Runs the index form (`collect...`); returns the number of results. */
export function queryIndices<T>(octree: Octree<T>, query: Query, list: IndexList, options: QueryOptions<T> = {}): number {
  return kindOf(query).indices(octree, query, list, options);
}

/** Runs `firstHit`; returns a list of one record, or an empty one. */
export function queryFirstHit<T>(octree: Octree<T>, query: Query & { kind: 'ray' }, options: QueryOptions<T> = {}): IntersectionRecord<T>[] {
  const record = octree.firstHit(rayOf(query.origin, query.direction), { ...options, ...intervalOf(query) });
  return record === null ? [] : [record];
}

/** Runs the query on the reference implementation. */
export function queryReference(oracle: BruteForce, query: Query, options: ReferenceQueryOptions = {}): ReferenceResult[] {
  return kindOf(query).reference(oracle, query, options);
}

function kind<Arguments>(entry: QueryKind<Arguments>): QueryKind<Arguments> {
  return entry;
}

/** TypeScript cannot see that the entry fits the query of the same kind. */
function kindOf(query: Query): QueryKind<Query> {
  return KINDS[query.kind] as unknown as QueryKind<Query>;
}

function rayNear({ spot, components, step, random }: Place): RayArguments {
  const along = components.every((component) => component === 0) ? [0, step % 2 === 0 ? 1 : -1, 0] : components;
  const back = random.pick([0, 1, 4, 1000]);
  const origin = spot.map((value, axis) => withinLimit(value - along[axis] * back));
  const interval = random.next() < 0.3 ? { near: random.pick([0, 1]), far: random.pick([1, 4, 1000]) } : {};
  return { origin, direction: along, ...interval };
}

function nearestNear({ spot, size, random }: Place): NearestArguments {
  const count = random.pick([1, 2, 8]);
  return random.next() < 0.3 ? { point: spot, count, maxDistance: size } : { point: spot, count };
}

/** Mostly planes of the grid, which touch bodies on the grid exactly. Their normals have any length. */
function planeArbitrary(): fc.Arbitrary<number[]> {
  return fc.tuple(direction, coordinate).map(([normal, constant]) => [...normal, constant]);
}

/** Half spaces with normals of any direction and length. All of them contain the spot. */
function skewPlanes(spot: readonly number[], random: Random): number[][] {
  return Array.from({ length: 1 + random.below(7) }, () => {
    const normal = [0, 1, 2].map(() => random.pick([random.between(-1, 1), 0, 1, -2]));
    if (!normal.some((component) => component !== 0)) normal[0] = 1;
    const slack = random.pick([0, 1, 10]);
    return [...normal, slack - (normal[0] * spot[0] + normal[1] * spot[1] + normal[2] * spot[2])];
  });
}

function boxFrom(corner: readonly number[], size: number): number[] {
  return [...corner, ...corner.map((low) => withinLimit(low + size))];
}

function withinLimit(value: number): number {
  return Math.min(Math.max(value, -LIMIT), LIMIT);
}

function intervalOf({ near, far }: RayArguments): Pick<RayArguments, 'near' | 'far'> {
  return { ...(near !== undefined && { near }), ...(far !== undefined && { far }) };
}

function maxDistanceOf({ maxDistance }: NearestArguments): Pick<NearestArguments, 'maxDistance'> {
  return maxDistance === undefined ? {} : { maxDistance };
}
