/** Bodies far from all others: they change neither the results of a query that does not reach them, nor its cost. */
import { PerspectiveCamera } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Octree, QueryStats } from '../../src/index.ts';
import {
  castRays,
  collect,
  collectNearest,
  collectVisible,
  IndexList,
  OrientedBox,
  RayRange,
} from '../../src/index.ts';
import { loadRayStreams } from '../../src/features/ray-bundles/cast-rays.ts';
import { octreeOf, region } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { queryFirst, queryIndices, randomQueryNear, type Query } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { boundsOf, cube, planesOfBox, point, rayOf, type Shape } from '../support/shapes.ts';
import { Twin } from '../support/twin.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const FAR: Record<string, readonly Shape[]> = {
  'one that fell to -1e9': [cube(0, -1e9, 0)],
  'one sphere at 1e9': [[1e9, 1e9, 1e9, 0.5]],
  'ten around 1e9': Array.from({ length: 10 }, (_, k) => cube(1e9 * Math.cos(k), 1e9 * Math.sin(k), 1e8 * k)),
  '1 %': Array.from({ length: 30 }, (_, k) => cube(1e9 * Math.cos(k), 1e9 * Math.sin(3 * k), 1e9 * Math.sin(7 * k))),
  'one near 2^50': [cube(0, 8 - 2 ** 50, 0)],
  'two at opposite ends of 2^50': [cube(2 ** 50 - 8, 2 ** 50 - 8, 8 - 2 ** 50), cube(8 - 2 ** 50, 0, 0)],
  'one in each octave up to 2^49': Array.from({ length: 40 }, (_, k) =>
    cube(2 ** (k + 10) * Math.cos(k), 2 ** (k + 10) * Math.sin(k), 0),
  ),
  'a large one': [cube(3e8, -1e9, 0, 1e8)],
};
const CASES = Object.keys(FAR).flatMap((far) => [0, Infinity].map((simdFrom) => ({ far, simdFrom })));

describe('bodies far away', () => {
  it.each(CASES)(
    'every query finds what a loop finds, near them and elsewhere: $far, simdFrom $simdFrom',
    (testCase) => {
      const random = createRandom(5);
      const twin = new Twin({ simdFrom: testCase.simdFrom, leafCapacity: 2 });
      const near = uniform(150, 3, 40, 4);
      for (const shape of [...near, ...FAR[testCase.far]]) twin.insert(shape);
      const moving = uniform(20, 4, 40, 2).map((shape) => twin.insert(shape)!);
      for (let step = 0; step < 200; step++) {
        if (step % 40 === 0) {
          for (const body of moving) twin.move(body, random.pick(uniform(5, step, 40, 2)));
          twin.update();
        }
        const shape = step % 8 === 7 ? random.pick(FAR[testCase.far]) : random.pick(near);
        twin.expectQuery(randomQueryNear(step, boundsOf(shape), random), { form: 'indices' });
      }
    },
  );
});

const BODIES = 1500;
const PLACES = 20;
const near = uniform(BODIES, 1, 1000);

