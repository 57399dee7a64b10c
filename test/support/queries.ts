/**
 * The kinds of query, one entry each: its public methods, their arguments, how the reference runs it, and how a test draws a random
 * one. A new kind needs one more entry in `KINDS`. All random histories and all seeded tests then run it too, with other random
 * numbers than before, and so do the tests of invalid arguments and of allocations.
 */
import * as fc from 'fast-check';
import type { IndexList, IntersectionRecord, Octree, QueryOptions } from '../../src/index.ts';
import type { BruteForce, ReferenceQueryOptions, ReferenceResult } from '../../src/debug/brute-force.ts';
import { box, coordinate, direction, LIMIT, position, sphere } from './nasty-numbers.ts';
import type { Random } from './random.ts';
import { boxOf, planesOf, planesOfBox, point, rayOf, sphereOf } from './shapes.ts';

type RecordsMethod = Extract<keyof Octree, `intersect${string}` | 'nearest'>;
type IndicesMethod = Extract<keyof Octree, `collect${string}`>;
/** Methods that return the record of the first result alone, or null. */
type FirstMethod = 'firstHit';
/** Methods that return whether there is a result. */
type AnyMethod = 'hasHit';

export interface QuerySpec<Arguments> {
  /** Names of the public methods: `records` takes (arguments, options, target), `indices` takes (arguments, list, options), the others (arguments, options). */
  readonly methods: { readonly records: RecordsMethod; readonly indices: IndicesMethod; readonly first?: FirstMethod; readonly any?: AnyMethod };
  /** Whether the order of the results is part of the contract. */
  readonly isOrdered: boolean;
  /** The first arguments of both methods. */
  arguments(query: Arguments): readonly unknown[];
  /** Options that are a part of the query. */
  options?(query: Arguments): object;
  reference(bruteForce: BruteForce, query: Arguments, options: ReferenceQueryOptions): ReferenceResult[];
  /** Random arguments for fast-check. */
  readonly arbitrary: fc.Arbitrary<Arguments>;
  /** Random arguments near a place, for `randomQueryNear`. A kind that is listed twice is drawn twice as often. */
  readonly near: readonly ((place: Place) => Arguments)[];
  /** A valid query at the origin, of about 100 world units. */
  readonly example: Arguments;
  /** Invalid arguments and options that are almost valid for this kind. Every public function is tested with them. */
  readonly invalid: readonly unknown[];
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

interface PairArguments {
  readonly within?: number;
  readonly otherMask?: number;
}

/** A camera at the origin that looks along -z, with a field of view of 60 degrees, near 1 and far 400. */
const CAMERA_PLANES = [
  [-Math.sqrt(0.75), 0, -0.5, 0],
  [Math.sqrt(0.75), 0, -0.5, 0],
  [0, Math.sqrt(0.75), -0.5, 0],
  [0, -Math.sqrt(0.75), -0.5, 0],
  [0, 0, 1, 400],
  [0, 0, -1, -1],
];

/** The order of the entries decides which random number draws which kind. */
const KINDS = {
  box: kind<{ readonly box: readonly number[] }>({
    methods: { records: 'intersectBox', indices: 'collectBox' },
    isOrdered: false,
    arguments: (query) => [boxOf(query.box)],
    reference: (bruteForce, query, options) => bruteForce.box(query.box, options),
    arbitrary: fc.record({ box }),
    near: [({ spot, size }) => ({ box: boxFrom(spot, size) })],
    example: { box: [-50, -50, -50, 50, 50, 50] },
    invalid: [{ min: 1, max: 2 }, { min: point([1, 0, 0]), max: point([0, 1, 1]) }, { min: point([0, 0, 0]), max: point([Infinity, 1, 1]) }],
  }),
  sphere: kind<{ readonly sphere: readonly number[] }>({
    methods: { records: 'intersectSphere', indices: 'collectSphere' },
    isOrdered: false,
    arguments: (query) => [sphereOf(query.sphere)],
    reference: (bruteForce, query, options) => bruteForce.sphere(query.sphere, query.sphere[3], options),
    arbitrary: fc.record({ sphere }),
    near: [({ spot, size }) => ({ sphere: [...spot, size] })],
    example: { sphere: [0, 0, 0, 60] },
    invalid: [sphereOf([0, 0, 0, -1]), sphereOf([0, 0, 0, NaN])],
  }),
  point: kind<{ readonly point: readonly number[] }>({
    methods: { records: 'intersectPoint', indices: 'collectPoint' },
    isOrdered: false,
    arguments: (query) => [point(query.point)],
    reference: (bruteForce, query, options) => bruteForce.point(query.point, options),
    arbitrary: fc.record({ point: position }),
    near: [({ spot }) => ({ point: spot })],
    example: { point: [0, 0, 0] },
    invalid: [point([0, 0, NaN]), { x: 0, y: 0 }, { x: '0', y: 0, z: 0 }],
  }),
  ray: kind<RayArguments>({
    methods: { records: 'intersectRay', indices: 'collectRay', first: 'firstHit', any: 'hasHit' },
    isOrdered: true,
    arguments: (query) => [rayOf(query.origin, query.direction)],
    options: intervalOf,
    reference: (bruteForce, query, options) => bruteForce.ray(query.origin, query.direction, { ...options, ...intervalOf(query) }),
    arbitrary: fc.record({ origin: position, direction }),
    near: [rayNear, rayNear],
    example: { origin: [-500, 0, 0], direction: [1, 0.01, 0.02] },
    invalid: [rayOf([0, 0, 0], [0, 0, 0]), { origin: point([0, 0, 0]) }, { near: -1 }, { far: NaN }],
  }),
  nearest: kind<NearestArguments>({
    methods: { records: 'nearest', indices: 'collectNearest' },
    isOrdered: true,
    arguments: (query) => [point(query.point), query.count],
    options: maxDistanceOf,
    reference: (bruteForce, query, options) => bruteForce.nearest(query.point, query.count, { ...options, ...maxDistanceOf(query) }),
    arbitrary: fc.record({ point: position, count: fc.constantFrom(1, 2, 5, 100) }),
    near: [nearestNear],
    example: { point: [0, 0, 0], count: 8 },
    invalid: [{ maxDistance: '1' }],
  }),
  frustum: kind<{ readonly planes: readonly (readonly number[])[] }>({
    methods: { records: 'intersectFrustum', indices: 'collectFrustum' },
    isOrdered: false,
    arguments: (query) => [planesOf(query.planes)],
    reference: (bruteForce, query, options) => bruteForce.frustum(query.planes, options),
    arbitrary: fc.record({ planes: fc.array(planeArbitrary(), { minLength: 1, maxLength: 7 }) }),
    near: [({ spot, size, random }) => ({ planes: random.next() < 0.5 ? planesOfBox(boxFrom(spot, size)) : skewPlanes(spot, random) })],
    example: { planes: CAMERA_PLANES },
    invalid: [{ planes: null }, { planes: [null] }, planesOf([[NaN, 0, 0, 0]]), { planes: 'six' }],
  }),
  pairs: kind<PairArguments>({
    methods: { records: 'intersectPairs', indices: 'collectPairs' },
    isOrdered: false,
    arguments: () => [],
    options: pairOptionsOf,
    reference: (bruteForce, query, options) => bruteForce.pairs({ ...options, ...pairOptionsOf(query) }),
    arbitrary: fc.record(
      { within: fc.constantFrom(0, 1e-200, 0.5, 1, 2, 1e6, Infinity), otherMask: fc.constantFrom(0, 1, 2, 3, -1) },
      { requiredKeys: [] },
    ),
    near: [],
    example: {},
    invalid: [{ within: -1 }, { within: NaN }, { otherMask: 0.5 }, { otherMask: '1' }],
  }),
};

type Kinds = typeof KINDS;

/** A query as plain data: its kind and its arguments. */
export type Query = { [K in keyof Kinds]: Kinds[K] extends QuerySpec<infer Arguments> ? { readonly kind: K } & Arguments : never }[keyof Kinds];

const ENTRIES = Object.entries(KINDS) as unknown as readonly (readonly [string, QuerySpec<object>])[];

/** The entries of all kinds. */
export const QUERY_SPECS: readonly QuerySpec<object>[] = ENTRIES.map(([, spec]) => spec);

/** The example of each kind. */
export const EXAMPLES: readonly Query[] = ENTRIES.map(([kindName, { example }]) => ({ kind: kindName, ...example }) as Query);

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
  const { methods, ...spec } = kindOf(query);
  return (octree[methods.records] as Method<IntersectionRecord<T>[]>)(...spec.arguments(query), optionsOf(spec, query, options));
}

