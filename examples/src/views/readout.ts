// The figures of the page.

import { fineTime, type FigureBoard, times } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { City } from './city.ts';
import type { Comparison } from './comparison.ts';

export function writeFigures(
  board: FigureBoard,
  { active, all, found, sets, unseen }: City,
  { octree, loop, doAgree }: Comparison,
  now: number,
): void {
  for (const view of all) board.set(view.name, active.includes(view) ? view.list.length.toLocaleString('en') : '-');
  board.setCount('sum', found);
  board.setCount('view-count', active.length);
  board.setCount('unseen', unseen);
  board.setCount('buildings', sets.length);
  const [octreeTime, loopTime] = [octree.meanAt(now), loop.meanAt(now)];
  board.set('octree-time', fineTime(octreeTime));
  board.set('loop-time', fineTime(loopTime));
  const isMeasured = octreeTime > 0 && loopTime > 0;
  // Few buildings are tested faster one by one.
  const isFaster = loopTime >= octreeTime;
  const gain = isFaster ? times(loopTime, octreeTime) : times(octreeTime, loopTime);
  board.set('gain', isMeasured ? gain : '');
  board.set(
    'claim',
    isMeasured
      ? `${isFaster ? 'faster' : 'slower'} than a test of each building for each view`
      : 'measuring both ways ...',
  );
  board.setShares({ '--octree': octreeTime, '--loop': loopTime });
  board.setAgreement(doAgree, 'equal', 'not equal!');
}

/** The figures for tests and the console. */
export const figuresOf = (
  {
    active,
    found,
    unseen,
    sets,
    camera: {
      position: { x, z },
    },
  }: City,
  { doAgree }: Comparison,
) => ({
  /** Number of buildings that each view sees, by its name. */
  seen: Object.fromEntries(active.map(({ name, list }) => [name, list.length])),
  /** Their sum. */
  found,
  /** Buildings that no view sees. */
  unseen,
  buildings: sets.length,
  /** Where the camera is, in metres from the centre of the city. */
  x,
  z,
  /** Whether the octree and the loop found the same buildings. */
  doAgree,
});

export type ViewsFigures = ReturnType<typeof figuresOf>;

declare global {
  var viewsProbe: PageProbe<ViewsFigures> | undefined;
}
