// Writes the figures of the page.

import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { Comparison } from './comparison.ts';
import type { ContactsFigures } from './probe.ts';
import type { Table } from './table.ts';

export function writeFigures(board: FigureBoard, { began, ended, contacts, moving, balls }: Table, { tracked, fromScratch, doAgree }: Comparison, now: number): void {
  board.setCount('touching', contacts.count);
  board.setCount('began', began);
  board.setCount('ended', ended);
  board.setCount('moving', moving);
  board.setCount('bodies', balls.count);
  board.set('tracked-time', milliseconds(tracked.medianAt(now)));
  board.set('scratch-time', milliseconds(fromScratch.medianAt(now)));
  board.setAgreement(doAgree, 'the same pairs', 'other pairs!');
}

export const figuresOf = ({ steps, balls, moving, contacts, began, ended, replaced }: Table, { doAgree }: Comparison): ContactsFigures =>
  ({ steps, bodies: balls.count, moving, touching: contacts.count, began, ended, replaced, doAgree });
