/** Mean visit counts per query, as a table in Markdown. They are the same on every machine. */

import {
  Capsule,
  castSphere,
  collect,
  collectNearest,
  Convex,
  IndexList,
  Octree,
  OrientedBox,
  type QueryStats,
  RayRange,
} from '../../src/index.ts';
import { makeQueries } from './queries.ts';
import type { Scene } from './scenes/scene.ts';

const NEAREST = 8;
/** Child boxes that one visit of a node tests, at most. */
const CHILDREN = 8;

type Query = (stats: QueryStats) => unknown;

export function queryCountsTable(scene: Scene): string {
  const octree = new Octree();
  octree.insertMany(scene.boxes, { kind: 'box', isStatic: true });
  octree.update();
  const list = new IndexList();
  const { near, far, rays, casts, boxes, turnedBoxes, convexes, spheres, points, smallBoxes } = makeQueries(scene);
  const kinds: [string, Query[]][] = [
    [
      'cull, far 1500',
      near.map(
        ({ frustum }) =>
          (stats) =>
            octree.collectFrustum(frustum, list, { stats }),
      ),
    ],
    [
      'cull, far 6000',
      far.map(
        ({ frustum }) =>
          (stats) =>
            octree.collectFrustum(frustum, list, { stats }),
      ),
    ],
    ['ray, first hit', rays.map((ray) => (stats) => octree.firstHit(ray, { stats }))],
    ['ray, any hit', rays.map((ray) => (stats) => octree.hasHit(ray, { stats }))],
    ['ray, all hits', rays.map((ray) => (stats) => octree.collectRay(ray, list, { stats }))],
    [
      'sphere cast, first hit',
      casts.map(
        ({ sphere, motion }) =>
          (stats) =>
            castSphere(octree, sphere, motion, { stats }),
      ),
    ],
    ['box, 30 results', boxes.map((box) => (stats) => octree.collectBox(box, list, { stats }))],
    ['sphere, 30 results', spheres.map((sphere) => (stats) => octree.collectSphere(sphere, list, { stats }))],
    [
      'capsule, 500 long',
      casts.map(
        ({ sphere: { center, radius }, motion }) =>
          (stats) =>
            collect(octree, new Capsule({ start: center, end: motion.clone().add(center), radius }), list, { stats }),
      ),
    ],
    [
      'oriented box, 30 results',
      turnedBoxes.map((box) => (stats) => collect(octree, new OrientedBox(box), list, { stats })),
    ],
    [
      'convex volume, 8 planes',
      convexes.map((planes) => (stats) => collect(octree, new Convex(planes), list, { stats })),
    ],
    ['8 nearest', points.map((point) => (stats) => collectNearest(octree, point, NEAREST, list, { stats }))],
    ['8 nearest to a box', smallBoxes.map((box) => (stats) => collectNearest(octree, box, NEAREST, list, { stats }))],
    [
      '8 nearest to a ray',
      rays.map((ray) => (stats) => collectNearest(octree, new RayRange(ray), NEAREST, list, { stats })),
    ],
  ];
  const lines = kinds.map(([name, queries]) => {
    const total: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    for (const query of queries) {
      const stats = { ...total };
      query(stats);
      for (const key of Object.keys(total) as (keyof QueryStats)[]) total[key] += stats[key];
    }
    const mean = (sum: number): string => (sum / queries.length).toFixed(sum < 100 * queries.length ? 1 : 0);
    return `| ${[name, mean(total.nodesVisited), mean(total.nodesContained), mean(total.bodiesTested), mean(total.bodiesReported)].join(' | ')} |`;
  });
  return [
    `| query | nodes visited, up to ${CHILDREN} boxes each | contained | bodies tested | reported |`,
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
