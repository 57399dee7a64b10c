// Writes the figures four times per second.

import { FigureBoard, milliseconds, times } from '../shared/figure-board.ts';
import type { Comparison } from './comparison.ts';
import type { Sight } from './sight.ts';

const EVERY_MS = 250;

export class Readout {
  private readonly board: FigureBoard;
  private readonly root: HTMLElement;
  private writtenAt = -Infinity;

  constructor(root: HTMLElement) {
    this.root = root;
    this.board = new FigureBoard(root);
  }

  /** Whether the figures are due. */
  isDue(now: number): boolean {
    return now - this.writtenAt >= EVERY_MS;
  }

  write({ rayCount, watchers, fan, people, seen }: Sight, { batch, single, doAgree }: Comparison, isBatch: boolean, now: number): void {
    this.writtenAt = now;
    const { board } = this;
    const [batchTime, singleTime] = [batch.medianAt(now), single.medianAt(now)];
    board.setCount('rays', rayCount);
    board.setCount('fan-rays', Math.min(rayCount, watchers.count * fan));
    board.setCount('sight-rays', Math.max(0, rayCount - watchers.count * fan));
    board.setCount('seen', seen);
    board.setCount('people', people.count);
    board.set('batch-time', milliseconds(batchTime));
    board.set('single-time', milliseconds(singleTime));
    board.set('gain', times(singleTime, batchTime));
    board.mark('batch-label', 'is-drawing', isBatch);
    board.mark('single-label', 'is-drawing', !isBatch);
    const greatest = Math.max(batchTime, singleTime);
    this.root.style.setProperty('--batch', String(batchTime / greatest || 0));
    this.root.style.setProperty('--single', String(singleTime / greatest || 0));
    const agreement = board.set('agreement', doAgree === null ? '-' : doAgree ? 'equal hits' : 'other hits!');
    agreement.dataset.agree = String(doAgree);
  }
}
