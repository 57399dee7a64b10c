/** Queries as plain data: random ones, and how each form of them runs on the octree and on the reference. */
import * as fc from 'fast-check';
import type { Body, IndexList, IntersectionRecord, Octree, QueryOptions } from '../../src/index.ts';
import * as library from '../../src/index.ts';
import type { BruteForce, ReferenceQueryOptions, ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import { KINDS, type Place, type QueryName, type QuerySpec } from './query-kinds.ts';
import type { Random } from './random.ts';

type Kinds = typeof KINDS;

/** A query as plain data: its kind and its arguments. */
export type Query = {
  [K in keyof Kinds]: Kinds[K] extends QuerySpec<infer Arguments> ? { readonly kind: K } & Arguments : never;
}[keyof Kinds];

const ENTRIES = Object.entries(KINDS) as unknown as readonly (readonly [string, QuerySpec<object>])[];

/** The entries of all kinds. */
export const QUERY_SPECS: readonly QuerySpec<object>[] = ENTRIES.map(([, spec]) => spec);

/** The example of each kind. */
export const EXAMPLES: readonly Query[] = ENTRIES.map(
  ([kindName, { example }]) => ({ kind: kindName, ...example }) as Query,
);

/** Any query, with numbers that break spatial libraries. */
export const queryArbitrary: fc.Arbitrary<Query> = fc.oneof(
  ...ENTRIES.map(([kindName, { arbitrary }]) => arbitrary.map((query) => ({ kind: kindName, ...query }) as Query)),
);

const NEAR = ENTRIES.flatMap(([kindName, { near }]) =>
  near.map((draw) => (place: Place) => ({ kind: kindName, ...draw(place) }) as Query),
);

/** Components that expose errors with 0 * Infinity, signs and underflow. */
const COMPONENTS = [0, 0, 1, -1, 0.5, 1e-9, -0];

/**
 * A small query at a corner, at the centre or on the surface of a box, where wrong results are likely. Successive steps
 * draw one kind after another.
 */
export function randomQueryNear(step: number, bounds: readonly number[], random: Random): Query {
  const spot = [0, 1, 2].map((axis) =>
    random.pick([bounds[axis], bounds[axis + 3], (bounds[axis] + bounds[axis + 3]) / 2]),
  );
  const size = random.pick([0, 0, 0.5, 1, 3]);
  const components = [0, 1, 2].map(() => random.pick(COMPONENTS));
  return NEAR[step % NEAR.length]({ spot, size, components, step, random });
}

export function isOrdered(query: Query): boolean {
  return kindOf(query).isOrdered;
}

/** Runs the record form (`intersect...`, `nearest`). */
export function queryRecords<T>(
  octree: Octree<T>,
  query: Query,
  options: QueryOptions<T> = {},
): IntersectionRecord<T>[] {
  const spec = kindOf(query);
  return (callOf(octree, spec.methods.records) as Method<IntersectionRecord<T>[]>)(
    ...spec.arguments(query),
    optionsOf(spec, query, options),
  );
}

/** Runs the index form (`collect...`); returns the number of results. */
export function queryIndices<T>(
  octree: Octree<T>,
  query: Query,
  list: IndexList,
  options: QueryOptions<T> = {},
): number {
  const spec = kindOf(query);
  return (callOf(octree, spec.methods.indices) as Method<number>)(
    ...spec.arguments(query),
    list,
    optionsOf(spec, query, options),
  );
}

/** Runs the form for the first record alone; undefined if the kind has none. */
export function queryFirst<T>(
  octree: Octree<T>,
  query: Query,
  options: QueryOptions<T> = {},
): IntersectionRecord<T> | null | undefined {
  const spec = kindOf(query);
  if (spec.methods.first === undefined) return undefined;
  return (callOf(octree, spec.methods.first) as Method<IntersectionRecord<T> | null>)(
    ...spec.arguments(query),
    optionsOf(spec, query, options),
  );
}

/** Runs the form for the index of the first result; undefined if the kind has none. */
export function queryFirstIndex<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): number | undefined {
  const spec = kindOf(query);
  if (spec.methods.firstIndex === undefined) return undefined;
  return (callOf(octree, spec.methods.firstIndex) as Method<number>)(
    ...spec.arguments(query),
    optionsOf(spec, query, options),
  );
}

/** Rays of a long batch: enough to go through a tree in WebAssembly together. */
const LONG_BATCH = 128;

/**
 * Casts a ray alone or, in one case of eight, among others that start near it: index and distance of its first hit, -1
 * and Infinity if there is none; undefined for other kinds. The others have other directions, partly with the same
 * signs, and other lengths.
 */
export function queryBatch<T>(
  octree: Octree<T>,
  query: Query,
  options: QueryOptions<T> = {},
): { readonly index: number; readonly distance: number } | undefined {
  if (query.kind !== 'ray') return undefined;
  const { origin, direction, near = 0, far = Infinity } = query;
  const count = Math.trunc(origin[0] * 8) % 8 === 0 ? LONG_BATCH : 1;
  const hits = { indices: new Int32Array(count), distances: new Float64Array(count) };
  const rays = new Float64Array(7 * count);
  for (let k = 0; k < count; k++) {
    const shift = Math.abs(origin[0]) < 2 ** 40 ? k : 0;
    // The components in another order, and some of them with the other sign.
    const turned = direction.map((_, axis) => direction[(axis + k) % 3] * ((k >> 2) & (1 << axis) ? -1 : 1));
    rays.set([origin[0] + shift, origin[1], origin[2], ...turned, k % 3 === 0 ? far : 10 * k], 7 * k);
  }
  const own = count >> 1;
  rays.set([...origin, ...direction, far], 7 * own);
  library.castRays(octree, rays, hits, { ...options, near });
  return { index: hits.indices[own], distance: hits.distances[own] };
}

