/**
 * Eight scripted scenes, each with a history of 40 ticks, and the hashes of all that they report: the same in every
 * engine, with WebAssembly and without. A hash that differs is a change of results, of their order or of the tree: if
 * it is meant, print the new hashes (test/octree/golden.test.ts) and say in the changelog what has changed.
 */
import {
  Capsule,
  castBoxAll,
  castSphereAll,
  collect,
  collectBoxCast,
  collectNearest,
  collectPairs,
  collectSphereCast,
  Convex,
  IndexList,
  intersect,
  intersectPairs,
  nearest,
  Octree,
  OrientedBox,
  RayRange,
  Segment,
  trackContacts,
  watch,
  type Body,
  type IntersectionRecord,
  type QueryStats,
} from '../../src/index.ts';
import { createRandom } from './random.ts';
import { clustered, coincident, flat, gridAligned, huge, translated, uniform } from './scenes.ts';
import { boundsOf, boxOf, cube, planesOf, planesOfBox, point, rayOf, shapeOf, sphereOf, type Shape } from './shapes.ts';

interface GoldenScene {
  readonly name: string;
  readonly shapes: () => readonly Shape[];
  /**
   * Of the results and their order; of the statistics of the tree; and of the counts of `stats`, which differ
   * where a filter in Float32 keeps more.
   */
  readonly hashes: readonly [results: string, tree: string, costs: string, costsInWasm: string];
}

export const GOLDEN_SCENES: readonly GoldenScene[] = [
  { name: 'uniform', shapes: () => uniform(300, 1), hashes: ['1eaed323', 'f637be6e', '8ed1d0a3', 'b79ba57e'] },
  { name: 'clustered', shapes: () => clustered(300, 2), hashes: ['e9bcf47c', '05ed4227', 'ce73f285', '3f4d2611'] },
  { name: 'grid', shapes: () => gridAligned(6), hashes: ['864efb33', '96ff150d', '3b64beba', '2880abcd'] },
  { name: 'flat', shapes: () => flat(300, 3), hashes: ['7424e107', 'feb35c85', 'ac5418f5', 'b9a90799'] },
  { name: 'coincident', shapes: () => coincident(60), hashes: ['3d316bef', '18e4a179', '09c88e9f', '69297db1'] },
  {
    name: 'fifteen orders of magnitude',
    shapes: () => huge(300, 4),
    hashes: ['979b165a', '5c6c353a', 'ba325f43', '2cc056c8'],
  },
  {
    name: 'far from 0',
    shapes: () => translated(uniform(300, 5), 1e7 + 0.3),
    hashes: ['48807646', '82c9615a', 'fedb1170', '4084809d'],
  },
  {
    name: 'one far away',
    shapes: () => [...uniform(300, 6), [1e9, 2e8, -3e7, 1]],
    hashes: ['6c9d1bad', '4f2a2830', 'a109bb42', '52ae74ec'],
  },
];

/** A rotation in exact numbers: no sine, whose last bit differs between engines. */
const TURN = [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1];

/** A hash of the bits of numbers. -0 counts as 0, and NaN does not occur. */
class Hash {
  private value = 0x811c9dc5;
  private readonly float = new Float64Array(1);
  private readonly words = new Int32Array(this.float.buffer);

  add(...numbers: readonly number[]): void {
    for (const number of numbers) this.addOne(number);
  }

  addOne(number: number): void {
    const { float, words } = this;
    float[0] = number + 0;
    for (let k = 0; k < 2; k++) {
      const value = Math.imul(this.value ^ words[k], 0x01000193);
      this.value = value ^ (value >>> 15);
    }
  }

  get text(): string {
    return (this.value >>> 0).toString(16).padStart(8, '0');
  }
}

/** Plays the history of a scene. Only + - * / and square roots, so the input is the same everywhere too. */
export function playGolden({ shapes }: GoldenScene, simdFrom: number): [string, string, string] {
  const octree = new Octree<number>({ leafCapacity: 8, simdFrom });
  const random = createRandom(99);
  const all = shapes();
  const bodies: Body<number>[] = all.map((shape, k) => octree.insert(shapeOf(shape), k, { mask: 1 << (k % 3) }));
  const results = new Hash();
  const tree = new Hash();
  const costs = new Hash();
  const contacts = trackContacts(octree, { within: 0.25 });
  const sensor = watch(octree, boxOf(around(all[0], 8)));
  octree.update();
  for (let tick = 0; tick < 40; tick++) {
    for (let k = 0; k < bodies.length; k += 1 + (tick % 5)) move(bodies[k], random.between(-0.5, 0.5));
    if (tick % 7 === 3) bodies.splice(random.below(bodies.length), 1)[0].remove();
    if (tick % 7 === 5) bodies.push(octree.insert(shapeOf(all[tick]), 1000 + tick));
    octree.update();
    for (const list of [contacts.began, contacts.ended, sensor.entered, sensor.left]) addList(results, list);
    ask(octree, around(all[(tick * 17) % all.length], 4), results, costs);
    const { nodes, depth, nodesCreated, nodesReused, nodesExpired, nodesMerged, bodiesRelocated } = octree.statistics;
    tree.add(nodes, depth, nodesCreated, nodesReused, nodesExpired, nodesMerged, bodiesRelocated);
  }
  addRecords(results, intersectPairs(octree, { mask: 3 }));
  octree.clear();
  return [results.text, tree.text, costs.text];
}

