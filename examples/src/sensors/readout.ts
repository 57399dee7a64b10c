// Writes the figures four times per second.

import { FigureBoard, milliseconds } from '../shared/figure-board.ts';
import { Rates } from '../shared/rates.ts';
import type { Comparison } from './comparison.ts';
import type { SensorsFigures } from './probe.ts';
import { STEP_SECONDS, type TownWatch } from './town-watch.ts';

const EVERY_MS = 250;
/** Steps over which the rates are computed. */
const RATE_STEPS = 60;

export class Readout {
  private readonly board: FigureBoard;
  private writtenAt = -Infinity;
  private readonly rates = new Rates(RATE_STEPS, STEP_SECONDS);

  constructor(root: HTMLElement) {
    this.board = new FigureBoard(root);
  }

  /** Whether the figures are due. */
  isDue(now: number): boolean {
    return now - this.writtenAt >= EVERY_MS;
  }

  clear(): void {
    this.rates.clear();
  }

  write({ steps, entered, left, changed, sensors, inBand }: TownWatch, { watched, queried, doAgree }: Comparison, now: number): void {
    this.writtenAt = now;
    const { board } = this;
    this.rates.write(board, steps, { 'entered-rate': entered, 'left-rate': left });
    board.setCount('zones', sensors.length);
    for (const [band, count] of inBand.entries()) board.setCount(`band-${band}`, count);
    board.setCount('changed', changed);
    board.set('watched-time', milliseconds(watched.medianAt(now)));
    board.set('queried-time', milliseconds(queried.medianAt(now)));
    const agreement = board.set('agreement', doAgree === null ? '-' : doAgree ? 'the same changes' : 'other changes!');
    agreement.dataset.agree = String(doAgree);
  }
}

export const figuresOf = ({ steps, people, sensors, entered, left, changed, inBand, player }: TownWatch, { doAgree }: Comparison): SensorsFigures =>
  ({ steps, people: people.count, zones: sensors.length, entered, left, changed, inBand: [...inBand], player: [player.x, player.z], doAgree });
