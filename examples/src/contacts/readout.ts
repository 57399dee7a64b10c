// Writes the figures four times per second.

import { FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { Comparison } from './comparison.ts';
import type { ContactsFigures } from './probe.ts';
import { STEP_SECONDS, type Table } from './table.ts';

const EVERY_MS = 250;
/** Steps over which the rates are computed. */
const RATE_STEPS = 120;

export class Readout {
  private readonly board: FigureBoard;
  private writtenAt = -Infinity;
  /** Steps and counts at the earlier reports, for the rates. */
  private history: { steps: number; began: number; ended: number }[] = [];

  constructor(root: HTMLElement) {
    this.board = new FigureBoard(root);
  }

  /** Whether the figures are due. */
  isDue(now: number): boolean {
    return now - this.writtenAt >= EVERY_MS;
  }

  clear(): void {
    this.history = [];
  }

  write(table: Table, comparison: Comparison, now: number): void {
    this.writtenAt = now;
    const { board, history } = this;
    const { steps, began, ended, contacts, moving, balls: { count } } = table;
    while (history.length > 1 && steps - history[0].steps > RATE_STEPS) history.shift();
    const [first] = history;
    const seconds = first === undefined ? 0 : (steps - first.steps) * STEP_SECONDS;
    const perSecond = (sum: number, before: number): string => (seconds > 0 ? Math.round((sum - before) / seconds).toLocaleString('en') : '-');
    board.set('began-rate', perSecond(began, first?.began));
    board.set('ended-rate', perSecond(ended, first?.ended));
    if (history.at(-1)?.steps !== steps) history.push({ steps, began, ended });
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
