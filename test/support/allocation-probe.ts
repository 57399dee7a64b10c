// Prints the heap bytes that each call allocates after warm-up. Arguments: the names to measure, all if there are none.
// It has to run as built JavaScript in a process of its own, with --expose-gc and with a young generation so large that
// no collection happens meanwhile.

import type { Ray } from 'three';

import {
  assignBands,
  castRays,
  collectPairs,
  IndexList,
  nearest,
  Octree,
  sortByDistance,
  trackContacts,
} from '../../src/index.ts';
import { loadRayStreams } from '../../src/features/ray-bundles/cast-rays.ts';
import { callOf, QUERY_SPECS } from './queries.ts';
import { createRandom } from './random.ts';

const COUNT = 20_000;
const CALLS = 2_000;
/** The query for all pairs of COUNT bodies is slow. */
const PAIR_CALLS = 100;
/** A call casts 400 rays. */
const BATCH_CALLS = 200;
const TICKS = 200;
/** Moves allocate a little in each tick. */
const TICK_ROUNDS = 5;
/** Where V8 is late with its compilation, more rounds are needed. What allocates does so in each. */
const MAX_ROUNDS = 20;
/** Of a call that returns a new record, before those that return none. */
const WARM_UP_ROUNDS = 3;
/** Bytes of all calls of a round that are error of the measurement. */
const NOTHING = 20_000;
/**
 * Empties the young generation, where all that a query allocates is. A full collection would take a third of the time
 * of this process.
 */
const collectGarbage = (): void =>
  (globalThis as unknown as { gc: (options: { type: 'minor' }) => void }).gc({ type: 'minor' });
const random = createRandom(1);

/** An octree of boxes or spheres in a cube of edge 1000 about the origin. */
function fill(kind: 'box' | 'sphere'): Octree {
  const octree = new Octree();
  const bounds = Array.from({ length: COUNT }, () => {
    const [x, y, z, size] = [
      random.between(-500, 500),
      random.between(-500, 500),
      random.between(-500, 500),
      random.between(0.5, 4),
    ];
    return kind === 'box' ? [x - size, y - size, z - size, x + size, y + size, z + size] : [x, y, z, size];
  });
  octree.insertMany(Float64Array.from(bounds.flat()), { kind });
  octree.update();
  return octree;
}

/** Bytes per call: the minimum of the rounds, because in the others V8 may have allocated while it compiled. */
function bytesOf(query: () => void, calls = CALLS, rounds = MAX_ROUNDS): number {
  let min = Infinity;
  for (let round = 0; round < rounds && min * calls > NOTHING; round++) {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let k = 0; k < calls; k++) query();
    min = Math.min(min, (process.memoryUsage().heapUsed - before) / calls);
  }
  return min;
}

/** Enough that a batch is sorted. */
const rays = Float64Array.from(
  Array.from({ length: 400 }, () => [...Array.from({ length: 6 }, () => random.between(-500, 500)), 2000]).flat(),
);
const hits = { indices: new Int32Array(400), distances: new Float64Array(400), normals: new Float64Array(1200) };
const RAY = QUERY_SPECS.find(({ methods }) => methods.any === 'hasHit')!;

/** Methods that several kinds of query have in common. */
const NAMES = QUERY_SPECS.map(({ methods }) => methods.indices);
const SHARED = new Set(NAMES.filter((name, k) => NAMES.indexOf(name) !== k));

await loadRayStreams();

const list = new IndexList(COUNT);
const bytes: Record<string, number> = {};
/**
 * The process ends as soon as it has measured these; without any it measures all. What comes before them runs as
 * always, because V8 optimizes for it.
 */
