// The figures of the page.

import { type FigureBoard, fineTime } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { Comparison } from './comparison.ts';
import type { Table } from './table.ts';

export function writeFigures(
  board: FigureBoard,
  { began, ended, contacts, moving, balls }: Table,
  { tracked, fromScratch, doAgree }: Comparison,
  now: number,
): void {
  board.setCount('touching', contacts.count);
  board.setCount('began', began);
  board.setCount('ended', ended);
  board.setCount('moving', moving);
  board.setCount('bodies', balls.count);
  board.set('tracked-time', fineTime(tracked.meanAt(now)));
  board.set('scratch-time', fineTime(fromScratch.meanAt(now)));
  board.setAgreement(doAgree, 'the same pairs', 'other pairs!');
}

/** The figures for tests and the console. */
export const figuresOf = (
  { steps, balls, moving, contacts, began, ended, replaced }: Table,
  { doAgree }: Comparison,
) => ({
  steps,
  bodies: balls.count,
  /** Bodies that moved in the last step. */
  moving,
  /** Pairs that touch now, and numbers of pairs that began and ended since the start. */
  touching: contacts.count,
  began,
  ended,
  replaced,
  /** Whether the tracked pairs and all pairs from scratch were the same. */
  doAgree,
});

export type ContactsFigures = ReturnType<typeof figuresOf>;

declare global {
  var contactsProbe: PageProbe<ContactsFigures> | undefined;
}
