/**
 * The octree against a tuned brute force, compiled, in one interleaved run: `npm run bench -- [bodies]`. Prints a table; only the ratios
 * can be compared between runs and machines. Both give the same answers, or the run ends.
 */

import { cpus } from 'node:os';
import { Frustum, Matrix4, PerspectiveCamera, Ray, Vector3 } from 'three';
import { IndexList, Octree, type QueryStats } from '../../src/index.ts';
import { createRandom } from '../support/random.ts';
import { FlatBruteForce } from './flat-brute-force.ts';
import { race } from './measure.ts';

const WORLD = 4096;
/** World units an update, along each axis: a body of four units that flies eight times its size a second. */
const MOST_SPEED = 0.5;
const count = Number(process.argv[2] ?? 100_000);
const source = createRandom(1);
const random = (): number => source.next();

/** Boxes with half extents from 0.5 to 4, one in a hundred up to 100. */
function uniformBoxes(n: number): Float64Array {
  const boxes = new Float64Array(n * 6);
  for (let k = 0; k < n; k++) {
    const most = random() < 0.01 ? 100 : 4;
    for (let axis = 0; axis < 3; axis++) {
      const half = 0.5 + random() * (most - 0.5);
      const centre = random() * WORLD;
      boxes[k * 6 + axis] = centre - half;
      boxes[k * 6 + axis + 3] = centre + half;
    }
  }
  return boxes;
}

