// Writes the figures of the page.

import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { Comparison } from './comparison.ts';
import type { SensorsFigures } from './probe.ts';
import type { TownWatch } from './town-watch.ts';

export function writeFigures(board: FigureBoard, { sensors, changed, inBand }: TownWatch, { watched, queried, doAgree }: Comparison, now: number): void {
  board.setCount('zones', sensors.length);
  for (const [band, count] of inBand.entries()) board.setCount(`band-${band}`, count);
  board.setCount('changed', changed);
  board.set('watched-time', milliseconds(watched.medianAt(now)));
  board.set('queried-time', milliseconds(queried.medianAt(now)));
  board.setAgreement(doAgree, 'the same changes', 'other changes!');
}

export const figuresOf = ({ steps, people, sensors, entered, left, changed, inBand, player }: TownWatch, { doAgree }: Comparison): SensorsFigures =>
  ({ steps, people: people.count, zones: sensors.length, entered, left, changed, inBand: [...inBand], player: [player.x, player.z], doAgree });