const asked = process.argv.slice(2);
for (const kind of ['box', 'sphere'] as const) {
  const octree = fill(kind);
  for (const { methods, example, ...spec } of QUERY_SPECS) {
    // Bound, because a call with spread arguments would allocate an array.
    const query = callOf(octree, methods.indices).bind(null, ...spec.arguments(example), list);
    // A method of several kinds of query counts with the one that allocates most. V8 compiles it once more for the
    // second kind.
    const name = `${methods.indices}, ${kind}`;
    if (SHARED.has(methods.indices)) bytesOf(query);
    bytes[name] = Math.max(bytes[name] ?? 0, bytesOf(query, methods.indices === 'collectPairs' ? PAIR_CALLS : CALLS));
    if (methods.any === undefined) continue;
    const anyQuery = callOf(octree, methods.any).bind(null, ...spec.arguments(example));
    bytes[`${methods.any}, ${kind}`] = bytesOf(anyQuery);
  }
  const [ray] = RAY.arguments(RAY.example) as [Ray];
  bytesOf(() => void octree.firstHit(ray), CALLS, WARM_UP_ROUNDS);
  bytes[`firstHitIndex, ${kind}`] = bytesOf(() => octree.firstHitIndex(ray));
  // Not the first record: V8 changes the layout of its class when the first numbers are written that are not integers.
  const record = octree.firstHit(ray)!;
  bytes[`firstHit with a target, ${kind}`] = bytesOf(() => void octree.firstHit(ray, undefined, record));
  bytes[`castRays, ${kind}`] = bytesOf(() => castRays(octree, rays, hits), BATCH_CALLS);
  endIfMeasured();
}
// The body to leave out is the nearest one to the origin, where the examples are.
const excepting = fill('box');
const nearestBody = nearest(excepting, { x: 0, y: 0, z: 0 }, 1)[0].body;
for (const name of ['collectBox', 'collectRay', 'collectNearest'] as const) {
  const { example, ...spec } = QUERY_SPECS.find(({ methods }) => methods.indices === name)!;
  const query = callOf(excepting, name).bind(null, ...spec.arguments(example), list, { except: nearestBody });
  bytes[`${name}, except`] = bytesOf(query);
}
const [line] = RAY.arguments(RAY.example) as [Ray];
const first = { except: excepting.firstHit(line)!.body };
bytes['firstHitIndex, except'] = bytesOf(() => excepting.firstHitIndex(line, first));
const visible = new IndexList(COUNT);
excepting.collectBox({ min: { x: -300, y: -300, z: -300 }, max: { x: 300, y: 300, z: 300 } }, visible);
const bands = new Uint8Array(COUNT);
const distances = [50, 100, 200];
const eye = { x: 0, y: 0, z: 0 };
bytes.sortByDistance = bytesOf(() => void sortByDistance(excepting, visible, eye), 200);
bytes.assignBands = bytesOf(() => void assignBands(excepting, visible, eye, distances, bands, 0.1), 200);
endIfMeasured();
// One node with many bodies: with looseness 1 every body on a splitting plane of the root stays in the root.
const piled = new Octree({ looseness: 1, region: { min: { x: -512, y: -512, z: -512 }, edge: 1024 } });
piled.insertMany(
  Float64Array.from(Array.from({ length: 200 }, (_, k) => [2 * k - 200, -1, -1, 2 * k - 199, 1, 1]).flat()),
  { kind: 'box' },
);
bytes['collectPairs, piled'] = bytesOf(() => collectPairs(piled, list), 2000);
// What contacts add to an update in which bodies move. Their lists are long enough after the first ticks.
bytes['update, contacts'] = bytesOfTicks((octree) => void trackContacts(octree)) - bytesOfTicks(() => undefined);
console.log(JSON.stringify(bytes));

function endIfMeasured(): void {
  if (asked.length === 0 || asked.some((name) => !(name in bytes))) return;
  console.log(JSON.stringify(bytes));
  process.exit();
}

/**
 * Bytes per moving body and tick of an octree with crowded bodies, a tenth of which moves to and fro. Each touches two
 * neighbours, and up to seven more while it is away from its place.
 */
function bytesOfTicks(prepare: (octree: Octree) => void): number {
  const octree = new Octree();
  const boxes = Float64Array.from(
    Array.from({ length: 2000 }, (_, k) => [
      k % 20,
      (k / 20) % 10,
      k / 200,
      1.05 + (k % 20),
      0.95 + ((k / 20) % 10),
      0.95 + k / 200,
    ]).flat(),
  );
  const indices = octree.insertMany(boxes, { kind: 'box' });
  prepare(octree);
  const moving = indices.filter((index) => index % 10 === 0);
  const places = [0, 0.25, 0.5, 0.25].map((shift) =>
    Float64Array.from(
      [...moving].flatMap((index) => [...boxes.subarray(6 * index, 6 * index + 6)].map((value) => value + shift)),
    ),
  );
  let ticks = 0;
  const tick = (): void => {
    octree.moveMany(moving, places[ticks++ % places.length]);
    octree.update();
  };
  return bytesOf(tick, TICKS, TICK_ROUNDS) / moving.length;
}