/** Runs the form that tells whether there is a result; undefined if the kind has none. */
export function queryAny<T>(octree: Octree<T>, query: Query, options: QueryOptions<T> = {}): boolean | undefined {
  const spec = kindOf(query);
  if (spec.methods.any === undefined) return undefined;
  return (callOf(octree, spec.methods.any) as Method<boolean>)(
    ...spec.arguments(query),
    optionsOf(spec, query, options),
  );
}

/**
 * Runs the form that visits bodies by distance, for as many as the query asks for: the visitor returns its distance for
 * the last of them, and ends the search after that. Undefined if the kind has none.
 */
export function queryVisits<T>(
  octree: Octree<T>,
  query: Query,
  options: QueryOptions<T> = {},
): { readonly body: Body<T>; readonly distance: number }[] | undefined {
  const spec = kindOf(query);
  if (spec.methods.visit === undefined) return undefined;
  const [from, count] = spec.arguments(query);
  const visits: { readonly body: Body<T>; readonly distance: number }[] = [];
  const visitor = (body: Body<T>, distance: number): number | false | void => {
    if (visits.length >= (count as number)) return false;
    visits.push({ body, distance });
    return visits.length === count ? distance : visits.length % 2 === 0 ? Infinity : undefined;
  };
  (callOf(octree, spec.methods.visit) as Method<number>)(from, visitor, optionsOf(spec, query, options));
  return visits;
}

/**
 * Runs the form whose visitor narrows the search, as for the first of things in the bodies: each third body has none,
 * the others theirs at once or later. `last` is the maximum in the end. Undefined if the kind has no such form.
 */
export function queryNarrowed<T>(
  octree: Octree<T>,
  query: Query,
  options: QueryOptions<T> = {},
): { readonly visits: { readonly body: Body<T>; readonly distance: number }[]; readonly last: number } | undefined {
  const spec = kindOf(query);
  if (spec.methods.narrow === undefined) return undefined;
  const visits: { readonly body: Body<T>; readonly distance: number }[] = [];
  let last = Infinity;
  const visitor = (body: Body<T>, distance: number): number | void => {
    if (distance > last) throw new Error(`a visit at ${distance}, after the maximum ${last} was returned`);
    visits.push({ body, distance });
    const kind = body.index % 3;
    if (kind > 0) last = Math.min(last, distance * kind);
    return kind > 0 ? distance * kind : undefined;
  };
  const narrow = callOf(octree, spec.methods.narrow) as Method<number>;
  if (narrow(...spec.arguments(query), visitor, optionsOf(spec, query, options)) !== visits.length)
    throw new Error(`${spec.methods.narrow} does not return the number of visits, ${visits.length}`);
  return { visits, last };
}

/** Indices of the bodies that the octree may report or not. */
export function borderlineOf(bruteForce: BruteForce, query: Query): ReadonlySet<number> {
  return kindOf(query).borderline?.(bruteForce, query) ?? NONE;
}
const NONE: ReadonlySet<number> = new Set();

/** Runs the query on the reference implementation. */
export function queryReference(
  bruteForce: BruteForce,
  query: Query,
  options: ReferenceQueryOptions = {},
): ReferenceResult[] {
  return kindOf(query).reference(bruteForce, query, options);
}

/** A method of an octree, or a function of the library that takes the octree first, by its name. */
export function callOf<T>(octree: Octree<T>, name: QueryName): Method<unknown> {
  // Bound, because a call with spread arguments would allocate an array.
  if (name in octree) return (octree[name as keyof Octree] as Method<unknown>).bind(octree);
  return FUNCTIONS[name].bind(null, octree);
}

const FUNCTIONS = { ...library } as unknown as Readonly<Record<string, Method<unknown>>>;

/** A method with any arguments: which ones it takes differs from kind to kind. */
type Method<Result> = (...values: unknown[]) => Result;

function optionsOf(spec: Pick<QuerySpec<Query>, 'options'>, query: Query, options: object): object {
  const own = spec.options?.(query);
  if (kept !== null && keptCalls++ % 2 === 0) {
    for (const field of Object.keys(kept)) delete kept[field as keyof typeof kept];
    return Object.assign(kept, options, own);
  }
  return own === undefined ? options : { ...options, ...own };
}

/**
 * The options of a caller who changes one object from query to query, also inside of callbacks; null if no caller does.
 */
let kept: object | null = null;
let keptCalls = 0;

/** From now on every second query takes its options from one object, which the next ones change. */
export function keepOptions(): void {
  kept = {};
  keptCalls = 0;
}

/** TypeScript cannot see that the entry fits the query of the same kind. */
function kindOf(query: Query): QuerySpec<Query> {
  return KINDS[query.kind] as unknown as QuerySpec<Query>;
}
