// The figures of the page.

import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { Comparison } from './comparison.ts';
import type { TownWatch } from './town-watch.ts';

export function writeFigures(
  board: FigureBoard,
  { sensors, changed, inBand }: TownWatch,
  { watched, queried, doAgree }: Comparison,
  now: number,
): void {
  board.setCount('zones', sensors.length);
  for (const [band, count] of inBand.entries()) board.setCount(`band-${band}`, count);
  board.setCount('changed', changed);
  board.set('watched-time', milliseconds(watched.medianAt(now)));
  board.set('queried-time', milliseconds(queried.medianAt(now)));
  board.setAgreement(doAgree, 'the same changes', 'other changes!');
}

/** The figures for tests and the console. */
export const figuresOf = (
  { steps, people, sensors, entered, left, changed, inBand, player }: TownWatch,
  { doAgree }: Comparison,
) => ({
  steps,
  people: people.count,
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
});

export type SensorsFigures = ReturnType<typeof figuresOf>;

declare global {
  var sensorsProbe: PageProbe<SensorsFigures> | undefined;
}
