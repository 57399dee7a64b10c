/** What the octree looks at to answer each kind of question: counts, so the same on every machine. */

import { IndexList, Octree, type QueryStats } from '../../src/index.ts';
import { makeQuestions } from './queries.ts';
import type { Scene } from './scenes/scene.ts';

const NEAREST = 8;
/** Boxes of children that are tested at once. */
const CHILDREN = 8;

type Ask = (stats: QueryStats) => unknown;

/** Means per question, as a table in Markdown. */
export function tellCounts(scene: Scene): string {
  const octree = new Octree();
  octree.insertMany(scene.boxes, { kind: 'box', isStatic: true });
  octree.update();
  const list = new IndexList();
  const { near, far, rays, boxes, spheres, points } = makeQuestions(scene);
  const kinds: [string, Ask[]][] = [
    ['cull, far 1500', near.map(({ frustum }) => (stats) => octree.collectFrustum(frustum, list, { stats }))],
    ['cull, far 6000', far.map(({ frustum }) => (stats) => octree.collectFrustum(frustum, list, { stats }))],
    ['ray, first hit', rays.map((ray) => (stats) => octree.firstHit(ray, { stats }))],
    ['ray, all hits', rays.map((ray) => (stats) => octree.collectRay(ray, list, { stats }))],
    ['box, 30 results', boxes.map((box) => (stats) => octree.collectBox(box, list, { stats }))],
    ['sphere, 30 results', spheres.map((sphere) => (stats) => octree.collectSphere(sphere, list, { stats }))],
    ['8 nearest', points.map((point) => (stats) => octree.collectNearest(point, NEAREST, list, { stats }))],
  ];
  const lines = kinds.map(([name, asks]) => {
    const total: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    for (const ask of asks) {
      const stats = { ...total };
      ask(stats);
      for (const key of Object.keys(total) as (keyof QueryStats)[]) total[key] += stats[key];
    }
    const mean = (sum: number): string => (sum / asks.length).toFixed(sum < 100 * asks.length ? 1 : 0);
    return `| ${[name, mean(total.nodesVisited), mean(total.nodesContained), mean(total.bodiesTested), mean(total.bodiesReported)].join(' | ')} |`;
  });
  return [`| question | nodes visited, up to ${CHILDREN} boxes each | taken whole | bodies tested | reported |`, '|---|---|---|---|---|', ...lines].join('\n');
}