function around(shape: Shape, reach: number): number[] {
  return boundsOf(shape).map((value, k) => (k < 3 ? value - reach : value + reach));
}

function move(body: Body<number>, step: number): void {
  const { min, max } = body.getBox();
  body.setCenter({ x: (min.x + max.x) / 2 + step, y: (min.y + max.y) / 2 - step / 2, z: (min.z + max.z) / 2 });
}

function addList(hash: Hash, { array, length }: IndexList): void {
  hash.addOne(length);
  for (let k = 0; k < length; k++) hash.addOne(array[k]);
}

/** Asks every kind of query at a place. */
function ask(octree: Octree<number>, box: number[], results: Hash, costs: Hash): void {
  const list = new IndexList();
  const [x, y, z] = box;
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  const toMiddle = [0, 1, 2].map((axis) => (box[axis + 3] - box[axis]) / 2);
  const middle = toMiddle.map((half, axis) => box[axis] + half);
  const [corner, centre] = [point(box), point(middle)];
  const start = point([x - 8, y, z + 1]);
  const planes = planesOf(planesOfBox(box));
  const ray = rayOf([x, y, z], toMiddle);
  const volumes = [
    new Capsule({ start: corner, end: centre, radius: toMiddle[0] / 4 }),
    new Segment({ start, end: centre }),
    new OrientedBox({ center: centre, halfSize: point(toMiddle), rotation: { elements: TURN } }),
    new Convex([...planes.planes].slice(0, 3)),
  ];
  const queries: ((options: { stats: QueryStats }) => number)[] = [
    (options) => octree.collectBox(boxOf(box), list, options),
    (options) => octree.collectSphere(sphereOf([x, y, z, toMiddle[0] * 2]), list, { mask: 5, ...options }),
    (options) => octree.collectFrustum(planes, list, options),
    (options) => octree.collectFrustum(planes, list, { minSize: 0.25, eye: start, ...options }),
    (options) => octree.collectPoint(centre, list, options),
    (options) => octree.collectRay(ray, list, options),
    (options) => Number(octree.hasHit(ray, { near: 1, far: 20, ...options })),
    (options) => octree.firstHitIndex(rayOf([x - 8, y, z + 1], toMiddle), options),
    (options) => collectSphereCast(octree, sphereOf([x, y, z, toMiddle[0] / 4]), centre, list, options),
    (options) => collectBoxCast(octree, boxOf([x, y, z, ...middle]), start, list, options),
    (options) => collectNearest(octree, centre, 9, list, options),
    (options) => collectNearest(octree, boxOf([x, y, z, ...middle]), 5, list, { maxDistance: 20, ...options }),
    (options) => collectNearest(octree, new RayRange(ray, 1, 30), 5, list, options),
    (options) => collectPairs(octree, list, { mask: 3, within: 0.25, ...options }),
    ...volumes.map((volume) => (options: { stats: QueryStats }) => collect(octree, volume, list, options)),
  ];
  for (const query of queries) {
    list.length = 0;
    results.add(query({ stats }));
    addList(results, list);
    costs.add(stats.nodesVisited, stats.nodesContained, stats.bodiesTested);
  }
  const records = [
    ...octree.intersectRay(ray),
    ...nearest(octree, { x, y, z }, 9),
    ...octree.intersectBox(boxOf(box)),
    ...octree.intersectSphere(sphereOf(cube(x, y, z).slice(0, 3).concat(8))),
    ...castSphereAll(octree, sphereOf([x, y, z, toMiddle[0] / 4]), centre),
    ...castBoxAll(octree, boxOf([x, y, z, ...middle]), start),
    ...volumes.flatMap((volume) => intersect(octree, volume)),
  ];
  addRecords(results, records);
}

function addRecords(hash: Hash, records: readonly IntersectionRecord<number>[]): void {
  for (const { body, other, distance, position, normal, inside } of records) {
    hash.add(body.index, other?.index ?? -1, distance, Number(inside));
    hash.add(position.x, position.y, position.z, normal.x, normal.y, normal.z);
  }
}