/** Queries in all parts of the scene, as what they add to the costs. */
const QUERIES: Record<string, (octree: Octree<number>, stats: QueryStats, at: number[], to: number[]) => unknown> = {
  firstHit: (octree, stats, at, to) => queryFirst(octree, { kind: 'ray', origin: at, direction: to }, { stats }),
  ray: ofKind((at, to) => ({ kind: 'ray', origin: at, direction: to })),
  castRays: (octree, stats, at, to) => {
    const rays = Float64Array.from(
      Array.from({ length: 64 }, (_, k) => [...at, to[0], to[1] + k / 64, to[2], 500]).flat(),
    );
    castRays(octree, rays, { indices: new Int32Array(64), distances: new Float64Array(64) }, { stats });
  },
  sphereCast: ofKind((at, to) => ({ kind: 'sphereCast', sphere: [...at, 2], motion: to.map((v) => 200 * v) })),
  boxCast: ofKind((at, to) => ({ kind: 'boxCast', box: cube(at[0], at[1], at[2], 2), motion: to.map((v) => 200 * v) })),
  // With a filter: without one, the cost depends on the queries before.
  nearest: (octree, stats, at) => collectNearest(octree, point(at), 4, new IndexList(), { stats, filter: () => true }),
  'nearest to a ray': (octree, stats, at, to) =>
    collectNearest(octree, new RayRange(rayOf(at, to), 0, 300), 4, new IndexList(), { stats }),
  frustum: ofKind((at) => ({ kind: 'frustum', planes: planesOfBox(cube(at[0], at[1], at[2], 90)) })),
  'small bodies': ofKind((at) => ({
    kind: 'frustum',
    planes: planesOfBox(cube(at[0], at[1], at[2], 900)),
    minSize: 1.5,
    eye: at,
  })),
  collectVisible: (octree, stats, at, to) => {
    const camera = new PerspectiveCamera(60, 1, 1, 400);
    camera.position.fromArray(at);
    camera.lookAt(at[0] + to[0], at[1] + to[1], at[2] + to[2]);
    camera.updateMatrixWorld();
    collectVisible(octree, camera, new IndexList(), { stats, minRemoved: 0 });
  },
  box: ofKind((at) => ({ kind: 'box', box: cube(at[0], at[1], at[2], 30) })),
  sphere: ofKind((at) => ({ kind: 'sphere', sphere: [...at, 30] })),
  point: ofKind((at) => ({ kind: 'point', point: at })),
  capsule: ofKind((at, to) => ({ kind: 'capsule', start: at, end: at.map((v, axis) => v + 60 * to[axis]), radius: 4 })),
  convex: ofKind((at) => ({ kind: 'convex', planes: planesOfBox(cube(at[0], at[1], at[2], 90)) })),
  orientedBox: (octree, stats, at) =>
    collect(
      octree,
      new OrientedBox({
        center: point(at),
        halfSize: point([40, 10, 20]),
        rotation: { elements: [0.8, 0.6, 0, -0.6, 0.8, 0, 0, 0, 1] },
      }),
      new IndexList(),
      { stats },
    ),
  pairs: ofKind(() => ({ kind: 'pairs' })),
};

function ofKind(
  query: (at: number[], to: number[]) => unknown,
): (octree: Octree<number>, stats: QueryStats, at: number[], to: number[]) => unknown {
  return (octree, stats, at, to) => queryIndices(octree, query(at, to) as Query, new IndexList(), { stats });
}

/** Bodies tested and nodes visited by one kind of query. */
function costs(octree: Octree<number>, name: string): { tested: number; visited: number } {
  const random = createRandom(9);
  let [tested, visited] = [0, 0];
  for (let k = 0; k < (name === 'pairs' ? 1 : PLACES); k++) {
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const at = [0, 1, 2].map(() => random.between(-450, 450));
    QUERIES[name](
      octree,
      stats,
      at,
      [0, 1, 2].map(() => random.between(-1, 1)),
    );
    tested += stats.bodiesTested;
    visited += stats.nodesVisited;
  }
  return { tested, visited };
}

describe('counted cost with bodies far away', () => {
  // Cells of the same places, so that only the bodies far away make a difference.
  const plain = [0, Infinity].map(
    (simdFrom) => octreeOf(near, { simdFrom, region: region(-(2 ** 51), 2 ** 52) }).octree,
  );

  it.each(CASES)(
    'is that without them, but for the nodes above the scene: $far, simdFrom $simdFrom',
    async (testCase) => {
      await loadRayStreams();
      const far = FAR[testCase.far];
      const without = plain[testCase.simdFrom === 0 ? 0 : 1];
      const { octree, bodies } = octreeOf([...near, ...far], {
        simdFrom: testCase.simdFrom,
        region: region(-(2 ** 51), 2 ** 52),
      });
      octree.update();
      // Nodes above the scene that hold another body too: one or two for each octant, or one in each octave.
      const above = testCase.far.includes('octave') ? 40 : 10;
      const worse: unknown[] = [];
      for (const name of Object.keys(QUERIES)) {
        const [a, b] = [costs(without, name), costs(octree, name)];
        const queries = name === 'castRays' ? PLACES * 64 : PLACES;
        // A search from a ray begins where the box around a body far away and a part of the scene is nearest.
        const ratio = name === 'nearest to a ray' ? 1.5 : 1.1;
        if (b.tested > ratio * a.tested + queries || b.visited > ratio * a.visited + above * queries)
          worse.push({ name, a, b });
      }
      expect(worse).toEqual([]);
      for (let k = BODIES; k < bodies.length; k++) bodies[k].remove();
      for (let tick = 0; tick < 100; tick++) octree.update();
      for (const name of Object.keys(QUERIES)) {
        const [a, b] = [costs(without, name), costs(octree, name)];
        if (b.tested > 1.05 * a.tested || b.visited > 1.05 * a.visited) worse.push({ name, a, b });
      }
      expect(worse).toEqual([]);
    },
  );
});
