// Writes what the last pass of a camera sees of a container into the figures of a page, by `statisticsOf`.

import type { Camera } from 'three';
import { type PassStatistics, statisticsOf } from '../../../src/debug-three/index.ts';
import type { OctreeGroup } from '../../../src/three.ts';
import type { FigureBoard } from './figure-board.ts';

/** The figures, by their names in `data-figure`; a page shows some of them. */
const TEXTS = {
  visible: ({ visible, objects }: PassStatistics) => `${numberOf(visible)} of ${numberOf(objects)}`,
  tested: ({ bodiesTested }: PassStatistics) => numberOf(bodiesTested),
  nodes: ({ nodesVisited }: PassStatistics) => numberOf(nodesVisited),
  alone: ({ alone }: PassStatistics) => numberOf(alone),
  ranges: ({ ranges }: PassStatistics) => numberOf(ranges),
  hidden: ({ hidden }: PassStatistics) => numberOf(hidden),
};

/** Call it after a frame: it counts as a pass of the camera. Up to five frustum queries. */
export function writePass(
  board: FigureBoard,
  group: OctreeGroup,
  camera: Camera,
  names: readonly (keyof typeof TEXTS)[],
): PassStatistics {
  const statistics = statisticsOf(group, camera);
  for (const name of names) board.set(name, TEXTS[name](statistics));
  return statistics;
}

const numberOf = (count: number): string => (count === 0 ? 'none' : count.toLocaleString('en'));
