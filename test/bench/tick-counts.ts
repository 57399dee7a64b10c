/** What ticks ask of the octree: counts, the same on every machine, and how long its three calls of a tick take on this one. */

import { IndexList, Octree, type QueryStats } from '../../src/index.ts';
import { newMotion } from './motion.ts';
import { makeQuestions, type QueryRunner } from './queries.ts';
import type { Scene } from './scenes/scene.ts';

interface Span {
  readonly share: number;
  /** Ticks [begin, end) are looked at. */
  readonly begin: number;
  readonly end: number;
}

const SPANS: readonly Span[] = [
  { share: 0.01, begin: 100, end: 300 },
  { share: 0.1, begin: 100, end: 300 },
  { share: 1, begin: 50, end: 150 },
  { share: 1, begin: 200, end: 300 },
];

/** Medians per tick, as a table in Markdown. */
export function tellTickCounts(scene: Scene): string {
  const questions = makeQuestions(scene);
  const lines = SPANS.map((span) => {
    // Once so that all is compiled.
    playSpan(scene, questions, span);
    const { counts, times } = playSpan(scene, questions, span);
    const name = `${span.share * 100} % move, ticks ${span.begin} to ${span.end}`;
    return `| ${[name, ...counts.map((values) => median(values).toFixed(0)), ...times.map((values) => `${(median(values) * 1000).toFixed(0)} us`)].join(' | ')} |`;
  });
  const columns = ['ticks', 'moved', 'left their room', 'changed their node', 'nodes opened', 'nodes visited by the cull', 'bodies tested', '`moveMany`', '`update`', 'cull'];
  return [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines].join('\n');
}

function playSpan(scene: Scene, { flight }: QueryRunner, { share, begin, end }: Span): { counts: number[][]; times: number[][] } {
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
    const start = performance.now();
    octree.moveMany(motion.moving, motion.batch);
    const moved = performance.now();
    const left = octree.statistics.pending;
    const asked = performance.now();
    const { bodiesRelocated, nodesCreated } = octree.update();
    const updated = performance.now();
    octree.collectFrustum(flight.frustum, list, { stats });
    const seen = performance.now();
    if (tick < begin) continue;
    [motion.moving.length, left, bodiesRelocated, nodesCreated, stats.nodesVisited, stats.bodiesTested].forEach((value, k) => counts[k].push(value));
    [moved - start, updated - asked, seen - updated].forEach((value, k) => times[k].push(value));
  }
  octree.clear();
  return { counts, times };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}