/** Runs the index form (`collect...`); returns the number of results. */
export function queryIndices<T>(octree: Octree<T>, query: Query, list: IndexList, options: QueryOptions<T> = {}): number {
  const { methods, ...spec } = kindOf(query);
  return (octree[methods.indices] as Method<number>)(...spec.arguments(query), list, optionsOf(spec, query, options));
}

/** Runs the form for the first record alone; undefined if the kind has none. */
export function queryFirst<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): IntersectionRecord<T> | null | undefined {
  const { methods, ...spec } = kindOf(query);
  if (methods.first === undefined) return undefined;
  return (octree[methods.first] as Method<IntersectionRecord<T> | null>)(...spec.arguments(query), optionsOf(spec, query, options));
}

/** Runs the form that tells whether there is a result; undefined if the kind has none. */
export function queryAny<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): boolean | undefined {
  const { methods, ...spec } = kindOf(query);
  if (methods.any === undefined) return undefined;
  return (octree[methods.any] as Method<boolean>)(...spec.arguments(query), optionsOf(spec, query, options));
}

/** Runs the query on the reference implementation. */
export function queryReference(bruteForce: BruteForce, query: Query, options: ReferenceQueryOptions = {}): ReferenceResult[] {
  return kindOf(query).reference(bruteForce, query, options);
}

function kind<Arguments>(entry: QuerySpec<Arguments>): QuerySpec<Arguments> {
  return entry;
}

/** A method with any arguments: which ones it takes differs from kind to kind. */
type Method<Result> = (...values: unknown[]) => Result;

function optionsOf(spec: Pick<QuerySpec<Query>, 'options'>, query: Query, options: object): object {
  return spec.options === undefined ? options : { ...options, ...spec.options(query) };
}

/** TypeScript cannot see that the entry fits the query of the same kind. */
function kindOf(query: Query): QuerySpec<Query> {
  return KINDS[query.kind] as unknown as QuerySpec<Query>;
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

function pairOptionsOf({ within, otherMask }: PairArguments): PairArguments {
  return { ...(within !== undefined && { within }), ...(otherMask !== undefined && { otherMask }) };
}
