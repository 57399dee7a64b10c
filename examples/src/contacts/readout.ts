// Writes the figures four times per second.

import { FigureBoard, milliseconds } from '../shared/figure-board.ts';
import { Rates } from '../shared/rates.ts';
import type { Comparison } from './comparison.ts';
import type { ContactsFigures } from './probe.ts';
import { STEP_SECONDS, type Table } from './table.ts';

const EVERY_MS = 250;
/** Steps over which the rates are computed. */
const RATE_STEPS = 120;

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

  write(table: Table, comparison: Comparison, now: number): void {
    this.writtenAt = now;
    const { board } = this;
    const { steps, began, ended, contacts, moving, balls: { count } } = table;
    this.rates.write(board, steps, { 'began-rate': began, 'ended-rate': ended });
    board.setCount('touching', contacts.count);
    board.setCount('began', began);
    board.setCount('ended', ended);
    board.setCount('moving', moving);
    board.setCount('bodies', count);
    const tracked = comparison.tracked.medianAt(now);
    const fromScratch = comparison.fromScratch.medianAt(now);
    board.set('tracked-time', milliseconds(tracked));
    board.set('scratch-time', milliseconds(fromScratch));
    const agreement = board.set('agreement', comparison.doAgree === null ? '-' : comparison.doAgree ? 'the same pairs' : 'other pairs!');
    agreement.dataset.agree = String(comparison.doAgree);
  }
}

export const figuresOf = ({ steps, balls, moving, contacts, began, ended, replaced }: Table, { doAgree }: Comparison): ContactsFigures =>
  ({ steps, bodies: balls.count, moving, touching: contacts.count, began, ended, replaced, doAgree });
