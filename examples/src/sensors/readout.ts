// The figures of the page.

import { type FigureBoard, fineTime, times } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { Comparison } from './comparison.ts';
import type { TownWatch } from './town-watch.ts';

export function writeFigures(
  board: FigureBoard,
  { sensors, changed, inBand, walking, people }: TownWatch,
  { watched, queried, doAgree }: Comparison,
  now: number,
): void {
  board.setCount('zones', sensors.length);
  for (const [band, count] of inBand.entries()) board.setCount(`band-${band}`, count);
  board.setCount('changed', changed);
  board.setCount('walking', walking);
  board.setCount('people', people.count);
  const [watchedTime, queriedTime] = [watched.meanAt(now), queried.meanAt(now)];
  board.set('watched-time', fineTime(watchedTime));
  board.set('queried-time', fineTime(queriedTime));
  board.set('gain', times(queriedTime, watchedTime));
  board.setAgreement(doAgree, 'the same changes', 'other changes!');
}

/** The figures for tests and the console. */
export const figuresOf = (
  { steps, people, walking, sensors, entered, left, changed, inBand, player }: TownWatch,
  { doAgree, watched, queried }: Comparison,
  now: number,
) => ({
  steps,
  people: people.count,
  walking,
  zones: sensors.length,
  /** Since the start: how many times people entered a zone, left one, or changed the band. */
  entered,
  left,
  changed,
  /** People in each band; the last one is beyond all distances. */
  inBand: [...inBand],
  player: [player.x, player.z],
  /** Whether sensors and queries have seen the same changes. */
  doAgree,
  /** Mean milliseconds of a step with sensors, and with a query for each zone. */
  watchedTime: watched.meanAt(now),
  queriedTime: queried.meanAt(now),
});

export type SensorsFigures = ReturnType<typeof figuresOf>;

declare global {
  var sensorsProbe: PageProbe<SensorsFigures> | undefined;
}
