// What an attacker who controls bounds can cost at most: the table in SECURITY.md.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { intersectPairs, Octree } from '../../src/core.ts';

type Box = { min: { x: number; y: number; z: number }; max: { x: number; y: number; z: number } };
const cube = (x: number, edge = 1): Box => ({ min: { x, y: 0, z: 0 }, max: { x: x + edge, y: edge, z: edge } });

/** An octree with bodies, after an update. */
function octreeOf(boxes: readonly Box[], options = {}): Octree<number> {
  const octree = new Octree<number>(options);
  boxes.forEach((box, k) => octree.insert(box, k));
  octree.update();
  return octree;
}

const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };

describe('what an attacker can cost', () => {
  it('bodies at one place: few nodes, and each query tests all of them once', () => {
    const octree = octreeOf(Array.from({ length: 2000 }, () => cube(5)));
    expect(octree.statistics.nodes).toBeLessThan(100);
    octree.intersectBox(cube(5), { stats });
    expect(stats.bodiesTested).toBe(2000);
    octree.intersectBox(cube(50), { stats });
    expect(stats.bodiesTested).toBe(0);
    expect(intersectPairs(octreeOf(Array.from({ length: 50 }, () => cube(5)))).length).toBe((50 * 49) / 2);
  });

  it('one body far away: few nodes more, and queries visit few nodes', () => {
    const boxes = Array.from({ length: 1000 }, (_, k) => cube(2 * k));
    const near = octreeOf(boxes);
    const octree = octreeOf([...boxes, cube(2 ** 49)]);
    expect(octree.statistics.nodes).toBeLessThan(near.statistics.nodes + 200);
    octree.intersectBox(cube(10), { stats });
    expect(stats.nodesVisited).toBeLessThan(100);
    expect(
      octreeOf([cube(0), cube(2 ** 49)], {
        outside: 'remove',
        region: { min: { x: -100, y: -100, z: -100 }, edge: 256 },
      }).size,
    ).toBe(1);
  });

  it('a body over the whole world: one test in each query', () => {
    const boxes = Array.from({ length: 1000 }, (_, k) => cube(2 * k));
    octreeOf(boxes).intersectBox(cube(10), { stats });
    const before = stats.bodiesTested;
    octreeOf([...boxes, cube(-4000, 8000)]).intersectBox(cube(10), { stats });
    expect(stats.bodiesTested).toBeLessThanOrEqual(before + 8);
  });

  it('runs no code from strings, and fetches nothing', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const code = files.map((file) => readFileSync(join('src', file), 'utf8')).join('\n');
    expect(code.match(/\b(?:eval|Function|fetch|XMLHttpRequest|WebSocket|importScripts)\(|new Worker\(/g)).toBeNull();
  });
});
