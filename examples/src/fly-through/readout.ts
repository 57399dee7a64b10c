// The figures of the page.

import { type FigureBoard, fineTime, times } from '../shared/figure-board.ts';
import type { Stage } from '../shared/stage.ts';
import type { Culling } from './culling.ts';
import type { World } from './world.ts';

export function writeFigures(
  board: FigureBoard,
  figures: ReturnType<typeof figuresOf>,
  { octreeTimes, loopTimes }: Culling,
  framesPerSecond: number,
  now: number,
): void {
  for (const name of [
    'visible',
    'culled',
    'total',
    'tested',
    'nodesVisited',
    'nodesContained',
    'nodes',
    'drawCalls',
    'triangles',
  ] as const) {
    board.setCount(name, figures[name]);
  }
  const [octree, bruteForce] = [octreeTimes.meanAt(now), loopTimes.meanAt(now)];
  board.set('octreeTime', fineTime(octree));
  board.set('bruteForceTime', fineTime(bruteForce));
  board.set('gain', times(bruteForce, octree));
  board.setCount('framesPerSecond', framesPerSecond);
  board.setAgreement(figures.doAgree, '\u2713 equal', '\u2717 differ', 'not checked');
}

/** The figures of one frame. */
export function figuresOf(world: World, culling: Culling, { renderer }: Stage) {
  const { count: total } = world.bodies.set;
  return {
    visible: culling.visible,
    culled: total - culling.visible,
    total,
    tested: culling.stats.bodiesTested,
    nodesVisited: culling.stats.nodesVisited,
    nodesContained: culling.stats.nodesContained,
    nodes: world.nodes,
    drawCalls: renderer.info.render.calls,
    triangles: renderer.info.render.triangles,
    /** Whether the octree and the loop found the same bodies; null while nothing is compared. */
    doAgree: culling.doAgree,
  };
}
