/**
 * Eight scripted scenes, each with a history of 40 ticks, and the hashes of all that they report: the same in every
 * engine, with WebAssembly and without. A hash that differs is a change of results, of their order or of the tree: if
 * it is meant, print the new hashes (test/octree/golden.test.ts) and say in the changelog what has changed.
 */
import { IndexList, intersectPairs, nearest, Octree, trackContacts, watch, type Body } from '../../src/index.ts';
import type { WasmAccelerator } from '../../src/wasm/accelerator.ts';
import { createRandom } from './random.ts';
import { clustered, coincident, flat, gridAligned, huge, translated, uniform } from './scenes.ts';
import { boundsOf, boxOf, cube, planesOf, planesOfBox, rayOf, shapeOf, sphereOf, type Shape } from './shapes.ts';

interface GoldenScene {
  readonly name: string;
  readonly shapes: () => readonly Shape[];
  /**
   * Of the results and their order; of the nodes and the depth of the tree; and of the counts of `stats`, which differ
   * where a filter in Float32 keeps more.
   */
  readonly hashes: readonly [results: string, tree: string, costs: string, costsInWasm: string];
}

export const GOLDEN_SCENES: readonly GoldenScene[] = [
  { name: 'uniform', shapes: () => uniform(300, 1), hashes: ['5d17a1c5', 'ab48617c', 'be733212', 'be733212'] },
  { name: 'clustered', shapes: () => clustered(300, 2), hashes: ['785c98dd', 'e1958b46', '229fcce8', '229fcce8'] },
  { name: 'grid', shapes: () => gridAligned(6), hashes: ['b598b69b', '969de7cd', 'f70dfa8a', '754325eb'] },
  { name: 'flat', shapes: () => flat(300, 3), hashes: ['74b2c2a8', '885dd0d9', '1173c228', '1173c228'] },
  { name: 'coincident', shapes: () => coincident(60), hashes: ['9321a05b', '07b8a445', '37d14698', '37d14698'] },
  {
    name: 'fifteen orders of magnitude',
    shapes: () => huge(300, 4),
    hashes: ['65e6f482', '6516afc5', '431adb81', 'fe04e337'],
  },
  {
    name: 'far from 0',
    shapes: () => translated(uniform(300, 5), 1e7 + 0.3),
    hashes: ['ad22e8c8', '5606a6c5', '2358dd24', 'b65c6e9e'],
  },
  {
    name: 'one far away',
    shapes: () => [...uniform(300, 6), [1e9, 1e9, 1e9, 1]],
    hashes: ['8ab9c388', '30b45ac5', 'c1bad608', 'c1bad608'],
  },
];

/** FNV-1a over the bits of numbers. -0 counts as 0, and NaN does not occur. */
class Hash {
  private value = 0x811c9dc5;
  private readonly float = new Float64Array(1);
  private readonly bytes = new Uint8Array(this.float.buffer);

  add(...numbers: readonly number[]): void {
    for (const number of numbers) {
      this.float[0] = number + 0;
      for (const byte of this.bytes) this.value = Math.imul(this.value ^ byte, 0x01000193) >>> 0;
    }
  }

  get text(): string {
    return this.value.toString(16).padStart(8, '0');
  }
}

/** Plays the history of a scene. Only + - * / and square roots, so the input is the same everywhere too. */
export async function playGolden({ shapes }: GoldenScene, simdFrom: number): Promise<[string, string, string]> {
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
  await (octree.internals.store.tree.accelerator as WasmAccelerator | null)?.ready;
  for (let tick = 0; tick < 40; tick++) {
    for (let k = 0; k < bodies.length; k += 1 + (tick % 5)) move(bodies[k], random.between(-0.5, 0.5));
    if (tick % 7 === 3) bodies.splice(random.below(bodies.length), 1)[0].remove();
    if (tick % 7 === 5) bodies.push(octree.insert(shapeOf(all[tick]), 1000 + tick));
    octree.update();
    for (const list of [contacts.began, contacts.ended, sensor.entered, sensor.left]) addList(results, list);
    ask(octree, around(all[(tick * 17) % all.length], 4), results, costs);
    const { nodes, depth } = octree.statistics;
    tree.add(nodes, depth);
  }
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
  hash.add(length, ...array.subarray(0, length));
}

/** Asks every kind of query at a place. */
function ask(octree: Octree<number>, box: number[], results: Hash, costs: Hash): void {
  const list = new IndexList();
  const [x, y, z] = box;
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  const toMiddle = [0, 1, 2].map((axis) => (box[axis + 3] - box[axis]) / 2);
  octree.collectBox(boxOf(box), list, { stats });
  addList(results, list);
  costs.add(stats.nodesVisited, stats.nodesContained, stats.bodiesReported);
  octree.collectSphere(sphereOf([x, y, z, toMiddle[0] * 2]), list, { mask: 5 });
  addList(results, list);
  octree.collectFrustum(planesOf(planesOfBox(box)), list);
  addList(results, list);
  octree.collectPoint({ x: x + toMiddle[0], y: y + toMiddle[1], z: z + toMiddle[2] }, list);
  addList(results, list);
  const records = [
    ...octree.intersectRay(rayOf([x, y, z], toMiddle)),
    ...nearest(octree, { x, y, z }, 9),
    ...intersectPairs(octree, { mask: 3 }).slice(0, 50),
    ...octree.intersectBox(boxOf(box)),
    ...octree.intersectSphere(sphereOf(cube(x, y, z).slice(0, 3).concat(8))),
  ];
  for (const { body, other, distance, position, normal, inside } of records) {
    results.add(body.index, other?.index ?? -1, distance, Number(inside));
    results.add(position.x, position.y, position.z, normal.x, normal.y, normal.z);
  }
}
