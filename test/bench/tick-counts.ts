/**
 * Medians per tick, as a table in Markdown: counts of the octree, which are the same on every machine, and the times of
 * the three calls of a tick on this machine.
 */

import { IndexList, Octree, type QueryStats } from '../../src/index.ts';
import { newMotion } from './motion.ts';
import { makeQueries, type QuerySet } from './queries.ts';
import type { Scene } from './scenes/scene.ts';

interface Span {
  /** Share of the bodies that move, 0 to 1. */
  readonly share: number;
  /** Ticks [begin, end) are counted. */
  readonly begin: number;
  readonly end: number;
}

const SPANS: readonly Span[] = [
  { share: 0.01, begin: 100, end: 300 },
  { share: 0.1, begin: 100, end: 300 },
  { share: 1, begin: 50, end: 150 },
  { share: 1, begin: 200, end: 300 },
];

export function tickCountsTable(scene: Scene): string {
  const queries = makeQueries(scene);
  const lines = SPANS.map((span) => {
    // The first run only compiles the code.
    runSpan(scene, queries, span);
    const { counts, times } = runSpan(scene, queries, span);
    const name = `${span.share * 100} % move, ticks ${span.begin} to ${span.end}`;
    return `| ${[name, ...counts.map((values) => median(values).toFixed(0)), ...times.map((values) => `${(median(values) * 1000).toFixed(0)} us`)].join(' | ')} |`;
  });
  const columns = [
    'ticks',
    'moved',
    'escaped',
    'changed node',
    'nodes opened',
    'nodes visited by the cull',
    'bodies tested',
    '`moveMany`',
    '`update`',
    'cull',
  ];
  return [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines].join('\n');
}

function runSpan(
  scene: Scene,
  { tickView }: QuerySet,
  { share, begin, end }: Span,
): { counts: number[][]; times: number[][] } {
  const octree = new Octree();
  octree.insertMany(scene.boxes, { kind: 'box' });
  octree.update();
  const list = new IndexList();
  const motion = newMotion(scene, share);
  const counts: number[][] = Array.from({ length: 6 }, () => []);
  const times: number[][] = Array.from({ length: 3 }, () => []);
  for (let tick = 0; tick < end; tick++) {
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    motion.step();
    const moveBegin = performance.now();
    octree.moveMany(motion.moving, motion.batch);
    const moveEnd = performance.now();
    const escaped = octree.statistics.pending;
    const updateBegin = performance.now();
    const { bodiesRelocated, nodesCreated } = octree.update();
    const updateEnd = performance.now();
    octree.collectFrustum(tickView.frustum, list, { stats });
    const cullEnd = performance.now();
    if (tick < begin) continue;
    [motion.moving.length, escaped, bodiesRelocated, nodesCreated, stats.nodesVisited, stats.bodiesTested].forEach(
      (value, k) => counts[k].push(value),
    );
    [moveEnd - moveBegin, updateEnd - updateBegin, cullEnd - updateEnd].forEach((value, k) => times[k].push(value));
  }
  octree.clear();
  return { counts, times };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}
