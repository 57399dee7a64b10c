/**
 * The kinds of query, one entry each: its public methods, their arguments, how the reference runs it, and how a test
 * draws a random one. A new kind needs one more entry in `KINDS`. All random histories and all seeded tests then run it
 * too, with other random numbers than before, and so do the tests of invalid arguments and of allocations.
 */
import * as fc from 'fast-check';
import type { Octree } from '../../src/index.ts';
import * as library from '../../src/index.ts';
import type { BruteForce, ReferenceQueryOptions, ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import { cullBody, touchesWithin } from '../../src/debug/reference/frustum.ts';
import { box, coordinate, direction, extent, LIMIT, position, sphere } from './nasty-numbers.ts';
import type { Random } from './random.ts';
import { boxOf, planesOf, planesOfBox, point, rayOf, sphereOf } from './shapes.ts';

/** The name of a method of the octree, or of a function of the library that takes the octree first. */
export type QueryName = Extract<keyof Octree, string> | keyof typeof library;

export interface QuerySpec<Arguments> {
  /**
   * Names of the public methods: `records` takes (arguments, options, target), `indices` takes (arguments, list,
   * options), `visit` is explained below, `narrow` takes (arguments, visitor, options), the others (arguments,
   * options).
   */
  readonly methods: {
    readonly records: QueryName;
    readonly indices: QueryName;
    readonly first?: QueryName;
    readonly firstIndex?: QueryName;
    readonly any?: QueryName;
    readonly visit?: QueryName;
    readonly narrow?: QueryName;
  };
  /** Whether the order of the results is part of the contract. */
  readonly isOrdered: boolean;
  /** The first arguments of both methods. */
  arguments(query: Arguments): readonly unknown[];
  /** Options that are a part of the query. */
  options?(query: Arguments): object;
  reference(bruteForce: BruteForce, query: Arguments, options: ReferenceQueryOptions): ReferenceResult[];
  /** Indices of bodies whose results depend on a tolerance, if the kind has one: the octree may report them or not. */
  borderline?(bruteForce: BruteForce, query: Arguments): ReadonlySet<number>;
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
export interface Place {
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

interface FrustumArguments {
  readonly planes: readonly (readonly number[])[];
  readonly minSize?: number;
  readonly eye?: readonly number[];
}

interface SphereCastArguments {
  readonly sphere: readonly number[];
  readonly motion: readonly number[];
}

interface BoxCastArguments {
  readonly box: readonly number[];
  readonly motion: readonly number[];
}

interface SegmentArguments {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

interface CapsuleArguments extends SegmentArguments {
  readonly radius: number;
}

interface OrientedBoxArguments {
  readonly center: readonly number[];
  readonly halfSize: readonly number[];
  readonly axes: readonly (readonly number[])[];
}

interface NearestArguments {
  readonly count: number;
  readonly maxDistance?: number;
}

interface PairArguments {
  readonly within?: number;
  readonly otherMask?: number;
  readonly staticPairs?: boolean;
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

/** Axes that are turned about y, then about z. */
function rotation(y: number, z: number): number[][] {
  const [cosY, sinY, cosZ, sinZ] = [Math.cos(y), Math.sin(y), Math.cos(z), Math.sin(z)];
  return [
    [cosZ * cosY, sinZ * cosY, -sinY],
    [-sinZ, cosZ, 0],
    [cosZ * sinY, sinZ * sinY, cosY],
  ];
}

/** Every second volume gets its shape by `set`, after another one. */
function volumeOf<Shape>(Volume: new (shape: Shape) => { set(shape: Shape): object }, shape: Shape): object {
  if (volumes++ % 2 === 0) return new Volume(shape);
  const last = lastShapes.get(Volume) ?? shape;
  lastShapes.set(Volume, shape);
  return new Volume(last as Shape).set(shape);
}
let volumes = 0;
const lastShapes = new Map<unknown, unknown>();

/** Not turned, turned by right angles, about one axis, almost not turned, and in general. */
const ROTATIONS = [
  rotation(0, 0),
  [
    [0, 1, 0],
    [0, 0, -1],
    [1, 0, 0],
  ],
  rotation(0, Math.PI / 4),
  rotation(0.7, 0),
  rotation(1e-8, 1e-9),
  rotation(0.5, 0.3),
  rotation(2, -1),
];

const counts = fc.constantFrom(1, 2, 5, 100);

/** The order of the entries decides which random number draws which kind. */
export const KINDS = {
  box: kind<{ readonly box: readonly number[] }>({
    methods: { records: 'intersectBox', indices: 'collectBox' },
    isOrdered: false,
    arguments: (query) => [boxOf(query.box)],
    reference: (bruteForce, query, options) => bruteForce.box(query.box, options),
    arbitrary: fc.record({ box }),
    near: [({ spot, size }) => ({ box: boxFrom(spot, size) })],
    example: { box: [-50, -50, -50, 50, 50, 50] },
    invalid: [
      { min: 1, max: 2 },
      { min: point([1, 0, 0]), max: point([0, 1, 1]) },
      { min: point([0, 0, 0]), max: point([Infinity, 1, 1]) },
    ],
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
    methods: {
      records: 'intersectRay',
      indices: 'collectRay',
      first: 'firstHit',
      firstIndex: 'firstHitIndex',
      any: 'hasHit',
      narrow: 'visitRay',
    },
    isOrdered: true,
    arguments: (query) => [rayOf(query.origin, query.direction)],
    options: intervalOf,
    reference: (bruteForce, query, options) =>
      bruteForce.ray(query.origin, query.direction, { ...options, ...intervalOf(query) }),
    arbitrary: fc.record({ origin: position, direction }),
    near: [rayNear, rayNear],
    example: { origin: [-500, 0, 0], direction: [1, 0.01, 0.02] },
    invalid: [rayOf([0, 0, 0], [0, 0, 0]), { origin: point([0, 0, 0]) }, { near: -1 }, { far: NaN }],
  }),
  sphereCast: kind<SphereCastArguments>({
    methods: { records: 'castSphereAll', indices: 'collectSphereCast', first: 'castSphere', narrow: 'visitCast' },
    isOrdered: true,
    arguments: (query) => [sphereOf(query.sphere), point(query.motion)],
    reference: (bruteForce, query, options) =>
      bruteForce.castSphere(query.sphere, query.sphere[3], query.motion, options),
    arbitrary: fc.record({ sphere, motion: position }),
    near: [(place) => ({ sphere: [...castStart(place), place.size], motion: castMotion(place) })],
    example: { sphere: [-500, 0, 0, 3], motion: [1000, 10, 20] },
    invalid: [
      { x: 1, y: NaN, z: 0 },
      { x: 2 ** 51, y: 0, z: 0 },
      { x: 1, y: 2 },
    ],
  }),
  boxCast: kind<BoxCastArguments>({
    methods: { records: 'castBoxAll', indices: 'collectBoxCast', first: 'castBox', narrow: 'visitCast' },
    isOrdered: true,
    arguments: (query) => [boxOf(query.box), point(query.motion)],
    reference: (bruteForce, query, options) => bruteForce.castBox(query.box, query.motion, options),
    arbitrary: fc.record({ box, motion: position }),
    near: [(place) => ({ box: boxFrom(castStart(place), place.size), motion: castMotion(place) })],
    example: { box: [-500, -2, -2, -497, 3, 2], motion: [1000, 10, 20] },
    invalid: [],
  }),
  capsule: kind<CapsuleArguments>({
    methods: { records: 'intersect', indices: 'collect' },
    isOrdered: false,
    arguments: ({ start, end, radius }) => [
      volumeOf(library.Capsule, { start: point(start), end: point(end), radius }),
    ],
    reference: (bruteForce, { start, end, radius }, options) => bruteForce.capsule(start, end, radius, options),
    arbitrary: fc.record({ start: position, end: position, radius: extent }),
    near: [(place) => ({ ...segmentNear(place), radius: place.size })],
    example: { start: [-50, -30, -10], end: [50, 30, 20], radius: 30 },
    invalid: [
      { start: point([0, 0, 0]), end: point([1, 0, 0]), radius: -1 },
      { start: point([0, 0, 0]), end: point([1, 0, 0]), radius: NaN },
    ],
  }),
  segment: kind<SegmentArguments>({
    methods: { records: 'intersect', indices: 'collect' },
    isOrdered: false,
    arguments: ({ start, end }) => [volumeOf(library.Segment, { start: point(start), end: point(end) })],
    reference: (bruteForce, { start, end }, options) => bruteForce.capsule(start, end, 0, options),
    arbitrary: fc.record({ start: position, end: position }),
    near: [segmentNear],
    example: { start: [-500, -30, -10], end: [500, 30, 20] },
    invalid: [{ start: point([0, 0, 0]), end: point([NaN, 0, 0]) }, { start: point([0, 0, 0]) }, { start: 0, end: 1 }],
  }),
  orientedBox: kind<OrientedBoxArguments>({
    methods: { records: 'intersect', indices: 'collect' },
    isOrdered: false,
    arguments: (query) => [volumeOf(library.OrientedBox, orientedBoxOf(query))],
    reference: (bruteForce, query, options) => bruteForce.orientedBox(query, options),
    arbitrary: fc.record({
      center: position,
      halfSize: fc.tuple(extent, extent, extent),
      axes: fc.constantFrom(...ROTATIONS),
    }),
    near: [
      ({ spot, size, random }) => ({
        center: spot,
        halfSize: [size, random.pick([0, 1, size]), size / 2],
        axes: random.pick(ROTATIONS),
      }),
    ],
    example: { center: [10, 0, 0], halfSize: [80, 40, 20], axes: rotation(0.5, 0.3) },
    invalid: [
      { center: point([0, 0, 0]), halfSize: point([1, -1, 1]), rotation: { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] } },
      { center: point([0, 0, 0]), halfSize: point([1, 1, 1]), rotation: { elements: [2, 0, 0, 0, 1, 0, 0, 0, 1] } },
      { center: point([0, 0, 0]), halfSize: point([1, 1, 1]), rotation: { elements: [NaN, 0, 0] } },
    ],
  }),
  nearest: kind<NearestArguments & { readonly point: readonly number[] }>({
    methods: { records: 'nearest', indices: 'collectNearest', visit: 'visitNearest' },
    isOrdered: true,
    arguments: (query) => [point(query.point), query.count],
    options: maxDistanceOf,
    reference: (bruteForce, query, options) =>
      bruteForce.nearest(query.point, query.count, { ...options, ...maxDistanceOf(query) }),
    arbitrary: fc.record({ point: position, count: counts }),
    near: [(place) => ({ point: place.spot, ...nearestNear(place) })],
    example: { point: [0, 0, 0], count: 8 },
    invalid: [{ maxDistance: '1' }],
  }),
  nearestToBox: kind<NearestArguments & { readonly box: readonly number[] }>({
    methods: { records: 'nearest', indices: 'collectNearest', visit: 'visitNearest' },
    isOrdered: true,
    arguments: (query) => [boxOf(query.box), query.count],
    options: maxDistanceOf,
    reference: (bruteForce, query, options) =>
      bruteForce.nearest({ box: query.box }, query.count, { ...options, ...maxDistanceOf(query) }),
    arbitrary: fc.record({ box, count: counts }),
    near: [(place) => ({ box: boxFrom(castStart(place), place.size), ...nearestNear(place) })],
    example: { box: [-50, -10, 0, 50, 10, 5], count: 8 },
    invalid: [],
  }),
  nearestToRay: kind<NearestArguments & RayArguments>({
    methods: { records: 'nearest', indices: 'collectNearest', visit: 'visitNearest' },
    isOrdered: true,
    arguments: (query) => [
      new library.RayRange(rayOf([0, 0, 0], [1, 0, 0])).set(
        rayOf(query.origin, query.direction),
        query.near,
        query.far,
      ),
      query.count,
    ],
    options: maxDistanceOf,
    reference: (bruteForce, query, options) => {
      const { origin, direction, near, far } = query;
      return bruteForce.nearest({ origin, direction, near, far }, query.count, { ...options, ...maxDistanceOf(query) });
    },
    arbitrary: fc.record({
      origin: position,
      direction,
      count: counts,
      near: fc.constantFrom(0, 1, 1e9),
      far: fc.constantFrom(0, 1, 100, Infinity),
    }),
    near: [(place) => ({ ...rayNear({ ...place, spot: castStart(place) }), ...nearestNear(place) })],
    example: { origin: [-500, 0, 0], direction: [1, 0.01, 0.02], count: 8 },
    invalid: [],
  }),
  frustum: kind<FrustumArguments>({
    methods: { records: 'intersectFrustum', indices: 'collectFrustum' },
    isOrdered: false,
    arguments: (query) => [planesOf(query.planes)],
    options: ({ minSize, eye }) => ({
      ...(minSize !== undefined && { minSize }),
      ...(eye !== undefined && { eye: point(eye) }),
    }),
    reference: (bruteForce, query, options) => bruteForce.frustum(query.planes, { ...options, ...sizeLimitOf(query) }),
    arbitrary: fc.record(
      {
        planes: fc.array(planeArbitrary(), { minLength: 1, maxLength: 7 }),
        minSize: fc.constantFrom(0, 1e-200, 0.01, 0.25, 1, 2, 100, 1e200),
        eye: position,
      },
      { requiredKeys: ['planes'] },
    ),
    near: [frustumNear],
    example: { planes: CAMERA_PLANES },
    invalid: [
      { planes: null },
      { planes: [null] },
      planesOf([[NaN, 0, 0, 0]]),
      { planes: 'six' },
      { minSize: -1 },
      { minSize: NaN },
      { minSize: Infinity },
      { minSize: '1' },
      { eye: null },
      { eye: { x: 0, y: NaN, z: 0 } },
    ],
  }),
  convex: kind<{ readonly planes: readonly (readonly number[])[] }>({
    methods: { records: 'intersect', indices: 'collect' },
    isOrdered: false,
    arguments: (query) => [volumeOf(library.Convex, planesOf(query.planes).planes)],
    reference: (bruteForce, query, options) => bruteForce.convex(query.planes, options),
    borderline: convexBorderline,
    arbitrary: fc.record({ planes: fc.array(planeArbitrary(), { minLength: 1, maxLength: 4 }) }),
    near: [],
    example: { planes: CAMERA_PLANES },
    invalid: [[null], planesOf([[0, 0, 0, 1]]).planes, planesOf([[1, 0, NaN, 0]]).planes],
  }),
  pairs: kind<PairArguments>({
    methods: { records: 'intersectPairs', indices: 'collectPairs' },
    isOrdered: false,
    arguments: () => [],
    options: pairOptionsOf,
    reference: (bruteForce, query, options) => bruteForce.pairs({ ...options, ...pairOptionsOf(query) }),
    arbitrary: fc.record(
      {
        within: fc.constantFrom(0, 1e-200, 0.5, 1, 2, 1e6, Infinity),
        otherMask: fc.constantFrom(0, 1, 2, 3, -1),
        staticPairs: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    near: [],
    example: {},
    invalid: [{ within: -1 }, { within: NaN }, { otherMask: 0.5 }, { otherMask: '1' }, { staticPairs: 1 }],
  }),
};

function kind<Arguments>(entry: QuerySpec<Arguments>): QuerySpec<Arguments> {
  return entry;
}

function rayNear({ spot, components, step, random }: Place): RayArguments {
  const along = components.every((component) => component === 0) ? [0, step % 2 === 0 ? 1 : -1, 0] : components;
  const back = random.pick([0, 1, 4, 1000]);
  const origin = spot.map((value, axis) => withinLimit(value - along[axis] * back));
  const interval = random.next() < 0.3 ? { near: random.pick([0, 1]), far: random.pick([1, 4, 1000]) } : {};
  // Squares of very short and very long directions would underflow or overflow.
  const length = random.pick([1, 1, 1, 1, 1, 2.5, 1e-170, 1e170]);
  return { origin, direction: along.map((component) => component * length), ...interval };
}

/**
 * One or more motions before the spot, or beside that place by the size of the shape, so that the shape often touches
 * the spot in passing.
 */
function castStart({ spot, size, components, step, random }: Place): number[] {
  const beside = random.pick([0, 0, 1, -1]) * size;
  const back = [1, 1, 0.5, 4][step % 4];
  return spot.map((value, axis) => withinLimit(value + (axis === step % 3 ? beside : 0) - components[axis] * back));
}

/** From 0, 1 or 4 steps before the spot to as many behind it; often beside it by the size of the shape. */
function segmentNear({ spot, size, components, step, random }: Place): SegmentArguments {
  const beside = random.pick([0, 0, 1, -1]) * size;
  const along = (steps: number): number[] =>
    spot.map((value, axis) => withinLimit(value + (axis === step % 3 ? beside : 0) + components[axis] * steps));
  return { start: along(-random.pick([0, 1, 4])), end: along(random.pick([0, 1, 4])) };
}

/** As far as the spot, or beyond it. */
function castMotion({ components, step }: Place): number[] {
  return components.map((component) => component * [1, 1, 3, 1000][step % 4]);
}

function nearestNear({ size, random }: Place): NearestArguments {
  const count = random.pick([1, 2, 8]);
  return random.next() < 0.3 ? { count, maxDistance: size } : { count };
}

/** Mostly planes of the grid, which touch bodies on the grid exactly. Their normals have any length. */
export function planeArbitrary(): fc.Arbitrary<number[]> {
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

/** A limit near the sizes that bodies have, seen from the spot or from nearby. */
function frustumNear({ spot, size, components, random }: Place): FrustumArguments {
  const planes = random.next() < 0.5 ? planesOfBox(boxFrom(spot, size)) : skewPlanes(spot, random);
  if (random.next() < 0.5) return { planes };
  const minSize = random.pick([0.01, 0.25, 1, 2, 10]);
  return random.next() < 0.3
    ? { planes, minSize }
    : {
        planes,
        minSize,
        eye: spot.map((value, axis) => withinLimit(value - components[axis] * random.pick([0, 1, 100]))),
      };
}

/** Bodies that a change of the volume and of the body by ten times the tolerance would add or drop. */
function convexBorderline(
  bruteForce: BruteForce,
  { planes }: { readonly planes: readonly (readonly number[])[] },
): ReadonlySet<number> {
  const undecided = bruteForce.bodies().filter((body) => cullBody(body, planes)?.inside === false);
  return new Set(
    undecided
      .filter((body) => {
        const slack = 1e-8 * Math.max(...body.box.map(Math.abs), 1);
        return touchesWithin(body, planes, slack) && !touchesWithin(body, planes, -slack);
      })
      .map(({ index }) => index),
  );
}

function sizeLimitOf({ minSize, eye }: FrustumArguments): Pick<FrustumArguments, 'minSize' | 'eye'> {
  return { ...(minSize !== undefined && { minSize }), ...(eye !== undefined && { eye }) };
}

function orientedBoxOf({ center, halfSize, axes }: OrientedBoxArguments): library.OrientedBoxLike {
  return { center: point(center), halfSize: point(halfSize), rotation: { elements: axes.flat() } };
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

function pairOptionsOf({ within, otherMask, staticPairs }: PairArguments): PairArguments {
  return {
    ...(within !== undefined && { within }),
    ...(otherMask !== undefined && { otherMask }),
    ...(staticPairs !== undefined && { staticPairs }),
  };
}