function frusta(far: number): Frustum[] {
  return Array.from({ length: 20 }, () => {
    const camera = new PerspectiveCamera(60, 16 / 9, 1, far);
    camera.position.set(random() * WORLD, random() * WORLD, random() * WORLD);
    camera.lookAt(camera.position.x + random() - 0.5, camera.position.y + random() - 0.5, camera.position.z + random() - 0.5);
    camera.updateMatrixWorld();
    return new Frustum().setFromProjectionMatrix(new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
  });
}

/** Cycles through prepared arguments, so that both rivals answer the same questions in the same order. */
function each<A>(args: readonly A[], ask: (arg: A) => number): () => number {
  return () => {
    let sum = 0;
    for (const arg of args) sum += ask(arg);
    return sum;
  };
}

const boxes = uniformBoxes(count);
const brute = new FlatBruteForce(boxes);
const octree = new Octree();
const list = new IndexList(count);
const indices = octree.insertMany(boxes, { kind: 'box' });
octree.update();

const rows: { scenario: string; brute: number; octree: number; per: number }[] = [];

function compare(scenario: string, per: number, runBrute: () => number, runOctree: () => number, agree = true): void {
  const timings = race([{ name: 'brute', run: runBrute }, { name: 'octree', run: runOctree }], agree);
  rows.push({ scenario, brute: timings.get('brute')!.median / per, octree: timings.get('octree')!.median / per, per });
  const { brute: b, octree: o } = rows[rows.length - 1];
  console.log(`${scenario.padEnd(28)} brute ${format(b)}  octree ${format(o)}  ratio ${(b / o).toFixed(2)}`);
}

function format(ms: number): string {
  return (ms >= 0.1 ? `${ms.toFixed(3)} ms` : `${(ms * 1000).toFixed(2)} us`).padStart(12);
}

console.log(`${count} boxes in ${WORLD}^3, Node ${process.version}, ${cpus()[0].model}`);
console.log(`${octree.statistics.nodes} nodes, depth ${octree.statistics.depth}, ${(octree.statistics.bytes / count).toFixed(0)} bytes a body`);

/** Mean costs of the octree's answers, beside the times. */
function tell(asks: number, ask: (k: number, stats: QueryStats) => void): void {
  const sum: QueryStats = { nodesVisited: 0, nodesWhole: 0, bodiesTested: 0, bodiesReported: 0 };
  for (let k = 0; k < asks; k++) {
    const stats = { ...sum };
    ask(k, stats);
    for (const name of ['nodesVisited', 'nodesWhole', 'bodiesTested', 'bodiesReported'] as const) sum[name] += stats[name] / asks;
  }
  const { nodesVisited, nodesWhole, bodiesTested, bodiesReported } = sum;
  const counts = [nodesVisited, nodesWhole, bodiesTested, bodiesReported].map((value) => value.toFixed(0));
  console.log(`  a query: ${counts[0]} nodes visited, ${counts[1]} taken whole, ${counts[2]} bodies tested, ${counts[3]} reported`);
}

for (const far of [1500, 6000]) {
  const cameras = frusta(far);
  compare(`cull, far ${far}`, cameras.length, each(cameras, (f) => brute.cull(f)), each(cameras, (f) => octree.collectFrustum(f, list)));
  tell(cameras.length, (k, stats) => octree.collectFrustum(cameras[k], list, { stats }));
}

const rays = Array.from({ length: 20 }, () => {
  const origin = new Vector3(random() * WORLD, random() * WORLD, random() * WORLD);
  return new Ray(origin, new Vector3(random() - 0.5, random() - 0.5, random() - 0.5).normalize());
});
compare('ray, first hit', rays.length, each(rays, (ray) => brute.firstHit(ray)), each(rays, (ray) => octree.firstHit(ray)?.body.index ?? -1));
tell(rays.length, (k, stats) => void octree.firstHit(rays[k], { stats }));
compare('ray, all hits', rays.length, each(rays, (ray) => brute.allHits(ray)), each(rays, (ray) => octree.collectRay(ray, list)));

const points = Array.from({ length: 20 }, () => new Vector3(random() * WORLD, random() * WORLD, random() * WORLD));
const half = 0.5 * WORLD * Math.cbrt(30 / count);
compare(
  'box, about 30 results',
  points.length,
  each(points, ({ x, y, z }) => brute.box(x - half, y - half, z - half, x + half, y + half, z + half)),
  each(points, ({ x, y, z }) =>
    octree.collectBox({ min: { x: x - half, y: y - half, z: z - half }, max: { x: x + half, y: y + half, z: z + half } }, list),
  ),
);
const radius = half * 1.24;
compare(
  'sphere, about 30 results',
  points.length,
  each(points, ({ x, y, z }) => brute.sphere(x, y, z, radius)),
  each(points, (center) => octree.collectSphere({ center, radius }, list)),
);
compare(
  '8 nearest',
  points.length,
  each(points, ({ x, y, z }) => brute.nearest(x, y, z, 8)),
  each(points, (point) => octree.collectNearest(point, 8, list)),
  false,
);

/** Bodies that fly about and bounce off the walls; one step in a thousand is a teleport. The same seed makes the same motion. */
class Motion {
  readonly moving: Uint32Array;
  readonly batch: Float64Array;
  private readonly boxes = boxes.slice();
  private readonly velocities: Float64Array;
  private readonly random = createRandom(2);

  constructor(share: number) {
    this.moving = Uint32Array.from({ length: count * share }, (_, k) => Math.floor(k / share));
    this.batch = new Float64Array(this.moving.length * 6);
    this.velocities = Float64Array.from({ length: count * 3 }, () => (this.random.next() - 0.5) * MOST_SPEED * 2);
  }

  step(): void {
    const { moving, batch, boxes: mine, velocities } = this;
    for (let k = 0; k < moving.length; k++) {
      const body = moving[k];
      const teleports = this.random.next() < 0.001;
      for (let axis = 0; axis < 3; axis++) {
        const at = body * 6 + axis;
        let step = velocities[body * 3 + axis];
        if (teleports) step = this.random.next() * WORLD - mine[at];
        else if (mine[at] + step < 0 || mine[at + 3] + step > WORLD) step = velocities[body * 3 + axis] = -step;
        mine[at] += step;
        mine[at + 3] += step;
        batch[k * 6 + axis] = mine[at];
        batch[k * 6 + axis + 3] = mine[at + 3];
      }
    }
  }
}

const [camera] = frusta(1500);
for (const share of [0.01, 0.1, 1]) {
  const bruteMotion = new Motion(share);
  const octreeMotion = new Motion(share);
  compare(
    `${share * 100} % move + one cull`,
    1,
    () => {
      bruteMotion.step();
      const { moving, batch } = bruteMotion;
      for (let k = 0; k < moving.length; k++) brute.move(moving[k], batch, k * 6);
      return brute.cull(camera);
    },
    () => {
      octreeMotion.step();
      octree.moveMany(octreeMotion.moving, octreeMotion.batch);
      octree.update();
      return octree.collectFrustum(camera, list);
    },
    false,
  );
}

const fresh = uniformBoxes(1000);
let turn: Uint32Array = indices.slice(0, 1000);
compare(
  '1,000 added, 1,000 removed + cull',
  1,
  () => {
    for (let k = 0; k < 1000; k++) brute.move(Math.floor(random() * count), fresh, k * 6);
    return brute.cull(camera);
  },
  () => {
    octree.removeMany(turn);
    turn = octree.insertMany(fresh, { kind: 'box' });
    octree.update();
    return octree.collectFrustum(camera, list);
  },
  false,
);

{
  const still = uniformBoxes(count);
  const bruteStill = new FlatBruteForce(still);
  const octreeStill = new Octree();
  octreeStill.insertMany(still, { kind: 'box' });
  octreeStill.update();
  compare('all pairs', 1, () => bruteStill.pairs(), () => octreeStill.collectPairs(list));
  const begin = performance.now();
  for (let k = 0; k < 3; k++) {
    const again = new Octree();
    again.insertMany(still, { kind: 'box' });
    again.update();
  }
  console.log(`bulk build ${((performance.now() - begin) / 3).toFixed(1)} ms`);
}
